"""Knocks: what phones wish that somebody at the box must grant.

Phone and panel show the same sign, and a long ✔ there grants it. No phone can block the others:
knocks are shown in turns, new ones first.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable
from typing import Literal

from msgspec import Struct, structs

from companion.service.network import NetworkWish
from companion.service.pairing import fresh_code, is_same
from companion.web.guard import TokenBuckets
from companion.web.upkeep import BoxDeed
from hardware import flourishes
from hardware.flourishes import Flourish
from hardware.panel import BAR, SUITS, Parts

# How long a knock lives, and how long it's shown at a time while others wait too.
KNOCK_LIFE_SECONDS = 90.0
KNOCK_SHOWN_SECONDS = 12.0
# When more wait than this, the one who has waited longest goes.
MAX_KNOCKS_WAITING = 24
# An address knocks so often at once, and then once in so many seconds.
KNOCKS_AT_ONCE = 3
KNOCK_EVERY_SECONDS = 200.0
FORGET_SECONDS = 300.0
# So many wrong codes a knock may try.
WRONG_CODES_A_KNOCK = 3

# On the wire, too; "shown" is the knock that the panel shows now.
Status = Literal["waiting", "shown", "admitted", "expired"]


class DoorSign(Struct, frozen=True):
    """What phone and panel both show: a number of lamps on the bar, and a colour where the panel has colours."""

    place: int
    suit: str = ""


class SeatWish(Struct, frozen=True):
    """A seat of a game that somebody wants though it has a PIN."""

    game: int
    seat: int


Wanted = SeatWish | NetworkWish | BoxDeed | None


class Knock(Struct, frozen=True):
    """A phone's wish: to come in, a seat, something of the Wi-Fi, or a deed of the box itself.

    `shown_since` is -1 for one that was never shown.
    """

    id: str
    name: str
    address: str
    sign: DoorSign
    since: float
    status: Status = "waiting"
    shown_since: float = -1.0
    wanted: Wanted = None
    code: str = ""
    wrong: int = 0

    @property
    def flourish(self) -> Flourish:
        """The sign as the panel shows it: the sun for who wants in, the moon for a seat, both for the box itself."""
        sky = "sun" if self.wanted is None else "sun moon" if self.is_about_the_box else "moon"
        return flourishes.knock(self.sign.place, self.sign.suit, sky)

    @property
    def is_about_the_box(self) -> bool:
        """Whether the machine itself is to do something."""
        return isinstance(self.wanted, str | NetworkWish)


class TooManyKnocks(Exception):
    """This address has knocked too often; `wait` is how many seconds it must wait."""

    def __init__(self, wait: int):
        super().__init__(wait)
        self.wait = wait


class Door:
    """The knocks that wait, one asked about at a time. `ask` shows a knock on the box, None clears it."""

    def __init__(
        self,
        ask: Callable[[Knock | None], None],
        clock: Callable[[], float],
        parts: Parts,
        rng: random.Random | None = None,
    ):
        self._ask = ask
        self._clock = clock
        self._parts = parts
        self._rng = rng or random.SystemRandom()
        self._knocks: dict[str, Knock] = {}
        self._rate = TokenBuckets(KNOCKS_AT_ONCE, 1 / KNOCK_EVERY_SECONDS, clock)
        self.asked: str | None = None
        self._last_asked = ""

    def knock(self, name: str, address: str, wanted: Wanted = None) -> Knock:
        """A phone has a wish. Raises `TooManyKnocks`."""
        now = self._clock()
        self._sweep(now)
        if not self._rate.allows(address):
            raise TooManyKnocks(self._rate.wait(address))
        # One address waits once: knocking again replaces the old knock.
        for knock in self._waiting():
            if knock.address == address:
                self._set(knock.id, "expired")
        if len(self._waiting()) >= MAX_KNOCKS_WAITING:
            self._set(min(self._waiting(), key=lambda knock: knock.since).id, "expired")
        printable = "".join(letter if letter.isprintable() else " " for letter in name[:60])
        # A seat is freed by a hold alone: whoever asks for it is in already, and may not be at the table.
        code = "" if isinstance(wanted, SeatWish) else fresh_code()
        knock = Knock(secrets.token_hex(16), printable, address, self._fresh_sign(), now, wanted=wanted, code=code)
        self._knocks[knock.id] = knock
        self._next()
        return self._knocks[knock.id]

    def status(self, knock_id: str) -> Knock | None:
        """How it stands with a knock; None for one that nobody remembers."""
        self._sweep(self._clock())
        return self._knocks.get(knock_id)

    def grant(self, knock_id: str) -> Knock | None:
        """Somebody gave this knock a long ✔ on the box."""
        known = self._knocks.get(knock_id)
        if known is None or known.status != "shown":
            return None
        self._set(knock_id, "admitted")
        self._next()
        return self._knocks[knock_id]

    def pass_by(self, knock_id: str) -> None:
        """Its time on the panel is over: the next one is shown, or the same one again."""
        known = self._knocks.get(knock_id)
        if known is not None and known.status == "shown":
            self._set(knock_id, "waiting" if self._clock() < known.since + KNOCK_LIFE_SECONDS else "expired")
        self._next()

    def enter(self, knock_id: str) -> Knock | None:
        """Take what was granted, once: the knock is over. None where nothing was granted."""
        known = self._knocks.get(knock_id)
        if known is None or known.status != "admitted":
            return None
        return self._knocks.pop(knock_id)

    def enter_by_code(self, knock_id: str, code: str) -> Knock | None:
        """Grant a knock whose phone has the code that the box shows or says for it, and take it; None for a wrong one.

        After a few wrong ones it's good no longer, and ✔ on the box is the only way.
        """
        known = self._knocks.get(knock_id)
        if known is None or known.wrong >= WRONG_CODES_A_KNOCK:
            return None
        if not is_same(code, known.code):
            self._knocks[knock_id] = structs.replace(known, wrong=known.wrong + 1)
            return None
        return self.grant_and_enter(knock_id)

    def grant_and_enter(self, knock_id: str) -> Knock | None:
        """Grant a knock to which somebody has agreed otherwise than by ✔, and take what was granted."""
        known = self._knocks.get(knock_id)
        if (
            known is None
            or known.status not in ("waiting", "shown")
            or self._clock() >= known.since + KNOCK_LIFE_SECONDS
        ):
            return None
        self._set(knock_id, "admitted")
        self._next()
        return self.enter(knock_id)

    def box_knock_of(self, address: str) -> Knock | None:
        """The last knock of a phone about the box itself, if anybody remembers."""
        self._sweep(self._clock())
        found = [one for one in self._knocks.values() if one.address == address and one.is_about_the_box]
        return max(found, key=lambda knock: knock.since, default=None)

    def _waiting(self) -> list[Knock]:
        return [knock for knock in self._knocks.values() if knock.status in ("waiting", "shown")]

    def _fresh_sign(self) -> DoorSign:
        taken = {knock.sign for knock in self._waiting()}
        suits = [suit for suit in SUITS if suit in self._parts.lamps] or [""]
        places = range(1, max(2, min(self._parts.bar, BAR)) + 1)
        every = [DoorSign(place, suit) for place in places for suit in suits]
        return self._rng.choice([sign for sign in every if sign not in taken] or every)

    def _next(self) -> None:
        """Ask about a knock that was never shown, the newest first, else about the one shown longest ago."""
        if self.asked is not None:
            return
        waiting = self._waiting()
        if not waiting:
            self._ask(None)
            return
        chosen = min(waiting, key=lambda knock: (knock.shown_since, -knock.since))
        # A knock that is shown again at once keeps the start time: a hold needn't begin anew.
        shown_since = chosen.shown_since if chosen.id == self._last_asked else self._clock()
        self._knocks[chosen.id] = structs.replace(chosen, status="shown", shown_since=shown_since)
        self.asked = self._last_asked = chosen.id
        self._ask(self._knocks[chosen.id])

    def _set(self, knock_id: str, status: Status) -> None:
        self._knocks[knock_id] = structs.replace(self._knocks[knock_id], status=status)
        if self.asked == knock_id and status != "shown":
            self.asked = None

    def _sweep(self, now: float) -> None:
        for knock in list(self._knocks.values()):
            if knock.status == "waiting" and now >= knock.since + KNOCK_LIFE_SECONDS:
                self._set(knock.id, "expired")
            if now >= knock.since + FORGET_SECONDS:
                del self._knocks[knock.id]
                self.asked = None if self.asked == knock.id else self.asked
