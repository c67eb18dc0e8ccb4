"""Something that is shown for some seconds after it came up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Timed(Generic[T]):
    """A value that ends by itself.

    >>> now = 0.0
    >>> fault: Timed[str] = Timed(lambda: now, seconds=4)
    >>> fault.show("no-camera")
    >>> fault.value, fault.due
    ('no-camera', 4.0)
    >>> now = 4.0
    >>> fault.value is None
    True
    """

    def __init__(self, clock: Callable[[], float], seconds: float):
        self._clock = clock
        self._seconds = seconds
        self._value: T | None = None
        self._ends = 0.0

    def show(self, value: T) -> None:
        """Show it from now on, for its seconds."""
        self._value, self._ends = value, self._clock() + self._seconds

    def hide(self) -> None:
        """Show it no longer."""
        self._value = None

    @property
    def value(self) -> T | None:
        """What is shown now."""
        return self._value if self._clock() < self._ends else None

    @property
    def due(self) -> float | None:
        """When it ends; None once that was seen to."""
        return self._ends if self._value is not None else None

    def expire(self) -> None:
        """See to what has had its time."""
        self._value = self.value
