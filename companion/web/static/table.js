// The table: what is asked and of whom, what can be done, the cards, the panel, the log.
import { h, show, forget, toast } from "./dom.js";
import { attempt, get, goOn, move, store } from "./api.js";
import { choices } from "./choices.js";
import { flourish, panel, relight } from "./panel.js";
import { picture } from "./picture.js";
import { recognised } from "./seen.js";
import { t } from "./words.js";

let parts = null;
let isFlourishing = false;
let camera = null;

function question(said) {
  const whose = said.seat === null || said.is_over ? null : h("span", { class: "seat-chip", "aria-label": t("player", { seat: said.seat + 1 }) }, String(said.seat + 1));
  const kinds = ["ask", "card", said.is_over ? (said.has_won ? "won" : "lost") : ""];
  return h("section", { class: kinds.filter(Boolean).join(" "), "aria-labelledby": "asked" },
    h("h1", { id: "asked", "aria-live": "polite" }, whose, h("span", {}, said.question)),
    said.complaint ? h("p", { class: "complaint", role: "alert" }, said.complaint) : null,
    said.offered ? h("p", { class: "offered" }, t("confirm_does", { what: said.offered })) : null,
    said.visitor ? h("p", { class: "complaint", role: "status" }, said.visitor) : null,
    said.is_over ? h("p", {}, h("a", { class: "big", href: "#setup" }, t("new_game"))) : null,
    said.is_simulated && !said.is_over ? h("p", {}, h("a", { href: "#try" }, t("try_out"))) : null,
    said.is_private ? h("p", {}, t("private_turn", { seat: said.seat + 1 }), " ", h("a", { href: `#seat/${said.seat + 1}` }, t("take_seat", { seat: said.seat + 1 }))) : null);
}

function menu(said) {
  return h("section", { class: "card hello" }, h("h1", {}, t("choose_game")), said.visitor ? h("p", { class: "complaint", role: "status" }, said.visitor) : null, said.offered ? h("p", { class: "offered" }, t("confirm_does", { what: said.offered })) : null,
    h("p", {}, h("a", { class: "big", href: "#setup" }, t("new_game"))),
    said.unfinished.map((one) => h("p", {}, h("button", { class: "big", onclick: () => goOn(one.number) }, t("go_on", { game: one.label })))));
}

export function logLines(lines, onCorrect) {
  return h("ol", { class: "log" }, [...lines].reverse().map((line) => h("li", { value: line.number },
    h("span", { class: "number", "aria-hidden": "true" }, String(line.number)),
    h("span", { class: "told" }, line.told.join(" ") || "…"),
    onCorrect && line.can_correct ? h("button", { class: "plain", "data-key": `fix-${line.number}`, "aria-label": t("correct_move", { number: line.number }), onclick: () => onCorrect(line) }, "✎") : null)));
}

function log(said) {
  return h("section", { class: "card", "aria-label": t("log") },
    h("div", { class: "row" }, h("h2", {}, t("log")),
      h("button", { "data-key": "undo", disabled: !said.can_undo, onclick: () => attempt("POST", "/undo", { number: store.shared.number }) }, `↶ ${t("undo")}`),
      h("button", { "data-key": "redo", disabled: !said.can_redo, onclick: () => attempt("POST", "/redo", { number: store.shared.number }) }, `↷ ${t("redo")}`)),
    said.notices.map((text) => h("p", { class: "quiet notice" }, text)),
    said.log.length ? logLines(said.log, correct) : h("p", { class: "quiet" }, t("nothing_yet")));
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
  const dialog = h("dialog", { class: "card", "aria-labelledby": "really" },
    h("h2", { id: "really" }, t("really", { number: line.number })), h("p", { class: "quiet" }, line.told.join(" ")),
    choices(options, async (text) => {
      dialog.close();
      const done = await attempt("POST", "/corrections", { at: line.number, move: text, number });
      if (done) toast(done.dropped ? t("corrected_dropped", { count: done.dropped }) : t("corrected"));
    }),
    h("button", { onclick: () => dialog.close() }, t("cancel")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// The cards as the rules have them, or as the camera sees them lie; the choice stays while the page is open.
let isCameraView = false;
function cards(said) {
  if (!said.has_picture) return picture(said.picture);
  const stage = h("div");
  const fill = () => {
    camera = isCameraView ? recognised() : null;
    stage.replaceChildren(camera ? camera.whole : picture(said.picture));
    choose.querySelectorAll("button").forEach((one, at) => one.setAttribute("aria-pressed", String(isCameraView === Boolean(at))));
  };
  const way = (words, isCamera) => h("button", { "data-key": isCamera ? "as-camera" : "as-known", onclick: () => { isCameraView = isCamera; fill(); } }, words);
  const choose = h("div", { class: "ways", role: "group", "aria-label": t("table") }, way(t("as_known"), false), way(t("as_camera"), true));
  fill();
  return [choose, stage];
}

function draw() {
  const said = store.shared;
  if (!parts || !said) return;
  const isPlaying = Boolean(said.game);
  show(parts.ask, isPlaying ? { ...said, log: 0, panel: 0, picture: 0, options: 0, moment: 0 } : { menu: 1, unfinished: said.unfinished, offered: said.offered, visitor: said.visitor }, () => (isPlaying ? question(said) : menu(said)));
  show(parts.choices, { options: said.options, number: said.number }, () => (said.options.choices.length + said.options.sets.length
    ? h("section", { class: "card", "aria-label": t("what_can_be_done") }, choices(said.options, (text) => move(text, said.number))) : null));
  show(parts.picture, said.picture, (it) => (it ? h("section", { class: "card", "aria-label": t("table") }, cards(said)) : null));
  show(parts.panel, Object.keys(said.panel.lamps), () => panel(said.panel));
  if (!isFlourishing) relight(parts.panel, said.panel);
  show(parts.log, { log: said.log, notices: said.notices, undo: said.can_undo, redo: said.can_redo, isPlaying }, () => (isPlaying ? log(said) : null));
}

export function table(place) {
  parts = { ask: h("div"), choices: h("div"), picture: h("div", { class: "wide" }), panel: h("div"), log: h("div") };
  Object.values(parts).forEach(forget);
  place.replaceChildren(h("div", { class: "columns" }, h("div", { class: "column" }, parts.ask, parts.choices, parts.panel), h("div", { class: "column" }, parts.picture, parts.log)));
  draw();
  return (what, data) => {
    if (what === "state") draw();
    if (what === "seen") camera?.draw();
    if (what === "flourish") {
      isFlourishing = true;
      flourish(parts.panel, data).then(() => { isFlourishing = false; draw(); });
    }
  };
}
