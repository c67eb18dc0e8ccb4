"""What hands do on the buttons: presses, holds, an arrow that runs, ◀+▶ for shutdown, out of raw contact changes.

Pure: no clock and no thread, only the times it's told. One hold never yields both a press and a long press.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from msgspec import Struct

from hardware.panel import Button

DEBOUNCE_SECONDS = 0.02
"""A contact counts once it has kept its level this long; shorter changes are bounce."""
LONG_PRESS_SECONDS = {Button.CONFIRM: 1.0, Button.BACK: 2.0}
CHORD = frozenset({Button.LEFT, Button.RIGHT})
CHORD_SECONDS = 5
RUN_AFTER, RUN_EVERY, MAX_RUNS = 0.6, 0.2, 60
"""A held arrow steps on after so many seconds, then every so many, and stops: a thing may lie on it."""
HOLD_STARTS_SECONDS = 0.25
"""After so long a ✔ that is down counts as held; a press is shorter."""
END_HOLD_SECONDS = 2.0
"""So long ✔ is held to end a game."""


class Press(Struct, frozen=True):
    """A button went down and came up again."""

    button: Button


class LongPress(Struct, frozen=True):
    """✔ was held for a second ("what now?"), or ✖ for two (the menu). Comes while it's still down."""

    button: Button


class Run(Struct, frozen=True):
    """◀ or ▶ is held and steps on. Comes again and again while it's down."""

    button: Button


class Holding(Struct, frozen=True):
    """✔ is being held. A short press never says so."""

    button: Button


class LetGo(Struct, frozen=True):
    """✔ was being held, and came up."""

    button: Button


class HeldToEnd(Struct, frozen=True):
    """✔ was held for `END_HOLD_SECONDS`. Comes while it's still down."""

    button: Button


class Countdown(Struct, frozen=True):
    """◀ and ▶ are held together; the box shuts down in `left` seconds."""

    left: int


class CountdownStopped(Struct, frozen=True):
    """◀ or ▶ was let go in time."""


class Shutdown(Struct, frozen=True):
    """◀ and ▶ were held together for five seconds."""


# Inside, time is whole microseconds: sums of seconds round, and a hold of exactly 1 s must count as one.
_SECOND = 1_000_000

Signal = Press | LongPress | Run | Holding | LetGo | HeldToEnd | Countdown | CountdownStopped | Shutdown


_HELD: dict[type[Holding | HeldToEnd], float] = {Holding: HOLD_STARTS_SECONDS, HeldToEnd: END_HOLD_SECONDS}


class _Contact:
    """One button's contact: raw level, debounced level, and whether this hold has sent its signal."""

    def __init__(self, held: bool):
        self.raw = held
        self.changed = -math.inf
        self.is_down = held
        self.since = -math.inf
        # Held since before we started: that's a thing lying on the button, not a decision.
        self.is_spent = held
        self.is_stuck = held
        self.runs = MAX_RUNS
        self.sent: set[type[Holding | HeldToEnd]] = set()

    @property
    def debounced_at(self) -> float:
        return math.inf if self.raw == self.is_down else self.changed + DEBOUNCE_SECONDS * _SECOND


class ButtonDecoder:
    """The state machine. Feed it contact changes, advance it to a time, take the signals.

    Times never run backwards; what comes late is taken as happening at the last known time.

    >>> decoder = ButtonDecoder()
    >>> decoder.feed(0.0, Button.CONFIRM, True), decoder.feed(0.1, Button.CONFIRM, False), decoder.advance(0.5)
    ([], [], [Press(button=<Button.CONFIRM: 'confirm'>)])
    """

    def __init__(self, held: Iterable[Button] = ()):
        held = set(held)
        self._contacts = {button: _Contact(button in held) for button in Button}
        self._now = -math.inf
        self._chord: float | None = None
        self._left = CHORD_SECONDS

    def feed(self, time: float, button: Button, down: bool) -> list[Signal]:
        """A contact changed; returns what became certain up to then."""
        signals = self.advance(time)
        contact = self._contacts[button]
        if contact.raw != down:
            contact.raw = down
            contact.changed = self._now
        return signals

    def advance(self, time: float) -> list[Signal]:
        """Everything that is certain by `time`."""
        self._now = max(self._now, round(time * _SECOND))
        signals: list[Signal] = []
        while (due := self._due()) <= self._now:
            signals += self._happen(due)
        return signals

    @property
    def due(self) -> float:
        """When something happens next if no contact changes; infinity if nothing does."""
        return self._due() / _SECOND

    def _due(self) -> float:
        return min(
            min(contact.debounced_at for contact in self._contacts.values()),
            min(self._long_due(button) for button in LONG_PRESS_SECONDS),
            min(self._run_due(button) for button in CHORD),
            min(self._held_due(kind) for kind in _HELD),
            self._tick_due(),
        )

    def _happen(self, due: float) -> list[Signal]:
        # At one instant a release comes before a press: who lets go of ◀ as ▶ goes down isn't holding both.
        due_now = [button for button, contact in self._contacts.items() if contact.debounced_at == due]
        for button in sorted(due_now, key=lambda one: self._contacts[one].raw):
            return self._debounced(button)
        for button in LONG_PRESS_SECONDS:
            if self._long_due(button) == due:
                self._contacts[button].is_spent = True
                return [LongPress(button)]
        for button in sorted(CHORD):
            if self._run_due(button) == due:
                contact = self._contacts[button]
                contact.is_spent, contact.runs = True, contact.runs + 1
                return [Run(button)]
        for kind in _HELD:
            if self._held_due(kind) == due:
                self._contacts[Button.CONFIRM].sent.add(kind)
                return [kind(Button.CONFIRM)]
        self._left -= 1
        if self._left:
            return [Countdown(self._left)]
        self._chord = None
        return [Shutdown()]

    def _debounced(self, button: Button) -> list[Signal]:
        contact = self._contacts[button]
        contact.is_down = contact.raw
        if contact.is_down:
            contact.since, contact.is_spent, contact.runs, contact.sent = contact.changed, False, 0, set()
            if button in CHORD:
                self._maybe_chord()
            return []
        signals: list[Signal] = [LetGo(button)] if Holding in contact.sent else []
        signals += [] if contact.is_spent else [Press(button)]
        contact.is_stuck, contact.runs, contact.sent = False, MAX_RUNS, set()
        if button in CHORD and self._chord is not None:
            self._chord = None
            if self._left < CHORD_SECONDS:
                signals.append(CountdownStopped())
        return signals

    def _maybe_chord(self) -> None:
        both = [self._contacts[button] for button in CHORD]
        if all(contact.is_down and not contact.is_stuck for contact in both):
            self._chord, self._left = max(contact.since for contact in both), CHORD_SECONDS
            # Whoever holds both means the chord; a rolled ◀▶ would cancel itself out anyway.
            for contact in both:
                contact.is_spent, contact.runs = True, MAX_RUNS

    def _long_due(self, button: Button) -> float:
        contact = self._contacts[button]
        # A contact that is just coming up may be a short press: wait until it has settled.
        if contact.is_spent or not (contact.is_down and contact.raw):
            return math.inf
        return max(contact.since + LONG_PRESS_SECONDS[button] * _SECOND, contact.changed)

    def _run_due(self, button: Button) -> float:
        contact = self._contacts[button]
        if contact.runs >= MAX_RUNS or not (contact.is_down and contact.raw):
            return math.inf
        return max(contact.since + (RUN_AFTER + contact.runs * RUN_EVERY) * _SECOND, contact.changed)

    def _held_due(self, kind: type[Holding | HeldToEnd]) -> float:
        contact = self._contacts[Button.CONFIRM]
        if contact.is_stuck or kind in contact.sent or not (contact.is_down and contact.raw):
            return math.inf
        return max(contact.since + _HELD[kind] * _SECOND, contact.changed)

    def _tick_due(self) -> float:
        if self._chord is None or not all(self._contacts[button].raw for button in CHORD):
            return math.inf
        latest = max(self._contacts[button].changed for button in CHORD)
        return max(self._chord + (CHORD_SECONDS - self._left + 1) * _SECOND, latest)
