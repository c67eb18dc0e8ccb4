"""What is counted of whole games."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict


class PressTally(Struct):
    """What came of some games.

    `visible` are decisions that show on the table. `followed` are those of them of which nothing had to be picked or
    named. `partly` are decisions that show but were asked about, since another answer would have left the same table.
    `beyond` are presses beyond one a turn, by all that was picked in it; `each` are the presses of every decision that
    was made without a camera.
    """

    games: int = 0
    turns: int = 0
    decisions: int = 0
    visible: int = 0
    partly: int = 0
    followed: int = 0
    picked: dict[str, int] = {}
    beyond: dict[str, int] = {}
    presses: list[int] = []
    each: list[int] = []
    setup: list[int] = []
    search: list[float] = []
    wrong: int = 0
    mistakes: dict[str, int] = {}
    refused: int = 0
    reasons: int = 0
    cases: list[str] = []

    def pick(self, kind: str) -> None:
        """Something was picked with the buttons."""
        self.picked[kind] = self.picked.get(kind, 0) + 1

    def __add__(self, other: PressTally) -> PressTally:
        mine, theirs = asdict(self), asdict(other)
        return PressTally(**{name: added(value, theirs[name]) for name, value in mine.items()})


def added(one: Any, other: Any) -> Any:
    """Two counts or two lists of one kind together."""
    return dict(Counter(one) + Counter(other)) if isinstance(one, dict) else one + other
