"""The rules of silent games: pure, with no I/O, no clock and no randomness but what a move brings.

Every folder here is a game. Its package has the rules under the game's name in capitals.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import Any

from companion.games.game import Game


def _found(name: str) -> Game[Any]:
    rules: Game[Any] = getattr(import_module(f"{__name__}.{name}"), name.upper())
    return rules


GAMES: dict[str, Game[Any]] = {one.name: _found(one.name) for one in pkgutil.iter_modules(__path__) if one.ispkg}
