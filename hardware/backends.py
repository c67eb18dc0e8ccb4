"""Panels by name, as a configuration says them. One that can't be had is an error, never another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from hardware.errors import PanelError
from hardware.outfit import Outfit
from hardware.panel import Panel

Backend: TypeAlias = Literal["pins", "terminal", "window", "simulated", "silent"]
Clock: TypeAlias = Callable[[], float]


def open_panel(
    backend: Backend,
    outfit: Outfit,
    translate: Callable[[str], str] = str,
    closed: Callable[[], None] | None = None,
    clock: Clock | None = None,
) -> Panel:
    """The panel of this name. `closed` is called when somebody closes the window. Raises `PanelError`.

    This is the one place where panels are made. `clock` is the time of a panel that isn't to go by the real one.
    """
    match backend:
        case "pins":
            return open_parts(outfit, clock)
        case "window":
            from hardware.window import WindowPanel

            return WindowPanel(outfit.parts, clock, closed)
        case "terminal":
            from hardware.terminal import TerminalPanel

            return TerminalPanel(outfit.parts, clock, translate=translate)
        case "simulated":
            from hardware.simulated import SimulatedPanel

            return SimulatedPanel(outfit.parts, clock)
        case "silent":
            from hardware.silent import NullPanel

            return NullPanel()


def open_parts(outfit: Outfit, clock: Clock | None = None) -> Panel:
    """The real panel: what hangs on pins, and the strip. A part that can't be had is named and the others play.

    Raises `PanelError` if there are none.
    """
    from hardware.gpio import GpioPanel
    from hardware.panel_group import Panels
    from hardware.strip import StripPanel

    makes: list[Callable[[], Panel]] = []
    if outfit.has_pins or not outfit.strip.is_there:
        makes.append(lambda: GpioPanel(outfit.pinout, clock=clock))
    if outfit.strip.is_there:
        makes.append(lambda: StripPanel(outfit.strip, clock=clock))
    opened: list[Panel] = []
    missing: list[PanelError] = []
    for make in makes:
        try:
            opened.append(make())
        except PanelError as error:
            missing.append(error)
    if not opened and len(missing) == 2:
        raise PanelError("{first} {second}", first=missing[0].notice, second=missing[1].notice)
    if not opened:
        raise missing[0]
    return opened[0] if len(makes) == 1 else Panels(opened, [error.notice for error in missing])
