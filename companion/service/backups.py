"""A copy of the journal each day, the last seven kept: for the day the SD card forgets."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path

from companion.files import put_in_place
from companion.journal.file import check, open_to_read
from companion.service.disk import MIN_FREE_BYTES, free

BACKUPS_KEPT = 7
# No game yet: a copy of that would stand in the way of the first day's own.
EMPTY = (0, 0, 0)
NAME = re.compile(r"hush-(?:(?P<number>\d{5,})-)?(?P<day>\d{4}-\d\d-\d\d)\.db")


class Backups:
    """The copies beside a journal. A day without a new step needs no copy, so an idle box writes nothing.

    Copies are numbered as they are made, and the last ones by number are kept: a box without a network has no clock to
    go by, so the day in the name is only for people. A start with new steps makes a copy even if the clock stood still.
    """

    def __init__(self, journal: Path, keep: int = BACKUPS_KEPT, today: Callable[[], date] = date.today):
        self.journal = journal
        self.folder = journal.parent / "backups"
        self.keep = keep
        self._today = today
        self._has_made = False

    def kept(self) -> list[Path]:
        """The copies, the last made one last."""
        if not self.folder.is_dir():
            return []
        files = [file for file in self.folder.iterdir() if NAME.fullmatch(file.name)]
        return sorted(files, key=lambda file: (_number(file), file.stat().st_mtime_ns, file.name))

    @property
    def is_due(self) -> bool:
        """Whether something happened since the last copy, and that isn't today's and this run's."""
        if not self.journal.is_file():
            return False
        now, kept = contents(self.journal), self.kept()
        if now in (EMPTY, None) or (kept and contents(kept[-1]) == now):
            return False
        return not self._has_made or _day(kept[-1:]) != self._today().isoformat()

    def make(self) -> Path:
        """Copy the journal, check the copy, put it in place, drop the oldest.

        Raises `OSError`, `sqlite3.Error`, and `BrokenJournal` for a file that is no journal of ours.
        """
        check(self.journal)
        size = self.journal.stat().st_size
        if free(self.journal.parent) < MIN_FREE_BYTES + 2 * size:
            raise OSError(f"no room for a copy of {size} bytes")
        self.folder.mkdir(exist_ok=True)
        kept, day = self.kept(), self._today().isoformat()
        number = _number(kept[-1]) + 1 if kept else 1
        target, temporary = self.folder / f"hush-{number:05}-{day}.db", self.folder / "unfinished"
        temporary.unlink(missing_ok=True)
        try:
            with closing(open_to_read(self.journal)) as source, closing(sqlite3.connect(temporary)) as copy:
                source.backup(copy)
                # One file without companions is easier to carry away.
                copy.execute("PRAGMA journal_mode = DELETE")
                (healthy,) = copy.execute("PRAGMA quick_check(1)").fetchone()
            if healthy != "ok":
                raise sqlite3.DatabaseError(str(healthy))
            put_in_place(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)
        self._has_made = True
        # A second copy of one day replaces the first: a box that is switched off and on has still seven days.
        same_day = kept[-1:] if _day(kept[-1:]) == day else []
        for old in [*same_day, *self.kept()[: -self.keep]]:
            old.unlink(missing_ok=True)
        return target


def _number(file: Path) -> int:
    """A copy's number; those of an older Hush have none and come first."""
    named = NAME.fullmatch(file.name)
    return int((named and named["number"]) or 0)


def _day(last: list[Path]) -> str:
    named = NAME.fullmatch(last[0].name) if last else None
    return named["day"] if named else ""


def contents(path: Path) -> tuple[int, int, int] | None:
    """How many games, endings and steps a journal has; None for one that can't be read."""
    query = "SELECT (SELECT count(*) FROM games), (SELECT count(ended) FROM games), (SELECT count(*) FROM steps)"
    try:
        with closing(open_to_read(path)) as database:
            games, ended, steps = database.execute(query).fetchone()
    except sqlite3.Error:
        return None
    return games, ended, steps
