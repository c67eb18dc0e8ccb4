"""Pairing by presence: a phone knocks and shows a sign, the panel shows the same one, somebody presses ✔ there."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable
from typing import Literal

from msgspec import Struct, structs

from hardware.panel import BAR, SUITS, Glow, Layer, Parts, Reading

# How long a phone waits at the door, how many may wait, and how long a refused address stays out.
PATIENCE = 60.0
MOST_WAITING = 4
BANISHED = 600.0
KEPT = 300.0

Status = Literal["waiting", "next", "admitted", "refused", "expired"]


class Sign(Struct, frozen=True):
    """What phone and panel both show: a place on the bar, and a colour where the panel has colours."""

    place: int
    suit: str = ""

    @property
    def layer(self) -> Layer:
        """The sign on the panel: so many lamps slowly blinking, and the colour."""
        bar = tuple(Glow.SLOW if at < self.place else Glow.OFF for at in range(BAR))
        suits = tuple(Glow.SLOW if name == self.suit else Glow.OFF for name in SUITS)
        return Layer(bar=bar, suits=suits, sky=(Glow.OFF, Glow.OFF), reading=Reading.PLACES)


class Guest(Struct, frozen=True):
    """A phone at the door."""

    id: str
    name: str
    address: str
    sign: Sign
    since: float
    status: Status = "waiting"


class Banished(Exception):
    """This address was refused a moment ago, or too many wait."""


class Door:
    """The phones that want in, one asked about at a time. `ask` shows a guest on the box, None clears it."""

    def __init__(
        self,
        ask: Callable[[Guest | None], None],
        clock: Callable[[], float],
        parts: Parts,
        rng: random.Random | None = None,
    ):
        self._ask = ask
        self._clock = clock
        self._parts = parts
        self._rng = rng or random.SystemRandom()
        self._guests: dict[str, Guest] = {}
        self._banished: dict[str, float] = {}
        self.asked: str | None = None

    def knock(self, name: str, address: str) -> Guest:
        """A phone asks to be let in. Raises `Banished`."""
        now = self._clock()
        self._sweep(now)
        waiting = [guest for guest in self._guests.values() if guest.status in ("waiting", "next")]
        if self._banished.get(address, 0.0) > now or len(waiting) >= MOST_WAITING:
            raise Banished
        # One address waits once: knocking again replaces the old knock.
        for guest in waiting:
            if guest.address == address:
                self._set(guest.id, "expired")
        taken = {guest.sign for guest in self._guests.values() if guest.status in ("waiting", "next")}
        guest = Guest(secrets.token_hex(16), name[:60], address, self._fresh_sign(taken), now)
        self._guests[guest.id] = guest
        self._next()
        return self._guests[guest.id]

    def status(self, guest: str) -> Guest | None:
        """How it stands with a guest; None for one nobody remembers."""
        self._sweep(self._clock())
        return self._guests.get(guest)

    def answer(self, guest: str, is_welcome: bool) -> None:
        """Somebody pressed ✔ or ✖ on the box, or nobody did in time."""
        known = self._guests.get(guest)
        if known is None or known.status not in ("next", "waiting"):
            return
        late = self._clock() >= known.since + PATIENCE
        self._set(guest, "admitted" if is_welcome else "expired" if late else "refused")
        if not is_welcome and not late:
            self._banished[known.address] = self._clock() + BANISHED
        self.asked = None
        self._next()

    def enter(self, guest: str) -> Guest | None:
        """An admitted guest comes in, once; None for anybody else."""
        known = self._guests.get(guest)
        if known is None or known.status != "admitted":
            return None
        return self._guests.pop(guest)

    def _fresh_sign(self, taken: set[Sign]) -> Sign:
        suits = [suit for suit in SUITS if suit in self._parts.lamps] or [""]
        places = range(1, max(2, min(self._parts.bar, BAR)) + 1)
        free = [sign for place in places for suit in suits if (sign := Sign(place, suit)) not in taken]
        return self._rng.choice(free)

    def _next(self) -> None:
        """Ask about the one who waits longest."""
        if self.asked is not None:
            return
        waiting = next((guest for guest in self._guests.values() if guest.status == "waiting"), None)
        if waiting is None:
            self._ask(None)
            return
        self._guests[waiting.id] = structs.replace(waiting, status="next", since=self._clock())
        self.asked = waiting.id
        self._ask(self._guests[waiting.id])

    def _set(self, guest: str, status: Status) -> None:
        self._guests[guest] = structs.replace(self._guests[guest], status=status)
        if self.asked == guest and status != "next":
            self.asked = None

    def _sweep(self, now: float) -> None:
        for guest in list(self._guests.values()):
            if guest.status == "waiting" and now >= guest.since + PATIENCE * MOST_WAITING:
                self._set(guest.id, "expired")
            if now >= guest.since + KEPT:
                del self._guests[guest.id]
        self._banished = {address: until for address, until in self._banished.items() if until > now}
