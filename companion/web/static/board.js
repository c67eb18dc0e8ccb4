// The table itself, in millimetres: every card where it lies, with its own picture. What can be tapped glows, what changed
// last is marked and moves into its place; two fingers or a double tap zoom.
import { h, isStill, s } from "./dom.js";
import { store, t } from "./api.js";
import { artOf, idsOf, patient, sideOf } from "./play.js";

const MARGIN_MM = 10;
// At least so many cards across and down are shown, so that a nearly empty table isn't a poster.
const LEAST = { across: 5, down: 2.2 };
const DOUBLE_TAP_ZOOM = 2.2;
const DOUBLE_TAP_MS = 320;
const LONG_PRESS_MS = 550;
const TOKEN_MM = 34;
const FOLD_MM = 22;
const NARROW_PIXELS = 620;

// What lies there by the rules, in the places where the camera sees it; and what the camera sees beside that.
// `changed` are the places among the things of what the last act changed, the same for all pages.
export function lying({ things, changed }, seen) {
  const left = seen ? seen.cards.filter((card) => card.card) : [];
  const strangers = seen ? seen.cards.filter((card) => !card.card) : [];
  const counts = new Map();
  const keyed = (thing, head = "") => {
    const name = `${head}${thing.card}`;
    counts.set(name, (counts.get(name) || 0) + 1);
    return { ...thing, key: `${name}.${counts.get(name)}` };
  };
  const placed = things.map((one, at) => {
    const thing = { ...one, isLast: changed?.includes(at) };
    const near = left.filter((card) => card.card === thing.card).sort((a, b) => far(a, thing) - far(b, thing))[0];
    if (!near) return keyed(thing);
    left.splice(left.indexOf(near), 1);
    return keyed({ ...thing, x: near.x, y: near.y, angle: near.angle, face: near.face, seen: near });
  });
  const fresh = [...left, ...strangers].map((card) => keyed({ card: card.card, face: card.face, x: card.x, y: card.y, angle: card.angle, zone: card.zone || "", seen: card, isFresh: true }, "seen "));
  return [...placed, ...fresh];
}

// Where nothing lies, a narrow screen has no room for bare cloth: wide gaps are folded, one direction at a time. What
// comes back says where a millimetre of the table is drawn.
export function folded(spans, most) {
  const sorted = spans.map(([from, to]) => [Math.max(0, from), Math.min(most, to)]).sort((a, b) => a[0] - b[0]);
  const folds = [];
  let end = 0;
  for (const [from, to] of sorted) {
    if (from - end > FOLD_MM) folds.push([end, from]);
    end = Math.max(end, to);
  }
  if (most - end > FOLD_MM) folds.push([end, most]);
  return (at) => folds.reduce((sum, [from, to]) => (at <= from ? sum : sum - (Math.min(at, to) - from) * (1 - FOLD_MM / (to - from))), at);
}

const far = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
const isToken = (thing) => thing.card.startsWith("token-");

// One table that stays while the page is open: cards are moved, not drawn anew.
export class Board {
  constructor({ onTap, onAbout, isSmall = false }) {
    this.onTap = onTap;
    this.onAbout = onAbout;
    this.isSmall = isSmall;
    this.zones = s("g", {});
    this.cards = s("g", {});
    this.badges = s("g", { class: "badges" });
    this.drawing = s("svg", { class: "board", role: "group" }, this.zones, this.cards, this.badges);
    this.whole = h("div", { class: isSmall ? "stage small" : "stage" }, this.drawing);
    this.parts = new Map();
    this.before = new Map();
    this.number = null;
    this.box = null;
    this.zoom = { scale: 1, x: 0, y: 0 };
    this.watch();
  }

  // `things` as they lie, `turn` says what glows; `number` is the state's, so that a mark lasts until the next one.
  draw(map, things, turn, { number = 0 } = {}) {
    if (map !== this.map) this.begin(map);
    this.drawing.setAttribute("aria-label", t("table"));
    if (number !== this.number) {
      this.number = number;
      this.parts.forEach((part) => part.classList.remove("changed"));
    }
    this.turn = turn;
    this.things = things;
    this.frame();
    this.drawZones();
    const now = new Map(things.map((thing) => [thing.key, thing]));
    for (const [key, part] of this.parts) {
      if (!now.has(key)) {
        part.remove();
        this.parts.delete(key);
      }
    }
    things.forEach((thing) => this.place(thing));
    // The order of laying is the order of drawing.
    things.forEach((thing, at) => { if (this.cards.children[at] !== this.parts.get(thing.key)) this.cards.insertBefore(this.parts.get(thing.key), this.cards.children[at] || null); });
    this.before = now;
  }

  begin(map) {
    // The same table once its pictures are drawn is still looked at as closely.
    if (map.game_id !== this.map?.game_id || map.game !== this.map?.game) this.zoom = { scale: 1, x: 0, y: 0 };
    this.map = map;
    this.parts.clear();
    this.before = new Map();
    this.box = null;
    this.isNew = true;
    this.cards.replaceChildren();
  }

  // What is shown: all that lies there or can be tapped. On a wide screen it only grows, so that nothing jumps.
  frame() {
    const { map } = this;
    const glowing = map.zones.filter((zone) => this.turn?.glows([zone.name]));
    const edges = this.things.map((one) => {
      const [wide, high] = this.size(one);
      const isAcross = Math.abs(one.angle % 180) > 45 && Math.abs(one.angle % 180) < 135;
      const [w, hh] = isAcross ? [high, wide] : [wide, high];
      return [one.x - w / 2, one.y - hh / 2, one.x + w / 2, one.y + hh / 2];
    });
    const isEmpty = (zone) => !this.things.some((one) => one.zone === zone.name);
    edges.push(...glowing.filter(isEmpty).map((zone) => { const [w, hh] = [Math.min(zone.width, map.card_width * 1.6), Math.min(zone.height, map.card_height * 1.1)]; return [zone.x, zone.y, zone.x + w, zone.y + hh]; }));
    if (!edges.length) edges.push([map.width * 0.2, map.height * 0.2, map.width * 0.8, map.height * 0.8]);
    // Asking for the width lays the whole page out, so it's asked once; a change of it is told.
    this.width ||= this.whole.clientWidth;
    this.isNarrow = (this.width || window.innerWidth) < NARROW_PIXELS;
    const same = (at) => at;
    this.across = this.isNarrow ? folded(edges.map((one) => [one[0], one[2]]), map.width) : same;
    this.down = this.isNarrow ? folded(edges.map((one) => [one[1], one[3]]), map.height) : same;
    const [x, y] = [this.across, this.down];
    // A wide screen shows whole zones, and what was shown once stays.
    if (!this.isNarrow) {
      edges.push(...map.zones.filter((zone) => zone.label && !isEmpty(zone)).map((zone) => [zone.x, zone.y, zone.x + zone.width, zone.y + zone.height]));
      if (this.box) edges.push([this.box.left, this.box.top, this.box.right, this.box.bottom]);
    }
    const box = { left: Math.min(...edges.map((one) => x(one[0]))), top: Math.min(...edges.map((one) => y(one[1]))), right: Math.max(...edges.map((one) => x(one[2]))), bottom: Math.max(...edges.map((one) => y(one[3]))) };
    const least = (from, to, wanted) => (to - from < wanted ? [(from + to - wanted) / 2, (from + to + wanted) / 2] : [from, to]);
    [box.left, box.right] = least(box.left, box.right, LEAST.across * map.card_width);
    [box.top, box.bottom] = least(box.top, box.bottom, LEAST.down * map.card_height);
    this.box = box;
    this.look();
  }

  look() {
    if (!this.box) return;
    const [width, height] = [this.box.right - this.box.left + 2 * MARGIN_MM, this.box.bottom - this.box.top + 2 * MARGIN_MM];
    const { scale } = this.zoom;
    const [w, hh] = [width / scale, height / scale];
    this.zoom.x = Math.max(0, Math.min(this.zoom.x, width - w));
    this.zoom.y = Math.max(0, Math.min(this.zoom.y, height - hh));
    this.drawing.setAttribute("viewBox", `${this.box.left - MARGIN_MM + this.zoom.x} ${this.box.top - MARGIN_MM + this.zoom.y} ${w} ${hh}`);
    this.drawing.style.aspectRatio = `${width} / ${height}`;
    this.drawing.classList.toggle("zoomed", scale > 1);
    this.millimetre = (this.width || 360) / w;
    this.drawing.style.setProperty("--hair", `${1 / this.millimetre}px`);
  }

  size(thing) {
    return isToken(thing) ? [TOKEN_MM, TOKEN_MM] : [this.map.card_width, this.map.card_height];
  }

  drawZones() {
    const hair = 1 / this.millimetre;
    const taken = new Set(this.things.map((one) => one.zone));
    const isShown = (zone) => zone.label && (taken.has(zone.name) || this.turn?.glows([zone.name]));
    const [left, right] = [(zone) => this.across(zone.x), (zone) => this.across(zone.x + zone.width)];
    const [top, bottom] = [(zone) => this.down(zone.y), (zone) => this.down(zone.y + zone.height)];
    const made = (zone) => {
      const isGlowing = Boolean(this.turn?.glows([zone.name]));
      const act = () => this.onTap([zone.name], { title: zone.label });
      return s("g", { class: isGlowing ? "zone-spot glows" : "zone-spot", "data-zone": zone.name, role: isGlowing ? "button" : null, tabindex: isGlowing ? 0 : null, "aria-label": isGlowing ? zone.label : null, onclick: isGlowing ? act : null, onkeydown: isGlowing ? pressed(act) : null },
        s("rect", { x: left(zone), y: top(zone), width: Math.max(0, right(zone) - left(zone)), height: Math.max(0, bottom(zone) - top(zone)), rx: 8 }),
        taken.has(zone.name) ? null : s("text", { x: (left(zone) + right(zone)) / 2, y: (top(zone) + bottom(zone)) / 2 + 4 * hair, "font-size": 12 * hair }, zone.label));
    };
    this.zones.replaceChildren(...this.map.zones.filter(isShown).map(made));
    const numbered = this.map.zones.filter((zone) => /-\d+$/.test(zone.name) && isShown(zone) && zone.label.match(/\d/));
    this.badges.replaceChildren(...numbered.map((zone) => s("g", { transform: `translate(${Math.max(left(zone), this.box.left - MARGIN_MM) + 10 * hair} ${Math.max(top(zone), this.box.top - MARGIN_MM) + 10 * hair})`, "aria-hidden": "true" },
      s("circle", { r: 9 * hair }), s("text", { y: 4 * hair, "font-size": 11.5 * hair }, zone.name.match(/\d+$/)[0]))));
  }

  place(thing) {
    const old = this.before.get(thing.key);
    let part = this.parts.get(thing.key);
    const shown = `${thing.card}|${thing.face}`;
    if (!part) {
      part = this.made(thing);
      this.parts.set(thing.key, part);
      this.cards.append(part);
    }
    if (part.shown !== shown) this.paint(part, thing, shown);
    else this.sharpen(part, thing);
    // A card that was only pushed along in its zone is left unmarked.
    const isMoved = old && (old.zone !== thing.zone || Math.abs(((old.angle - thing.angle + 540) % 360) - 180) > 45 || old.face !== thing.face);
    // The box knows what its last act changed; of what only the camera sees, and in a replay, the page itself must.
    if (thing.isLast ?? (!this.isNew && (!old || isMoved))) part.classList.add("changed");
    part.style.transform = `translate(${this.across(thing.x)}px, ${this.down(thing.y)}px) rotate(${thing.angle}deg)`;
    const ids = idsOf(thing);
    const glows = Boolean(this.turn?.glows(ids, thing.zone));
    const isChosen = ids.some((id) => this.turn?.isChosen(id));
    part.classList.toggle("glows", glows);
    part.classList.toggle("chosen", isChosen);
    part.classList.toggle("fresh", Boolean(thing.isFresh));
    part.classList.toggle("unsure", Boolean(thing.seen && thing.seen.card && thing.seen.confidence < 0.9));
    part.classList.toggle("corrected", Boolean(thing.seen?.is_corrected));
    part.setAttribute("tabindex", glows || thing.isFresh ? 0 : -1);
    if (isChosen || part.hasAttribute("aria-pressed")) part.setAttribute("aria-pressed", String(isChosen));
    part.setAttribute("aria-label", this.spoken(thing));
    part.thing = thing;
  }

  spoken(thing) {
    if (isToken(thing)) return t("player", { seat: thing.card.match(/\d+$/)?.[0] ?? "" });
    const side = sideOf(this.map, thing.card, thing.face);
    const name = thing.seen ? thing.seen.name : side?.name || thing.card;
    const zone = this.map.zones.find((one) => one.name === thing.zone);
    return [name, zone?.label, thing.seen?.is_corrected ? t("corrected_card") : ""].filter(Boolean).join(", ");
  }

  made(thing) {
    const part = s("g", { class: isToken(thing) ? "thing token-thing" : "thing", role: "button", "data-card": thing.card });
    part.addEventListener("click", (event) => { event.stopPropagation(); if (!this.isMoved) this.tapped(part.thing); });
    part.addEventListener("keydown", pressed(() => this.tapped(part.thing)));
    part.addEventListener("contextmenu", (event) => { event.preventDefault(); this.onAbout(part.thing); });
    part.addEventListener("pointerdown", () => { clearTimeout(this.long); this.long = setTimeout(() => { this.isMoved = true; this.onAbout(part.thing); }, LONG_PRESS_MS); });
    return part;
  }

  paint(part, thing, shown) {
    part.shown = shown;
    const [width, height] = this.size(thing);
    const box = { x: -width / 2, y: -height / 2, width, height };
    if (isToken(thing)) {
      part.replaceChildren(s("circle", { r: width / 2, class: "token" }), s("text", { class: "token-number", y: width * 0.2, "font-size": width * 0.6 }, thing.card.match(/\d+$/)?.[0] ?? "•"));
      return;
    }
    const side = thing.card ? sideOf(this.map, thing.card, thing.face) : null;
    part.classList.remove("loaded");
    const art = this.art(thing);
    part.art = art;
    const words = (side?.name || thing.card).split(" ").slice(0, 3);
    const letters = Math.max(...words.map((word) => word.length), 7);
    part.replaceChildren(s("rect", { ...box, rx: 4, class: "paper" }),
      thing.card ? s("text", { class: "paper-name", "font-size": (width * 1.4) / letters }, words.map((word, at) => s("tspan", { x: 0, y: (at - 1) * (width / 6) }, word)))
        : s("text", { class: "paper-name", "font-size": width / 2, y: width / 6 }, "?"),
      art ? patient(s("image", { ...box, href: art, preserveAspectRatio: "none", onload: () => part.classList.add("loaded") }), "href") : null,
      s("rect", { ...box, rx: 4, class: "edge" }));
  }

  art(thing) {
    const side = thing.card ? sideOf(this.map, thing.card, thing.face) : null;
    return artOf(side, this.size(thing)[0] * this.millimetre * (thing.angle % 180 ? 1.4 : 1));
  }

  // A card that has become larger gets a larger picture; until that has come it keeps the one it has.
  sharpen(part, thing) {
    const art = this.art(thing);
    const image = part.querySelector("image");
    if (!image || !art || Number(art.split("/").at(-1)) <= Number(part.art.split("/").at(-1))) return;
    part.art = art;
    const larger = new Image();
    larger.onload = () => { if (part.art === art) image.setAttribute("href", art); };
    larger.src = art;
  }

  tapped(thing) {
    this.onTap(idsOf(thing), { zone: thing.zone, face: thing.face, thing });
  }

  // Fingers: two zoom, one moves a table that is larger than the screen, two quick taps come closer and go back.
  watch() {
    const fingers = new Map();
    let last = null;
    let tap = 0;
    const spot = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(this.drawing.getScreenCTM().inverse());
    const closer = (at, scale) => {
      const next = Math.max(1, Math.min(4, scale));
      const share = this.zoom.scale / next;
      const [left, top] = [this.box.left - MARGIN_MM, this.box.top - MARGIN_MM];
      this.zoom = { scale: next, x: at.x - left - (at.x - left - this.zoom.x) * share, y: at.y - top - (at.y - top - this.zoom.y) * share };
      this.redraw();
    };
    const spread = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY); };
    const middle = () => { const [a, b] = [...fingers.values()]; return spot({ clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 }); };
    this.drawing.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, event);
      if (fingers.size === 1) this.isMoved = false;
      else clearTimeout(this.long);  // two fingers that rest on a card don't ask what it is
      last = fingers.size === 2 ? { spread: spread() } : { x: event.clientX, y: event.clientY };
    });
    this.drawing.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId) || !this.box) return;
      fingers.set(event.pointerId, event);
      if (fingers.size === 2 && last.spread) {
        const now = spread();
        this.isMoved = true;
        closer(middle(), this.zoom.scale * (now / last.spread));
        last = { spread: now };
      } else if (fingers.size === 1 && this.zoom.scale > 1 && last.x !== undefined) {
        const [x, y] = [event.clientX - last.x, event.clientY - last.y];
        if (Math.hypot(x, y) < 4 && !this.isMoved) return;
        this.isMoved = true;
        clearTimeout(this.long);
        this.zoom.x -= x / this.millimetre;
        this.zoom.y -= y / this.millimetre;
        last = { x: event.clientX, y: event.clientY };
        this.look();
      } else if (last?.x !== undefined && Math.hypot(event.clientX - last.x, event.clientY - last.y) > 8) clearTimeout(this.long);
    });
    const up = (event) => { clearTimeout(this.long); fingers.delete(event.pointerId); if (!fingers.size) last = null; };
    ["pointerup", "pointercancel", "pointerleave"].forEach((name) => this.drawing.addEventListener(name, up));
    // A double tap on bare cloth: on a card the first tap would already have played it.
    this.drawing.addEventListener("click", (event) => {
      if (event.target.closest(".glows")) return;
      // By when it was tapped, not by when that is handled: a busy phone is late.
      const isSecond = event.detail === 2 || event.timeStamp - tap < DOUBLE_TAP_MS;
      if (isSecond) closer(spot(event), this.zoom.scale > 1 ? 1 : DOUBLE_TAP_ZOOM);
      // A third tap begins anew, or it would undo what two have done.
      tap = isSecond ? 0 : event.timeStamp;
    });
    this.drawing.addEventListener("wheel", (event) => { if (!event.ctrlKey || !this.box) return; event.preventDefault(); closer(spot(event), this.zoom.scale * (event.deltaY < 0 ? 1.15 : 0.87)); }, { passive: false });
    new ResizeObserver(([{ contentRect }]) => {
      if (contentRect.width === this.width) return;
      this.width = contentRect.width;
      this.redraw();
    }).observe(this.whole);
  }

  redraw() {
    if (!this.map || !this.things) return;
    this.frame();
    this.drawZones();
    this.things.forEach((thing) => this.place(thing));
  }

  // Everything that lies there now was there before: nothing of it counts as changed.
  settle() {
    this.isNew = false;
  }
}

const pressed = (act) => (event) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  act();
};

// Cards beside the table that can be played: tapped, or dragged onto it.
export function draggable(element, board, act) {
  element.addEventListener("pointerdown", (down) => {
    if (down.button) return;
    let ghost = null;
    const follow = (event) => {
      if (!ghost && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < 10) return;
      if (!ghost) {
        ghost = element.querySelector(".art").cloneNode(true);
        ghost.classList.add("ghost");
        document.body.append(ghost);
      }
      ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -60%) ${isStill() ? "" : "rotate(-3deg)"}`;
      const edge = board.whole.getBoundingClientRect();
      board.whole.classList.toggle("over", event.clientY < edge.bottom && event.clientY > edge.top && event.clientX > edge.left && event.clientX < edge.right);
    };
    const drop = (event) => {
      ["pointermove", "pointerup", "pointercancel"].forEach((name) => window.removeEventListener(name, name === "pointermove" ? follow : drop));
      const isOver = board.whole.classList.contains("over");
      board.whole.classList.remove("over");
      if (!ghost) return;
      ghost.remove();
      // What was dragged isn't tapped as well.
      element.addEventListener("click", (click) => { click.stopImmediatePropagation(); click.preventDefault(); }, { capture: true, once: true });
      setTimeout(() => element.dispatchEvent(new Event("click")), 0);
      if (isOver && event.type === "pointerup") act();
    };
    window.addEventListener("pointermove", follow);
    window.addEventListener("pointerup", drop);
    window.addEventListener("pointercancel", drop);
  });
}

export const seenNow = () => (store.seen && store.shared && store.seen.cards.length ? store.seen : null);
