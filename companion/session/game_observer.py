"""A part of a session that goes along with its game."""

from __future__ import annotations


class GameObserver:
    """Is told how the running game goes on, before anybody outside hears of it."""

    def on_new_game(self) -> None:
        """Another game is on the table."""

    def on_question_over(self) -> None:
        """The question is answered or taken back: forget what was held for it."""

    def on_undo(self) -> None:
        """The last steps were taken back: the table as it lies isn't meant."""

    def on_question(self) -> None:
        """The next question stands."""
