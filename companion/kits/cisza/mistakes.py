"""Mistakes at a table of Cisza: cards laid as the rules don't allow."""

from __future__ import annotations

import random

from companion.games.cisza import CISZA
from companion.games.cisza.knowledge import others
from companion.games.cisza.records import WEAPONS, State
from companion.table.mistakes import WRONG_CARD, Tables, with_cards
from companion.table.scenes import scene


def mistakes(state: State, rng: random.Random) -> Tables:
    """A weapon before somebody else's shelter, where no card of that kind can lie."""
    if state.phase != "turn":
        return {}
    seat = rng.choice(others(state, state.turn))
    table = scene(CISZA.name, state)
    weapon = rng.choice(sorted(WEAPONS))
    return {WRONG_CARD: with_cards(table, CISZA.name, f"shelter-{seat + 1}", [weapon], 0.85)}
