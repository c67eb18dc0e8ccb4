"""Keeping a running game on disk, and going on with the game when the disk fails."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from companion.games.notation import write_state
from companion.journal import GameResult, Journal
from companion.journal.journal import result_of
from companion.play import HistoryStep, Play


class Recorder:
    """Writes each act of a game (see `Play`) before it takes effect, and marks the game as the one on the table.

    A full or broken disk doesn't stop the game: acts wait in memory, `is_failing` says so, and everything that waits
    is written in order as soon as writing works again.
    """

    def __init__(self, journal: Journal | None, play: Play, game: int | None = None, seed: int | None = None):
        self.journal = journal
        self.game = game
        self.is_failing = journal is None
        self._play = play
        self._start = write_state(play.game, play.state_at(0))
        self._seed = seed
        self._written = 0 if game is None or journal is None else len(journal.steps(game))
        self._is_on_table = False
        self._waiting: list[Sequence[HistoryStep]] = []
        self._result: GameResult | None = None
        self._written_result: GameResult | None = None
        play.kept_by(self._keep)
        self.retry()

    def _keep(self, steps: Sequence[HistoryStep]) -> None:
        self._waiting.append(steps)
        self.retry()

    def note_result(self) -> None:
        """Note that the game is over, or, after an undo, that it isn't."""
        self._result = result_of(self._play)
        self.retry()

    def retry(self) -> None:
        """Write what waits; remember whether that worked."""
        if self.journal is None:
            return
        try:
            self._write(self.journal)
        except sqlite3.Error:
            self.is_failing = True
        else:
            self.is_failing = False

    def _write(self, journal: Journal) -> None:
        if self.game is None:
            self.game = journal.open_game(self._play.game.name, self._start, self._seed)
        elif not self._is_on_table:
            journal.put_on_table(self.game)
        self._is_on_table = True
        while self._waiting:
            journal.append(self.game, self._written + 1, self._waiting[0])
            self._written += len(self._waiting.pop(0))
        if self._written_result != self._result:
            journal.finish(self.game, self._result)
            self._written_result = self._result
