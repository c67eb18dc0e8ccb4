"""Starts that failed, counted on the disk: after three of them the box comes up in safe mode and says so.

Safe mode leaves out whatever the box can be without: the camera, sound, and all options of the configuration but the
language and the panel's wiring. After three more failed starts the panel is left out, too. The page is always on.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Mapping
from enum import IntEnum
from pathlib import Path

from msgspec import structs

from companion.files import write_whole
from companion.settings.effective import Settings
from companion.settings.sections import CameraSettings
from sounds.box import SoundSettings

SAFE_MODE = "safe-mode"
COUNT = "starts"
MAX_FAILED_STARTS = 3
# A box that has run for so many seconds has started well.
STEADY_SECONDS = 60.0
BOOT = Path("/proc/sys/kernel/random/boot_id")


class Mode(IntEnum):
    """How much of the box is started."""

    USUAL = 0
    SAFE = 1
    BARE = 2


class Starts:
    """The starts of a service in its folder; elsewhere nothing is counted."""

    def __init__(
        self, folder: Path, environment: Mapping[str, str] = os.environ, clock: Callable[[], float] = time.monotonic
    ):
        self._count, self._wish = folder / COUNT, folder / SAFE_MODE
        self._is_service = bool(environment.get("RUNTIME_DIRECTORY"))
        self._clock = clock
        self._steady: float | None = None

    def count_start(self) -> Mode:
        """The box starts: it's taken for a failure until it has run for a while, or is stopped in good order."""
        if not self._is_service:
            return Mode.USUAL
        before = self._failures()
        self._write(before + 1)
        self._steady = self._clock() + STEADY_SECONDS
        if before >= 2 * MAX_FAILED_STARTS:
            return Mode.BARE
        return Mode.SAFE if before >= MAX_FAILED_STARTS or self._wish.exists() else Mode.USUAL

    def tick(self) -> None:
        """Called by the owner loop."""
        if self._steady is not None and self._clock() >= self._steady:
            self.went_well()

    def went_well(self) -> None:
        """This start was none that failed."""
        if self._steady is not None:
            self._steady = None
            self._write(0)

    def wish(self, is_safe: bool) -> None:
        """The next start is in safe mode, or as usual. Raises `OSError`."""
        if is_safe:
            self._wish.touch()
        else:
            self._wish.unlink(missing_ok=True)
            self._write(0)

    def _failures(self) -> int:
        """Starts that failed since the machine was switched on: a plug that was pulled is none."""
        try:
            count, boot = self._count.read_text().split()
            return int(count) if boot == boot_id() else 0
        except (OSError, ValueError):
            return 0

    def _write(self, count: int) -> None:
        # A disk that can't be written is no reason not to start.
        with contextlib.suppress(OSError):
            write_whole(self._count, f"{count} {boot_id()}".encode())


def boot_id() -> str:
    """Another name for each time the machine is switched on."""
    try:
        return BOOT.read_text().strip()
    except OSError:
        return "-"


def in_mode(settings: Settings, mode: Mode) -> Settings:
    """The settings with which a box starts in a mode."""
    if mode is Mode.USUAL:
        return settings
    safe = structs.replace(
        settings,
        camera=CameraSettings("none"),
        sound=SoundSettings(backend="silent", speech=False),
        games={},
        web=structs.replace(settings.web, enabled=True),
    )
    return safe if mode is Mode.SAFE else structs.replace(safe, backend="simulated")
