"""The pages of phones: told that something has changed, and which flourish to play."""

from __future__ import annotations

from collections.abc import Callable

from companion.outputs import Output
from companion.session.events import Changed, EventBus, Faulted, Flourished
from hardware.flourishes import Flourish


class PageOutput(Output):
    """Passes on to the page's server what its pages must hear of; they ask for the rest themselves."""

    def __init__(self, changed: Callable[[], None], flourish: Callable[[Flourish], None]):
        self._changed = changed
        self._flourish = flourish

    def attach(self, bus: EventBus) -> None:
        """Subscribe to what pages show."""
        bus.subscribe(Changed, lambda event: self._changed())
        bus.subscribe(Faulted, lambda event: self._changed())
        bus.subscribe(Flourished, lambda event: self._flourish(event.flourish))
