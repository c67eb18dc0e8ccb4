"""The table as the page draws it before anything lies on it: its zones, and every card that may lie there.

These are always the cards of the whole deck: a shorter list would tell what is in somebody's hand.
"""

from __future__ import annotations

from typing import Any

from companion.games.game import Game
from companion.kits import KITS
from companion.web.eyes.art import Art
from companion.web.eyes.recognised import as_drawn_card, card_size, sides, title
from companion.web.pictures.model import Say
from companion.web.records import CardSide, TableMap
from companion.web.things import named_zones


def table_map(rules: Game[Any], options: Any, number: int | None, art: Art | None, say: Say) -> TableMap:
    """The table of a game before anything lies on it; without `art` cards are drawn by their names alone."""
    kit = KITS[rules.name]
    layout = kit.layout
    width, height = card_size(rules.name, options)
    return TableMap(
        rules.name,
        number,
        layout.width,
        layout.height,
        width,
        height,
        named_zones(rules.name, say),
        tuple(_side(rules, options, card, face, art, say) for card, face in sides(rules.name, options)),
        art is not None,
    )


def _side(rules: Game[Any], options: Any, card: str, face: str, art: Art | None, say: Say) -> CardSide:
    on_page = KITS[rules.name].on_page
    means, does = on_page.rules_name_of(card), on_page.does(options, card)
    shown = as_drawn_card(rules, means, "" if means != card else face, say)
    return CardSide(
        card,
        face,
        title(rules, card, face, say) if means == card else shown.name,
        "" if art is None else art.mark(card, face),
        "" if means == card else means,
        shown.tone,
        say(does) if does is not None else "",
    )
