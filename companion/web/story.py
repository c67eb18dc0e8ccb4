"""A game told again from its steps, as everybody may know it: the log of a page that came late."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from companion.games.text import Text
from companion.play import Play, tell_step


class Chapter(Struct, frozen=True):
    """What one step did."""

    move: str
    told: tuple[Text, ...]


def chapter(play: Play, number: int) -> Chapter:
    """Step `number` told; what only a seat knows stays hidden."""
    return Chapter(play.steps[number - 1].text, tell_step(play, number, lambda event: event.heard_by(None)))


class Story:
    """The chapters of the running game, kept as long as they hold."""

    def __init__(self) -> None:
        self._play: Play | None = None
        self._chapters: list[Chapter] = []

    def of(self, play: Play) -> Sequence[Chapter]:
        """Every step so far."""
        if play is not self._play:
            self._play, self._chapters = play, []
        moves = play.moves
        same = 0
        for kept, move in zip(self._chapters, moves, strict=False):
            if kept.move != move:
                break
            same += 1
        del self._chapters[same:]
        self._chapters += [chapter(play, number) for number in range(same + 1, len(moves) + 1)]
        return self._chapters
