// The Wi-Fi: which network the box shall join. The door has it too, for who arrives on the box's own network.
import { h } from "./dom.js";
import { sign } from "./sign.js";

const bytes = (name) => [...new TextEncoder().encode(name)].map((one) => one.toString(16).padStart(2, "0")).join("");

// `call` asks the box, and throws what it answers when it refuses.
export function network(call) {
  const place = h("section", { class: "card", id: "network" });
  const said = h("p", { role: "status" });
  const password = h("input", { type: "password", id: "wifi-password", maxlength: 64, autocomplete: "off", autocapitalize: "none", spellcheck: "false" });
  const other = h("input", { type: "text", id: "wifi-name", maxlength: 32, autocapitalize: "none", spellcheck: "false" });
  let state = { words: {} };
  let watching = null;
  const w = (key, values = {}) => Object.entries(values).reduce((text, [name, value]) => text.replace(`{${name}}`, value), state.words[key] || "…");

  async function watch() {
    clearTimeout(watching);
    if (!place.isConnected) return;
    try {
      state = await call("GET", "/network");
    } catch {
      // The box's own network may be away for a moment.
      watching = setTimeout(watch, 2000);
      return;
    }
    if (state.is_under_way || state.status === "waiting" || state.status === "shown") watching = setTimeout(watch, 1500);
    else draw();
  }

  async function ask(word, ssid = "", name = "") {
    const isJoining = word === "join";
    try {
      const answer = await call("POST", "/network", isJoining ? { word, ssid, password: password.value } : { word });
      password.value = "";
      if (answer.status === "admitted") {
        said.textContent = isJoining ? w("leaving", { name, address: state.home }) : w("works");
        place.replaceChildren(h("h2", {}, w("title")), said);
      } else {
        const code = h("input", { id: "wifi-code", type: "text", inputmode: "numeric", maxlength: 12, autocomplete: "one-time-code" });
        const agree = async () => {
          try {
            await call("POST", "/box/wish/code", { code: code.value });
            said.textContent = w("agreed");
          } catch (error) {
            said.textContent = error.message;
          }
        };
        said.textContent = "";
        place.replaceChildren(h("h2", {}, w("title")), sign(answer), h("label", { for: "wifi-code" }, w("code")), code, h("button", { onclick: agree }, w("agree")), said);
      }
      watching = setTimeout(watch, 1500);
    } catch (error) {
      said.textContent = error.message || "…";
    }
  }

  // The password's field stands under the network that was tapped.
  function pick(row, one) {
    const isOther = one === null;
    const shows = h("input", { type: "checkbox", id: "wifi-show", onchange: () => { password.type = shows.checked ? "text" : "password"; } });
    const join = () => ask("join", isOther ? bytes(other.value) : one.ssid, isOther ? other.value : one.name);
    password.value = "";
    password.type = "password";
    place.querySelector(".wifi-join")?.remove();
    row.append(h("form", { class: "wifi-join", onsubmit: (event) => { event.preventDefault(); join(); } },
      isOther ? [h("label", { for: "wifi-name" }, w("other_name")), other] : null,
      isOther || one.lock ? [h("label", { for: "wifi-password" }, w("password")), password, h("label", { for: "wifi-show", class: "tick" }, shows, w("show"))] : null,
      h("button", { type: "submit" }, w("join"))));
    (isOther ? other : one.lock ? password : row.querySelector("[type=submit]")).focus();
  }

  function row(one) {
    const lock = w(one.lock ? "locked" : "unlocked");
    const line = h("li", {}, h("button", { class: "plain", disabled: one.lock === "other", onclick: () => pick(line, one) }, one.name || "…"),
      h("p", { class: "quiet" }, one.lock === "other" ? w("cannot") : `${w("signal", { signal: one.signal })} · ${lock}`));
    return line;
  }

  function draw() {
    document.activeElement?.blur();
    said.textContent = state.outcome;
    const another = h("li", {}, h("button", { class: "plain", onclick: () => pick(another, null) }, w("other")));
    const button = (word, label) => h("button", { class: "plain", "data-word": word, onclick: () => ask(word) }, label);
    place.replaceChildren(...[h("h2", {}, w("title")), h("p", {}, w(`mode_${state.mode}`, { own: state.own })), state.is_alone ? h("p", {}, w("alone")) : null, said,
      state.is_free ? h("p", { class: "quiet" }, w("window", { address: `${location.origin}/` })) : null,
      state.can_ask ? [h("h3", {}, w("choose")), state.networks.length ? null : h("p", { class: "quiet" }, w("none_found")),
        h("ul", { class: "ways-list" }, state.networks.map(row), another),
        h("p", {}, button("look", w("look")), state.mode === "hotspot" ? h("span", { class: "quiet" }, ` ${w("look_why")}`) : null),
        h("p", {}, state.is_alone ? null : button("alone", w("stay")), state.mode === "hotspot" ? null : button("own", w("own")))] : null].flat(9).filter(Boolean));
  }

  call("GET", "/network").then((first) => { state = first; if (state.is_under_way) watch(); else draw(); }, () => place.remove());
  return place;
}
