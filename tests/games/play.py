"""A table for scenario tests: set up a position in one line, do moves, see what was told."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import GAMES
from companion.games.game import Event, IllegalMove, Over, Step, option_table
from companion.games.notation import read_move, read_state, write_move, write_state


class Table:
    """A game in progress; `told` are the sentences of the last move, `events` the events behind them."""

    def __init__(self, game: Any, state: Any):
        self.game = game
        self.state = state
        self.events: list[Event] = []

    def do(self, *moves: str) -> Table:
        """Do moves in notation, one after the other."""
        for text in moves:
            self.state, events = self.game.apply(self.state, read_move(self.game, text))
            self.events = list(events)
        return self

    @property
    def told(self) -> list[str]:
        return [str(self.game.tell(event)) for event in self.events]

    @property
    def legal(self) -> list[str]:
        return [write_move(move) for move in self.game.legal(self.state)]

    def offers(self, verb: str) -> list[str]:
        """The legal moves of one kind."""
        return [text for text in self.legal if text.split()[0] == verb]

    @property
    def pending(self) -> Step:
        return self.game.pending(self.state)

    @property
    def asks(self) -> tuple[str, int | None]:
        """What is asked of which seat."""
        step = self.pending
        return (step.reason, None) if isinstance(step, Over) else (step.ask, step.seat)

    def verdict(self, move: str) -> str:
        return self.game.verdict(self.state, read_move(self.game, move)).value

    def refuses(self, text: str, code: str) -> str:
        """Try an illegal move: it's refused with this code, with alternatives, and nothing changes. The reason."""
        before = write_state(self.game, self.state)
        move = read_move(self.game, text)
        assert move not in self.game.legal(self.state)
        assert self.game.verdict(self.state, move).value == "no"
        with pytest.raises(IllegalMove) as refusal:
            self.game.apply(self.state, move)
        assert refusal.value.code == code, str(refusal.value)
        assert refusal.value.legal == tuple(self.game.legal(self.state))
        assert write_state(self.game, self.state) == before
        return str(refusal.value.reason)

    def heard(self, seat: int | None) -> list[str]:
        """What a seat hears of the last move; None is the shared page."""
        return [str(self.game.tell(event.heard_by(seat))) for event in self.events]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)


def at(line: str) -> Table:
    """The table a line of notation describes."""
    game = GAMES[line.split()[0]]
    return Table(game, read_state(game, line))


def new(name: str, **options: object) -> Table:
    """A fresh table."""
    game = GAMES[name]
    return Table(game, game.new(game.options(**options)))


def play_out(table: Table, choose: Any, limit: int = 3000) -> Table:
    """Play on with a random generator's choices until the game is over; every move also has a sentence."""
    for _ in range(limit):
        if isinstance(table.pending, Over):
            return table
        table.do(choose(table.legal))
        assert all(table.told)
        assert str(table.game.question(table.state))
    raise AssertionError("the game doesn't end")


def values_of(name: str, option: str) -> tuple[Any, ...]:
    """The allowed values of an option."""
    return next(one.allowed for one in option_table(GAMES[name].options_type) if one.name == option)
