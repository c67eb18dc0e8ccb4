// The sign that phone and panel both show, for somebody beside the box to compare.
import { h, s } from "./dom.js";

const COLOURS = { red: "#ff5252", blue: "#5aa2ff", yellow: "#ffd740", green: "#5fdc7a" };

function shape(suit) {
  const colour = COLOURS[suit];
  const mark = {
    red: s("polygon", { points: "20,4 37,35 3,35", fill: colour }),
    blue: s("path", { d: "M20 2 C24 12 34 18 34 26 A14 13 0 0 1 6 26 C6 18 16 12 20 2 Z", fill: colour }),
    yellow: s("polygon", { points: "20.0,2.0 24.6,8.9 32.7,7.3 31.1,15.4 38.0,20.0 31.1,24.6 32.7,32.7 24.6,31.1 20.0,38.0 15.4,31.1 7.3,32.7 8.9,24.6 2.0,20.0 8.9,15.4 7.3,7.3 15.4,8.9", fill: colour }),
    green: s("rect", { x: 5, y: 5, width: 30, height: 30, fill: colour }),
  }[suit];
  return s("svg", { viewBox: "0 0 40 40", class: "sign-shape", "aria-hidden": "true" }, mark);
}

export function sign(said) {
  const { words } = said;
  const bar = [];
  for (let at = 1; at <= 15; at += 1) bar.push(h("span", { class: at <= said.place ? "lamp lit" : "lamp" }));
  return h("div", { class: "sign" },
    h("p", { role: "status" }, words.compare),
    h("div", { class: "sign-bar", "aria-hidden": "true" }, bar),
    h("p", { class: "sign-number" }, String(said.place), said.suit ? shape(said.suit) : null),
    h("p", {}, said.suit ? words.sign.replace("{place}", said.place).replace("{shape}", words[said.suit])
      : words.sign_plain.replace("{place}", said.place)),
    h("p", {}, words.hold));
}
