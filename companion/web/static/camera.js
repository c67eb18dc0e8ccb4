// The calibration view: the live picture with its corner markers, and in words what is well and what to do.
import { h, s, show, toast } from "./dom.js";
import { attempt, get, t } from "./api.js";
import { checks, framed, keepLooking } from "./live.js";

function mark(spot, said) {
  const [x, y, r] = [spot.x * said.width, spot.y * said.height, said.width / 34];
  return s("g", { class: spot.is_found ? "marker found" : "marker missing" }, s("circle", { cx: x, cy: y, r }),
    s("text", { x, y: y + r * 0.35, "font-size": r }, spot.is_found ? String(spot.number) : `${spot.number}?`));
}

function outline(said) {
  if (!said.markers.every((spot) => spot.is_found)) return null;
  return s("polygon", { points: said.markers.map((spot) => `${spot.x * said.width},${spot.y * said.height}`).join(" "), class: "table-edge" });
}

// How sharp the picture is, live while somebody turns the lens; the line is the best so far.
function gauge(now, best) {
  return h("div", { role: "meter", "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": now, "aria-label": t("sharpness_now", { now, best }) },
    s("svg", { viewBox: "0 0 100 3", class: "gauge" }, s("rect", { width: 100, height: 3, class: "off" }),
      s("rect", { width: now, height: 3, class: "calm" }), s("rect", { x: Math.max(0, best - 0.5), width: 1, height: 3, class: "loud" })),
    h("p", { class: "quiet", "aria-hidden": "true" }, t("sharpness_now", { now, best })));
}

export function camera(place) {
  let best = 0;
  const sharp = h("div", {});
  const stage = h("div", {}, h("p", { class: "quiet" }, "…"));
  const words = h("div", { "aria-live": "polite" });
  place.replaceChildren(h("div", { class: "narrow wide" }, h("h1", {}, t("camera")), h("p", { class: "quiet" }, t("camera_why")),
    h("section", { class: "card beside", "aria-label": t("camera_sees") }, stage,
      h("div", {}, sharp, words, h("button", { class: "big", onclick: async () => { if (await attempt("POST", "/calibration")) toast(t("measuring")); } }, t("measure_anew"))))));
  const missing = (said) => said.markers.filter((spot) => !spot.is_found).map((spot) => spot.number).join(", ");
  keepLooking(stage, () => get("/calibration"), (said) => {
    stage.replaceChildren(framed(said, missing(said) ? t("markers_missing", { missing: missing(said) }) : t("markers_found"), [outline(said), said.markers.map((spot) => mark(spot, said))]));
    best = Math.max(best, said.sharpness || 0);
    sharp.replaceChildren(...(said.sharpness === null ? [] : [gauge(said.sharpness, best)]));
    show(words, said.checks, checks);
  }, (error) => { stage.replaceChildren(h("p", { class: "complaint" }, error.message)); words.replaceChildren(); }, 1000);
  return () => {};
}
