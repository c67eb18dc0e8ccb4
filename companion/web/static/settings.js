// The settings that a phone may change: each is checked and written by the box, and says when it holds.
import { h, toast } from "./dom.js";
import { call, languages, t } from "./api.js";

function input(form, id, change) {
  if (form.allowed.length === 2 && form.allowed.every((one) => typeof one === "boolean")) {
    const box = h("input", { id, type: "checkbox", checked: form.value, onchange: () => change(box.checked) });
    return box;
  }
  if (form.allowed.length) {
    const name = (one) => (form.key === "language" ? languages()[one] : form.key.endsWith(".giver") ? t("player", { seat: one + 1 }) : String(one));
    const pick = h("select", { id, onchange: () => change(form.allowed[Number(pick.value)]) }, form.allowed.map((one, at) => h("option", { value: at, selected: one === form.value }, name(one))));
    return pick;
  }
  const number = h("input", { id, type: "number", min: form.lowest, max: form.highest, step: 0.1, value: form.value, onchange: () => change(number.value === "" ? null : Number(number.value)) });
  return number;
}

function row(first) {
  const place = h("div", { class: "option" });
  const id = `setting-${first.key}`;
  const draw = (form) => {
    const change = async (value) => {
      try {
        const fresh = await call("POST", "/settings", { key: form.key, value });
        toast(fresh.is_waiting ? t("saved_restart") : t("saved"));
        draw(fresh);
      } catch (error) {
        toast(error.message || t("no_contact"), true);
        draw(form);
      }
    };
    place.replaceChildren(h("label", { for: id }, form.text, " ", h("small", { class: "quiet" }, form.key), form.is_waiting ? h("p", { class: "note" }, t("waiting")) : null),
      h("div", { class: "value" }, input(form, id, change), form.is_written ? h("button", { class: "plain", "aria-label": t("default_of", { key: form.key }), onclick: () => change(null) }, "↺") : null));
  };
  draw(first);
  return place;
}

export function settings(said) {
  const of = (group) => said.forms.filter((form) => form.group === group).map(row);
  const games = [...new Set(said.forms.map((form) => form.group))].filter((group) => group !== "box");
  return h("section", { class: "card", id: "settings" }, h("h2", {}, t("settings")), of("box"),
    games.length ? h("p", { class: "quiet" }, t("house_rules_why")) : null,
    games.map((game) => h("details", {}, h("summary", {}, t("house_rules", { game: game[0].toUpperCase() + game.slice(1) })), of(game))));
}
