"""The table drawn in a terminal: any state of any game, as a seat may see it or with all cards open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.console import RenderableType

from companion.draw import cisza, silencio, silentes, similo
from companion.games.game import Game

DRAWINGS: dict[str, Callable[[Game[Any], Any], RenderableType]] = {
    "silencio": silencio.draw,
    "similo": similo.draw,
    "silentes": silentes.draw,
    "cisza": cisza.draw,
}


def draw(game: Game[Any], state: Any) -> RenderableType:
    """The table of a game."""
    return DRAWINGS[game.name](game, state)
