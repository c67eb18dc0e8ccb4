"""A question that answers itself after a while: a rule's window, in which everybody may still say something."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.game import Move
from companion.session.follow import Follow
from companion.session.game_session import GameSession
from companion.session.teaching import Teaching


class AnswerWindow:
    """When the window of the pending question is over, and the move that is its answer then."""

    def __init__(self, game: GameSession, follow: Follow, teaching: Teaching, clock: Callable[[], float]):
        self._game = game
        self._follow = follow
        self._teaching = teaching
        self._clock = clock
        self.due: float | None = None

    def restart(self) -> None:
        """Begin the question's time anew; most questions have none."""
        _, host = self._game.playing()
        window = None if self._game.is_over else host.window(self._game.public_state)
        self.due = None if window is None else self._clock() + window.seconds

    def tick(self) -> Move | None:
        """The answer if the window is over; it stays open while the table answers, or learners read."""
        if self.due is None or self._clock() < self.due:
            return None
        window, self.due = self._game.playing()[1].window(self._game.public_state), None
        if window is None:
            return None
        if self._follow.delays_answer or (window.waits_for_learners and self._teaching.has_taught):
            self.due = self._clock() + window.seconds
            return None
        return window.move
