// Small tools to make elements; no markup is ever parsed, so no text can become code.
const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
export const s = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

// Shows content in a place, but only when it says something new, and keeps the keyboard where it was.
const shown = new WeakMap();
export function show(place, data, draw) {
  const mark = JSON.stringify(data);
  if (shown.get(place) === mark) return;
  shown.set(place, mark);
  const key = place.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  place.replaceChildren(...[draw(data)].flat(9).filter(Boolean));
  if (key) [...place.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key)?.focus();
}

export function forget(place) {
  shown.delete(place);
}

// A signal that gives a request up after a while; `AbortSignal.timeout` is younger than many phones.
export function within(milliseconds) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), milliseconds);
  return controller.signal;
}

let fading;
export function toast(text, isBad = false, action = null) {
  const place = document.getElementById("toast");
  const close = () => { place.className = ""; };
  place.replaceChildren(h("span", {}, text), action ? h("button", { class: "plain", onclick: () => { close(); action.act(); } }, action.label) : "");
  place.className = isBad ? "bad shown" : "shown";
  clearTimeout(fading);
  fading = setTimeout(close, 5000);
}

export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
