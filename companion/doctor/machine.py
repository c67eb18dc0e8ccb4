"""Checks of the machine itself: Python, packages, disk, card, power, clock, configuration."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from companion.bootstrap import OLDEST
from companion.doctor.finding import Finding, fault, ok, unknown, warning
from companion.doctor.system import System
from companion.journal.file import open_to_read
from companion.service.disk import MIN_FREE_BYTES, free
from companion.text import N_

PACKAGES = ("numpy", "cv2", "gpiozero", "luma.oled", "msgspec", "pygame", "pyttsx3", "rich", "typer")
COMFORTABLE_BYTES = 200 * 1024 * 1024
MEGABYTE = 1024 * 1024
# A Pi has no clock of its own: before it has seen the network it lives in the past. Nothing was played before this.
OLDEST_DATE = datetime(2026, 1, 1, tzinfo=UTC)
# Bits of `vcgencmd get_throttled`: now, and since the machine was started.
UNDER_VOLTAGE, CAPPED, THROTTLED, HOT = 1, 2, 4, 8
SINCE_START = 16


def configuration(system: System) -> Finding:
    """Whether the configuration says only what can be understood."""
    if system.complaints:
        return warning(
            "configuration",
            "{problem}",
            N_("Correct that line; its default holds until then."),
            problem=system.complaints[0],
        )
    if system.config.path is None:
        return ok("configuration", N_("There is no file: all defaults hold."))
    return ok("configuration", N_("{path} is understood."), path=str(system.config.path))


def python(system: System) -> Finding:
    """Whether Python is new enough."""
    version = ".".join(map(str, system.version))
    if system.version < OLDEST:
        return fault(
            "python",
            N_("This is Python {version}; Hush needs 3.11."),
            N_("Install Raspberry Pi OS Bookworm or newer."),
            version=version,
        )
    return ok("python", N_("Python {version}."), version=version)


def packages(system: System) -> Finding:
    """Whether all packages can be loaded together, in a process of its own: a bad one can take Python down."""
    ran = system.run([system.python, "-c", f"import {', '.join(PACKAGES)}"], 60.0)
    if ran.code is None:
        return unknown("packages")
    if ran.code != 0:
        return fault(
            "packages",
            N_("The packages don't load: {reason}"),
            N_("Install again: sudo sh hush-….run"),
            reason=ran.last or "?",
        )
    return ok("packages", N_("All packages load."))


def disk(system: System) -> Finding:
    """Whether there is room for games."""
    folder = system.settings.folder
    while not folder.exists():
        folder = folder.parent
    left = free(folder)
    if left < MIN_FREE_BYTES:
        return fault(
            "disk",
            N_("The disk is full: {size} MB left. Games go on, but aren't kept."),
            N_("Make room: sudo apt-get clean; sudo journalctl --vacuum-size=20M"),
            size=left // MEGABYTE,
        )
    if left < COMFORTABLE_BYTES:
        return warning(
            "disk",
            N_("Only {size} MB are left."),
            N_("Make room: sudo apt-get clean; sudo journalctl --vacuum-size=20M"),
            size=left // MEGABYTE,
        )
    return ok("disk", N_("{size} MB are free."), size=left // MEGABYTE)


def card(system: System) -> Finding:
    """What the system knows about the card's health."""
    if mount_is_read_only(system):
        return fault(
            "card",
            N_("The file system has become read-only: the card has failed, or was about to."),
            N_("Copy /var/lib/hush to another machine now, then put in a new card."),
        )
    errors = [
        path for path in system.root.glob("sys/fs/ext4/*/errors_count") if path.read_text().strip() not in ("", "0")
    ]
    kernel = system.run(["journalctl", "-k", "-b", "-q", "--no-pager", "-g", "mmc.*(error|timeout)|I/O error"])
    noted = len(kernel.said.splitlines()) if kernel.code == 0 else 0
    if errors or noted:
        return warning(
            "card",
            N_("The card made errors: {count} in the file system, {noted} since the start."),
            N_("Copy /var/lib/hush to another machine and plan a new card."),
            count=len(errors),
            noted=noted,
        )
    return ok("card", N_("No errors of the card are known."))


def mount_is_read_only(system: System) -> bool:
    """Whether the file system that holds the games can't be written."""
    folder = str(system.settings.folder.resolve())
    best, options = "", ""
    for line in (system.text("proc/self/mounts") or "").splitlines():
        parts = line.split()
        if len(parts) > 3 and Path(folder).is_relative_to(parts[1]) and len(parts[1]) >= len(best):
            best, options = parts[1], parts[3]
    return "ro" in options.split(",")


def power(system: System) -> Finding:
    """Whether the power supply and the cooling are good enough."""
    ran = system.run(["vcgencmd", "get_throttled"])
    flags = re.search(r"throttled=0x([0-9a-f]+)", ran.said)
    if ran.code != 0 or flags is None:
        if system.is_pi:
            return warning(
                "power",
                N_("vcgencmd doesn't answer, so the power supply can't be judged."),
                N_("Are you in the group video? sudo companion doctor"),
            )
        return ok("power", N_("Not a Raspberry Pi: nothing to judge."))
    bits = int(flags[1], 16)
    ever = bits | bits >> SINCE_START
    if bits & UNDER_VOLTAGE:
        return fault(
            "power",
            N_("The voltage is too low right now."),
            N_("Use the Pi's own power supply and a short, thick cable."),
        )
    if ever & UNDER_VOLTAGE:
        return warning(
            "power",
            N_("The voltage was too low since the start."),
            N_("Use the Pi's own power supply and a short, thick cable."),
        )
    if ever & (CAPPED | THROTTLED | HOT):
        return warning(
            "power", N_("The Pi got so hot that it slowed down."), N_("Give the box holes, or the Pi a heat sink.")
        )
    return ok("power", N_("Voltage and temperature are good."))


def clock(system: System) -> Finding:
    """Whether the time of day can be true. The game itself never asks it; names of backups and times in logs do."""
    now = system.now()
    last = last_step(system.settings.folder / "hush.db")
    if now < OLDEST_DATE or (last is not None and now < last):
        return warning(
            "clock",
            N_("The clock says {now}, but that time has passed."),
            N_("Connect to a network once, or set it: sudo timedatectl set-time"),
            now=f"{now:%Y-%m-%d %H:%M}",
        )
    synced = system.run(["timedatectl", "show", "-P", "NTPSynchronized"])
    if synced.code == 0 and synced.said.strip() == "no":
        return warning(
            "clock",
            N_("The clock isn't set by the network."),
            N_("Without a network that is normal; else: sudo timedatectl set-ntp true"),
        )
    return ok("clock", N_("{now} UTC."), now=f"{now:%Y-%m-%d %H:%M}")


def last_step(path: Path) -> datetime | None:
    """When the last step in the journal was made, by the clock of then."""
    try:
        with closing(open_to_read(path)) as database:
            (latest,) = database.execute("SELECT max(at) FROM steps").fetchone()
        return datetime.fromisoformat(latest) if latest else None
    except (sqlite3.Error, ValueError):
        return None
