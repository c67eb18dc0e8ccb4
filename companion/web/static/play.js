// What can be done now, and how a tap means it: on a card, a zone or a player. The same choices are a list, too.
import { h, show, toast } from "./dom.js";
import { attempt, get, press, store, t, undo } from "./api.js";

// Cards

const sides = new WeakMap();
function bySide(map) {
  if (!sides.has(map)) {
    const found = new Map();
    for (const side of map.sides) {
      found.set(`${side.card}|${side.face}`, side);
      for (const name of [side.card, side.means]) if (name && !found.has(name)) found.set(name, side);
    }
    sides.set(map, found);
  }
  return sides.get(map);
}

export const sideOf = (map, card, face = "") => bySide(map).get(`${card}|${face}`) || bySide(map).get(card) || null;

// The smallest picture that is sharp at so many pixels of the screen.
export function artOf(side, pixels) {
  if (!side?.art) return "";
  const wanted = pixels * Math.min(window.devicePixelRatio || 1, 2.5);
  return `/api/v1/art/${side.art}/${wanted <= 110 ? 96 : wanted <= 230 ? 192 : 384}`;
}

// A picture that didn't come is asked for again: the box may be busy or just starting.
export function patient(picture, name) {
  let tries = 0;
  picture.addEventListener("error", () => {
    tries += 1;
    if (tries < 8) setTimeout(() => { if (picture.isConnected) picture.setAttribute(name, picture.getAttribute(name)); }, 800 * tries);
  });
  return picture;
}

// A card as an element of a page: its picture, or its name while there is none.
export function cardOf(map, card, { face = "", name = "", width = 64, isHidden = false } = {}) {
  const side = map ? sideOf(map, card, face) : null;
  const height = Math.round(width * (map ? map.card_height / map.card_width : 1.4));
  if (isHidden) return h("span", { class: "art back", "data-width": width });
  const art = artOf(side, width);
  const made = h("span", { class: "art" }, h("span", { class: "art-name", "aria-hidden": "true" }, name || side?.name || card),
    art ? patient(h("img", { src: art, alt: "", width, height, decoding: "async", draggable: "false" }), "src") : null);
  made.style.width = `${width}px`;
  made.style.height = `${height}px`;
  return made;
}

// Moves

// Makes a move; one that is final waits for a hold.
async function move(text, number, says) {
  const make = (body) => attempt("POST", "/moves", { move: text, number, ...body });
  const tell = (done) => {
    if (done && says) toast(says, false, { label: `↶ ${t("undo")}`, act: undo });
    // Who tapped a card far below sees the next question.
    if (done) document.getElementById("asked")?.scrollIntoView({ block: "nearest" });
  };
  const done = await make({ asks_first: true });
  if (!done?.hold) { tell(done); return; }
  const close = sheet(says || t("sure"), h("p", {}, done.hold), holdButton(async () => { close(); tell(await make()); }));
}

function leaves(options) {
  const found = [];
  const walk = (choice) => {
    if (choice.branches?.length) choice.branches.forEach(walk);
    else if (choice.move) found.push({ taps: [], ...choice });
  };
  options.choices.forEach(walk);
  return found;
}

export const idsOf = (thing) => {
  const name = thing.means || thing.card;
  return [thing.card, name, `${name}@${thing.zone}`].filter(Boolean);
};

// The moves that somebody may mean by tapping this; what lies in a zone stands for the zone.
function meant(all, ids, zone = "") {
  const usual = all.filter((leaf) => !leaf.is_mishap);
  const own = usual.filter((leaf) => leaf.taps.some((tap) => ids.includes(tap)));
  return own.length || !zone ? own : usual.filter((leaf) => leaf.taps.includes(zone));
}

// A tap on a card beside the table: one of a hand, or one that the deck has given.
const DECK = "deck:";
export const racked = (card) => [card, DECK + card];

// One question's moves and how far somebody is in answering it. `changed` is called when a choice of several cards grows.
export class Turn {
  constructor(options, number, map, things, changed) {
    this.options = options;
    this.number = number;
    this.map = map;
    this.changed = changed;
    this.all = leaves(options);
    this.chosen = new Map(options.sets.map((set) => [set.verb, new Set()]));
    const lying = new Set(things.flatMap((thing) => [...idsOf(thing), thing.zone]));
    const zones = new Set(map ? map.zones.map((zone) => zone.name) : []);
    const isDealt = (tap) => tap.startsWith(DECK);
    const isThere = (tap) => lying.has(tap) || zones.has(tap) || tap.startsWith("seat-");
    // Cards that can be played but don't lie on the table: they are in a hand or in the deck.
    const cards = new Set(options.sets.flatMap((set) => set.cards.map((drawn) => drawn.id)));
    this.all.filter((leaf) => !leaf.is_mishap).forEach((leaf) => leaf.taps.forEach((tap) => cards.add(tap)));
    const beside = [...cards].filter((card) => !isDealt(card) && !lying.has(card));
    const dealt = [...cards].filter(isDealt).map((card) => card.slice(DECK.length));
    this.rack = map ? [...new Set([...beside, ...dealt])].filter((card) => sideOf(map, card)).sort((a, b) => this.place(a) - this.place(b)) : [];
    const racked = new Set(this.rack.flatMap((card) => [card, DECK + card]));
    this.rest = this.all.filter((leaf) => !leaf.is_mishap && !(map && leaf.taps.some((tap) => isThere(tap) || racked.has(tap))));
    this.mishaps = options.choices.filter((choice) => choice.is_mishap);
  }

  place(card) {
    return this.map.sides.indexOf(sideOf(this.map, card));
  }

  setOf(card) {
    return this.options.sets.find((set) => set.cards.some((drawn) => drawn.id === card)) || null;
  }

  isChosen(card) {
    const set = this.setOf(card);
    return Boolean(set && this.chosen.get(set.verb).has(card));
  }

  glows(ids, zone = "") {
    return meant(this.all, ids, zone).length > 0 || ids.some((id) => this.setOf(id));
  }

  do(leaf) {
    return move(leaf.move, this.number, leaf.says);
  }

  // A tap: one move is made, several are asked about, none shows what the card is. A card that does something is read first.
  tap(ids, { zone = "", title = "", face = "" } = {}) {
    const card = ids.find((id) => this.setOf(id));
    if (card) {
      this.toggle(card);
      return;
    }
    const found = meant(this.all, ids, zone);
    const isRead = Boolean(this.map && sideOf(this.map, ids[0], face)?.does);
    if (found.length === 1 && !isRead) this.do(found[0]);
    else if (found.length) this.ask(found, ids[0], face, title);
    else about(this.map, ids[0], face, title);
  }

  ask(found, card, face, title) {
    const side = this.map ? sideOf(this.map, card, face) : null;
    const close = sheet(title || side?.name || t("what_can_be_done"),
      side ? h("div", { class: "about" }, cardOf(this.map, card, { face, width: 110 }), side.does ? h("p", {}, side.does) : null) : null,
      h("div", { class: "choice-list" }, found.map((leaf) => button(leaf, () => { close(); this.do(leaf); }))));
  }

  toggle(card) {
    const set = this.setOf(card);
    const chosen = this.chosen.get(set.verb);
    if (chosen.has(card)) chosen.delete(card);
    else if (chosen.size < set.count) chosen.add(card);
    this.changed();
  }

  // The choice of several cards that somebody has begun.
  begun() {
    return this.options.sets.find((set) => this.chosen.get(set.verb).size) || null;
  }

  // ✔ takes the cards that are chosen, and ✖ lets them go; else both are the box's.
  confirm() {
    const set = this.begun();
    if (!set) return false;
    const missing = set.count - this.chosen.get(set.verb).size;
    if (missing) toast(t("pick_more", { count: missing }), true);
    else this.take(set);
    return true;
  }

  back() {
    const set = this.begun();
    if (set) { this.chosen.get(set.verb).clear(); this.changed(); }
    return Boolean(set);
  }

  take(set) {
    return move(`${set.verb} ${[...this.chosen.get(set.verb)].sort().join(",")}`, this.number, set.label);
  }

  // Under the table: several cards to be confirmed, what no card stands for, and all of it as a list.
  actions() {
    return [
      this.options.sets.map((set) => this.sure(set)),
      this.rest.length ? h("div", { class: "choice-list" }, this.rest.map((leaf) => button(leaf, () => this.do(leaf)))) : null,
    ];
  }

  sure(set) {
    const chosen = this.chosen.get(set.verb);
    return h("button", { class: "big sure", "data-key": `sure-${set.verb}`, disabled: chosen.size !== set.count,
      onclick: () => this.take(set) }, t("pick_count", { label: set.label, count: chosen.size, most: set.count }));
  }
}

const button = (leaf, act) => h("button", { class: "choice", "data-key": `move-${leaf.move}`, onclick: act }, h("span", {}, leaf.says || leaf.label));

// What a card is and does, large.
export function about(map, card, face = "", title = "", more = []) {
  const side = map ? sideOf(map, card, face) : null;
  return sheet(title || side?.name || card, side ? h("div", { class: "about large" }, cardOf(map, card, { face, width: 190 }), h("div", {}, side.does ? h("p", {}, side.does) : h("p", { class: "quiet" }, t("does_nothing")), now(map, card))) : null, more);
}

// What a card would do now, as far as this phone may know it.
function now(map, card) {
  const place = h("p", { class: "quiet" });
  if (map === store.map) get(`/cards/${encodeURIComponent(card)}`).then((said) => { place.textContent = said.now; }, () => {});
  return place;
}

// A sheet from below with something to choose or to read; a tap beside it closes it.
export function sheet(title, ...content) {
  const dialog = h("dialog", { class: "sheet", "aria-labelledby": "sheet-title" });
  const close = () => dialog.close();
  dialog.append(h("div", { class: "sheet-head" }, h("h2", { id: "sheet-title" }, title), h("button", { class: "plain close", "aria-label": t("close"), onclick: close }, "✕")),
    ...content.flat(9).filter(Boolean));
  dialog.addEventListener("click", (event) => { if (event.target === dialog) close(); });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return close;
}

// The list of all choices, in the groups of the box's own chooser: for the keyboard, a screen reader, and who likes lists.

function branch(choice, enter) {
  const lamps = (choice.lamps || []).map((lamp) => h("i", { class: `dot ${lamp}`, "aria-hidden": "true" }));
  return h("button", { class: "choice more", "data-key": `more-${choice.key}`, onclick: enter }, lamps, h("span", {}, choice.label), h("span", { class: "arrow", "aria-hidden": "true" }, "›"));
}

function cardSet(set, pick) {
  const chosen = new Set();
  const sure = h("button", { class: "big sure", "data-key": `sure-${set.verb}`, disabled: true }, t("pick_count", { label: set.label, count: 0, most: set.count }));
  const cards = set.cards.map((drawn) => h("button", {
    class: "choice", "aria-pressed": "false", "data-key": `card-${drawn.id}`,
    onclick: (event) => {
      if (chosen.has(drawn.id)) chosen.delete(drawn.id);
      else if (chosen.size < set.count) chosen.add(drawn.id);
      else return;
      event.currentTarget.setAttribute("aria-pressed", String(chosen.has(drawn.id)));
      sure.disabled = chosen.size !== set.count;
      sure.textContent = t("pick_count", { label: set.label, count: chosen.size, most: set.count });
    },
  }, h("span", {}, drawn.name)));
  sure.addEventListener("click", () => pick(`${set.verb} ${[...chosen].sort().join(",")}`));
  return h("div", { class: "card-set" }, h("h3", {}, t("pick_some", { label: set.label, count: set.count })), h("div", { class: "choice-list" }, cards), sure);
}

export function choices(options, pick) {
  const place = h("div", { class: "choices" });
  const usual = options.choices.filter((choice) => !choice.is_mishap);
  const mishaps = options.choices.filter((choice) => choice.is_mishap);
  const only = usual.length === 1 && usual[0].branches?.length && !options.sets.length ? usual[0] : null;
  const one = (choice, above) => (choice.branches?.length ? branch(choice, () => level(choice.branches, [...above, choice])) : button({ ...choice, says: choice.label }, () => pick(choice.move)));

  function level(list, above) {
    const path = above.map((step) => step.label).join(" › ");
    place.replaceChildren(
      h("p", { class: "crumbs" }, h("button", { class: "plain", "data-key": "up", onclick: () => (above.length > 1 || !only ? up(above) : top()) }, `‹ ${t("back")}`), ` ${path}`),
      h("div", { class: "choice-list" }, list.map((choice) => one(choice, above))));
    place.querySelector("button")?.focus({ preventScroll: true });
  }

  function up(above) {
    const upper = above.slice(0, -1);
    if (upper.length) level(upper[upper.length - 1].branches, upper);
    else top();
  }

  function top() {
    const first = only ? only.branches : usual;
    place.replaceChildren(...[
      only ? h("h3", {}, only.label) : null,
      first.length ? h("div", { class: "choice-list" }, first.map((choice) => one(choice, only ? [only] : []))) : null,
      ...options.sets.map((set) => cardSet(set, pick)),
      mishaps.length ? h("details", { class: "mishaps" }, h("summary", {}, t("mishap")), h("div", { class: "choice-list" }, mishaps.map((choice) => one(choice, [])))) : null,
    ].filter(Boolean));
  }

  top();
  return place;
}

// Everything as a list, folded away until somebody wants it.
export function asList(place, options, number) {
  const isThere = options.choices.length + options.sets.length > 0;
  show(place, { options, number }, () => (isThere ? h("details", { class: "card list", open: place.querySelector("details")?.open },
    h("summary", { "data-key": "as-list" }, t("as_list")), choices(options, (text) => move(text, number))) : null));
}

// What somebody may answer on this page: the shared question, or that of the phone's own seat.
export function answerable() {
  const { shared, seat } = store;
  if (shared.is_private) return seat?.is_turn && seat.number === shared.number ? seat.options : { choices: [], sets: [] };
  return shared.options;
}


// ✔ and ✖ where the thumb is, and the arrows between them: the four buttons of the box, always at hand.

// How long a button is held, in seconds; the box says so, since an ending takes longer than a question.
let holds = { confirm: 1, back: 2, end: 2 };

// A button that can be held: `hold` is done once it was down for as long as `holds` says for `name`, `press` by a shorter press.
function holdable(name, attributes, label, hold, press) {
  let timer = null;
  let isHeld = false;
  const begin = () => {
    isHeld = false;
    if (holds[name]) {
      made.style.setProperty("--hold", `${holds[name]}s`);
      made.classList.add("holding");
      timer = setTimeout(() => { isHeld = true; made.classList.remove("holding"); hold(); }, holds[name] * 1000);
    }
  };
  const end = () => { clearTimeout(timer); made.classList.remove("holding"); };
  const made = h("button", {
    ...attributes, onpointerdown: begin, onpointerup: end, onpointerleave: end, onpointercancel: end,
    oncontextmenu: (event) => event.preventDefault(),
    onclick: (event) => { if (!isHeld) press(event); isHeld = false; },
  }, label);
  return made;
}

// What is final takes a hold; a keyboard's Enter counts as held.
const holdButton = (act) => holdable("end", { class: "big round confirm hold-it", "data-key": "hold" }, t("hold_it"), act,
  (event) => { if (event.detail === 0) act(); });

const key = (name, symbol, turn) => holdable(name, { class: `round ${name}`, "data-key": `button-${name}`, "aria-label": t(`button_${name}`) }, symbol,
  () => { press(name, true); navigator.vibrate?.(30); }, () => { if (!turn()?.[name]?.()) press(name); });

// `turn` gives what is being chosen on the page now.
export function thumb(turn = () => null) {
  const [back, left, right, confirm] = [["back", "✖"], ["left", "◀"], ["right", "▶"], ["confirm", "✔"]].map(([name, symbol]) => key(name, symbol, turn));
  const whole = h("div", { class: "thumb", role: "group", "aria-label": t("panel_buttons") }, back, left, right, confirm);
  return {
    whole,
    say(said) {
      holds = said.panel.holds;
      confirm.classList.toggle("offers", Boolean(said.offered));
      confirm.classList.toggle("hold-it", said.is_held);
    },
  };
}
