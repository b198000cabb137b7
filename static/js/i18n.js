// Words of the page. No other script holds a sentence: a test looks for Chinese characters in js/.
let words = {};
let current = "zh-CN";

export async function loadWords(language) {
  const answer = await fetch(`/static/i18n/${language === "en" ? "en" : "zh-CN"}.json`);
  words = await answer.json();
  current = language === "en" ? "en" : "zh-CN";
  document.documentElement.lang = current;
}

export const language = () => current;

/** The word for `key`; `{name}` is replaced from `values`. An unknown key shows itself, so that a hole is visible. */
export function word(key, values = {}) {
  const text = words[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

export const hasWord = (key) => key in words;

/** Fill every element that names its word in the markup. */
export function translate(root = document) {
  for (const node of root.querySelectorAll("[data-word]")) node.textContent = word(node.dataset.word);
  for (const node of root.querySelectorAll("[data-label]")) node.setAttribute("aria-label", word(node.dataset.label));
  for (const node of root.querySelectorAll("[data-hint]")) node.placeholder = word(node.dataset.hint);
  for (const node of root.querySelectorAll("[data-title]")) { node.title = word(node.dataset.title); node.setAttribute("aria-label", word(node.dataset.title)); }
  document.title = word("app_title");
}
