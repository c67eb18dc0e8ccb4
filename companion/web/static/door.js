// The pairing page: shows the sign that the box shows, and waits until somebody holds ✔ there.
import { h, within } from "./dom.js";
import { network } from "./network.js";
import { sign } from "./sign.js";

const place = document.getElementById("door");
const language = (localStorage.getItem("hush-language") || navigator.language || "en").slice(0, 2);
let words = {};
const phone = h("input", { type: "text", id: "phone-name", maxlength: 40, autocomplete: "nickname", value: localStorage.getItem("hush-phone") || "", onkeydown: (event) => { if (event.key === "Enter") begin(); } });
const code = h("input", { type: "text", id: "code", inputmode: "numeric", maxlength: 12, autocomplete: "one-time-code", onkeydown: (event) => { if (event.key === "Enter") enter(); } });
const wrong = h("p", { role: "alert" });
let waiting = null;
let wifi = null;

async function ask(method, path, body) {
  const answer = await fetch(`/api/v1${path}?language=${language}`, {
    method,
    headers: body ? { "content-type": "application/json" } : {},
    body: body ? JSON.stringify(body) : undefined,
    signal: within(8000),
  });
  return { ...await answer.json(), isFine: answer.ok };
}

async function call(method, body, path = "") {
  const said = await ask(method, `/pairing${path}`, body);
  if (said.words) words = said.words;
  // Who arrives on the box's own network, before any phone was let in, may bring the box into another one.
  if (said.is_arriving && !wifi) place.before(wifi = network(askOrThrow));
  return said;
}

async function askOrThrow(method, path, body) {
  const said = await ask(method, path, body);
  if (!said.isFine) throw new Error(said.reason);
  return said;
}

function draw(said) {
  clearTimeout(waiting);
  document.documentElement.lang = language;
  const parts = [h("p", { class: "moon", "aria-hidden": "true" }, "☾"), h("h1", {}, "Hush")];
  const knock = (label) => h("button", { class: "big", onclick: begin }, label);
  if (!said.isFine) {
    parts.push(h("p", { role: "alert" }, said.reason), knock(words.again || "↻"));
  } else if (said.status === "shown") {
    parts.push(sign(said));
    waiting = setTimeout(poll, 800);
  } else if (said.status === "waiting") {
    parts.push(h("p", { role: "status" }, words.queue));
    waiting = setTimeout(poll, 1500);
  } else if (said.status === "admitted") {
    parts.push(h("p", { role: "status" }, words.welcome));
    location.reload();
  } else if (said.status === "expired") {
    parts.push(h("p", { role: "alert" }, words.expired), knock(words.again));
  } else {
    parts.push(h("p", {}, words.hello), h("label", { for: "phone-name" }, words.name, phone), knock(words.knock), h("p", { class: "quiet" }, words.why));
  }
  phone.placeholder = words.name_like || "";
  const isIn = said.status === "admitted";
  // Where somebody is typing, the field stays as it is.
  if (!isIn && words.code) parts.push(h("label", { for: "code", class: "code" }, words.code, code), h("button", { onclick: enter }, words.code_enter), wrong.textContent ? wrong : "");
  const typing = document.activeElement === code;
  place.replaceChildren(...parts);
  if (typing && !isIn) code.focus();
}

async function enter() {
  try {
    const said = await call("POST", { code: code.value, name: phone.value.trim() }, "/code");
    if (said.isFine) draw(said);
    else wrong.textContent = said.reason;
  } catch {
    wrong.textContent = words.no_contact || "…";
  }
  if (wrong.textContent) place.append(wrong);
}

async function poll() {
  try {
    draw(await call("GET"));
  } catch {
    waiting = setTimeout(poll, 2000);
  }
}

async function begin() {
  const kind = /iPhone|iPad|Android|Windows|Mac|Linux/.exec(navigator.userAgent)?.[0] || "";
  const name = phone.value.trim() || kind;
  localStorage.setItem("hush-phone", phone.value.trim());
  try {
    draw(await call("POST", { name }));
  } catch {
    draw({ isFine: false, reason: words.no_contact || "…" });
    waiting = setTimeout(poll, 2000);
  }
}

poll();
