// Games of the past: what they add up to, the list with filters, and any finished game again with a slider.
import { h, show, toast } from "./dom.js";
import { get, goOn, language, store, t } from "./api.js";
import { Board, lying } from "./board.js";
import { about } from "./play.js";
import { inWords, logLines } from "./table.js";

const date = (text) => (text ? new Date(text).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" }) : "");
const day = (text) => new Date(`${text}T12:00`).toLocaleDateString(language(), { day: "numeric", month: "short" });
const isOnTable = (game) => store.shared && store.shared.game_id === game.id;
const share = (won, played) => { const bar = h("i", {}); bar.style.width = `${played ? (100 * won) / played : 0}%`; return h("div", { class: "share", role: "img", "aria-label": t("won_of", { won, played }) }, bar); };

function tally(one) {
  const players = Object.entries(one.by_players).map(([count, [won, played]]) => t("with_players", { count, won, played })).join(" · ");
  const facts = [!one.minutes ? "" : t("average", { count: one.minutes }), one.streak > 1 ? t("streak", { count: one.streak }) : "", one.best_streak > 1 ? t("best_streak", { count: one.best_streak }) : ""].filter(Boolean).join(" · ");
  return h("div", { class: "tally" }, h("div", { class: "tally-head" }, h("strong", {}, one.title), h("span", { class: "quiet" }, t("won_of", { won: one.won, played: one.played }))), share(one.won, one.played),
    h("p", { class: "quiet" }, players), facts ? h("p", { class: "quiet" }, facts) : null,
    h("p", { class: "quiet" }, Object.entries(one.endings).map(([ending, count]) => `${ending}: ${count}`).join(" · ")));
}

function dayChart(days) {
  const entries = Object.entries(days);
  const most = Math.max(...entries.map(([, count]) => count), 1);
  const bar = ([name, count]) => { const column = h("i", { title: `${day(name)}: ${count}` }); column.style.height = `${Math.round((66 * count) / most)}px`; return h("span", {}, String(count), column); };
  return [h("div", { class: "days", role: "img", "aria-label": entries.map(([name, count]) => `${day(name)}: ${count}`).join("; ") }, entries.map(bar)),
    h("div", { class: "days-ends", "aria-hidden": "true" }, h("span", {}, day(entries[0][0])), entries.length > 1 ? h("span", {}, day(entries[entries.length - 1][0])) : null)];
}

function row(game) {
  const state = game.ended ? (game.has_won ? t("won") : t("lost")) : t("unfinished");
  const words = [date(game.started), game.players ? t("players_count", { count: game.players }) : "", game.ended ? game.reason : "", !game.minutes ? "" : t("minutes", { count: game.minutes })].filter(Boolean).join(" · ");
  return h("li", {}, game.ended ? h("a", { href: `#replay/${game.id}` }, `${game.title}, ${state}`) : h("span", {}, `${game.title}, ${state}`), h("span", { class: "quiet" }, words),
    game.ended || isOnTable(game) ? null : h("button", { class: "plain", onclick: () => goOn(game.id).then((done) => done && (location.hash = "#table")) }, t("go_on", { game: game.title })));
}

// The list, a page at a time; what is filtered for is asked of the box, so that a page is always full.
function list(all) {
  const place = h("div", {});
  const option = (value, words) => h("option", { value }, words);
  const game = h("select", { id: "filter-game", "data-key": "filter-game", onchange: () => fill() }, option("all", t("every_game")), all.map((one) => option(one.name, one.title)));
  const result = h("select", { id: "filter-result", "data-key": "filter-result", onchange: () => fill() }, ["all", "won", "lost", "open"].map((one) => option(one, t(`result_${one}`))));
  const ask = (before) => get(`/games/found/${game.value}/${result.value}/${before}`);
  let asked = 0;
  async function fill() {
    asked += 1;
    const mine = asked;
    const first = await ask(0).catch((error) => { toast(error.message, true); return null; });
    if (!first || mine !== asked) return;
    const rows = h("ul", { class: "games" });
    const more = h("button", { onclick: async () => {
      const next = await ask(Number(more.dataset.before)).catch((error) => toast(error.message, true));
      if (next) add(next);
    } }, t("more_games"));
    const add = (page) => {
      rows.append(...page.games.map(row));
      more.hidden = page.before === null;
      more.dataset.before = page.before;
    };
    add(first);
    const nothing = game.value === "all" && result.value === "all" ? t("no_games_yet") : t("no_games_found");
    place.replaceChildren(...(first.games.length ? [rows, more] : [h("p", { class: "quiet" }, nothing)]));
  }
  fill();
  return [h("div", { class: "filters" }, h("div", {}, h("label", { for: "filter-game" }, t("filter_game")), game), h("div", {}, h("label", { for: "filter-result" }, t("filter_result")), result)), place];
}

export function games(place) {
  const content = h("div", { class: "narrow" }, h("p", { class: "quiet" }, "…"));
  place.replaceChildren(content);
  Promise.all([get("/statistics"), get("/rules")]).then(([numbers, rules]) => {
    content.replaceChildren(h("h1", {}, t("games")),
      h("section", { class: "card" }, h("h2", {}, t("statistics")), numbers.tallies.length ? [numbers.tallies.map(tally), h("h3", {}, t("by_day")), dayChart(numbers.days)] : h("p", { class: "quiet" }, t("no_statistics_yet"))),
      h("section", { class: "card" }, h("h2", {}, t("record")), list(rules)));
  }, (error) => toast(error.message, true));
  return () => {};
}

export function replay(place, id) {
  const content = h("div", { class: "narrow wide" }, h("p", { class: "quiet" }, "…"));
  place.replaceChildren(content);
  Promise.all([get(`/games/${id}`), get(`/games/${id}/table`)]).then(([said, map]) => {
    const most = said.log.length;
    const board = new Board({ onTap: (ids, how) => about(map, ids[0], how.face, how.title), onAbout: (thing) => about(map, thing.card, thing.face) });
    const rest = h("div", {});
    const words = h("p", { class: "told", "aria-live": "polite" });
    const slider = h("input", { type: "range", min: 0, max: most, value: 0, id: "moment", "aria-label": t("moment_of_game"), oninput: () => go(Number(slider.value)) });
    let wanted = 0;
    let shown = -1;
    async function go(at) {
      wanted = at;
      slider.value = at;
      words.textContent = at ? `${at} / ${most}: ${said.log[at - 1].told.join(" ")}` : `0 / ${most}`;
      const still = await get(`/games/${id}/steps/${at}`).catch((error) => toast(error.message, true));
      if (!still || wanted !== at) return;
      // After a leap everything has changed, and a mark would say nothing.
      board.isNew = Math.abs(at - shown) !== 1;
      shown = at;
      board.draw(map, lying(still, null), null, { number: at });
      board.settle();
      show(rest, still.picture, (picture) => inWords(picture));
    }
    const step = (by) => go(Math.min(most, Math.max(0, wanted + by)));
    content.replaceChildren(h("h1", {}, `${said.game.title}, ${said.game.has_won ? t("won") : t("lost")}`), h("p", { class: "quiet" }, `${date(said.game.started)} · ${said.game.reason}`),
      h("div", { class: "part-board" }, board.whole),
      h("div", { class: "card" }, h("div", { class: "row" }, h("button", { "aria-label": t("one_back"), onclick: () => step(-1) }, "◀"), slider, h("button", { "aria-label": t("one_on"), onclick: () => step(1) }, "▶")), words),
      h("details", { class: "card" }, h("summary", {}, t("in_words")), rest), h("details", { class: "card" }, h("summary", {}, t("log")), logLines(said.log)),
      h("p", {}, h("a", { href: `/api/v1/games/${id}/export`, download: "" }, t("export"))));
    go(0);
  }, (error) => { content.replaceChildren(h("p", { class: "card" }, error.message)); });
  return () => {};
}
