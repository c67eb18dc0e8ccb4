"""What a group has been told, on disk: `lessons.json` beside the record, read anew at the beginning of each game."""

from __future__ import annotations

import logging
from pathlib import Path

import msgspec

from companion.files import write_whole
from companion.table.lessons import ToldLessons

FILE = "lessons.json"
log = logging.getLogger(__name__)


class LessonMemory:
    """What was told of each game. A disk that can't be read or written costs the memory, never the game."""

    def __init__(self, folder: Path | None = None):
        self.path = None if folder is None else folder / FILE
        self._games: dict[str, ToldLessons] = {}

    def of(self, game: str) -> ToldLessons:
        """What the group has been told of a game."""
        self._read()
        return self._games.get(game, ToldLessons())

    def save(self, game: str, group: ToldLessons) -> None:
        """Remember it."""
        self._games = {**self._games, game: group}
        self._write()

    def forget(self, game: str | None = None) -> None:
        """Forget what was told of a game, or of all: every lesson comes again."""
        self._read()
        self._games = {} if game is None else {name: one for name, one in self._games.items() if name != game}
        self._write()

    def _read(self) -> None:
        if self.path is None:
            return
        try:
            self._games = msgspec.json.decode(self.path.read_bytes(), type=dict[str, ToldLessons])
        except FileNotFoundError:
            self._games = {}
        except (OSError, msgspec.MsgspecError) as error:
            log.warning("%s can't be read: %s", self.path, error)

    def _write(self) -> None:
        if self.path is None:
            return
        try:
            write_whole(self.path, msgspec.json.encode(self._games))
        except OSError as error:
            log.warning("%s can't be written: %s", self.path, error)
