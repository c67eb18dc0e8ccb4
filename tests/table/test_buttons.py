"""Whole games with the four buttons alone: no camera, no page."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from companion.games.game import Over, option_table
from companion.games.notation import write_move
from companion.kits import KITS
from companion.table.chooser import Chooser, Node, Pick
from companion.table.hosts import HOSTS
from companion.table.menu import NewGame
from companion.text import Text
from hardware.button_signals import Press
from hardware.panel import BAR, Button, Glow
from tests.table.fingers import Bench, PinBench

TABLES = [
    (name, players, key)
    for name, host in HOSTS.items()
    for players in {option.name: option for option in option_table(host.game.options_type)}["players"].allowed
    for key, _, _ in KITS[name].variants
]


def begin(bench: Bench, name: str, players: int, key: str) -> None:
    """Choose a game from the menu with the buttons."""
    bench.box.wake()
    chosen = next(options for variant, _, options in KITS[name].variants if variant == key)
    options = HOSTS[name].game.options_type.__struct_fields__
    table = {"driver": "table"} if "driver" in options else {}
    bench.pick(NewGame(name, {"players": players, **table, **chosen}))


@pytest.mark.parametrize(("name", "players", "key"), TABLES)
def test_a_whole_game_by_buttons_alone(bench: Bench, name: str, players: int, key: str) -> None:
    """Random legal moves, each reached with ◀ ▶ ✔; power cuts and undo in between change nothing."""
    begin(bench, name, players, key)
    rng = random.Random(f"{name} {players} {key}")
    host = HOSTS[name]
    for number in range(1500):
        play = bench.history
        if play.is_over:
            break
        answers = set(host.answerable(host.game.view(play.state, None)))
        legal = sorted(answers.intersection(host.game.legal(play.state)), key=write_move)
        expected, _ = host.game.apply(play.state, move := rng.choice(legal))
        before = play.number
        if host.peek(play.state) is not None and bench.box._controls.peeking.seen_at != play.number:
            bench.press(Button.CONFIRM, Button.CONFIRM)
        bench.make(move)
        play = bench.history
        assert play.number > before
        assert play.states[before + 1] == expected
        if number % 17 == 5 and not play.is_over:
            state = play.state
            bench.power_cut()
            assert bench.history.state == state
        if number % 23 == 7:
            state = bench.history.state
            assert bench.box.undo()
            assert bench.box.redo()
            assert bench.history.state == state
    over = bench.history.pending
    assert isinstance(over, Over)
    bench.press(Button.CONFIRM)
    assert bench.box.shown.is_menu


@pytest.mark.parametrize("name", HOSTS)
def test_every_question_fits_the_panel(name: str) -> None:
    """No step of any chooser has more options than the bar can show."""
    host = HOSTS[name]
    rng = random.Random(name)
    for _ in range(6):
        options = host.game.options(
            **({"driver": "table"} if "driver" in host.game.options_type.__struct_fields__ else {})
        )
        state = host.game.new(options)
        for _ in range(120):
            legal = host.game.legal(state)
            if not legal:
                break
            levels = [Chooser(host.options(state)).nodes]
            while levels:
                level = levels.pop()
                assert all(node.pick.place < 3 * BAR for node in level)
                levels += [node.branches for node in level if node.branches]
            state, _ = host.game.apply(state, rng.choice(legal))


@pytest.mark.parametrize("lamps", [0, 1, 5, 10, 15])
def test_any_bar_shows_any_chooser(lamps: int) -> None:
    """A short bar turns pages, and starts again where there are more options than pages; no bar breaks nothing."""
    nodes = tuple(Node(Pick(str(number), Text(str(number)), (), number), (), number) for number in range(44))
    for at in range(len(nodes)):
        lit = [glow for glow in Chooser(nodes, (), at).layer(lamps).bar if glow not in (None, Glow.OFF, Glow.DIM)]
        assert len(lit) == 1


def test_a_slow_machine_costs_the_simulated_fingers_no_press(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten seconds by the machine's clock between any two edges, a tenth by the test's."""
    seconds = itertools.count(0, 10)
    monkeypatch.setattr("gpiozero.pins.mock.monotonic", lambda: float(next(seconds)))
    bench = PinBench(tmp_path)
    heard: list[object] = []
    bench.panel.listen(heard.append)
    for _ in range(5):
        bench.touch(Button.RIGHT)
    bench.close()
    assert heard == [Press(Button.RIGHT)] * 5
