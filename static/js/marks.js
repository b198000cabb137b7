// Marks what guards point at, inside drawn Markdown: spans count code points of the source, so both ends travel through the
// renderer as signs that no text may hold, and are turned into elements afterwards.
import { make } from "./dom.js";
import { word } from "./i18n.js";
import { renderMarkdown } from "./md.js";

/** Verdicts that leave something in the text to look at; each names its words and has a sign of its own. */
export const MARKED = ["blocked", "corrected", "unverified", "annotated"];
const TAGGED = new Set(["annotated"]); // of the others the text itself speaks
const OPEN = ["\ufdd0", "\ufdd1", "\ufdd2", "\ufdd3"];
const CLOSE = "\ufdd4";
const SIGNS = /[\ufdd0-\ufdd4]/g;
// A sign in front of a list's, a heading's or a quote's own would take away its meaning.
const BLOCK_START = /^\s*(?:(?:[-*+>]|#{1,6}|\d{1,9}[.)])\s+)*/;

/** Draw `text` into `node`; `marks` are [{start, end, verdict}] in code points. A place that the text does not have is left out. */
export function drawMarked(node, text, marks) {
  const points = [...text.replace(SIGNS, "\ufffd")];
  const signs = new Map();
  let until = 0;
  for (const { start, end, verdict } of [...marks].sort((a, b) => a.start - b.start)) {
    if (start < until || end <= start || end > points.length) continue;
    const isLineStart = start === 0 || points[start - 1] === "\n";
    const from = isLineStart ? start + BLOCK_START.exec(points.slice(start, end).join(""))[0].length : start;
    signs.set(from, (signs.get(from) ?? "") + OPEN[MARKED.indexOf(verdict)]);
    signs.set(end, CLOSE);
    until = end;
  }
  renderMarkdown(node, [...points, ""].map((point, at) => (signs.get(at) ?? "") + point).join(""));
  // The target of a link is an attribute: nothing in it can be marked.
  for (const link of node.querySelectorAll("a")) link.setAttribute("href", link.getAttribute("href").replace(SIGNS, ""));
  wrap(node);
}

function wrap(node) {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  let verdict = null;
  for (const text of texts) {
    const nodes = text.data.split(/([\ufdd0-\ufdd4])/).map((part) => {
      if (OPEN.includes(part)) verdict = MARKED[OPEN.indexOf(part)];
      else if (part === CLOSE) {
        const ended = verdict;
        verdict = null;
        return TAGGED.has(ended) ? make("span", { class: "guard-tag" }, word(`mark_${ended}`)) : null;
      } else if (part) return verdict ? make("mark", { class: verdict, title: word(`guard_${verdict}`) }, part) : part;
      return null;
    });
    text.replaceWith(...nodes.filter(Boolean));
  }
}

/** One line: how many places were corrected or are not borne out; empty if none. */
export function guardNote(marks) {
  return MARKED.map((verdict) => [verdict, marks.filter((mark) => mark.verdict === verdict).length])
    .filter(([, count]) => count).map(([verdict, count]) => word(`note_${verdict}`, { n: count })).join(" ");
}
