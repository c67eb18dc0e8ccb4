"""The camera's views and the settings in a real Chromium, and the page on a phone's home screen."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, Playwright, expect

from tests.patience import PATIENCE
from tests.web.conftest import CHROMIUM
from tests.web.rig import Rig, running
from tests.web.test_api import API
from tests.web.test_eyes import lay
from tests.web.visitors import DESKTOP, PHONE, Visitors, serious

WIDTH = "async (at) => { const image = new Image(); image.src = at; await image.decode(); return image.width }"
ALL_DRAWN = "() => !document.querySelector('.thing:not(.loaded) image')"


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    with running(tmp_path_factory.mktemp("box"), simulated=True) as rig:
        yield rig


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def test_a_deck_is_taught_card_by_card(visitors: Visitors, rig: Rig) -> None:
    page = visitors.friend(at="#decks")
    row = page.locator(".deck", has_text="Similo, history")
    expect(row).to_contain_text("0 of 32 cards")
    assert serious(page) == []
    row.get_by_role("link", name="Begin").click()
    asked = page.get_by_role("heading", level=1)
    expect(asked).to_contain_text("Abraham Lincoln")
    keep = page.get_by_role("button", name="Keep this picture")
    expect(page.locator(".checks")).to_contain_text("There is no card to be seen")
    expect(keep).to_be_disabled()
    page.get_by_role("button", name="a lamp shines in it").click()
    expect(page.locator(".checks .ill")).to_contain_text("A lamp shines in the card")
    expect(keep).to_be_disabled()
    page.get_by_role("button", name="Lay it there").click()
    expect(page.locator(".card-edge.good")).to_be_visible()
    assert serious(page) == []
    assert fits(page)
    keep.click()
    expect(asked).to_contain_text("Alexander the Great")
    page.get_by_role("button", name="Skip").click()
    expect(asked).to_contain_text("Anne Bonny")
    page.get_by_role("button", name="Compare the deck").click()
    expect(page.get_by_role("status").filter(has_text="No two cards look alike")).to_be_visible()
    page.get_by_role("link", name="Stop for now").click()
    row = page.locator(".deck", has_text="Similo, history")
    expect(row).to_contain_text("1 of 32 cards")
    row.get_by_role("link", name="Go on").click()
    expect(asked).to_contain_text("Alexander the Great")
    page.get_by_label("Or another card").select_option(label="✔ Abraham Lincoln")
    expect(asked).to_contain_text("Abraham Lincoln")


def test_look_alikes_are_shown_side_by_side(visitors: Visitors, rig: Rig) -> None:
    phone = rig.paired()
    phone.post(f"{API}/decks/tarot/lay", json={"card": "cups-02"})
    for card in ("cups-02", "cups-03"):
        look = phone.get(f"{API}/decks/tarot/look").json()["number"]
        phone.post(f"{API}/decks/tarot/cards/{card}", json={"look": look})
    page = visitors.friend(DESKTOP, at="#decks/tarot")
    page.get_by_role("button", name="Compare the deck").click()
    expect(page.locator(".near-twin")).to_have_count(2)
    page.locator(".near-twin", has_text="Three of Cups").get_by_role("button", name="Take it again").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Three of Cups")
    assert serious(page) == []


def test_the_calibration_view_shows_markers_and_says_what_to_do(visitors: Visitors, rig: Rig) -> None:
    rig.begin_first_turn()
    page = visitors.friend(at="#box")
    page.get_by_role("link", name="The camera").click()
    expect(page.locator(".marker.found")).to_have_count(4)
    expect(page.locator(".checks .well")).to_have_count(4)
    lay(rig.paired(), {"card": "r9", "x": 20.0, "y": 20.0})
    expect(page.locator(".marker.missing")).to_have_text("0?")
    expect(page.locator(".checks .ill .fix")).to_contain_text("Lay all four into the picture")
    assert serious(page) == []
    assert fits(page)
    rig.paired().post(f"{API}/simulation/tidy")
    page.get_by_role("button", name="Measure anew").click()
    expect(page.locator(".marker.found")).to_have_count(4)


def test_the_live_picture_lies_behind_what_is_recognised_and_a_card_is_corrected(visitors: Visitors, rig: Rig) -> None:
    rig.begin_first_turn()
    page = visitors.friend(at="#seen")
    expect(page.locator(".seen-card[data-card='r4']")).to_be_visible()
    lay(rig.paired(), {"card": "r5", "x": 290.0, "y": 110.0})
    wrong = page.locator(".seen-card[data-card='r5']")
    expect(wrong).to_be_visible()
    assert serious(page) == []
    picture = page.locator(".seen-photo")
    expect(picture).to_have_attribute("href", re.compile("^blob:"))
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        board, behind = page.locator("svg.seen").bounding_box(), picture.bounding_box()
        assert board is not None
        assert behind is not None
        # The picture covers the drawing exactly, so what is drawn in millimetres lies where it is.
        assert all(abs(board[side] - behind[side]) < 2 for side in ("x", "y", "width", "height"))  # type: ignore[literal-required]
        assert fits(page)
    wrong.click()
    page.get_by_label("Find a card by its name").fill("red 8")
    assert serious(page) == []
    page.get_by_role("dialog").get_by_role("button", name="red 8").click()
    expect(page.locator(".seen-card.corrected")).to_have_attribute("data-card", "r8")
    assert fits(page)
    page.goto(f"{rig.address}/#table")
    expect(page.locator(".asked")).to_contain_text("plays red 8")
    expect(page.locator(".thing.fresh[data-card='r8']")).to_be_visible()


def test_the_names_of_cards_in_a_fan_dont_cover_each_other(visitors: Visitors, rig: Rig) -> None:
    rig.begin_first_turn()
    page = visitors.friend(at="#seen")
    lay(rig.paired(), *({"card": f"r{rank}", "x": 200.0 + 40 * rank, "y": 110.0} for rank in (6, 7, 8, 9)))
    expect(page.locator(".seen-card[data-card='r9']")).to_be_visible()
    names = page.locator(".seen-name")
    boxes = [one.bounding_box() for one in names.all()]
    for one, other in itertools.combinations([box for box in boxes if box is not None], 2):
        across = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
        down = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
        assert min(across, down) <= 3, names.all_text_contents()


def test_a_card_that_the_camera_reads_is_corrected_on_the_table_itself(visitors: Visitors, rig: Rig) -> None:
    """With a mouse, then with the keyboard alone."""
    rig.begin_first_turn()
    page = visitors.friend(DESKTOP)
    page.goto(f"{rig.address}/#seen")
    expect(page.locator(".seen-card[data-card='r4']")).to_be_visible()
    page.goto(f"{rig.address}/#table")
    lay(rig.paired(), {"card": "r5", "x": 290.0, "y": 110.0})
    fresh = page.locator(".thing.fresh[data-card='r5']")
    expect(fresh).to_be_visible()
    fresh.click()
    page.get_by_role("dialog").get_by_role("button", name="Correct this card").click()
    page.get_by_label("Find a card by its name").fill("red 8")
    page.get_by_role("dialog").get_by_role("button", name="red 8").click()
    corrected = page.locator(".thing.corrected[data-card='r8']")
    expect(corrected).to_be_visible()
    corrected.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_settings_are_changed_refused_and_taken_back(visitors: Visitors, rig: Rig) -> None:
    file = rig.folder / "hush.toml"
    file.write_text("# mine\n[sound]\nvolume = 0.4 # quiet\n")
    page = visitors.friend(at="#box")
    page.get_by_label("a voice that says what happens").uncheck()
    expect(page.locator("#toast")).to_have_text("Saved. It holds once the box is started again.")
    assert file.read_text() == "# mine\n[sound]\nvolume = 0.4 # quiet\nspeech = false\n"
    volume = page.get_by_label("volume, from 0 to 1")
    volume.fill("7")
    volume.press("Tab")
    expect(page.locator("#toast")).to_contain_text("Allowed: numbers from 0 to 1.")
    expect(page.get_by_label("volume, from 0 to 1")).to_have_value("0.4")
    page.get_by_text("House rules: Silencio").click()
    players = page.locator("[id='setting-games.silencio.players']")
    players.select_option(label="4")
    expect(page.locator("#toast")).to_have_text("Saved.")
    page.get_by_role("button", name="Take games.silencio.players out of the file").click()
    expect(players).to_have_value("1")
    assert "players" not in file.read_text()
    assert serious(page) == []
    assert fits(page)
    # A refusal is an answer with an error status, which Chromium puts into the console.
    assert all("422" in error for error in visitors.errors), visitors.errors
    visitors.errors.clear()


def test_the_page_can_be_installed(playwright: Playwright, rig: Rig, tmp_path: Path) -> None:
    """Asked of Chromium itself, which trusts 127.0.0.1 as it trusts https."""
    context = playwright.chromium.launch_persistent_context(
        tmp_path / "profile", executable_path=CHROMIUM, args=["--no-sandbox"], timeout=PATIENCE * 1000
    )
    try:
        context.add_cookies([{"name": "hush", "value": rig.paired().cookies["hush"], "url": rig.address}])
        page = context.new_page()
        page.goto(rig.address)
        page.locator(".live.on").wait_for()
        devtools = context.new_cdp_session(page)
        assert devtools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
        found = devtools.send("Page.getAppManifest")
        assert found["errors"] == []
        manifest = json.loads(found["data"])
        icons = {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]}
        assert icons == {(size, purpose) for size in ("192x192", "512x512") for purpose in ("any", "maskable")}
        for icon in manifest["icons"]:
            size = page.evaluate(WIDTH, icon["src"])
            assert icon["sizes"] == f"{size}x{size}"
        assert manifest["display"] == "standalone"
    finally:
        context.close()


def test_the_page_stays_dark(visitors: Visitors, rig: Rig) -> None:
    """No view lights up a dark room: the mean brightness of what is on the screen stays low."""
    rig.begin_first_turn()
    page = visitors.friend()
    page.locator(".thing image").first.wait_for(state="attached")
    page.wait_for_function(ALL_DRAWN)
    for view in ("table", "try", "setup", "games", "box", "decks"):
        page.goto(f"{rig.address}/#{view}")
        page.locator("#view h1, #view h2").first.wait_for()
        screen = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_GRAYSCALE)
        assert screen.mean() < 60, view
