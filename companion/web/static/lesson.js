// What the box teaches: a lesson with the cards it's about, how far the table is laid or cleared, the card asked about.
import { h } from "./dom.js";
import { attempt, store, t } from "./api.js";
import { cardOf, sideOf } from "./play.js";

const MAX_CARDS = 5;
// What was read on this phone and put away; the other phones keep it.
const read = new Set();

function one(lesson, map, fold) {
  const cards = map ? lesson.cards.filter((card) => sideOf(map, card)).slice(0, MAX_CARDS) : [];
  return h("div", { class: "lesson" }, fold, lesson.is_again ? h("strong", {}, t("lesson_again")) : null, h("p", {}, lesson.text),
    cards.length ? h("div", { class: "lesson-cards" }, cards.map((card) => cardOf(map, card, { width: 40 }))) : null);
}

const laying = ({ done, of, text }) => h("div", { class: "lesson" }, of > 0 && h("progress", { max: of, value: done, "aria-label": text }), h("p", {}, text));
const about = ({ name, does, now }) => h("div", { class: "lesson" }, h("strong", {}, name), does ? h("p", {}, does) : null, now ? h("p", {}, now) : null);

// Before the first move a group may say that it knows the game.
const known = () => h("p", {}, h("button", { class: "plain", "data-key": "know-game", onclick: () => attempt("POST", "/lessons", { is_known: true }) }, t("know_game")));

export function taught(said) {
  const { is_on: isOn, lessons, laying: laid, asked_card: asked } = said.teaching;
  const fresh = lessons.filter((lesson) => !read.has(lesson.text));
  const place = h("aside", { class: "lessons", "aria-label": t("lesson"), "aria-live": "polite" });
  const fold = () => h("button", { class: "plain close", "data-key": "lesson-read", "aria-label": t("close"), onclick: () => { fresh.forEach((lesson) => read.add(lesson.text)); place.replaceWith(taught(said)); } }, "✕");
  place.append(...[asked ? about(asked) : null, ...fresh.map((lesson, at) => one(lesson, store.map, at ? null : fold())), laid ? laying(laid) : null,
    isOn && fresh.filter((lesson) => !lesson.is_again).length > 1 ? known() : null].filter(Boolean));
  place.hidden = !place.childElementCount;
  return place;
}

// In the help: everything that was told can be told again.
export const again = () => h("p", {}, h("button", { class: "second", "data-key": "lessons-again", onclick: () => {
  read.clear();
  attempt("POST", "/lessons", { is_known: false }).then((done) => { if (done) location.hash = "#table"; });
} }, t("lessons_again")));
