"""The page in a real Chromium: pairing, whole games, two people, corrections, sleep, accessibility."""

from __future__ import annotations

import random
import re
import threading
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion.games.game import Over
from companion.web.files import STATIC
from companion.web.hub import PING_SECONDS
from tests.patience import PATIENCE, eventually
from tests.web.rig import Rig
from tests.web.visitors import DESKTOP, PHONE, Visitors, make_a_move, serious, tap_a_move


def over(rig: Rig) -> bool:
    return rig.ask(lambda: rig.box.shown.running is not None and isinstance(rig.history.pending, Over))


# Milliseconds after which a page has noticed and says so.
ASLEEP = 9000


def test_a_new_phone_compares_the_lights_and_is_let_in(visitors: Visitors, rig: Rig) -> None:
    page = visitors.stranger()
    page.goto(rig.address)
    page.get_by_role("button", name="Knock").click()
    shown = page.locator(".sign-number").inner_text().strip()
    sign = rig.ask(lambda: rig.box.shown.knock.sign.beats[1].layer)  # type: ignore[union-attr]
    assert shown == str([glow.value for glow in sign.bar or ()].count("on"))
    rig.hold_on_the_box()
    expect(page.get_by_role("heading", name="Which game shall it be?")).to_be_visible()


def test_a_phone_that_nobody_lets_in_is_told_so(visitors: Visitors, rig: Rig) -> None:
    page = visitors.stranger()
    page.goto(rig.address)
    page.get_by_role("button", name="Knock").click()
    page.locator(".sign-number").wait_for()
    for _ in range(10):
        rig.passed += 10
        rig.ask(lambda: rig.box.tick())
    expect(page.get_by_role("alert")).to_have_text("Nobody held ✔ in time.")
    assert page.locator("#nav").count() == 0


@pytest.mark.parametrize(
    ("game", "title", "size"),
    [("similo", "Similo", PHONE), ("silencio", "Silencio", PHONE), ("cisza", "Cisza", DESKTOP)],
)
def test_a_whole_game_set_up_and_played_by_tapping_cards(
    visitors: Visitors, rig: Rig, game: str, title: str, size: dict[str, int]
) -> None:
    page = visitors.friend(size, at="#setup")
    page.locator("summary", has_text=title).first.click()
    card = page.locator("details.game", has_text=title)
    card.locator(f"#option-{game}-players").select_option(label="2")
    card.get_by_role("button", name=f"Begin {title}").click()
    expect(page.locator(".ask")).to_be_visible()
    page.locator(".glows").first.wait_for(state="attached")
    rng = random.Random(game)
    for _ in range(400):
        if over(rig):
            break
        tap_a_move(page, rig, rng)
    assert over(rig)
    expect(page.locator(".ask h1")).to_contain_text("The game is over")
    page.goto(f"{rig.address}/#games")
    page.get_by_role("link", name=f"{title}, ").click()
    slider = page.get_by_label("Moment of the game")
    slider.fill("5")
    expect(page.locator("p.told")).to_contain_text("5 / ")
    expect(page.locator(".board .thing").first).to_be_visible()
    assert page.locator(".thing.changed").count() == 0, "a leap marks nothing"


def test_a_whole_silentes_game_on_two_phones_that_never_leave_their_seats(visitors: Visitors, rig: Rig) -> None:
    rig.begin("silentes", drawing="phone")
    seats = [visitors.friend(at=f"#seat/{number}") for number in (1, 2)]
    shared = visitors.friend(DESKTOP)
    for number, page in enumerate(seats, start=1):
        page.get_by_label("PIN").fill("4711")
        page.get_by_role("button", name=f"Take seat {number}").click()
        expect(page.locator(".hand-card").first).to_be_visible()
    rng = random.Random(3)
    for turn in range(400):
        if over(rig):
            break
        state = rig.ask_page(lambda: rig.service.desk.shared(str, 0))
        tap_a_move(seats[rng.randrange(2) if state.seat is None else state.seat], rig, rng, "data-seat-number")
        hand = rig.ask(lambda: rig.history.state.hands[0])
        if turn % 5 == 0:
            assert not [card for card in hand if card in shared.content()]
    assert over(rig)
    expect(shared.locator(".ask h1")).to_contain_text("The game is over")


def test_what_one_phone_does_the_other_sees(visitors: Visitors, rig: Rig) -> None:
    rig.begin("silencio", players=3)
    first, second = visitors.friend(), visitors.friend(DESKTOP)
    make_a_move(first, rig, random.Random(1))
    expect(second.locator("#view")).to_have_attribute("data-number", "1")
    expect(second.locator(".log li")).to_have_count(1)


def test_the_twin_works_like_the_panel(visitors: Visitors, rig: Rig) -> None:
    rig.begin("silencio", players=3)
    page = visitors.friend()
    page.get_by_role("button", name="▶: to the right").click()
    expect(page.locator(".offered")).to_contain_text("✔ does:")
    assert rig.ask(lambda: rig.box.shown.chooser is not None)
    page.locator("summary", has_text="The panel").click()
    lamps = page.locator(".lamp.bar")
    expect(lamps).to_have_count(15)
    frame = rig.ask(lambda: [glow.value for glow in rig.frame.bar])
    assert [lamps.nth(at).get_attribute("data-glow") for at in range(15)] == frame
    page.get_by_role("button", name="✖: back").click()
    expect(page.locator(".offered")).to_have_count(0)
    page.get_by_role("button", name="✖: back").click(delay=2300)
    eventually(lambda: rig.ask(lambda: rig.box.shown.is_menu))


def test_a_correction_and_undo(visitors: Visitors, rig: Rig) -> None:
    rig.begin("similo")
    rig.ask(lambda: (rig.box.do("show alice"), rig.box.do("show giant")))
    page = visitors.friend()
    page.get_by_role("button", name="Correct move 1").click()
    page.get_by_role("dialog").get_by_role("button", name="Jack", exact=True).click()
    expect(page.locator(".log")).to_contain_text("Jack lies in the grid.")
    assert rig.ask(lambda: rig.history.notation) == ("show jack", "show giant")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".log li")).to_have_count(1)
    page.get_by_role("button", name="Redo").click()
    expect(page.locator(".log li")).to_have_count(2)


def test_the_page_finds_the_box_again_after_a_power_cut(visitors: Visitors, rig: Rig) -> None:
    rig.begin("similo")
    page = visitors.friend(is_clocked=True)
    rig.ask(lambda: rig.box.do("show alice"))
    expect(page.locator(".log li")).to_have_count(1)
    rig.stop()
    expect(page.locator(".live")).to_have_text("looking for the box …")
    assert page.locator("#asleep").inner_text() == ""
    page.clock.fast_forward(ASLEEP)
    expect(page.locator("#asleep")).to_contain_text("Is it switched on?")
    rig.start()
    rig.ask(lambda: rig.box.do("show giant"))
    expect(page.locator(".live.on")).to_be_visible()
    expect(page.locator("#asleep")).to_be_empty()
    expect(page.locator(".log li")).to_have_count(2)
    # A browser reports each failed try while the box is away; nothing else may be there.
    assert all("ERR_" in error or "503" in error for error in visitors.errors), visitors.errors
    visitors.errors.clear()


def test_a_page_says_within_seconds_that_the_box_stands_still(visitors: Visitors, rig: Rig) -> None:
    rig.begin("similo")
    page = visitors.friend(is_clocked=True)
    goes_on = threading.Event()
    rig.runner.post(lambda: goes_on.wait(PATIENCE))
    page.clock.fast_forward(ASLEEP)
    expect(page.locator(".live")).to_have_text("looking for the box …")
    goes_on.set()
    expect(page.locator(".live.on")).to_be_visible()
    visitors.errors.clear()
    # The page's own clock says when; it must let pings be late, and people not wait.
    silence = re.search(r"const SILENCE_MS = (\d+);", (STATIC / "api.js").read_text("utf-8"))
    assert silence is not None
    assert 2 * PING_SECONDS < int(silence[1]) / 1000 <= 5


def test_a_page_opened_while_the_box_is_down_comes_alive_by_itself(visitors: Visitors, rig: Rig) -> None:
    rig.begin("similo")
    page = visitors.friend(locale="pl-PL")
    away = ("**/api/**", lambda route: route.abort())
    page.context.route(*away)
    page.goto(f"{rig.address}/?again#games")
    expect(page.locator(".live")).to_have_text("szukam pudełka …")  # in its language, with the words of the last time
    page.context.unroute(*away)
    expect(page.locator(".live.on")).to_be_visible()
    expect(page.locator("#view h1")).to_have_text("Gry")
    page.context.route(*away)
    page.get_by_role("link", name="Stół").click()
    page.get_by_role("button", name="▶").click()
    expect(page.locator("#toast")).to_have_text("Pudełko nie odpowiada.")
    page.context.unroute(*away)
    visitors.errors.clear()


def test_presses_in_a_row_are_all_meant(visitors: Visitors, rig: Rig) -> None:
    rig.begin("silencio", players=3)
    page = visitors.friend()
    for _ in range(4):
        page.evaluate("""() => {
          const press = (name) => document.querySelector(`[data-key=button-${name}]`).click();
          press("right"); press("right"); press("confirm");
        }""")
        page.wait_for_timeout(200)
        page.get_by_role("button", name="✖: back").click()
    expect(page.locator("#toast")).to_have_text("")


def test_each_phone_has_its_language(visitors: Visitors, rig: Rig) -> None:
    rig.begin("silencio", players=2)
    dutch = visitors.friend(locale="nl-NL")
    expect(dutch.locator("#nav")).to_contain_text("Nieuw spel")
    expect(dutch.locator("html")).to_have_attribute("lang", "nl")
    dutch.goto(f"{rig.address}/#box")
    dutch.locator("#language").select_option(label="Polski")
    expect(dutch.locator("#nav")).to_contain_text("Nowa gra")


def test_backup_and_restore(visitors: Visitors, rig: Rig, tmp_path: Path) -> None:
    rig.begin("similo", players=2)
    rig.play(200)
    page = visitors.friend(at="#box")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the backup").click()
    file = tmp_path / "backup.zip"
    download.value.save_as(file)
    page.get_by_label("Take in a backup").set_input_files(file)
    expect(page.locator("#toast")).to_have_text(re.compile("Games taken in: 0. Already here or not over: 1."))


def test_nothing_serious_for_accessibility(visitors: Visitors, rig: Rig) -> None:
    page = visitors.friend()
    for game in ("silencio", "similo", "silentes", "cisza"):
        rig.begin(game, **({"drawing": "table"} if game == "silentes" else {}))
        rig.play(16)
        number = rig.ask(lambda: rig.history.number)
        expect(page.locator("#head")).to_contain_text(game.capitalize())
        expect(page.locator("#view")).to_have_attribute("data-number", str(number))
        for size in (PHONE, DESKTOP):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            assert (game, serious(page)) == (game, [])
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= size["width"], f"{game} scrolls sideways"


def test_the_other_views_and_the_door_are_accessible_too(visitors: Visitors, rig: Rig) -> None:
    rig.begin("silentes", drawing="phone")
    page = visitors.friend()
    for view, there in {
        "#setup": "details.game", "#games": ".filters", "#box": "#settings", "#seat": ".seats", "#seat/1": "#pin",
    }.items():  # fmt: skip
        page.goto(f"{rig.address}/{view}")
        page.locator(f"#view {there}").first.wait_for()
        for summary in page.locator("#view summary").all():
            summary.click()
        assert (view, serious(page)) == (view, [])
    door = visitors.stranger()
    door.goto(rig.address)
    door.get_by_role("button", name="Knock").wait_for()
    assert serious(door) == []
    # The check itself must be able to fail.
    door.evaluate("document.body.append(document.createElement('button'))")
    assert [one["id"] for one in serious(door)] == ["button-name"]


def test_the_keyboard_reaches_everything(visitors: Visitors, rig: Rig) -> None:
    rig.begin("silencio", players=2)
    page = visitors.friend(DESKTOP)
    reached: set[str] = set()
    for _ in range(120):
        page.keyboard.press("Tab")
        reached.add(str(page.evaluate("document.activeElement.dataset.key || ''")))
    assert {"button-confirm", "tab-games", "tab-box"} <= reached
    page.locator("#view .choices .choice").first.focus()
    before = page.locator("#view .choices").inner_text()
    page.keyboard.press("Enter")
    expect(page.locator("#view .choices")).not_to_have_text(before)
