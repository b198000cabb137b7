// The drawer beside the review: one place of a document at a time, with its page and what follows from it.
import * as api from "./api.js";
import { make } from "./dom.js";
import { hasWord, word } from "./i18n.js";
import { locate } from "./trail.js";

const OVERLAY = "(max-width: 1100px)";
const LINGER_MS = 150; // who walks on with the arrows passes pages that nobody needs to draw
const PHONE = "(max-width: 700px)"; // a whole page as narrow as this cannot be read

/** Buttons for the places of one row: the first by its name, the rest by their number. */
export function chips(trail, entries, show) {
  if (!entries.length) return ["—"];
  const start = trail.length;
  trail.push(...entries);
  const chip = (at, text) => make("button", { type: "button", class: "chip", onclick: (event) => show(trail, at, event.currentTarget) }, text);
  return [chip(start, locate(entries[0].at)), entries.length > 1 ? chip(start + 1, word("more_evidence", { n: entries.length - 1 })) : null];
}

export class EvidenceDrawer {
  /** `node` is the drawer's element, `shade` lies over the page while the drawer covers it. */
  constructor(node, shade) {
    this.node = node;
    this.shade = shade;
    this.narrow = matchMedia(OVERLAY);
    this.narrow.addEventListener("change", () => this.cover());
    shade.addEventListener("click", () => this.close());
    document.addEventListener("keydown", (event) => this.press(event));
    this.source = null; // {session, inputs, documents}
    this.leave();
  }

  /** Whose documents are shown from now on. */
  use(session, review) {
    this.source = { session, inputs: review.inputs, documents: api.listDocuments(session).catch(() => []) };
  }

  /** Show entry `at` of a trail; `opener` gets the focus back. */
  open(trail, at, opener) {
    Object.assign(this, { trail, at, opener, large: matchMedia(PHONE).matches });
    this.build();
    this.node.hidden = false;
    this.cover();
    this.draw();
    this.title.focus();
  }

  /** Closed by the user, who goes on where the drawer was opened. */
  close() {
    const { opener } = this;
    this.leave();
    (opener?.isConnected ? opener : document.querySelector("main")).focus();
  }

  /** Closed because something else is shown now; the focus stays where it is. */
  leave() {
    this.abort?.abort();
    this.forget();
    Object.assign(this, { trail: [], at: 0, opener: null });
    this.node.hidden = true;
    this.cover();
    this.node.replaceChildren();
  }

  /** Over a narrow page the drawer is a dialog, and what lies below cannot be reached. */
  cover() {
    const covers = !this.node.hidden && this.narrow.matches;
    this.shade.hidden = !covers;
    this.node.setAttribute("role", covers ? "dialog" : "complementary");
    if (covers) this.node.setAttribute("aria-modal", "true");
    else this.node.removeAttribute("aria-modal");
    for (const other of document.querySelectorAll(".top, #sidebar, main")) other.inert = covers;
  }

  press(event) {
    if (this.node.hidden || event.defaultPrevented || event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    // Elsewhere the arrows belong to what has the focus: a text, a table that scrolls.
    const isHere = this.node.contains(event.target) || event.target.matches("body, main");
    if (event.key === "Escape") this.close();
    else if (isHere && event.key === "ArrowLeft") this.move(-1);
    else if (isHere && event.key === "ArrowRight") this.move(1);
    else return;
    event.preventDefault();
  }

  move(by) {
    const next = this.at + by;
    if (next < 0 || next >= this.trail.length) return;
    this.at = next;
    this.draw();
  }

  build() {
    this.title = make("h2", { id: "evidence-title", tabindex: -1, "aria-live": "polite" });
    this.body = make("div", { class: "body" });
    this.before = make("button", { type: "button", onclick: () => this.move(-1) }, word("evidence_before"));
    this.after = make("button", { type: "button", onclick: () => this.move(1) }, word("evidence_after"));
    this.count = make("span", { class: "count" });
    this.original = make("a", { class: "button", hidden: true }, word("original"));
    this.node.replaceChildren(
      make("header", {}, this.title, make("button", { type: "button", class: "icon", "aria-label": word("close"), title: word("close"), onclick: () => this.close() }, "×")),
      this.body, make("footer", {}, this.before, this.count, this.after, this.original));
  }

  draw() {
    const entry = this.trail[this.at];
    this.abort?.abort();
    this.abort = new AbortController();
    this.forget();
    this.title.replaceChildren(locate(entry.at));
    this.count.replaceChildren(`${this.at + 1} / ${this.trail.length}`);
    // Not disabled: a button that loses the focus under the finger loses the keys with it.
    this.before.setAttribute("aria-disabled", String(this.at === 0));
    this.after.setAttribute("aria-disabled", String(this.at === this.trail.length - 1));
    this.body.replaceChildren(
      make("p", { class: "subject" }, make("b", {}, entry.subject), entry.message ? make("span", {}, entry.message) : null),
      make("figure", {}, make("figcaption", {}, word("as_printed")), entry.at.quote ? make("blockquote", {}, entry.at.quote) : make("p", { class: "problem" }, word("unproven"))),
      this.place(entry.at),
      make("dl", { class: "facts" }, ...entry.facts().flatMap(([name, text, mark]) => [make("dt", {}, name), make("dd", { class: mark || null }, text)])));
    this.body.scrollTop = 0;
    this.offerOriginal(entry.at, this.abort.signal);
  }

  /** The one input of that name; two of one name are told apart by nobody, and then no page is shown as the cited one. */
  document(at) {
    const named = (this.source?.inputs ?? []).filter((input) => input.file === at.file);
    return named.length === 1 ? named[0].sha256 : null;
  }

  place(at) {
    const id = this.document(at);
    if (!id || !at.page || !/\.pdf$/i.test(at.file)) return make("p", { class: "locator" }, locate(at, true));
    const sheet = make("div", { class: "sheet", tabindex: 0, "aria-label": word("page_picture", { file: at.file, n: at.page }) }, make("p", { class: "hint" }, word("page_loading", { n: at.page })));
    const zoom = make("button", { type: "button", class: "quiet zoom", hidden: true, onclick: () => this.zoom(sheet, zoom, at) });
    this.load(sheet, zoom, id, at, this.abort.signal);
    return make("div", { class: "page" }, sheet, zoom);
  }

  async load(sheet, zoom, id, at, signal) {
    try {
      await new Promise((resolve) => { setTimeout(resolve, LINGER_MS); });
      if (signal.aborted) return;
      const { blob, scale } = await api.getPage(this.source.session, id, at.page, at.bbox ? [at.bbox] : [], signal);
      if (signal.aborted) return;
      this.address = URL.createObjectURL(blob);
      const image = make("img", { src: this.address, alt: word("page_picture_of", { file: at.file, n: at.page, quote: at.quote }) });
      await image.decode();
      if (signal.aborted) return;
      this.scale = scale;
      sheet.replaceChildren(image);
      zoom.hidden = false;
      this.show(sheet, zoom, at);
    } catch (error) {
      if (signal.aborted) return;
      const known = `error_${error.code}`;
      sheet.replaceChildren(make("p", { class: "problem" }, hasWord(known) ? word(known) : error.message));
    }
  }

  zoom(sheet, zoom, at) {
    this.large = !this.large;
    this.show(sheet, zoom, at);
  }

  /** Bring the framed place to the middle of what is seen of the page. */
  show(sheet, zoom, at) {
    const image = sheet.firstElementChild;
    sheet.classList.toggle("large", this.large);
    zoom.replaceChildren(word(this.large ? "fit_width" : "enlarge"));
    if (!at.bbox) return;
    const ratio = (image.clientWidth / image.naturalWidth) * this.scale;
    const [x0, top, x1, bottom] = at.bbox;
    sheet.scrollTo({ left: ((x0 + x1) / 2) * ratio - sheet.clientWidth / 2, top: ((top + bottom) / 2) * ratio - sheet.clientHeight / 2 });
  }

  async offerOriginal(at, signal) {
    this.original.hidden = true;
    const id = this.document(at);
    const found = (await this.source?.documents)?.find((item) => item.id === id);
    if (signal.aborted || !found) return;
    this.original.href = api.fileAddress(this.source.session, found.path);
    this.original.download = found.name;
    this.original.hidden = false;
  }

  forget() {
    if (this.address) URL.revokeObjectURL(this.address);
    this.address = null;
  }
}
