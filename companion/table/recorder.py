"""Keeping a running game on disk, and going on with the game when the disk fails."""

from __future__ import annotations

import sqlite3

from companion.games.game import Over
from companion.games.notation import write_state
from companion.journal import Journal
from companion.play import Kind, Play


class Recorder:
    """Writes each step of a game before it takes effect.

    A full or broken disk doesn't stop the game: steps wait in memory, `is_failing` says so, and everything that waits
    is written in order as soon as writing works again.
    """

    def __init__(self, journal: Journal | None, play: Play, game: int | None = None, seed: int | None = None):
        self.journal = journal
        self.game = game
        self.is_failing = journal is None
        self._name = play.game.name
        self._start = write_state(play.game, play.state_at(0))
        self._seed = seed
        self._written = 0 if game is None or journal is None else len(journal.steps(game))
        self._waiting: list[tuple[Kind, str]] = []
        self._over: Over | None = None
        self._told: Over | None = None
        play.keep = self._keep
        self.retry()

    def _keep(self, kind: Kind, text: str) -> None:
        self._waiting.append((kind, text))
        self.retry()

    def ended(self, over: Over | None) -> None:
        """Note that the game is over, or, after an undo, that it isn't."""
        self._over = over
        self.retry()

    def retry(self) -> None:
        """Write what waits; remember whether that worked."""
        if self.journal is None:
            return
        try:
            if self.game is None:
                self.game = self.journal.open_game(self._name, self._start, self._seed)
            while self._waiting:
                kind, text = self._waiting[0]
                self.journal.append(self.game, self._written + 1, kind, text)
                self._written += 1
                self._waiting.pop(0)
            if self._told != self._over:
                self.journal.finish(self.game, self._over)
                self._told = self._over
        except sqlite3.Error:
            self.is_failing = True
        else:
            self.is_failing = False
