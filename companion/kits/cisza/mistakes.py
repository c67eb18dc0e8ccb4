"""Mistakes at a table of Cisza: cards laid as the rules don't allow."""

from __future__ import annotations

import random

from companion.games.cisza import CISZA
from companion.games.cisza.records import RESOURCES, NoiseOnly, Play, State
from companion.table.mistakes import TWO, WRONG_CARD, Tables, with_cards
from companion.table.scenes import scene


def mistakes(state: State, rng: random.Random) -> Tables:
    """A resource card that has nothing to do, or two on the play spot."""
    if state.phase != "turn":
        return {}
    legal = CISZA.legal(state)
    table = scene(CISZA.name, state)
    idle = [card for card in RESOURCES if Play(card) not in legal and NoiseOnly(card) not in legal]
    found = {WRONG_CARD: with_cards(table, CISZA.name, "play", [rng.choice(idle)])} if idle else {}
    playable = [card for card in RESOURCES if Play(card) in legal]
    if len(playable) > 1:
        found[TWO] = with_cards(table, CISZA.name, "play", rng.sample(playable, 2))
    return found
