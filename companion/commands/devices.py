"""The panel and the camera of this machine, by its settings. Each is opened in one place: its room's own factory."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.catalogue import current
from companion.service import logs
from companion.settings.settle import Settings
from hardware.backends import Backend, open_panel
from hardware.errors import PanelError
from hardware.panel import Panel

if TYPE_CHECKING:
    from vision.cameras import SupervisedCamera

PINS_LATE = 40.0
"""Seconds that a service waits for the pins."""


def own_panel(settings: Settings, warn: Callable[[str], None]) -> Panel:
    """The panel of this machine: the pins on a Pi, else the terminal, else one in memory."""
    backend = panel_backend(settings)
    try:
        return patiently(lambda: open_panel(backend, settings.pinout, current.translate))
    except PanelError as error:
        # A missing device is a visible fault and stops nothing else: the page can still play.
        warn(current.say(error.notice))
        return open_panel("silent", settings.pinout)


def panel_backend(settings: Settings) -> Backend:
    """Which panel this machine has, by name."""
    if settings.backend == "pi":
        return "pins"
    return "terminal" if sys.stdin.isatty() and sys.stdout.isatty() else "simulated"


def patiently(opens: Callable[[], Panel], seconds: float = PINS_LATE) -> Panel:
    """Open the panel; a service that starts with the machine may be there before the pins are. Raises `PanelError`."""
    end = time.monotonic() + (seconds if logs.is_journalled() else 0.0)
    while True:
        try:
            return opens()
        except PanelError:
            if time.monotonic() >= end:
                raise
            time.sleep(1.0)


def own_camera(settings: Settings) -> SupervisedCamera | None:
    """The camera over the table, watched over; None where there is to be none."""
    if settings.camera.device == "none":
        return None
    from vision.cameras import SupervisedCamera, open_camera

    return SupervisedCamera(open_camera(settings.camera.device))
