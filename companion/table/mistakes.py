"""Tables that the rules refuse: cards laid as people lay them by mistake, in the phases where that can happen.

Pure: a state in, scenes by the kind of mistake out, from the game's kit. `companion.demo.person` lays them.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.games.cards import Card
from companion.games.game import Game, IllegalMove, Move
from companion.kits import KITS
from companion.table.scenes import zone_of
from companion.text import N_
from vision.simulated import LaidCard, Scene

WRONG_CARD, WRONG_WAY, WRONG_ROW, TWO, TOO_MANY = (
    "wrong card",
    "wrong way round",
    "wrong row",
    "two at once",
    "too many",
)
TOLD = {
    WRONG_CARD: N_("lays a card that the rules refuse"),
    WRONG_WAY: N_("lays a card the wrong way round"),
    WRONG_ROW: N_("lays a card in a row that isn't its own"),
    TWO: N_("lays two cards at once"),
    TOO_MANY: N_("takes one card too many away"),
}
# Two cards in one place lie so far apart, in millimetres: both can be read, and both lie in the zone.
SHIFT_MM = 60.0

Tables = dict[str, Scene]


def refused_tables(game: str, state: Any, rng: random.Random) -> Mapping[str, Scene]:
    """What somebody may lay now that the box must refuse with a reason, by the kind of mistake."""
    return KITS[game].mistakes(state, rng)


def with_cards(table: Scene, game: str, name: str, cards: Sequence[Card], share: float = 0.5) -> Scene:
    """A table with cards side by side in a zone, at a share of its width, in place of what lay there."""
    zone = zone_of(KITS[game].layout, name)
    x, y = zone.x + zone.width * share, zone.y + zone.height / 2
    kept = tuple(card for card in table.cards if not zone.holds(card.x, card.y) or abs(card.x - x) > zone.height / 2)
    shift = -SHIFT_MM * (len(cards) - 1) / 2
    laid = (LaidCard(card, x + shift + SHIFT_MM * at, y) for at, card in enumerate(cards))
    return replace(table, cards=(*kept, *laid))


def is_allowed(game: Game[Any], state: Any, move: Move) -> bool:
    """Whether the rules accept a move."""
    try:
        game.apply(state, move)
    except IllegalMove:
        return False
    return True
