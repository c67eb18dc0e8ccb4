"""Lights go off however the program ends: real processes, on mock pins that write down what they do."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = """
import sys, threading, time, os, signal
# A shell that starts tests in the background, or apart from its terminal, lets them ignore these.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
from gpiozero.pins.mock import MockFactory, MockPWMPin
log = open(sys.argv[1], "a", buffering=1)

class LoggedPin(MockPWMPin):
    def _change_state(self, value):
        changed = super()._change_state(value)
        if changed and self._function == "output":
            log.write(f"{self.info.name} {float(value)}\\n")
        return changed

from hardware.gpio import GpioPanel
from hardware.panel import PanelFrame
panel = GpioPanel(pins=MockFactory(pin_class=LoggedPin))
panel.show(PanelFrame.parse("##############~ #### #-"))
time.sleep(0.3)
print("lit", flush=True)
{ending}
"""
ENDINGS = {
    "exit": ("pass", None, 0),
    "sys.exit": ("sys.exit(3)", None, 3),
    "crash": ("1 / 0", None, 1),
    "crash while another thread goes on": (
        "threading.Thread(target=time.sleep, args=(1.5,)).start()\n1 / 0",
        None,
        1,
    ),
    "crash of the panel's listener": ("panel.listen(lambda s: 1 / 0); sys.exit(0)", None, 0),
    "SIGTERM": ("time.sleep(30)", signal.SIGTERM, 128 + signal.SIGTERM),
    "SIGTERM in a busy loop": (
        "while True: panel.show(PanelFrame.parse('#' * 15 + ' #### ##'))",
        signal.SIGTERM,
        128 + signal.SIGTERM,
    ),
    "SIGHUP": ("time.sleep(30)", signal.SIGHUP, 128 + signal.SIGHUP),
    "SIGINT": ("time.sleep(30)", signal.SIGINT, -signal.SIGINT),
    "SIGTERM with asyncio": (
        "import asyncio\n"
        "async def main():\n"
        "    stop = asyncio.Event()\n"
        "    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)\n"
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
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "lit\n"
    if number is not None:
        time.sleep(0.2)
        process.send_signal(number)
    if "another thread" in name:
        time.sleep(0.5)
        assert lit(log) == set(), "dark although the process hasn't ended"
        assert process.poll() is None
    process.communicate(timeout=10)
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
