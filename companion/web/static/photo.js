// Any phone is an eye: a photo of the table is sent to the box, which reads it and follows what it shows.
import { h, show, toast } from "./dom.js";
import { UPLOAD_MS, language, store, t } from "./api.js";
import { thumb } from "./play.js";
import { question } from "./table.js";

// Pixels along the longer side of what is sent: more is of no use to the box, and slow on a network.
const LONGEST_SIDE = 2400;
const SMALL_ENOUGH_BYTES = 900000;

// The photo as it's sent: turned as it was taken, and smaller where the browser can do that.
async function shrunk(file) {
  if (file.size <= SMALL_ENOUGH_BYTES || !window.createImageBitmap) return file;
  try {
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
    const canvas = h("canvas", { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => { canvas.toBlob((made) => done(made || file), "image/jpeg", 0.9); });
  } catch {
    return file;
  }
}

// Sends a photo and says how far it is; what the box answers.
async function sendPhoto(path, file, told) {
  told(t("photo_prepares"), null);
  const body = await shrunk(file);
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/v1${path}?language=${language()}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.timeout = UPLOAD_MS;
    request.upload.onprogress = (event) => told(t("photo_sends"), event.loaded / event.total);
    request.upload.onload = () => told(t("photo_reads"), null);
    request.onload = () => {
      let said = null;
      try { said = JSON.parse(request.responseText); } catch { /* not the box's answer */ }
      if (request.status === 200 && said) done(said);
      else fail(new Error(said?.reason || t("no_contact")));
    };
    request.onerror = request.ontimeout = () => fail(new Error(t("no_contact")));
    request.send(body);
  });
}

// A button that opens the phone's camera, and how the photo fares.
export function photoButton(words, path, then, { isSecond = false } = {}) {
  const status = h("div", { role: "status", class: "progress" });
  const tell = (text, share) => status.replaceChildren(h("progress", share === null ? { "aria-label": text } : { max: 1, value: share, "aria-label": text }), h("span", { class: "quiet" }, text));
  const input = h("input", { type: "file", accept: "image/*", capture: "environment", "aria-label": words, onchange: async () => {
    const [file] = input.files;
    if (!file) return;
    try {
      const said = await sendPhoto(path(), file, tell);
      status.replaceChildren();
      then(said);
    } catch (error) {
      status.replaceChildren(h("p", { class: "complaint", role: "alert" }, error.message));
    }
    input.value = "";
  } });
  return h("div", {}, h("span", { class: "file" }, h("a", { class: isSecond ? "big second" : "big", "aria-hidden": "true" }, `◉ ${words}`), input), status);
}

export function photo(place) {
  const ask = h("div");
  const keys = thumb();
  const result = h("div", { role: "status" });
  const button = photoButton(t("photo"), () => "/photo", (said) => {
    result.replaceChildren(h("p", {}, t("photo_saw", { cards: said.cards }), said.unnamed ? ` ${t("photo_unnamed", { count: said.unnamed })}` : ""), h("p", {}, h("a", { class: "big second", href: "#table" }, t("table"))));
    toast(t("photo_saw", { cards: said.cards }));
  });
  place.replaceChildren(h("div", { class: "table-view" }, h("div", { class: "table-main" }, ask, h("section", { class: "card" }, h("h2", {}, t("photo")), h("p", {}, t("photo_how")), button, result)), h("div", { class: "table-side" }, keys.whole)));
  const draw = () => {
    const said = store.shared;
    if (!said?.game) {
      show(ask, "none", () => h("p", { class: "card" }, t("no_game")));
      return;
    }
    show(ask, { ...said, log: 0, panel: 0, picture: 0, options: 0, moment: 0, things: 0 }, () => question(said));
    keys.say(said);
  };
  draw();
  return draw;
}
