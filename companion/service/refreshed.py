"""A value that is looked up anew now and then, for loops that ask for it at every turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Refreshed(Generic[T]):
    """What was found is believed for some seconds.

    >>> now, found = 0.0, "one"
    >>> word = Refreshed(lambda: found, lambda: now, seconds=5)
    >>> word()
    'one'
    >>> found = "other"
    >>> word()
    'one'
    >>> now = 5.0
    >>> word()
    'other'
    """

    def __init__(self, find: Callable[[], T], clock: Callable[[], float], seconds: float):
        self._find = find
        self._clock = clock
        self._seconds = seconds
        self._found: tuple[float, T] | None = None

    def __call__(self) -> T:
        """The value now."""
        if self._found is None or self._clock() >= self._found[0]:
            self._found = self._clock() + self._seconds, self._find()
        return self._found[1]
