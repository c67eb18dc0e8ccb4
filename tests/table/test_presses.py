"""Presses without a camera, counted over whole random games."""

from __future__ import annotations

import random
import statistics

import pytest

from benchmarks.presses.buttons import game_by_buttons
from companion.games.game import option_table
from companion.table.hosts import HOSTS

SET_UP = {"silentes": 30}
"""Presses to set up where it's more than fifteen: eight shelters by their suits, and two tokens."""
USUAL = 15
TABLES = [
    (name, players)
    for name, host in HOSTS.items()
    for players in {option.name: option for option in option_table(host.game.options_type)}["players"].allowed
]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_decision_takes_few_presses_and_never_more_than_ten(name: str, players: int) -> None:
    rng = random.Random(f"{name} {players} presses")
    games = [game_by_buttons(name, players, rng) for _ in range(2)]
    presses = [count for game in games for count in game.each]
    assert max(presses) <= 10
    assert statistics.median(presses) <= 3
    assert max(sum(game.setup) for game in games) <= SET_UP.get(name, USUAL)
    assert not any(game.wrong for game in games)
