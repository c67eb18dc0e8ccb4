// The simulated table: lay, drag, turn, flip and stack cards; the box sees them through its camera and its real eye.
import { h, s, show, toast } from "./dom.js";
import { attempt, get, store, t } from "./api.js";
import { thumb } from "./play.js";
import { recognised } from "./seen.js";
import { question } from "./table.js";

const STEP_MM = 10;
// Milliseconds between two scenes that are sent: a key held down is one move, not thirty.
const SCENES_MS = 60;
// Milliseconds until a table that didn't come is asked for again.
const RELOAD_MS = 3000;
let table = null;
let laid = [];
let number = 0;
let heard = null;
let chosen = -1;
let parts = null;
let isDue = false;
let isSending = false;
let isDragging = false;

const faceOf = (one) => table.cards.find((card) => card.card === one.card && card.face === one.face);
const sides = (one) => table.cards.filter((card) => card.card === one.card);
const source = (one) => `/api/v1/simulation/faces/${faceOf(one).number}`;

// One scene is on its way at a time, and what changes meanwhile goes after it: none overtakes another.
async function send() {
  isDue = true;
  if (isSending) return;
  isSending = true;
  while (isDue) {
    await new Promise((done) => { setTimeout(done, SCENES_MS); });
    isDue = false;
    const done = await attempt("POST", "/simulation", { laid });
    if (done) number = Math.max(number, done.number);
  }
  isSending = false;
  take();
}

// The newest scene of the box, unless it's older than ours; it waits while a card is held or our own is on its way.
function take(scene = null) {
  if (scene && scene.number > (heard?.number ?? 0)) heard = scene;
  if (!heard || !table || heard.number <= number || isDragging || isSending) return;
  // The cards of the next game wait for its table.
  if (!heard.laid.every(faceOf)) return;
  ({ number, laid } = heard);
  if (chosen >= laid.length) chosen = -1;
  draw();
}

async function tidy() {
  take(await attempt("POST", "/simulation/tidy"));
}

function change(values, isSent = true) {
  if (chosen < 0) return;
  laid[chosen] = { ...laid[chosen], ...values };
  draw();
  if (isSent) send();
}

const turn = (by) => change({ angle: (laid[chosen].angle + by + 360) % 360 });

function flip() {
  const all = sides(laid[chosen]);
  const at = all.findIndex((card) => card.face === laid[chosen].face);
  change({ face: all[(at + 1) % all.length].face });
}

function raise() {
  laid.push(...laid.splice(chosen, 1));
  chosen = laid.length - 1;
}

function remove() {
  if (chosen < 0) return;
  laid.splice(chosen, 1);
  chosen = -1;
  draw();
  send();
}

function point(event) {
  const spot = parts.drawing.getScreenCTM().inverse();
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(spot);
}

function grab(event, index) {
  event.preventDefault();
  chosen = index;
  isDragging = true;
  raise();
  const start = point(event);
  const origin = { ...laid[chosen] };
  let isMoved = false;
  const follow = (next) => {
    const now = point(next);
    isMoved = true;
    change({ x: Math.round(origin.x + now.x - start.x), y: Math.round(origin.y + now.y - start.y) }, false);
  };
  const drop = () => {
    isDragging = false;
    window.removeEventListener("pointermove", follow);
    window.removeEventListener("pointerup", drop);
    window.removeEventListener("pointercancel", drop);
    draw();
    ask();
    if (isMoved) send();
    else take();
  };
  window.addEventListener("pointermove", follow);
  window.addEventListener("pointerup", drop);
  window.addEventListener("pointercancel", drop);
  draw();
}

function key(event, index) {
  const moves = { ArrowLeft: [-STEP_MM, 0], ArrowRight: [STEP_MM, 0], ArrowUp: [0, -STEP_MM], ArrowDown: [0, STEP_MM] };
  chosen = index;
  if (moves[event.key]) change({ x: laid[index].x + moves[event.key][0], y: laid[index].y + moves[event.key][1] });
  else if (event.key === "r") turn(90);
  else if (event.key === "f") flip();
  else if (event.key === "Delete" || event.key === "Backspace") remove();
  else return;
  event.preventDefault();
  parts.drawing.querySelector(`[data-at="${chosen}"]`)?.focus();
}

function cardOn(one, index) {
  const { card_width: wide, card_height: high } = table;
  return s("g", {
    transform: `translate(${one.x} ${one.y}) rotate(${one.angle})`, class: index !== chosen ? "lying" : isDragging ? "lying chosen held" : "lying chosen", tabindex: 0, role: "button",
    "data-at": index, "data-card": one.card, "aria-label": t("lying_card", { card: faceOf(one).name, x: Math.round(one.x), y: Math.round(one.y), turn: Math.round(one.angle) }),
    onpointerdown: (event) => grab(event, index), onkeydown: (event) => key(event, index),
  }, s("image", { href: source(one), x: -wide / 2, y: -high / 2, width: wide, height: high, preserveAspectRatio: "none" }),
  s("rect", { x: -wide / 2, y: -high / 2, width: wide, height: high, rx: 4, class: "edge" }));
}

function draw() {
  parts.drawing.replaceChildren(
    s("rect", { width: table.width, height: table.height, class: "cloth" }),
    ...table.zones.map((zone) => s("g", {}, s("rect", { x: zone.x, y: zone.y, width: zone.width, height: zone.height, class: "sim-zone" }),
      s("text", { x: zone.x + 6, y: zone.y + 16, class: "sim-label" }, zone.label))),
    ...laid.map(cardOn));
  show(parts.tools, { chosen, card: laid[chosen]?.card, face: laid[chosen]?.face }, () => {
    if (chosen < 0) return h("p", { class: "quiet" }, t("try_how"));
    return h("div", { class: "row" },
      h("button", { "data-key": "turn", onclick: () => turn(90) }, `⟳ ${t("turn_card")}`),
      h("button", { "data-key": "around", onclick: () => turn(180) }, `⇅ ${t("turn_around")}`),
      sides(laid[chosen]).length > 1 ? h("button", { "data-key": "flip", onclick: flip }, `◨ ${t("flip_card")}`) : null,
      h("button", { "data-key": "remove", onclick: remove }, `✕ ${t("take_off")}`));
  });
  const lying = new Set(laid.map((one) => one.card));
  const rest = table.cards.filter((card, at) => !lying.has(card.card) && table.cards.findIndex((one) => one.card === card.card) === at);
  show(parts.tray, rest.map((card) => card.number), () => rest.map((card) => h("button", { class: "tray-card", "data-key": `tray-${card.card}`, "aria-label": t("lay_card", { card: card.name }),
    onclick: () => {
      laid.push({ card: card.card, face: card.face, x: Math.round(table.width / 2), y: Math.round(table.height / 2), angle: 0 });
      chosen = laid.length - 1;
      draw();
      send();
    } }, h("img", { src: `/api/v1/simulation/faces/${card.number}`, alt: "", width: 44, loading: "lazy" }))));
}

function ask() {
  const said = store.shared;
  // The table doesn't move under a card that is held.
  if (!said || !parts || isDragging) return;
  show(parts.ask, { ...said, log: 0, panel: 0, picture: 0, options: 0, moment: 0, things: 0 }, () => question(said));
  parts.keys.say(said);
}

async function load() {
  try {
    table = await get("/simulation");
  } catch (error) {
    toast(error.message, true);
    setTimeout(() => { if (parts.drawing.isConnected) load(); }, RELOAD_MS);
    return;
  }
  ({ number, laid } = table.scene);
  chosen = -1;
  parts.drawing.setAttribute("viewBox", `0 0 ${table.width} ${table.height}`);
  draw();
  take();
}

export function tryOut(place) {
  const sight = recognised();
  parts = { ask: h("div", { class: "try-ask" }), keys: thumb(), tools: h("div", { class: "card-tools" }), tray: h("div", { class: "tray" }),
    drawing: s("svg", { class: "sim", role: "group", "aria-label": t("table") }) };
  const links = h("p", { class: "tools" }, h("button", { class: "plain", "data-key": "tidy", onclick: tidy }, t("tidy")), h("a", { href: "#table" }, t("other_choices")));
  place.replaceChildren(h("div", { class: "table-view" }, h("div", { class: "table-main" }, parts.ask, h("section", { class: "card" }, parts.drawing, parts.tools, h("h2", {}, t("tray")), parts.tray)),
    h("div", { class: "table-side" }, parts.keys.whole, h("div", { class: "below" }, links, h("details", { class: "card" }, h("summary", {}, t("camera_sees")), sight.whole)))));
  ask();
  load();
  let game = store.shared?.game_id;
  return (what, data) => {
    if (what === "scene") take(data);
    if (what === "seen") sight.draw();
    if (what === "state") {
      ask();
      if (data.game_id !== game) {
        game = data.game_id;
        load();
      }
    }
  };
}
