"""What the box has to say about what people did: a complaint with its pattern of lights, or a notice."""

from __future__ import annotations

from collections.abc import Callable

from companion.session.game_observer import GameObserver
from companion.session.timed import Timed
from companion.text import Text
from hardware.panel import Layer

# Seconds for which the pattern of a refusal is shown; its words stay.
REFUSAL_SECONDS = 4.0


class Remarks(GameObserver):
    """The complaint and the notice that stand now."""

    def __init__(self, clock: Callable[[], float], refused: Callable[[str], None] = lambda code: None):
        self.complaint: Text | None = None
        self.notice: Text | None = None
        self._refused = refused
        self._pattern: Timed[Layer] = Timed(clock, REFUSAL_SECONDS)

    def complain(self, reason: Text, pattern: Layer | None = None, code: str = "") -> None:
        """Say what is wrong, with a pattern of lights for a moment; a code means that a rule refuses it."""
        self.complaint = reason
        if pattern is not None:
            self._pattern.show(pattern)
        if code:
            self._refused(code)

    def note(self, notice: Text) -> None:
        """Say something that is no complaint."""
        self.notice = notice

    def withdraw_complaint(self) -> None:
        """The complaint holds no longer."""
        self.complaint = None
        self._pattern.hide()

    def darken(self) -> None:
        """End the pattern of lights; the words stay."""
        self._pattern.hide()

    def on_question_over(self) -> None:
        """Forget all remarks: the question is answered."""
        self.withdraw_complaint()
        self.notice = None

    @property
    def pattern(self) -> Layer | None:
        """The lights of the last refusal, as long as they are shown."""
        return self._pattern.value

    @property
    def due(self) -> float | None:
        """When the pattern ends; None once that was seen to."""
        return self._pattern.due

    def expire(self) -> None:
        """See to what has had its time."""
        self._pattern.expire()
