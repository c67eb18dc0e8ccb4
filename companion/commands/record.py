"""The box's own record, as the commands read it that don't run the box: nothing is made where there is none."""

from __future__ import annotations

import sqlite3

import typer

from companion.commands.given import effective
from companion.games.game import IllegalMove
from companion.journal import Journal
from companion.play import Play
from companion.text import N_, Text, raw


class UnreadableGame(Exception):
    """A game in the record that this version can't play again, and why."""

    def __init__(self, number: int, error: Exception):
        why = error.reason if isinstance(error, IllegalMove) else raw(error)
        self.reason = Text(N_("Game {number} can't be read: {reason}"), {"number": number, "reason": why})
        super().__init__(str(self.reason))


def own_journal(context: typer.Context) -> Journal | None:
    """The journal of the box; None if no game was played yet. Raises `BrokenJournal` and `OSError`."""
    path = effective(context).folder / "hush.db"
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return Journal(path)


def resumed(journal: Journal, number: int) -> Play:
    """A game as it was after its last step. Raises `UnreadableGame`."""
    try:
        return journal.replay(number)
    except sqlite3.Error:
        raise
    except Exception as error:  # damage can look like anything
        raise UnreadableGame(number, error) from error
