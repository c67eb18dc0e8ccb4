"""The record of games: a SQLite file to which every step is appended before anybody hears of it.

One row a step; the steps of one act (see `Play`) are committed together, with fsync (WAL, synchronous=FULL), so that a
power cut loses nothing that was acknowledged and leaves nothing half done. Undo and redo are steps too. A file that is
broken, not ours or a newer Hush's is never written to.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import msgspec

from companion.games import GAMES
from companion.games.game import IllegalMove, Over
from companion.games.notation import read_state
from companion.journal.exports import Head, StoredStep, clean_time, now
from companion.journal.file import WRITE_AHEAD, BrokenJournal, cannot_use, check, decoded, migrate, salvage, set_aside
from companion.play import HistoryStep, Play
from companion.text import N_, Text

# How long a write waits for another connection's; each of those takes some milliseconds.
WRITE_WAIT_SECONDS = 5.0
# A connection beside the game's merges the write-ahead log into the file after so many acts, well before the log has
# the 1,000 pages at which SQLite has whoever writes next do it: that could be a move.
ACTS_A_CHECKPOINT = 32
# So many unfinished games are listed: nobody looks for an older one.
MAX_UNFINISHED_LISTED = 50
_COLUMNS = ("id", "game", "start", "seed", "started", "ended", "reason", "players", "moves", "has_won", "score")
_ENTRY = f"SELECT {', '.join(f'games.{column}' for column in _COLUMNS)} FROM games"


class GameResult(msgspec.Struct, frozen=True):
    """What a finished game came to."""

    reason: str
    players: int
    moves: int
    has_won: bool
    score: tuple[int, ...] = ()


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One game in the journal. `ended` is None while it can go on."""

    id: int
    game: str
    start: str
    seed: int | None
    started: str
    ended: str | None
    reason: str | None
    players: int | None = None
    moves: int | None = None
    has_won: int | None = None
    score: str | None = None

    @property
    def result(self) -> GameResult | None:
        """What it came to; None for one that isn't over, or was written by an older Hush and not yet worked out."""
        if self.ended is None or self.moves is None:
            return None
        points = [part for part in (self.score or "").split(",") if part.lstrip("-").isdecimal()]
        return GameResult(
            self.reason or "", self.players or 0, self.moves, bool(self.has_won), tuple(int(part) for part in points)
        )


class JournalReader:
    """A journal that is only read, on a connection that somebody else opens and closes."""

    def __init__(self, path: Path, database: sqlite3.Connection):
        self.path = path
        self._db = database

    def replay(self, game: int) -> Play:
        """The game as it was after its last step. Raises `KeyError`, and what the rules raise."""
        entry = self.entry(game)
        return replay(entry.game, entry.start, (line.step for line in self.steps(game)))

    def entry(self, game: int) -> Entry:
        """A game's entry. Raises `KeyError`."""
        row = self._db.execute(f"{_ENTRY} WHERE id = ?", (game,)).fetchone()
        if row is None:
            raise KeyError(game)
        return Entry(*row)

    def games(self) -> list[Entry]:
        """All games, oldest first."""
        return [Entry(*row) for row in self._db.execute(f"{_ENTRY} ORDER BY id")]

    def page(self, most: int, before: int | None = None) -> list[Entry]:
        """The newest games, or the newest below a number, newest first."""
        below = (1 << 62) if before is None else before
        query = f"{_ENTRY} WHERE id < ? ORDER BY id DESC LIMIT ?"
        return [Entry(*row) for row in self._db.execute(query, (below, most))]

    def running(self) -> Entry | None:
        """The game that is on the table, if it can go on."""
        row = self._db.execute(f"{_ENTRY} JOIN running ON running.game = games.id WHERE ended IS NULL").fetchone()
        return None if row is None else Entry(*row)

    def has_running_steps(self) -> bool:
        """Whether the game on the table has begun and can go on."""
        running = self.running()
        return running is not None and self.length(running.id) > 0

    def unfinished(self) -> list[Entry]:
        """Every game that can go on: the one on the table first, then the newest. One without a step is no game yet."""
        running = self.running()
        begun = "EXISTS (SELECT 1 FROM steps WHERE steps.game = games.id)"
        rows = self._db.execute(
            f"{_ENTRY} WHERE ended IS NULL AND {begun} ORDER BY games.id DESC LIMIT {MAX_UNFINISHED_LISTED}"
        )
        others = [entry for entry in (Entry(*row) for row in rows) if entry != running]
        return others if running is None else [running, *others]

    def steps(self, game: int) -> list[StoredStep]:
        """All steps of a game, undo and redo included."""
        query = "SELECT kind, text, at, is_joined, reason FROM steps WHERE game = ? ORDER BY number"
        rows = self._db.execute(query, (game,))
        return [StoredStep(kind, text, at, bool(is_joined), reason) for kind, text, at, is_joined, reason in rows]

    def length(self, game: int) -> int:
        """How many steps a game has."""
        (count,) = self._db.execute("SELECT count(*) FROM steps WHERE game = ?", (game,)).fetchone()
        return int(count)

    def export(self, game: int) -> Iterator[str]:
        """A game as JSON lines: a head, then a line for each step."""
        entry = self.entry(game)
        head = Head(game=entry.game, start=entry.start, seed=entry.seed, started=entry.started)
        for record in (head, *self.steps(game)):
            yield msgspec.json.encode(record).decode()


class Journal(JournalReader):
    """A journal file, open for writing.

    Raises `BrokenJournal` for a file that is corrupt, foreign or from a newer Hush; such a file is left as it is.
    `is_beside` opens another connection to a file that this process has opened already. It keeps out of the way of
    the first: its turn to write ends before the disk is waited for.
    """

    def __init__(self, path: Path, *, is_beside: bool = False):
        self._is_beside = is_beside
        self._acts = 0
        if not is_beside:
            check(path)
        database: sqlite3.Connection | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and not path.is_file():
                raise OSError(f"{path} is no file")  # SQLite would wait for ever at a pipe
            database = sqlite3.connect(path, timeout=WRITE_WAIT_SECONDS, isolation_level=None, check_same_thread=False)
            database.text_factory = decoded
            database.execute("PRAGMA journal_mode = WAL")
            if is_beside:
                database.execute("PRAGMA synchronous = NORMAL")
                database.execute("PRAGMA wal_autocheckpoint = 0")
            else:
                database.execute("PRAGMA synchronous = FULL")
                migrate(database)
        except (sqlite3.Error, OSError, ValueError) as error:
            if database is not None:
                database.close()
            raise cannot_use(path, error) from error
        super().__init__(path, database)

    @classmethod
    def open_or_set_aside(cls, path: Path) -> tuple[Journal, BrokenJournal | None]:
        """Open the journal; a broken file is moved aside, whole, and the games that could be saved begin a new one.

        A good file that can't be opened now, because the disk is full or read-only, stays where it is.
        """
        try:
            return cls(path), None
        except BrokenJournal as broken:
            if not broken.is_spoilt or not path.is_file():
                raise
            aside = set_aside(path)
            journal = cls(path)
            saved = salvage(aside, journal._db)
            reason = Text(
                N_("{reason} It was set aside as {aside}; {count} games could be saved."),
                {"reason": broken.reason, "aside": aside.name, "count": saved},
            )
            return journal, BrokenJournal(aside, reason)

    def close(self) -> None:
        """Close the file; what was appended is already on disk."""
        self._db.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Everything inside is on disk when it ends, or nothing of it is."""
        # SQLite itself waits by looking again after ever longer pauses: a move could miss the ends of many writes.
        lock = write_lock(self.path)
        if not lock.acquire(timeout=WRITE_WAIT_SECONDS):
            raise sqlite3.OperationalError("another write doesn't end")
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        finally:
            lock.release()
        if self._is_beside:
            self._put_on_disk()

    def _put_on_disk(self) -> None:
        """Wait until what was committed is on disk, while others may write."""
        log = os.open(self.path.with_name(self.path.name + WRITE_AHEAD), os.O_RDONLY)
        try:
            os.fsync(log)
        finally:
            os.close(log)
        self._acts += 1
        if self._acts % ACTS_A_CHECKPOINT == 0:
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)")

    # Writing

    def open_game(self, name: str, start: str, seed: int | None = None) -> int:
        """A new game without steps, which is on the table from now on; returns its number."""
        with self._transaction():
            game = self._insert_game(name, start, seed, now())
            self._put_on_table(game)
        return game

    def _insert_game(self, name: str, start: str, seed: int | None, started: str) -> int:
        cursor = self._db.execute(
            "INSERT INTO games (game, start, seed, started) VALUES (?, ?, ?, ?)", (name, start, seed, started)
        )
        game = cursor.lastrowid
        assert game is not None  # an INSERT has one
        return game

    def append(self, game: int, number: int, steps: Sequence[HistoryStep]) -> None:
        """Put the steps of one act on disk, the first as `number`. When this returns, a power cut can't lose them."""
        at = now()
        with self._transaction():
            self._insert_steps(
                game,
                number,
                (StoredStep(step.kind, step.text, at, step.is_joined, step.reason) for step in steps),
            )

    def _insert_steps(self, game: int, first: int, steps: Iterable[StoredStep]) -> None:
        self._db.executemany(
            "INSERT INTO steps (game, number, kind, text, at, is_joined, reason) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                (game, number, step.kind, step.text, step.at, step.is_joined, step.reason)
                for number, step in enumerate(steps, start=first)
            ),
        )

    def finish(self, game: int, result: GameResult | None) -> None:
        """Note how a game ended; None takes the note back, after an undo, and the game is on the table again."""
        with self._transaction():
            if result is None:
                self._write_result(game, None, None)
                self._put_on_table(game)
            else:
                self._write_result(game, now(), result)
                self._db.execute("DELETE FROM running WHERE game = ?", (game,))

    def _write_result(self, game: int, ended: str | None, result: GameResult | None) -> None:
        said = (None,) * 5
        if result is not None:
            score = ",".join(map(str, result.score))
            said = (result.reason, result.players, result.moves, result.has_won, score)  # type: ignore[assignment]
        self._db.execute(
            "UPDATE games SET ended = ?, reason = ?, players = ?, moves = ?, has_won = ?, score = ? WHERE id = ?",
            (ended, *said, game),
        )

    def put_on_table(self, game: int) -> None:
        """This game is the one that runs, also after a power cut."""
        with self._transaction():
            self._put_on_table(game)

    def _put_on_table(self, game: int) -> None:
        self._db.execute("INSERT OR REPLACE INTO running VALUES (1, ?)", (game,))

    # What comes from elsewhere

    def add(self, head: Head, steps: Sequence[StoredStep], result: GameResult | None) -> int:
        """Add a game that was checked; times that can't be are left out."""
        clean = [msgspec.structs.replace(step, at=clean_time(step.at)) for step in steps]  # before anybody waits for us
        with self._transaction():
            game = self._insert_game(head.game, head.start, head.seed, clean_time(head.started))
            self._insert_steps(game, 1, clean)
            if result is not None:
                last = clean_time(steps[-1].at) if steps else ""
                self._write_result(game, last, result)
        return game

    def has(self, head: Head, steps: Sequence[StoredStep]) -> bool:
        """Whether this very game is here already."""
        query = f"{_ENTRY} WHERE started = ? AND game = ? AND start = ?"
        found = self._db.execute(query, (clean_time(head.started), head.game, head.start)).fetchall()
        wanted = [step.step for step in steps]
        return any([line.step for line in self.steps(row[0])] == wanted for row in found)

    def with_results(self, entries: Iterable[Entry]) -> list[Entry]:
        """The entries with their results; those that an older Hush left out are worked out and stored, once."""
        return [self._with_result(entry) if entry.ended and entry.result is None else entry for entry in entries]

    def _with_result(self, entry: Entry) -> Entry:
        try:
            result = result_of(self.replay(entry.id))
        except Exception:  # damage can look like anything; the other games still count
            result = None
        if result is None:
            return entry
        with self._transaction():
            self._write_result(entry.id, entry.ended, result)
        return self.entry(entry.id)


@cache
def write_lock(path: Path) -> threading.Lock:
    """Held by whoever writes to a file, among the connections of this process."""
    return threading.Lock()


def result_of(play: Play) -> GameResult | None:
    """What a game came to; None for one that isn't over."""
    over = play.pending
    if not isinstance(over, Over):
        return None
    return GameResult(over.reason, play.state.options.players, play.number, bool(over.winners), over.score)


class RefusedStep(IllegalMove):
    """A step of a record that the rules refuse: it's the `at`-th, counted from 1."""

    def __init__(self, at: int, error: IllegalMove):
        super().__init__(error.code, error.reason, error.legal)
        self.at = at


def replay(game: str, start: str, steps: Iterable[HistoryStep]) -> Play:
    """Play a record again from its start. Raises what the rules raise, a refusal with the number of its step."""
    rules = GAMES[game]
    play = Play(rules, read_state(rules, start))
    for at, step in enumerate(steps, 1):
        try:
            play.repeat(step)
        except IllegalMove as error:
            raise RefusedStep(at, error) from error
    return play
