"""The machine as the doctor sees it: files, programs, settings. Tests put a broken one in its place."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.settings.effective import Settings, is_pi
from companion.settings.file import Config
from companion.text import Text

COMMAND_SECONDS = 20.0


class CommandResult(Struct, frozen=True):
    """How a program ended: its exit code, None if it isn't there or took too long, and its words."""

    code: int | None
    said: str = ""

    @property
    def last(self) -> str:
        """The last thing it said, which is where Python says what went wrong."""
        lines = [line for line in self.said.splitlines() if line.strip()]
        return lines[-1].strip() if lines else ""


def run(command: Sequence[str], limit: float = COMMAND_SECONDS) -> CommandResult:
    """Run a program without a word to the person; one that hangs is ended."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=limit)
    except FileNotFoundError:
        return CommandResult(None)
    except (OSError, subprocess.TimeoutExpired) as error:
        return CommandResult(None, str(error))
    return CommandResult(done.returncode, done.stdout + done.stderr)


class System(Struct, frozen=True):
    """Where the doctor looks. `root` is the top of the file system, `pins` a pin factory instead of the Pi's."""

    settings: Settings
    complaints: tuple[Text, ...] = ()
    root: Path = Path("/")
    run: Callable[..., CommandResult] = run
    python: str = sys.executable
    version: tuple[int, ...] = tuple(sys.version_info[:3])
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    pins: Any = None
    is_pi: bool = is_pi()

    @property
    def config(self) -> Config:
        """What the configuration file says."""
        return self.settings.config

    @property
    def needs_hardware(self) -> bool:
        """Whether this box is meant to have a panel and a camera."""
        return self.settings.backend == "pi"

    @property
    def is_served(self) -> bool:
        """Whether the service runs, and so holds the pins, the camera and the sound."""
        return self.run(["systemctl", "is-active", "--quiet", "hush.service"]).code == 0

    @property
    def service_status(self) -> str:
        """What the service says of itself: the names of its faults, or that all is well."""
        return self.run(["systemctl", "show", "-P", "StatusText", "hush.service"]).said

    @property
    def may_read(self) -> bool:
        """Whether this person may look into the folder of the games."""
        folder = self.settings.folder
        return not folder.exists() or os.access(folder, os.R_OK | os.X_OK)

    def text(self, path: str) -> str | None:
        """A small file's text, from the top of the file system; None where there is none."""
        try:
            return (self.root / path).read_text(errors="replace").strip()
        except OSError:
            return None
