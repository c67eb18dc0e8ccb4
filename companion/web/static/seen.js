// The table as the camera recognises it, in its own places: drawn, or over the live picture; any card can be corrected.
import { h, s, show, toast, within } from "./dom.js";
import { attempt, get, store } from "./api.js";
import { card, lines } from "./picture.js";
import { t } from "./words.js";

const DRAWN = { width: 62, height: 88 };
const PAUSE = 1000;

function lying(table, one, isPhoto, correct) {
  const { card_width: wide, card_height: high } = table;
  const kinds = ["seen-card", one.card ? "" : "stranger", one.is_corrected ? "corrected" : "", one.sure < 0.9 && one.card ? "unsure" : ""];
  const label = `${one.name}${one.is_corrected ? `, ${t("corrected_card")}` : ""}. ${t("correct_card")}`;
  return s("g", { transform: `translate(${one.x} ${one.y}) rotate(${one.turn})`, class: kinds.filter(Boolean).join(" "), role: "button", tabindex: 0, "aria-label": label, "data-key": `seen-${one.at}`, "data-card": one.card,
    onclick: () => correct(one), onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); correct(one); } } },
  isPhoto ? null : s("g", { transform: `translate(${-wide / 2} ${-high / 2}) scale(${wide / DRAWN.width} ${high / DRAWN.height})` }, card(one.drawn)),
  s("rect", { x: -wide / 2, y: -high / 2, width: wide, height: high, rx: 4, class: "seen-edge" }),
  isPhoto ? s("text", { class: "seen-name", transform: `rotate(${-one.turn})` }, lines(one.name).map((line, at, all) => s("tspan", { x: 0, y: (at - (all.length - 1) / 2) * 18 + 6 }, line))) : null);
}

function drawing(table, isPhoto, photo, correct) {
  return s("svg", { viewBox: `0 0 ${table.width} ${table.height}`, class: isPhoto ? "seen over-photo" : "seen", role: "group", "aria-label": t("table") },
    s("rect", { width: table.width, height: table.height, class: "seen-cloth" }), isPhoto ? photo : null,
    table.zones.map((zone) => s("g", {}, s("rect", { x: zone.x, y: zone.y, width: zone.width, height: zone.height, class: "seen-zone" }),
      s("text", { x: zone.x + 6, y: zone.y + 18, class: "seen-label" }, zone.name))),
    table.cards.map((one) => lying(table, one, isPhoto, correct)));
}

// Every card there is, the likely ones first; a few letters are enough to find one.
async function correct(one) {
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
    dialog.close();
    if (await attempt("POST", "/seen", { glimpse, at: one.at, card: side.card, face: side.face })) toast(t("corrected"));
  };
  const list = h("div", { class: "choice-list" });
  const wanted = h("input", { type: "text", id: "which-card", autocomplete: "off", oninput: () => fill() });
  const fill = () => list.replaceChildren(...sorted.filter((side) => side.name.toLowerCase().includes(wanted.value.trim().toLowerCase())).map((side) => h("button", {
    class: "choice with-card", "aria-pressed": String(side.card === one.card && side.face === one.face), onclick: () => pick(side),
  }, side.drawn.shape ? s("svg", { viewBox: "0 0 62 88", class: "mini", "aria-hidden": "true" }, card(side.drawn)) : null, h("span", {}, side.name))));
  fill();
  const dialog = h("dialog", { class: "card", "aria-labelledby": "really-card" },
    h("h2", { id: "really-card" }, t("really_card", { card: one.name })), h("p", { class: "quiet" }, t("really_card_why")),
    one.is_corrected ? h("button", { onclick: () => pick({ card: "", face: "" }) }, t("as_seen")) : null,
    h("label", { for: "which-card" }, t("find_card")), wanted, list, h("button", { onclick: () => dialog.close() }, t("cancel")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// `draw` shows the newest table; the picture is fetched only while somebody wants it and can see it.
export function recognised() {
  const photo = s("image", { x: 0, y: 0, preserveAspectRatio: "none", class: "seen-photo" });
  const place = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("camera_sees") });
  const words = h("p", { class: "quiet", role: "status" });
  const isPhoto = h("input", { type: "checkbox", id: "live-picture", onchange: () => { draw(); look(); } });
  const whole = h("div", { class: "recognised" }, place, h("div", { class: "row" }, isPhoto, h("label", { for: "live-picture" }, t("live_behind"))), words);
  let address = null;
  let waiting = null;

  function draw() {
    const table = store.seen;
    if (!table) return;
    photo.setAttribute("width", table.width);
    photo.setAttribute("height", table.height);
    show(place, { ...table, isPhoto: isPhoto.checked }, () => drawing(table, isPhoto.checked, photo, correct));
    if (!isPhoto.checked) words.textContent = table.is_busy ? t("camera_busy") : table.cards.length ? t("tap_to_correct") : t("camera_empty");
  }

  async function look() {
    clearTimeout(waiting);
    if (!isPhoto.checked || !whole.isConnected) return;
    if (!document.hidden) {
      const answer = await fetch("/api/v1/picture/flat", { signal: within(8000) }).catch(() => null);
      if (answer?.ok) {
        const fresh = URL.createObjectURL(await answer.blob());
        photo.setAttribute("href", fresh);
        if (address) URL.revokeObjectURL(address);
        address = fresh;
        words.textContent = t("tap_to_correct");
      } else if (answer) {
        words.textContent = (await answer.json()).reason;
      }
    }
    waiting = setTimeout(look, PAUSE);
  }

  draw();
  get("/seen").then((table) => { store.seen = table; draw(); }, (error) => { words.textContent = error.message; });
  return { whole, draw };
}
