// Setting up a game: who plays, a usual way to play in a sentence, and every rule that can be changed.
import { h, toast } from "./dom.js";
import { attempt, get, store, t } from "./api.js";

const KEPT = "hush-setup";
const kept = () => { try { return JSON.parse(localStorage.getItem(KEPT)) || {}; } catch { return {}; } };

function field(game, option, last) {
  const id = `option-${game}-${option.name}`;
  const before = last !== undefined && (!option.allowed.length || option.allowed.some((one) => one === last)) ? last : option.default;
  let input;
  let value;
  let set;
  if (option.allowed.length === 2 && option.allowed.every((one) => typeof one === "boolean")) {
    input = h("input", { id, type: "checkbox", checked: before });
    value = () => input.checked;
    set = (one) => { input.checked = one; };
  } else if (option.allowed.length) {
    input = h("select", { id }, option.allowed.map((one, at) => h("option", { value: at, selected: one === before }, option.labels[at])));
    value = () => option.allowed[Number(input.value)];
    set = (one) => { input.value = option.allowed.indexOf(one); };
  } else {
    input = h("input", { id, type: "text", value: (before || []).join(" "), placeholder: t("list_of_ids") });
    value = () => input.value.split(/[\s,]+/).filter(Boolean);
    set = (one) => { input.value = (one || []).join(" "); };
  }
  return { name: option.name, input, value, set, standard: option.default, row: h("div", { class: "option" }, h("label", { for: id }, option.text), input) };
}

// The names of who plays, as many as there are seats; what was written stays when the number changes.
function seats(game, players, last) {
  const most = Math.max(...players.input.options ? [...players.input.options].map((one) => Number(one.textContent) || 0) : [players.standard]);
  const inputs = [...Array(most).keys()].map((seat) => h("input", { type: "text", maxlength: 30, autocomplete: "off", value: last[seat] || "", placeholder: t("player", { seat: seat + 1 }), id: `name-${game}-${seat}` }));
  const rows = inputs.map((input, seat) => h("label", { for: input.id }, t("name_of", { seat: seat + 1 }), input));
  const fit = () => rows.forEach((row, seat) => { row.hidden = seat >= players.value(); });
  players.input.addEventListener("change", fit);
  fit();
  return { row: h("div", { class: "names", role: "group", "aria-label": t("names") }, rows), value: () => inputs.slice(0, players.value()).map((input) => input.value.trim()) };
}

function variantsOf(rules, fields, last) {
  const says = h("p", { class: "quiet", id: `says-${rules.name}`, role: "status" });
  const pick = h("select", { id: `variant-${rules.name}`, "aria-describedby": `says-${rules.name}`, onchange: () => choose() }, rules.variants.map((one) => h("option", { value: one.key, selected: one.key === last }, one.label)));
  const tell = () => { says.textContent = rules.variants.find((one) => one.key === pick.value)?.says || ""; };
  const touched = [...new Set(rules.variants.flatMap((one) => Object.keys(one.options)))];
  const choose = () => {
    const chosen = rules.variants.find((one) => one.key === pick.value);
    fields.filter((one) => touched.includes(one.name)).forEach((one) => one.set(one.name in chosen.options ? chosen.options[one.name] : one.standard));
    tell();
  };
  // What is shown first is what is played, also where nobody has chosen yet.
  if (last === undefined) choose();
  else tell();
  return { row: rules.variants.length > 1 ? h("div", {}, h("div", { class: "option" }, h("label", { for: pick.id }, t("variant")), pick), says) : null, value: () => pick.value };
}

function form(rules) {
  const last = kept()[rules.name] || {};
  const fields = rules.options.map((option) => field(rules.name, option, last.options?.[option.name]));
  const players = fields.find((one) => one.name === "players");
  const names = players ? seats(rules.name, players, last.names || []) : null;
  const variant = variantsOf(rules, fields, last.variant);
  const rest = fields.filter((one) => one !== players);
  const underWay = h("input", { type: "checkbox", id: `under-way-${rules.name}`, "aria-describedby": `under-way-why-${rules.name}` });
  const known = h("input", { type: "checkbox", id: `known-${rules.name}`, "aria-describedby": `known-why-${rules.name}` });
  return h("form", { onsubmit: async (event) => {
    event.preventDefault();
    const said = store.shared;
    if (said && said.game && !said.is_over && !window.confirm(t("really_new", { game: said.title }))) return;
    const all = Object.fromEntries(fields.map((one) => [one.name, one.value()]));
    const options = Object.fromEntries(fields.filter((one) => JSON.stringify(one.value()) !== JSON.stringify(one.standard) || one === players).map((one) => [one.name, one.value()]));
    const done = await attempt("POST", "/games", { game: rules.name, options, names: names ? names.value() : [], instead_of: said ? said.game_id : null, is_under_way: underWay.checked, is_known: known.checked });
    if (!done) return;
    localStorage.setItem(KEPT, JSON.stringify({ ...kept(), [rules.name]: { options: all, names: names?.value(), variant: variant.value() } }));
    toast(t("begun", { game: rules.title }));
    location.hash = "#table";
  } },
    players ? players.row : null, variant.row,
    names ? h("details", {}, h("summary", {}, t("names")), names.row) : null,
    h("details", {}, h("summary", {}, t("variants")), rest.map((one) => one.row)),
    h("div", { class: "option" }, h("label", { for: known.id }, t("know_game")), known), h("p", { class: "quiet", id: `known-why-${rules.name}` }, t("know_game_why")),
    h("div", { class: "option" }, h("label", { for: underWay.id }, t("under_way")), underWay), h("p", { class: "quiet", id: `under-way-why-${rules.name}` }, t("under_way_why")),
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
