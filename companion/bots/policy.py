"""How bots decide. A policy sees what its seat sees and the legal moves, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from companion.games.game import Game, Move
from companion.kits import KITS

Policy = Callable[[Game[Any], Any, Sequence[Move], random.Random], Move]


def at_random(game: Game[Any], view: Any, legal: Sequence[Move], rng: random.Random) -> Move:
    """Any legal move but a mishap."""
    return rng.choice([move for move in legal if not isinstance(move, game.mishaps)] or list(legal))


def sensible(game: Game[Any], view: Any, legal: Sequence[Move], rng: random.Random) -> Move:
    """The move that the game's bot likes best; a tie is broken at random."""
    judge = KITS[game.name].worth
    moves = [move for move in legal if not isinstance(move, game.mishaps)] or list(legal)
    if len(moves) == 1:
        return moves[0]
    worth = [judge(view, move) for move in moves]
    best = max(worth)
    return rng.choice([move for move, value in zip(moves, worth, strict=True) if value == best])


POLICIES: dict[str, Policy] = {"random": at_random, "sensible": sensible}
