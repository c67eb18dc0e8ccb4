"""Lights go off however the program ends: real processes, on mock pins that write down what they do."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE, eventually

PROGRAM = """
import sys, threading, time, os, signal
# A shell that starts tests in the background, or apart from its terminal, lets them ignore these.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
from gpiozero.pins.mock import MockFactory, MockPWMPin
log = open(sys.argv[1], "a", buffering=1)
seen = set()

class LoggedPin(MockPWMPin):
    def _change_state(self, value):
        changed = super()._change_state(value)
        if changed and self._function == "output":
            log.write(f"{self.info.name} {float(value)}\\n")
            seen.add(self.info.name)
        return changed

from hardware.gpio import GpioPanel
from hardware.panel import PanelFrame
panel = GpioPanel(pins=MockFactory(pin_class=LoggedPin))
panel.show(PanelFrame.parse("##############~ #### #-"))

def ready():
    "Everything shines, and whatever ends the program may come."
    while len(seen) < 21:
        time.sleep(0.01)
    print("lit", flush=True)

{ending}
"""
ENDINGS = {
    "exit": ("ready()", None, 0),
    "sys.exit": ("ready(); sys.exit(3)", None, 3),
    "crash": ("ready(); 1 / 0", None, 1),
    "crash while another thread goes on": (
        "threading.Thread(target=sys.stdin.read).start()\nready()\n1 / 0",
        None,
        1,
    ),
    "crash of the panel's listener": ("panel.listen(lambda s: 1 / 0); ready(); sys.exit(0)", None, 0),
    "SIGTERM": ("ready(); time.sleep(600)", signal.SIGTERM, 128 + signal.SIGTERM),
    "SIGTERM in a busy loop": (
        "ready()\nwhile True: panel.show(PanelFrame.parse('#' * 15 + ' #### ##'))",
        signal.SIGTERM,
        128 + signal.SIGTERM,
    ),
    "SIGHUP": ("ready(); time.sleep(600)", signal.SIGHUP, 128 + signal.SIGHUP),
    "SIGINT": ("ready(); time.sleep(600)", signal.SIGINT, -signal.SIGINT),
    "SIGTERM with asyncio": (
        "import asyncio\n"
        "async def main():\n"
        "    stop = asyncio.Event()\n"
        "    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)\n"
        "    ready()\n"
        "    await stop.wait()\n"
        "asyncio.run(main())",
        signal.SIGTERM,
        0,
    ),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_the_lights_go_off_at(name: str, tmp_path: Path) -> None:
    ending, number, code = ENDINGS[name]
    log = tmp_path / "pins"
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.replace("{ending}", ending), str(log)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "lit\n"
    if number is not None:
        process.send_signal(number)
    if "another thread" in name:
        eventually(lambda: not lit(log))
        assert process.poll() is None, "dark although the process hasn't ended"
    process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    assert len(seen(log)) == 21, "each was lit at some time"
    assert lit(log) == set()


def lines(log: Path) -> list[tuple[str, float]]:
    return [(line.split()[0], float(line.split()[1])) for line in log.read_text().splitlines()]


def seen(log: Path) -> set[str]:
    return {pin for pin, level in lines(log) if level > 0}


def lit(log: Path) -> set[str]:
    """The pins whose last word was light."""
    return {pin for pin, level in dict(lines(log)).items() if level > 0}
