// What the camera sees: the recognised cards over the live picture; any card can be corrected.
import { h, s, show, toast, within } from "./dom.js";
import { attempt, get, mapped, store, t } from "./api.js";
import { cardOf, sheet } from "./play.js";

const LOOK_MS = 1000;

// Names are as large as they fit, in millimetres; a letter is so much narrower than high.
const LETTERS = { least: 11, most: 17, wide: 0.66 };
const COLUMNS = 9;
const ROWS = 12;

// Words in lines that fit.
function lines(text, most, high) {
  const made = [];
  for (const word of text.split(/\s+/)) {
    const last = made[made.length - 1];
    if (last !== undefined && `${last} ${word}`.length <= most) made[made.length - 1] = `${last} ${word}`;
    else made.push(word);
  }
  return made.slice(0, high).map((line) => (line.length > most ? `${line.slice(0, most - 1)}…` : line));
}

function isOn(one, x, y, wide, high) {
  const angle = (-one.angle * Math.PI) / 180;
  const [dx, dy] = [x - one.x, y - one.y];
  return Math.abs(dx * Math.cos(angle) - dy * Math.sin(angle)) < wide / 2 && Math.abs(dx * Math.sin(angle) + dy * Math.cos(angle)) < high / 2;
}

// The largest strip along an edge of a card that no other card touches, or none that lies to the right or below: so fans
// are laid. Which of two cards is on top isn't known here.
function shows(one, others, wide, high) {
  const near = others.filter((other) => other !== one && Math.hypot(other.x - one.x, other.y - one.y) < Math.hypot(wide, high));
  const isAfter = (other) => other.x - one.x > wide / 8 || (Math.abs(other.x - one.x) <= wide / 8 && other.y > one.y);
  return bare(one, near, wide, high) || bare(one, near.filter(isAfter), wide, high) || { x: 0, y: 0, wide, high };
}

function bare(one, near, wide, high) {
  const angle = (one.angle * Math.PI) / 180;
  const isFree = (column, row) => {
    const [x, y] = [((column + 0.5) / COLUMNS - 0.5) * wide, ((row + 0.5) / ROWS - 0.5) * high];
    return !near.some((other) => isOn(other, one.x + x * Math.cos(angle) - y * Math.sin(angle), one.y + x * Math.sin(angle) + y * Math.cos(angle), wide, high));
  };
  const [columns, rows] = [[...Array(COLUMNS).keys()], [...Array(ROWS).keys()]];
  const count = (list, is) => { const end = list.findIndex((at) => !is(at)); return end < 0 ? list.length : end; };
  const column = (at) => rows.every((row) => isFree(at, row));
  const row = (at) => columns.every((there) => isFree(there, at));
  const across = (number, side) => ({ x: side * (wide / 2) * (1 - number / COLUMNS), y: 0, wide: (wide * number) / COLUMNS, high });
  const along = (number, side) => ({ x: 0, y: side * (high / 2) * (1 - number / ROWS), wide, high: (high * number) / ROWS });
  const strips = [across(count(columns, column), -1), across(count([...columns].reverse(), column), 1), along(count(rows, row), -1), along(count([...rows].reverse(), row), 1)];
  const best = strips.reduce((a, b) => (b.wide * b.high > a.wide * a.high ? b : a));
  return best.wide * best.high > 0 ? best : null;
}

// A card's name, upright, where the card shows.
function named(one, table) {
  const place = shows(one, table.cards, table.card_width, table.card_height);
  const isAcross = Math.abs(Math.sin((one.angle * Math.PI) / 180)) > 0.7;
  const [wide, high] = isAcross ? [place.high, place.wide] : [place.wide, place.high];
  const longest = Math.max(...one.name.split(/\s+/).map((word) => word.length));
  const size = Math.max(LETTERS.least, Math.min(LETTERS.most, wide / (longest * LETTERS.wide)));
  const made = lines(one.name, Math.max(3, Math.ceil(wide / (size * LETTERS.wide))), Math.max(1, Math.min(4, Math.floor(high / size))));
  const [sin, cos] = [Math.sin((one.angle * Math.PI) / 180), Math.cos((one.angle * Math.PI) / 180)];
  return s("text", { class: "seen-name", "font-size": size, transform: `translate(${one.x + place.x * cos - place.y * sin} ${one.y + place.x * sin + place.y * cos})` },
    made.map((line, at, all) => s("tspan", { x: 0, y: ((at - (all.length - 1) / 2) * 1.08 + 0.36) * size }, line)));
}

function lying(table, one) {
  const { card_width: wide, card_height: high } = table;
  const kinds = ["seen-card", one.card ? "" : "stranger", one.is_corrected ? "corrected" : "", one.confidence < 0.9 && one.card ? "unsure" : ""];
  const label = `${one.name}${one.is_corrected ? `, ${t("corrected_card")}` : ""}. ${t("correct_card")}`;
  return s("g", { transform: `translate(${one.x} ${one.y}) rotate(${one.angle})`, class: kinds.filter(Boolean).join(" "), role: "button", tabindex: 0, "aria-label": label, "data-key": `seen-${one.at}`, "data-card": one.card,
    onclick: () => correctSeen(one), onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); correctSeen(one); } } },
  s("rect", { x: -wide / 2, y: -high / 2, width: wide, height: high, rx: 4, class: "seen-edge" }));
}

function drawing(table, photo) {
  return s("svg", { viewBox: `0 0 ${table.width} ${table.height}`, class: "seen", role: "group", "aria-label": t("table") }, photo,
    table.zones.map((zone) => s("rect", { x: zone.x, y: zone.y, width: zone.width, height: zone.height, class: "seen-zone" })),
    table.cards.map((one) => lying(table, one)), s("g", { "aria-hidden": "true" }, table.cards.map((one) => named(one, table))));
}

// Every card there is, the likely ones first; a few letters are enough to find one.
export async function correctSeen(one) {
  const glimpse = store.seen.glimpse;
  let all;
  try {
    all = await get("/seen/cards");
  } catch (error) {
    toast(error.message, true);
    return;
  }
  const likely = (side) => (one.maybe.includes(side.card) ? 0 : 1);
  const sorted = [...all].sort((a, b) => likely(a) - likely(b));
  const pick = async (side) => {
    close();
    if (await attempt("POST", "/seen", { glimpse, at: one.at, card: side.card, face: side.face })) toast(t("corrected"));
  };
  const list = h("div", { class: "choice-list" });
  const wanted = h("input", { type: "text", id: "which-card", autocomplete: "off", oninput: () => fill() });
  const fill = () => list.replaceChildren(...sorted.filter((side) => side.name.toLowerCase().includes(wanted.value.trim().toLowerCase())).map((side) => h("button", {
    class: "choice", "aria-pressed": String(side.card === one.card && side.face === one.face), onclick: () => pick(side),
  }, cardOf(store.map, side.card, { face: side.face, width: 34 }), h("span", {}, side.name))));
  fill();
  const close = sheet(t("really_card", { card: one.name }), h("p", { class: "quiet" }, t("really_card_why")),
    one.is_corrected ? h("button", { onclick: () => pick({ card: "", face: "" }) }, t("as_seen")) : null,
    h("label", { for: "which-card" }, t("find_card")), wanted, list);
}

// `draw` shows the newest table; the picture is fetched only while somebody can see it.
export function recognised() {
  const photo = s("image", { x: 0, y: 0, preserveAspectRatio: "none", class: "seen-photo" });
  const place = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("camera_sees") });
  const words = h("p", { class: "quiet", role: "status" });
  const whole = h("div", { class: "recognised" }, place, words);
  let address = null;
  let waiting = null;

  function draw() {
    const table = store.seen;
    mapped();
    if (!table) return;
    photo.setAttribute("width", table.width);
    photo.setAttribute("height", table.height);
    show(place, table, () => drawing(table, photo));
    words.textContent = table.is_unsettled ? t("camera_busy") : table.cards.length ? t("tap_to_correct") : t("camera_empty");
  }

  async function look() {
    clearTimeout(waiting);
    if (!whole.isConnected) return;
    if (!document.hidden) {
      const answer = await fetch("/api/v1/picture/flat", { signal: within(8000) }).catch(() => null);
      if (answer?.ok) {
        const fresh = URL.createObjectURL(await answer.blob());
        photo.setAttribute("href", fresh);
        if (address) URL.revokeObjectURL(address);
        address = fresh;
      } else if (answer) {
        words.textContent = (await answer.json()).reason;
      }
    }
    waiting = setTimeout(look, LOOK_MS);
  }

  draw();
  get("/seen").then((table) => { store.seen = table; draw(); look(); }, (error) => { words.textContent = error.message; });
  return { whole, draw };
}

export function seen(place) {
  const sight = recognised();
  place.replaceChildren(h("div", { class: "narrow wide" }, h("h1", {}, t("camera_sees")), h("section", { class: "card" }, sight.whole), h("p", { class: "tools" }, h("a", { href: "#table" }, `‹ ${t("table")}`))));
  return (what) => { if (what === "seen") sight.draw(); };
}
