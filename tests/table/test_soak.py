"""The soak can tell right from wrong: events are compared with what the hand did, and lost moves are counted."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import numpy as np
import pytest

from benchmarks.soak.__main__ import recorded
from benchmarks.soak.game import EVERY_TABLE, WAYS, SoakBench, drawn_options, planned, play
from benchmarks.soak.true_changes import ChangeTally, TrueChange, compare, true_changes
from companion.table.hosts import HOSTS
from vision.simulated import LaidCard, Truth
from vision.tracking import CardChange, CardEvent


def lying(card: str, x: float = 0.0, turn: float = 0.0, face: str = "", visible: float = 1.0) -> Truth:
    corners = np.array([[x, 0], [x + 60, 0], [x + 60, 90], [x, 90]], float)
    return Truth(LaidCard(card, x, 0.0, turn, face), corners, visible)


@pytest.mark.parametrize(
    ("before", "now", "done"),
    [
        ([], [lying("r4")], [TrueChange("placed", "r4")]),
        ([lying("r4")], [], [TrueChange("removed", "r4")]),
        ([lying("r4")], [lying("r4")], []),
        ([lying("r4")], [lying("r4", x=200)], [TrueChange("moved", "r4")]),
        ([lying("r4")], [lying("r4", x=2)], []),
        ([lying("r4")], [lying("r4", turn=90)], [TrueChange("turned", "r4")]),
        ([lying("r4")], [lying("r4", face="unlit")], [TrueChange("flipped", "r4")]),
        ([lying("r4")], [lying("r6")], [TrueChange("removed", "r4", is_clear=False), TrueChange("placed", "r6")]),
        ([], [lying("r4", visible=0.2)], [TrueChange("placed", "r4", is_clear=False)]),
    ],
)
def test_what_a_hand_did(before: list[Truth], now: list[Truth], done: list[TrueChange]) -> None:
    assert true_changes(before, now) == done


def test_events_are_counted_as_right_wrong_or_missed() -> None:
    tally = ChangeTally()
    done = [TrueChange("placed", "r4"), TrueChange("removed", "b3"), TrueChange("placed", "g7", is_clear=False)]
    compare(tally, done, [CardEvent(CardChange.PLACED, 1, "r4"), CardEvent(CardChange.MOVED, 2, "y5")])
    assert (tally.right, tally.wrong, tally.missed) == (1, 1, 1)
    assert tally.cases == ["told but not done: y5 moved", "done but not told: b3 removed"]


def test_of_two_copies_the_one_that_shows_is_meant() -> None:
    tally = ChangeTally()
    compare(
        tally,
        [TrueChange("placed", "mines", is_clear=False), TrueChange("placed", "mines")],
        [CardEvent(CardChange.PLACED, 1, "mines")],
    )
    assert (tally.right, tally.wrong, tally.missed) == (1, 0, 0)


@pytest.mark.parametrize("name", HOSTS)
@pytest.mark.parametrize("way", WAYS)
def test_drawn_options_make_a_physical_game(name: str, way: str) -> None:
    rng = random.Random(1)
    drawn = [drawn_options(name, way, rng) for _ in range(40)]
    assert len({str(options) for options in drawn}) > 5 or name == "cisza"
    for options in drawn:
        HOSTS[name].game.options(**options)
        assert options.get("driver", "table") == "table"
        assert way == "buttons" or options.get("drawing") != "phone"


def test_every_table_is_each_game_with_each_number_of_players() -> None:
    plans = [planned(number, seed=1, every_table=True)[0] for number in range(len(EVERY_TABLE))]
    assert [(one.game, one.options["players"]) for one in plans] == list(EVERY_TABLE)
    assert {game for game, _players in EVERY_TABLE} == set(HOSTS)
    assert [players for game, players in EVERY_TABLE if game == "cisza"] == [2, 3, 4, 5, 6]
    for one in plans:
        HOSTS[one.game].game.options(**one.options)
        assert one.way == "camera"


def test_a_move_that_is_not_on_disk_is_counted_as_lost(tmp_path: Path) -> None:
    bench = SoakBench(tmp_path, random.Random(1), faults=0.0)
    bench.box.start("silencio", {"players": 2, "driver": "table"})
    bench.box.do("show r4")
    assert bench.lost() == 0
    bench.box._game.play._keep = None  # as if a disk had lost it
    bench.box.do("show r6")
    assert bench.lost() == 1
    bench.close()


def test_a_game_of_the_soak_can_be_kept_and_read_again(tmp_path: Path) -> None:
    result = play(number=5, seed=1, mistakes=3)
    assert (result.game, result.way) == ("similo", "buttons")
    assert (result.trouble, result.wrong, result.lost) == ("", 0, 0)
    assert result.moves > 0
    file = tmp_path / "soak.jsonl"
    file.write_bytes(msgspec.json.encode(result) + b"\n")
    assert recorded(file) == [result]
