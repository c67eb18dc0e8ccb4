"""A file by which the service asks a helper of root's for something, and whether the helper has answered."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from companion.files import write_whole

# So long root's helper may take to begin.
ANSWER_SECONDS = 60.0


class RootRequest:
    """The request with a name in the service's runtime folder; without systemd there is nobody to ask.

    `answer` is the file that the helper writes whole. Ask whether a request is unanswered before the answer is read:
    the other way round, one that comes in between is missed.
    """

    def __init__(
        self,
        name: str,
        answer: Path,
        environment: Mapping[str, str] = os.environ,
        clock: Callable[[], float] = time.monotonic,
    ):
        runtime = environment.get("RUNTIME_DIRECTORY", "").split(":")[0]
        self._path = Path(runtime) / name if runtime else None
        self._answer = answer
        self._clock = clock
        self._unanswered: int | None = None
        self._given_up = 0.0

    @property
    def can_ask(self) -> bool:
        """Whether there is somebody to ask."""
        return self._path is not None

    @property
    def is_unanswered(self) -> bool:
        """Whether root was asked a moment ago and hasn't said anything yet."""
        if self._unanswered is not None and (self._stamp() != self._unanswered or self._clock() > self._given_up):
            self._unanswered = None
        return self._unanswered is not None

    def leave(self, content: bytes, mode: int = 0o644) -> None:
        """Ask root for something. Raises `OSError`."""
        assert self._path is not None
        self._unanswered, self._given_up = self._stamp(), self._clock() + ANSWER_SECONDS
        write_whole(self._path, content, mode, is_lasting=False)

    def _stamp(self) -> int:
        """When root said something last."""
        try:
            return self._answer.stat().st_mtime_ns
        except OSError:
            return 0
