"""A knock beside the game: a phone wishes something that only people beside the box can grant, by a hold of ✔."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from companion.session.events import EventBus, Flourished
from companion.session.situation import KnockShown
from companion.text import Text
from hardware import flourishes
from hardware.flourishes import Flourish

# A hold that ends this soon began before anybody could have compared the lights: it was meant for the game.
MIN_HOLD_SECONDS = 2.0
# The sign comes again and again; in between the panel shows what the game asks.
KNOCK_SIGN_SECONDS = 5.0


class PendingKnock(Struct, frozen=True):
    """A knock that waits for an answer, beside the game's question.

    Its sign is a flourish, so that the question is seen in between; only a hold of ✔ on the box itself grants it, since
    a press answers the game. Nobody has to refuse: the wish ends by itself.
    """

    sign: Flourish
    text: Text
    grant: Callable[[], None]
    pass_by: Callable[[], None]
    since: float
    ends: float
    code: str = ""

    def is_granted_by_a_hold(self, now: float) -> bool:
        """Whether a hold of ✔ that ends now was meant for this knock."""
        return now >= self.since + MIN_HOLD_SECONDS


class Knocking:
    """Which knock waits now, and when its sign is shown again."""

    def __init__(self, bus: EventBus, clock: Callable[[], float]):
        self._bus = bus
        self._clock = clock
        self._knock: PendingKnock | None = None
        self._sign_again = 0.0

    def on_knock(self, knock: PendingKnock | None) -> None:
        """Show the sign of a phone that knocks; None clears it."""
        self._knock = knock
        self._sign_again = self._clock()
        self.tick()

    def tick(self) -> None:
        """Show the sign every few seconds; a knock whose time is over is passed by."""
        now, knock = self._clock(), self._knock
        if knock is not None and now >= knock.ends:
            self._knock = None
            knock.pass_by()
        elif knock is not None and now >= self._sign_again:
            self._sign_again = now + KNOCK_SIGN_SECONDS
            self._bus.publish(Flourished(knock.sign))

    def grant(self) -> bool:
        """✔ was held: grant the wish, if the hold can have been meant for it; whether it was."""
        knock = self._knock
        if knock is None or not knock.is_granted_by_a_hold(self._clock()):
            return False
        self._knock = None
        self._bus.publish(Flourished(flourishes.ACCEPTED))
        knock.grant()
        return True

    @property
    def shown(self) -> KnockShown | None:
        """The knock that waits, as a value."""
        knock = self._knock
        return None if knock is None else KnockShown(knock.sign, knock.text, knock.code)

    @property
    def due(self) -> float | None:
        """When the sign is shown again, or the knock's time is over."""
        return None if self._knock is None else min(self._knock.ends, self._sign_again)
