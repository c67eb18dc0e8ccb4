"""What a sensible player thinks of a move, one module for each game: view and move in, worth out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.bots.judgement import cisza, silencio, silentes, similo
from companion.games.game import Move

JUDGEMENTS: dict[str, Callable[[Any, Move], float]] = {
    "silencio": silencio.worth,
    "similo": similo.worth,
    "silentes": silentes.worth,
    "cisza": cisza.worth,
}
