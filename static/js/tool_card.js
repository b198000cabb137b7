import { make } from "./dom.js";
import { hasWord, word } from "./i18n.js";

/** One line of what a payload says: its summary sentence, else nothing. */
function brief(content) {
  try {
    const payload = JSON.parse(content);
    const text = payload.error ?? payload.data?.summary ?? payload.data?.message ?? "";
    return typeof text === "string" ? text : "";
  } catch {
    return "";
  }
}

function pretty(value) {
  if (typeof value !== "string") return JSON.stringify(value, null, 2);
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}

/** A folded card of one tool call; the result fills it by its id. */
export class ToolCard {
  constructor(call) {
    this.state = make("span", { class: "state" }, word("tool_running"));
    this.brief = make("span", { class: "brief" });
    this.body = make("pre", {}, `${word("tool_args")}\n${pretty(call.args ?? {})}`);
    this.node = make("details", { class: "tool", "data-id": call.tool_call_id, "data-name": call.name, "data-status": "running" },
      make("summary", {}, make("b", {}, call.title || call.name), this.brief, this.state), this.body);
  }

  /** The call waits for a person. */
  wait() {
    this.node.dataset.status = "waiting";
    this.state.replaceChildren(word("tool_waiting"));
  }

  finish(result) {
    this.node.dataset.status = result.status;
    const seconds = result.elapsed_ms == null ? "" : ` · ${(result.elapsed_ms / 1000).toFixed(1)} s`;
    const key = `tool_${result.status}`;
    this.state.replaceChildren(`${hasWord(key) ? word(key) : result.status}${seconds}`);
    this.brief.replaceChildren(brief(result.content));
    this.body.append(`\n\n${word("tool_result")}\n${pretty(result.content)}${result.truncated ? `\n${word("truncated")}` : ""}`);
    if (result.status === "error" || result.status === "timeout") this.node.open = true;
  }
}
