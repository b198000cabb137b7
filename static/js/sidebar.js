import * as api from "./api.js";
import { make } from "./dom.js";
import { word } from "./i18n.js";

/** The list of sessions. `open(id)` shows one, `gone(id)` is told after a deletion. */
export class Sidebar {
  constructor({ open, gone, problem }) {
    this.open = open;
    this.gone = gone;
    this.problem = problem;
    this.list = document.getElementById("sessions");
    this.current = null;
  }

  async refresh() {
    try {
      const { items } = await api.listSessions();
      this.list.replaceChildren(...items.map((session) => this.row(session)));
    } catch (error) {
      this.problem(error.message);
    }
  }

  row(session) {
    return make("li", { "data-session": session.session_id, "aria-current": session.session_id === this.current ? "page" : null },
      make("button", { type: "button", class: "open", title: session.title, onclick: () => this.open(session.session_id) }, session.title || word("untitled")),
      make("button", { type: "button", class: "more", "aria-label": word("rename_session", { title: session.title }), onclick: () => this.rename(session) }, "✎"),
      make("button", { type: "button", class: "more", "aria-label": word("delete_session", { title: session.title }), onclick: () => this.remove(session) }, "×"));
  }

  mark(id) {
    this.current = id;
    for (const row of this.list.children) {
      if (row.dataset.session === id) row.setAttribute("aria-current", "page"); else row.removeAttribute("aria-current");
    }
  }

  async rename(session) {
    const title = window.prompt(word("new_title"), session.title);
    if (!title?.trim()) return;
    await api.renameSession(session.session_id, title.trim()).catch((error) => this.problem(error.message));
    await this.refresh();
  }

  async remove(session) {
    if (!window.confirm(word("delete_sure", { title: session.title }))) return;
    await api.deleteSession(session.session_id).then(() => this.gone(session.session_id), (error) => this.problem(error.message));
    await this.refresh();
  }
}
