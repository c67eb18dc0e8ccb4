"""The table drawn in a terminal: any state of any game, as a seat may see it or with all cards open."""

from __future__ import annotations

from typing import Any

from rich.console import RenderableType

from companion.games.game import Game
from companion.kits import KITS


def draw(game: Game[Any], state: Any) -> RenderableType:
    """The table of a game."""
    return KITS[game.name].draw(game, state)
