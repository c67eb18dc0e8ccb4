"""Background work that never ends unnoticed: what goes wrong in it is logged, told as a fault, and tried again."""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Callable

# Seconds before something that failed is tried again; they double with each failure in a row.
FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS = 1.0, 30.0
# After this many good steps the pause is short again: work that fails every other step keeps its pause.
STEPS_TO_TRUST = 30

log = logging.getLogger(__name__)


class ErrorGuard:
    """Runs one kind of step: every error is caught, logged once and reported.

    An error is logged with its traceback the first time that it comes from a place in the code. `tell` is called with
    True when the work begins to fail and with False when it goes well again.
    """

    def __init__(self, name: str, tell: Callable[[bool], None], first_pause: float = FIRST_PAUSE_SECONDS):
        self.name = name
        self.is_failing = False
        self.pause = first_pause
        self._first_pause = first_pause
        self._tell = tell
        self._origins: set[tuple[str, str, int]] = set()
        self._good = 0

    def does(self, step: Callable[[], bool]) -> bool:
        """Run a step; whether it raised nothing. A step that returns False was idle and doesn't count as good."""
        try:
            if step():
                self._well()
        except Exception as error:
            self._failed(error)
            return False
        return True

    def _well(self) -> None:
        self._good += 1
        if self._good > STEPS_TO_TRUST:
            self.pause = self._first_pause
        if self.is_failing:
            self._tell(False)
            self.is_failing = False

    def _failed(self, error: Exception) -> None:
        self._good = 0
        origin = _origin(error)
        if origin not in self._origins:
            self._origins.add(origin)
            log.error("%s: %s", self.name, error, exc_info=error, extra={"fields": {"hush_thread": self.name}})
        if not self.is_failing:
            try:
                self._tell(True)
            except Exception:
                log.exception("%s: the fault can't be told", self.name)
                return
            self.is_failing = True

    def grow(self) -> float:
        """How long to wait now; the next time it's twice as long."""
        pause, self.pause = self.pause, min(self.pause * 2, MAX_PAUSE_SECONDS)
        return pause


def _origin(error: Exception) -> tuple[str, str, int]:
    """What kind of error it is, and where in the code it arose."""
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1] if frames else None
    return (type(error).__name__, last.filename, last.lineno or 0) if last else (type(error).__name__, "", 0)


class Worker:
    """A thread that does a step again and again until it's stopped, whatever happens in it.

    `tell` is called from that thread: True when the steps begin to fail, False when one goes well again. After a
    failure the next step comes after a pause that grows.
    """

    def __init__(
        self,
        name: str,
        step: Callable[[], bool],
        every: float,
        tell: Callable[[bool], None],
        first_pause: float = FIRST_PAUSE_SECONDS,
    ):
        self.guard = ErrorGuard(name, tell, first_pause)
        self._step = step
        self._every = every
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stopping(self) -> None:
        """Do no further step; waits for nothing."""
        self._stop.set()

    def join(self, seconds: float) -> None:
        """Wait for the step under way, but not for long."""
        if self._thread.ident is not None:
            self._thread.join(seconds)

    @property
    def is_alive(self) -> bool:
        """Whether the thread has begun and not ended."""
        return self._thread.is_alive()

    def _run(self) -> None:
        pause = self._every
        while not self._stop.wait(pause):
            pause = self._every
            if not self.guard.does(self._step):
                pause = self.guard.grow()


def tell_of_dead_threads() -> None:
    """Log whatever ends a thread of any room, with its traceback: the last resort, for threads without a guard."""

    def fell(what: threading.ExceptHookArgs) -> None:
        name = "?" if what.thread is None else what.thread.name
        if what.exc_value is not None and not isinstance(what.exc_value, SystemExit):
            fields = {"fields": {"hush_thread": name}}
            log.critical("thread %s has ended: %s", name, what.exc_value, exc_info=what.exc_value, extra=fields)

    threading.excepthook = fell
