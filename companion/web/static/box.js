// The box itself: health with fixes, settings, phones, language, backup and restore.
import { h, toast } from "./dom.js";
import { attempt, call, choose, get, language, languages, listen, store, t } from "./api.js";
import { checks } from "./live.js";
import { settings as changeable } from "./settings.js";
import { network } from "./network.js";
import { upkeep } from "./upkeep.js";

function phones(devices, redraw) {
  if (!devices.length) return h("p", { class: "quiet" }, t("no_phones"));
  return h("ul", { class: "phones" }, devices.map((one) => h("li", {}, h("span", {}, `${one.name} · ${new Date(one.since).toLocaleDateString(language())}${one.is_this ? ` · ${t("this_phone")}` : ""}`),
    h("button", { class: "plain", "aria-label": `${t("forget")}: ${one.name}`, onclick: async () => { if (window.confirm(one.is_this ? t("forget_this_sure") : t("forget_sure", { name: one.name })) && await attempt("DELETE", `/devices/${one.id}`)) redraw(); } }, t("forget")))));
}

function printing(sheets) {
  const paper = h("select", { id: "paper" }, ["a4", "letter"].map((one) => h("option", { value: one }, one.toUpperCase())));
  const link = (what) => h("li", {}, h("a", { href: `/api/v1/prints/${what}/a4`, download: "", onclick: (event) => { event.currentTarget.href = `/api/v1/prints/${what}/${paper.value}`; } }, what));
  return h("details", { class: "card" }, h("summary", {}, t("printing")), h("p", { class: "quiet" }, t("printing_why")), h("label", { for: "paper" }, t("paper")), paper, h("ul", {}, sheets.map(link)));
}

function restore() {
  const file = h("input", { type: "file", id: "backup-file", accept: ".zip,application/zip", onchange: async () => {
    if (!file.files.length) return;
    const done = await attempt("POST", "/restore", file.files[0], "application/zip");
    if (done) toast(t("restored", { taken: done.taken, known: done.known }));
    file.value = "";
  } });
  return h("p", {}, h("label", { for: "backup-file" }, t("restore")), file);
}

export function box(place, _, rebuild) {
  const content = h("div", { class: "narrow" }, h("p", { class: "quiet" }, "…"));
  place.replaceChildren(content);
  const draw = () => Promise.all([get("/health"), get("/settings"), get("/prints")]).then(([health, settings, sheets]) => {
    const pick = h("select", { id: "language", onchange: async () => { try { await choose(pick.value); } catch (error) { toast(error.message, true); } store.shared = null; listen(); rebuild(); } },
      Object.entries(languages()).map(([code, name]) => h("option", { value: code, selected: code === document.documentElement.lang }, name)));
    content.replaceChildren(h("h1", {}, t("box")),
      h("section", { class: "card" }, h("h2", {}, t("language")), h("label", { for: "language" }, t("language_why")), pick),
      h("section", { class: "card" }, h("h2", {}, health.is_well ? t("all_well") : t("not_well")), checks(health.checks)),
      h("section", { class: "card" }, h("h2", {}, t("camera_and_decks")), h("ul", { class: "ways-list" }, h("li", {}, h("a", { href: "#camera" }, t("camera")), h("p", { class: "quiet" }, t("camera_why"))),
        h("li", {}, h("a", { href: "#decks" }, t("teach")), h("p", { class: "quiet" }, t("teach_short"))))),
      changeable(settings),
      h("section", { class: "card" }, h("h2", {}, t("phones")), phones(settings.devices, draw)),
      h("section", { class: "card" }, h("h2", {}, t("backup")), h("p", {}, t("backup_why")), h("p", {}, h("a", { class: "big", href: "/api/v1/backup", download: "hush-backup.zip" }, t("backup_get"))), restore()),
      network(call),
      upkeep(),
      printing(sheets),
      h("details", { class: "card" }, h("summary", {}, t("all_settings")), h("p", { class: "quiet" }, t("settings_why")),
        h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("all_settings") }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, t("key")), h("th", {}, t("value")), h("th", {}, t("origin")))),
          h("tbody", {}, settings.rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.key), h("td", {}, row.value), h("td", {}, row.origin))))))));
  }, (error) => toast(error.message, true));
  draw();
  return () => {};
}
