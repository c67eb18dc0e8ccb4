// What the camera sees: the recognised cards over the live picture; any card can be corrected.
import { h, s, show, toast, within } from "./dom.js";
import { attempt, get, mapped, store, t } from "./api.js";
import { cardOf, sheet } from "./play.js";

const PAUSE = 1000;

// Words in lines that fit the card.
function lines(text, most = 9) {
  const made = [];
  for (const word of text.split(/\s+/)) {
    const last = made[made.length - 1];
    if (last !== undefined && `${last} ${word}`.length <= most) made[made.length - 1] = `${last} ${word}`;
    else made.push(word);
  }
  return made.slice(0, 4).map((line) => (line.length > most + 3 ? `${line.slice(0, most + 2)}…` : line));
}

function lying(table, one) {
  const { card_width: wide, card_height: high } = table;
  const kinds = ["seen-card", one.card ? "" : "stranger", one.is_corrected ? "corrected" : "", one.sure < 0.9 && one.card ? "unsure" : ""];
  const label = `${one.name}${one.is_corrected ? `, ${t("corrected_card")}` : ""}. ${t("correct_card")}`;
  return s("g", { transform: `translate(${one.x} ${one.y}) rotate(${one.turn})`, class: kinds.filter(Boolean).join(" "), role: "button", tabindex: 0, "aria-label": label, "data-key": `seen-${one.at}`, "data-card": one.card,
    onclick: () => correctSeen(one), onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); correctSeen(one); } } },
  s("rect", { x: -wide / 2, y: -high / 2, width: wide, height: high, rx: 4, class: "seen-edge" }),
  s("text", { class: "seen-name", transform: `rotate(${-one.turn})` }, lines(one.name).map((line, at, all) => s("tspan", { x: 0, y: (at - (all.length - 1) / 2) * 18 + 6 }, line))));
}

function drawing(table, photo) {
  return s("svg", { viewBox: `0 0 ${table.width} ${table.height}`, class: "seen", role: "group", "aria-label": t("table") }, photo,
    table.zones.map((zone) => s("rect", { x: zone.x, y: zone.y, width: zone.width, height: zone.height, class: "seen-zone" })),
    table.cards.map((one) => lying(table, one)));
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
    words.textContent = table.is_busy ? t("camera_busy") : table.cards.length ? t("tap_to_correct") : t("camera_empty");
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
    waiting = setTimeout(look, PAUSE);
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
