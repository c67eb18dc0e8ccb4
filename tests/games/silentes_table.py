"""A table of Silentes for tests: states and moves written as text, and what happened by name."""

from __future__ import annotations

import pytest

from companion.games.game import Event, IllegalMove
from companion.games.notation import read_move, read_state, write_move
from companion.games.silentes import SILENTES
from companion.games.silentes.records import State

# Above wands, cups, swords, pentacles; below pentacles, swords, cups, wands.
MAP = "map=wands-04,cups-04,swords-04,pentacles-04,pentacles-05,swords-05,cups-05,wands-05"


def at(fields: str = "") -> State:
    """A table with the usual map and both tokens on the first shelter, unless the fields say otherwise."""
    words = ["silentes", *fields.split()]
    if "map=" not in fields:
        words.append(MAP)
    if "tokens=" not in fields:
        words.append("tokens=0,0")
    return read_state(SILENTES, " ".join(words))


def play(state: State, *moves: str) -> State:
    """The state after these moves."""
    return told(state, *moves)[0]


def told(state: State, *moves: str) -> tuple[State, list[Event]]:
    """The state after these moves, and all that happened."""
    happened: list[Event] = []
    for text in moves:
        state, events = SILENTES.apply(state, read_move(SILENTES, text))
        happened += events
    return state, happened


def names(events: list[Event]) -> list[str]:
    """The kinds of the events."""
    return [type(event).__name__ for event in events]


def asks(state: State) -> tuple[str, int | None]:
    """The pending question and whose it is."""
    step = SILENTES.pending(state)
    return step.ask, step.seat


def can(state: State) -> list[str]:
    """The legal moves as text."""
    return [write_move(move) for move in SILENTES.legal(state)]


def refused(state: State, move: str) -> str:
    """The code with which a move is refused."""
    with pytest.raises(IllegalMove) as caught:
        SILENTES.apply(state, read_move(SILENTES, move))
    assert str(caught.value.reason)
    return caught.value.code


FULL = "hands=cups-06,cups-07,cups-08,cups-09,cups-10/wands-06,wands-07,wands-08,wands-09,wands-10"
# A King of Swords hunts; nobody stands in the zone of Swords.
OMEN = "phase=omen hunt=swords-14"


def omen(number: int, fields: str = ""):
    """The table when an omen has been turned up."""
    return play(at(f"{OMEN} {fields}"), f"show major-{number:02}")


def levels(events):
    return {event.seat: event.level for event in events if type(event).__name__ in ("Heard", "Escaped")}
