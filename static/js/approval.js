import { make } from "./dom.js";
import { language, word } from "./i18n.js";

const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

/** One pending action. `decide(decision)` sends it; afterwards the card is locked and says what was decided. */
export class ApprovalCard {
  constructor(interrupt, decide) {
    this.interrupt = interrupt;
    this.decide = decide;
    this.reason = make("textarea", { rows: 2, "aria-label": word("reject_reason"), placeholder: word("reject_reason"), hidden: true });
    this.edit = make("textarea", { rows: 6, "aria-label": word("edit_args"), hidden: true });
    this.edit.value = JSON.stringify(interrupt.args ?? {}, null, 2);
    this.problem = make("p", { class: "problem", hidden: true });
    const allowed = interrupt.allowed ?? ["approve", "reject"];
    this.buttons = [];
    const button = (name, kind, action) => {
      if (!allowed.includes(name)) return null;
      const node = make("button", { type: "button", class: kind, onclick: action }, word(name));
      this.buttons.push(node);
      return node;
    };
    this.heading = make("h3", { tabindex: -1 }, word("approval_needed", { title: interrupt.title || interrupt.name }));
    this.actions = make("div", { class: "row" },
      button("approve", "primary", () => this.send({ decision: "approve" })),
      button("edit", "", () => this.sendEdited()),
      button("reject", "danger", () => this.sendRejected()));
    this.node = make("section", { class: "approval", "data-id": interrupt.tool_call_id, "data-interrupt": interrupt.interrupt_id, onkeydown: (event) => this.key(event) },
      this.heading,
      make("dl", {}, ...Object.entries(interrupt.args ?? {}).flatMap(([name, value]) => [make("dt", {}, interrupt.schema?.properties?.[name]?.description ?? name), make("dd", {}, shown(value))]),
        ...(interrupt.reason ? [make("dt", {}, word("why")), make("dd", {}, interrupt.reason)] : []),
        ...(interrupt.expires_at ? [make("dt", {}, word("approval_until")), make("dd", {}, new Date(interrupt.expires_at).toLocaleString(language()))] : [])),
      this.edit, this.reason, this.problem, this.actions);
  }

  key(event) {
    if (event.target !== this.heading || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "a" || event.key === "A") this.send({ decision: "approve" });
    if (event.key === "r" || event.key === "R") this.sendRejected();
  }

  sendRejected() {
    if (this.reason.hidden) { this.reason.hidden = false; this.reason.focus(); return; }
    if (!this.reason.value.trim()) { this.say(word("reason_needed")); return; }
    this.send({ decision: "reject", reason: this.reason.value.trim() });
  }

  sendEdited() {
    if (this.edit.hidden) { this.edit.hidden = false; this.edit.focus(); return; }
    try {
      this.send({ decision: "edit", args: JSON.parse(this.edit.value) });
    } catch (error) {
      this.say(word("args_unreadable", { error: error.message }));
    }
  }

  say(text) {
    this.problem.hidden = false;
    this.problem.replaceChildren(text);
  }

  lock(locked) {
    for (const button of this.buttons) button.disabled = locked;
  }

  async send(decision) {
    this.lock(true);
    this.problem.hidden = true;
    try {
      await this.decide({ interrupt_id: this.interrupt.interrupt_id, args_digest: this.interrupt.args_digest, ...decision });
    } catch (error) {
      this.say(error.message);
      this.lock(false);
    }
  }

  /** Lock the card for good: approved, edited, rejected, or decided elsewhere. */
  settle(how) {
    this.node.classList.add("settled");
    this.node.dataset.decided = how;
    this.edit.hidden = this.reason.hidden = true;
    this.actions.replaceChildren(make("b", {}, word(`decided_${how}`)));
  }
}
