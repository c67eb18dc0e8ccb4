"""Somebody at the door: a phone that wants something which only people beside the box can grant."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from companion.session.events import EventBus, Flourished
from companion.session.situation import Knock
from companion.text import Text
from hardware import flourishes
from hardware.flourishes import Flourish

# A hold that ends this soon began before anybody could have compared the lights: it was meant for the game.
MIN_HOLD_SECONDS = 2.0
# The sign comes again and again; in between the panel shows what the game asks.
VISITOR_SIGN_SECONDS = 5.0


class Visitor(Struct, frozen=True):
    """A wish that stands beside the game's question and takes nothing from it.

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
        """Whether a hold of ✔ that ends now was meant for the visitor."""
        return now >= self.since + MIN_HOLD_SECONDS


class VisitorSign:
    """Who stands at the door now, and when their sign is shown again."""

    def __init__(self, bus: EventBus, clock: Callable[[], float]):
        self._bus = bus
        self._clock = clock
        self._visitor: Visitor | None = None
        self._sign_again = 0.0

    def receive(self, visitor: Visitor | None) -> None:
        """Show the sign of who comes, or that nobody is at the door."""
        self._visitor = visitor
        self._sign_again = self._clock()
        self.mind()

    def mind(self) -> None:
        """Show the visitor's sign now and then; one whose time is over is passed by."""
        now, visitor = self._clock(), self._visitor
        if visitor is not None and now >= visitor.ends:
            self._visitor = None
            visitor.pass_by()
        elif visitor is not None and now >= self._sign_again:
            self._sign_again = now + VISITOR_SIGN_SECONDS
            self._bus.publish(Flourished(visitor.sign))

    def welcome(self) -> bool:
        """✔ was held: grant the visitor's wish, if that can have been meant."""
        visitor = self._visitor
        if visitor is None or not visitor.is_granted_by_a_hold(self._clock()):
            return False
        self._visitor = None
        self._bus.publish(Flourished(flourishes.ACCEPTED))
        visitor.grant()
        return True

    @property
    def knock(self) -> Knock | None:
        """Who is there, as a value."""
        visitor = self._visitor
        return None if visitor is None else Knock(visitor.sign, visitor.text, visitor.code)

    @property
    def due(self) -> float | None:
        """When the sign is shown again, or the visitor's time is over."""
        return None if self._visitor is None else min(self._visitor.ends, self._sign_again)
