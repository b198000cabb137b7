import { word } from "./i18n.js";

/** An answer of the server that is not what was asked for; `message` is readable. */
export class ApiError extends Error {
  constructor(status, error) {
    super([error.message, error.hint].filter(Boolean).join("\n"));
    this.status = status;
    this.code = error.code;
    this.details = error.details ?? {};
  }
}

let user = localStorage.getItem("user") || "default";

export const userName = () => user;

export function setUser(name) {
  user = name.trim() || "default";
  localStorage.setItem("user", user);
}

async function ask(path, options = {}) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, { code: "unreachable", message: word("unreachable") });
  }
  if (answer.ok) return answer;
  const body = await answer.json().catch(() => ({}));
  throw new ApiError(answer.status, body.error ?? { code: "unknown", message: `HTTP ${answer.status}` });
}

const asked = (path) => `${path}${path.includes("?") ? "&" : "?"}user_name=${encodeURIComponent(user)}`;
const json = async (path, options) => {
  const answer = await ask(asked(path), options);
  return answer.status === 204 ? null : answer.json();
};
const sent = (method, body) => ({ method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

export const listSessions = () => json("/api/sessions?limit=50");
export const getSession = (id) => json(`/api/sessions/${encodeURIComponent(id)}`);
export const getMessages = (id) => json(`/api/sessions/${encodeURIComponent(id)}/messages`);
export const renameSession = (id, title) => json(`/api/sessions/${encodeURIComponent(id)}`, sent("PATCH", { title }));
export const deleteSession = (id) => json(`/api/sessions/${encodeURIComponent(id)}`, { method: "DELETE" });
export const getUsage = () => json("/api/usage/today");
export const getAgents = () => json("/api/agents");
export const getHealth = () => json("/health");
export const cancelRun = (id) => json(`/api/runs/${encodeURIComponent(id)}/cancel`, { method: "POST" });

let operatorToken = "";

/** What makes an operator known to a server that asks for it; never stored. */
export function setOperatorToken(token) { operatorToken = token.trim(); }

export const hasOperatorToken = () => operatorToken !== "";

const byOperator = (options = {}) => (operatorToken ? { ...options, headers: { ...options.headers, Authorization: `Bearer ${operatorToken}` } } : options);

export const listApprovals = () => json("/api/approvals", byOperator());
export const listReviews = (before = "") => json(`/api/reviews?limit=50${before && `&before=${encodeURIComponent(before)}`}`, byOperator());
export const decideReview = (id, verdict) => json(`/api/reviews/${encodeURIComponent(id)}`, byOperator(sent("POST", verdict)));
export const decideApproval = (item, decision) => json("/api/approvals", byOperator(sent("POST", { session_id: item.session_id, user_name: item.user_name, decided_by: user, decisions: [decision] })));

/** Address of a file of the session; `path` is virtual, as frames carry it. */
export function fileAddress(session, path) {
  const inside = path.replace(/^\/workspace\//, "").split("/").map(encodeURIComponent).join("/");
  return asked(`/api/sessions/${encodeURIComponent(session)}/files/${inside}`);
}

export const getFile = async (session, path) => (await ask(fileAddress(session, path))).json();

/** The uploads of a session, `id` by content as in a review's `inputs`. */
export const listDocuments = async (session) => (await json(`/api/documents?session_id=${encodeURIComponent(session)}`)).items;

/** A page of a document as a picture with boxes [x0, top, x1, bottom] framed, and its pixels for a point. */
export async function getPage(session, id, number, boxes, signal) {
  const query = new URLSearchParams([["session_id", session], ...boxes.map((box) => ["highlight", box.join(",")])]);
  const answer = await ask(asked(`/api/documents/${encodeURIComponent(id)}/pages/${number}.png?${query}`), { signal });
  return { blob: await answer.blob(), scale: Number(answer.headers.get("X-Picture-Scale")) };
}

/** Send a message; the answer is the stream. */
export function chat({ message, session, files, signal }) {
  const form = new FormData();
  form.set("message", message);
  form.set("user_name", user);
  if (session) form.set("session_id", session);
  for (const file of files) form.append("files", file, file.name);
  return ask("/api/chat", { method: "POST", body: form, signal });
}

export const resume = (session, decisions, signal) => ask("/api/chat/resume", { ...sent("POST", { session_id: session, user_name: user, decisions }), signal });
export const follow = (run, after, signal) => ask(asked(`/api/runs/${encodeURIComponent(run)}/events?after=${after}`), { signal });
