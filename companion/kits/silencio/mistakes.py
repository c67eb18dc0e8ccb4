"""Mistakes at a table of Silencio: cards laid as the rules don't allow."""

from __future__ import annotations

import random

from msgspec.structs import replace

from companion.games.cards import Card
from companion.games.silencio import SILENCIO
from companion.games.silencio.knowledge import tops
from companion.games.silencio.records import COLOURS, RANK_OF, ROW_OF, Play, State
from companion.table.mistakes import WRONG_CARD, WRONG_ROW, WRONG_WAY, Tables, is_allowed
from companion.table.scenes import scene


def mistakes(state: State, rng: random.Random) -> Tables:
    """A card that isn't allowed, the wrong side up, or in another row."""
    if state.phase != "turn" or not state.hands[state.turn] or "random" in state.markers:
        return {}
    allowed = [card for card in state.unseen if is_allowed(SILENCIO, state, Play(card))]
    others = [card for card in state.unseen if card not in allowed]
    found: Tables = {}
    if others:
        found[WRONG_CARD] = scene(SILENCIO.name, in_row(state, rng.choice(others)))
    if allowed:
        card = rng.choice(allowed)
        found[WRONG_WAY] = scene(SILENCIO.name, in_row(state, card, is_turned=True))
        row = rng.choice([row for row in range(len(COLOURS)) if row != ROW_OF[card]])
        found[WRONG_ROW] = scene(SILENCIO.name, in_row(state, card, row=row))
    return found


def in_row(state: State, card: Card, row: int | None = None, is_turned: bool = False) -> State:
    """The state with a card laid in a row, its own unless another is named, with the right or the wrong side up."""
    at = ROW_OF[card] if row is None else row
    is_dark = RANK_OF[card] == tops(state)[ROW_OF[card]] + 1
    rows = tuple((*cards, card) if number == at else cards for number, cards in enumerate(state.rows))
    return replace(state, rows=rows, dark=(*state.dark, card) if is_dark != is_turned else state.dark)
