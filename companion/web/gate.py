"""Limits slow work: how much runs, how much waits, how much for each caller; others are told to retry."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import ParamSpec, TypeVar

from companion.text import N_, Text
from companion.web.desk import Refused

P = ParamSpec("P")
T = TypeVar("T")
BUSY = Text(N_("The box is busy: try again."))


class Gate:
    """Who may begin something slow."""

    def __init__(self, at_once: int, most: int, each: int, retry_after: int):
        self._slots = asyncio.Semaphore(at_once)
        self._most = most
        self._each = each
        self._retry_after = retry_after
        self._inside: Counter[str] = Counter()

    @asynccontextmanager
    async def enter(self, who: str) -> AsyncIterator[None]:
        """Wait for a turn. Raises `Refused` at once where too many wait, or too much is this caller's already."""
        if self._inside[who] >= self._each:
            raise Refused(429, "too_many", BUSY, self._retry_after)
        if self._inside.total() >= self._most:
            raise Refused(503, "busy", BUSY, self._retry_after)
        self._inside[who] += 1
        try:
            async with self._slots:
                yield
        finally:
            self._inside[who] -= 1
            if not self._inside[who]:
                del self._inside[who]


class SlowTasks:
    """A few threads for what would make the game wait."""

    THREADS = 2

    def __init__(self) -> None:
        # A page asks for as many pictures at once as a browser has connections.
        self._gate = Gate(self.THREADS, most=48, each=12, retry_after=2)
        self._pool = ThreadPoolExecutor(self.THREADS, "page")
        self._is_closed = False

    async def run(self, who: str, act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Have something done in one of them. Raises `Refused`."""
        async with self._gate.enter(who):
            if self._is_closed:
                raise Refused(503, "busy", BUSY)
            try:
                return await asyncio.get_running_loop().run_in_executor(self._pool, lambda: act(*args, **kwargs))
            except asyncio.CancelledError:
                # The box stops, and this hadn't begun; whoever hung up instead has nobody to be told.
                if self._is_closed:
                    raise Refused(503, "busy", BUSY) from None
                raise

    def start(self, act: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Have the box's own work done in one of them; nobody waits for it."""
        if not self._is_closed:
            self._pool.submit(act, *args, **kwargs)

    def close(self) -> None:
        """What hasn't begun never will."""
        self._is_closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)
