"""The table of each game as a picture; a game without a drawing of its own gets a plain one from its records."""

from __future__ import annotations

from typing import Any

from companion.games.game import Game
from companion.kits import KITS
from companion.web.pictures.model import DrawingTools, DrawnCard, Say, TablePicture


def picture(game: Game[Any], state: Any, say: Say) -> TablePicture:
    """The table in this state; pass a view to hide what somebody may not see."""
    return KITS[game.name].picture(DrawingTools(game, say), state)


def drawn_card(game: Game[Any], card: str, say: Say) -> DrawnCard:
    """One card of a game."""
    return KITS[game.name].drawn_card(DrawingTools(game, say), card)
