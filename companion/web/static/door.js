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
    blue: s("rect", { x: 5, y: 5, width: 30, height: 30, fill: colour }),
    yellow: s("circle", { cx: 20, cy: 20, r: 16, fill: colour }),
    green: s("polygon", { points: "20,2 36,20 20,38 4,20", fill: colour }),
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
