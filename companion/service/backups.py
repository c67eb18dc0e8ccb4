"""A copy of the journal each day, the last seven kept: for the day the SD card forgets."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path

from companion.service.disk import LEAST, free, put_in_place

KEEP = 7
# No game yet: a copy of that would stand in the way of the first day's own.
EMPTY = (0, 0, 0)
NAME = re.compile(r"hush-\d{4}-\d\d-\d\d\.db")


class Backups:
    """The copies beside a journal. A day without a new step needs no copy, so an idle box writes nothing.

    Copies are named after the day; a clock that jumps makes at worst one copy too many, and never an older one
    of the same day overwrites a newer one by being half written.
    """

    def __init__(self, journal: Path, keep: int = KEEP, today: Callable[[], date] = date.today):
        self.journal = journal
        self.folder = journal.parent / "backups"
        self.keep = keep
        self._today = today

    def kept(self) -> list[Path]:
        """The copies, the last made one last."""
        if not self.folder.is_dir():
            return []
        files = [file for file in self.folder.iterdir() if NAME.fullmatch(file.name)]
        return sorted(files, key=lambda file: (file.stat().st_mtime_ns, file.name))

    @property
    def path(self) -> Path:
        """Today's copy."""
        return self.folder / f"hush-{self._today().isoformat()}.db"

    @property
    def is_due(self) -> bool:
        """Whether today has no copy yet and something happened since the last one."""
        if not self.journal.is_file() or self.path.is_file():
            return False
        now, kept = contents(self.journal), self.kept()
        return now != EMPTY and (not kept or contents(kept[-1]) != now)

    def make(self) -> Path:
        """Copy the journal, check the copy, put it in place, drop the oldest. Raises `OSError`, `sqlite3.Error`."""
        size = self.journal.stat().st_size
        if free(self.journal.parent) < LEAST + 2 * size:
            raise OSError(f"no room for a copy of {size} bytes")
        self.folder.mkdir(exist_ok=True)
        target, temporary = self.path, self.folder / "unfinished"
        temporary.unlink(missing_ok=True)
        try:
            with closing(reading(self.journal)) as source, closing(sqlite3.connect(temporary)) as copy:
                source.backup(copy)
                # One file without companions is easier to carry away.
                copy.execute("PRAGMA journal_mode = DELETE")
                (healthy,) = copy.execute("PRAGMA quick_check(1)").fetchone()
            if healthy != "ok":
                raise sqlite3.DatabaseError(str(healthy))
            put_in_place(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)
        for old in self.kept()[: -self.keep]:
            if old != target:
                old.unlink(missing_ok=True)
        return target


def reading(path: Path) -> sqlite3.Connection:
    """A connection that writes nothing."""
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def contents(path: Path) -> tuple[int, int, int] | None:
    """How many games, endings and steps a journal has; None for one that can't be read."""
    query = "SELECT (SELECT count(*) FROM games), (SELECT count(ended) FROM games), (SELECT count(*) FROM steps)"
    try:
        with closing(reading(path)) as database:
            games, ended, steps = database.execute(query).fetchone()
    except sqlite3.Error:
        return None
    return games, ended, steps
