"""The record of games: a SQLite file to which every step is appended before anybody hears of it.

One row a step, committed with fsync (WAL, synchronous=FULL), so that a power cut loses nothing that was
acknowledged. Undo and redo are steps too. A file that is broken or not ours is never written to.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec

from companion.games import GAMES
from companion.games.game import BadOptions, IllegalMove, Over
from companion.games.notation import read_state, write_state
from companion.games.text import N_, Text, raw
from companion.play import Kind, NothingToUndo, Play

APPLICATION = 0x48555348  # "HUSH" in the file's header tells our files from others
MIGRATIONS = (
    """
    CREATE TABLE games (
        id INTEGER PRIMARY KEY,
        game TEXT NOT NULL,
        start TEXT NOT NULL,
        seed INTEGER,
        started TEXT NOT NULL,
        ended TEXT,
        reason TEXT
    ) STRICT;
    CREATE TABLE steps (
        game INTEGER NOT NULL REFERENCES games (id),
        number INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('move', 'undo', 'redo')),
        text TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (game, number)
    ) STRICT, WITHOUT ROWID;
    """,
)


# What SQLite calls a file that can't be read. Anything else (a full disk, a read-only one) says nothing about the file.
_SPOILT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class BrokenJournal(Exception):
    """A file that can't be used as a journal, and why. `is_spoilt` tells a bad file from a bad place."""

    def __init__(self, path: Path, reason: Text, is_spoilt: bool = True):
        super().__init__(path, reason)
        self.path = path
        self.reason = reason
        self.is_spoilt = is_spoilt

    def __str__(self) -> str:
        return str(self.reason)


class Entry(msgspec.Struct, frozen=True):
    """One game in the journal."""

    id: int
    game: str
    start: str
    seed: int | None
    started: str
    ended: str | None
    reason: str | None


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of an exported game."""

    hush: Literal[1] = 1
    game: str
    start: str
    seed: int | None = None
    started: str = ""


class Line(msgspec.Struct, frozen=True):
    """A step in an exported game."""

    kind: Kind
    text: str
    at: str = ""


class Journal:
    """A journal file, open for writing.

    Raises `BrokenJournal` for a file that is corrupt, foreign or from a newer Hush; such a file is left as it is.
    """

    def __init__(self, path: Path):
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._check()
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._migrate()
        except (sqlite3.Error, OSError) as error:
            if hasattr(self, "_db"):
                self._db.close()
            reason = Text(N_("{path} can't be used as a journal: {error}"), {"path": str(path), "error": str(error)})
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest of the code says where it happened
            raise BrokenJournal(path, reason, is_spoilt=code in _SPOILT) from error

    @classmethod
    def open_or_set_aside(cls, path: Path) -> tuple[Journal, BrokenJournal | None]:
        """Open the journal; a broken file is moved aside, whole, and a new one begun.

        A good file that can't be opened now, because the disk is full or read-only, stays where it is.
        """
        try:
            return cls(path), None
        except BrokenJournal as broken:
            if not broken.is_spoilt or not path.is_file():
                raise
            stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
            aside = path.with_name(f"{path.name}.broken-{stamp}")
            for ending in ("", "-wal", "-shm"):
                part = path.with_name(path.name + ending)
                if part.exists():
                    part.rename(aside.with_name(aside.name + ending))
            reason = Text(N_("{reason} It was set aside as {aside}."), {"reason": broken.reason, "aside": aside.name})
            return cls(path), BrokenJournal(aside, reason)

    def _check(self) -> None:
        """Refuse a file that isn't ours or isn't whole, before the first write."""
        (tables,) = self._db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        (application,) = self._db.execute("PRAGMA application_id").fetchone()
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        values: dict[str, Any] = {"path": str(self.path)}
        if tables and application != APPLICATION:
            self._db.close()
            raise BrokenJournal(self.path, Text(N_("{path} is a database of another program."), values))
        if version > len(MIGRATIONS):
            self._db.close()
            raise BrokenJournal(self.path, Text(N_("{path} was written by a newer Hush: update this one."), values))
        (healthy,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
        if healthy != "ok":
            self._db.close()
            raise BrokenJournal(self.path, Text(N_("{path} is damaged: {error}"), {**values, "error": str(healthy)}))

    def _migrate(self) -> None:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
            self._db.executescript(
                f"BEGIN; {script} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {number}; COMMIT;"
            )

    def close(self) -> None:
        """Close the file; what was appended is already on disk."""
        self._db.close()

    def begin(self, play: Play, seed: int | None = None) -> int:
        """Start recording a game from its present state; returns its number in the journal."""
        game = self.open_game(play.game.name, write_state(play.game, play.state), seed)
        self._keep(play, game, 0)
        return game

    def open_game(self, name: str, start: str, seed: int | None = None) -> int:
        """A new game without steps; returns its number."""
        cursor = self._db.execute(
            "INSERT INTO games (game, start, seed, started) VALUES (?, ?, ?, ?)", (name, start, seed, _now())
        )
        game = cursor.lastrowid
        assert game is not None  # an INSERT has one
        return game

    def append(self, game: int, number: int, kind: Kind, text: str) -> None:
        """Put one step on disk. When this returns, a power cut can't lose it."""
        self._db.execute("INSERT INTO steps VALUES (?, ?, ?, ?, ?)", (game, number, kind, text, _now()))

    def resume(self, game: int) -> Play:
        """The game as it was after its last step, ready to be played on and recorded."""
        entry = self.entry(game)
        play = replay(entry.game, entry.start, self.steps(game))
        (count,) = self._db.execute("SELECT count(*) FROM steps WHERE game = ?", (game,)).fetchone()
        self._keep(play, game, count)
        return play

    def _keep(self, play: Play, game: int, count: int) -> None:
        def keep(kind: Kind, text: str) -> None:
            nonlocal count
            self.append(game, count + 1, kind, text)
            count += 1

        play.keep = keep

    def finish(self, game: int, over: Over | None) -> None:
        """Note how a game ended; None takes the note back, after an undo."""
        self._db.execute(
            "UPDATE games SET ended = ?, reason = ? WHERE id = ?",
            (_now() if over else None, over.reason if over else None, game),
        )

    def entry(self, game: int) -> Entry:
        """A game's entry. Raises `KeyError`."""
        for entry in self.games():
            if entry.id == game:
                return entry
        raise KeyError(game)

    def games(self) -> list[Entry]:
        """All games, oldest first."""
        query = "SELECT id, game, start, seed, started, ended, reason FROM games ORDER BY id"
        return [Entry(*row) for row in self._db.execute(query)]

    def unfinished(self) -> Entry | None:
        """The latest game, if it hasn't ended."""
        # By time, not by number: older games that were taken in later don't hide the one that runs.
        latest = max(self.games(), key=lambda entry: (entry.started, entry.id), default=None)
        return latest if latest is not None and latest.ended is None else None

    def steps(self, game: int) -> list[Line]:
        """All steps of a game, undo and redo included."""
        query = "SELECT kind, text, at FROM steps WHERE game = ? ORDER BY number"
        return [Line(*row) for row in self._db.execute(query, (game,))]

    def export(self, game: int) -> Iterator[str]:
        """A game as JSON lines: a head, then a line for each step."""
        entry = self.entry(game)
        head = Head(game=entry.game, start=entry.start, seed=entry.seed, started=entry.started)
        for record in (head, *self.steps(game)):
            yield msgspec.json.encode(record).decode()

    def take_in(self, lines: Iterable[str]) -> int:
        """Import a game from JSON lines, all or nothing. Raises `BrokenExport`."""
        head, steps, play = read_export(lines)
        self._db.execute("BEGIN IMMEDIATE")
        try:
            cursor = self._db.execute(
                "INSERT INTO games (game, start, seed, started) VALUES (?, ?, ?, ?)",
                (head.game, head.start, head.seed, head.started or _now()),
            )
            game = cursor.lastrowid
            assert game is not None
            self._db.executemany(
                "INSERT INTO steps VALUES (?, ?, ?, ?, ?)",
                [(game, number, step.kind, step.text, step.at) for number, step in enumerate(steps, start=1)],
            )
            pending = play.pending
            if isinstance(pending, Over):
                self.finish(game, pending)
            self._db.execute("COMMIT")
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        return game


class BrokenExport(Exception):
    """A line of an exported game that can't be read or isn't legal."""

    def __init__(self, line: int, reason: Text):
        super().__init__(line, reason)
        self.line = line
        self.reason = Text(N_("line {line}: {reason}"), {"line": line, "reason": reason})

    def __str__(self) -> str:
        return str(self.reason)


def replay(game: str, start: str, steps: Iterable[Line]) -> Play:
    """Play a record again from its start. Raises what the rules raise."""
    rules = GAMES[game]
    play = Play(rules, read_state(rules, start))
    for step in steps:
        play.repeat(step.kind, step.text)
    return play


def read_export(lines: Iterable[str]) -> tuple[Head, list[Line], Play]:
    """Read an exported game and check every step by playing it again. Raises `BrokenExport`."""
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not numbered:
        raise BrokenExport(1, Text(N_("The file is empty.")))
    number = 1
    steps = []
    try:
        number, line = numbered[0]
        head = msgspec.json.decode(line, type=Head)
        if head.game not in GAMES:
            raise BrokenExport(number, Text(N_("There is no game {game}."), {"game": head.game}))
        rules = GAMES[head.game]
        play = Play(rules, read_state(rules, head.start))
        for number, line in numbered[1:]:  # noqa: B007 - the number is for the error
            step = msgspec.json.decode(line, type=Line)
            play.repeat(step.kind, step.text)
            steps.append(step)
    except (IllegalMove, BadOptions) as error:
        raise BrokenExport(number, error.reason) from error
    except NothingToUndo:
        raise BrokenExport(number, Text(N_("There is nothing to undo or redo here."))) from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise BrokenExport(number, raw(error)) from error
    return head, steps, play


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
