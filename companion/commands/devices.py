"""The panel and the camera of this machine, by its settings. Each is opened in one place: its room's own factory."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.catalogue import current
from companion.service import logs
from companion.settings.effective import Settings
from companion.text import Text
from hardware.backends import Backend, open_panel
from hardware.display import Display, SilentDisplay
from hardware.errors import PanelError
from hardware.oled import OledDisplay
from hardware.outfit import Outfit
from hardware.panel import Panel
from hardware.panel_group import Panels
from hardware.terminal import TerminalDisplay, TerminalPanel

if TYPE_CHECKING:
    from vision.cameras import SupervisedCamera

PINS_WAIT_SECONDS = 40.0
"""Seconds that a service waits for the pins."""


def own_panel(settings: Settings, warn: Callable[[str], None]) -> Panel:
    """The panel of this machine: its real parts on a Pi, else the terminal, else one in memory."""
    backend = panel_backend(settings)
    try:
        panel = patiently(lambda: open_panel(backend, settings.outfit, current.translate))
    except PanelError as error:
        # A missing device is a visible fault and stops nothing else: the page can still play.
        warn(current.say(error.notice))
        return open_panel("silent", settings.outfit)
    for notice in missing(panel):
        warn(current.say(notice))
    return panel


def own_display(settings: Settings, panel: Panel) -> Display:
    """Where the text line is shown: under the lamps of a terminal, on the display of a Pi, or nowhere."""
    if settings.backend != "pi" and not isinstance(panel, TerminalPanel):
        return SilentDisplay()
    return text_display(settings.outfit, panel)


def text_display(outfit: Outfit, panel: Panel) -> Display:
    """The text line beside a panel."""
    if isinstance(panel, TerminalPanel):
        return TerminalDisplay(panel)
    return OledDisplay(outfit.display) if outfit.display.is_there else SilentDisplay()


def missing(panel: Panel) -> tuple[Text, ...]:
    """The parts of a panel that couldn't be had."""
    return panel.missing if isinstance(panel, Panels) else ()


def panel_backend(settings: Settings) -> Backend:
    """Which panel this machine has, by name."""
    if settings.backend == "pi":
        return "pins"
    return "terminal" if sys.stdin.isatty() and sys.stdout.isatty() else "simulated"


def patiently(opens: Callable[[], Panel], seconds: float = PINS_WAIT_SECONDS) -> Panel:
    """Open the panel; a service that starts with the machine may be there before its parts are. Raises `PanelError`."""
    end = time.monotonic() + (seconds if logs.is_journalled() else 0.0)
    while True:
        try:
            panel = opens()
        except PanelError:
            if time.monotonic() >= end:
                raise
        else:
            if not missing(panel) or time.monotonic() >= end:
                return panel
            panel.close()
        time.sleep(1.0)


def own_camera(settings: Settings) -> SupervisedCamera | None:
    """The camera over the table, watched over; None where there is to be none."""
    if settings.camera.device == "none":
        return None
    from vision.cameras import SupervisedCamera, open_camera

    return SupervisedCamera(open_camera(settings.camera.device))
