"""Any game's table in a terminal from its records alone: every field that holds cards becomes a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import structs
from rich.console import RenderableType
from rich.text import Text as RichText

from companion.catalogue import current
from companion.draw.parts import HIDDEN_MARK, card, cards, frame, rows
from companion.games.cards import HIDDEN, Card
from companion.games.game import Game

NOT_ON_THE_TABLE = frozenset({"unseen", "known"})


def draw(game: Game[Any], state: Any) -> RenderableType:
    """The table as it lies, in the order of the record."""
    return frame(game.name.capitalize(), current.say(game.question(state)), rows(zones(game, state)))


def zones(game: Game[Any], state: Any) -> Iterator[tuple[str, RichText]]:
    """Every place with cards, its name before them; one for each seat where a field has them by seat."""
    for field in structs.fields(type(state)):
        value = getattr(state, field.name)
        if field.name in NOT_ON_THE_TABLE or not isinstance(value, tuple) or not value:
            continue
        name = current.say(game.term(field.name))
        if all(isinstance(one, str) for one in value):
            yield name, line(game, value)
        elif all(isinstance(one, tuple) for one in value):
            yield from ((f"{name} {seat}", line(game, held)) for seat, held in enumerate(value, 1))


def line(game: Game[Any], names: tuple[Card, ...]) -> RichText:
    """Cards side by side, by their names."""
    return cards(card(HIDDEN_MARK if one == HIDDEN else current.say(game.card(one))) for one in names)
