// The table as the box knows it, drawn with shapes: every colour has a shape of its own.
import { h, s } from "./dom.js";
import { t } from "./words.js";

const TONES = {
  red: "#ff6b6b", blue: "#6fb0ff", yellow: "#ffdd57", green: "#6fe08a", violet: "#c5a1ff", white: "#f4f1ea", grey: "#a9a6b5",
};
const W = 62;
const H = 88;

function mark(shape, x, y, r, fill) {
  switch (shape) {
    case "triangle": return s("polygon", { points: `${x},${y - r} ${x + r},${y + r * 0.8} ${x - r},${y + r * 0.8}`, fill });
    case "square": return s("rect", { x: x - r * 0.85, y: y - r * 0.85, width: r * 1.7, height: r * 1.7, fill });
    case "drop": return s("path", { d: `M${x} ${y - r * 1.1} C${x + r * 0.25} ${y - r * 0.4} ${x + r * 0.8} ${y - r * 0.1} ${x + r * 0.8} ${y + r * 0.35} A${r * 0.8} ${r * 0.75} 0 0 1 ${x - r * 0.8} ${y + r * 0.35} C${x - r * 0.8} ${y - r * 0.1} ${x - r * 0.25} ${y - r * 0.4} ${x} ${y - r * 1.1} Z`, fill });
    case "star": return s("path", { d: star(x, y, r), fill });
    case "skull": return s("g", { fill }, s("circle", { cx: x, cy: y - r * 0.2, r: r * 0.85 }),
      s("rect", { x: x - r * 0.5, y: y + r * 0.3, width: r, height: r * 0.6, rx: 2 }),
      s("circle", { cx: x - r * 0.35, cy: y - r * 0.2, r: r * 0.22, fill: "#1d1b26" }),
      s("circle", { cx: x + r * 0.35, cy: y - r * 0.2, r: r * 0.22, fill: "#1d1b26" }));
    case "person": return s("g", { fill }, s("circle", { cx: x, cy: y - r * 0.5, r: r * 0.42 }),
      s("path", { d: `M${x - r * 0.8} ${y + r} a${r * 0.8} ${r * 0.95} 0 0 1 ${r * 1.6} 0 Z` }));
    case "wall": return s("g", { stroke: fill, "stroke-width": r * 0.3 },
      s("line", { x1: x - r, y1: y - r * 0.5, x2: x + r, y2: y - r * 0.5 }), s("line", { x1: x - r, y1: y + r * 0.4, x2: x + r, y2: y + r * 0.4 }),
      s("line", { x1: x - r * 0.5, y1: y - r, x2: x - r * 0.5, y2: y + r }), s("line", { x1: x + r * 0.5, y1: y - r, x2: x + r * 0.5, y2: y + r }));
    default: return null;
  }
}

function star(x, y, r) {
  const points = [];
  for (let at = 0; at < 10; at += 1) {
    const far = at % 2 ? r * 0.45 : r;
    const angle = (Math.PI * at) / 5 - Math.PI / 2;
    points.push(`${x + far * Math.cos(angle)} ${y + far * Math.sin(angle)}`);
  }
  return `M${points.join("L")}Z`;
}

// Words in lines that fit the card.
export function lines(text, most = 9) {
  const made = [];
  for (const word of text.split(/\s+/)) {
    const last = made[made.length - 1];
    if (last !== undefined && `${last} ${word}`.length <= most) made[made.length - 1] = `${last} ${word}`;
    else made.push(word);
  }
  return made.slice(0, 4).map((line) => (line.length > most + 3 ? `${line.slice(0, most + 2)}…` : line));
}

function spoken(face) {
  const parts = [face.name];
  if (face.is_turned) parts.push(t("turned"));
  if (face.is_gone) parts.push(t("gone"));
  if (face.is_marked) parts.push(t("marked"));
  for (const seat of face.tokens || []) parts.push(t("player", { seat: seat + 1 }));
  return parts.join(", ");
}

export function card(face, x = 0, y = 0) {
  const ink = TONES[face.tone] || "#f4f1ea";
  const middle = W / 2;
  const content = [];
  if (face.is_hidden) {
    content.push(s("rect", { x: 7, y: 7, width: W - 14, height: H - 14, rx: 4, class: "back" }),
      s("path", { d: `M${middle + 5} 30 a14 14 0 1 0 0 28 a17 17 0 0 1 0 -28Z`, class: "back-moon" }));
  } else if (face.shape && face.sign) {
    content.push(s("text", { x: middle, y: 34, class: "rank", fill: ink }, face.sign), mark(face.shape, middle, 58, 14, ink));
  } else if (face.shape) {
    content.push(mark(face.shape, middle, 30, 16, ink));
    lines(face.name).slice(0, 2).forEach((line, at) => content.push(s("text", { x: middle, y: 62 + at * 12, class: "name", fill: ink }, line)));
  } else {
    const text = lines(face.name);
    const top = (H - text.length * 13) / 2 + 10;
    text.forEach((line, at) => content.push(s("text", { x: middle, y: top + at * 13, class: "name", fill: ink }, line)));
  }
  const turn = face.is_turned && face.shape ? `rotate(180 ${middle} ${H / 2})` : face.is_turned ? `rotate(90 ${middle} ${H / 2})` : null;
  const kinds = ["face", face.is_turned && face.shape ? "dark" : "", face.is_gone ? "gone" : "", face.is_marked ? "marked" : ""];
  const tokens = (face.tokens || []).map((seat, at) => s("g", {},
    s("circle", { cx: W - 12 - at * 20, cy: H - 10, r: 10, class: "token" }),
    s("text", { x: W - 12 - at * 20, y: H - 6, class: "token-number" }, String(seat + 1))));
  return s("g", { transform: `translate(${x} ${y})`, class: kinds.filter(Boolean).join(" ") },
    s("title", {}, spoken(face)),
    s("g", turn ? { transform: turn } : {}, s("rect", { width: W, height: H, rx: 7, class: "paper" }), content), tokens);
}

function spread(zone) {
  const faces = zone.faces;
  const across = faces.some((face) => face.is_turned && !face.shape);
  if (zone.layout === "grid") {
    const columns = Math.max(1, zone.columns);
    return { width: columns * (W + 8), height: Math.ceil(faces.length / columns) * (H + 8),
      at: (index) => [(index % columns) * (W + 8) + 4, Math.floor(index / columns) * (H + 8) + 4] };
  }
  const step = zone.layout === "fan" ? Math.min(W + 6, faces.length > 5 ? 40 : 48) : across ? H + 6 : W + 8;
  const most = zone.layout === "fan" ? 13 : across ? 4 : 6;
  const left = across ? (H - W) / 2 : 4;
  return { width: Math.max(1, Math.min(faces.length, most) - 1) * step + W + left * 2, height: Math.ceil(faces.length / most) * (H + 8),
    at: (index) => [left + (index % most) * step, Math.floor(index / most) * (H + 8) + 4] };
}

function zoneOf(zone, own) {
  const heading = [zone.label];
  const isShrine = zone.is_lit !== null && zone.is_lit !== undefined;
  const summary = zone.faces.length
    ? zone.faces.every((face) => face.is_hidden) ? t("hidden_cards", { count: zone.faces.length }) : zone.faces.map(spoken).join(", ")
    : zone.count === null || zone.count === undefined ? t("empty") : String(zone.count);
  let drawing = null;
  if (zone.faces.length) {
    const place = spread(zone);
    drawing = s("svg", { viewBox: `0 0 ${place.width} ${place.height}`, role: "img", "aria-label": `${zone.label}: ${summary}`, class: `zone-drawing ${zone.layout}`, width: place.width },
      zone.faces.map((face, index) => card(face, ...place.at(index))));
  } else if (zone.layout === "pile") {
    drawing = h("p", { class: "pile" }, String(zone.count));
  } else {
    drawing = h("p", { class: "quiet" }, isShrine ? "—" : t("empty"));
  }
  const kinds = ["zone", zone.layout, zone.is_active ? "active" : "", zone.seat === own && own !== null ? "own" : ""];
  const lamp = zone.shape ? s("svg", { viewBox: "0 0 20 20", class: "zone-shape", "aria-hidden": "true" }, mark(zone.shape, 10, 10, 8, TONES[zone.tone])) : null;
  return h("figure", { class: kinds.filter(Boolean).join(" ") },
    h("figcaption", {}, lamp, heading, zone.note ? h("span", { class: "quiet" }, ` ${zone.note}`) : null,
      isShrine ? h("span", { class: zone.is_lit ? "shrine lit" : "shrine" }, zone.is_lit ? `☀ ${t("lit")}` : `○ ${t("unlit")}`) : null),
    drawing);
}

function meter(one) {
  const blocks = [];
  const share = one.value / one.most;
  const most = Math.min(one.most, 30);
  for (let at = 0; at < most; at += 1) {
    const isOn = at < Math.round(share * most);
    blocks.push(s("rect", { x: at * 10, y: 0, width: 8, height: 18, rx: 2, class: isOn ? (at / most < 0.4 ? "on calm" : at / most < 0.75 ? "on loud" : "on full") : "off" }));
  }
  return h("figure", { class: "zone meter" }, h("figcaption", {}, one.label, h("strong", {}, ` ${one.value} / ${one.most}`)),
    s("svg", { viewBox: `0 0 ${most * 10} 18`, role: "img", "aria-label": `${one.label}: ${one.value} / ${one.most}`, class: "meter-drawing" }, blocks));
}

export function picture(said, own = null) {
  return h("div", { class: "picture" },
    said.notes.map((note) => h("p", { class: "note" }, note)), said.meters.map(meter), h("div", { class: "zones" }, said.zones.map((zone) => zoneOf(zone, own))));
}
