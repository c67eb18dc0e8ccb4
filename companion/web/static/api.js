// The way to the box: requests with the state's number, and the live stream that catches up after sleep.
import { toast } from "./dom.js";
import { language, t } from "./words.js";

export const store = { shared: null, seat: null, seen: null, isLive: false };
const watchers = new Set();
export const watch = (watcher) => watchers.add(watcher);
const tell = (what, data) => watchers.forEach((watcher) => watcher(what, data));

export async function call(method, path, body, kind = "application/json") {
  const separator = path.includes("?") ? "&" : "?";
  const answer = await fetch(`/api/v1${path}${separator}language=${language()}`, {
    method,
    headers: body === undefined ? {} : { "content-type": kind },
    body: body === undefined || kind !== "application/json" ? body : JSON.stringify(body),
  });
  if (answer.status === 401) {
    location.reload();
    throw new Error("not paired");
  }
  const said = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(said.reason), { code: said.code, status: answer.status });
  return said;
}

export const get = (path) => call("GET", path);

// Does something and says what went wrong; whether it was done.
export async function attempt(method, path, body, kind) {
  try {
    return await call(method, path, body, kind);
  } catch (error) {
    toast(error.message || t("no_contact"), true);
    return null;
  }
}

export const move = (text, number) => attempt("POST", "/moves", { move: text, number });
export const goOn = (number) => attempt("POST", `/games/${number}/resume`, { instead_of: store.shared ? store.shared.game_id : null });
export const press = (button, isHeld = false) =>
  attempt("POST", "/press", { button, is_held: isHeld, moment: store.shared ? store.shared.moment : 0 });

let stream = null;
let again = null;

export function listen() {
  clearTimeout(again);
  stream?.close();
  stream = new EventSource(`/api/v1/events?language=${language()}`);
  stream.onopen = () => live(true);
  stream.addEventListener("state", (message) => {
    const fresh = JSON.parse(message.data);
    // An answer that overtook another on its way must not bring an old state back.
    if (store.shared && fresh.moment < store.shared.moment) return;
    store.shared = fresh;
    live(true);
    tell("state", fresh);
  });
  stream.addEventListener("seat", (message) => {
    store.seat = JSON.parse(message.data);
    tell("seat", store.seat);
  });
  stream.addEventListener("seen", (message) => {
    store.seen = JSON.parse(message.data);
    tell("seen", store.seen);
  });
  stream.addEventListener("scene", (message) => tell("scene", JSON.parse(message.data)));
  stream.addEventListener("flourish", (message) => tell("flourish", JSON.parse(message.data)));
  stream.onerror = () => {
    live(false);
    if (stream.readyState === EventSource.CLOSED) {
      // Sent away, or the box restarts: a plain request tells which.
      again = setTimeout(() => get("/state").then(listen, listen), 1500);
    }
  };
}

function live(isLive) {
  if (store.isLive === isLive) return;
  store.isLive = isLive;
  tell("live", isLive);
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && stream && stream.readyState !== EventSource.OPEN) listen();
});
