"""What nature reveals where the box itself holds the deck or the coin."""

from __future__ import annotations

import random
from typing import Any

from companion.games.game import Game, Move


def reveal(game: Game[Any], state: Any, rng: random.Random) -> Move:
    """One of the things nature may do now, each as likely as in a well-shuffled deck."""
    chances = game.chances(state)
    moves = [move for move, _ in chances]
    return rng.choices(moves, [weight for _, weight in chances])[0]
