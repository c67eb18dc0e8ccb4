"""What only one seat may see: its page has it, and nothing else that leaves the box does."""

from __future__ import annotations

import io
import json
import logging
import random
import zipfile
from typing import Any

import httpx
import pytest

from companion.games.cards import HIDDEN
from companion.table.knowledge import NOT_YOURS
from companion.table.sight import Seen, Sight
from hardware.button_signals import LongPress
from hardware.flourishes import knock
from hardware.panel import Button
from tests.web.rig import Rig, eventually
from tests.web.test_api import API, leaves

SHARED = [
    "state",
    "log",
    "games",
    "statistics",
    "settings",
    "health",
    "rules",
    "openapi.json",
    "backup",
    "seen",
    "decks",
]


def everything(client: httpx.Client) -> str:
    """All that a phone can fetch, and the first of what is streamed to it."""
    said = [client.get(f"{API}/{path}").text for path in SHARED]
    words = client.get(f"{API}/words").json()
    tables = [table for table in (words.pop("table"), client.get(f"{API}/table").json()) if table and "sides" in table]
    # The table names every card there is; its bytes are compared for different hands in `test_known`.
    assert all(len(table.pop("sides")) >= 22 for table in tables)
    said += [json.dumps([words, tables])]
    said += [client.get(f"{API}/{path}").text for path in ("moves/1", "games/1", "games/1/steps/3", "seat")]
    with client.stream("GET", f"{API}/events") as stream:
        for line in stream.iter_lines():
            said.append(line)
            if line.startswith("data: ") and said[-2] == "event: seat":
                break
    return "\n".join(said)


def claim(client: httpx.Client, seat: int, pin: str = "4711") -> httpx.Response:
    return client.post(f"{API}/seats/{seat}", json={"pin": pin})


def marked(said: dict[str, Any]) -> list[str]:
    return [face["id"] for zone in said["picture"]["zones"] for face in zone["cards"] if face.get("is_marked")]


def test_the_sealed_secret_is_on_its_givers_page_alone(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        giver, guesser = rig.paired(), rig.paired()
        rig.begin("similo", secret_mode="sealed", giver=0)
        assert claim(giver, 0).status_code == 200
        assert claim(guesser, 1).status_code == 200
        cards = ["aladdin", "alice", "giant", "jack", "genie", "dorothy", "hunter", "sea-witch", "mad-hatter"]
        for card in [*cards, "peter-pan", "robin-hood", "pinocchio"]:
            rig.ask(lambda card=card: rig.box.do(f"show {card}"))  # type: ignore[misc]
        secret = rig.ask(lambda: rig.history.state.secret)
        assert secret != HIDDEN
        assert marked(giver.get(f"{API}/seat").json()) == [secret]
        assert marked(guesser.get(f"{API}/seat").json()) == []
        # The secret lies in the grid like the others: nothing may tell it apart.
        for client in (guesser, rig.paired()):
            said = everything(client)
            assert '"is_marked":true' not in said
            assert "The secret:" not in said
            assert f"secret {secret}" not in said
        assert f"secret {secret}" not in caplog.text


def test_peeking_on_the_panel_shows_nothing_on_the_page(rig: Rig) -> None:
    rig.begin("similo", secret_mode="sealed", giver=0)
    client = rig.paired()
    for card in ["aladdin", "alice", "giant", "jack", "genie", "dorothy", "hunter", "sea-witch", "mad-hatter"]:
        rig.ask(lambda card=card: rig.box.do(f"show {card}"))  # type: ignore[misc]
    for card in ["peter-pan", "robin-hood", "pinocchio"]:
        rig.ask(lambda card=card: rig.box.do(f"show {card}"))  # type: ignore[misc]
    before = client.get(f"{API}/state").json()["panel"]
    rig.ask(lambda: rig.box._controls._confirm())
    assert rig.ask(lambda: rig.box.shown.secret is not None)
    assert str(rig.ask(lambda: rig.frame)) != before["frame"]
    assert client.get(f"{API}/state").json()["panel"] == before


GRID = ["aladdin", "alice", "giant", "jack", "genie", "dorothy", "hunter", "sea-witch", "mad-hatter"]


def test_a_guesser_can_neither_look_up_nor_rewrite_the_sealed_secret(rig: Rig) -> None:
    giver, guesser = rig.paired(), rig.paired()
    rig.begin("similo", secret_mode="sealed", giver=0)
    claim(giver, 0)
    claim(guesser, 1)
    for card in [*GRID, "peter-pan", "robin-hood", "pinocchio"]:
        rig.ask(lambda card=card: rig.box.do(f"show {card}"))  # type: ignore[misc]
    before = rig.ask(lambda: rig.history.notation)
    assert before[12].startswith("secret ")
    for client in (guesser, giver, rig.paired()):
        for number in range(1, 14):
            # A character that is changed would tell by what no longer fits whether it was the secret.
            read = client.get(f"{API}/moves/{number}")
            assert (read.status_code, read.json()["code"]) == (403, "private")
            for move in ("secret alice", "show cheshire-cat", "nonsense"):
                answer = client.post(f"{API}/corrections", json={"at": number, "move": move, "number": 13})
                assert (answer.status_code, answer.json()["code"]) == (403, "private")
    assert rig.ask(lambda: rig.history.notation) == before
    # What came after it is everybody's, and can be corrected.
    rig.ask(lambda: rig.box.do("clue cinderella similar"))
    log = guesser.get(f"{API}/log").json()
    assert [line["number"] for line in log if line["can_correct"]] == [14]
    fixed = guesser.post(f"{API}/corrections", json={"at": 14, "move": "clue cinderella different", "number": 14})
    assert fixed.json() == {"dropped": 0}


def test_the_services_log_has_no_hidden_move(rig: Rig) -> None:
    rig.begin("silentes", drawing="phone")
    rig.play(12)
    moves = rig.ask(lambda: [line.move for line in rig.told])
    assert "deal ?" in moves
    assert not [move for move in moves if move.startswith("deal ") and move != "deal ?"]


def test_cards_laid_on_the_table_dont_probe_a_hand_that_the_box_dealt(rig: Rig) -> None:
    rig.begin("silentes", drawing="phone")
    for _ in range(30):
        if rig.ask(lambda: rig.history.state.phase) == "hide":
            break
        rig.play(1)
    held = rig.ask(lambda: rig.history.state.hands[rig.history.state.turn])
    for card in (*held, "wands-12", "cups-05", "swords-09"):
        rig.ask(lambda card=card: rig.box.on_sight(Sight((Seen(card, "played"),))))  # type: ignore[misc]
        assert rig.ask(lambda: (rig.box.shown.remark, rig.box.shown.offered)) == (None, None)


def test_the_panel_decides_nothing_that_is_one_seats_own(rig: Rig) -> None:
    rig.begin("silentes", drawing="phone")
    rig.ask(lambda: rig.box.shown.is_private) or rig.play(3)
    assert rig.ask(lambda: rig.box.shown.is_private)
    before = rig.ask(lambda: rig.history.number)
    for button in (Button.RIGHT, Button.CONFIRM, Button.BACK, Button.LEFT):
        rig.panel.tap(button)
    eventually(lambda: rig.ask(lambda: rig.box.shown.complaint == NOT_YOURS))
    assert rig.ask(lambda: (rig.box.shown.chooser, rig.history.number)) == (None, before)


def test_a_running_game_is_in_no_file_that_leaves_the_box(rig: Rig) -> None:
    client = rig.paired()
    rig.begin("silentes", drawing="phone")
    rig.play(6)
    number = client.get(f"{API}/state").json()["game_id"]
    for path in (f"games/{number}", f"games/{number}/export", f"games/{number}/steps/3"):
        assert client.get(f"{API}/{path}").status_code == 404
    with zipfile.ZipFile(io.BytesIO(client.get(f"{API}/backup").content)) as backup:
        assert backup.namelist() == []


def hands(rig: Rig) -> tuple[tuple[str, ...], ...]:
    """What each seat of the running game holds that the shared page mustn't know."""
    state = rig.ask(lambda: rig.history.state)
    public = rig.ask(lambda: rig.history.game.view(state, None))
    open_cards = json.dumps([public.map, public.gone, public.omens, public.played, public.hunt, public.hands])
    return tuple(
        tuple(card for card in (*state.hands[seat], *state.provisions[seat]) if card not in open_cards)
        for seat in (0, 1)
    )


def test_hands_of_the_phone_game_are_on_their_own_pages_alone(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    """A whole Silentes game for phones; after every move, every answer is searched for cards it mustn't hold."""
    rng = random.Random(7)
    with caplog.at_level(logging.DEBUG):
        seats, shared = [rig.paired(), rig.paired()], rig.paired()
        rig.begin("silentes", drawing="phone")
        for seat, client in enumerate(seats):
            assert claim(client, seat).status_code == 200
        searched = 0
        for turn in range(400):
            state = shared.get(f"{API}/state").json()
            if state["is_over"]:
                break
            held = hands(rig)
            if turn % 8 == 0:
                pages = [everything(shared), everything(seats[0]), everything(seats[1])]
                for owner in (0, 1):
                    for card in held[owner]:
                        assert f'"{card}"' not in pages[0]
                        assert f'"{card}"' not in pages[2 - owner]
                        assert f'"{card}"' in pages[1 + owner]
                        searched += 1
            actor = seats[state["seat"]] if state["is_private"] else shared
            source = actor.get(f"{API}/seat").json() if state["is_private"] else state
            move = rng.choice(leaves(source["options"]))
            answer = actor.post(f"{API}/moves", json={"move": move, "number": state["number"]})
            assert answer.status_code in (200, 409), (move, answer.text)
        assert searched > 50
        dealt = [move for move in rig.ask(lambda: rig.history.notation) if move.startswith("deal ")]
        assert dealt
        assert not [move for move in dealt if move in caplog.text]


def test_another_phone_cant_even_probe_a_private_move(rig: Rig) -> None:
    seats, shared = [rig.paired(), rig.paired()], rig.paired()
    rig.begin("silentes", drawing="phone")
    claim(seats[0], 0)
    claim(seats[1], 1)
    rng = random.Random(2)
    for _ in range(30):
        state = shared.get(f"{API}/state").json()
        if state["is_private"]:
            break
        move = rng.choice(leaves(state["options"]))
        shared.post(f"{API}/moves", json={"move": move, "number": state["number"]})
    assert state["is_private"]
    assert leaves(state["options"]) == []
    right = leaves(seats[state["seat"]].get(f"{API}/seat").json()["options"])[0]
    for client in (shared, seats[1 - state["seat"]]):
        for move in (right, "hide cups-05", "nonsense"):
            answer = client.post(f"{API}/moves", json={"move": move, "number": state["number"]})
            assert (answer.status_code, answer.json()["code"]) == (403, "not_your_turn")
        pressed = client.post(f"{API}/press", json={"button": "right", "moment": state["moment"]})
        assert pressed.status_code == 403


def test_a_seat_moves_to_another_phone_with_its_pin_only(rig: Rig) -> None:
    first, second = rig.paired(), rig.paired()
    rig.begin("silentes", drawing="phone")
    assert claim(first, 0, "1234").status_code == 200
    assert claim(second, 0, "9999").status_code == 403
    assert second.get(f"{API}/seat").status_code == 404
    assert claim(second, 0, "1234").status_code == 200
    assert first.get(f"{API}/seat").status_code == 404
    assert claim(second, 7).status_code == 404


def test_a_pin_cant_be_guessed(rig: Rig) -> None:
    first, second = rig.paired(), rig.paired()
    rig.begin("silentes", drawing="phone")
    claim(first, 0, "1234")
    statuses = [claim(second, 0, f"{guess:04}").status_code for guess in range(8)]
    assert statuses[:5] == [403] * 5
    assert statuses[5:] == [429] * 3
    assert claim(second, 0, "1234").status_code == 429


def test_sending_a_phone_away_doesnt_free_its_seat(rig: Rig) -> None:
    """Whoever holds a seat keeps it by its PIN: not sending the phone away, nor leaving, nor another seat frees it."""
    victim, thief = rig.paired("victim"), rig.paired("thief")
    rig.begin("silentes", drawing="phone")
    assert claim(victim, 0, "1234").status_code == 200
    theirs = next(one for one in thief.get(f"{API}/settings").json()["devices"] if one["name"] == "victim")
    assert thief.delete(f"{API}/devices/{theirs['id']}").status_code == 200
    assert claim(thief, 0, "9999").status_code == 403
    assert thief.get(f"{API}/seat").status_code == 404
    back = rig.paired("victim")
    assert claim(back, 0, "1234").status_code == 200
    back.delete(f"{API}/seat")
    assert claim(thief, 0, "9999").status_code == 403
    assert claim(back, 0, "1234").status_code == 200
    assert claim(back, 1, "5555").status_code == 200
    assert claim(thief, 0, "9999").status_code == 403
    assert thief.get(f"{API}/state").json()["seats_taken"] == [0, 1]


def test_a_seat_is_freed_by_a_hold_at_the_box_and_everybody_hears_of_it(
    rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    owner, other = rig.paired("one"), rig.paired("other")
    rig.begin("silentes", drawing="phone")
    claim(owner, 0, "1234")
    with caplog.at_level(logging.INFO):
        said = other.post(f"{API}/seats/0/wish").json()
        assert said["status"] == "shown"
        eventually(lambda: "seat 1" in other.get(f"{API}/state").json()["visitor"])
        sign = rig.ask(lambda: rig.box.shown.knock.sign.beats[1].layer)  # type: ignore[union-attr]
        assert sign == knock(said["place"], said["suit"], "moon").beats[1].layer
        assert claim(other, 0, "9999").status_code == 403
        rig.passed += 2.1
        rig.ask(lambda: rig.box.on_signal(LongPress(Button.CONFIRM)))
        assert claim(other, 0, "9999").status_code == 200
    assert owner.get(f"{API}/seat").status_code == 404
    notices = owner.get(f"{API}/state").json()["notices"]
    assert notices == ["Seat 1 was taken: one.", "Seat 1 was freed at the box.", "Seat 1 was taken: other."]
    assert "Seat 1 was freed at the box." in caplog.text


def test_seats_survive_a_power_cut_but_not_another_game(rig: Rig) -> None:
    client = rig.paired()
    rig.begin("silentes", drawing="phone")
    claim(client, 1)
    rig.restart()
    assert client.get(f"{API}/seat").json()["seat"] == 1
    rig.begin("silentes", drawing="phone")
    assert client.get(f"{API}/seat").status_code == 404


def test_the_key_is_readable_by_the_box_alone(rig: Rig) -> None:
    rig.paired()
    assert (rig.folder / "page.json").stat().st_mode & 0o777 == 0o600
