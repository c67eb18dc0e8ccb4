"""How the page reaches the owner of the session.

The page has a loop of its own, in a thread of its own, and touches nothing of the box. What there is to show comes over
as frozen values. What somebody wants done goes to the owner as a change, and is done only if the box is still as it was
when the page decided on it. Both ways keep their order: who hears that a change is made has what it changed already.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

from msgspec import Struct

from companion.session.loop import Runner
from companion.session.session import Session
from companion.session.situation import Recognition, Situation
from companion.table.menu import Unfinished
from hardware.flourishes import Flourish

log = logging.getLogger(__name__)
T = TypeVar("T")
SessionChange = Callable[[Session], T]
"""What only the owner may do to the session, and its answer."""


class Showing(Struct, frozen=True):
    """The box at one moment, as the page knows it; `number` grows with every change.

    `unfinished` are the games that can go on, while none runs.
    """

    number: int
    shown: Situation
    recognised: Recognition
    unfinished: tuple[Unfinished, ...] = ()


class GoneOn(Exception):
    """The box has changed since the page decided on a change. What it is now has come over already."""


class ChangeDone(Struct, Generic[T], frozen=True):
    """What a change came to, and the number of the showing that it left."""

    answer: T
    number: int


class OwnerProxy:
    """The owner as the page knows it. `changed` and `flourished` are called by the owner, the rest by the page."""

    def __init__(self, session: Session, runner: Runner):
        self._session = session
        self._runner = runner
        self._page: asyncio.AbstractEventLoop | None = None
        self._on_showing: Callable[[Showing], None] = lambda showing: None
        self._play: Callable[[Situation, Flourish], None] = lambda shown, flourish: None
        self.showing = Showing(1, session.shown, session.recognised, self._unfinished(session.shown))

    # What the owner calls

    def changed(self) -> None:
        """Something that can be seen may have changed: the page gets all of it anew."""
        last, shown, recognised = self.showing, self._session.shown, self._session.recognised
        if (shown, recognised) == (last.shown, last.recognised):
            return
        self.showing = Showing(last.number + 1, shown, recognised, self._unfinished(shown, last))
        self.call_in_page(self._on_showing, self.showing)

    def flourished(self, flourish: Flourish) -> None:
        """The panel plays a flourish."""
        self.call_in_page(self._play, self._session.shown, flourish)

    def _unfinished(self, shown: Situation, last: Showing | None = None) -> tuple[Unfinished, ...]:
        """Asked of the record once: as long as no game runs, none comes to be left unfinished."""
        if shown.running is not None:
            return ()
        return self._session.unfinished if last is None else last.unfinished

    def call_in_page(self, act: Callable[..., None], *args: Any) -> None:
        """Have something called in the page's loop; one that has ended calls nothing more."""
        if self._page is not None:
            with contextlib.suppress(RuntimeError):
                self._page.call_soon_threadsafe(act, *args)

    # What the page calls

    def connect(
        self,
        page: asyncio.AbstractEventLoop,
        on_showing: Callable[[Showing], None],
        play: Callable[[Situation, Flourish], None],
    ) -> None:
        """From now on the page's loop hears of everything."""
        self._on_showing, self._play = on_showing, play
        self._page = page
        self.call_in_page(lambda: on_showing(self.showing))

    def post(self, change: SessionChange[None]) -> None:
        """Have something done whatever the box is like by then; from any thread."""

        def run() -> None:
            try:
                change(self._session)
            except Exception as error:
                log.error("page: %s", origin_of(error))

        self._runner.post(run)

    def change(
        self, change: SessionChange[T], number: int | None, answer: asyncio.Future[ChangeDone[T]]
    ) -> Future[None]:
        """Have something done if the box is still at this showing; None is for whatever it shows.

        Who gives up waiting cancels what is returned.
        """
        ticket: Future[None] = Future()

        def run() -> None:
            if not ticket.set_running_or_notify_cancel():
                return
            try:
                if number not in (None, self.showing.number):
                    raise GoneOn
                done = change(self._session)
            except Exception as error:
                self.call_in_page(fail, answer, error)
            else:
                self.call_in_page(succeed, answer, ChangeDone(done, self.showing.number))

        self._runner.post(run)
        return ticket


def succeed(answer: asyncio.Future[ChangeDone[T]], done: ChangeDone[T]) -> None:
    """A change is made."""
    if not answer.done():
        answer.set_result(done)


def fail(answer: asyncio.Future[Any], error: Exception) -> None:
    """A change can't be made."""
    if not answer.done():
        answer.set_exception(error)


def origin_of(error: BaseException) -> str:
    """What kind of error it is and where it arose, but not its words: they may quote a card or a cookie."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__} at {frames[-1].filename}:{frames[-1].lineno}" if frames else type(error).__name__
