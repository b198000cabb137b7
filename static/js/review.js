// The review above the conversation: verdict first, then what is short or doubtful, then every place.
import { make } from "./dom.js";
import { chips } from "./evidence.js";
import { hasWord, word } from "./i18n.js";
import { comparisonEntries, figure, findingEntries, locate, nameOf, said } from "./trail.js";

const ORDER = ["serious", "shortage", "not_judged", "watch", "excess", "ok"];
const SEVERITIES = ["blocking", "error", "warning", "manual"];

const tag = (kind, key) => make("span", { class: `tag ${kind}` }, hasWord(key) ? word(key) : kind);

function verdict(review) {
  const counts = review.summary?.by_verdict ?? {};
  const short = (counts.serious ?? 0) + (counts.shortage ?? 0);
  const manual = review.findings.filter((finding) => finding.severity === "manual").length;
  const kind = review.summary?.verdict;
  if (short) return ["bad", word("verdict_short", { n: short })];
  if (kind === "blocked") return ["bad", word("verdict_blocked")];
  if (kind === "manual") return ["doubt", word("verdict_manual")];
  if (kind === "conclusive_with_errors") return ["bad", word("verdict_errors", { n: review.findings.filter((finding) => finding.severity === "error").length })];
  const warnings = review.findings.filter((finding) => finding.severity === "warning").length;
  if (warnings || manual) return ["doubt", word("verdict_warnings", { n: warnings, m: manual })];
  if (!review.report) return ["doubt", word("verdict_plan_only")];
  if (counts.not_judged) return ["doubt", word("verdict_unjudged", { n: counts.not_judged })];
  return ["good", word("verdict_good")];
}

function figures(review) {
  const report = review.report ?? {};
  const rows = [["required_total", review.plan.mine_total?.stated], ["total_intake", report.total_intake_m3_min], ["total_return", report.total_return_m3_min],
    ["places", review.plan.places.length], ["readings", report.readings?.length]];
  return make("dl", { class: "figures" }, ...rows.map(([key, value]) => make("div", {}, make("dt", {}, word(key)), make("dd", { "data-figure": key }, figure(value)))));
}

function findingsTable(review, open, show) {
  const trail = [];
  const rows = review.findings.filter((finding) => open || SEVERITIES.includes(finding.severity))
    .sort((a, b) => SEVERITIES.concat("note").indexOf(a.severity) - SEVERITIES.concat("note").indexOf(b.severity));
  if (!rows.length) return make("p", { class: "hint" }, word("no_findings"));
  const head = ["severity", "subject", "problem", "evidence"].map((key) => make("th", { scope: "col" }, word(key)));
  return make("div", { class: "scroll", tabindex: 0 }, make("table", { class: "findings" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows.map((finding) =>
    make("tr", { "data-kind": finding.kind }, make("td", {}, tag(finding.severity, `severity_${finding.severity}`)), make("td", {}, nameOf(finding)),
      make("td", {}, said(finding, "message")), make("td", { class: "locator" }, ...chips(trail, findingEntries(review, finding), show)))))));
}

/** A compared subject's name opens its evidence too: on a narrow page there is no room for the column of chips. */
function comparisonRow(review, row, name, value, trail, show) {
  const entries = comparisonEntries(review, row, name);
  const start = trail.length;
  const shown = entries.length ? make("button", { type: "button", class: "link", onclick: (event) => show(trail, start, event.currentTarget) }, name) : name;
  return make("tr", { "data-verdict": row.verdict },
    make("td", {}, shown), make("td", { class: "num" }, figure(row.required)), make("td", { class: "num optional" }, figure(row.planned)),
    make("td", { class: "num" }, figure(value)), make("td", { class: "num" }, figure(row.margin_m3_min)), make("td", { class: "num optional" }, row.ratio == null ? "—" : Number(row.ratio).toFixed(3)),
    make("td", {}, tag(row.verdict, `verdict_of_${row.verdict}`), row.reason ? make("div", { class: "locator" }, said(row, "reason")) : null),
    make("td", { class: "locator optional" }, ...chips(trail, entries, show)));
}

function comparisonsTable(review, all, show) {
  const trail = [];
  const basis = review.report ? "measured_required" : "plan_required";
  const names = new Map([...review.plan.places, ...review.plan.systems].map((item) => [item.id, item.name]));
  const value = (row) => (basis === "measured_required" ? row.measured : row.planned);
  const rows = review.comparisons.filter((row) => row.basis === basis && (all || row.verdict !== "ok"))
    .sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict) || (a.ratio ?? 9) - (b.ratio ?? 9));
  if (!rows.length) return make("p", { class: "hint" }, word("no_shortage"));
  const heads = [["place"], ["required", "num"], ["planned", "num optional"], [basis === "measured_required" ? "measured" : "planned_again", "num"], ["margin", "num"], ["ratio", "num optional"], ["verdict"], ["evidence", "optional"]];
  return make("div", { class: "scroll", tabindex: 0 }, make("table", { class: "comparisons" },
    make("thead", {}, make("tr", {}, ...heads.map(([key, kind]) => make("th", { scope: "col", class: kind }, word(key))))),
    make("tbody", {}, ...rows.map((row) => comparisonRow(review, row, names.get(row.subject) ?? nameOf(row), value(row), trail, show)))));
}

/** Draw `review` into `node`; `downloads` are [{name, href}] of the report in its formats, `show(trail, at, opener)` opens evidence. */
export function drawReview(node, review, downloads, show) {
  const [kind, text] = verdict(review);
  const window = review.report?.window?.text || review.plan.period?.text || "";
  const places = make("div", {});
  const problems = make("div", {});
  let all = false;
  const toggle = make("button", { type: "button", onclick: () => { all = !all; draw(); } });
  const draw = () => {
    toggle.replaceChildren(word(all ? "show_short" : "show_all"));
    toggle.setAttribute("aria-pressed", String(all));
    problems.replaceChildren(findingsTable(review, all, show));
    places.replaceChildren(comparisonsTable(review, all, show));
  };
  draw();
  node.replaceChildren(
    make("div", { class: "head" }, make("h2", {}, word("review_of", { mine: review.plan.mine ?? "" })), make("span", { class: `verdict ${kind}`, "data-verdict": kind }, text), toggle),
    make("p", { class: "hint" }, review.inputs.map((input) => input.pages ? word("file_pages", { file: input.file, n: input.pages }) : input.file).join(" · "), window ? ` · ${window}` : "", review.alignment ? ` · ${word(`alignment_${review.alignment.status}`)} ${said(review.alignment, "reason")}` : ""),
    figures(review),
    make("h3", {}, word("findings")), problems,
    make("h3", {}, word(review.report ? "comparison" : "comparison_plan")), places,
    make("div", { class: "row downloads" }, ...downloads.map((file) => make("a", { class: file.name.endsWith(".docx") ? "button primary" : "button", href: file.href, download: file.name }, word("download", { name: file.name })))),
    make("p", { class: "hint" }, word("out_of_scope")));
  node.hidden = false;
}
