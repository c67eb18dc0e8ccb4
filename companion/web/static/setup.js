// Setting up a game: every option with its sentence.
import { h, toast } from "./dom.js";
import { attempt, get, store } from "./api.js";
import { t } from "./words.js";

function field(option) {
  const id = `option-${option.name}`;
  let input;
  let value;
  if (option.allowed.length === 2 && option.allowed.every((one) => typeof one === "boolean")) {
    input = h("input", { id, type: "checkbox", checked: option.default });
    value = () => input.checked;
  } else if (option.allowed.length) {
    input = h("select", { id }, option.allowed.map((one, at) => h("option", { value: at, selected: one === option.default }, option.name === "giver" ? t("player", { seat: one + 1 }) : String(one))));
    value = () => option.allowed[Number(input.value)];
  } else {
    input = h("input", { id, type: "text", value: (option.default || []).join(" "), placeholder: t("list_of_ids") });
    value = () => input.value.split(/[\s,]+/).filter(Boolean);
  }
  return { name: option.name, value, standard: option.default, row: h("div", { class: "option" }, h("label", { for: id }, option.text, " ", h("small", { class: "quiet" }, option.name)), input) };
}

function form(rules) {
  const fields = rules.options.map(field);
  const players = fields.find((one) => one.name === "players");
  const rest = fields.filter((one) => one !== players);
  return h("form", { onsubmit: async (event) => {
    event.preventDefault();
    const said = store.shared;
    if (said && said.game && !said.is_over && !window.confirm(t("really_new", { game: said.title }))) return;
    const options = Object.fromEntries(fields.filter((one) => JSON.stringify(one.value()) !== JSON.stringify(one.standard) || one === players).map((one) => [one.name, one.value()]));
    const done = await attempt("POST", "/games", { game: rules.name, options, instead_of: said ? said.game_id : null });
    if (done) {
      toast(t("begun", { game: rules.title }));
      location.hash = "#table";
    }
  } },
    players ? players.row : null,
    h("details", {}, h("summary", {}, t("variants")), rest.map((one) => one.row)),
    h("button", { class: "big", type: "submit" }, t("begin", { game: rules.title })));
}

export function setup(place) {
  const content = h("div", { class: "narrow" }, h("p", { class: "quiet" }, "…"));
  place.replaceChildren(content);
  get("/rules").then((games) => {
    content.replaceChildren(h("h1", {}, t("new_game")), ...games.map((rules) => h("details", { class: "card game", name: "game" },
      h("summary", {}, h("h2", {}, rules.title)), h("p", {}, t(`about_${rules.name}`) === `about_${rules.name}` ? "" : t(`about_${rules.name}`)), form(rules))));
  }, (error) => toast(error.message, true));
  return () => {};
}
