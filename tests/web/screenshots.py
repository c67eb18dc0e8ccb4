"""`python -m tests.web.screenshots`: the page's pictures in docs/images, from a real browser."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.service.test_release import Maker
from tests.web.conftest import CHROMIUM
from tests.web.rig import Rig, running
from tests.web.test_lost import parted
from tests.web.test_upkeep import Box
from tests.web.visitors import DESKTOP, PHONE, Visitors

IMAGES = Path(__file__).parent.parent.parent / "docs" / "images"


def drawn(page: Page) -> None:
    """Every card has its picture and lies in its place."""
    page.wait_for_function(
        "() => !document.querySelector('.thing:not(.loaded) image') && [...document.images].every((it) => it.complete)",
        timeout=60000,
    )
    page.wait_for_timeout(800)


def shoot_upkeep(visitors: Visitors, rig: Rig) -> None:
    """What can be asked of a box that is installed."""
    with tempfile.TemporaryDirectory() as folder:
        Box(rig, Path(folder), Maker(Path(folder) / "maker"))
        page = visitors.friend(at="#box")
        page.locator("#upkeep button").first.wait_for()
        page.locator("#upkeep").screenshot(path=IMAGES / "page-upkeep-phone.png")
        page.context.close()


def take(visitors: Visitors, rig: Rig) -> None:
    """Each picture of the documentation."""

    def shoot(name: str, size: dict[str, int] = PHONE, at: str = "#table", there: str = "#view h1") -> None:
        page = visitors.friend(size, at=at)
        page.locator(there).first.wait_for(timeout=20000)
        if there == ".thing":
            page.locator(".thing image").first.wait_for(state="attached", timeout=120000)  # the deck is drawn
        if at.startswith("#replay"):
            page.locator(there).press("End")
        drawn(page)
        page.screenshot(path=IMAGES / f"page-{name}.png")
        page.context.close()

    shoot("menu-phone")
    knock(visitors, rig)
    shoot_upkeep(visitors, rig)
    for game, moves, chosen in (
        ("similo", 400, {}), ("cisza", 30, {}), ("silencio", 300, {}), ("silentes", 40, {"drawing": "table"}),
        ("silencio", 26, {}),
    ):  # fmt: skip
        rig.begin(game, **chosen)
        rig.play(moves)
        if moves < 100:
            shoot(f"{game}-phone", there=".thing")
            shoot(f"{game}-desktop", DESKTOP, there=".thing")
    rig.begin("similo")
    rig.play(7)
    shoot("grid-phone", there=".thing")
    rig.play(9)
    for name, size in (("phone", PHONE), ("desktop", DESKTOP)):
        shoot(f"similo-{name}", size, there=".thing")
        shoot(f"games-{name}", size, at="#games", there=".tally")
        shoot(f"replay-{name}", size, at="#replay/3", there="#moment")
        shoot(f"box-{name}", size, at="#box", there="#settings")
        shoot(f"help-{name}", size, at="#help/lights", there=".sign-row")
        shoot(f"photo-{name}", size, at="#photo", there=".file")
        page = visitors.friend(size, at="#setup")
        page.locator("summary", has_text="Silencio").click()
        page.locator("summary", has_text="Who plays").first.click()
        page.screenshot(path=IMAGES / f"page-setup-{name}.png")
    believe(visitors, rig)
    card = visitors.friend()
    rig.begin("cisza", players=3)
    rig.play(30)
    card.locator(".thing:not(.glows)").first.click()
    drawn(card)
    card.screenshot(path=IMAGES / "page-card-phone.png")
    lay(visitors, rig)
    see(visitors, rig)
    teach(visitors)
    sit(visitors, rig)


def knock(visitors: Visitors, rig: Rig) -> None:
    """A phone that isn't let in yet."""
    door = visitors.stranger()
    door.goto(rig.address)
    door.get_by_label("What is this phone called?").fill("Anna's phone")
    door.screenshot(path=IMAGES / "page-knock.png")
    door.get_by_role("button", name="Knock").click()
    door.locator(".sign-number").wait_for()
    door.screenshot(path=IMAGES / "page-door.png")
    rig.ask(lambda: rig.box.on_knock(None))


def believe(visitors: Visitors, rig: Rig) -> None:
    """A table that is taken as it lies: what no camera sees is asked."""
    parted(rig)
    page = visitors.friend()
    page.locator("[data-key=believe]").click()
    page.locator("[data-key=believe-sure]").click()
    page.locator(".answers").wait_for()
    drawn(page)
    page.screenshot(path=IMAGES / "page-believe-phone.png")
    rig.ask(rig.box.undo)


def lay(visitors: Visitors, rig: Rig) -> None:
    """The simulated table, with a card being laid."""
    rig.begin("silencio")
    rig.play(30)
    table = visitors.friend({"width": 1280, "height": 1100}, at="#try")
    table.locator(".lying").first.wait_for(timeout=30000)
    table.locator("[data-key^=tray-]").nth(3).click()
    table.wait_for_timeout(6000)  # every card's picture is there
    table.screenshot(path=IMAGES / "page-try-desktop.png")


def sit(visitors: Visitors, rig: Rig) -> None:
    """Two seats, each with its own hand."""
    rig.begin("silentes", drawing="phone")
    for number, (name, size) in enumerate((("phone", PHONE), ("desktop", DESKTOP)), start=1):
        seat = visitors.friend(size, at=f"#seat/{number}")
        seat.get_by_label("PIN").fill("4711")
        seat.get_by_role("button", name=f"Take seat {number}").click()
        seat.locator(".hand-card").first.wait_for()
        drawn(seat)
        seat.screenshot(path=IMAGES / f"page-seat-{name}.png")


def see(visitors: Visitors, rig: Rig) -> None:
    """The camera's views: recognised cards over the live picture, a correction, the calibration."""
    rig.paired().post("/api/v1/simulation/tidy")
    for name, size in (("phone", PHONE), ("desktop", DESKTOP)):
        page = visitors.friend(size, at="#seen")
        page.locator(".seen-card").first.wait_for(timeout=20000)
        page.locator(".seen-photo[href]").wait_for(timeout=20000)
        page.locator("svg.seen").scroll_into_view_if_needed()
        page.wait_for_timeout(700)
        page.screenshot(path=IMAGES / f"page-seen-{name}.png")
        if name == "phone":
            page.locator(".seen-card").first.click()
            page.get_by_label("Find a card by its name").fill("red")
            page.screenshot(path=IMAGES / "page-correct-phone.png")
        page.context.close()
        page = visitors.friend(size, at="#camera")
        page.locator(".marker.found").first.wait_for(timeout=20000)
        page.screenshot(path=IMAGES / f"page-camera-{name}.png")
        page.context.close()


def teach(visitors: Visitors) -> None:
    """A card under the camera, good enough to be kept, and one that isn't; the settings."""
    for name, size, how in (("phone", PHONE, "Lay it there"), ("desktop", DESKTOP, "a lamp shines in it")):
        page = visitors.friend(size, at="#decks/tarot")
        page.get_by_role("button", name=how).click()
        page.locator(".card-edge").wait_for(timeout=20000)
        page.locator(".card-edge.good" if size is PHONE else ".checks .ill").wait_for(timeout=20000)
        page.screenshot(path=IMAGES / f"page-enrol-{name}.png")
    page = visitors.friend(at="#box")
    page.locator("#settings").wait_for()
    page.evaluate("document.getElementById('settings').scrollIntoView()")
    page.screenshot(path=IMAGES / "page-settings-phone.png")


def main() -> None:
    """Take them all."""
    IMAGES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), simulated=True) as rig,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        visitors = Visitors(browser, rig)
        take(visitors, rig)
        visitors.close()
        browser.close()


if __name__ == "__main__":
    main()
