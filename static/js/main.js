import * as api from "./api.js";
import { Composer } from "./composer.js";
import { Desk } from "./desk.js";
import { make } from "./dom.js";
import { EvidenceDrawer } from "./evidence.js";
import { language, loadWords, translate, word } from "./i18n.js";
import { drawReview } from "./review.js";
import { Sidebar } from "./sidebar.js";
import { readFrames } from "./sse.js";
import { Turn } from "./turn.js";

const RETRY_S = [2, 5, 10, 10, 10];
const byId = (id) => document.getElementById(id);
// `place` is another object each time another session is shown: an answer that comes late knows that it is not wanted.
const view = { session: null, turn: null, abort: null, files: [], review: null, place: {} };

const say = (text) => byId("status").replaceChildren(text);

function problem(text) {
  byId("notice").hidden = !text;
  byId("notice").replaceChildren(text);
}

async function showReview(session) {
  const found = view.files.findLast?.((file) => file.name === "review.json") ?? [...view.files].reverse().find((file) => file.name === "review.json");
  if (!found) return;
  const folder = found.path.slice(0, found.path.lastIndexOf("/") + 1);
  const downloads = view.files.filter((file) => file.path.startsWith(folder) && file.path !== found.path && !file.path.slice(folder.length).includes("/"))
    .map((file) => ({ name: file.name, href: api.fileAddress(session, file.path) }));
  const review = await api.getFile(session, found.path);
  if (view.session !== session) return;
  if (view.review !== found.path) drawer.leave(); // its trail belongs to another review
  view.review = found.path;
  drawer.use(session, review);
  drawReview(byId("review"), review, downloads, (trail, at, opener) => drawer.open(trail, at, opener));
}

const turnPage = () => ({
  address: (path) => api.fileAddress(view.session, path),
  decide,
  onSession: (frame) => setSession(frame.session_id),
  onFile: (frame) => { if (!view.files.some((file) => file.path === frame.path)) view.files.push(frame); },
});

function setSession(id) {
  if (view.session === id) return;
  view.session = id;
  history.replaceState(null, "", id ? `#/s/${id}` : "#/");
  sidebar.mark(id);
}

const userArticle = (text, files) => make("article", { class: "user" }, make("span", {}, text), files.length ? make("ul", {}, ...files.map((name) => make("li", {}, name))) : null);

function beginTurn() {
  const turn = new Turn(turnPage());
  view.turn = turn;
  byId("thread").append(turn.node);
  return turn;
}

function nearEnd() {
  const main = document.querySelector("main");
  return main.scrollHeight - main.scrollTop - main.clientHeight < 160;
}

async function drain(turn, response) {
  for await (const frame of readFrames(response)) {
    const follow = nearEnd();
    turn.take(frame);
    if (follow) document.querySelector("main").scrollTop = document.querySelector("main").scrollHeight;
  }
}

/** Read a stream to its `done`, coming back by `seq` when the connection breaks. */
async function pump(turn, response, abort) {
  turn.done = null;
  view.abort = abort;
  composer.setBusy(true);
  say(word("running"));
  try {
    for (let attempt = 0; ; attempt += 1) {
      const before = turn.seq;
      try {
        await drain(turn, response);
      } catch (error) {
        if (error.name === "AbortError") return;
      }
      turn.endSegment();
      if (turn.done || !turn.run) break;
      if (turn.seq > before) attempt = 0;
      if (attempt >= RETRY_S.length) { problem(word("stream_lost")); break; }
      say(word("reconnecting", { n: RETRY_S[attempt] }));
      await new Promise((resolve) => { setTimeout(resolve, RETRY_S[attempt] * 1000); });
      response = await api.follow(turn.run, turn.seq, abort.signal).catch(() => ({ body: new Blob([]).stream() }));
    }
  } finally {
    composer.setBusy(false);
    finish(turn);
  }
}

function finish(turn) {
  if (view.turn !== turn) return;
  const first = turn.waiting[0];
  say([first ? word("waiting_for_you") : word(turn.done ? `done_${turn.done.status}` : "ready"), turn.guarded].filter(Boolean).join(" · "));
  if (first) first.heading.focus();
  if (view.session) showReview(view.session).catch((error) => problem(error.message));
  sidebar.refresh();
  refreshUsage();
}

async function submit({ message, files }) {
  problem("");
  const abort = new AbortController();
  const place = view.place;
  composer.setBusy(true);
  say(word("sending"));
  let response;
  try {
    response = await api.chat({ message, session: view.session, files, signal: abort.signal });
    if (view.place !== place) { abort.abort(); sidebar.refresh(); return true; } // it goes on, and is found in the list
  } catch (error) {
    if (view.place !== place) { problem(error.message); return true; }
    composer.setBusy(false);
    say("");
    problem(error.message);
    return false;
  }
  byId("empty").hidden = true;
  byId("thread").append(userArticle(message, files.map((file) => file.name)));
  pump(beginTurn(), response, abort);
  return true;
}

async function decide(turn, decision) {
  const abort = new AbortController();
  const response = await api.resume(view.session, [decision], abort.signal);
  const card = [...turn.approvals.values()].find((other) => other.interrupt.interrupt_id === decision.interrupt_id);
  card.settle(decision.decision);
  pump(turn, response, abort);
}

async function stop() {
  say(word("stopping"));
  if (view.turn?.run) await api.cancelRun(view.turn.run).catch((error) => problem(error.message));
}

function blank() {
  leaveDesk();
  view.abort?.abort();
  Object.assign(view, { turn: null, abort: null, files: [], review: null, place: {} });
  drawer.leave();
  composer.setBusy(false);
  setSession(null);
  byId("thread").replaceChildren();
  byId("review").replaceChildren();
  byId("review").hidden = true;
  byId("empty").hidden = false;
  say("");
  problem("");
}

function openDesk() {
  byId("sidebar").classList.remove("open");
  history.replaceState(null, "", "#/desk");
  return desk.open();
}

function leaveDesk() {
  if (!desk.isOpen) return;
  desk.close();
  problem("");
  history.replaceState(null, "", view.session ? `#/s/${view.session}` : "#/");
}

async function openSession(id) {
  blank();
  byId("sidebar").classList.remove("open");
  const place = view.place;
  let history;
  let session;
  try {
    [session, history] = await Promise.all([api.getSession(id), api.getMessages(id)]);
  } catch (error) {
    if (view.place === place) problem(error.message);
    return;
  }
  if (view.place !== place) return;
  setSession(id);
  byId("empty").hidden = history.items.length > 0;
  const running = session.active_run && ["queued", "running", "cancelling"].includes(session.active_run.status) ? session.active_run : null;
  for (const item of history.items) {
    if (item.role === "user") { byId("thread").append(userArticle(item.content, (item.files ?? []).map((file) => file.name))); continue; }
    if (running && item.run_id === running.run_id) continue; // drawn from its log below
    const turn = beginTurn();
    for (const frame of item.parts) turn.take(frame);
    turn.endSegment();
  }
  if (history.pending?.length) (view.turn ?? beginTurn()).on_interrupt({ interrupts: history.pending });
  settleStale(history.pending ?? []);
  if (running) {
    const abort = new AbortController();
    const turn = beginTurn();
    turn.run = running.run_id;
    pump(turn, await api.follow(running.run_id, 0, abort.signal), abort);
  } else if (view.turn) finish(view.turn);
}

/** A card of history that nobody waits for any more was decided elsewhere. */
function settleStale(pending) {
  const open = new Set(pending.map((item) => item.interrupt_id));
  for (const card of view.turn?.waiting ?? []) if (!open.has(card.interrupt.interrupt_id)) card.settle("elsewhere");
}

async function refreshUsage() {
  const usage = await api.getUsage().catch(() => null);
  if (!usage) return;
  const tokens = (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  byId("usage").replaceChildren(word("usage_today", { calls: usage.calls ?? 0, tokens: tokens.toLocaleString(language()), mark: usage.usage_source === "provider" || !tokens ? "" : word("estimated") }));
}

async function useSamples() {
  const wanted = [["plan.pdf", "application/pdf"], ["report.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"]];
  const files = await Promise.all(wanted.map(async ([name, type]) => new File([await (await fetch(`/static/samples/${name}`)).blob()], name, { type })));
  composer.clear();
  composer.zones.forEach((zone, at) => { zone.file = files[at]; });
  composer.add(files);
  composer.startButton.focus();
}

async function drawStart() {
  const [agents, health] = await Promise.all([api.getAgents().catch(() => null), api.getHealth().catch(() => null)]);
  byId("scans").textContent = health?.reads_scans ? word("ocr") : word("no_ocr");
  const agent = (agents?.items ?? []).find((item) => item.default) ?? agents?.items?.[0];
  const mode = agent?.model_egress === "none" ? "offline" : health?.model_mode;
  byId("mode").replaceChildren(mode ? word(`mode_${mode}`) : "");
  byId("mode").title = [mode && word(`mode_${mode}_long`), mode === "live" && agent && word(`egress_${agent.model_egress}`)].filter(Boolean).join("\n");
  byId("egress").textContent = agent ? word(`egress_${mode === "live" ? agent.model_egress : "none"}`) : "";
  byId("examples").replaceChildren(...(agent?.examples ?? []).map((text) => make("li", {}, make("button", { type: "button", onclick: () => { composer.message.value = text; composer.message.focus(); } }, text))));
}

let sidebar;
let composer;
let drawer;
let desk;

async function boot() {
  await loadWords(localStorage.getItem("language") ?? "zh-CN");
  translate();
  sidebar = new Sidebar({ open: openSession, gone: (id) => { if (id === view.session) blank(); }, problem });
  composer = new Composer(submit, stop);
  drawer = new EvidenceDrawer(byId("evidence"), byId("shade"));
  desk = new Desk(byId("desk"), { problem, leave: leaveDesk });
  byId("open-desk").addEventListener("click", openDesk);
  byId("new-session").addEventListener("click", () => { blank(); byId("message").focus(); });
  byId("use-samples").addEventListener("click", () => useSamples().catch((error) => problem(error.message)));
  byId("menu").addEventListener("click", () => byId("menu").setAttribute("aria-expanded", String(byId("sidebar").classList.toggle("open"))));
  byId("language").addEventListener("click", () => { localStorage.setItem("language", language() === "en" ? "zh-CN" : "en"); location.reload(); });
  byId("user").value = api.userName();
  byId("user").addEventListener("change", () => { api.setUser(byId("user").value); byId("user").value = api.userName(); blank(); sidebar.refresh(); refreshUsage(); });
  await Promise.all([sidebar.refresh(), refreshUsage(), drawStart()]);
  const asked = /^#\/s\/([\w-]+)$/.exec(location.hash);
  if (asked) await openSession(asked[1]);
  if (location.hash === "#/desk") await openDesk();
  document.body.dataset.ready = "true";
}

boot().catch((error) => problem(error.message));
