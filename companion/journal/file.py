"""The journal's file: its tables, whether it can be trusted, and setting it aside whole where it can't."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from companion.files import sync_folder
from companion.text import N_, Text

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
    # Which game is on the table; what a finished game came to; believed states; steps that belong together.
    """
    CREATE TABLE running (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        game INTEGER NOT NULL REFERENCES games (id)
    ) STRICT;
    INSERT INTO running
        SELECT 1, id FROM games AS last WHERE ended IS NULL AND NOT EXISTS
            (SELECT 1 FROM games WHERE games.id > last.id AND games.started >= last.started)
        ORDER BY id DESC LIMIT 1;
    ALTER TABLE games ADD COLUMN players INTEGER;
    ALTER TABLE games ADD COLUMN moves INTEGER;
    ALTER TABLE games ADD COLUMN has_won INTEGER;
    ALTER TABLE games ADD COLUMN score TEXT;
    CREATE INDEX unfinished_games ON games (id) WHERE ended IS NULL;
    CREATE INDEX games_by_start ON games (started);
    CREATE TABLE new_steps (
        game INTEGER NOT NULL REFERENCES games (id),
        number INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('move', 'undo', 'redo', 'believe')),
        text TEXT NOT NULL,
        at TEXT NOT NULL,
        is_joined INTEGER NOT NULL DEFAULT 0,
        reason TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (game, number)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO new_steps (game, number, kind, text, at) SELECT game, number, kind, text, at FROM steps;
    DROP TABLE steps;
    ALTER TABLE new_steps RENAME TO steps;
    """,
)
# What SQLite calls a file that can't be read. Anything else (a full disk, a read-only one) says nothing about the file.
_SPOILT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
# SQLite keeps these beside a database; the first holds steps that the database itself doesn't have yet.
WRITE_AHEAD = "-wal"
COMPANIONS = (WRITE_AHEAD, "-shm")


class BrokenJournal(Exception):
    """A file that can't be used as a journal, and why. `is_spoilt` tells a bad file from a bad place."""

    def __init__(self, path: Path, reason: Text, is_spoilt: bool = True):
        super().__init__(path, reason)
        self.path = path
        self.reason = reason
        self.is_spoilt = is_spoilt

    def __str__(self) -> str:
        return str(self.reason)


def cannot_use(path: Path, error: Exception) -> BrokenJournal:
    """An error of SQLite or the disk as a sentence."""
    reason = Text(N_("{path} can't be used as a journal: {error}"), {"path": str(path), "error": str(error)})
    code = getattr(error, "sqlite_errorcode", None) or 0  # the code's upper bits say where it happened
    return BrokenJournal(path, reason, is_spoilt=code & 0xFF in _SPOILT)


def decoded(text: bytes) -> str:
    """A text of the database; a damaged letter spoils itself alone."""
    return text.decode("utf-8", "replace")


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection that writes nothing, not even what waits beside the file. Raises `sqlite3.Error`."""
    if path.exists() and not path.is_file():
        # SQLite would wait for ever at a pipe.
        raise sqlite3.OperationalError(f"{path} is no file")
    database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    database.text_factory = decoded
    return database


def check(path: Path) -> None:
    """Refuse a file that isn't ours, isn't whole, or is a newer Hush's. Nothing is written. Raises `BrokenJournal`."""
    try:
        if not path.is_file() or path.stat().st_size == 0:
            return
        with closing(open_to_read(path)) as database:
            (tables,) = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            (application,) = database.execute("PRAGMA application_id").fetchone()
            (version,) = database.execute("PRAGMA user_version").fetchone()
            (healthy,) = database.execute("PRAGMA quick_check(1)").fetchone()
    except (sqlite3.Error, OSError) as error:
        broken = cannot_use(path, error)
        if broken.is_spoilt:
            raise broken from error
        return  # whoever opens it for writing will see what is wrong with the place
    said = {"path": str(path)}
    if tables and application != APPLICATION:
        raise BrokenJournal(path, Text(N_("{path} is a database of another program."), {**said}))
    if version > len(MIGRATIONS):
        # A good file: the newer Hush must find it as it was.
        reason = Text(N_("{path} was written by a newer Hush: update this one."), {**said})
        raise BrokenJournal(path, reason, is_spoilt=False)
    if healthy != "ok":
        raise BrokenJournal(path, Text(N_("{path} is damaged: {error}"), {**said, "error": str(healthy)}))


def migrate(database: sqlite3.Connection) -> None:
    """Bring the tables up to date, each step wholly or not at all."""
    (version,) = database.execute("PRAGMA user_version").fetchone()
    for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
        database.executescript(
            f"BEGIN; {script} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {number}; COMMIT;"
        )


def set_aside(path: Path) -> Path:
    """Give a broken file and what belongs to it another name; returns it.

    Both names are there before the old ones go, so that a power cut never parts the file from its steps.
    """
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    aside = path.with_name(f"{path.name}.broken-{stamp}")
    parts = [ending for ending in ("", *COMPANIONS) if path.with_name(path.name + ending).exists()]
    for ending in parts:
        aside.with_name(aside.name + ending).hardlink_to(path.with_name(path.name + ending))
    sync_folder(path.parent)
    for ending in reversed(parts):
        path.with_name(path.name + ending).unlink()
    sync_folder(path.parent)
    return aside


def salvage(aside: Path, database: sqlite3.Connection) -> int:
    """Copy every game that can still be read out of a broken file; returns how many."""
    saved = 0
    with closing(open_to_read(aside)) as source:
        try:
            (application,) = source.execute("PRAGMA application_id").fetchone()
            (highest,) = source.execute("SELECT max(id) FROM games").fetchone()
            columns = {table: _common_columns(table, source, database) for table in ("games", "steps")}
        except sqlite3.Error:
            return 0
        if application != APPLICATION or not isinstance(highest, int):
            return 0
        for game in range(1, min(highest, MAX_SALVAGED) + 1):
            with suppress(sqlite3.Error):
                saved += _salvage_game(game, columns, source, database)
        with suppress(sqlite3.Error):
            row = source.execute("SELECT game FROM running").fetchone()
            if row is not None and database.execute("SELECT 1 FROM games WHERE id = ?", row).fetchone():
                database.execute("INSERT OR REPLACE INTO running VALUES (1, ?)", row)
    return saved


MAX_SALVAGED = 1_000_000
"""Damage can make a game's number anything; nobody has played more games than this."""


def _common_columns(table: str, *databases: sqlite3.Connection) -> str:
    known = [[row[1] for row in database.execute(f"PRAGMA table_info({table})")] for database in databases]
    return ", ".join(name for name in known[0] if name in known[1])


def _salvage_game(game: int, columns: dict[str, str], source: sqlite3.Connection, database: sqlite3.Connection) -> bool:
    """Copy one game, whole; steps with a gap between them are no game."""
    rows = source.execute(f"SELECT {columns['games']} FROM games WHERE id = ?", (game,)).fetchall()
    if not rows:
        return False
    order = columns["steps"].split(", ").index("number")
    steps = source.execute(f"SELECT {columns['steps']} FROM steps WHERE game = ? ORDER BY number", (game,)).fetchall()
    if [step[order] for step in steps] != list(range(1, len(steps) + 1)):
        return False
    database.execute("BEGIN IMMEDIATE")
    try:
        _insert(database, "games", columns["games"], rows)
        _insert(database, "steps", columns["steps"], steps)
        database.execute("COMMIT")
    except sqlite3.Error:
        database.execute("ROLLBACK")
        raise
    return True


def _insert(database: sqlite3.Connection, table: str, columns: str, rows: list[tuple[object, ...]]) -> None:
    marks = ", ".join("?" for _ in columns.split(", "))
    database.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", rows)
