"""A game told again from its moves, as everybody may know it: the log of a page that came late."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from companion.games.game import Game
from companion.games.notation import read_move
from companion.games.text import Text
from companion.play import Play


class Chapter(Struct, frozen=True):
    """What one move did."""

    move: str
    told: tuple[Text, ...]


def chapter(game: Game[Any], before: Any, move: str) -> Chapter:
    """One move told; what only a seat knows stays hidden."""
    _, events = game.apply(before, read_move(game, move))
    return Chapter(move, tuple(game.tell(event.heard_by(None)) for event in events))


class Story:
    """The chapters of the running game, kept as long as they hold."""

    def __init__(self) -> None:
        self._play: Play | None = None
        self._chapters: list[Chapter] = []

    def of(self, play: Play) -> Sequence[Chapter]:
        """Every move so far."""
        if play is not self._play:
            self._play, self._chapters = play, []
        moves = play.moves
        same = 0
        for kept, move in zip(self._chapters, moves, strict=False):
            if kept.move != move:
                break
            same += 1
        del self._chapters[same:]
        for number in range(same, len(moves)):
            self._chapters.append(chapter(play.game, play.state_at(number), moves[number]))
        return self._chapters
