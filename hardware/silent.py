"""The silent adapter: a panel that isn't there. It takes everything and does nothing."""

from __future__ import annotations

from hardware.flourishes import Flourish
from hardware.panel import Listener, Panel, PanelFrame, Parts


class NullPanel(Panel):
    """No lamps, no buttons: for a box that is played on the page alone."""

    parts = Parts(bar=0, lamps=(), buttons=())

    def show(self, frame: PanelFrame) -> None:
        """Nothing to show it on."""

    def flourish(self, flourish: Flourish) -> None:
        """Nothing to show it on."""

    def listen(self, listener: Listener) -> None:
        """Nobody will press."""

    def close(self) -> None:
        """Nothing to close."""
