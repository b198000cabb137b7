// One answer of the agent, drawn from frames in the order they come. History is drawn by the same code from stored frames.
// The names of events and fields stand here once; a test holds them against api/sse_events.py.
import { ApprovalCard } from "./approval.js";
import { make } from "./dom.js";
import { word } from "./i18n.js";
import { MARKED, drawMarked, guardNote } from "./marks.js";
import { MarkdownStream } from "./md.js";
import { ToolCard } from "./tool_card.js";

const points = (text) => { let count = 0; for (const _ of text) count += 1; return count; };

export class Turn {
  /** `page`: {session, decide(decision), onFile(frame), onSession(frame), onUsage(frame)} */
  constructor(page) {
    this.page = page;
    this.node = make("article", { class: "bot" });
    this.cards = new Map();
    this.approvals = new Map();
    this.messages = new Map(); // message_id → {length, text, marks, isCorrected}
    this.notices = new Map(); // message_id of words to a person who is handed over → their frame on the page
    this.segment = null;
    this.seq = 0;
    this.run = null;
    this.done = null;
    this.files = null;
  }

  /** Take one frame; a repeated one changes nothing. */
  take(frame) {
    if (frame.run_id) this.run = frame.run_id;
    if (frame.seq) { if (frame.seq <= this.seq) return; this.seq = frame.seq; }
    const handler = this[`on_${frame.type}`];
    if (handler) handler.call(this, frame);
  }

  add(node) {
    this.endSegment();
    this.node.append(node);
  }

  endSegment() {
    if (this.segment) this.segment.flush();
    this.segment = null;
  }

  text(id, content) {
    if (!this.segment || this.segment.id !== id) {
      this.endSegment();
      this.segment = new MarkdownStream(this.addSegment(id));
      this.segment.id = id;
    }
    this.segment.append(content);
  }

  addSegment(id) {
    const node = make("div", { class: "seg", "data-message": id });
    (this.notices.get(id) ?? this.node).append(node);
    return node;
  }

  /** What is known of a message; made when it is first heard of. */
  message(id) {
    if (!this.messages.has(id)) this.messages.set(id, { length: 0, text: "", marks: [], isCorrected: false });
    return this.messages.get(id);
  }

  /** Draw a finished message anew where guards have something to say about it. */
  redraw(id) {
    const message = this.messages.get(id);
    if (!message || !(message.marks.length || message.isCorrected)) return;
    this.endSegment();
    const shown = [...this.node.querySelectorAll(".seg")].filter((node) => node.dataset.message === id);
    shown.slice(1).forEach((node) => node.remove());
    const node = shown[0] ?? this.addSegment(id);
    drawMarked(node, message.text, message.marks);
    if (message.isCorrected) node.prepend(make("p", { class: "locator" }, word("corrected")));
    const note = guardNote(message.marks);
    if (note) node.append(make("p", { class: "guard-note" }, note));
  }

  /** What guards did in this turn, in one line for the status; empty if nothing. */
  get guarded() { return guardNote([...this.messages.values()].flatMap((message) => message.marks)); }

  /** Say of a message under way that a part of it is not verified yet. */
  overdue(id) {
    if (this.message(id).isSettled || this.waitFor(id)) return;
    this.node.append(make("p", { class: "guard-note guard-wait", "data-for": id }, word("held_too_long")));
  }

  waitFor(id) { return this.node.querySelector(`.guard-wait[data-for="${CSS.escape(id)}"]`); }

  /** Say that a person takes over; `code` is the rule that asked for it. */
  handOver(code, ...words) {
    const node = make("section", { class: "handover", "data-code": code, role: code === "safety_incident" ? "alert" : null });
    this.add(node);
    // Into a node that is on the page already: only then do screen readers announce an alert.
    node.append(make("h3", {}, word("handed_over")), ...words);
    return node;
  }

  on_session(frame) { this.page.onSession?.(frame); }

  on_token(frame) {
    const message = this.message(frame.message_id);
    const offset = frame.offset ?? message.length;
    const fresh = offset < message.length ? [...frame.content].slice(message.length - offset).join("") : frame.content;
    message.length += points(fresh);
    message.text += fresh;
    if (fresh) this.text(frame.message_id, fresh);
  }

  on_message(frame) {
    const isNew = !this.messages.get(frame.message_id)?.length;
    this.settle(frame);
    if (isNew && frame.content) this.text(frame.message_id, frame.content);
    this.redraw(frame.message_id);
  }

  /** The words of a message are final. */
  settle(frame) {
    Object.assign(this.message(frame.message_id), { length: points(frame.content), text: frame.content, isSettled: true });
    this.waitFor(frame.message_id)?.remove();
  }

  on_reasoning(frame) {
    if (this.thinking?.dataset.message !== frame.message_id) {
      this.thinking = make("details", { class: "thinking", "data-message": frame.message_id }, make("summary", {}, word("thinking")), make("pre"));
      this.add(this.thinking);
    }
    this.thinking.lastChild.append(frame.content);
  }

  on_guard(frame) {
    if (frame.verdict === "escalated") this.notices.set(frame.message_id, this.handOver(frame.code));
    // Places are those of the message as it reads in the end; it is marked when that is known.
    // What went out before it was judged says so until its message is complete.
    if (frame.code === "held_too_long") this.overdue(frame.message_id);
    else if (MARKED.includes(frame.verdict)) this.message(frame.message_id).marks.push(...frame.spans.map(({ start, end }) => ({ start, end, verdict: frame.verdict })));
  }

  on_correction(frame) {
    this.settle(frame);
    this.message(frame.message_id).isCorrected = true;
    this.redraw(frame.message_id);
  }

  on_tool_call(frame) {
    if (this.cards.has(frame.tool_call_id)) return;
    const card = new ToolCard(frame);
    this.cards.set(frame.tool_call_id, card);
    this.add(card.node);
  }

  on_tool_result(frame) {
    if (!this.cards.has(frame.tool_call_id)) this.on_tool_call(frame);
    this.cards.get(frame.tool_call_id).finish(frame);
    const approval = this.approvals.get(frame.tool_call_id);
    if (approval && !approval.node.dataset.decided) approval.settle(frame.status === "denied" ? "reject" : frame.status === "cancelled" ? "elsewhere" : "approve");
  }

  on_interrupt(frame) {
    for (const interrupt of frame.interrupts) {
      const known = this.approvals.get(interrupt.tool_call_id);
      if (known && !known.node.dataset.decided) known.interrupt = interrupt; // asked again: the same call under another digest
      if (known) continue;
      const card = new ApprovalCard(interrupt, (decision) => this.page.decide(this, decision));
      this.approvals.set(interrupt.tool_call_id, card);
      this.cards.get(interrupt.tool_call_id)?.wait();
      this.add(card.node);
    }
  }

  /** Cards that still wait for a decision. */
  get waiting() { return [...this.approvals.values()].filter((card) => !card.node.dataset.decided); }

  on_todo(frame) {
    const list = make("ul", { class: "todo" }, ...frame.items.map((item) => make("li", { class: item.status }, item.content)));
    if (this.todo) this.todo.replaceWith(list); else this.add(list);
    this.todo = list;
  }

  on_file(frame) {
    if (!this.files) { this.files = make("ul", { class: "files", "aria-label": word("produced_files") }); this.add(this.files); }
    if ([...this.files.children].some((node) => node.dataset.path === frame.path)) return;
    this.files.append(make("li", { "data-path": frame.path }, make("a", { class: "button", href: this.page.address(frame.path), download: frame.name }, `↓ ${frame.name}`)));
    this.page.onFile?.(frame);
  }

  on_sources(frame) {
    if (!frame.items?.length) return;
    const place = (at = {}) => [at.file, at.page && word("page_n", { n: at.page }), at.row && word("row_n", { n: at.row }), at.clause].filter(Boolean).join(" ");
    const items = frame.items.map((item) => make("li", { title: place(item.locator) }, item.title || place(item.locator)));
    this.add(make("details", { class: "sources" }, make("summary", {}, word("sources", { n: items.length })), make("ul", {}, ...items)));
  }

  on_usage(frame) { this.page.onUsage?.(frame); }

  on_error(frame) {
    this.add(make("p", { class: "problem" }, [frame.message, frame.hint, frame.incident_id && word("incident", { id: frame.incident_id })].filter(Boolean).join("\n")));
  }

  on_done(frame) {
    this.endSegment();
    this.done = frame;
    for (const id of this.messages.keys()) this.redraw(id);
    if (frame.status === "escalated" && !this.notices.size) this.handOver(frame.stop_reason, make("p", {}, word("handed_over_answer")));
    else if (!["succeeded", "interrupted", "escalated"].includes(frame.status)) this.node.append(make("p", { class: "ending", "data-status": frame.status }, word(`done_${frame.status}`)));
  }
}
