"""A game told again from its steps, as everybody may know it: the log of a page that came late."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.games.game import Decide, Reveal
from companion.games.notation import read_move
from companion.kits import KITS
from companion.play import History, tell_step
from companion.session.situation import Running
from companion.table.host import Host
from companion.table.knowledge import heard, is_private, knows
from companion.text import N_, Text
from companion.web.choices import phrase

WHAT = N_("Player {seat}: {what}.")


class LogEntry(Struct, frozen=True):
    """What one move did. A hidden move and all before it can't be corrected, nor can one that the box drew."""

    move: str
    told: tuple[Text, ...]
    is_hidden: bool = False
    is_drawn: bool = False


def log_entry(history: History, number: int) -> LogEntry:
    """Step `number` told; what only a seat knows stays hidden."""
    told = tell_step(history, number, lambda events: heard(events, None))
    return LogEntry(history.steps[number - 1].text, told or uneventful(history, number))


def uneventful(history: History, number: int) -> tuple[Text, ...]:
    """A move of which nothing comes, by its name; nothing where that would tell what only a seat knows."""
    game, before = history.game, history.states[number - 1]
    move, step = read_move(game, history.steps[number - 1].text), game.pending(before)
    if not isinstance(step, Decide) or step.seat is None or game.apply(before, move)[1]:
        return ()
    if is_private(game, before) or not knows(game, before, move, None):
        return ()
    return (Text(WHAT, {"seat": step.seat + 1, "what": phrase(KITS[game.name].host, before, move)}),)


class GameLog:
    """The log of the running game: an entry for each step, made once and kept until the step is undone."""

    def __init__(self) -> None:
        self._sitting = 0
        self._entries: list[LogEntry] = []

    def of(self, running: Running) -> Sequence[LogEntry]:
        """Every move so far."""
        if running.sitting != self._sitting:
            self._sitting, self._entries = running.sitting, []
        host, history = running.host, running.history
        moves = history.notation
        same = 0
        for kept, move in zip(self._entries, moves, strict=False):
            if kept.move != move:
                break
            same += 1
        del self._entries[same:]
        for number in range(same + 1, len(moves) + 1):
            self._entries.append(marked(host, history, number, log_entry(history, number)))
        return self._entries

    def public_since(self, running: Running) -> int:
        """The first move from which on everybody may know all that was done.

        A correction repeats what came later: whether a hidden move still fits would tell something of it.
        """
        entries = self.of(running)
        return max((number for number, one in enumerate(entries, start=1) if one.is_hidden), default=0) + 1


def marked(host: Host[Any], history: History, number: int, one: LogEntry) -> LogEntry:
    """An entry with what there is to know of its step; a seat's private decision is as good as hidden."""
    before = history.states[number - 1]
    if history.steps[number - 1].kind == "believe":
        return replace(one, is_hidden=True)
    is_hidden = is_private(host.game, before) or not knows(host.game, before, read_move(host.game, one.move), None)
    is_drawn = isinstance(host.game.pending(before), Reveal) and host.draws(before)
    return replace(one, is_hidden=is_hidden, is_drawn=is_drawn)
