"""Checks of what hangs on a bus: the strip, the display, and what config.txt must say for them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from companion.doctor.finding import Finding, fault, ok, unknown, warning
from companion.doctor.system import System
from companion.text import N_
from hardware.pixels import budget, on_the_wire, painted

CONFIGS = ("boot/firmware/config.txt", "boot/config.txt")
"""Where config.txt lies: since Bookworm, and before."""
# By what a Pi calls itself: the filters of config.txt that mean it, and what keeps the clock of its SPI bus steady.
# The Pi 5's bus has a clock of its own.
PIS: tuple[tuple[str, tuple[str, ...], Mapping[str, str]], ...] = (
    (r"Zero 2", ("pi0", "pi02"), {"core_freq": "250"}),
    (r"Pi 3|Module 3", ("pi3", "pi3+", "cm3"), {"core_freq": "250"}),
    (r"Pi 4|Module 4", ("pi4", "pi400", "cm4"), {"core_freq_min": "500"}),
    (r"Pi 5|Module 5", ("pi5", "pi500", "cm5"), {}),
)
AGAIN = N_("Write {lines} into {path}, and start the Pi again.")
# In a process of its own, since a bus can hang: which of the usual addresses answer.
PROBE = """
import sys
from smbus2 import SMBus
with SMBus(1) as bus:
    for address in map(int, sys.argv[1:]):
        try:
            bus.read_byte(address)
            print(hex(address))
        except OSError:
            pass
"""
BUS_PROBE_SECONDS = 5.0
USUAL = (0x3C, 0x3D)


def strip(system: System) -> list[Finding]:
    """Whether the strip's bus is there, may be used, and has a steady clock. What hangs on it nobody can tell."""
    wanted = system.settings.strip
    if not (system.needs_hardware and wanted.is_there):
        return []
    path, _ = config_txt(system)
    device = system.root / "dev" / wanted.device
    if not device.exists():
        lines = "dtparam=spi=on"
        return [fault("strip", N_("There is no /dev/{device}."), AGAIN, device=wanted.device, lines=lines, path=path)]
    if not os.access(device, os.R_OK | os.W_OK):
        said, join = N_("/dev/{device} may not be used."), N_("Join the group: sudo usermod -aG spi $USER")
        return [fault("strip", said, join, device=wanted.device)]
    ran = system.run([system.python, "-c", "import spidev"])
    if ran.code is None:
        return [unknown("strip")]
    if ran.code != 0:
        install = N_("Install it: sudo apt-get install python3-spidev")
        return [fault("strip", N_("The library spidev is missing."), install)]
    return [*_clock(system), *_room(system)] or [_strip_is_well(system)]


def _strip_is_well(system: System) -> Finding:
    wanted = system.settings.strip
    said = N_("Its bus is there; whether it shines only you can see. {count} pixels, {mA} mA of {most} mA.")
    cost = round(budget(wanted).total)
    return ok("strip", said, count=wanted.pixels, mA=cost, most=wanted.milliamps)


def _clock(system: System) -> Iterator[Finding]:
    path, written = config_txt(system)
    missing = missing_lines(system.text("proc/device-tree/model") or "", written)
    if missing:
        said = N_("The clock of the strip's bus may change: then it flickers, or turns white.")
        yield warning("strip", said, AGAIN, lines=" ".join(missing), path=path)


def _room(system: System) -> Iterator[Finding]:
    most = system.text("sys/module/spidev/parameters/bufsiz") or ""
    needed = len(on_the_wire(system.settings.strip, painted(system.settings.strip, {})))
    if most.isdigit() and int(most) < needed:
        said = N_("The bus takes {most} bytes at once, the strip needs {needed}.")
        fix = N_("Write spidev.bufsiz=4096 at the end of the line in cmdline.txt, and start the Pi again.")
        yield warning("strip", said, fix, most=int(most), needed=needed)


def display(system: System) -> list[Finding]:
    """Whether the display answers at its address."""
    wanted = system.settings.display
    if not (system.needs_hardware and wanted.is_there):
        return []
    path, _ = config_txt(system)
    device = system.root / "dev/i2c-1"
    if not device.exists():
        lines = "dtparam=i2c_arm=on"
        return [fault("display", N_("There is no I2C bus: no /dev/i2c-1."), AGAIN, lines=lines, path=path)]
    if not os.access(device, os.R_OK | os.W_OK):
        return [fault("display", N_("The I2C bus may not be used."), N_("Join the group: sudo usermod -aG i2c $USER"))]
    addresses = dict.fromkeys((wanted.address, *USUAL))
    ran = system.run([system.python, "-c", PROBE, *map(str, addresses)], BUS_PROBE_SECONDS)
    if ran.code is None:
        said, fix = N_("The I2C bus hangs."), N_("Check the display's four wires, then start the Pi again.")
        return [fault("display", said, fix)]
    answered = ran.said.split()
    if hex(wanted.address) in answered:
        return [ok("display", N_("It answers at {address}."), address=hex(wanted.address))]
    if ran.code == 0 and answered:
        said = N_("Nothing answers at {address}, but something does at {other}.")
        fix = N_("Write address = {other} into [display].")
        return [fault("display", said, fix, address=hex(wanted.address), other=answered[0])]
    said = N_("Nothing answers at {address}.")
    fix = N_("Check its four wires (SDA to pin 3, SCL to pin 5), and that it has 3.3 V.")
    return [fault("display", said, fix, address=hex(wanted.address))]


def config_txt(system: System) -> tuple[str, str]:
    """Where this Pi's config.txt is, and what it says."""
    for path in CONFIGS:
        text = system.text(path)
        if text is not None:
            return f"/{path}", text
    return f"/{CONFIGS[0]}", ""


def missing_lines(model: str, written: str) -> list[str]:
    """The lines that a Pi of this name lacks for a steady SPI clock.

    >>> missing_lines("Raspberry Pi 3 Model B Rev 1.2", "core_freq=400")
    ['core_freq=250']
    >>> missing_lines("Raspberry Pi 4 Model B", "[pi3]" + chr(10) + "core_freq_min=500")
    ['core_freq_min=500']
    >>> missing_lines("Raspberry Pi 5 Model B", "")
    []
    """
    for pattern, filters, needed in PIS:
        if re.search(pattern, model):
            values = in_force(written, ("all", *filters))
            if values.get("force_turbo") == "1":
                return []
            return [f"{key}={value}" for key, value in needed.items() if values.get(key) != value]
    return []


def in_force(written: str, filters: tuple[str, ...]) -> dict[str, str]:
    """What holds of a config.txt on a Pi to which these filters apply; the last line of a name counts."""
    values: dict[str, str] = {}
    holds = True
    for line in written.splitlines():
        bare = line.partition("#")[0].strip()
        if head := re.fullmatch(r"\[(.+)\]", bare):
            holds = head[1].lower() in filters
        elif holds and "=" in bare:
            key, _, value = bare.partition("=")
            values[key.strip()] = value.strip()
    return values
