"""The API: whole games by requests alone, numbers that keep two people apart, corrections, the record."""

from __future__ import annotations

import asyncio
import io
import json
import random
import threading
import time
import zipfile
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from companion.games import GAMES
from companion.table.hosts import HOSTS
from companion.web.api import ENDPOINTS
from companion.web.desk import Refused
from companion.web.guard import TokenBuckets
from companion.web.routes import PREFIX
from tests.patience import PATIENCE
from tests.web.rig import Rig, StillCamera, running

API = "/api/v1"
# What is offered follows from what everybody may know; a card that the box has seen may yet decide otherwise.
HANGS_ON_A_HAND = {"not_held", "must_play", "effect_card", "misread", "no_hide_card", "draw_first", "no_draw"}


def leaves(options: dict[str, Any]) -> list[str]:
    """Every move the page offers, mishaps left out."""
    found: list[str] = []
    waiting = [choice for choice in options["choices"] if not choice.get("is_mishap")]
    while waiting:
        choice = waiting.pop()
        waiting += choice.get("branches", [])
        if choice.get("move"):
            found.append(choice["move"])
    for one in options["sets"]:
        cards = [face["id"] for face in one["cards"]]
        found.append(f"{one['verb']} {','.join(sorted(cards[: one['count']]))}")
    return sorted(found)


def play_on(client: httpx.Client, rng: random.Random, most: int = 2000) -> dict[str, Any]:
    """Play what the page offers until the game is over."""
    for _ in range(most):
        state: dict[str, Any] = client.get(f"{API}/state").json()
        if state["is_over"]:
            return state
        move = rng.choice(leaves(state["options"]))
        answer = client.post(f"{API}/moves", json={"move": move, "number": state["number"]})
        if answer.status_code == 422:
            assert answer.json()["code"] in HANGS_ON_A_HAND, (move, answer.text)
            continue
        assert answer.status_code in (200, 409), (move, answer.text)
    raise AssertionError("the game doesn't end")


@pytest.mark.parametrize("game", HOSTS)
def test_a_whole_game_with_what_the_page_offers(rig: Rig, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Nobody's thumbs are this fast: a whole game in a second is more than a phone may ask for.
    monkeypatch.setattr(TokenBuckets, "allows", lambda self, caller: True)
    client = rig.paired()
    options = {"drawing": "table"} if game == "silentes" else {}
    begun = client.post(f"{API}/games", json={"game": game, "options": options, "instead_of": None})
    assert begun.status_code == 200, begun.text
    state = play_on(client, random.Random(game))
    played = client.get(f"{API}/games").json()["games"]
    assert [one["game"] for one in played if one["ended"]] == [game]
    numbers = client.get(f"{API}/statistics").json()
    assert [(one["game"], one["played"]) for one in numbers["tallies"]] == [(game, 1)]
    replay = client.get(f"{API}/games/{played[0]['id']}").json()
    assert len(replay["log"]) == state["number"]
    last = client.get(f"{API}/games/{played[0]['id']}/steps/{state['number']}").json()
    assert last["picture"]["zones"]


def test_the_page_offers_exactly_what_is_legal(rig: Rig) -> None:
    client = rig.paired()
    for game in HOSTS:
        rig.begin(game, **({"drawing": "table"} if game == "silentes" else {}))
        offered = leaves(client.get(f"{API}/state").json()["options"])
        from companion.games.notation import write_move

        state = rig.ask(lambda: rig.history.state)
        rules = GAMES[game]
        legal = [write_move(move) for move in rules.legal(state) if not isinstance(move, rules.mishaps)]
        assert offered == sorted(legal)


def test_two_people_pressing_at_once_make_one_move(rig: Rig) -> None:
    rig.begin("silencio", players=2)
    phones = [rig.paired() for _ in range(8)]
    state = phones[0].get(f"{API}/state").json()
    moves = leaves(state["options"])
    statuses: list[int] = []
    start = threading.Barrier(len(phones))

    def act(client: httpx.Client, move: str) -> None:
        start.wait()
        statuses.append(client.post(f"{API}/moves", json={"move": move, "number": state["number"]}).status_code)

    threads = [threading.Thread(target=act, args=(one, moves[at])) for at, one in enumerate(phones)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sorted(statuses) == [200] + [409] * 7
    assert phones[0].get(f"{API}/state").json()["number"] == state["number"] + 1


def test_a_press_confirms_only_what_it_saw(rig: Rig) -> None:
    rig.begin("silencio", players=2)
    client, other = rig.paired(), rig.paired()
    seen = client.get(f"{API}/state").json()["moment"]
    assert other.post(f"{API}/press", json={"button": "right", "moment": seen}).status_code == 200
    late = client.post(f"{API}/press", json={"button": "confirm", "moment": seen})
    assert (late.status_code, late.json()["code"]) == (409, "stale_state")
    fresh = client.get(f"{API}/state").json()
    assert fresh["offered"]
    assert client.post(f"{API}/press", json={"button": "confirm", "moment": fresh["moment"]}).status_code == 200


def test_undo_redo_and_a_correction_that_keeps_what_still_fits(rig: Rig) -> None:
    rig.begin("similo")
    client = rig.paired()
    for card in ("aladdin", "alice", "giant"):
        number = client.get(f"{API}/state").json()["number"]
        client.post(f"{API}/moves", json={"move": f"show {card}", "number": number})
    other = leaves(client.get(f"{API}/moves/2").json())
    assert "show jack" in other
    assert "show giant" in other
    done = client.post(f"{API}/corrections", json={"at": 2, "move": "show jack", "number": 3})
    assert done.json() == {"dropped": 0}
    assert rig.ask(lambda: rig.history.notation) == ("show aladdin", "show jack", "show giant")
    clash = client.post(f"{API}/corrections", json={"at": 1, "move": "show giant", "number": 3})
    assert clash.json() == {"dropped": 1}
    refused = client.post(f"{API}/corrections", json={"at": 1, "move": "safe", "number": 2})
    assert refused.status_code == 422
    assert client.post(f"{API}/undo", json={"number": 2}).status_code == 200
    assert client.post(f"{API}/undo", json={"number": 2}).status_code == 409
    assert client.post(f"{API}/redo", json={"number": 1}).status_code == 200
    told = [line["told"] for line in client.get(f"{API}/log").json()]
    assert told == [["Giant lies in the grid."], ["Jack lies in the grid."]]


def test_a_refusal_has_a_code_and_a_sentence_in_the_phones_language(rig: Rig) -> None:
    rig.begin("similo")
    client = rig.paired()
    for language, word in (("nl", "gevraagd"), ("en", "isn't asked for")):
        answer = client.post(f"{API}/moves?language={language}", json={"move": "safe", "number": 0})
        assert answer.status_code == 422
        assert answer.json()["code"] == "not_now"
        assert word in answer.json()["reason"]


def test_the_stream_catches_up_after_sleep(rig: Rig) -> None:
    rig.begin("similo")
    client = rig.paired()
    with client.stream("GET", f"{API}/events") as stream:
        first = next_state(stream)
    rig.ask(lambda: rig.box.do("show alice"))
    with client.stream("GET", f"{API}/events", headers={"last-event-id": str(first["moment"])}) as stream:
        second = next_state(stream)
    assert second["moment"] > first["moment"]
    assert second["number"] == 1
    rig.restart()
    with rig.paired().stream("GET", f"{API}/events", headers={"last-event-id": str(second["moment"])}) as stream:
        third = next_state(stream)
    assert third["moment"] > second["moment"]
    assert third["number"] == 1


def next_state(stream: httpx.Response) -> dict[str, Any]:
    lines = stream.iter_lines()
    for line in lines:
        if line == "event: state":
            return dict(json.loads(next(lines).removeprefix("data: ")))
    raise AssertionError("no state came")


def test_a_backup_goes_to_another_box_and_twice_is_once(rig: Rig, tmp_path: Path) -> None:
    client = rig.paired()
    rig.begin("similo", secret_mode="sealed")
    play_on(client, random.Random(5))
    rig.begin("similo", secret_mode="sealed")
    rig.play(14)
    packed = client.get(f"{API}/backup").content
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert len(archive.namelist()) == 1  # the running game and its secret stay here
    (tmp_path / "other").mkdir()
    with running(tmp_path / "other") as other:
        phone = other.paired()
        kind = {"content-type": "application/zip"}
        assert phone.post(f"{API}/restore", content=packed, headers=kind).json() == {"taken": 1, "known": 0}
        assert phone.post(f"{API}/restore", content=packed, headers=kind).json() == {"taken": 0, "known": 1}
        broken = phone.post(f"{API}/restore", content=packed[:-30], headers=kind)
        assert broken.status_code == 422
        assert len(phone.get(f"{API}/games").json()["games"]) == 1


def test_health_says_what_to_do(rig: Rig) -> None:
    checks = {one["name"]: one for one in rig.paired().get(f"{API}/health").json()["checks"]}
    assert not checks["camera"]["is_well"]
    assert checks["camera"]["fix"]
    assert checks["record"]["is_well"]


def test_the_description_names_every_endpoint(rig: Rig) -> None:
    said = rig.paired().get(f"{API}/openapi.json").json()
    paths = {(method.upper(), path) for path, methods in said["paths"].items() for method in methods}
    assert paths == {(one.method, PREFIX + one.path.replace(":int", "")) for one in ENDPOINTS}


def test_a_journal_that_takes_in_an_old_game_still_goes_on_with_its_own(rig: Rig, tmp_path: Path) -> None:
    client = rig.paired()
    rig.begin("similo")
    play_on(client, random.Random(1))
    packed = client.get(f"{API}/backup").content
    (tmp_path / "other").mkdir()
    with running(tmp_path / "other") as other:
        other.begin("silencio")
        other.paired().post(f"{API}/restore", content=packed, headers={"content-type": "application/zip"})
        other.restart()
        assert other.paired().get(f"{API}/state").json()["game"] == "silencio"


def test_what_can_be_printed(rig: Rig) -> None:
    client = rig.paired()
    assert {"address", "markers", "silencio"} <= set(client.get(f"{API}/prints").json())
    for what in ("address", "markers"):
        pdf = client.get(f"{API}/prints/{what}/a4")
        assert pdf.headers["content-type"] == "application/pdf"
        assert pdf.content.startswith(b"%PDF")
    assert client.get(f"{API}/prints/..%2f..%2fetc/a4").status_code == 404
    assert client.get(f"{API}/prints/markers/a0").status_code == 404
    assert rig.client().get(f"{API}/prints/markers/a4").status_code == 401


def test_the_live_picture_is_the_cameras_last(rig: Rig) -> None:
    rig.begin("silencio")
    client = rig.paired()
    assert client.get(f"{API}/picture").status_code == 404
    rig.service.camera = StillCamera(None)
    assert client.get(f"{API}/picture").status_code == 404
    rig.service.camera = StillCamera(np.zeros((48, 64, 3), np.uint8))
    photo = client.get(f"{API}/picture")
    assert (photo.status_code, photo.headers["content-type"]) == (200, "image/jpeg")
    assert rig.client().get(f"{API}/picture").status_code == 401


def test_nobody_waits_for_a_box_that_stops(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rig.runner, "post", lambda act: None)  # an owner that has gone does nothing more

    async def stop() -> list[str]:
        waiting = [asyncio.ensure_future(rig.service.change(phone, lambda: lambda box: None)) for phone in "aab"]
        await asyncio.sleep(0)
        rig.service.close()
        said = await asyncio.gather(*waiting, return_exceptions=True)
        return [one.code for one in said if isinstance(one, Refused)]

    assert rig.serving.loop is not None
    assert asyncio.run_coroutine_threadsafe(stop(), rig.serving.loop).result(PATIENCE) == ["busy"] * 3
    monkeypatch.undo()


def press(client: httpx.Client, button: str, moment: int) -> int:
    return client.post(f"{API}/press", json={"button": button, "moment": moment}).status_code


def test_a_phones_own_presses_dont_make_its_next_one_late(rig: Rig) -> None:
    rig.begin("silencio", players=3)
    mine, other = rig.paired(), rig.paired()
    moment = mine.get(f"{API}/state").json()["moment"]
    # Nothing is read in between: each press names what was on show before the first.
    assert [press(mine, button, moment) for button in ("right", "right", "confirm")] == [200] * 3
    assert press(other, "confirm", moment) == 409
    now = mine.get(f"{API}/state").json()["moment"]
    press(other, "right", now)
    assert press(mine, "confirm", moment) == 409


def test_a_double_tap_never_answers_two_questions(rig: Rig) -> None:
    rig.begin("silencio", players=3)
    client = rig.paired()
    for number in range(3):
        moment = client.get(f"{API}/state").json()["moment"]
        while rig.ask(lambda: rig.history.number) == number:
            assert press(client, "right", moment) == press(client, "confirm", moment) == 200
        assert press(client, "confirm", moment) == 409


def test_a_stream_says_that_the_box_lives(rig: Rig) -> None:
    with rig.paired().stream("GET", f"{API}/events") as stream:
        start = time.monotonic()
        for line in stream.iter_lines():
            if line == "event: ping":
                break
        assert time.monotonic() - start < 3


def test_the_state_is_made_only_when_somebody_listens_or_asks(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    client = rig.paired()
    rig.begin("silencio", players=2)
    made: list[int] = []
    shared = rig.service.desk.shared

    def counted(say: Any, moment: int, *more: Any) -> Any:
        made.append(moment)
        return shared(say, moment, *more)

    monkeypatch.setattr(rig.service.desk, "shared", counted)
    before = client.get(f"{API}/state").json()
    made.clear()
    for move in ("show r4", "show b7"):
        rig.ask(lambda move=move: rig.box.do(move))  # type: ignore[misc]
        rig.ask(lambda: rig.box.tick())
    assert made == []
    after = client.get(f"{API}/state").json()
    assert made
    assert (before["number"], after["number"]) == (0, 2)
    assert after["moment"] > before["moment"]
