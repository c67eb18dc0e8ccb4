"""Several panels that act as one: pins, strip, page and a screen show the same, and any of them is heard."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from companion.text import Text
from hardware.flourishes import Flourish
from hardware.panel import Listener, Panel, PanelFrame, union

log = logging.getLogger(__name__)


class Panels(Panel):
    """Panels side by side. One that fails is the others' no concern; `missing` tells of those that couldn't be had."""

    def __init__(self, panels: Sequence[Panel], missing: Sequence[Text] = ()):
        self.panels = tuple(panels)
        self.missing = tuple(missing)
        self.parts = union(panel.parts for panel in panels)

    @property
    def fault(self) -> Text | None:  # type: ignore[override]
        """What is wrong with the first that fails."""
        return next((fault for fault in (*self.missing, *(one.fault for one in self.panels)) if fault), None)

    def show(self, frame: PanelFrame) -> None:
        """Show it on all."""
        self._each(lambda panel: panel.show(frame))

    def flourish(self, flourish: Flourish) -> None:
        """Play it on all."""
        self._each(lambda panel: panel.flourish(flourish))

    def listen(self, listener: Listener) -> None:
        """Hear all."""
        self._each(lambda panel: panel.listen(listener))

    def close(self) -> None:
        """Close all."""
        self._each(lambda panel: panel.close())

    def _each(self, act: Callable[[Panel], None]) -> None:
        for panel in self.panels:
            try:
                act(panel)
            except Exception:
                log.exception("panel")
