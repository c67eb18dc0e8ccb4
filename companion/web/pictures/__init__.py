"""The table of each game as a picture; a game without a drawing of its own gets a plain one from its records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.game import Game
from companion.web.pictures import cisza, plain, silencio, silentes, similo
from companion.web.pictures.model import Face, Pencil, Picture, Say

PICTURES: dict[str, Callable[[Pencil, Any], Picture]] = {
    "silencio": silencio.picture,
    "similo": similo.picture,
    "silentes": silentes.picture,
    "cisza": cisza.picture,
}
FACES: dict[str, Callable[[Pencil, str], Face]] = {
    "silencio": silencio.face,
    "silentes": silentes.face,
    "cisza": cisza.face,
}


def picture(game: Game[Any], state: Any, say: Say) -> Picture:
    """The table in this state; pass a view to hide what somebody may not see."""
    return PICTURES.get(game.name, plain.picture)(Pencil(game, say), state)


def face(game: Game[Any], card: str, say: Say) -> Face:
    """One card of a game."""
    pencil = Pencil(game, say)
    return FACES[game.name](pencil, card) if game.name in FACES else pencil.face(card)
