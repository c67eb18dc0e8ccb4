"""Mistakes at a table of Similo: cards laid as the rules don't allow."""

from __future__ import annotations

import random

from msgspec.structs import replace

from companion.games.cards import Card
from companion.games.similo import SIMILO
from companion.games.similo.records import Clue, GiveClue, State
from companion.table.mistakes import TOO_MANY, TWO, WRONG_CARD, Tables
from companion.table.scenes import scene


def mistakes(state: State, rng: random.Random) -> Tables:
    """A clue that belongs to the grid, two clues, or one character too many taken off."""
    if state.phase == "clue":
        legal = sorted({move.card for move in SIMILO.legal(state) if isinstance(move, GiveClue)})
        card = rng.choice(state.characters_left)
        found = {WRONG_CARD: scene(SIMILO.name, with_clues(off(state, card), card))}
        if len(legal) > 1:
            found[TWO] = scene(SIMILO.name, with_clues(state, *rng.sample(legal, 2)))
        return found
    if state.phase == "remove" and len(state.characters_left) > state.count:
        return {TOO_MANY: scene(SIMILO.name, off(state, *rng.sample(state.characters_left, state.count + 1)))}
    return {}


def off(state: State, *cards: Card) -> State:
    """The state with characters taken off the grid."""
    left = tuple(card for card in state.characters_left if card not in cards)
    return replace(state, characters_left=left, removed=(*state.removed, *cards))


def with_clues(state: State, *cards: Card) -> State:
    """The state with more clues, upright."""
    return replace(state, clues=(*state.clues, *(Clue(card, "similar") for card in cards)))
