"""`python -m tests.web.screenshots`: the page's pictures in docs/images, from a real browser."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.web.conftest import CHROMIUM
from tests.web.rig import Rig, running
from tests.web.visitors import DESKTOP, PHONE, Visitors

IMAGES = Path(__file__).parent.parent.parent / "docs" / "images"


def take(visitors: Visitors, rig: Rig) -> None:
    """Each picture of the documentation."""

    def shoot(name: str, size: dict[str, int] = PHONE, at: str = "#table", whole: bool = False) -> None:
        page = visitors.friend(size, at=at)
        page.wait_for_timeout(500)
        page.screenshot(path=IMAGES / f"page-{name}.png", full_page=whole)

    door = visitors.stranger()
    door.goto(rig.address)
    door.get_by_role("button", name="Knock").click()
    door.locator(".sign-number").wait_for()
    door.screenshot(path=IMAGES / "page-door.png")
    rig.ask(lambda: rig.box.receive(None))
    for game, moves, chosen in (
        ("similo", 400, {}), ("cisza", 60, {}), ("silencio", 300, {}), ("silentes", 40, {"drawing": "table"}),
        ("silencio", 26, {}),
    ):  # fmt: skip
        rig.begin(game, **chosen)
        rig.play(moves)
        if moves < 100:
            shoot(f"{game}-phone")
            shoot(f"{game}-desktop", DESKTOP)
    rig.begin("similo")
    rig.play(16)
    shoot("similo-phone")
    shoot("similo-desktop", DESKTOP)
    shoot("games-phone", at="#games")
    shoot("box-phone", at="#box")
    page = visitors.friend(at="#setup")
    page.locator("summary", has_text="Silencio").click()
    page.locator("summary", has_text="Variants").first.click()
    page.screenshot(path=IMAGES / "page-setup-phone.png")
    rig.begin("silencio")
    rig.play(30)
    table = visitors.friend({"width": 1280, "height": 1100}, at="#try")
    table.locator(".lying").first.wait_for(timeout=30000)
    table.locator("[data-key^=tray-]").nth(3).click()
    table.wait_for_timeout(6000)  # every card's picture is there
    table.screenshot(path=IMAGES / "page-try-desktop.png")
    see(visitors, rig)
    teach(visitors)
    rig.begin("silentes", drawing="phone")
    seat = visitors.friend(at="#seat/1")
    seat.get_by_label("PIN").fill("4711")
    seat.get_by_role("button", name="Take seat 1").click()
    seat.get_by_role("heading", name="Only you can see this").wait_for()
    seat.screenshot(path=IMAGES / "page-seat-phone.png")


def see(visitors: Visitors, rig: Rig) -> None:
    """The camera's views: recognised cards over the live picture, a correction, the calibration."""
    rig.paired().post("/api/v1/simulation/tidy")
    for name, size in (("phone", PHONE), ("desktop", DESKTOP)):
        page = visitors.friend(size)
        page.get_by_role("button", name="As the camera sees it").click()
        page.get_by_label("Live picture behind the cards").check()
        page.locator(".seen-card").first.wait_for(timeout=20000)
        page.locator(".seen-photo[href]").wait_for(timeout=20000)
        page.locator("svg.seen").scroll_into_view_if_needed()
        page.wait_for_timeout(700)
        page.screenshot(path=IMAGES / f"page-seen-{name}.png")
        if name == "phone":
            page.locator(".seen-card").first.click()
            page.get_by_label("Find a card by its name").fill("red")
            page.screenshot(path=IMAGES / "page-correct-phone.png")
        page = visitors.friend(size, at="#camera")
        page.locator(".marker.found").first.wait_for(timeout=20000)
        page.screenshot(path=IMAGES / f"page-camera-{name}.png")


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
