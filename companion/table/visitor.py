"""Somebody at the door: a phone that wants something which only people beside the box can grant."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from companion.games.text import Text
from hardware.flourishes import Flourish

# A hold that ends this soon began before anybody could have compared the lights: it was meant for the game.
SETTLING = 2.0
# The sign comes again and again; in between the panel shows what the game asks.
EVERY = 5.0


class Visitor(Struct, frozen=True):
    """A wish that stands beside the game's question and takes nothing from it.

    Its sign is a flourish, so that the question is seen in between; only a hold of ✔ on the box itself grants it, since
    a press answers the game. Nobody has to refuse: the wish ends by itself.
    """

    sign: Flourish
    text: Text
    grant: Callable[[], None]
    pass_by: Callable[[], None]
    since: float
    ends: float

    def is_granted_by_a_hold(self, now: float) -> bool:
        """Whether a hold of ✔ that ends now was meant for the visitor."""
        return now >= self.since + SETTLING
