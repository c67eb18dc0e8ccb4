"""Recorded games play out as recorded, for every value of every option; perft counts are as counted."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import perft
from companion.games import GAMES
from companion.games.game import Game
from companion.games.notation import read_state
from tests.goldens import FOLDER, replayed, variants

VARIANTS = [(game, name) for game in GAMES.values() for name, _ in variants(game)]
COUNTS = [
    (game, line)
    for game in GAMES.values()
    if (FOLDER / f"{game.name}.perft").is_file()
    for line in (FOLDER / f"{game.name}.perft").read_text().splitlines()
]


@pytest.mark.parametrize(("game", "name"), VARIANTS, ids=lambda part: getattr(part, "name", part))
def test_golden_playthrough(game: Game[Any], name: str) -> None:
    path = FOLDER / game.name / f"{name}.txt"
    assert path.is_file(), f"no playthrough for {game.name} {name}: run python -m tests.goldens"
    text = path.read_text()
    assert replayed(game, text) == text


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_game_has_perft_counts(game: Game[Any]) -> None:
    assert any(counted is game for counted, _ in COUNTS)


@pytest.mark.parametrize(("game", "line"), COUNTS, ids=lambda part: getattr(part, "name", None))
def test_perft(game: Game[Any], line: str) -> None:
    depth, nodes, position = line.split(maxsplit=2)
    assert perft(game, read_state(game, position), int(depth)) == int(nodes)
