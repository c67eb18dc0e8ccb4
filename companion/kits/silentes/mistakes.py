"""Mistakes at a table of Silentes: cards laid as the rules don't allow."""

from __future__ import annotations

import random

from companion.games.silentes import SILENTES
from companion.games.silentes.moves import Hide
from companion.games.silentes.records import HUNT, OMENS, State
from companion.table.mistakes import WRONG_CARD, Tables, is_allowed, with_cards
from companion.table.scenes import scene


def mistakes(state: State, rng: random.Random) -> Tables:
    """A card of the wrong deck turned up, or one that hides nobody here."""
    table = scene(SILENTES.name, state)
    if state.phase == "hide":
        others = [card for card in state.unseen if not is_allowed(SILENTES, state, Hide(card))]
        return (
            {WRONG_CARD: with_cards(table, SILENTES.name, f"played-{state.turn + 1}", [rng.choice(others)])}
            if others
            else {}
        )
    if state.phase not in ("hunt", "omen") or state.options.drawing != "table":
        return {}
    other = rng.choice([card for card in (OMENS if state.phase == "hunt" else HUNT) if card not in state.map])
    return {WRONG_CARD: with_cards(table, SILENTES.name, state.phase, [other])}
