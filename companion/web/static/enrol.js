// Teaching the box a deck: one card after the other under the camera, with the live picture; stop and go on at will.
import { h, s, show, toast } from "./dom.js";
import { attempt, get, t } from "./api.js";
import { photoButton } from "./photo.js";
import { checks, framed, keepLooking } from "./live.js";

const HOWS = ["well", "blurred", "glaring", "dark", "away"];

function progress(done, total) {
  return h("div", { class: "progress" }, h("progress", { max: total, value: done, "aria-label": t("done_of", { done, total }) }), h("span", { class: "quiet" }, t("done_of", { done, total })));
}

function list(place) {
  const content = h("div", { class: "narrow" }, h("p", { class: "quiet" }, "…"));
  place.replaceChildren(content);
  get("/decks").then((all) => content.replaceChildren(h("h1", {}, t("teach")), h("p", {}, t("teach_why")),
    ...all.map((one) => h("section", { class: "card deck" }, h("h2", {}, t(`deck_${one.deck}`)), progress(one.done, one.total),
      h("a", { class: "big", href: `#decks/${one.deck}` }, one.done === 0 ? t("teach_begin") : one.done < one.total ? t("teach_on") : t("teach_again"))))),
  (error) => toast(error.message, true));
}

function checked(found, deck, retake) {
  const side = (one) => h("figure", { class: "near-twin" }, h("img", { src: `/api/v1/decks/${deck}/cards/${one.card}`, alt: one.name, width: 110 }), h("figcaption", {}, one.name),
    h("button", { onclick: () => retake(one.card) }, t("retake")));
  return h("section", { class: "card", role: "status" }, h("h2", {}, t("self_check")), h("p", {}, t("done_of", { done: found.done, total: found.total })),
    found.alike.length ? h("p", { class: "complaint" }, t("alike_why")) : h("p", {}, t("none_alike")),
    found.alike.map((pair) => h("div", { class: "row" }, side(pair.one), side(pair.other))));
}

function one(place, deck) {
  let cards = [];
  let wanted = null;
  let looked = null;
  let isSimulated = false;
  const [bar, ask, stage, first, words, tools, result] = [h("div"), h("div", { "aria-live": "polite" }), h("div", { class: "look" }), h("div", { class: "row" }), h("div", { class: "quick", "aria-live": "polite" }), h("div"), h("div")];
  const sure = h("button", { class: "big", disabled: true, "data-key": "keep", onclick: () => keep() }, `✔ ${t("keep")}`);
  const undone = () => cards.filter((card) => !card.is_done);
  const after = (card) => { const at = cards.indexOf(card); return [...cards.slice(at + 1), ...cards.slice(0, at)].find((next) => !next.is_done) || null; };

  function go(card) {
    wanted = card;
    const done = cards.length - undone().length;
    bar.replaceChildren(progress(done, cards.length));
    ask.replaceChildren(wanted ? h("h1", {}, t("lay_this", { card: wanted.name })) : h("h1", {}, t("all_taught")));
    const pick = h("select", { id: "which", onchange: () => go(cards.find((card) => card.card === pick.value)) },
      cards.map((card) => h("option", { value: card.card, selected: card === wanted }, `${card.is_done ? "✔ " : ""}${card.name}`)));
    first.replaceChildren(sure, h("button", { "data-key": "skip", disabled: !wanted || !after(wanted), onclick: () => go(after(wanted)) }, t("skip")));
    tools.replaceChildren(h("div", { class: "row" }, h("button", { "data-key": "check", disabled: done === 0, onclick: () => check() }, t("compare")),
      h("a", { href: "#decks" }, t("stop_for_now"))),
    h("label", { for: "which" }, t("which_card")), pick, isSimulated && wanted ? simulated() : "");
    light();
  }

  const simulated = () => h("fieldset", {}, h("legend", {}, t("under_simulated")), h("div", { class: "row" },
    HOWS.map((how) => h("button", { "data-key": `how-${how}`, onclick: () => attempt("POST", `/decks/${deck}/lay`, { card: wanted.card, how }).then(look) }, t(`how_${how}`)))));

  const light = () => { sure.disabled = !wanted || !looked?.can_keep; };

  async function keep() {
    const card = wanted;
    sure.disabled = true;
    if (!await attempt("POST", `/decks/${deck}/cards/${card.card}`, { look: looked.number })) return;
    card.is_done = true;
    looked = null;
    toast(t("kept", { card: card.name }));
    if (isSimulated) await attempt("POST", `/decks/${deck}/lay`, { card: card.card, how: "away" });
    go(after(card));
  }

  // A phone's own photo, of one card or of many: each gets its name, the next ones in the deck's order, and all are kept.
  function sent(found) {
    const next = [...undone(), ...cards.filter((card) => card.is_done)];
    const start = wanted && !wanted.is_done ? next.indexOf(wanted) : 0;
    const order = [...next.slice(start), ...next.slice(0, start)];
    const picks = found.map((one, at) => h("select", { "aria-label": t("which_card"), disabled: !one.can_keep }, h("option", { value: "" }, t("none_of_it")), cards.map((card) => h("option", { value: card.card, selected: card === order[at] }, `${card.is_done ? "✔ " : ""}${card.name}`))));
    const all = h("button", { class: "big", "data-key": "keep-all", onclick: async () => {
      all.disabled = true;
      let count = 0;
      for (const [at, one] of found.entries()) {
        const card = cards.find((each) => each.card === picks[at].value);
        if (one.can_keep && card && await attempt("POST", `/decks/${deck}/cards/${card.card}`, { look: one.number })) { card.is_done = true; count += 1; }
      }
      toast(t("kept_many", { count }));
      result.replaceChildren();
      go(undone()[0] || null);
    } }, t("keep_all"));
    result.replaceChildren(h("section", { class: "card" }, h("h2", {}, t("found_cards", { count: found.length })), h("p", { class: "quiet" }, t("found_why")),
      h("ul", { class: "found" }, found.map((one, at) => h("li", {}, h("img", { src: one.picture, alt: "" }), picks[at], one.can_keep ? null : checks(one.checks.filter((each) => !each.is_well))))), all));
    result.scrollIntoView({ block: "nearest" });
  }

  async function check() {
    toast(t("comparing"));
    const found = await attempt("POST", `/decks/${deck}/check`);
    if (found) result.replaceChildren(checked(found, deck, (id) => { go(cards.find((card) => card.card === id)); window.scrollTo(0, 0); }));
  }

  place.replaceChildren(h("div", { class: "narrow wide" }, h("p", { class: "quiet" }, t("teach"), " · ", t(`deck_${deck}`)), bar, h("section", { class: "card" }, ask, h("div", { class: "beside" }, stage, h("div", {}, first, words, tools)), h("h2", {}, t("by_phone")), h("p", { class: "quiet" }, t("by_phone_why")), photoButton(t("photo"), () => `/decks/${deck}/photo`, sent, { isSecond: true })), result));
  let look = () => {};
  get(`/decks/${deck}`).then((said) => {
    cards = said.cards;
    isSimulated = said.is_simulated;
    go(undone()[0] || null);
    look = keepLooking(stage, () => get(`/decks/${deck}/look`), (fresh) => {
      looked = fresh;
      const points = fresh.outline.map(([x, y]) => `${x * fresh.width},${y * fresh.height}`).join(" ");
      stage.replaceChildren(framed(fresh, fresh.outline.length ? t("card_found") : t("card_missing"), points ? s("polygon", { points, class: fresh.can_keep ? "card-edge good" : "card-edge" }) : null));
      show(words, fresh.checks, checks);
      light();
    }, (error) => { looked = null; stage.replaceChildren(h("p", { class: "complaint" }, error.message)); words.replaceChildren(); light(); });
  }, (error) => place.replaceChildren(h("p", { class: "card" }, error.message)));
}

export function decks(place, deck) {
  if (deck) one(place, deck);
  else list(place);
  return () => {};
}
