// The twin of the panel: the same lamps, shapes and rhythms; its four buttons are under the thumb.
import { h, s } from "./dom.js";
import { press, t } from "./api.js";

const COLOURS = { red: "#ff5252", blue: "#5aa2ff", yellow: "#ffd740", green: "#5fdc7a", sun: "#fff6d8", moon: "#b98cff" };

function mark(lamp) {
  const fill = COLOURS[lamp];
  const rays = [];
  for (let turn = 0; turn < 8; turn += 1) {
    rays.push(s("line", { x1: 20, y1: 2, x2: 20, y2: 8, stroke: fill, "stroke-width": 3, transform: `rotate(${turn * 45} 20 20)` }));
  }
  return {
    red: [s("polygon", { points: "20,4 37,35 3,35", fill })],
    blue: [s("path", { d: "M20 2 C24 12 34 18 34 26 A14 13 0 0 1 6 26 C6 18 16 12 20 2 Z", fill })],
    yellow: [s("polygon", { points: "20.0,2.0 24.6,8.9 32.7,7.3 31.1,15.4 38.0,20.0 31.1,24.6 32.7,32.7 24.6,31.1 20.0,38.0 15.4,31.1 7.3,32.7 8.9,24.6 2.0,20.0 8.9,15.4 7.3,7.3 15.4,8.9", fill })],
    green: [s("rect", { x: 5, y: 5, width: 30, height: 30, fill })],
    sun: [...rays, s("circle", { cx: 20, cy: 20, r: 9, fill })],
    moon: [s("path", { d: "M27 4 A17 17 0 1 0 27 36 A13 13 0 1 1 27 4 Z", fill })],
  }[lamp];
}

export const lampOf = (name) => name.startsWith("bar")
  ? h("span", { class: "lamp bar", "data-lamp": name })
  : s("svg", { viewBox: "0 0 40 40", class: "lamp shape", "data-lamp": name }, mark(name));

function glow(place, lamps, rhythm) {
  for (const element of place.querySelectorAll("[data-lamp]")) {
    const wanted = lamps[element.dataset.lamp] || "off";
    if (element.dataset.glow === wanted) continue;
    element.dataset.glow = wanted;
    const period = rhythm[wanted];
    // All lamps of a kind keep step, whenever they began.
    element.style.animationDelay = period ? `-${(performance.now() / 1000) % period}s` : "";
    element.style.animationDuration = period ? `${period}s` : "";
  }
}

function inWords(panel) {
  const bar = Object.entries(panel.lamps).filter(([name, is]) => name.startsWith("bar") && is !== "off");
  const rest = Object.entries(panel.lamps).filter(([name, is]) => !name.startsWith("bar") && is !== "off");
  const parts = rest.map(([name, is]) => `${t(`lamp_${name}`)}: ${t(`glow_${is}`)}`);
  if (bar.length) parts.unshift(t("bar_lamps", { lamps: bar.map(([name]) => name.slice(3)).join(", ") }));
  return parts.length ? parts.join("; ") : t("all_dark");
}

export function panel(said) {
  const names = Object.keys(said.lamps);
  const lights = h("div", { class: "lights", role: "img", "aria-label": inWords(said) },
    h("div", { class: "bar-row" }, names.filter((name) => name.startsWith("bar")).map(lampOf)),
    h("div", { class: "shape-row" }, names.filter((name) => !name.startsWith("bar")).map(lampOf)),
    h("p", { class: "text-line" }));
  const whole = h("section", { class: "panel", "aria-label": t("panel") }, lights,
    h("div", { class: "small-buttons" },
      h("button", { class: "plain", "data-key": "what-now", onclick: () => press("confirm", true) }, t("what_now")),
      h("a", { href: "#help/lights" }, t("lights_mean")),
      h("button", { class: "plain", "data-key": "box-menu", onclick: () => press("back", true) }, t("box_menu"))));
  play(whole, said);
  return whole;
}

// What is shown in turns goes round until another frame comes.
function play(place, said) {
  const lights = place.querySelector(".lights");
  lights.querySelector(".text-line").textContent = (said.line || []).join("\n");
  if (lights.lit === said.frame) return;
  clearTimeout(lights.turns);
  lights.lit = said.frame;
  if (!said.loop) {
    glow(place, said.lamps, said.rhythm);
    return;
  }
  let at = 0;
  const next = () => {
    const beat = said.loop[at % said.loop.length];
    at += 1;
    glow(place, beat.lamps, said.rhythm);
    lights.turns = setTimeout(() => { if (lights.isConnected) next(); else lights.lit = ""; }, beat.seconds * 1000);
  };
  next();
}

// Same parts, other lights: nothing is rebuilt, so a finger on a button stays on it.
export function relight(place, said) {
  const lights = place.querySelector(".lights");
  if (!lights || lights.isFlourishing) return;
  lights.setAttribute("aria-label", inWords(said));
  play(place, said);
}

export async function flourish(place, said) {
  const lights = place.querySelector(".lights");
  if (!lights) return;
  lights.isFlourishing = true;
  clearTimeout(lights.turns);
  lights.lit = "";
  for (const beat of said.flourish.beats) {
    glow(place, beat.lamps, said.rhythm);
    await new Promise((done) => { setTimeout(done, beat.seconds * 1000); });
  }
  lights.isFlourishing = false;
}
