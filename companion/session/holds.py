"""What only a hold of ✔ does: an ending, or a game that is left for another."""

from __future__ import annotations

from collections.abc import Callable

from companion.session.arming import Arming
from companion.session.situation import Hold
from companion.text import Text
from hardware.button_signals import HOLD_STARTS_SECONDS

HeldAction = Callable[[], object]


class Holds:
    """What waits for a hold, and whether ✔ is down for it."""

    def __init__(self, arming: Arming):
        self._arming = arming
        self._waiting: tuple[Text, HeldAction] | None = None
        self._is_down = self._is_at_once = False

    @property
    def shown(self) -> Hold | None:
        """What waits for a hold of ✔."""
        return None if self._waiting is None else Hold(self._waiting[0], self._is_down)

    def __bool__(self) -> bool:
        """Whether something waits."""
        return self._waiting is not None

    def request(self, label: Text, action: HeldAction) -> None:
        """From now on only a hold of ✔ does this; a ✔ that is down already doesn't count."""
        self._waiting, self._is_down, self._is_at_once = (label, action), False, False

    def cancel(self) -> None:
        """What waited isn't meant."""
        self._waiting = None

    def on_holding(self, lit: tuple[Text, HeldAction] | None) -> None:
        """✔ stays down: for what waits, or at once for an option under the light that takes a hold.

        Whoever went for “what now?” before the sign of a hold was there didn't mean the hold.
        """
        if self._waiting is None and lit is not None:
            self._waiting, self._is_at_once = lit, True
        self._is_down = self._is_at_once or self._arming.was_ready(HOLD_STARTS_SECONDS)

    def let_go(self) -> None:
        """✔ came up; what it did at once waits no longer."""
        if self._is_at_once:
            self._waiting, self._is_at_once = None, False
        self._is_down = False

    def complete(self) -> HeldAction | None:
        """✔ was held long enough: what is to be done."""
        if self._waiting is None or not self._is_down:
            return None
        (_, action), self._waiting = self._waiting, None
        return action
