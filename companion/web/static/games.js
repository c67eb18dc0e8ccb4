// Games of the past: numbers with charts, and any finished game again with a slider.
import { h, s, toast } from "./dom.js";
import { get, goOn, store } from "./api.js";
import { picture } from "./picture.js";
import { logLines } from "./table.js";
import { language, t } from "./words.js";

const date = (text) => (text ? new Date(text).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" }) : "");
const isOnTable = (game) => store.shared && store.shared.game_id === game.id;

function winChart(tallies) {
  const rows = tallies.map((one, at) => {
    const share = one.played ? one.won / one.played : 0;
    return s("g", { transform: `translate(0 ${at * 44})` },
      s("text", { x: 0, y: 14, class: "chart-label" }, one.title),
      s("rect", { x: 0, y: 20, width: 320, height: 16, rx: 4, class: "chart-back" }),
      s("rect", { x: 0, y: 20, width: Math.max(2, share * 320), height: 16, rx: 4, class: "chart-bar" }),
      s("text", { x: 320, y: 14, class: "chart-number" }, t("won_of", { won: one.won, played: one.played })));
  });
  const label = tallies.map((one) => `${one.title}: ${t("won_of", { won: one.won, played: one.played })}`).join("; ");
  return s("svg", { viewBox: `0 0 320 ${tallies.length * 44}`, role: "img", "aria-label": label, class: "chart" }, rows);
}

function dayChart(days) {
  const entries = Object.entries(days);
  const most = Math.max(...entries.map(([, count]) => count), 1);
  const step = 320 / Math.max(entries.length, 7);
  return s("svg", { viewBox: "0 0 320 110", role: "img", "aria-label": entries.map(([day, count]) => `${day}: ${count}`).join("; "), class: "chart" },
    s("line", { x1: 0, y1: 91, x2: 320, y2: 91, class: "chart-line" }),
    entries.map(([day, count], at) => s("g", {}, s("rect", { x: at * step + 2, y: 90 - (count / most) * 74, width: Math.min(step - 4, 40), height: (count / most) * 74, rx: 3, class: "chart-bar" }),
      s("text", { x: at * step + Math.min(step, 44) / 2, y: 104, class: "chart-day" }, day.slice(5)),
      s("text", { x: at * step + Math.min(step, 44) / 2, y: 84 - (count / most) * 74, class: "chart-day" }, String(count)))));
}

function row(game) {
  const state = game.ended ? (game.has_won ? t("won") : t("lost")) : t("unfinished");
  const words = [date(game.started), game.ended ? game.reason : "", game.minutes === null ? "" : t("minutes", { count: game.minutes })].filter(Boolean).join(" · ");
  return h("li", {}, game.ended || isOnTable(game) ? null : h("button", { class: "plain", onclick: () => goOn(game.id).then((done) => done && (location.hash = "#table")) }, t("go_on", { game: game.title })), game.ended ? h("a", { href: `#replay/${game.id}` }, `${game.title}, ${state}`) : h("span", {}, `${game.title}, ${state}`), h("span", { class: "quiet" }, words));
}

function list(first) {
  const rows = h("ul", { class: "games" }, first.games.map(row));
  const more = h("button", { class: "plain", hidden: first.before === null, onclick: async () => {
    const next = await get(`/games/before/${before}`).catch((error) => toast(error.message, true));
    if (!next) return;
    rows.append(...next.games.map(row));
    before = next.before;
    more.hidden = before === null;
  } }, t("more_games"));
  let before = first.before;
  return h("div", {}, rows, more);
}

export function games(place) {
  const content = h("div", { class: "narrow" }, h("p", { class: "quiet" }, "…"));
  place.replaceChildren(content);
  Promise.all([get("/games"), get("/statistics")]).then(([played, numbers]) => {
    content.replaceChildren(h("h1", {}, t("games")),
      numbers.tallies.length ? h("section", { class: "card" }, h("h2", {}, t("statistics")), winChart(numbers.tallies), h("h3", {}, t("by_day")), dayChart(numbers.days),
        numbers.tallies.map((one) => h("p", { class: "quiet" }, `${one.title}: `, Object.entries(one.endings).map(([ending, count]) => `${ending} (${count})`).join(", "), one.minutes === null ? "" : ` · ${t("average", { count: one.minutes })}`))) : null,
      h("section", { class: "card" }, h("h2", {}, t("record")), played.games.length ? list(played) : h("p", { class: "quiet" }, t("nothing_yet"))));
  }, (error) => toast(error.message, true));
  return () => {};
}

export function replay(place, id) {
  const content = h("div", { class: "narrow" }, h("p", { class: "quiet" }, "…"));
  place.replaceChildren(content);
  get(`/games/${id}`).then((said) => {
    const most = said.log.length;
    const stage = h("div", { class: "card" });
    const words = h("p", { class: "told", "aria-live": "polite" });
    const slider = h("input", { type: "range", min: 0, max: most, value: 0, id: "moment", "aria-label": t("moment_of_game"), oninput: () => go(Number(slider.value)) });
    let wanted = 0;
    async function go(at) {
      wanted = at;
      slider.value = at;
      words.textContent = at ? `${at} / ${most}: ${said.log[at - 1].told.join(" ")}` : `0 / ${most}`;
      const still = await get(`/games/${id}/steps/${at}`).catch((error) => toast(error.message, true));
      if (still && wanted === at) stage.replaceChildren(picture(still.picture));
    }
    const step = (by) => go(Math.min(most, Math.max(0, wanted + by)));
    content.replaceChildren(h("h1", {}, `${said.game.title}, ${said.game.has_won ? t("won") : t("lost")}`), h("p", { class: "quiet" }, `${date(said.game.started)} · ${said.game.reason}`),
      h("div", { class: "card" }, h("div", { class: "row" }, h("button", { "aria-label": t("one_back"), onclick: () => step(-1) }, "◀"), slider, h("button", { "aria-label": t("one_on"), onclick: () => step(1) }, "▶")), words),
      stage, h("details", { class: "card" }, h("summary", {}, t("log")), logLines(said.log)),
      h("p", {}, h("a", { href: `/api/v1/games/${id}/export`, download: "" }, t("export"))));
    go(0);
  }, (error) => { content.replaceChildren(h("p", { class: "card" }, error.message)); });
  return () => {};
}
