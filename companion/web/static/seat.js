// A seat's own page: its hand first, all it's asked and can do, the table small below; enough for a whole game.
import { forget, h, show } from "./dom.js";
import { attempt, mapped, store, t } from "./api.js";
import { Board, draggable, lying, seenNow } from "./board.js";
import { Turn, about, answerable, asList, cardOf, thumb } from "./play.js";
import { chip, logLines, nameOf, question, rack, strip, whatNow } from "./table.js";
import { sign } from "./sign.js";

let isSorted = false;

function claim(seat, isTaken, said) {
  const pin = h("input", { id: "pin", inputmode: "numeric", pattern: "[0-9]{4,8}", minlength: 4, maxlength: 8, autocomplete: "off", required: true, type: "password" });
  return h("form", { class: "card", onsubmit: (event) => {
    event.preventDefault();
    attempt("POST", `/seats/${seat}`, { pin: pin.value });
  } },
    h("h1", {}, chip(said, seat), " ", nameOf(said, seat)),
    h("p", {}, isTaken ? t("seat_taken") : t("seat_free")),
    h("label", { for: "pin" }, t("pin")), pin,
    h("button", { class: "big", type: "submit" }, t("take_seat", { seat: seat + 1 })),
    isTaken ? lost(seat) : h("p", { class: "quiet" }, t("pin_why")),
    h("details", {}, h("summary", {}, t("other_phone")), h("img", { class: "qr", src: `/api/v1/seats/${seat}/code`, alt: t("qr_of", { seat: seat + 1 }), width: 220, height: 220 })));
}

// Who has lost the PIN asks whoever sits at the box; they compare the lights and hold ✔.
function lost(seat) {
  const place = h("div", {}, h("button", { class: "plain", type: "button", onclick: async () => {
    const said = await attempt("POST", `/seats/${seat}/wish`);
    if (said) place.replaceChildren(sign(said));
  } }, t("pin_lost")));
  return place;
}

function list(said) {
  const seats = [...Array(said.players).keys()];
  return h("section", { class: "card" }, h("h1", {}, t("seats")), h("p", {}, t("seats_why")),
    h("ul", { class: "seats" }, seats.map((seat) => h("li", {}, h("a", { class: "big", href: `#seat/${seat + 1}` }, said.names[seat] || t("seat_of", { seat: seat + 1 })),
      h("span", { class: "quiet" }, said.seats_taken.includes(seat) ? ` ${t("taken")}` : ` ${t("free")}`)))));
}

// What the phone's own seat holds: the cards of its zones, large; a tap plays, a long one tells what a card does.
function hand(said, map, turn, board) {
  const own = said.picture.zones.filter((zone) => zone.seat === said.seat && zone.cards.length);
  const order = (cards) => (isSorted && map ? [...cards].sort((a, b) => (turn.map ? turn.place(a.id) - turn.place(b.id) : 0)) : cards);
  // A hand of five fits beside each other on any phone.
  const most = Math.max(...own.map((zone) => zone.cards.length), 1);
  const width = Math.max(52, Math.min(96, Math.floor((Math.min(window.innerWidth, 900) - 58) / Math.min(most, 5)) - 9));
  const one = (drawn) => {
    if (drawn.is_hidden) return h("span", { class: "hand-card" }, cardOf(map, "", { isHidden: true }));
    const glows = turn.glows([drawn.id]);
    const act = () => (glows ? turn.tap([drawn.id]) : about(map, drawn.id));
    const made = h("button", { class: ["hand-card", glows ? "glows" : "", turn.isChosen(drawn.id) ? "chosen" : ""].join(" "), "data-card": drawn.id, "data-key": `hand-${drawn.id}`, "aria-label": drawn.name, onclick: act,
      oncontextmenu: (event) => { event.preventDefault(); about(map, drawn.id); } }, cardOf(map, drawn.id, { width, name: drawn.name }));
    if (glows) draggable(made, board, act);
    return made;
  };
  const secret = said.picture.zones.flatMap((zone) => zone.cards).filter((drawn) => drawn.is_marked);
  return [
    secret.length ? h("section", { class: "card secret" }, h("h2", {}, t("marked")), h("div", { class: "hand" }, secret.map((drawn) => h("button", { class: "hand-card marked", "aria-label": drawn.name, onclick: () => about(map, drawn.id) }, cardOf(map, drawn.id, { width: width * 1.2, name: drawn.name }))))) : null,
    own.map((zone) => h("section", { class: "card", "aria-label": zone.label }, h("div", { class: "row" }, h("h2", {}, zone.label),
      zone.cards.length > 2 && !zone.cards[0].is_hidden ? h("button", { class: "plain", "data-key": `sort-${zone.key}`, onclick: () => { isSorted = !isSorted; draw(); } }, isSorted ? t("as_dealt") : t("sort")) : null),
    h("div", { class: "hand" }, order(zone.cards).map(one)))),
  ];
}

let draw = () => {};

function own(place) {
  const parts = Object.fromEntries(["ask", "hand", "strip", "rack", "list", "log", "foot"].map((name) => [name, h("div")]));
  Object.values(parts).forEach(forget);
  let turn = null;
  const board = new Board({ onTap: (ids, how) => turn?.tap(ids, how), onAbout: (thing) => about(store.map, thing.card, thing.face), isSmall: true });
  const keys = thumb(() => turn);
  place.replaceChildren(h("div", { class: "table-view seat-view" }, h("div", { class: "table-main" }, parts.ask, parts.hand, parts.rack, h("div", { class: "part-board" }, board.whole), parts.strip, parts.list), h("div", { class: "table-side" }, keys.whole, h("div", { class: "below" }, parts.log, parts.foot))));
  return () => {
    const { seat, shared } = store;
    const map = mapped();
    const isMine = !shared.is_over && (shared.seat === seat.seat || shared.seat === null);
    const options = isMine ? answerable() : { choices: [], sets: [] };
    const things = lying(shared, seenNow());
    const held = seat.picture.zones.filter((zone) => zone.seat === seat.seat).flatMap((zone) => zone.cards.map((drawn) => ({ card: drawn.id, zone: "" })));
    turn = new Turn(options, shared.number, map, [...things, ...held], () => fill());
    const fill = () => {
      show(parts.hand, { p: seat.picture, o: options, n: shared.number, isSorted, map: map?.game_id, isDrawn: map?.is_drawn, chosen: [...turn.chosen.values()].map((set) => [...set]) }, () => hand(seat, map, turn, board));
      if (map) { board.draw(map, things, turn, { number: shared.number }); board.settle(); }
      show(parts.rack, { o: options, n: shared.number, map: map?.game_id, isDrawn: map?.is_drawn, lying: turn.rack, chosen: [...turn.chosen.values()].map((set) => [...set]) }, () => [rack(turn, board, 56), h("div", { class: "actions" }, turn.actions())]);
      show(parts.strip, { p: shared.picture, n: shared.number, s: shared.seat, names: shared.names, o: options }, () => strip(shared, (one) => turn.tap([`seat-${one + 1}`], { title: nameOf(shared, one) }), seat.seat, turn));
    };
    show(parts.ask, { q: seat.question, c: shared.complaint, o: shared.offered, a: shared.asked, answers: shared.answers, otherwise: shared.otherwise, can: shared.can_believe, s: shared.seat, isMine, over: shared.is_over, names: shared.names, pr: shared.progress, te: shared.teaching, map: map?.game_id, p: shared.is_private, n: shared.notice, v: shared.visitor },
      () => [question({ ...shared, is_private: false }, seat.question), h("p", { class: shared.seat === seat.seat && !shared.is_over ? "your-turn" : "quiet" }, shared.is_over ? "" : shared.seat === seat.seat ? t("your_turn") : shared.seat === null ? t("anyones_turn") : t("turn_of", { player: nameOf(shared, shared.seat) }))]);
    fill();
    asList(parts.list, options, shared.number);
    keys.say(shared);
    show(parts.log, shared.log, (lines) => h("details", { class: "card" }, h("summary", {}, t("log")), lines.length ? logLines(lines) : h("p", { class: "quiet" }, t("log_empty"))));
    show(parts.foot, seat.seat, () => h("p", { class: "tools" }, h("button", { class: "plain", "data-key": "what-now-words", onclick: () => whatNow(store.shared, store.seat.question) }, `… ${t("what_now")}`), h("a", { href: "#help" }, `? ${t("help")}`), h("button", { class: "plain", onclick: () => { if (window.confirm(t("leave_seat_sure"))) attempt("DELETE", "/seat"); } }, t("leave_seat"))));
  };
}

export function seat(place, number) {
  let kind = "";
  let fill = () => {};
  const content = h("div", { class: "narrow" });
  draw = () => {
    const said = store.shared;
    if (!said) return;
    const isOwn = Boolean(said.game && store.seat && (!number || store.seat.seat === number - 1));
    if (isOwn && kind !== "own") fill = own(place);
    if (!isOwn && kind !== "other") place.replaceChildren(content);
    kind = isOwn ? "own" : "other";
    if (isOwn) fill();
    else if (!said.game) show(content, "none", () => h("section", { class: "card hello" }, h("p", {}, t("no_game")), h("a", { class: "big", href: "#setup" }, t("new_game"))));
    else if (number) show(content, { number, taken: said.seats_taken.includes(number - 1), names: said.names }, (it) => claim(number - 1, it.taken, said));
    else show(content, { players: said.players, taken: said.seats_taken, names: said.names }, () => list(said));
  };
  forget(content);
  draw();
  return draw;
}
