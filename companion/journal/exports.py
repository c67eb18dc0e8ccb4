"""A recorded game as JSON lines: a head, then a line for each step."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Literal

import msgspec

from companion.games import GAMES
from companion.games.game import BadOptions, IllegalMove
from companion.games.notation import read_state
from companion.play import HistoryStep, Kind, NothingToUndo, Play
from companion.text import N_, Text, raw

# The longest game ever played here had some 600 steps; more than this is no game.
MAX_STEPS = 20_000
YEARS = range(2000, 2090)


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of an exported game."""

    hush: Literal[1] = 1
    game: str
    start: str
    seed: int | None = None
    started: str = ""


class StoredStep(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A step as the record has it, in the file or in an export: what was done, and when."""

    kind: Kind
    text: str
    at: str = ""
    is_joined: bool = False
    reason: str = ""

    @property
    def step(self) -> HistoryStep:
        """What was done, without the time."""
        return HistoryStep(self.kind, self.text, self.is_joined, self.reason)


class BrokenExport(Exception):
    """A line of an exported game that can't be read or isn't legal."""

    def __init__(self, line: int, reason: Text):
        super().__init__(line, reason)
        self.line = line
        self.reason = Text(N_("line {line}: {reason}"), {"line": line, "reason": reason})

    def __str__(self) -> str:
        return str(self.reason)


def now() -> str:
    """This moment, as the record writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def read_time(text: str) -> datetime | None:
    """A time that somebody wrote down; None where it can't be one. Without a zone it's taken for UTC.

    >>> read_time("2026-11-17T20:15"), read_time("last summer"), read_time("9999-01-01T00:00+00:00")
    (datetime.datetime(2026, 11, 17, 20, 15, tzinfo=datetime.timezone.utc), None, None)
    """
    try:
        parsed = datetime.fromisoformat(text)
        parsed = parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return parsed if parsed.year in YEARS else None


def clean_time(text: str) -> str:
    """A time from elsewhere as the record writes it; empty where it can't be one."""
    parsed = read_time(text)
    return "" if parsed is None else parsed.isoformat(timespec="milliseconds")


def read_export(lines: Iterable[str | bytes]) -> tuple[Head, list[StoredStep], Play]:
    """Read an exported game and check every step by playing it again. Raises `BrokenExport`."""
    play: Play | None = None
    steps: list[StoredStep] = []
    number = 1
    try:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            if play is None:
                head, play = _begin(number, line)
                continue
            if len(steps) == MAX_STEPS:
                raise BrokenExport(number, Text(N_("No game has that many steps.")))
            step = msgspec.json.decode(line, type=StoredStep)
            play.repeat(step.step)
            steps.append(step)
    except (IllegalMove, BadOptions) as error:
        raise BrokenExport(number, error.reason) from error
    except NothingToUndo:
        raise BrokenExport(number, Text(N_("There is nothing to undo or redo here."))) from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise BrokenExport(number, raw(error)) from error
    if play is None:
        raise BrokenExport(1, Text(N_("The file is empty.")))
    return head, steps, play


def read_lines(lines: Iterable[str | bytes]) -> tuple[Head, list[StoredStep]]:
    """Read an exported game that was checked before."""
    written = (line for line in lines if line.strip())
    head = msgspec.json.decode(next(written), type=Head)
    return head, [msgspec.json.decode(line, type=StoredStep) for line in written]


def _begin(number: int, line: str | bytes) -> tuple[Head, Play]:
    head = msgspec.json.decode(line, type=Head)
    if head.game not in GAMES:
        raise BrokenExport(number, Text(N_("There is no game {game}."), {"game": head.game}))
    rules = GAMES[head.game]
    return head, Play(rules, read_state(rules, head.start))
