"""Somebody at the door: a phone that wants to be let in."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from hardware.panel import Button, Layer

# A press this soon was meant for the game; it must neither let somebody in nor do anything else.
SETTLING = 1.0


class Visitor(Struct, frozen=True):
    """A question that comes before the game's, answered on the box itself with ✔ or ✖."""

    layer: Layer
    answer: Callable[[bool], None]
    since: float
    ends: float

    def is_answered_by(self, button: Button, now: float) -> bool:
        """Whether a press says yes or no to the visitor."""
        return button in (Button.CONFIRM, Button.BACK) and now >= self.since + SETTLING
