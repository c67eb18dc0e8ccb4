"""The panel's sign that the box has opened a Wi-Fi of its own, now and then while no game is open."""

from __future__ import annotations

from collections.abc import Callable

from companion.outputs import Output
from companion.session.events import AskedAgain, Changed, EventBus
from hardware.flourishes import OWN_NETWORK
from hardware.panel import Panel

# Seconds between two times; what the menu shows is seen in between.
NETWORK_SIGN_SECONDS = 12.0


class OwnNetwork(Output):
    """Shows the sign at the menu, and at once when somebody asks "what now?"."""

    def __init__(self, panel: Panel, is_open: Callable[[], bool], clock: Callable[[], float]):
        self._panel = panel
        self._is_open = is_open
        self._clock = clock
        self._is_free = False
        self._due = clock()

    def attach(self, bus: EventBus) -> None:
        """Subscribe to what is shown and asked."""
        bus.subscribe(Changed, self._changed)
        bus.subscribe(AskedAgain, self._ask)

    def tick(self) -> None:
        """Called by the owner loop."""
        if self._is_free and self._clock() >= self._due:
            self._due = self._clock() + NETWORK_SIGN_SECONDS
            if self._is_open():
                self._panel.flourish(OWN_NETWORK)

    def _changed(self, event: Changed) -> None:
        # Who knocks has a sign that must be compared in peace.
        self._is_free = event.shown.running is None and event.shown.knock is None

    def _ask(self, event: AskedAgain) -> None:
        self._due = self._clock()
