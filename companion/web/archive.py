"""The games on record: list, replay, statistics, backup and restore. A game that isn't over keeps its secrets.

Everything here runs in a worker of its own, on a connection of its own: however long the record is, the game goes on.
"""

from __future__ import annotations

import asyncio
import io
import tempfile
import time
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, TypeVar

from companion.games import GAMES
from companion.journal import BrokenExport, BrokenJournal, Entry, GameResult, Journal, read_export
from companion.journal.exports import read_lines, read_time
from companion.journal.journal import result_of
from companion.kits import NAMES
from companion.play import Play
from companion.text import N_, Text
from companion.web.board import table_map
from companion.web.desk import Refused
from companion.web.eyes.art import Gallery
from companion.web.game_log import log_entry
from companion.web.gate import Gate
from companion.web.pictures import picture
from companion.web.pictures.model import Say
from companion.web.records import (
    GamePage,
    GameTally,
    LogLine,
    RecordedGame,
    Replayed,
    Restored,
    Statistics,
    Still,
    TableMap,
)
from companion.web.things import things

T = TypeVar("T")
MAX_UNPACKED = 64 * 1024 * 1024
MAX_GAMES = 20_000
# A game of 600 steps takes some 60 KB as lines.
MAX_GAME_BYTES = 1024 * 1024
GAMES_A_PAGE = 50
# Who comes when so many wait is asked to come back.
MAX_ARCHIVE_WAITING = 8
MAX_WAITING_OF_A_PHONE = 4
# What a backup may hold in memory before it goes to a temporary file.
IN_MEMORY_BYTES = 4 * 1024 * 1024
# So long the worker goes on before it pauses for as long.
WORK_SECONDS = 0.005
NO_RECORD = Text(N_("No record is kept: the disk can't be used."))
NOT_OVER = Text(N_("There is no finished game with this number."))
NO_BACKUP = Text(N_("This file isn't a backup of Hush, or it's damaged."))


class Archive:
    """The record as the page shows it. Call its methods through `work`."""

    def __init__(self, path: Path | None):
        self._path = path
        self._journal: Journal | None = None
        self._open: tuple[int, Play] | None = None
        self._worker = ThreadPoolExecutor(1, "archive")
        self._gate = Gate(1, most=MAX_ARCHIVE_WAITING, each=MAX_WAITING_OF_A_PHONE, retry_after=2)

    async def work(self, phone: str, act: Callable[[], T]) -> T:
        """Have the worker do something. Raises `Refused` where there is no record, or too many wait for it."""
        if self._path is None:
            raise Refused(503, "no_record", NO_RECORD)
        async with self._gate.enter(phone):
            return await asyncio.get_running_loop().run_in_executor(self._worker, act)

    def close(self) -> None:
        """Begin nothing new; what is under way ends by itself, and every act is whole or hasn't happened."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    @property
    def journal(self) -> Journal:
        """The record, opened by the worker. Raises `Refused` where that can't be done."""
        if self._journal is None:
            try:
                assert self._path is not None
                self._journal = Journal(self._path, is_beside=True)
            except BrokenJournal:
                raise Refused(503, "no_record", NO_RECORD) from None
        return self._journal

    def games(self, say: Say, before: int | None = None) -> GamePage:
        """A page of the games, newest first; the rest begins below the last number."""
        found = self.journal.with_results(self.journal.page(GAMES_A_PAGE + 1, before))
        rows = tuple(played(entry, say) for entry in found[:GAMES_A_PAGE])
        return GamePage(rows, rows[-1].id if len(found) > GAMES_A_PAGE else None)

    def found(self, say: Say, game: str, result: str, before: int) -> GamePage:
        """A page of the games of one kind and one end, `all` for any; 0 begins with the newest."""
        rows: list[RecordedGame] = []
        below = before or None
        while len(rows) <= GAMES_A_PAGE:
            some = self.journal.with_results(self.journal.page(GAMES_A_PAGE + 1, below))
            rows += [played(entry, say) for entry in gently(some) if is_sought(entry, game, result)]
            if len(some) <= GAMES_A_PAGE:
                break
            below = some[-1].id
        shown = tuple(rows[:GAMES_A_PAGE])
        return GamePage(shown, shown[-1].id if len(rows) > GAMES_A_PAGE else None)

    def table(self, number: int, gallery: Gallery, say: Say) -> TableMap:
        """The table of a finished game and its cards."""
        entry, play = self._finished(number)
        options = play.state_at(0).options
        return table_map(play.game, options, entry.id, gallery.read(play.game.name, options), say)

    def _finished(self, number: int) -> tuple[Entry, Play]:
        try:
            entry = self.journal.entry(number)
            if entry.ended is None:
                raise KeyError(number)
            if self._open is None or self._open[0] != number:
                self._open = (number, self.journal.replay(number))
        except Exception:  # damage can look like anything: this game can't be shown, the others can
            self._open = None
            raise Refused(404, "no_such_game", NOT_OVER) from None
        return entry, self._open[1]

    def replay(self, number: int, say: Say) -> Replayed:
        """A finished game in words."""
        entry, play = self._finished(number)
        history = play.history
        log = (
            LogLine(at, tuple(say(text) for text in log_entry(history, at).told), False)
            for at in range(1, play.number + 1)
        )
        return Replayed(played(entry, say), tuple(log))

    def still(self, number: int, at: int, say: Say) -> Still:
        """The table of a finished game after so many moves, with all cards that were known."""
        _, play = self._finished(number)
        if not 0 <= at <= play.number:
            raise Refused(404, "no_move", Text(N_("There is no move {number}."), {"number": at}))
        state = play.state_at(at)
        return Still(at, say(play.game.question(state)), picture(play.game, state, say), things(play.game.name, state))

    def export(self, number: int) -> bytes:
        """A finished game as JSON lines."""
        self._finished(number)
        return "".join(f"{line}\n" for line in self.journal.export(number)).encode()

    def statistics(self, say: Say) -> Statistics:
        """Numbers of all finished games."""
        finished = [entry for entry in self.journal.with_results(self.journal.games()) if entry.result is not None]
        tallies = []
        for name in NAMES:
            game = GAMES[name]
            mine = [entry for entry in finished if entry.game == name]
            if not mine:
                continue
            times = [time for entry in mine if (time := minutes(entry)) is not None]
            won = sum(bool(entry.has_won) for entry in mine)
            endings = Counter(say(game.term(entry.reason or "")) for entry in mine)
            average = round(sum(times) / len(times), 1) if times else None
            tallies.append(
                GameTally(
                    name,
                    name.capitalize(),
                    len(mine),
                    won,
                    average,
                    dict(endings.most_common()),
                    by_players(mine),
                    *streaks([bool(entry.has_won) for entry in sorted(mine, key=lambda entry: entry.id)]),
                )
            )
        days = Counter(entry.started[:10] for entry in finished if read_time(entry.started) is not None)
        return Statistics(tuple(tallies), dict(sorted(days.items())[-30:]))

    def backup(self) -> IO[bytes]:
        """Every finished game in one file. A game that isn't over may hold secrets and stays on the box."""
        packed = tempfile.SpooledTemporaryFile(IN_MEMORY_BYTES)  # noqa: SIM115 - whoever sends it closes it
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for entry in gently(self.journal.games()):
                if entry.ended is not None:
                    lines = "\n".join(self.journal.export(entry.id)) + "\n"
                    archive.writestr(f"games/{entry.id:05}.jsonl", lines)
        packed.seek(0)
        return packed

    def restore(self, packed: bytes) -> Restored:
        """Take in the games of a backup that aren't here yet; all of them are checked before the first is written."""
        # Unpacked twice, so that only what the games came to is held in memory.
        results = [check_game(text) for text in gently(unpacked(packed))]
        taken = 0
        for text, result in zip(gently(unpacked(packed)), results, strict=True):
            head, steps = read_lines(io.BytesIO(text))
            if result is not None and not self.journal.has(head, steps):
                self.journal.add(head, steps, result)
                taken += 1
        return Restored(taken, len(results) - taken)


def is_sought(entry: Entry, game: str, result: str) -> bool:
    """Whether a game is of this kind and came to this end."""
    if game not in ("all", entry.game):
        return False
    ends = "open" if entry.ended is None else "won" if entry.result is not None and entry.result.has_won else "lost"
    return result in ("all", ends)


def by_players(entries: Iterable[Entry]) -> dict[int, tuple[int, int]]:
    """How many were won and played, by how many played."""
    counts: dict[int, tuple[int, int]] = {}
    for entry in entries:
        players = 0 if entry.result is None else entry.result.players
        won, all_played = counts.get(players, (0, 0))
        counts[players] = (won + bool(entry.has_won), all_played + 1)
    return dict(sorted(counts.items()))


def streaks(wins: Iterable[bool]) -> tuple[int, int]:
    """How many games were won in a row until now, and the most there were.

    >>> streaks([True, True, True, False, True])
    (1, 3)
    """
    now = best = 0
    for is_won in wins:
        now = now + 1 if is_won else 0
        best = max(best, now)
    return now, best


def gently(things: Iterable[T]) -> Iterator[T]:
    """Iterate with pauses as long as the work between them: without pauses this worker would
    take half of all turns from the page and the game, and the record from whoever has a move to write."""
    begun = time.perf_counter()
    for thing in things:
        yield thing
        if (worked := time.perf_counter() - begun) > WORK_SECONDS:
            time.sleep(worked)
            begun = time.perf_counter()


def check_game(text: bytes) -> GameResult | None:
    """Play a game of a backup through: what it came to, None if it isn't over. Raises `Refused`."""
    try:
        return result_of(read_export(io.BytesIO(text))[2])
    except BrokenExport as error:
        raise Refused(422, "broken", error.reason) from None


def unpacked(packed: bytes) -> Iterator[bytes]:
    """The games in a backup, one after the other; none is larger than a game can be. Raises `Refused`."""
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            files = [file for file in archive.infolist() if file.filename.endswith(".jsonl")]
            if not files:
                raise Refused(422, "broken", NO_BACKUP)
            total = sum(file.file_size for file in files)
            if len(files) > MAX_GAMES or total > MAX_UNPACKED:
                raise Refused(413, "too_large", Text(N_("This backup is too large.")))
            for file in files:
                with archive.open(file) as member:
                    text = member.read(MAX_GAME_BYTES + 1)
                if len(text) > MAX_GAME_BYTES:
                    raise Refused(413, "too_large", Text(N_("This backup is too large.")))
                yield text
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError, OSError):
        raise Refused(422, "broken", NO_BACKUP) from None


def played(entry: Entry, say: Say) -> RecordedGame:
    """A game as the list shows it."""
    result = entry.result
    reason = GAMES[entry.game].term(entry.reason) if entry.reason and entry.game in GAMES else None
    return RecordedGame(
        entry.id,
        entry.game,
        entry.game.capitalize(),
        entry.started,
        entry.ended,
        say(reason) if reason is not None else "",
        None if result is None else result.has_won,
        0 if result is None else result.moves,
        minutes(entry),
        0 if result is None else result.players,
    )


def minutes(entry: Entry) -> float | None:
    """How long a game took; None where the clock was set in between, or the times say nothing."""
    started, ended = read_time(entry.started), read_time(entry.ended or "")
    if started is None or ended is None:
        return None
    took = round((ended - started).total_seconds() / 60, 1)
    return took if 0 <= took <= MAX_GAME_MINUTES else None


MAX_GAME_MINUTES = 24 * 60.0
"""Minutes: a game that was left and gone on with the next day has no length worth an average."""
