// What the box teaches: a lesson with the cards it's about, how far the table is laid or cleared, the card asked about.
import { h } from "./dom.js";
import { attempt, store, t } from "./api.js";
import { cardOf, sideOf } from "./play.js";

const MOST_CARDS = 5;

function one(lesson, map) {
  const cards = map ? lesson.cards.filter((card) => sideOf(map, card)).slice(0, MOST_CARDS) : [];
  return h("div", { class: "lesson" }, lesson.is_again ? h("strong", {}, t("lesson_again")) : null, h("p", {}, lesson.text),
    cards.length ? h("div", { class: "lesson-cards" }, cards.map((card) => cardOf(map, card, { width: 40 }))) : null);
}

function laying({ done, of, text }) {
  return h("div", { class: "lesson" }, h("progress", { max: of, value: done, "aria-label": text }), h("p", {}, text));
}

export function taught(said) {
  const { is_on: isOn, lessons, laying: laid, asked_card: asked } = said.teaching;
  return h("aside", { class: "lessons", "aria-label": t("lesson"), "aria-live": "polite" },
    asked ? h("div", { class: "lesson" }, h("strong", {}, asked.name), asked.does ? h("p", {}, asked.does) : null, asked.now ? h("p", {}, asked.now) : null) : null,
    lessons.map((lesson) => one(lesson, store.map)),
    laid ? laying(laid) : null,
    isOn && lessons.length ? h("p", {}, h("button", { class: "plain", "data-key": "know-game", onclick: () => attempt("POST", "/lessons", { is_known: true }) }, t("know_game"))) : null);
}

// In the help: everything that was told can be told again.
export const again = () => h("p", {}, h("button", { class: "second", "data-key": "lessons-again", onclick: () => attempt("POST", "/lessons", { is_known: false }).then((done) => { if (done) location.hash = "#table"; }) }, t("lessons_again")));
