"""Looking for damage in a record, game by game, without writing anything."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from companion.journal.file import open_to_read
from companion.journal.journal import JournalReader

# What a person waits for an answer; the newest games, which matter most, are looked at first.
REPLAY_SECONDS = 5.0


class RecordHealth(Struct, frozen=True):
    """How many games a record has, and the numbers of those that can't be played again."""

    games: int
    spoilt: tuple[int, ...]


def replay_all(
    path: Path, clock: Callable[[], float] = time.monotonic, seconds: float = REPLAY_SECONDS
) -> RecordHealth:
    """Play every game of a record again, newest first, as far as the time goes. Raises `sqlite3.Error`."""
    ends = clock() + seconds
    with closing(open_to_read(path)) as database:
        journal = JournalReader(path, database)
        games = [entry.id for entry in reversed(journal.games())]
        spoilt = []
        for game in games:
            if clock() > ends:
                break
            if not is_whole(journal, game):
                spoilt.append(game)
    return RecordHealth(len(games), tuple(spoilt))


def is_whole(journal: JournalReader, game: int) -> bool:
    """Whether a game can be played again, and says of itself what that comes to."""
    try:
        entry, play = journal.entry(game), journal.replay(game)
    except sqlite3.Error:
        raise
    except Exception:  # damage can look like anything
        return False
    said = (entry.started, entry.ended or "", entry.reason or "", *(step.at for step in journal.steps(game)))
    if any("\ufffd" in text for text in said):
        return False
    return play.is_over or entry.ended is None
