"""The switch: ◀ and ▶ held ask the system to power down, by a file that a unit of systemd waits for."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

REQUEST = "shutdown"
SHUTDOWN_WAIT_SECONDS = 20.0


def power_down(stop: Callable[[], None], environment: Mapping[str, str] = os.environ) -> Callable[[], None]:
    """What the box calls to shut down.

    In the service it leaves a file in its runtime folder, which `hush-shutdown.path` answers by powering the machine
    down; this program is then stopped like every other. If nobody answers, and everywhere else, only the program ends.
    """
    runtime = environment.get("RUNTIME_DIRECTORY", "").split(":")[0]

    def ask() -> None:
        try:
            (Path(runtime) / REQUEST).touch()
        except OSError:
            stop()
            return
        waiting = threading.Timer(SHUTDOWN_WAIT_SECONDS, stop)
        waiting.daemon = True
        waiting.start()

    return ask if runtime else stop
