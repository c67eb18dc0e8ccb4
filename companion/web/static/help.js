// Help: the rules of the running game, and what the lights of the panel say.
import { h } from "./dom.js";
import { get, store, t } from "./api.js";
import { again } from "./lesson.js";
import { lampOf } from "./panel.js";

// The few things that our pages of rules are written with; no markup is parsed, every text becomes a text node.
function inline(text) {
  const parts = [];
  const pattern = /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|!?\[(.*?)\]\((.*?)\)/g;
  let at = 0;
  for (const found of text.matchAll(pattern)) {
    parts.push(text.slice(at, found.index));
    if (found[1]) parts.push(h("strong", {}, inline(found[1])));
    else if (found[2]) parts.push(h("em", {}, inline(found[2])));
    else if (found[3]) parts.push(h("code", {}, found[3]));
    else if (!found[0].startsWith("!")) parts.push(found[4]);
    at = found.index + found[0].length;
  }
  parts.push(text.slice(at));
  return parts;
}

function rows(lines) {
  const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());
  const [head, , ...rest] = lines;
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("rules") }, h("table", {}, h("thead", {}, h("tr", {}, cells(head).map((cell) => h("th", { scope: "col" }, inline(cell))))), h("tbody", {}, rest.map((line) => h("tr", {}, cells(line).map((cell) => h("td", {}, inline(cell))))))));
}

function markdown(text) {
  const made = [];
  for (const block of text.replace(/<!--[\s\S]*?-->/g, "").split(/\n\s*\n/)) {
    const lines = block.split("\n").filter((line) => line.trim());
    if (!lines.length) continue;
    const heading = /^(#{1,6})\s+(.*)/.exec(lines[0]);
    if (heading) {
      made.push(h(heading[1].length === 1 ? "h2" : "h3", {}, inline(heading[2])));
      lines.shift();
    }
    if (!lines.length) continue;
    const isList = /^\s*([-*]|\d+[.)])\s+/;
    if (lines[0].trim().startsWith("|")) made.push(rows(lines));
    else if (isList.test(lines[0])) {
      const items = [];
      for (const line of lines) {
        if (isList.test(line)) items.push(line.replace(isList, ""));
        else items[items.length - 1] += ` ${line.trim()}`;
      }
      made.push(h(/^\s*\d/.test(lines[0]) ? "ol" : "ul", {}, items.map((item) => h("li", {}, inline(item)))));
    } else made.push(h("p", {}, inline(lines.join(" "))));
  }
  return made;
}

const GLOWS = { ".": "off", "-": "dim", "#": "on", o: "slow", "*": "fast", "~": "pulse" };
const SHAPES = ["red", "blue", "yellow", "green", "sun", "moon"];
const PERIODS = { slow: "1.2s", fast: "0.4s", pulse: "2s" };

// A moment of a sign, small: the bar, then the shapes.
function moment(drawing) {
  const [bar, suits, sky] = drawing.split(" ");
  const lit = (lamp, glow) => {
    lamp.dataset.glow = GLOWS[glow] || "off";
    if (PERIODS[lamp.dataset.glow]) lamp.style.animationDuration = PERIODS[lamp.dataset.glow];
    return lamp;
  };
  return h("div", { class: "tiny", "aria-hidden": "true" }, h("div", { class: "bar-row" }, [...bar].map((glow, at) => lit(lampOf(`bar${at + 1}`), glow))), h("div", { class: "shape-row" }, [...`${suits}${sky}`].map((glow, at) => lit(lampOf(SHAPES[at]), glow))));
}

export function help(place, part) {
  const content = h("div", { class: "narrow" }, h("p", { class: "quiet" }, "…"));
  place.replaceChildren(content);
  get("/help").then((said) => {
    const lights = h("details", { class: "card", open: part === "lights", id: "lights" }, h("summary", {}, h("h2", {}, t("lights_mean"))), h("p", { class: "quiet" }, t("lights_how")), said.signs.map((sign) => h("div", { class: "sign-row" }, h("div", {}, sign.drawings.map(moment)), h("div", {}, h("strong", {}, sign.title), h("p", {}, sign.meaning)))));
    content.replaceChildren(h("h1", {}, t("help")), h("p", {}, t("help_tap")), store.shared?.game ? again() : null,
      h("section", { class: "card rules" }, said.rules ? markdown(said.rules) : h("p", { class: "quiet" }, store.shared?.game ? t("no_rules_page") : t("no_game"))), lights);
    if (part === "lights") lights.scrollIntoView();
  }, (error) => content.replaceChildren(h("p", { class: "card" }, error.message)));
  return () => {};
}
