// The page's texts, in the language this phone has chosen.
import { within } from "./dom.js";

const KEY = "hush-language";
const KEPT = "hush-words";
let words = {};
let names = {};

export function language() {
  const kept = localStorage.getItem(KEY);
  if (kept) return kept;
  const own = (navigator.language || "en").slice(0, 2);
  return ["en", "nl", "es", "pl"].includes(own) ? own : "en";
}

export const languages = () => names;

function take(said) {
  words = said.words;
  names = said.languages;
  document.documentElement.lang = said.language;
}

// The texts of the last time, so that a page opened while the box is down can say so; whether there were any.
export function recall() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT));
    if (kept?.language !== language()) return false;
    take(kept);
    return true;
  } catch {
    return false;
  }
}

export async function load() {
  const answer = await fetch(`/api/v1/words?language=${language()}`, { signal: within(8000) });
  if (answer.status === 401) location.reload();
  if (!answer.ok) throw new Error(t("no_contact"));
  const said = await answer.json();
  take(said);
  localStorage.setItem(KEPT, JSON.stringify(said));
}

export async function choose(chosen) {
  localStorage.setItem(KEY, chosen);
  recall();
  await load();
}

export function t(key, values = {}) {
  const text = words[key];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}
