"""Nature's seeded hand: a virtual deck and a virtual coin for games without real ones."""

from __future__ import annotations

import random

from companion.chance import reveal
from companion.games.game import Event, Reveal
from companion.play import Play


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
            made.append((play.notation[-1], events))
        return made
