// A seat's own page: what only this player may see. It's claimed with a PIN, from a link or a QR code.
import { h, show } from "./dom.js";
import { attempt, move, store } from "./api.js";
import { choices } from "./choices.js";
import { picture } from "./picture.js";
import { sign } from "./sign.js";
import { t } from "./words.js";

function claim(seat, isTaken) {
  const pin = h("input", { id: "pin", inputmode: "numeric", pattern: "[0-9]{4,8}", minlength: 4, maxlength: 8, autocomplete: "off", required: true, type: "password" });
  return h("form", { class: "card", onsubmit: (event) => {
    event.preventDefault();
    attempt("POST", `/seats/${seat}`, { pin: pin.value });
  } },
    h("h1", {}, t("seat_of", { seat: seat + 1 })),
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

function own(said) {
  return [
    h("section", { class: "ask card" }, h("h1", {}, h("span", { class: "seat-chip" }, String(said.seat + 1)), h("span", {}, said.question)),
      h("p", {}, said.is_turn ? t("your_turn") : t("not_your_turn"))),
    said.options.choices.length + said.options.sets.length ? h("section", { class: "card", "aria-label": t("what_can_be_done") }, choices(said.options, (text) => move(text, said.number))) : null,
    h("section", { class: "card", "aria-label": t("only_you") }, h("h2", {}, t("only_you")), picture(said.picture, said.seat)),
    h("button", { class: "plain", onclick: () => attempt("DELETE", "/seat") }, t("leave_seat")),
  ];
}

function list(said) {
  const seats = [...Array(said.players).keys()];
  return h("section", { class: "card" }, h("h1", {}, t("seats")), h("p", {}, t("seats_why")),
    h("ul", { class: "seats" }, seats.map((seat) => h("li", {}, h("a", { class: "big", href: `#seat/${seat + 1}` }, t("seat_of", { seat: seat + 1 })),
      h("span", { class: "quiet" }, said.seats_taken.includes(seat) ? ` ${t("taken")}` : ` ${t("free")}`)))));
}

export function seat(place, number) {
  const content = h("div", { class: "narrow" });
  place.replaceChildren(content);
  const draw = () => {
    const said = store.shared;
    if (!said) return;
    if (!said.game) show(content, "none", () => h("p", { class: "card" }, t("no_game")));
    else if (store.seat && (!number || store.seat.seat === number - 1)) show(content, { ...store.seat, moment: 0 }, () => own(store.seat));
    else if (number) show(content, { number, taken: said.seats_taken.includes(number - 1) }, (it) => claim(number - 1, it.taken));
    else show(content, { players: said.players, taken: said.seats_taken }, () => list(said));
  };
  draw();
  return draw;
}
