"""The rules of four silent games: pure, with no I/O, no clock and no randomness but what a move brings."""

from __future__ import annotations

from typing import Any

from companion.games.cisza import CISZA
from companion.games.game import Game
from companion.games.silencio import SILENCIO
from companion.games.silentes import SILENTES
from companion.games.similo import SIMILO

GAMES: dict[str, Game[Any]] = {game.name: game for game in (SILENCIO, SIMILO, SILENTES, CISZA)}
