// Everything that can be done now, in the groups of the box's own chooser: big, clear, one step after the other.
import { h, s } from "./dom.js";
import { card } from "./picture.js";
import { t } from "./words.js";

const miniature = (face) => s("svg", { viewBox: "0 0 62 88", class: "mini", "aria-hidden": "true" }, card({ ...face, tokens: [] }));

function leaf(choice, pick) {
  return h("button", { class: choice.face ? "choice with-card" : "choice", "data-key": `move-${choice.move}`, onclick: () => pick(choice.move) },
    choice.face?.shape ? miniature(choice.face) : null, h("span", {}, choice.label));
}

function branch(choice, enter) {
  const lamps = (choice.lamps || []).map((lamp) => h("i", { class: `dot ${lamp}`, "aria-hidden": "true" }));
  return h("button", { class: "choice more", "data-key": `more-${choice.key}`, onclick: enter }, lamps, h("span", {}, choice.label), h("span", { class: "arrow", "aria-hidden": "true" }, "›"));
}

function cardSet(set, pick) {
  const chosen = new Set();
  const sure = h("button", { class: "big sure", "data-key": `sure-${set.verb}`, disabled: true }, t("pick_count", { label: set.label, count: 0, most: set.count }));
  const cards = set.faces.map((face) => h("button", {
    class: "choice with-card", "aria-pressed": "false", "data-key": `card-${face.id}`,
    onclick: (event) => {
      const button = event.currentTarget;
      if (chosen.has(face.id)) chosen.delete(face.id);
      else if (chosen.size < set.count) chosen.add(face.id);
      else return;
      button.setAttribute("aria-pressed", String(chosen.has(face.id)));
      sure.disabled = chosen.size !== set.count;
      sure.textContent = t("pick_count", { label: set.label, count: chosen.size, most: set.count });
    },
  }, face.shape ? miniature(face) : null, h("span", {}, face.name)));
  sure.addEventListener("click", () => pick(`${set.verb} ${[...chosen].sort().join(",")}`));
  return h("div", { class: "card-set" }, h("h3", {}, t("pick_some", { label: set.label, count: set.count })), h("div", { class: "choice-list" }, cards), sure);
}

export function choices(options, pick) {
  const place = h("div", { class: "choices" });
  const usual = options.choices.filter((choice) => !choice.is_mishap);
  const mishaps = options.choices.filter((choice) => choice.is_mishap);
  const only = usual.length === 1 && usual[0].branches?.length && !options.sets.length ? usual[0] : null;

  function level(list, above) {
    const path = above.map((one) => one.label).join(" › ");
    place.replaceChildren(...[
      above.length ? h("p", { class: "crumbs" }, h("button", { class: "plain", "data-key": "up", onclick: () => (above.length > 1 || !only ? up(above) : top()) }, `‹ ${t("back")}`), ` ${path}`) : null,
      h("div", { class: "choice-list" }, list.map((choice) => (choice.branches?.length ? branch(choice, () => level(choice.branches, [...above, choice])) : leaf(choice, pick)))),
    ].filter(Boolean));
    place.querySelector("button")?.focus({ preventScroll: true });
  }

  function up(above) {
    const upper = above.slice(0, -1);
    if (upper.length) level(upper[upper.length - 1].branches, upper);
    else top();
  }

  function top() {
    const first = only ? only.branches : usual;
    const start = only ? [only] : [];
    place.replaceChildren(...[
      only ? h("h3", {}, only.label) : null,
      first.length ? h("div", { class: "choice-list" }, first.map((choice) => (choice.branches?.length ? branch(choice, () => level(choice.branches, [...start, choice])) : leaf(choice, pick)))) : null,
      ...options.sets.map((set) => cardSet(set, pick)),
      mishaps.length ? h("details", { class: "mishaps" }, h("summary", {}, t("mishap")),
        h("div", { class: "choice-list" }, mishaps.map((choice) => (choice.branches?.length ? branch(choice, () => level(choice.branches, [choice])) : leaf(choice, pick))))) : null,
    ].filter(Boolean));
  }

  top();
  return place;
}
