"""People with browsers: phones and a desktop, paired or not, who click what the page offers."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from tests.patience import PATIENCE
from tests.web.rig import Rig

PHONE = {"width": 360, "height": 780}
DESKTOP = {"width": 1280, "height": 860}
AXE = Path(__file__).with_name("axe.min.js")


class Visitors:
    """Everybody who has the page open. What their consoles complain about is kept."""

    def __init__(self, browser: Browser, rig: Rig):
        self.browser = browser
        self.rig = rig
        self.errors: list[str] = []
        self._contexts: list[BrowserContext] = []

    def stranger(self, size: dict[str, int] = PHONE, locale: str = "en-GB") -> Page:
        """A browser that isn't paired."""
        context = self.browser.new_context(viewport=size, locale=locale)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE * 1000)
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        return page

    def _console(self, said: ConsoleMessage) -> None:
        # A browser reports every refusal; that a move is refused is a matter of the rules.
        is_refusal = "422" in said.text and said.location["url"].split("?")[0].endswith("/api/v1/moves")
        if said.type == "error" and not is_refusal:
            self.errors.append(said.text)

    def friend(
        self, size: dict[str, int] = PHONE, locale: str = "en-GB", at: str = "#table", *, is_clocked: bool = False
    ) -> Page:
        """A paired browser with the page open; with a clock that a test can put forward."""
        cookie = self.rig.paired().cookies["hush"]
        page = self.stranger(size, locale)
        page.context.add_cookies([{"name": "hush", "value": cookie, "url": self.rig.address}])
        if is_clocked:
            page.clock.install()
        page.goto(f"{self.rig.address}/{at}")
        page.locator(".live.on").wait_for()
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()


# One pass through what is offered, in the page itself: a move may take several taps, and a game takes hundreds.
TAP = """(dice) => {
  const roll = (list) => list[Math.floor(dice.shift() * list.length)];
  const set = document.querySelector("#view .card-set");
  if (set) {
    const cards = [...set.querySelectorAll(".choice")];
    while (set.querySelector(".sure").disabled) cards.splice(Math.floor(dice.shift() * cards.length), 1)[0].click();
    set.querySelector(".sure").click();
    return;
  }
  for (let chosen = null; !chosen || chosen.classList.contains("more");) {
    chosen = roll([...document.querySelectorAll("#view .choices > .choice-list > .choice")]);
    chosen.click();
  }
}"""


def make_a_move(page: Page, rig: Rig, rng: random.Random, attribute: str = "data-number", how: str = TAP) -> None:
    """Tap through what is offered until a move is made, and wait until this page shows it.

    What is offered follows from what everybody may know; a hand that the box has seen may refuse it, and says why.
    """
    number = rig.ask(lambda: rig.history.number)
    page.locator(f"#view[{attribute}='{number}']").wait_for(state="attached")
    for _ in range(30):
        page.evaluate("document.getElementById('toast').className = ''")
        page.evaluate(how, [rng.random() for _ in range(400)])
        page.wait_for_function(
            "([name, number]) => document.querySelector('dialog [data-key=hold]')?.click()"
            " || document.getElementById('view').getAttribute(name) !== number"
            " || document.getElementById('toast').className.includes('bad')",
            arg=[attribute, str(number)],
        )
        if page.locator("#view").get_attribute(attribute) != str(number):
            return
    raise AssertionError("nothing that is offered can be done")


# A tap on anything that glows, or on what no card stands for; a sheet that opens asks which of several moves is meant.
TAP_A_CARD = """(dice) => {
  const roll = (list) => list[Math.floor(dice.shift() * list.length)];
  const tap = (one) => one.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  document.querySelectorAll("dialog").forEach((one) => one.close());
  const kinds = [".thing", ".zone-spot", ".rack-card", ".hand-card", "button.seat-tag"];
  const glowing = () => [...document.querySelectorAll(kinds.map((kind) => `#view ${kind}.glows`).join(", "))];
  const sure = document.querySelector("#view .actions .sure");
  if (sure) {
    const button = () => document.querySelector("#view .actions .sure");
    const left = () => glowing().filter((one) => !one.classList.contains("chosen"));
    for (let tries = 0; tries < 200 && button().disabled; tries += 1) tap(roll(left()));
    tap(button());
    return "sure";
  }
  const all = [...glowing(), ...document.querySelectorAll("#view .actions .choice")];
  if (!all.length) return "nothing glows";
  const chosen = roll(all);
  tap(chosen);
  const asked = [...document.querySelectorAll("dialog .choice")];
  if (asked.length) tap(roll(asked));
  return chosen.dataset.card || chosen.dataset.zone || chosen.dataset.key || chosen.textContent;
}"""


def tap_a_move(page: Page, rig: Rig, rng: random.Random, attribute: str = "data-number") -> None:
    """Tap what glows on the table, in the hand or beside it until a move is made, and wait until this page shows it."""
    make_a_move(page, rig, rng, attribute, TAP_A_CARD)


def serious(page: Page) -> list[dict[str, Any]]:
    """What axe-core finds serious or critical."""
    if page.evaluate("window.axe === undefined"):
        page.evaluate(AXE.read_text())
    found: dict[str, Any] = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        {"id": one["id"], "nodes": [node["html"][:160] for node in one["nodes"]]}
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]
