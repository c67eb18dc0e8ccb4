"""Whole games through rendered frames, lights and buttons, with mistakes, ending in exactly the state meant."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.demo.person import RandomPerson
from companion.games.notation import read_move, read_state, write_move
from companion.games.silencio.records import Skip, Use
from companion.session.session import Session
from companion.table.explain import TableSearch, explain
from companion.table.host import Host
from companion.table.hosts import HOSTS
from companion.table.proposal import Proposal
from companion.table.scenes import mid_move, scene
from companion.table.sight import Sight
from companion.table.simulated_table import SimulatedTable
from tests.table.fingers import PinBench
from vision.calibration import find_markers

BENCH = PinBench

# One table a game, with a seed that makes for a short game with mistakes of several kinds; `python -m benchmarks.soak
# --every-table` plays each game with each number of players.
TABLES = [("silencio", 3, 3), ("similo", 8, 8), ("silentes", 2, 4), ("cisza", 2, 6)]


def seated(bench: PinBench, name: str, players: int, mistakes: int, seed: int = 1) -> RandomPerson:
    """A person at a table where a game has begun."""
    table = {"drawing": "table"} if name == "silentes" else {"driver": "table"}
    bench.box.start(name, {"players": players, **table})
    simulated = SimulatedTable(name, bench.history.state.options)

    def wait(seconds: float) -> None:
        bench.clock.now += seconds

    def power_cut() -> Session:
        bench.power_cut()
        return bench.box

    return RandomPerson(
        bench.box, simulated, random.Random(seed), mistakes, wait, power_cut, bench.touch, bench.hold_down
    )


def meant(host: Host[Any], state: Any, sight: Sight) -> Proposal:
    return explain(host, state, sight).proposal


@pytest.mark.parametrize(("name", "players", "seed"), TABLES)
def test_a_whole_game_through_camera_and_pins_with_mistakes(
    bench: PinBench, name: str, players: int, seed: int
) -> None:
    """Rendered frames in, lines pulled low, a journal on disk; after every step exactly the state that was meant."""
    person = seated(bench, name, players, mistakes=3, seed=seed)
    lamps = set()
    for _step in person.play_on():
        lamps |= {lamp for lamp, is_lit in bench.lit().items() if is_lit}
    assert person.is_done
    assert person.played.state == person.expected
    assert person.report.wrong == 0
    assert person.report.explained == person.report.refusals
    assert person.report.seen > 0
    # A game of Similo can be lost in a few moves, before anybody had the time to err.
    assert person.report.mistakes or person.report.moves < 30
    assert len(lamps) > 3
    bench.close()
    assert not any(line.state for line in bench.pins.pins.values() if line.function == "output")


@pytest.fixture(scope="module")
def rows() -> SimulatedTable:
    """A simulated Silencio table for three."""
    game = HOSTS["silencio"].game
    return SimulatedTable("silencio", game.options(players=3, driver="table"))


START = "silencio driver=table hands=?,?,?/?,?,?/?,?,? rows=r4/b3/-/- dark=- oracle=y5,g7,b9"


@pytest.mark.parametrize(
    ("table", "proposed", "code"),
    [
        ("rows=r4,r6/b3/-/-", ["play r6, use, done", "play r6, skip, done"], ""),
        ("rows=r4,r5/b3/-/- dark=r5", ["play r5, done"], ""),
        ("rows=r4,r5/b3/-/-", [], "wrong_side"),
        ("rows=r4,r6/b3/-/- dark=r6", [], "wrong_side"),
        ("rows=r4/b3/y2/- dark=y2", ["play y2, done"], ""),
        (
            "rows=r4,r6/b3,b8/-/-",
            ["play b8, skip, done, play r6, use, done", "play b8, skip, done, play r6, skip, done"],
            "",
        ),
        ("rows=r4/b3/-/- lit=large,red,yellow,green", ["shrine blue"], ""),
        ("rows=r4/b3/-/-", [], ""),
    ],
)
def test_what_the_rows_of_silencio_mean(rows: SimulatedTable, table: str, proposed: list[str], code: str) -> None:
    """Legal readings up to the turn's end, asked about where they part, or none with its reason; never a guess."""
    host = HOSTS["silencio"]
    state = read_state(host.game, START)
    names = {field.split("=")[0] for field in table.split()}
    kept = [field for field in START.split() if field.split("=")[0] not in names]
    shown = read_state(host.game, " ".join([*kept, table]))
    sight = rows.watch(scene("silencio", shown))[-1]
    assert not sight.is_unsettled
    found = meant(host, state, sight)
    assert [", ".join(map(write_move, one.moves)) for one in found.explanations] == proposed
    assert found.asked == ((Use(), Skip()) if len(proposed) > 1 else ())
    assert found.code == code
    assert (found.complaint is None) == (code == "")


def test_a_card_that_does_not_climb_is_refused_with_its_reason(rows: SimulatedTable) -> None:
    host = HOSTS["silencio"]
    state = read_state(host.game, START)
    shown = replace(state, rows=(("r4", "r2"), ("b3",), (), ()))
    found = meant(host, state, rows.watch(scene("silencio", shown))[-1])
    assert found.code == "not_climbing"
    assert "red 2" in str(found.complaint)


def test_a_hand_in_the_picture_pauses_judgement(rows: SimulatedTable) -> None:
    host = HOSTS["silencio"]
    table = scene("silencio", read_state(host.game, START))
    assert not rows.watch(table)[-1].is_unsettled
    assert rows.watch(replace(table, hands=((420.0, 300.0),)))[-1].is_unsettled
    assert not rows.watch(table)[-1].is_unsettled


@pytest.mark.parametrize("table", ["white", "wood", "felt", "cloth"])
def test_markers_with_a_rim_of_paper_are_seen_on_any_table(rows: SimulatedTable, table: str) -> None:
    bare = scene("silencio", HOSTS["silencio"].game.new(rows.options))
    simulated = SimulatedTable("silencio", rows.options, table=table)
    assert sorted(find_markers(simulated.photograph(bare))) == [0, 1, 2, 3]


def test_a_zombie_that_runs_on_is_seen_where_it_was_turned() -> None:
    game = HOSTS["cisza"].game
    before = read_state(game, "cisza players=2 driver=table survivors=2,2 phase=flip card=megaphone at=0 mode=play")
    move = read_move(game, "show fast")
    after, _ = game.apply(before, move)
    simulated = SimulatedTable("cisza", before.options)
    # What was played lies there already: the play spot is a heap, of which only what came since counts.
    played = simulated.watch(scene("cisza", before))[-1]
    for table in (mid_move("cisza", before, move, after), scene("cisza", replace(after, card="megaphone"))):
        inquiry = TableSearch(HOSTS["cisza"], before, simulated.watch(table)[-1], sight_before=played)
        while not inquiry.run():
            pass
        assert inquiry.result is not None
        assert inquiry.result.proposal.accepted_moves == (move,)
