"""Panels by name, as a configuration says them. One that can't be had is an error, never another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from hardware.panel import Panel
from hardware.pinout import Pinout

Backend: TypeAlias = Literal["pins", "terminal", "window", "simulated", "silent"]


def open_panel(
    backend: Backend,
    pinout: Pinout,
    translate: Callable[[str], str] = str,
    closed: Callable[[], None] | None = None,
    clock: Callable[[], float] | None = None,
) -> Panel:
    """The panel of this name. `closed` is called when somebody closes the window. Raises `PanelError`.

    This is the one place where panels are made. `clock` is the time of a panel that isn't to go by the real one.
    """
    match backend:
        case "pins":
            from hardware.gpio import GpioPanel

            return GpioPanel(pinout, clock=clock)
        case "window":
            from hardware.window import WindowPanel

            return WindowPanel(pinout.parts, clock, closed)
        case "terminal":
            from hardware.terminal import TerminalPanel

            return TerminalPanel(pinout.parts, clock, translate=translate)
        case "simulated":
            from hardware.simulated import SimulatedPanel

            return SimulatedPanel(pinout.parts, clock)
        case "silent":
            from hardware.silent import SilentPanel

            return SilentPanel()
