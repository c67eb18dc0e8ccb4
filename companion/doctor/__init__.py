"""The doctor: is this box well, and if not, what to do. Every check looks and changes nothing."""

from __future__ import annotations

from collections.abc import Callable

from companion.doctor import buses, camera, keeping, machine, parts, tonight
from companion.doctor.finding import Finding, fault
from companion.doctor.system import System
from companion.text import N_

NAMES = {
    tonight.NAME: N_("tonight"),
    "configuration": N_("configuration"),
    "python": N_("Python"),
    "packages": N_("packages"),
    "camera": N_("camera"),
    "light": N_("light"),
    "sharpness": N_("sharpness"),
    "markers": N_("markers"),
    "decks": N_("decks"),
    "panel": N_("panel"),
    "pins": N_("pins"),
    "buttons": N_("buttons"),
    "strip": N_("strip"),
    "display": N_("display"),
    "sound": N_("sound"),
    "voice": N_("voice"),
    "disk": N_("disk"),
    "card": N_("card"),
    "power": N_("power"),
    "clock": N_("clock"),
    "database": N_("record of games"),
    "backups": N_("backups"),
    "service": N_("service"),
    "page": N_("page"),
}
CHECKS: tuple[Callable[[System], Finding | list[Finding]], ...] = (
    machine.configuration,
    machine.python,
    machine.packages,
    camera.camera,
    camera.decks,
    parts.panel,
    buses.strip,
    buses.display,
    parts.sound,
    parts.voice,
    machine.disk,
    machine.card,
    machine.power,
    machine.clock,
    keeping.database,
    keeping.backups,
    keeping.service,
    keeping.page,
)


def examine(system: System) -> list[Finding]:
    """Every check, one after the other."""
    found: list[Finding] = []
    for check in CHECKS:
        try:
            checked = check(system)
        except Exception as error:  # a sick machine can fail in ways nobody thought of; the other checks go on
            checked = fault(
                check.__name__,
                N_("This check itself failed: {reason}"),
                N_("Report it, with what this writes: companion doctor --bundle hush.zip"),
                reason=f"{type(error).__name__}: {error}",
            )
        found += checked if isinstance(checked, list) else [checked]
    return found
