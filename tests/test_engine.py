"""The engine protocol: every line gets one answer, and nothing that comes in ends the process."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine import Engine, serve
from companion.games import GAMES
from companion.games.notation import read_state
from companion.kits import NAMES


def ask(engine: Engine, **request: Any) -> dict[str, Any]:
    return engine.answer(json.dumps(request))


@pytest.mark.parametrize("name", GAMES)
def test_a_seeded_game_is_played_to_its_end_by_its_own_legal_moves(name: str) -> None:
    engine = Engine()
    answer = ask(engine, cmd="new", game=name, seed=7)
    for number in range(3000):
        if answer["pending"]["type"] == "over":
            break
        assert answer["pending"]["type"] == "decide"
        moves = ask(engine, cmd="moves")["moves"]
        choices = [move for move in moves if move not in ("nobody", "spoken")]
        answer = ask(engine, cmd="do", move=choices[number % len(choices)])
        assert answer["ok"], answer
    assert answer["pending"]["type"] == "over"
    assert ask(engine, cmd="moves")["moves"] == []
    again = Engine()
    history = ask(engine, cmd="state")["history"]
    ask(again, cmd="new", game=name, options={})
    for move in history:
        assert ask(again, cmd="do", move=move)["ok"]
    assert ask(again, cmd="state")["state"] == answer["state"]


@pytest.mark.parametrize("name", GAMES)
def test_without_a_seed_every_reveal_waits_for_a_move(name: str) -> None:
    engine = Engine()
    answer = ask(engine, cmd="new", game=name)
    assert answer["pending"]["type"] == "reveal"
    assert answer["done"] == []


def test_undo_and_redo_take_natures_moves_along() -> None:
    engine = Engine()
    start = ask(engine, cmd="new", game="similo", seed=3)
    move = ask(engine, cmd="moves")["moves"][0]
    after = ask(engine, cmd="do", move=move)
    assert len(after["done"]) == 2  # the clue, and the card drawn for it
    back = ask(engine, cmd="undo")
    assert back["state"] == start["state"]
    assert back["undone"] == after["done"][::-1]
    assert ask(engine, cmd="redo")["state"] == after["state"]
    ask(engine, cmd="undo")
    assert ask(engine, cmd="do", move=move)["state"] == after["state"]


def test_the_first_decision_is_as_far_back_as_a_seeded_game_goes() -> None:
    engine = Engine()
    start = ask(engine, cmd="new", game="silencio", seed=3)
    assert ask(engine, cmd="undo")["code"] == "nothing_to_undo"
    assert ask(engine, cmd="state")["state"] == start["state"]
    assert ask(engine, cmd="redo")["code"] == "nothing_to_undo"


def test_a_late_confirmation_confirms_nothing_else() -> None:
    engine = Engine()
    start = ask(engine, cmd="new", game="silencio", seed=3)
    ask(engine, cmd="do", move="start 0", number=start["number"])
    late = ask(engine, cmd="do", move="start 1", number=start["number"])
    assert late["code"] == "stale_state"


def test_a_view_hides_what_a_seat_cannot_see() -> None:
    engine = Engine()
    ask(engine, cmd="new", game="silencio", players=2, seed=3)
    mine = read_state(GAMES["silencio"], ask(engine, cmd="view", seat=0)["state"])
    assert "?" not in mine.hands[0]
    assert set(mine.hands[1]) == {"?"}
    shared = read_state(GAMES["silencio"], ask(engine, cmd="view", seat=None)["state"])
    assert set(shared.hands[0]) == {"?"}
    assert ask(engine, cmd="view", seat=2)["code"] == "no_such_seat"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "bad_json"),
        ("{", "bad_json"),
        ('{"cmd": "do", "move": ', "bad_json"),
        (b"\xff\xfe", "bad_json"),
        ("[1, 2]", "bad_request"),
        ("null", "bad_request"),
        ('{"cmd": 5}', "bad_request"),
        ('{"cmd": "dance"}', "unknown_command"),
        ('{"cmd": "moves"}', "no_game"),
        ('{"cmd": "new"}', "bad_request"),
        ('{"cmd": "new", "game": "poker"}', "unknown_game"),
        ('{"cmd": "new", "game": "silencio", "seed": "seven"}', "bad_request"),
        ('{"cmd": "new", "game": "silencio", "seed": true}', "bad_request"),
        ('{"cmd": "new", "game": "silencio", "players": 5}', "bad_option"),
        ('{"cmd": "new", "game": "silencio", "players": "3"}', "bad_option"),
        ('{"cmd": "new", "game": "silencio", "players": true}', "bad_option"),
        ('{"cmd": "new", "game": "silencio", "options": {"colour": 1}}', "unknown_option"),
        ('{"cmd": "new", "game": "silencio", "options": []}', "bad_request"),
        ('{"cmd": "set", "state": ""}', "unknown_game"),
        ('{"cmd": "set", "state": 7}', "bad_request"),
        ('{"cmd": "set", "state": "silencio hands=r4/r4/-"}', "card_twice"),
        ('{"cmd": "set", "state": "silencio hands=r12/-/-"}', "no_such_card"),
        ('{"cmd": "set", "state": "silencio mood=good"}', "unknown_field"),
        ('{"cmd": "set", "state": "silencio turn"}', "unreadable"),
        ('{"cmd": "set", "state": "silencio turn=x"}', "unreadable"),
        ('{"cmd": "set", "state": "silencio turn=9"}', "impossible"),
        ("[" * 100_000, "bad_json"),
    ],
)
def test_a_request_that_cannot_be_met_gets_a_code_and_a_reason(line: str | bytes, code: str) -> None:
    answer = Engine().answer(line)
    assert answer["ok"] is False
    assert answer["code"] == code
    assert len(answer["reason"]) > 5


def test_an_illegal_move_names_the_legal_ones_and_changes_nothing() -> None:
    engine = Engine()
    ask(engine, cmd="set", state="silencio players=2 hands=b3,r2/y3 rows=r4/-/-/-")
    before = ask(engine, cmd="state")
    answer = ask(engine, cmd="do", move="play r2")
    assert answer["code"] == "not_climbing"
    assert "red 2" in answer["reason"]
    assert "play b3" in answer["legal"]
    assert ask(engine, cmd="state") == before
    assert ask(engine, cmd="do", move="fly away")["code"] == "unreadable"
    assert ask(engine, cmd="do", move="play")["code"] == "unreadable"
    assert ask(engine, cmd="do", move="play b3 b4")["code"] == "unreadable"


def test_a_failed_new_keeps_the_game_that_was() -> None:
    engine = Engine()
    before = ask(engine, cmd="new", game="similo", seed=1)
    ask(engine, cmd="new", game="similo", players=99)
    assert ask(engine, cmd="state")["state"] == before["state"]


def test_perft_refuses_what_would_take_for_ever() -> None:
    engine = Engine()
    ask(engine, cmd="new", game="silencio")
    assert ask(engine, cmd="perft", depth=2)["nodes"] == 36 * 35
    assert ask(engine, cmd="perft", depth=-1)["code"] == "bad_request"


@pytest.mark.parametrize("name", GAMES)
def test_perft_deeper_than_the_game_answers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred million moves are more than any game has, and more than Python's stack."""
    monkeypatch.setattr("companion.engine.PERFT_POSITIONS", 5000)
    engine = Engine()
    ask(engine, cmd="new", game=name, seed=7)
    assert ask(engine, cmd="perft", depth=10**8)["code"] == "too_many"
    assert ask(engine, cmd="moves")["ok"]


def test_perft_of_a_game_that_ends_counts_its_ends_at_any_depth() -> None:
    engine = Engine()
    assert ask(engine, cmd="set", state="silencio players=2 hands=r8/- rows=r7/-/-/- box=rest lit=-")["ok"]
    ends = [ask(engine, cmd="perft", depth=depth)["nodes"] for depth in (20, 40, 10**8)]
    assert ends[0] == ends[1] == ends[2] > 0
    ask(engine, cmd="set", state="silencio phase=over reason=all_passed")
    assert ask(engine, cmd="perft", depth=10**8)["nodes"] == 1


@pytest.mark.parametrize(
    "state",
    [
        "silentes phase=map map=pentacles-09 mirror=4:1",
        "similo phase=grid characters_left=alice round=2",
        "silencio phase=deal hands=r4/b4/y4 to_reveal=-16",
    ],
)
def test_a_state_that_once_ended_the_process_is_refused_with_a_reason(state: str) -> None:
    (answer,) = (json.loads(line) for line in serve([json.dumps({"cmd": "set", "state": state}).encode()]))
    assert answer["code"] == "impossible"
    assert "This can't be at a table" in answer["reason"]


@pytest.mark.parametrize("broken", ["apply", "legal", "pending", "question", "view", "settle"])
def test_a_fault_of_the_rules_is_an_internal_error_and_the_game_stays_where_it_was(
    broken: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game, engine = GAMES["silencio"], Engine()
    before = ask(engine, cmd="new", game="silencio", seed=3)
    move = ask(engine, cmd="moves")["moves"][0]

    def fail(*_: Any) -> Any:
        raise KeyError("nobody thought of this")

    requests = {
        "legal": {"cmd": "moves"},
        "view": {"cmd": "view", "seat": 0},
        "settle": {"cmd": "set", "state": before["state"]},
    }
    with monkeypatch.context() as fault:
        fault.setattr(type(game), broken, fail)
        answer = ask(engine, **requests.get(broken, {"cmd": "do", "move": move}))
    assert (answer["ok"], answer["code"]) == (False, "internal")
    assert "KeyError" in answer["reason"]
    assert any(record.exc_info for record in caplog.records)
    assert ask(engine, cmd="state")["state"] == before["state"]
    assert ask(engine, cmd="do", move=move)["ok"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
requests = st.fixed_dictionaries(
    {"cmd": st.sampled_from([*Engine().commands, "x"])},
    optional={
        name: st.sampled_from([*GAMES, 0, 1, 2, None, "play r4", "silencio", {}, {"players": 2}]) | json_values
        for name in ("game", "players", "seed", "options", "state", "move", "seat", "number", "depth")
    },
)


@given(st.lists(requests | json_values, max_size=12))
@settings(max_examples=150)
def test_no_sequence_of_requests_ends_the_engine(sequence: list[Any]) -> None:
    lines = [json.dumps(request).encode() for request in sequence]
    with patch("companion.engine.PERFT_POSITIONS", 200):
        answers = [json.loads(answer) for answer in serve(lines)]
    assert len(answers) == len(lines)
    for answer in answers:
        assert answer["ok"] or (answer["code"] and answer["reason"])
        assert answer.get("code") != "internal"


@given(st.binary(max_size=60))
@settings(max_examples=150)
def test_no_bytes_end_the_engine(line: bytes) -> None:
    assert len(list(serve([line]))) == bool(line.strip())


def test_the_command_speaks_the_protocol_over_pipes() -> None:
    lines = [b'{"cmd": "games"}', b"broken", b"", b'{"cmd": "new", "game": "similo", "seed": 1}']
    done = subprocess.run(
        [sys.executable, "-m", "companion", "engine"], input=b"\n".join(lines), capture_output=True, check=True
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False, True]
    assert answers[0]["games"] == list(NAMES)
