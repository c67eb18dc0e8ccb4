"""The guest as a table: fingers on real lines, eyes on real lamps, and the service as systemd sees it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hardware.panel import Button
from hardware.pinout import DEFAULT

CHIP = next(Path("/sys/devices/platform").glob("gpio-sim.*/gpiochip*"), Path("/nowhere"))
STATE = Path("/var/lib/hush")
STAGE = Path("/var/lib/rig/stage")
PINS = dict(DEFAULT.buttons())
LAMPS = dict(DEFAULT.lamps())
HOLD = 0.25
started = time.monotonic()
failures: list[str] = []


def run(*command: str, limit: float = 2400) -> tuple[int, str]:
    """A command's exit code and all it said."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit)
    return done.returncode, (done.stdout + done.stderr).strip()


def unit(name: str, what: str = "hush.service") -> str:
    """A property of a unit."""
    return run("systemctl", "show", "-P", name, what)[1]


def said_since(moment: float) -> str:
    """What the service logged since a time."""
    return run("journalctl", "-u", "hush", "-o", "cat", "--no-pager", "--since", f"@{moment:.0f}")[1]


def check(name: str, is_well: object, info: object = "") -> bool:
    """One line of the report."""
    if not is_well:
        failures.append(name)
    print(f"{'ok  ' if is_well else 'FAIL'} {time.monotonic() - started:6.1f}s {name} {info}", flush=True)
    return bool(is_well)


def wait(for_what: Callable[[], Any], seconds: float = 60, pace: float = 0.1) -> Any:
    """What comes true within a time, or the last answer."""
    end = time.monotonic() + seconds
    while not (answer := for_what()) and time.monotonic() < end:
        time.sleep(pace)
    return answer


def pull(button: Button, level: str) -> None:
    (CHIP / f"sim_gpio{PINS[button]}" / "pull").write_text(f"pull-{level}")


def press(button: Button, hold: float = HOLD) -> None:
    """Press a button."""
    pull(button, "down")
    time.sleep(hold)
    pull(button, "up")


def hold_together(seconds: float, *buttons: Button) -> None:
    for button in buttons:
        pull(button, "down")
    time.sleep(seconds)
    for button in buttons:
        pull(button, "up")


def let_go() -> None:
    """All buttons up: a line that nobody pulls reads as pressed."""
    for button in PINS:
        pull(button, "up")


def give_way() -> None:
    """Let the kernel be interrupted in its own work, as a Pi's always can.

    Else the virtual sensor's driver, which paints a frame in one go, holds a processor for seconds here. An edge on a
    line whose turn comes on that processor is then read when the button is up again, and the press is never heard.
    """
    choice = Path("/sys/kernel/debug/sched/preempt")
    if not choice.exists():
        run("mount", "-t", "debugfs", "debugfs", "/sys/kernel/debug")
    if choice.exists():  # Debian's kernel for arm64 has no such choice
        choice.write_text("full")


def lit() -> set[str]:
    """The lamps whose line is high at this moment."""
    return {lamp for lamp, pin in LAMPS.items() if (CHIP / f"sim_gpio{pin}" / "value").read_text().strip() == "1"}


def lines_held() -> int:
    """How many of the panel's lines a program holds."""
    return run("gpioinfo", "-c", "gpiochip0")[1].count('consumer="lg"')


def is_up() -> bool:
    return unit("ActiveState") == "active"


def process() -> int:
    return int(unit("MainPID") or 0)


def camera_process() -> int:
    """The process that holds the camera; 0 while there is none."""
    found = run("pgrep", "-P", str(process()), "-f", "camera_process")[1].split()
    return int(found[-1]) if found else 0


def finish(next_stage: str | None = None) -> None:
    """End this stage: reboot into the next one, or end for good."""
    print(f"{len(failures)} failed: {failures}" if failures else "all ok", flush=True)
    if failures:
        sys.exit(1)
    if next_stage is not None:
        STAGE.write_text(next_stage)
        sys.exit(42)
    sys.exit(0)
