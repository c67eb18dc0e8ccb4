"""Nature's seeded hand: a virtual deck and a virtual coin for games without real ones."""

from __future__ import annotations

import random
from typing import Any

from companion.games.game import Event, Game, Move, Reveal
from companion.play import Play


def reveal(game: Game[Any], state: Any, rng: random.Random) -> Move:
    """One of the things nature may do now, each as likely as in a well-shuffled deck."""
    chances = game.chances(state)
    moves = [move for move, _ in chances]
    return rng.choices(moves, [weight for _, weight in chances])[0]


class Nature:
    """A virtual deck with a seed.

    What it reveals depends on the seed and the number of moves before, so a game that is undone and played on the
    same way sees the same cards again.
    """

    def __init__(self, seed: int):
        self.seed = seed

    def play_on(self, play: Play) -> list[tuple[str, tuple[Event, ...]]]:
        """Make all of nature's moves until a player must decide; returns them with their events."""
        made = []
        while isinstance(play.pending, Reveal):
            rng = random.Random(f"{self.seed}:{play.number}")
            events = play.do(reveal(play.game, play.state, rng))
            made.append((play.moves[-1], events))
        return made
