"""What a session tells: typed events, and any number of subscribers to each."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from companion.text import Text
from hardware.flourishes import Flourish

if TYPE_CHECKING:
    from companion.session.situation import Situation

log = logging.getLogger(__name__)


class Began(Struct, frozen=True):
    """A game begins or goes on: which one, and its options."""

    game: str
    options: Any


class Told(Struct, frozen=True):
    """A move was made: its number, its notation and what happened, as everybody may know it."""

    number: int
    move: str
    told: tuple[Text, ...]


class Flourished(Struct, frozen=True):
    """A short animation of the lights."""

    flourish: Flourish


class Sounded(Struct, frozen=True):
    """A sound that goes with what happened, by its name."""

    sound: str


class Spoken(Struct, frozen=True):
    """A sentence for the voice."""

    text: Text


class SoundRule(Struct, frozen=True):
    """Whether the box must not make a sound from now on."""

    is_silent: bool


class Faulted(Struct, frozen=True):
    """A device is missing, or is back."""

    name: str
    is_active: bool


class Changed(Struct, frozen=True):
    """Something that can be seen has changed: the situation as it is now, with what not everybody may know."""

    shown: Situation


class AskedAgain(Struct, frozen=True):
    """Somebody asked "what now?": everything is told again."""


class SwitchedOff(Struct, frozen=True):
    """Somebody held both arrows until the end: the machine is to be shut down."""


SessionEvent = Began | Told | Flourished | Sounded | Spoken | SoundRule | Faulted | Changed | AskedAgain | SwitchedOff
E = TypeVar("E", bound=SessionEvent)


class EventBus:
    """Who hears of what. Subscribers hear each event at once, in the order in which they subscribed.

    One that fails is logged; the others and the game go on.
    """

    def __init__(self) -> None:
        self._subscribers: dict[type[Any], list[Callable[[Any], None]]] = {}

    def subscribe(self, kind: type[E], hear: Callable[[E], None]) -> None:
        """Have every event of a kind told from now on."""
        self._subscribers.setdefault(kind, []).append(hear)

    def publish(self, event: SessionEvent) -> None:
        """Tell an event to all who subscribed to its kind."""
        for hear in tuple(self._subscribers.get(type(event), ())):
            try:
                hear(event)
            except Exception:
                log.exception("a subscriber to %s has failed", type(event).__name__)
