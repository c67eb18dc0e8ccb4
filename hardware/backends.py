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
) -> Panel:
    """The panel of this name. `closed` is called when somebody closes the window. Raises `PanelError`."""
    match backend:
        case "pins":
            from hardware.gpio import GpioPanel

            return GpioPanel(pinout)
        case "window":
            from hardware.window import WindowPanel

            return WindowPanel(pinout.parts, closed=closed)
        case "terminal":
            from hardware.terminal import TerminalPanel

            return TerminalPanel(pinout.parts, translate=translate)
        case "simulated":
            from hardware.simulated import SimulatedPanel

            return SimulatedPanel(pinout.parts)
        case "silent":
            from hardware.silent import SilentPanel

            return SilentPanel()
