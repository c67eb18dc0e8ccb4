// The page as a whole: which view is open, the head with the connection, the way around.
import { h, show, forget } from "./dom.js";
import { listen, store, watch } from "./api.js";
import { box } from "./box.js";
import { camera } from "./camera.js";
import { decks } from "./enrol.js";
import { games, replay } from "./games.js";
import { seat } from "./seat.js";
import { setup } from "./setup.js";
import { table } from "./table.js";
import { tryOut } from "./try.js";
import { load, recall, t } from "./words.js";

const VIEWS = { table, seat, setup, games, replay, box, camera, decks, try: tryOut };
const UNDER = { replay: "games", try: "table", camera: "box", decks: "box" };
const ASLEEP = 4000;
const TABS = { table: "▦", seat: "☺", setup: "+", games: "☰", box: "⚙" };
const head = document.getElementById("head");
const nav = document.getElementById("nav");
const view = document.getElementById("view");
const asleep = document.getElementById("asleep");
let heard = () => {};

function route() {
  const [name, what] = location.hash.slice(1).split("/");
  return [VIEWS[name] ? name : "table", /^\d+$/.test(what || "") ? Number(what) : what || null];
}

function frame() {
  const [name] = route();
  show(head, { title: store.shared?.title, live: store.isLive, name }, (said) => [
    h("a", { class: "home", href: "#table" }, h("span", { class: "moon", "aria-hidden": "true" }, "☾"), " Hush"),
    said.title ? h("span", { class: "title" }, said.title) : null,
    h("span", { class: said.live ? "live on" : "live", role: "status" }, said.live ? t("live") : t("not_live"))]);
  show(nav, { name, words: t("tab_table") }, () => Object.entries(TABS).map(([tab, sign]) => h("a", {
    href: `#${tab}`, "aria-current": tab === (UNDER[name] || name) ? "page" : null, "data-key": `tab-${tab}`,
  }, h("span", { class: "tab-sign", "aria-hidden": "true" }, sign), h("span", {}, t(`tab_${tab}`)))));
  nav.setAttribute("aria-label", t("way_around"));
}

function build() {
  const [name, number] = route();
  [head, nav].forEach(forget);
  frame();
  heard = VIEWS[name](view, number, build);
}

// A box that is away for a moment is nobody's business; one that stays away may be switched off.
let missed = null;
function mind() {
  if (!store.isLive && missed) return;
  clearTimeout(missed);
  missed = null;
  asleep.replaceChildren();
  if (!store.isLive) missed = setTimeout(() => asleep.replaceChildren(h("p", { class: "card", role: "alert" }, h("span", { "aria-hidden": "true" }, "☾ "), t("asleep"))), ASLEEP);
}

watch((what, data) => {
  frame();
  if (what === "live") mind();
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
window.addEventListener("hashchange", () => {
  build();
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
  build();
  listen();
}
begin();
