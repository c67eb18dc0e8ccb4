"""The loop that owns the session: signals from the panel and the clock come in here, one at a time."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

from companion.session.session import Session
from hardware.panel import Panel

# The loop wakes at least this often, so that whoever watches it knows that it lives.
MAX_TICK_SECONDS = 2.0


class Runner:
    """Runs a session until it's told to stop. All that happens is posted into its loop; nothing else touches it."""

    def __init__(self, session: Session, panel: Panel, tick: Callable[[], None] | None = None):
        self.session = session
        self.panel = panel
        self.tick = tick
        self._inbox: asyncio.Queue[Callable[[], Any]] = asyncio.Queue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_stopping = False

    def post(self, act: Callable[[], Any]) -> None:
        """Have something done by the loop; from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._inbox.put_nowait, act)

    def stop(self) -> None:
        """End the loop after what it's doing; from any thread."""
        self.post(self._stop)

    def _stop(self) -> None:
        self._is_stopping = True

    async def run(self, begin: Callable[[], None]) -> None:
        """Begin, then serve the session until stopped."""
        self._loop = asyncio.get_running_loop()
        # Only the main thread hears signals; a box in another thread is stopped by its owner.
        is_main = threading.current_thread() is threading.main_thread()
        for number in (signal.SIGTERM, signal.SIGINT) if is_main else ():
            self._loop.add_signal_handler(number, self._inbox.put_nowait, self._stop)
        self.panel.listen(lambda heard: self.post(lambda: self.session.on_signal(heard)))
        begin()
        while not self._is_stopping:
            if self.tick is not None:
                self.tick()
            try:
                act = await asyncio.wait_for(self._inbox.get(), self._patience())
            except TimeoutError:
                self.session.tick()
            else:
                act()

    def _patience(self) -> float:
        due = self.session.due
        return MAX_TICK_SECONDS if due is None else max(0.0, min(MAX_TICK_SECONDS, due - self.session.clock()))


def now() -> float:
    """The clock of the running box: never set back."""
    return time.monotonic()
