"""Several panels that act as one: the pins, the page and a screen show the same, and any of them is heard."""

from __future__ import annotations

from collections.abc import Sequence

from hardware.flourishes import Flourish
from hardware.panel import Button, Listener, Panel, PanelFrame, Parts


class Panels(Panel):
    """Panels side by side. One that fails is the others' no concern."""

    def __init__(self, panels: Sequence[Panel]):
        self.panels = tuple(panels)
        self.parts = Parts(
            bar=max((panel.parts.bar for panel in panels), default=0),
            lamps=tuple(dict.fromkeys(lamp for panel in panels for lamp in panel.parts.lamps)),
            buttons=tuple(button for button in Button if any(button in one.parts.buttons for one in panels)),
        )

    def show(self, frame: PanelFrame) -> None:
        """Show it on all."""
        for panel in self.panels:
            panel.show(frame)

    def flourish(self, flourish: Flourish) -> None:
        """Play it on all."""
        for panel in self.panels:
            panel.flourish(flourish)

    def listen(self, listener: Listener) -> None:
        """Hear all."""
        for panel in self.panels:
            panel.listen(listener)

    def close(self) -> None:
        """Close all."""
        for panel in self.panels:
            panel.close()
