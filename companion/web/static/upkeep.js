// The box's own upkeep: update, go back, safe mode, restart, power off; each waits until ✔ is held on the box, or for a code.
import { h, toast } from "./dom.js";
import { attempt, call, get, t } from "./api.js";
import { sign } from "./sign.js";

export function upkeep() {
  const place = h("section", { class: "card", id: "upkeep" });
  let watching = null;

  async function watch() {
    clearTimeout(watching);
    if (!place.isConnected) return;
    let said = null;
    try {
      said = await get("/box");
    } catch {
      // It may be starting anew.
    }
    const isWaiting = !said || said.status === "waiting" || said.status === "shown" || said.is_under_way;
    // While it downloads only the bar moves, so that nobody loses the place of their finger.
    if (!isWaiting && !advance(said.download)) draw(said);
    else watching = setTimeout(watch, 1500);
  }

  function advance(download) {
    const bar = place.querySelector("progress");
    if (!bar || !download?.is_running) return false;
    const megabytes = (bytes) => Math.ceil(bytes / 1048576);
    if (download.size) bar.value = download.received / download.size;
    bar.nextElementSibling.textContent = t("upkeep_fetching", { received: megabytes(download.received), size: megabytes(download.size) || "?" });
    return true;
  }

  async function fetchNow(method) {
    await attempt(method, "/box/download");
    draw(await get("/box"));
  }

  function download(said) {
    if (!said) return null;
    const button = (method, label) => h("button", { class: "plain", "data-download": method, onclick: () => fetchNow(method) }, label);
    if (said.is_running) return h("p", { id: "download" }, h("progress", { "aria-label": t("upkeep_fetch", { host: said.host }) }), h("span", { class: "quiet" }), button("DELETE", t("upkeep_stop")));
    return h("p", { id: "download" }, button("POST", t("upkeep_fetch", { host: said.host })), h("span", { role: "status" }, said.outcome));
  }

  async function ask(deed) {
    const said = await attempt("POST", "/box/wish", { deed });
    if (!said) return;
    const code = h("input", { id: "deed-code", type: "text", inputmode: "numeric", maxlength: 12, autocomplete: "one-time-code" });
    const agree = async () => { if (await attempt("POST", "/box/wish/code", { code: code.value })) { toast(t("upkeep_asked")); watch(); } };
    place.replaceChildren(h("h2", {}, t("upkeep")), sign(said), h("label", { for: "deed-code" }, t("upkeep_code")), code, h("button", { onclick: agree }, t("upkeep_agree")));
    watching = setTimeout(watch, 1500);
  }

  function update() {
    const file = h("input", { type: "file", id: "release-file", accept: ".run", onchange: async () => {
      if (!file.files.length) return;
      toast(t("upkeep_sends"));
      try {
        const sent = await call("POST", "/box/release", file.files[0], "application/x-hush-release");
        toast(t("upkeep_sent", { version: sent.version }));
        draw(await get("/box"));
      } catch (error) {
        toast(error.message || t("no_contact"), true);
      }
      file.value = "";
    } });
    return h("p", {}, h("label", { for: "release-file" }, t("upkeep_file")), file);
  }

  function draw(said) {
    place.replaceChildren(...[h("h2", {}, t("upkeep")),
      said.version ? h("p", {}, t("upkeep_version", { version: said.version })) : null,
      said.outcome ? h("p", { role: "status" }, said.outcome) : null,
      said.deeds.length ? [h("p", { class: "quiet" }, t("upkeep_why")), update(), download(said.download), h("ul", { class: "ways-list" }, said.deeds.map((one) => h("li", {}, h("button", { class: "plain", "data-deed": one.deed, onclick: () => ask(one.deed) }, one.label))))]
        : h("p", { class: "quiet" }, t("upkeep_none"))].flat(9).filter(Boolean));
    if (advance(said.download)) watching = setTimeout(watch, 1500);
  }

  get("/box").then(draw, (error) => toast(error.message, true));
  return place;
}
