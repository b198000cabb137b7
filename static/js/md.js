// Markdown to DOM nodes. Own, because conforming libraries read 60*11.3*1.0 as italics and lose multiplication signs, and
// leave Chinese bold before punctuation unbolded. Builds nodes only; no HTML, no images, links by an allow list.
import { make } from "./dom.js";

const SAFE_LINK = /^(https?:\/\/|mailto:|\/(?![/\\])|#)/i;
// Emphasis opens after a non-word character and closes before one, so a * between digits or letters is a sign.
const INLINE = /(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)|\*\*(\S(?:[\s\S]*?\S)?)\*\*|(?<![\w*.)])\*(?=[^\s*\d])([^*\n]*?[^\s*])\*(?![\w*])|\[([^\]\n]+)\]\(([^)\s]+)\)|~~(\S(?:[\s\S]*?\S)?)~~/;

function inline(text) {
  const nodes = [];
  let rest = text;
  for (let hit = INLINE.exec(rest); hit; hit = INLINE.exec(rest)) {
    if (hit.index) nodes.push(document.createTextNode(rest.slice(0, hit.index)));
    const [all, , code, bold, italic, label, link, gone] = hit;
    if (code !== undefined) nodes.push(make("code", {}, code));
    else if (bold !== undefined) nodes.push(make("strong", {}, ...inline(bold)));
    else if (italic !== undefined) nodes.push(make("em", {}, ...inline(italic)));
    else if (gone !== undefined) nodes.push(make("del", {}, ...inline(gone)));
    else if (SAFE_LINK.test(link)) nodes.push(make("a", { href: link, rel: "noopener noreferrer", target: link.startsWith("http") ? "_blank" : null }, ...inline(label)));
    else nodes.push(document.createTextNode(all));
    rest = rest.slice(hit.index + all.length);
  }
  if (rest) nodes.push(document.createTextNode(rest));
  return nodes;
}

const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const ITEM = /^(\s*)(?:([-*+])|(\d{1,9})[.)])\s+(.*)$/;
const RULE = /^\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;
const FENCE = /^\s*(```+|~~~+)\s*([\w+-]*)\s*$/;

const cellsOf = (line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, "|"));
const paragraph = (lines) => {
  const children = [];
  lines.forEach((line, at) => { if (at) children.push(make("br")); children.push(...inline(line)); });
  return make("p", {}, ...children);
};

function list(lines) {
  const root = { depth: -1, node: null, last: null };
  const stack = [root];
  const tops = [];
  for (const line of lines) {
    const hit = ITEM.exec(line);
    if (!hit) { stack.at(-1).last.append(make("br"), ...inline(line.trim())); continue; }
    const [, space, , number, text] = hit;
    while (stack.length > 1 && stack.at(-1).depth > space.length) stack.pop();
    const kind = number === undefined ? "UL" : "OL";
    if (stack.at(-1).depth < space.length || stack.at(-1).node.nodeName !== kind) {
      if (stack.at(-1).depth === space.length) stack.pop();
      const node = make(kind.toLowerCase(), kind === "OL" && number !== "1" ? { start: number } : {});
      const parent = stack.at(-1).last;
      if (parent) parent.append(node); else tops.push(node);
      stack.push({ depth: space.length, node, last: null });
    }
    stack.at(-1).last = make("li", {}, ...inline(text));
    stack.at(-1).node.append(stack.at(-1).last);
  }
  return tops;
}

function table(lines) {
  const heads = cellsOf(lines[0]);
  const row = (tag, cells) => make("tr", {}, ...heads.map((_, at) => make(tag, {}, ...inline(cells[at] ?? ""))));
  return make("table", {}, make("thead", {}, row("th", heads)), make("tbody", {}, ...lines.slice(2).map((line) => row("td", cellsOf(line)))));
}

/** The nodes of one chunk: the text between two blank lines, or a fenced block. */
function chunkNodes(source) {
  const lines = source.split("\n");
  const fence = FENCE.exec(lines[0] ?? "");
  if (fence) {
    const end = lines.length > 1 && lines.at(-1).trim() === fence[1] ? -1 : undefined;
    return [make("pre", {}, make("code", { "data-language": fence[2] || null }, lines.slice(1, end).join("\n")))];
  }
  const nodes = [];
  for (let at = 0; at < lines.length;) {
    const take = (test) => { const from = at; while (at < lines.length && test(lines[at], at - from)) at += 1; return lines.slice(from, at); };
    const heading = HEADING.exec(lines[at]);
    if (!lines[at].trim()) at += 1;
    else if (heading) { nodes.push(make(`h${Math.min(6, heading[1].length + 2)}`, {}, ...inline(heading[2]))); at += 1; }
    else if (RULE.test(lines[at])) { nodes.push(make("hr")); at += 1; }
    else if (ITEM.test(lines[at])) nodes.push(...list(take((line, n) => n === 0 || ITEM.test(line) || /^\s/.test(line))));
    else if (/^\s*>/.test(lines[at])) nodes.push(make("blockquote", {}, paragraph(take((line) => /^\s*>/.test(line)).map((line) => line.replace(/^\s*>\s?/, "")))));
    else if (lines[at].includes("|") && TABLE_RULE.test(lines[at + 1] ?? "")) nodes.push(table(take((line) => line.includes("|"))));
    else nodes.push(paragraph(take((line, n) => n === 0 || !(HEADING.test(line) || RULE.test(line) || ITEM.test(line) || /^\s*>/.test(line)))));
  }
  return nodes;
}

/** Renders a growing text; finished chunks are never touched again, so n pieces cost O(n). */
export class MarkdownStream {
  constructor(node) {
    this.node = node;
    this.tail = "";
    this.open = null;
    this.waiting = false;
  }

  append(text) {
    this.tail += text;
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => this.flush());
  }

  /** Draw what has arrived; called by itself once a frame, and by the owner at the end. */
  flush() {
    this.waiting = false;
    for (let cut = this.boundary(); cut >= 0; cut = this.boundary()) {
      const chunk = this.tail.slice(0, cut);
      this.tail = this.tail.slice(cut).replace(/^\n+/, "");
      if (chunk.trim()) this.draw(chunk);
      this.open = null;
    }
    if (this.tail.trim()) this.draw(this.tail);
  }

  draw(source) {
    if (!this.open) { this.open = make("div", { class: "chunk" }); this.node.append(this.open); }
    this.open.replaceChildren(...chunkNodes(source.replace(/\n+$/, "")));
  }

  /** Where the first chunk of the tail ends for certain, or -1. */
  boundary() {
    const first = /^\n+/.exec(this.tail);
    if (first) this.tail = this.tail.slice(first[0].length);
    const fence = FENCE.exec(this.tail.split("\n", 1)[0]);
    if (fence && this.tail.includes("\n")) {
      const close = new RegExp(`\\n\\s*${fence[1]}[ \\t]*\\n`).exec(this.tail);
      return close ? close.index + close[0].length - 1 : -1;
    }
    const blank = /\n[ \t]*\n/.exec(this.tail);
    const opening = /\n[ \t]*(```|~~~)/.exec(this.tail);
    if (opening && (!blank || opening.index < blank.index)) return opening.index + 1;
    return blank ? blank.index + 1 : -1;
  }
}

/** Render a whole text into `node`. */
export function renderMarkdown(node, text) {
  node.replaceChildren();
  const stream = new MarkdownStream(node);
  stream.tail = text;
  stream.flush();
}
