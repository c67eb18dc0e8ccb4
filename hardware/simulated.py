"""The simulated adapter: lamps one can look at and buttons one can press from a program."""

from __future__ import annotations

from collections.abc import Callable

from hardware.animation_loop import LitPanel
from hardware.panel import ALL_PARTS, Parts


class SimulatedPanel(LitPanel):
    """A panel in memory.

    >>> from hardware.panel import PanelFrame
    >>> panel = SimulatedPanel(clock=lambda: 0.0)
    >>> panel.show(PanelFrame.parse("#-............. .... .."))
    >>> _ = panel.step()
    >>> panel.lit["bar1"], panel.lit["bar2"], panel.lit["bar3"]
    (1.0, 0.12, 0.0)
    """

    def __init__(self, parts: Parts = ALL_PARTS, clock: Callable[[], float] | None = None):
        super().__init__(parts, clock)
        self.lit: dict[str, float] = dict.fromkeys(parts.names(), 0.0)
        self.start()

    def _draw(self, bright: dict[str, float]) -> None:
        self.lit = bright

    def _leave(self) -> None:
        self.lit = dict.fromkeys(self.parts.names(), 0.0)
