"""The clockwork under every lit panel: one thread that sleeps until a lamp or a button needs it.

Nothing runs while nothing changes. Given a clock of its own, it runs no thread and is stepped by hand.
"""

from __future__ import annotations

import heapq
import itertools
import logging
import math
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Iterable

from msgspec import structs

from companion.text import N_, Text
from hardware.button_signals import DEBOUNCE_SECONDS, ButtonDecoder, Signal
from hardware.flourishes import Flourish
from hardware.panel import ALL_PARTS, Button, Listener, Panel, PanelFrame, Parts
from hardware.timing import Animation, levels

log = logging.getLogger(__name__)
TAP_SECONDS = 3 * DEBOUNCE_SECONDS
MAX_CATCH_UP_SECONDS = 2.0
"""Changes heard late, in one go, keep their own distance up to this many seconds: a long press fits in."""
RESTART_SECONDS = 1.0
"""Seconds before a panel whose clockwork failed goes on."""


class LitPanel(Panel):
    """A panel with lamps to draw and contacts to hear. An adapter gives `_draw` and calls `contact`.

    `clock` is for tests and simulations: with one, the owner calls `step()` when time has passed.
    """

    def __init__(
        self,
        parts: Parts = ALL_PARTS,
        clock: Callable[[], float] | None = None,
        held: Iterable[Button] = (),
    ):
        self.parts = parts
        # What `_draw` is called for; a twin that animates by itself draws nothing.
        self._drawn = parts
        self._clock = clock or time.monotonic
        self._buttons = ButtonDecoder(held)
        self._animation = Animation()
        self._levels: dict[str, float] = {}
        self._contacts: list[tuple[float, int, Button, bool]] = []
        self._order = itertools.count()
        self._busy_until = dict.fromkeys(Button, -math.inf)
        self._heard: tuple[float, float] | None = None
        self._listener: Listener | None = None
        self._changed = threading.Condition()
        self._woken = False
        self._closed = False
        self._logged = ""
        self._thread: threading.Thread | None = None
        if clock is None:
            self._thread = threading.Thread(target=self._run, name="panel", daemon=True)

    def start(self) -> None:
        """Begin to keep time, once the adapter is ready to draw."""
        if self._thread is not None:
            self._thread.start()

    def show(self, frame: PanelFrame) -> None:
        """Show a frame until the next one."""
        with self._changed:
            self._animation = self._animation.with_frame(frame, self._clock())
            self._wake()

    def flourish(self, flourish: Flourish) -> None:
        """Lay a flourish over the frame."""
        with self._changed:
            self._animation = structs.replace(self._animation, flourish=flourish, flourish_begun=self._clock())
            self._wake()

    def listen(self, listener: Listener) -> None:
        """Tell this listener what the buttons do."""
        with self._changed:
            self._listener = listener

    def contact(self, button: Button, down: bool, ticks: float | None = None) -> None:
        """A contact closed or opened just now.

        `ticks` is when the system saw it, by any clock of its own: where we were held up, a press and its release come
        in one go, and would look like a bounce, and two buttons pressed one after the other like one chord.
        """
        with self._changed:
            seen_at = self._clock()
            if ticks is not None:
                before, then = self._heard or (ticks, seen_at)
                seen_at = max(seen_at, then + min(ticks - before, MAX_CATCH_UP_SECONDS))
                self._heard = ticks, seen_at
            self._plan(seen_at, button, down)
            self._wake()

    def tap(self, button: Button, seconds: float = TAP_SECONDS) -> None:
        """Hold a button for a while; for twins whose keys can't be held."""
        with self._changed:
            begin = max(self._clock(), self._busy_until[button])
            self._plan(begin, button, True)
            self._plan(begin + seconds, button, False)
            self._busy_until[button] = begin + seconds + TAP_SECONDS
            self._wake()

    def step(self) -> float:
        """Do what is due now; returns when something is due next, infinity if nothing is.

        Belongs to one thread: the panel's own, or the owner of the clock.
        """
        with self._changed:
            if self._closed:
                return math.inf
            now = self._clock()
            signals: list[Signal] = []
            while self._contacts and self._contacts[0][0] <= now:
                seen_at, _, button, down = heapq.heappop(self._contacts)
                signals += self._buttons.feed(seen_at, button, down)
            signals += self._buttons.advance(now)
            self._animation, frame, beat_ends = self._animation.at(now)
            begun = self._animation.frame_begun
            bright, lamp_changes = levels(frame, self._drawn, now - begun)
            planned = self._contacts[0][0] if self._contacts else math.inf
            due = min(self._buttons.due, beat_ends, begun + lamp_changes, planned)
            listener = self._listener
        if bright != self._levels:
            self._levels = bright
            self._safely(self._draw, bright)
        if listener is not None:
            for signal in signals:
                self._safely(listener, signal)
        return due

    def close(self) -> None:
        """Lights off, thread ended, device given back."""
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._wake()
        if self._thread is not None and self._thread.ident and self._thread is not threading.current_thread():
            self._thread.join(timeout=2)
        self._leave()

    @abstractmethod
    def _draw(self, bright: dict[str, float]) -> None:
        """Make the lamps this bright."""

    @abstractmethod
    def _leave(self) -> None:
        """Everything dark, and the device given back."""

    def _plan(self, seen_at: float, button: Button, down: bool) -> None:
        if button in self.parts.buttons:
            heapq.heappush(self._contacts, (seen_at, next(self._order), button, down))

    def _wake(self) -> None:
        self._woken = True
        self._changed.notify_all()

    def _sleep(self, seconds: float) -> None:
        with self._changed:
            if not self._woken:
                self._changed.wait(None if math.isinf(seconds) else max(0.0, seconds))
            self._woken = False

    def _run(self) -> None:
        while not self._closed:
            due = self._clock() + RESTART_SECONDS
            try:
                due = self.step()
            except Exception as error:
                self._failed(error)
            self._sleep(due - self._clock())

    def _safely(self, act: Callable[..., object], *arguments: object) -> None:
        """A broken lamp or listener must not freeze the rest of the panel."""
        try:
            act(*arguments)
        except Exception as error:
            self._failed(error)

    def _failed(self, error: Exception) -> None:
        """Keep the first fault for whoever asks; the same error is logged once, however often a lamp blinks."""
        reason = f"{type(error).__name__}: {error}"
        if self.fault is None:
            self.fault = Text(N_("The panel fails: {reason}"), {"reason": str(error)})
        if reason != self._logged:
            self._logged = reason
            log.error("panel: %s", reason, exc_info=error)
