// The way to the box: its texts, requests with the state's number and a time limit, and the live stream that says when
// it's lost.
import { toast, within } from "./dom.js";

// Texts, in the language this phone has chosen

const KEY = "hush-language";
const KEPT = "hush-words";
let words = {};
let names = {};

// What this phone wants to read; a box that doesn't speak it answers in its own language.
export const language = () => localStorage.getItem(KEY) || (navigator.language || "en").slice(0, 2);

export const languages = () => names;

export function t(key, values = {}) {
  const text = words[key];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

function take(said) {
  words = said.words;
  names = said.languages;
  document.documentElement.lang = said.language;
}

// The texts of the last time, so that a page opened while the box is down can say so; whether there were any.
export function recall() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT));
    if (kept?.wanted !== language()) return false;
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
  store.map = said.table;
  localStorage.setItem(KEPT, JSON.stringify({ ...said, wanted: language(), table: null }));
}

export async function choose(chosen) {
  localStorage.setItem(KEY, chosen);
  recall();
  await load();
}

// What is known of the box

export const store = { shared: null, seat: null, seen: null, map: null, isLive: false, hasMissed: false };
const watchers = new Set();
export const watch = (watcher) => watchers.add(watcher);
const tell = (what, data) => watchers.forEach((watcher) => watcher(what, data));

// Milliseconds until a request is given up: a box that stands still must not keep anybody waiting without a word.
const USUAL_MS = 8000;
const SLOW_MS = 60000;
export const UPLOAD_MS = 180000;
const RELEASE_MS = 1800000;
const SLOW = /^\/(simulation|calibration|decks|games|statistics|seen|table)/;

function patience(path, kind) {
  if (kind === "application/x-hush-release") return RELEASE_MS;
  if (kind !== "application/json") return UPLOAD_MS;
  return SLOW.test(path) ? SLOW_MS : USUAL_MS;
}

export async function call(method, path, body, kind = "application/json") {
  const separator = path.includes("?") ? "&" : "?";
  let answer;
  let said;
  try {
    answer = await fetch(`/api/v1${path}${separator}language=${language()}`, {
      method,
      headers: body === undefined ? {} : { "content-type": kind },
      body: body === undefined || kind !== "application/json" ? body : JSON.stringify(body),
      signal: within(patience(path, kind)),
    });
    said = await answer.json();
  } catch {
    // No answer, none in time, or one that isn't the box's: the browser's own words are in no language of ours.
    if (method === "GET") store.hasMissed = true;
    throw new Error(t("no_contact"));
  }
  if (answer.status === 401) {
    location.reload();
    throw new Error(said.reason);
  }
  if (!answer.ok) throw Object.assign(new Error(said.reason), { code: said.code, status: answer.status });
  return said;
}

export const get = (path) => call("GET", path);

// Does something and says what went wrong; whether it was done.
export async function attempt(method, path, body, kind) {
  try {
    return await call(method, path, body, kind);
  } catch (error) {
    toast(error.message, true);
    return null;
  }
}

export const undo = () => attempt("POST", "/undo", { number: store.shared.number });
export const redo = () => attempt("POST", "/redo", { number: store.shared.number });
export const goOn = (number) => attempt("POST", `/games/${number}/resume`, { instead_of: store.shared ? store.shared.game_id : null });

// Presses go one after the other, in the order of the fingers; each names what was on show when it was made.
let pressed = Promise.resolve();
export function press(button, isHeld = false) {
  const moment = store.shared ? store.shared.moment : 0;
  pressed = pressed.then(() => attempt("POST", "/press", { button, is_held: isHeld, moment }));
  return pressed;
}

// The running game's table with all its cards; another game's is asked for once.
// While its cards are still being drawn it's there without their pictures, and asked for again.
const DRAWING_MS = 3000;
let isMapping = false;
export function mapped() {
  const said = store.shared;
  if (!said?.game) return null;
  const isOf = store.map && store.map.game_id === said.game_id && store.map.game === said.game;
  if ((!isOf || !store.map.is_drawn) && !isMapping) {
    isMapping = true;
    setTimeout(() => get("/table").then((map) => { store.map = map; isMapping = false; tell("map", map); }, () => { isMapping = false; }), isOf ? DRAWING_MS : 0);
  }
  return isOf ? store.map : null;
}

// The live stream. The box says something at least every second and a half. After four without a word nothing here is
// live any more.
const SILENCE_MS = 4000;
const RECONNECT_MS = 1500;
let stream = null;
let heard = 0;
let asked = 0;

function hear(name, act) {
  stream.addEventListener(name, (message) => {
    heard = performance.now();
    live(true);
    act(message.data ? JSON.parse(message.data) : null);
  });
}

export function listen() {
  stream?.close();
  asked = performance.now();
  stream = new EventSource(`/api/v1/events?language=${language()}`);
  hear("ping", () => {});
  hear("state", (fresh) => {
    // An answer that overtook another on its way must not bring an old state back.
    if (store.shared && fresh.moment < store.shared.moment) return;
    if (fresh.game_id !== store.shared?.game_id) store.seen = null;
    store.shared = fresh;
    tell("state", fresh);
  });
  hear("seat", (said) => {
    store.seat = said;
    tell("seat", said);
  });
  hear("seen", (said) => {
    store.seen = said;
    tell("seen", said);
  });
  hear("scene", (said) => tell("scene", said));
  hear("flourish", (said) => tell("flourish", said));
  stream.onerror = () => live(false);
}

function live(isLive) {
  if (store.isLive === isLive) return;
  store.isLive = isLive;
  tell("live", isLive);
}

// One clock watches the stream, whatever became of it: silent, refused, closed, or asleep with the phone.
let isAsking = false;
async function watchdog() {
  if (!stream || isAsking || document.hidden) return;
  const now = performance.now();
  if (now - heard > SILENCE_MS) live(false);
  if (store.isLive || now - asked < (stream.readyState === EventSource.CLOSED ? RECONNECT_MS : SILENCE_MS)) return;
  isAsking = true;
  // Sent away, or the box is gone for a while: a plain request tells which.
  await get("/state").catch(() => null);
  isAsking = false;
  listen();
}
setInterval(watchdog, 500);
document.addEventListener("visibilitychange", watchdog);
