"""The page's place beside the real panel: it passes flourishes on; frames go out with the state."""

from __future__ import annotations

from collections.abc import Callable

from hardware.flourishes import Flourish
from hardware.panel import ALL_PARTS, Listener, Panel, PanelFrame, Parts


class Twin(Panel):
    """A panel without lamps or clock of its own. It has the parts of the real one, so that both show the same."""

    def __init__(self, parts: Parts = ALL_PARTS):
        self.parts = parts if parts.bar else ALL_PARTS
        self.send: Callable[[Flourish], None] | None = None

    def show(self, frame: PanelFrame) -> None:
        """Nothing: the state that goes out has it."""

    def flourish(self, flourish: Flourish) -> None:
        """For the pages to play by themselves."""
        if self.send is not None:
            self.send(flourish)

    def listen(self, listener: Listener) -> None:
        """The page's buttons come through the API."""

    def close(self) -> None:
        """Nobody is told any more."""
        self.send = None
