// The page's texts, in the language this phone has chosen.
const KEY = "hush-language";
let words = {};
let names = {};

export function language() {
  const kept = localStorage.getItem(KEY);
  if (kept) return kept;
  const own = (navigator.language || "en").slice(0, 2);
  return ["en", "nl", "es", "pl"].includes(own) ? own : "en";
}

export const languages = () => names;

export async function load() {
  const answer = await fetch(`/api/v1/words?language=${language()}`);
  if (answer.status === 401) location.reload();
  const said = await answer.json();
  words = said.words;
  names = said.languages;
  document.documentElement.lang = said.language;
}

export async function choose(chosen) {
  localStorage.setItem(KEY, chosen);
  await load();
}

export function t(key, values = {}) {
  const text = words[key];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}
