"""Whether ✔ can have been meant for what is asked now."""

from __future__ import annotations

from collections.abc import Callable

# Seconds. A ✔ this soon after the question changed by itself was meant for the question before.
HOLD_OFF_SECONDS = 0.3


class Arming:
    """Holds ✔ off for a moment after the question changed without anybody's press."""

    def __init__(self, clock: Callable[[], float]):
        self._clock = clock
        self._ready_at = 0.0

    def disarm(self) -> None:
        """Ignore ✔ for a moment: the question has changed by itself."""
        self._ready_at = self._clock() + HOLD_OFF_SECONDS

    def release(self) -> None:
        """Take ✔ again at once: a press from a phone names its question, so it can't be meant for an older one."""
        self._ready_at = 0.0

    @property
    def is_ready(self) -> bool:
        """Whether ✔ counts now."""
        return self.was_ready(0.0)

    def was_ready(self, ago: float) -> bool:
        """Whether a ✔ that went down some seconds ago counts."""
        return self._clock() - ago >= self._ready_at
