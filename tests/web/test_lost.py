"""Who has lost the thread: the table taken as it lies, a game joined in mid-play, "What now?", what changed last."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect

from companion.games import GAMES
from companion.games.notation import read_state
from companion.table.hosts import HOSTS
from companion.table.scenes import scene
from companion.table.sight import Seen, Sight
from companion.text import LANGUAGES
from companion.web.rule_pages import rules_of
from tests.table.test_mistakes import perfect_sight
from tests.web.rig import Rig
from tests.web.test_api import API
from tests.web.test_table_view import begun
from tests.web.visitors import Visitors, serious

CITY = "cisza players=3 driver=table survivors=2,2,2 zombies=regular/-/- hands=?,?,?/?,?,?/?,?,?"
EXTRA = tuple(Seen(f"city-{at}", "shelter-2", 0, "zombie", 300 + at, 400) for at in (24, 25, 36))


def parted(rig: Rig) -> None:
    """A table that no rule leads to: zombies have come from nowhere."""
    state = read_state(HOSTS["cisza"].game, CITY)
    lies = perfect_sight("cisza", scene("cisza", state))
    rig.ask(lambda: rig.box.start_at("cisza", state))
    rig.ask(lambda: rig.box.on_sight(lies))
    rig.ask(lambda: rig.box.on_sight(Sight((*lies.cards, *EXTRA))))


def test_a_table_that_has_parted_is_taken_as_it_lies_by_taps_alone(visitors: Visitors, rig: Rig) -> None:
    parted(rig)
    page = visitors.friend()
    other = visitors.friend()
    page.locator("[data-key=believe]").click()
    expect(page.get_by_role("dialog")).to_contain_text("Undo takes it back")
    assert serious(page) == []
    assert rig.ask(lambda: rig.history.number) == 0
    assert rig.ask(lambda: rig.box.shown.chooser) is None, "nothing is asked before somebody has confirmed"
    page.locator("[data-key=believe-sure]").click()
    expect(page.locator(".asked")).to_have_text("Whose turn is it?")
    expect(page.locator(".answers .likely")).to_have_text("player 1")
    assert serious(page) == []
    page.locator("[data-key=answer-turn-2]").click()
    expect(other.locator(".asked")).to_have_text("How many survivors has player 1?")
    other.locator("[data-key='answer-survivors-0-4']").click()
    for seat in (1, 2):
        page.locator(f"[data-key='answer-survivors-{seat}-2']").click()
    expect(page.locator(".answers")).to_have_count(0)
    expect(page.locator(".log")).to_contain_text("The table is taken as it lies.")
    found = rig.ask(lambda: rig.history.state)
    assert (found.zombies[1], found.survivors, found.turn) == (("fast", "strong", "strong"), (4, 2, 2), 2)
    page.locator("[data-key=undo]").click()
    expect(page.locator("#view")).to_have_attribute("data-number", "0")


def test_an_answer_that_is_not_asked_for_and_a_table_that_nobody_sees_are_refused(rig: Rig) -> None:
    rig.begin("cisza", players=3)
    phone = rig.paired()
    told = {"key": "turn", "value": 0}
    assert phone.post(f"{API}/believe", json={"number": 0, "answer": told}).json()["code"] == "stale_state"
    assert phone.post(f"{API}/believe", json={"number": 0}).json()["code"] == "not_read"
    assert phone.get(f"{API}/state").json()["can_believe"] is False
    parted(rig)
    assert phone.get(f"{API}/state").json()["can_believe"] is True
    assert phone.post(f"{API}/believe", json={"number": 0}).status_code == 200
    other = phone.post(f"{API}/believe", json={"number": 0, "answer": {"key": "turn", "value": 7}})
    assert other.json()["code"] == "stale_state"
    assert rig.ask(lambda: rig.history.number) == 0


def test_a_game_in_mid_play_is_set_up_from_the_form(visitors: Visitors, rig: Rig) -> None:
    state = read_state(HOSTS["cisza"].game, CITY)
    page = visitors.friend(at="#setup")
    game = page.locator("details.game", has_text="Cisza")
    game.locator("summary").first.click()
    game.locator("#option-cisza-players").select_option(label="3")
    game.get_by_label("It's under way").check()
    game.get_by_role("button", name="Begin Cisza").click()
    page.locator(".board").wait_for()
    rig.ask(lambda: rig.box.on_sight(perfect_sight("cisza", scene("cisza", state))))
    for number in range(4):
        likely = page.locator(".answers .likely")
        key = likely.get_attribute("data-key")
        likely.click()
        expect(page.locator(f"[data-key='{key}']"), f"question {number}").to_have_count(0)
    expect(page.locator(".log")).to_contain_text("The table is taken as it lies.")
    found = rig.ask(lambda: rig.history.state)
    assert (found.zombies, found.survivors) == (state.zombies, state.survivors)
    # What the next game begins with isn't taken from the table by itself.
    rig.begin("cisza", players=3)
    rig.ask(lambda: rig.box.on_sight(perfect_sight("cisza", scene("cisza", state))))
    assert rig.ask(lambda: rig.box.shown.chooser) is None


def test_what_now_tells_the_last_move_and_the_question(visitors: Visitors, rig: Rig) -> None:
    page = visitors.friend()
    phone = rig.paired()
    for game in GAMES:
        begun(rig, game, 15)
        said = phone.get(f"{API}/state").json()
        expect(page.locator("#head")).to_contain_text(game.capitalize())
        expect(page.locator("#view")).to_have_attribute("data-number", str(said["number"]))
        page.locator("[data-key=what-now-words]").click()
        told = page.get_by_role("dialog")
        expect(told).to_contain_text(said["question"])
        expect(told).to_contain_text(" ".join(said["log"][-1]["told"]))
        assert said["log"][-1]["told"]
        page.get_by_role("button", name="close").click()
    page.locator("[data-key=what-now-words]").click()
    assert serious(page) == []
    page.get_by_role("button", name="close").click()
    # Holding ✔ tells it as well, in light and in words.
    page.locator("[data-key=button-confirm]").click(delay=1300)
    expect(page.locator(".ask")).to_contain_text(said["log"][-1]["told"][-1])


def test_what_now_on_an_own_seat_tells_what_that_seat_is_asked(visitors: Visitors, rig: Rig) -> None:
    rig.begin("silentes", drawing="phone")
    page = visitors.friend(at="#seat/1")
    page.get_by_label("PIN").fill("4711")
    page.get_by_role("button", name="Take seat 1").click()
    page.locator("[data-key=what-now-words]").click()
    expect(page.get_by_role("dialog")).to_contain_text("It's your turn.")
    expect(page.get_by_role("dialog")).to_contain_text(str(page.locator(".ask h1 span").last.text_content()))


def test_a_page_that_comes_late_marks_what_the_others_see_marked(visitors: Visitors, rig: Rig) -> None:
    page, late = visitors.friend(), visitors.friend()
    marked = "[...document.querySelectorAll('.thing.changed')].map((one) => one.dataset.card).sort()"
    for game in GAMES:
        begun(rig, game, 7 if game == "similo" else 14)  # where something is laid soon
        expect(page.locator("#head")).to_contain_text(game.capitalize())
        page.locator(".thing").first.wait_for()
        rng = random.Random(game)
        found: list[list[str]] = []
        while not any(found):
            assert len(found) < 4, "something is laid or moved meanwhile"
            rig.play(1, seed=rng.randrange(99))
            number = rig.ask(lambda: rig.history.number)
            expect(page.locator("#view")).to_have_attribute("data-number", str(number))
            late.reload()
            expect(late.locator("#view")).to_have_attribute("data-number", str(number))
            late.locator(".thing").first.wait_for()
            found.append(late.evaluate(marked))
            assert (game, found[-1]) == (game, page.evaluate(marked))


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_has_the_rules_of_every_game_in_every_language(visitors: Visitors, rig: Rig, language: str) -> None:
    page = visitors.friend(locale=language)
    for game in GAMES:
        begun(rig, game, 0)
        expect(page.locator("#head")).to_contain_text(game.capitalize())
        page.goto(f"{rig.address}/#help")
        rules = page.locator(".rules")
        expect(rules.locator("h2").first).to_contain_text(game.capitalize())
        shown = rules.inner_text()
        assert language == "en" or rules_of(game, language) != rules_of(game, "en")
        assert len(shown) > len(rules_of(game, language)) / 2
        assert not [sign for sign in ("**", "](", "\n| ", "\n# ", "`", "<!--") if sign in shown], game
        page.goto(f"{rig.address}/#table")


def test_a_survivor_has_its_name_in_every_language(rig: Rig) -> None:
    rig.begin("cisza", players=3)
    phone = rig.paired()
    names = {
        language: {
            side["name"].split(", ")[-1]
            for side in phone.get(f"{API}/table?language={language}").json()["sides"]
            if side["face"] == "survivor"
        }
        for language in LANGUAGES
    }
    assert names == {"en": {"survivor"}, "nl": {"overlevende"}, "es": {"superviviente"}, "pl": {"ocalały"}}
