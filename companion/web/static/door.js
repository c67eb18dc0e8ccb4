// The pairing page: shows the sign that the box shows, and waits until somebody presses ✔ there.
import { h, s } from "./dom.js";

const place = document.getElementById("door");
const COLOURS = { red: "#ff5252", blue: "#5aa2ff", yellow: "#ffd740", green: "#5fdc7a" };
const language = (localStorage.getItem("hush-language") || navigator.language || "en").slice(0, 2);
let words = {};
let waiting = null;

async function call(method, body) {
  const answer = await fetch(`/api/v1/pairing?language=${language}`, {
    method,
    headers: body ? { "content-type": "application/json" } : {},
    body: body ? JSON.stringify(body) : undefined,
  });
  const said = await answer.json();
  if (said.words) words = said.words;
  return { ...said, isFine: answer.ok };
}

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

function sign(said) {
  const bar = [];
  for (let at = 1; at <= 15; at += 1) bar.push(h("span", { class: at <= said.place ? "lamp lit" : "lamp" }));
  return h("div", { class: "sign" },
    h("div", { class: "sign-bar", "aria-hidden": "true" }, bar),
    h("p", { class: "sign-number" }, String(said.place), said.suit ? shape(said.suit) : null),
    h("p", {}, said.suit ? words.sign.replace("{place}", said.place).replace("{shape}", words[said.suit])
      : words.sign_plain.replace("{place}", said.place)));
}

function draw(said) {
  clearTimeout(waiting);
  document.documentElement.lang = language;
  const parts = [h("p", { class: "moon", "aria-hidden": "true" }, "☾"), h("h1", {}, "Hush")];
  const knock = (label) => h("button", { class: "big", onclick: begin }, label);
  if (!said.isFine) {
    parts.push(h("p", { role: "alert" }, said.reason), knock(words.again || "↻"));
  } else if (said.status === "next") {
    parts.push(h("p", { role: "status" }, words.compare), sign(said), h("p", {}, words.press));
    waiting = setTimeout(poll, 800);
  } else if (said.status === "waiting") {
    parts.push(h("p", { role: "status" }, words.queue));
    waiting = setTimeout(poll, 1500);
  } else if (said.status === "admitted") {
    parts.push(h("p", { role: "status" }, words.welcome));
    location.reload();
  } else if (said.status === "refused") {
    parts.push(h("p", { role: "alert" }, words.refused), knock(words.again));
  } else if (said.status === "expired") {
    parts.push(h("p", { role: "alert" }, words.expired), knock(words.again));
  } else {
    parts.push(h("p", {}, words.hello), knock(words.knock), h("p", { class: "quiet" }, words.why));
  }
  place.replaceChildren(...parts);
}

async function poll() {
  try {
    draw(await call("GET"));
  } catch {
    waiting = setTimeout(poll, 2000);
  }
}

async function begin() {
  const name = /iPhone|iPad|Android|Windows|Mac|Linux/.exec(navigator.userAgent)?.[0] || "";
  draw(await call("POST", { name }));
}

poll();
