// The page as a whole: which view is open, the head with the connection, the way around.
import { forget, h, show } from "./dom.js";
import { listen, load, recall, store, t, watch } from "./api.js";
import { table } from "./table.js";

// The table is what everybody opens; the rest is fetched when somebody goes there.
const VIEWS = {
  table: async () => table,
  seat: async () => (await import("./seat.js")).seat,
  setup: async () => (await import("./setup.js")).setup,
  games: async () => (await import("./games.js")).games,
  replay: async () => (await import("./games.js")).replay,
  box: async () => (await import("./box.js")).box,
  camera: async () => (await import("./camera.js")).camera,
  decks: async () => (await import("./enrol.js")).decks,
  seen: async () => (await import("./seen.js")).seen,
  try: async () => (await import("./try.js")).tryOut,
  photo: async () => (await import("./photo.js")).photo,
  help: async () => (await import("./help.js")).help,
};
const UNDER = { replay: "games", try: "table", seen: "table", photo: "table", help: "table", camera: "box", decks: "box" };
const ASLEEP_MS = 4000;
const TABS = { table: "▦", seat: "☺", setup: "+", games: "☰", box: "⚙" };
const head = document.getElementById("head");
const nav = document.getElementById("nav");
const view = document.getElementById("view");
const asleep = document.getElementById("asleep");
let heard = () => {};
let built = 0;

function route() {
  const [name, what] = location.hash.slice(1).split("/");
  return [VIEWS[name] ? name : "table", /^\d+$/.test(what || "") ? Number(what) : what || null];
}

const isMine = () => Boolean(store.seat && store.shared && !store.shared.is_over && (store.shared.seat === store.seat.seat));

function frame() {
  const [name] = route();
  show(head, { title: store.shared?.title, live: store.isLive, name }, (said) => [
    h("a", { class: "home", href: "#table" }, h("span", { class: "moon", "aria-hidden": "true" }, "☾"), " Hush"),
    said.title ? h("span", { class: "title" }, said.title) : null,
    h("span", { class: said.live ? "live on" : "live", role: "status" }, said.live ? t("live") : t("not_live"))]);
  show(nav, { name, words: t("tab_table"), mine: isMine() }, (said) => Object.entries(TABS).map(([tab, sign]) => h("a", {
    href: `#${tab}`, "aria-current": tab === (UNDER[name] || name) ? "page" : null, "data-key": `tab-${tab}`, class: tab === "seat" && said.mine ? "mine" : null,
  }, h("span", { class: "tab-sign", "aria-hidden": "true" }, sign), h("span", {}, t(`tab_${tab}`)))));
  nav.setAttribute("aria-label", t("way_around"));
  document.body.dataset.view = name;
}

async function build() {
  const [name, what] = route();
  [head, nav].forEach(forget);
  frame();
  built += 1;
  const mine = built;
  let open;
  try {
    open = await VIEWS[name]();
  } catch {
    view.replaceChildren(h("p", { class: "card" }, t("no_contact")));
    setTimeout(() => { if (mine === built) build(); }, 1500);
    return;
  }
  // Somebody has gone on meanwhile.
  if (mine !== built) return;
  heard = open(view, what, build);
}

// A box that is away for a moment is nobody's business; one that stays away may be switched off.
let missed = null;
function mind() {
  if (!store.isLive && missed) return;
  clearTimeout(missed);
  missed = null;
  asleep.replaceChildren();
  if (!store.isLive) missed = setTimeout(() => asleep.replaceChildren(h("p", { class: "card", role: "alert" }, h("span", { "aria-hidden": "true" }, "☾ "), t("asleep"))), ASLEEP_MS);
}

// A phone in a pocket says when it's wanted: by its title, and by a tremble where the browser allows one.
let wasMine = false;
function wake() {
  const now = isMine();
  document.title = now ? `● ${t("your_turn")}` : store.shared?.title ? `${store.shared.title} · Hush` : "Hush";
  if (now && !wasMine && navigator.userActivation?.hasBeenActive) navigator.vibrate?.([60, 60, 60]);
  wasMine = now;
}

watch((what, data) => {
  frame();
  if (what === "live") mind();
  if (what === "state" || what === "seat") wake();
  // What couldn't be fetched while the box was away is fetched now.
  if (what === "live" && data && store.hasMissed) {
    store.hasMissed = false;
    build();
  }
  heard(what, data);
  // Which state is on show, for whoever watches the page from outside.
  view.dataset.number = store.shared?.number ?? "";
  view.dataset.seatNumber = store.seat?.number ?? "";
});
window.addEventListener("hashchange", async () => {
  await build();
  view.focus({ preventScroll: true });
  window.scrollTo(0, 0);
});

// A page that is opened while the box is down says so, and begins by itself once the box answers.
const rest = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });
async function begin() {
  const isKnown = recall();
  for (;;) {
    try {
      await load();
      break;
    } catch {
      if (isKnown) {
        frame();
        mind();
      } else {
        asleep.replaceChildren(h("p", { class: "card", role: "alert" }, "☾ …"));
      }
      await rest(1500);
    }
  }
  mind();
  await build();
  listen();
}
begin();
