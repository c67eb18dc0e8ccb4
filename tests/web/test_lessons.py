"""Lessons on the page: told to every phone, put away by a group that knows the game, and what a card does."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import expect

from companion.games.game import Move
from companion.games.silentes.moves import Go, Hide
from companion.session.lesson_memory import LessonMemory
from tests.web.rig import Rig
from tests.web.visitors import Visitors

API = "/api/v1"


def teach(rig: Rig) -> None:
    rig.ask(lambda: setattr(rig.box._teaching, "_groups", LessonMemory()))


def legal(rig: Rig) -> Sequence[Move]:
    running = rig.box.shown.running
    assert running is not None
    return running.host.game.legal(running.history.state)


def test_every_phone_is_taught_and_a_group_that_knows_the_game_is_not(rig: Rig) -> None:
    teach(rig)
    phone = rig.paired()
    begun = phone.post(f"{API}/games", json={"game": "silencio", "options": {"players": 2}})
    assert begun.status_code == 200
    said = phone.get(f"{API}/state").json()["teaching"]
    assert said["is_on"]
    assert len(said["lessons"]) == 2
    assert "cards 2 to 8 of all colours" in said["lessons"][1]["text"]
    assert phone.post(f"{API}/lessons", json={"is_known": True}).status_code == 200
    assert phone.get(f"{API}/state").json()["teaching"] == {
        "is_on": False, "lessons": [], "laying": None, "asked_card": None, "told": "",
    }  # fmt: skip
    assert phone.post(f"{API}/lessons", json={"is_known": False}).status_code == 200
    assert len(phone.get(f"{API}/state").json()["teaching"]["lessons"]) == 2
    number = phone.get(f"{API}/state").json()["game_id"]
    phone.post(f"{API}/games", json={"game": "cisza", "instead_of": number, "is_known": True})
    assert not phone.get(f"{API}/state").json()["teaching"]["is_on"]


def test_a_phone_is_told_what_a_card_does_and_of_its_own_hand_what_it_would_do_now(rig: Rig) -> None:
    owner, other = rig.paired("one"), rig.paired("other")
    rig.begin("silentes", drawing="phone")
    assert owner.post(f"{API}/seats/0", json={"pin": "1234"}).status_code == 200
    rig.ask(lambda: [rig.box.do(move) for move in ("place 0", "place 1", "first 0")])
    go = next(move for move in legal(rig) if isinstance(move, Go))
    rig.ask(lambda: rig.box.do(go))
    hide = next(move for move in legal(rig) if isinstance(move, Hide))
    mine, theirs = (phone.get(f"{API}/cards/{hide.card}").json() for phone in (owner, other))
    assert mine["now"].startswith("Now: Player 1 hides behind")
    assert theirs["now"] == "Nothing can be done with it now."
    assert mine["name"] == theirs["name"]
    assert owner.get(f"{API}/cards/wands-01").json()["does"]
    assert owner.get(f"{API}/cards/nonsense").status_code == 404


def test_a_lesson_is_read_and_put_away_on_a_phone(visitors: Visitors, rig: Rig) -> None:
    teach(rig)
    rig.begin("silencio", players=2)
    page = visitors.friend()
    expect(page.locator(".lesson")).to_have_count(2)
    page.locator("[data-key=lesson-read]").click()
    expect(page.locator(".lesson")).to_have_count(0)
    rig.ask(lambda: [rig.box.do(move) for move in ("show b5", "show g7")])
    expect(page.locator(".lesson p").first).to_contain_text("nobody speaks")
    rig.begin("similo", players=2)
    page.locator("[data-key=know-game]").click()
    expect(page.locator(".lesson")).to_have_count(0)


def test_who_is_taught_reads_under_the_question_what_has_just_happened(visitors: Visitors, rig: Rig) -> None:
    teach(rig)
    rig.begin("cisza", players=2)
    page = visitors.friend()
    rig.ask(lambda: [rig.box.do(move) for move in ("start 0", "keep", "keep", "play flare")])
    expect(page.locator(".happened")).to_contain_text("Player 1 plays flare.")
    expect(page.locator(".happened")).to_contain_text("Noise at player 1.")
    rig.ask(lambda: rig.box._teaching.skip())
    rig.ask(lambda: rig.box.do("show regular"))
    expect(page.locator(".happened")).to_have_count(0)
