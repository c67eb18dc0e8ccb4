"""The games on record: list, replay, statistics, backup and restore. A game that isn't over keeps its secrets."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from datetime import datetime
from typing import Any

from msgspec import Struct

from companion.games import GAMES
from companion.games.game import BadOptions, IllegalMove, Over
from companion.games.text import N_, Text
from companion.journal import BrokenExport, Entry, Journal, read_export
from companion.play import Play
from companion.web.desk import Refused
from companion.web.pictures import picture
from companion.web.pictures.model import Say
from companion.web.records import LogLine, Played, Replayed, Restored, Statistics, Still, Tally
from companion.web.story import chapter

MOST_UNPACKED = 64 * 1024 * 1024
MOST_GAMES = 5000
NO_RECORD = Text(N_("No record is kept: the disk can't be used."))
NOT_OVER = Text(N_("There is no finished game with this number."))
NO_BACKUP = Text(N_("This file isn't a backup of Hush, or it's damaged."))


class Result(Struct, frozen=True):
    """How a finished game ended."""

    has_won: bool
    moves: int
    players: int


class Archive:
    """The record as the page shows it. What a finished game came to is worked out once."""

    def __init__(self, journal: Journal | None):
        self._journal = journal
        self._results: dict[int, Result | None] = {}
        self._open: tuple[int, Play] | None = None

    @property
    def journal(self) -> Journal:
        """The record. Raises `Refused` where there is none."""
        if self._journal is None:
            raise Refused(503, "no_record", NO_RECORD)
        return self._journal

    def _result(self, entry: Entry) -> Result | None:
        if entry.ended is None or entry.game not in GAMES:
            return None
        if entry.id not in self._results:
            self._results[entry.id] = result(self.journal, entry)
        return self._results[entry.id]

    def games(self, say: Say) -> list[Played]:
        """All games, newest first."""
        return [self._played(entry, say) for entry in reversed(self.journal.games())]

    def _played(self, entry: Entry, say: Say) -> Played:
        known = self._result(entry)
        reason = GAMES[entry.game].term(entry.reason) if entry.reason and entry.game in GAMES else None
        return Played(
            entry.id,
            entry.game,
            entry.game.capitalize(),
            entry.started,
            entry.ended,
            say(reason) if reason is not None else "",
            known.has_won if known else None,
            known.moves if known else 0,
            minutes(entry),
            known.players if known else 0,
        )

    def _finished(self, number: int) -> tuple[Entry, Play]:
        entry = next((one for one in self.journal.games() if one.id == number), None)
        if entry is None or entry.ended is None or entry.game not in GAMES:
            self._open = None
            raise Refused(404, "no_such_game", NOT_OVER)
        if self._open is None or self._open[0] != number:
            try:
                self._open = (number, self.journal.resume(number))
            except (IllegalMove, BadOptions, LookupError):
                raise Refused(404, "no_such_game", NOT_OVER) from None
        return entry, self._open[1]

    def replay(self, number: int, say: Say) -> Replayed:
        """A finished game in words."""
        entry, play = self._finished(number)
        log = [
            LogLine(at + 1, tuple(say(text) for text in chapter(play.game, play.state_at(at), move).told), False)
            for at, move in enumerate(play.moves)
        ]
        return Replayed(self._played(entry, say), tuple(log))

    def still(self, number: int, at: int, say: Say) -> Still:
        """The table of a finished game after so many moves, with all cards that were known."""
        _, play = self._finished(number)
        if not 0 <= at <= play.number:
            raise Refused(404, "no_move", Text(N_("There is no move {number}."), {"number": at}))
        state = play.state_at(at)
        return Still(at, say(play.game.question(state)), picture(play.game, state, say))

    def export(self, number: int) -> bytes:
        """A finished game as JSON lines."""
        self._finished(number)
        return "".join(f"{line}\n" for line in self.journal.export(number)).encode()

    def statistics(self, say: Say) -> Statistics:
        """Numbers of all finished games."""
        finished = [entry for entry in self.journal.games() if self._result(entry) is not None]
        tallies = []
        for name, game in GAMES.items():
            mine = [entry for entry in finished if entry.game == name]
            if not mine:
                continue
            times = [time for entry in mine if (time := minutes(entry)) is not None]
            won = [known for entry in mine if (known := self._result(entry)) is not None and known.has_won]
            endings = Counter(say(game.term(entry.reason or "")) for entry in mine)
            average = round(sum(times) / len(times), 1) if times else None
            tallies.append(Tally(name, name.capitalize(), len(mine), len(won), average, dict(endings.most_common())))
        days = Counter(entry.started[:10] for entry in finished)
        return Statistics(tuple(tallies), dict(sorted(days.items())[-30:]))

    def backup(self) -> bytes:
        """Every finished game in one file. A game that isn't over may hold secrets and stays on the box."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for entry in self.journal.games():
                if entry.ended is not None:
                    archive.writestr(f"games/{entry.id:05}.jsonl", "\n".join(self.journal.export(entry.id)) + "\n")
        return packed.getvalue()

    def restore(self, packed: bytes) -> Restored:
        """Take in the games of a backup that aren't here yet; all of them are checked before the first is written."""
        fresh = unpacked(packed)
        here = {self._print(entry) for entry in self.journal.games() if entry.ended is not None}
        taken = 0
        for text in fresh:
            head, steps, play = read_export(text.splitlines())
            mark = (head.game, head.start, head.started, tuple(step.text for step in steps))
            if mark in here or not isinstance(play.pending, Over):
                continue
            self.journal.take_in(text.splitlines())
            here.add(mark)
            taken += 1
        return Restored(taken, len(fresh) - taken)

    def _print(self, entry: Entry) -> tuple[Any, ...]:
        steps = tuple(step.text for step in self.journal.steps(entry.id))
        return (entry.game, entry.start, entry.started, steps)


def unpacked(packed: bytes) -> list[str]:
    """The games in a backup, each one played through. Raises `Refused`."""
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            files = archive.infolist()
            if len(files) > MOST_GAMES or sum(file.file_size for file in files) > MOST_UNPACKED:
                raise Refused(413, "too_large", Text(N_("This backup is too large.")))
            texts = [archive.read(file).decode() for file in files if file.filename.endswith(".jsonl")]
        for text in texts:
            read_export(text.splitlines())
    except BrokenExport as error:
        raise Refused(422, "broken", error.reason) from None
    except (zipfile.BadZipFile, UnicodeError, EOFError, ValueError, NotImplementedError, RuntimeError):
        raise Refused(422, "broken", NO_BACKUP) from None
    if not texts:
        raise Refused(422, "broken", NO_BACKUP)
    return texts


def result(journal: Journal, entry: Entry) -> Result | None:
    """What a finished game came to; None for one that can't be played again."""
    try:
        play = journal.resume(entry.id)
    except (IllegalMove, BadOptions, LookupError):
        return None
    over = play.pending
    if not isinstance(over, Over):
        return None
    return Result(bool(over.winners), play.number, play.state.options.players)


def minutes(entry: Entry) -> float | None:
    """How long a game took."""
    if entry.ended is None:
        return None
    try:
        took = datetime.fromisoformat(entry.ended) - datetime.fromisoformat(entry.started)
    except ValueError:
        return None
    return round(took.total_seconds() / 60, 1)
