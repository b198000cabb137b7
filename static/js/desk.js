// The desk of operators: approvals that wait in any session, and what guards passed on to people.
import * as api from "./api.js";
import { ApprovalCard } from "./approval.js";
import { make } from "./dom.js";
import { hasWord, language, word } from "./i18n.js";

const VERDICTS = ["right", "wrong", "unsure"];
const moment = (text) => new Date(text).toLocaleString(language());
const facts = (...parts) => make("p", { class: "locator" }, parts.filter(Boolean).join(" · "));

export class Desk {
  /** `page`: {problem(text), leave()} */
  constructor(node, page) {
    this.node = node;
    this.page = page;
  }

  get isOpen() { return !this.node.hidden; }

  async open() {
    this.node.hidden = false;
    document.body.dataset.view = "desk";
    this.heading = make("h2", { tabindex: -1 }, word("desk"));
    this.approvals = make("section", { "aria-label": word("desk_approvals") });
    this.reviews = make("section", { "aria-label": word("desk_reviews") });
    this.node.replaceChildren(make("div", { class: "head" }, this.heading, make("button", { type: "button", onclick: () => this.page.leave() }, word("desk_leave"))));
    this.heading.focus();
    await this.load();
  }

  close() {
    this.node.hidden = true;
    this.node.replaceChildren();
    delete document.body.dataset.view;
  }

  async load() {
    let waiting;
    let open;
    try {
      [waiting, open] = await Promise.all([api.listApprovals(), api.listReviews()]);
    } catch (error) {
      if (error.code === "operator_only") this.askToken();
      this.page.problem(error.code !== "operator_only" ? error.message : api.hasOperatorToken() ? word("desk_token_wrong") : "");
      return;
    }
    this.page.problem("");
    this.approvals.replaceChildren(make("h3", {}, word("desk_approvals")), ...waiting.items.map((item) => this.approval(item)), waiting.items.length ? "" : word("desk_nothing"));
    this.reviews.replaceChildren(make("h3", {}, word("desk_reviews")), open.items.length ? "" : word("desk_nothing"));
    this.addReviews(open);
    this.node.append(this.approvals, this.reviews);
  }

  /** Elsewhere than on the server's own machine an operator is known by a word; it is kept until the page is left. */
  askToken() {
    const field = make("input", { type: "password", autocomplete: "off", "aria-label": word("desk_token") });
    const form = make("form", { class: "row", onsubmit: (event) => { event.preventDefault(); api.setOperatorToken(field.value); form.remove(); this.load(); } },
      make("label", {}, `${word("desk_token")} `, field), make("button", { type: "submit" }, word("desk_enter")));
    this.node.append(form);
  }

  approval(item) {
    const card = new ApprovalCard(item, async (decision) => {
      await api.decideApproval(item, decision);
      card.settle(decision.decision);
    });
    card.node.insertBefore(facts(item.agent, item.user_name, moment(item.run_created_at)), card.node.children[1]);
    return card.node;
  }

  addReviews(found) {
    this.more?.remove();
    this.more = found.next_before ? make("button", { type: "button", onclick: () => this.older(found.next_before) }, word("desk_older")) : null;
    this.reviews.append(...found.items.map((item) => this.review(item)), this.more ?? "");
  }

  async older(before) {
    try {
      this.addReviews(await api.listReviews(before));
    } catch (error) {
      this.page.problem(error.message);
    }
  }

  review(item) {
    const note = make("input", { maxlength: 2000, "aria-label": word("desk_note"), placeholder: word("desk_note") });
    const problem = make("p", { class: "problem", hidden: true });
    const kind = `desk_kind_${item.kind}`;
    const actions = make("div", { class: "row" }, note, ...VERDICTS.map((verdict) => make("button", { type: "button", onclick: () => decide(verdict) }, word(`desk_${verdict}`))));
    const lock = (locked) => { for (const child of actions.children) child.disabled = locked; };
    const decide = async (verdict) => {
      lock(true);
      problem.hidden = true;
      try {
        await api.decideReview(item.review_id, { verdict, note: note.value.trim(), decided_by: api.userName() });
        actions.replaceChildren(make("b", {}, word("desk_judged", { verdict: word(`desk_${verdict}`), who: api.userName() })));
      } catch (error) {
        problem.hidden = false;
        problem.replaceChildren(error.message);
        lock(false);
      }
    };
    return make("article", { class: "judged", "data-review": item.review_id },
      make("p", {}, make("span", { class: "tag warning" }, hasWord(kind) ? word(kind) : item.kind), ` ${item.rule}`),
      facts(item.agent, item.user_name, moment(item.created_at), word("desk_due", { when: moment(item.due_at) })),
      make("blockquote", {}, item.subject),
      item.signals?.shown ? make("p", {}, make("span", { class: "locator" }, word("desk_shown")), make("br"), item.signals.shown) : null,
      actions, problem);
  }
}
