// The table: what is asked and of whom in one sentence, the cards where they lie, what can be done, the panel, the log.
import { forget, h, show, toast } from "./dom.js";
import { attempt, get, goOn, mapped, press, redo, store, t, undo } from "./api.js";
import { Board, draggable, lying, seenNow } from "./board.js";
import { Turn, about, answerable, asList, cardOf, choices, racked, sheet, thumb } from "./play.js";

let parts = null;
let board = null;
let turn = null;
let panel = null;

export const nameOf = (said, seat) => said.names[seat] || t("player", { seat: seat + 1 });
export const chip = (said, seat, kind = "") => h("span", { class: `seat-chip ${kind}`, role: "img", "aria-label": nameOf(said, seat) }, String(seat + 1));

// One sentence: whose turn, what is asked, what ✔ would do. A complaint is red; what the box can't tell is a question.
export function question(said, asked = said.question) {
  const whose = said.seat === null || said.is_over ? null : chip(said, said.seat);
  const kinds = ["ask", said.is_over ? (said.has_won ? "won" : "lost") : ""].filter(Boolean).join(" ");
  return h("section", { class: kinds, "aria-labelledby": "asked" },
    h("h1", { id: "asked", "aria-live": "polite" }, whose, h("span", {}, asked, said.progress ? h("small", { class: "progress-count" }, ` ${t("so_many", { done: said.progress[0], of: said.progress[1] })}`) : null)),
    said.complaint ? h("p", { class: "complaint", role: "alert" }, said.complaint) : null,
    said.asked ? h("p", { class: "asked", role: "status" }, said.asked) : null,
    lessons(said),
    said.teaching.told && !said.complaint ? h("p", { class: "quiet happened" }, said.teaching.told) : null,
    said.answers.length ? answers(said) : null,
    said.complaint && said.can_believe ? h("p", {}, h("button", { class: "second", "data-key": "believe", onclick: believe }, t("believe"))) : null,
    said.offered && !said.answers.length ? h("p", { class: "offered" }, t("confirm_does", { what: said.offered })) : null,
    said.otherwise.length ? h("p", {}, h("button", { class: "plain", "data-key": "otherwise", onclick: otherwise }, t("take_otherwise"))) : null,
    said.notice && !said.complaint ? h("p", { class: "quiet" }, said.notice) : null,
    said.visitor ? h("p", { class: "asked", role: "status" }, said.visitor) : null,
    said.is_over ? h("p", {}, h("a", { class: "big", href: "#setup" }, t("new_game"))) : null,
    said.is_private && store.seat?.seat !== said.seat ? h("p", {}, t("private_turn", { seat: said.seat + 1 }), " ", h("a", { href: `#seat/${said.seat + 1}` }, t("take_seat", { seat: said.seat + 1 }))) : null,
    said.is_private && store.seat?.seat === said.seat ? h("p", {}, h("a", { class: "big", href: "#seat" }, t("your_turn_go"))) : null);
}

// What the box teaches is fetched when there is something to teach.
function lessons(said) {
  const { lessons: told, laying, asked_card: asked } = said.teaching;
  if (!told.length && !laying && !asked) return null;
  const place = h("div", {});
  import("./lesson.js").then(({ taught }) => place.replaceChildren(taught(said)));
  return place;
}

// Taking the table as it lies corrects everything at once, so it's confirmed first; what no camera sees is asked then.
function believe() {
  const { number } = store.shared;
  const close = sheet(t("believe"), h("p", {}, t("believe_why")), h("div", { class: "choice-list" },
    h("button", { class: "big", "data-key": "believe-sure", onclick: () => { close(); attempt("POST", "/believe", { number }); } }, t("believe_sure")),
    h("button", { onclick: () => close() }, t("cancel"))));
}

// What ✔ would take, for who isn't done yet or has done what no camera sees.
function otherwise() {
  const { moment, otherwise: ways } = store.shared;
  const close = sheet(t("take_otherwise"), choices({ choices: ways, sets: [] }, (which) => { close(); attempt("POST", "/take", { which: Number(which), moment }); }));
}

function answers(said) {
  const one = ({ key, value, label, is_likely: isLikely }) => h("button", { class: isLikely ? "likely" : "", "data-key": `answer-${key}-${value}`,
    onclick: () => attempt("POST", "/believe", { number: said.number, answer: { key, value } }) }, key === "turn" ? nameOf(said, value) : label);
  return h("div", { class: "answers", role: "group", "aria-label": said.asked }, said.answers.map(one),
    h("button", { class: "plain", "data-key": "answer-none", onclick: () => press("back") }, t("cancel")));
}

// What was understood last, whose turn it is, what is asked and what ✔ would do: in words, for who has lost the thread.
export function whatNow(said, asked = said.question) {
  const last = said.log.at(-1);
  const whose = said.is_over ? "" : said.seat === null ? t("anyones_turn") : store.seat?.seat === said.seat ? t("your_turn") : t("turn_of", { player: nameOf(said, said.seat) });
  const row = (label, ...texts) => { const told = texts.filter(Boolean); return told.length ? [h("dt", {}, label), h("dd", {}, told.map((text) => h("p", {}, text)))] : null; };
  sheet(t("what_now"), h("dl", { class: "in-words what-now" },
    row(t("last_done"), last ? last.told.join(" ") || t("told_hidden") : t("nothing_done")),
    row(t("asked_now"), whose, asked, said.complaint, said.asked, said.offered ? t("confirm_does", { what: said.offered }) : "")));
}

function menu(said) {
  return h("section", { class: "card hello" }, h("p", { class: "moon large", "aria-hidden": "true" }, "☾"), h("h1", {}, t("choose_game")), said.visitor ? h("p", { class: "asked", role: "status" }, said.visitor) : null,
    said.complaint ? h("p", { class: "complaint", role: "alert" }, said.complaint) : null,
    said.offered ? h("p", { class: "offered" }, t("confirm_does", { what: said.offered })) : null,
    h("p", {}, h("a", { class: "big", href: "#setup" }, t("new_game"))),
    said.unfinished.map((one) => h("p", {}, h("button", { class: "big second", onclick: () => goOn(one.number) }, t("go_on", { game: one.label })))));
}

// Who sits there, with how many cards; what is counted; how loud it is.
export function strip(said, tapSeat, own = null, now = turn) {
  const zones = said.picture.zones;
  const seats = [...Array(said.players).keys()].map((seat) => {
    const hand = zones.find((zone) => zone.seat === seat && /^hand/.test(zone.key));
    const glows = now?.glows([`seat-${seat + 1}`]);
    const content = [chip(said, seat, said.seat === seat && !said.is_over ? "active" : "idle"), said.names[seat] ? h("span", {}, said.names[seat]) : null,
      hand ? h("span", { class: "hand-count", title: t("hand_count", { count: hand.cards.length }) }, h("i", { class: "mini-back", "aria-hidden": "true" }), String(hand.cards.length)) : null];
    const label = [nameOf(said, seat), hand ? t("hand_count", { count: hand.cards.length }) : ""].filter(Boolean).join(", ");
    return glows ? h("button", { class: "seat-tag glows", "data-key": `seat-${seat + 1}`, "aria-label": label, onclick: () => tapSeat(seat) }, content)
      : h("span", { class: seat === own ? "seat-tag own" : "seat-tag" }, content);
  });
  const piles = zones.filter((zone) => zone.layout === "pile").map((zone) => h("span", { class: "pile-tag" }, `${zone.label} `, h("strong", {}, String(zone.count))));
  return h("div", { class: "strip" }, h("div", { class: "tags" }, seats, piles), said.picture.meters.map(meter), said.picture.notes.map((note) => h("p", { class: "note" }, note)));
}

function meter(one) {
  const most = Math.min(one.most, 60);
  const on = Math.round((one.value / one.most) * most);
  const kind = (at) => (at >= on ? "" : at / most < 0.4 ? "calm" : at / most < 0.75 ? "loud" : "full");
  return h("div", { class: "meter", role: "img", "aria-label": `${one.label}: ${one.value} / ${one.most}` }, h("span", {}, one.label), h("span", { class: "blocks", "aria-hidden": "true" }, [...Array(most).keys()].map((at) => h("i", { class: kind(at) }))), h("strong", {}, `${one.value} / ${one.most}`));
}

// The pictures beside the table are kept: one that comes back is neither loaded nor decoded again.
const pictures = new WeakMap();
function picture(map, card, width) {
  if (!pictures.has(map)) pictures.set(map, new Map());
  const kept = pictures.get(map);
  const key = `${card}|${width}`;
  if (!kept.has(key)) kept.set(key, cardOf(map, card, { width }));
  return kept.get(key);
}

// The cards that can be played and don't lie on the table, in rows of a colour where there are many.
export function rack(now, onBoard, width) {
  if (!now.rack.length) return null;
  const tones = new Map();
  now.rack.forEach((card) => { const tone = now.rack.length > 9 ? now.map.sides[now.place(card)].tone : ""; tones.set(tone, [...(tones.get(tone) || []), card]); });
  const one = (card) => {
    const act = () => now.tap(racked(card));
    const made = h("button", { class: now.isChosen(card) ? "rack-card glows chosen" : "rack-card glows", "data-key": `rack-${card}`, "data-card": card, "aria-pressed": now.setOf(card) ? String(now.isChosen(card)) : null,
      "aria-label": now.map.sides[now.place(card)].name, onclick: act, oncontextmenu: (event) => { event.preventDefault(); about(now.map, card); } }, picture(now.map, card, width));
    draggable(made, onBoard, act);
    return made;
  };
  return h("div", { class: "rack", role: "group", "aria-label": t("rack") }, [...tones.values()].map((cards) => h("div", { class: "rack-row", tabindex: -1 }, cards.map(one))));
}

export function logLines(lines, onCorrect) {
  return h("ol", { class: "log" }, [...lines].reverse().map((line) => h("li", { value: line.number },
    h("span", { class: "number", "aria-hidden": "true" }, String(line.number)),
    h("span", { class: "told" }, line.told.join(" ") || t("told_hidden")),
    onCorrect && line.can_correct ? h("button", { class: "plain", "data-key": `fix-${line.number}`, "aria-label": t("correct_move", { number: line.number }), onclick: () => onCorrect(line) }, "✎") : null)));
}

function log(said) {
  return h("section", { class: "card", "aria-label": t("log") },
    h("div", { class: "row" }, h("h2", {}, t("log")),
      h("button", { "data-key": "undo", disabled: !said.can_undo, onclick: undo }, `↶ ${t("undo")}`),
      h("button", { "data-key": "redo", disabled: !said.can_redo, onclick: redo }, `↷ ${t("redo")}`)),
    said.can_believe ? h("p", {}, h("button", { class: "plain", "data-key": "believe-any-time", onclick: believe }, t("believe"))) : null,
    said.notices.map((text) => h("p", { class: "quiet notice" }, text)),
    said.log.length ? logLines(said.log, correct) : h("p", { class: "quiet" }, t("log_empty")));
}

async function correct(line) {
  const number = store.shared.number;
  let options;
  try {
    options = await get(`/moves/${line.number}`);
  } catch (error) {
    toast(error.message, true);
    return;
  }
  const close = sheet(t("really", { number: line.number }), h("p", { class: "quiet" }, line.told.join(" ")),
    choices(options, async (text) => {
      close();
      const done = await attempt("POST", "/corrections", { at: line.number, move: text, number });
      if (done) toast(done.dropped ? t("corrected_dropped", { count: done.dropped }) : t("corrected"));
    }), h("button", { onclick: () => close() }, t("cancel")));
}

// The table in words, zone by zone: for a screen reader, and for whoever doubts the drawing.
export function inWords(picture) {
  const cards = (zone) => (zone.cards.length ? (zone.cards.every((drawn) => drawn.is_hidden) ? t("hidden_cards", { count: zone.cards.length }) : zone.cards.map(spoken).join(", ")) : zone.count ?? t("empty"));
  const lit = (zone) => (zone.is_lit === null || zone.is_lit === undefined ? "" : zone.is_lit ? ` (${t("lit")})` : ` (${t("unlit")})`);
  return h("dl", { class: "in-words" }, picture.zones.map((zone) => [h("dt", {}, zone.label + lit(zone)), h("dd", {}, String(cards(zone)))]));
}

function spoken(drawn) {
  const parts = [drawn.name];
  if (drawn.is_turned) parts.push(t("turned"));
  if (drawn.is_gone) parts.push(t("gone"));
  if (drawn.is_marked) parts.push(t("marked"));
  for (const seat of drawn.tokens || []) parts.push(t("player", { seat: seat + 1 }));
  return parts.join(", ");
}

const isWide = () => matchMedia("(min-width: 1000px)").matches;

// The twin of the panel is fetched when somebody wants to see it.
async function unfold(isOpen) {
  if (!isOpen || panel || !parts) return;
  panel = await import("./panel.js");
  if (parts && store.shared) show(parts.panel, Object.keys(store.shared.panel.lamps), () => panel.panel(store.shared.panel));
}

function tap(ids, how) {
  const { thing } = how;
  // A card that the box can't place or name is asked about, not played.
  if (thing?.isFresh || (thing?.seen && !turn?.glows(ids, how.zone))) look(thing);
  else turn?.tap(ids, how);
}

// What a card is and does; and, where the camera has read it, what it really is.
async function look(thing) {
  if (!thing.seen) {
    about(store.map, thing.card, thing.face, thing.card.startsWith("token-") ? t("token") : "");
    return;
  }
  const { correctSeen } = await import("./seen.js");
  const close = about(store.map, thing.card, thing.face, thing.seen.name, h("p", {}, h("button", { class: "big second", onclick: () => { close(); correctSeen(thing.seen); } }, t("correct_card"))));
}

function drawTable(said) {
  const map = mapped();
  const things = lying(said, seenNow());
  const options = answerable();
  turn = new Turn(options, said.number, map, things, () => drawTurn(said, map, things));
  parts.board.hidden = !map;
  drawTurn(said, map, things);
  asList(parts.list, options, said.number);
}

function drawTurn(said, map, things) {
  const width = isWide() ? 64 : Math.max(46, Math.min(64, Math.floor(window.innerWidth / 6.6)));
  show(parts.rack, { options: turn.options, number: said.number, map: map?.game_id, isDrawn: map?.is_drawn, chosen: [...turn.chosen.values()].map((set) => [...set]), width, lying: turn.rack },
    () => [rack(turn, board, width), h("div", { class: "actions" }, turn.actions())]);
  show(parts.strip, { p: said.picture, names: said.names, seat: said.seat, seats: [...Array(said.players).keys()].map((seat) => turn.glows([`seat-${seat + 1}`])), number: said.number, taken: said.seats_taken }, () => strip(said, (seat) => turn.tap([`seat-${seat + 1}`], { title: nameOf(said, seat) })));
  fit();
  if (!map) return;
  board.draw(map, things, turn, { number: said.number });
  board.settle();
}

// The table takes the room that the sentence above it and the cards below it leave.
function fit() {
  const others = [parts.ask, parts.strip].reduce((sum, one) => sum + one.offsetHeight, 0) + Math.min(parts.rack.offsetHeight, 200);
  const frame = isWide() ? 90 : 196;
  board.drawing.style.maxHeight = `${Math.max(window.innerHeight * 0.34, window.innerHeight - others - frame)}px`;
}

function draw() {
  const said = store.shared;
  if (!parts || !said) return;
  const isPlaying = Boolean(said.game);
  parts.whole.classList.toggle("idle", !isPlaying);
  show(parts.ask, isPlaying ? { ...said, map: store.map?.game_id, log: 0, panel: 0, picture: 0, options: 0, moment: 0, things: 0, own: store.seat?.seat } : { menu: 1, unfinished: said.unfinished, offered: said.offered, visitor: said.visitor, complaint: said.complaint }, () => (isPlaying ? question(said) : menu(said)));
  [parts.strip, parts.board, parts.rack, parts.list, parts.below].forEach((one) => { one.hidden = !isPlaying; });
  if (isPlaying) drawTable(said);
  parts.thumb.say(said);
  if (panel) {
    show(parts.panel, Object.keys(said.panel.lamps), () => panel.panel(said.panel));
    panel.relight(parts.panel, said.panel);
  }
  show(parts.log, { log: said.log, notices: said.notices, undo: said.can_undo, redo: said.can_redo, believe: said.can_believe, isPlaying }, () => (isPlaying ? log(said) : null));
  if (isPlaying) show(parts.words, said.picture, (picture) => h("details", { class: "card" }, h("summary", {}, t("in_words")), inWords(picture)));
  show(parts.tools, { game: said.game, sim: said.is_simulated, over: said.is_over, camera: said.has_picture }, () => (isPlaying ? h("p", { class: "tools" },
    h("button", { class: "plain", "data-key": "what-now-words", onclick: () => whatNow(store.shared) }, `… ${t("what_now")}`),
    h("a", { href: "#help" }, `? ${t("help")}`),
    said.is_over ? null : h("a", { href: "#photo" }, `◉ ${t("photo")}`),
    said.has_picture ? h("a", { href: "#seen" }, `◫ ${t("camera_sees")}`) : null,
    said.is_simulated && !said.is_over ? h("a", { href: "#try" }, `✥ ${t("try_out")}`) : null) : null));
}

export function table(place) {
  const names = ["ask", "strip", "rack", "list", "log", "panel", "words", "tools"];
  parts = Object.fromEntries(names.map((name) => [name, h("div", { class: `part-${name}` })]));
  Object.values(parts).forEach(forget);
  board = new Board({ onTap: tap, onAbout: look });
  panel = null;
  turn = null;
  parts.board = h("div", { class: "part-board" }, board.whole);
  parts.thumb = thumb(() => turn);
  const fold = h("details", { class: "card fold", open: isWide(), ontoggle: () => unfold(fold.open) }, h("summary", { "data-key": "panel" }, t("panel")), parts.panel);
  parts.below = h("div", { class: "below" }, fold, parts.log, parts.words);
  parts.whole = h("div", { class: "table-view" },
    h("div", { class: "table-main" }, parts.ask, parts.strip, parts.board, parts.rack, parts.tools, parts.list),
    h("div", { class: "table-side" }, parts.thumb.whole, parts.below));
  place.replaceChildren(parts.whole);
  draw();
  if (fold.open) unfold(true);
  return (what, data) => {
    if (what === "state" || what === "map" || what === "seen" || what === "seat") draw();
    if (what === "flourish" && panel) panel.flourish(parts.panel, data).then(draw);
  };
}
