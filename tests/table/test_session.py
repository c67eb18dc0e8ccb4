"""The session and its outputs: any number of subscribers, each on its own; what others get of it are values."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from companion.games import GAMES
from companion.journal import Journal
from companion.outputs import Output
from companion.play import Play
from companion.session.events import Changed, EventBus, Faulted, Told
from hardware.panel import Button
from tests.table.fingers import Bench

ROOT = Path(__file__).parents[2]


@pytest.fixture
def bench(bench: Bench) -> Bench:
    bench.box.start("silencio", {"players": 2, "driver": "table"})
    return bench


class Ticker(Output):
    """An output that somebody adds: a strip of paper."""

    def __init__(self) -> None:
        self.printed: list[str] = []

    def attach(self, bus: EventBus) -> None:
        bus.subscribe(Told, lambda told: self.printed.append(told.move))


def test_a_new_output_is_one_class_and_one_line(bench: Bench) -> None:
    tickers = Ticker(), Ticker()
    for ticker in tickers:
        ticker.attach(bench.box.bus)
    bench.box.do("show r4")
    assert [ticker.printed for ticker in tickers] == [["show r4"], ["show r4"]]


def test_an_output_that_fails_stops_neither_the_game_nor_the_others(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(event: Told) -> None:
        raise OSError("the strip is torn")

    ticker = Ticker()
    bench.box.bus.subscribe(Told, fail)
    ticker.attach(bench.box.bus)
    bench.box.do("show r4")
    assert ticker.printed == ["show r4"]
    assert bench.history.notation == ("show r4",)
    assert "the strip is torn" in caplog.text


def test_a_move_is_in_the_record_before_any_output_hears_of_it(bench: Bench) -> None:
    kept: list[list[str]] = []

    def look(event: object) -> None:
        journal = Journal(bench.folder / "hush.db")
        kept.append([step.text for step in journal.steps(1)])
        journal.close()

    bench.box.bus.subscribe(Told, look)
    bench.box.bus.subscribe(Changed, look)
    bench.box.do("show r4")
    assert len(kept) >= 2
    assert all(moves == ["show r4"] for moves in kept)


def test_a_situation_is_a_value_that_later_moves_do_not_change(bench: Bench) -> None:
    before = bench.box.shown
    bench.box.do("show r4")
    bench.press(Button.RIGHT)
    assert before.running is not None
    assert (before.running.history.notation, before.chooser) == ((), None)
    assert bench.history.notation == ("show r4",)
    with pytest.raises(AttributeError):
        before.is_menu = True  # type: ignore[misc]
    assert type(before).__struct_config__.frozen
    assert isinstance(before, msgspec.Struct)


def test_faults_are_told_when_they_come_and_when_they_go(bench: Bench) -> None:
    heard: list[Faulted] = []
    bench.box.bus.subscribe(Faulted, heard.append)
    for is_there in (True, True, False):
        bench.box.on_fault("no-camera", is_there)
    assert heard == [Faulted("no-camera", True), Faulted("no-camera", False)]


def test_a_play_has_one_keeper() -> None:
    game = GAMES["silencio"]
    play = Play(game, game.new(game.options(players=2)))
    play.kept_by(lambda steps: None)
    with pytest.raises(RuntimeError):
        play.kept_by(lambda steps: None)


def test_a_secret_of_the_last_game_is_not_shown_in_the_next(bench: Bench) -> None:
    chosen = {"players": 2, "driver": "table", "secret_mode": "sealed"}
    bench.box.start("similo", chosen)
    deal(bench)
    bench.press(Button.CONFIRM)
    assert bench.box.shown.secret is not None
    bench.box.start("similo", chosen)
    assert bench.box.shown.secret is None
    deal(bench)
    assert bench.box.shown.secret is None
    bench.press(Button.CONFIRM)
    assert bench.box.shown.secret is not None


def deal(bench: Bench) -> None:
    """Lay the grid, so that the box chooses the secret."""
    while not bench.history.state.secret or bench.history.pending.ask == "grid":  # type: ignore[union-attr]
        bench.box.do(bench.history.game.legal(bench.history.state)[0])


def test_nobody_outside_reaches_into_a_session() -> None:
    """Commands and values are all that others have of it."""
    inside = re.compile(r"\bsession\._|\b_session\._|\.session\._")
    others = [path for path in ROOT.glob("companion/**/*.py") if path.parent.name != "session"]
    assert others
    assert [str(path) for path in others if inside.search(path.read_text(encoding="utf-8"))] == []
