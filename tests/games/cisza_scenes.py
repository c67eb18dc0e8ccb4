"""Cisza scenes for tests: a table set up in one line, moves as a person writes them."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.cisza import CISZA
from companion.games.cisza.records import State
from companion.games.game import Event, IllegalMove, Step
from companion.games.notation import read_move, read_state, write_move


class Scene:
    """A table of Cisza in the middle of a game. Everything not mentioned is as at the start of a turn of player 0."""

    def __init__(self, line: str = "", **options: Any):
        words = " ".join(f"{name}={value}" for name, value in options.items())
        self.state: State = read_state(CISZA, f"cisza {words} {line}")
        self.events: tuple[Event, ...] = ()

    def do(self, *moves: str) -> Scene:
        """Make moves; events are those of the last one."""
        for move in moves:
            self.state, self.events = CISZA.apply(self.state, read_move(CISZA, move))
        return self

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)

    @property
    def legal(self) -> list[str]:
        return [write_move(move) for move in CISZA.legal(self.state)]

    @property
    def pending(self) -> Step:
        return CISZA.pending(self.state)

    @property
    def told(self) -> list[str]:
        """The names of the last events."""
        return [type(event).__name__ for event in self.events]

    def refused(self, move: str) -> str:
        """The code of a refusal; the move must be refused, with a sentence, and change nothing."""
        before = self.state
        with pytest.raises(IllegalMove) as refusal:
            CISZA.apply(self.state, read_move(CISZA, move))
        assert self.state == before
        assert "{" not in str(refusal.value.reason)
        assert [write_move(one) for one in refusal.value.legal] == self.legal
        return refusal.value.code
