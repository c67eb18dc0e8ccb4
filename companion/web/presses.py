"""Lets a phone press several times in a row: changes that it made itself don't make its next ✔ stale."""

from __future__ import annotations

from msgspec import Struct


class OwnChanges(Struct, frozen=True):
    """A stretch of moments in which nothing changed but by one phone's own presses."""

    first: int
    last: int


class Presses:
    """Which moments follow each other by a phone's own hand.

    >>> presses = Presses()
    >>> presses.note("phone", 5, 6, is_same_question=True)
    >>> presses.moment_meant("phone", 5, 6), presses.moment_meant("other", 5, 6), presses.moment_meant("phone", 5, 7)
    (6, 5, 5)
    """

    def __init__(self) -> None:
        self._runs: dict[str, OwnChanges] = {}

    def moment_meant(self, device: str, moment: int, now: int) -> int:
        """The moment that a press counts for: now, if all that has changed since is the phone's own doing."""
        run = self._runs.get(device)
        return now if run is not None and run.first <= moment and run.last == now else moment

    def note(self, device: str, before: int, after: int, *, is_same_question: bool) -> None:
        """A press was made; one that answered the question ends the run: nobody answers two with a double tap."""
        run = self._runs.pop(device, None)
        if is_same_question:
            self._runs[device] = OwnChanges(run.first if run is not None and run.last == before else before, after)
