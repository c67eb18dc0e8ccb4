// A picture that renews itself while its view is open: ask, show, pause, ask again.
import { h, s } from "./dom.js";

export const checks = (list) => h("ul", { class: "checks" }, list.map((one) => h("li", { class: one.is_well ? "well" : "ill" },
  h("span", { class: "sign", "aria-hidden": "true" }, one.is_well ? "✔" : "!"),
  h("div", {}, h("strong", {}, one.name), h("p", {}, one.says), one.fix ? h("p", { class: "fix" }, one.fix) : null))));

// The picture with marks drawn over it, in the picture's own pixels.
export function framed(said, label, marks) {
  return s("svg", { viewBox: `0 0 ${said.width} ${said.height}`, class: "framed", role: "img", "aria-label": label },
    s("image", { href: said.picture, width: said.width, height: said.height }), marks);
}

export function keepLooking(place, ask, draw, fail, pause = 500) {
  let waiting = null;
  let next = pause;
  async function look() {
    clearTimeout(waiting);
    if (!place.isConnected) return;
    if (!document.hidden) {
      try {
        draw(await ask());
        next = pause;
      } catch (error) {
        fail(error);
        next = pause * 6;
      }
    }
    if (place.isConnected) waiting = setTimeout(look, next);
  }
  look();
  return look;
}
