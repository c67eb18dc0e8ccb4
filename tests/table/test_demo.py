"""The demo: a written game that sensible people play at a box, told on a stage or line by line."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from rich.segment import Segment

from companion.demo.labels import labels
from companion.demo.player import last_word
from companion.demo.script import with_hidden_card, write_script
from companion.demo.show import DemoShow, DemoWish, players_of
from companion.demo.stage import Scenery, Stage
from companion.demo.terminal_picture import BLOCKS, CameraView, Label, coloured, in_characters, shaded
from companion.games.game import Over, Reveal
from companion.kits import KITS
from companion.table.hosts import HOSTS
from companion.table.sight import Seen
from hardware.panel import PanelFrame
from hardware.simulated import SimulatedPanel
from vision.simulated import PinholeCamera, Scene

TABLES = [(name, players) for name, host in HOSTS.items() for players in players_of(host.game)]


def at_table(name: str, players: int) -> Any:
    host = HOSTS[name]
    return host.game.options(**{"players": players, **host.at_table, **KITS[name].variants[0].options})


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_box_that_sees_no_hands_can_follow_every_act_of_a_written_game(name: str, players: int) -> None:
    host, options = HOSTS[name], at_table(name, players)
    box = host.game.new(options)
    script = write_script(host, options, random.Random(f"{name} {players}"))
    for act in script:
        if act.is_dealt and host.game.pending(act.before) != host.game.pending(box):
            continue
        legal = host.game.legal(box)
        move = act.move if act.move in legal else with_hidden_card(act.move)
        assert act.is_meant_by(move)
        box, _ = host.game.apply(box, move)
    if not isinstance(host.game.pending(box), Over):  # what was hidden from the box lies open now
        box, _ = host.game.apply(box, last_word(host.game, box, script[-1].after))
    assert host.game.pending(script[-1].after) == host.game.pending(box)


@pytest.mark.parametrize("name", HOSTS)
def test_what_is_shown_of_a_written_game_holds_no_card_that_only_its_owner_sees(name: str) -> None:
    host = HOSTS[name]
    options = at_table(name, min(players_of(host.game)))
    for act in write_script(host, options, random.Random(1)):
        assert act.after == host.game.view(act.after, None)
        step = host.game.pending(act.before)
        if isinstance(step, Reveal) and step.seat is not None:
            assert act.is_dealt


def test_a_character_has_the_two_colours_that_lose_least() -> None:
    picture = np.zeros((2, 4, 3), np.uint8)
    picture[0, :2] = 200
    picture[:, 3] = 100
    ((left, right),) = coloured(picture)
    assert left[0] in "▀▄"
    assert right[0] in "▌▐"
    assert left[1].color is not None
    assert len(set(BLOCKS)) == 16


def test_without_colours_what_lies_on_the_table_is_shaded() -> None:
    picture = np.full((8, 8, 3), 60, np.uint8)
    picture[2:4, 2:6] = 220
    assert ["".join(letter for letter, _ in row) for row in shaded(picture)] == ["    ", " ░░ ", "    ", "    "]


def view(width: float = 600.0) -> CameraView:
    camera = PinholeCamera(640, 480)
    return CameraView(np.full((480, 640, 3), 40, np.uint8), camera, Scene(width=width, height=450.0))


def text(lines: list[list[Segment]]) -> list[str]:
    return ["".join(segment.text for segment in line) for line in lines]


@pytest.mark.parametrize("has_colour", [True, False])
def test_labels_stand_on_their_cards_and_keep_to_the_picture(has_colour: bool) -> None:
    found = [Label(300, 225, 70, "Big Bad Wolf", "#ffffff"), Label(599, 1, 70, "y10", "#ffffff", is_new=True)]
    lines = text(in_characters(view(), found, 60, 20, has_colour))
    assert {len(line) for line in lines} == {60}
    at = next(row for row, line in enumerate(lines) if "Big Bad" in line or "Big" in line)
    assert abs(at - 10) <= 2
    assert any("y" in line for line in lines)


def test_a_card_that_is_new_stands_out_and_one_without_a_name_is_a_question_mark() -> None:
    game = HOSTS["silencio"].game
    lying = [Seen("r4", x=100, y=100), Seen("", x=200, y=100)]
    old, unnamed = labels(game, lying, lying[:1], 62.0)
    assert (old.text, old.is_new) == ("▲4", False)
    assert (unnamed.text, unnamed.is_new) == ("?", True)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40), (72, 20)])
@pytest.mark.parametrize("system", ["truecolor", "256", None])
def test_the_stage_fills_the_terminal_exactly(width: int, height: int, system: Any) -> None:
    console = Console(
        file=io.StringIO(), force_terminal=True, width=width, height=height, color_system=system, legacy_windows=False
    )
    panel = SimulatedPanel(clock=lambda: 0.0)
    panel.show(PanelFrame.parse("#-............. #... ..", bar_kind=PanelFrame().bar_kind))
    panel.step()
    stage = Stage(console, panel, "Hush · " + "long " * 40)
    stage.say("Player 2 plays blue 4. " * 8, "hand")
    stage.say("Player 1 starts.", "mistake")
    for scenery in (None, Scenery(view(), (Label(300, 225, 70, "▲4", "#ff0000"),))):
        stage.scenery = scenery
        lines = stage.lines(width, height)
        assert len(lines) == height
        assert {sum(segment.cell_length for segment in line) for line in lines} == {width}
        assert any("Player 1 starts." in line for line in text(lines))
    assert "█ ▒ ·" in "\n".join(text(lines))


def test_a_whole_game_is_told_line_by_line_without_notation(tmp_path: Path) -> None:
    said = io.StringIO()
    wish = DemoWish("similo", {}, seed=2, speed=1e9, mistakes=3, doubts=0.0)
    panel = SimulatedPanel(clock=lambda: 0.0)
    show = DemoShow(wish, tmp_path, None, Console(file=said, width=200), panel)
    report = show.play()
    panel.close()
    assert report.wrong == 0
    assert report.seen > report.picked
    assert report.explained == report.refusals
    for tag in (move.__struct_config__.tag for move in HOSTS["similo"].game.moves):
        assert f"☞ {tag} " not in said.getvalue()
    assert "Clue: " in said.getvalue()
