"""The lights of the panel."""

from __future__ import annotations

from companion.outputs import Output
from companion.outputs.panel_frame import frame_of
from companion.session.events import Changed, EventBus, Flourished
from hardware.panel import Panel


class PanelOutput(Output):
    """Shows each situation on a panel, and plays flourishes over it."""

    def __init__(self, panel: Panel):
        self._panel = panel

    def attach(self, bus: EventBus) -> None:
        """Subscribe to what is seen."""
        bus.subscribe(Changed, self._show)
        bus.subscribe(Flourished, lambda event: self._panel.flourish(event.flourish))

    def _show(self, event: Changed) -> None:
        self._panel.show(frame_of(event.shown, self._panel.parts.bar))
