"""What's wrong with my box: each part, whether it's well, and what to do about it."""

from __future__ import annotations

import shutil
from pathlib import Path

from companion.session.situation import Situation
from companion.text import N_, Text
from companion.web.pictures.model import Say
from companion.web.records import BoxHealth, Check
from hardware.lights import PATTERNS
from hardware.panel import Panel

MIN_DISK_BYTES = 100 * 1024 * 1024
HOTTEST_CELSIUS = 80.0
THERMAL = Path("/sys/class/thermal/thermal_zone0/temp")
THROTTLED = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")


def health(shown: Situation, panel: Panel, folder: Path, phones: int, is_simulated: bool, say: Say) -> BoxHealth:
    """Every check."""
    checks = [
        *_start(shown, say),
        _camera(shown, is_simulated, say),
        *_parts(shown, panel, say),
        *_machine(folder, say),
        _page(phones, say),
    ]
    return BoxHealth(all(check.is_well for check in checks), tuple(checks))


def _start(shown: Situation, say: Say) -> list[Check]:
    if "safe-mode" not in shown.faults:
        return []
    fix = Text(N_("Update it, go back to the version before, or start it as usual: below."))
    return [Check(say(Text(N_("start"))), False, say(Text(PATTERNS["safe-mode"].meaning)), say(fix))]


def _camera(shown: Situation, is_simulated: bool, say: Say) -> Check:
    if is_simulated:
        return Check(say(Text(N_("camera"))), True, say(Text(N_("A simulated one looks at a simulated table."))))
    is_well = "no-camera" not in shown.faults and shown.has_camera
    if is_well and "no-eye" in shown.faults:
        return Check(
            say(Text(N_("camera"))),
            False,
            say(Text(PATTERNS["no-eye"].meaning)),
            say(Text(N_("It tries again by itself; see why: journalctl -u hush"))),
        )
    if is_well and "blurred" in shown.faults:
        return Check(
            say(Text(N_("camera"))),
            False,
            say(shown.turn_the_lens or Text(PATTERNS["blurred"].meaning)),
            say(Text(N_("Open “Camera” and turn the lens until the bar there is longest."))),
        )
    return Check(
        say(Text(N_("camera"))),
        is_well,
        say(Text(N_("It sees the table.") if is_well else N_("There is none: play goes on by buttons and page."))),
        "" if is_well else say(Text(N_("Check the ribbon cable and the [camera] section, then start the box again."))),
    )


def _parts(shown: Situation, panel: Panel, say: Say) -> list[Check]:
    record = shown.has_record and "no-record" not in shown.faults
    fault = panel.fault or shown.broken
    return [
        Check(
            say(Text(N_("record"))),
            record,
            say(Text(N_("Every move is on disk.") if record else N_("Moves can't be written to the disk."))),
            "" if record else say(Text(N_("Make room on the card, or replace it; the game goes on in memory."))),
        ),
        Check(
            say(Text(N_("panel"))),
            fault is None and bool(panel.parts.buttons),
            say(fault)
            if fault is not None
            else say(Text(N_("Lights and buttons answer.") if panel.parts.buttons else N_("There is no panel here."))),
            "" if fault is None and panel.parts.buttons else say(Text(N_("Try every part with: companion bringup"))),
        ),
    ]


def _machine(folder: Path, say: Say) -> list[Check]:
    checks = []
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        free = 0
    room = free >= MIN_DISK_BYTES
    checks.append(
        Check(
            say(Text(N_("disk"))),
            room,
            say(Text(N_("{size} MB are free."), {"size": free // (1024 * 1024)})),
            "" if room else say(Text(N_("Delete what isn't needed, or use a larger card."))),
        )
    )
    heat = _number(THERMAL)
    if heat is not None:
        degrees = heat / 1000
        cool = degrees < HOTTEST_CELSIUS
        checks.append(
            Check(
                say(Text(N_("temperature"))),
                cool,
                say(Text(N_("{degrees} °C."), {"degrees": round(degrees)})),
                "" if cool else say(Text(N_("Give the box air: it slows down when it's hot."))),
            )
        )
    power = _number(THROTTLED, 16)
    if power is not None:
        strong = power & 1 == 0
        checks.append(
            Check(
                say(Text(N_("power"))),
                strong,
                say(Text(N_("The supply is strong enough.") if strong else N_("The supply is too weak."))),
                "" if strong else say(Text(N_("Use the Pi's own power supply and a short cable."))),
            )
        )
    return checks


def _page(phones: int, say: Say) -> Check:
    return Check(say(Text(N_("page"))), True, say(Text(N_("Open pages: {count}."), {"count": phones})))


def _number(path: Path, base: int = 10) -> int | None:
    try:
        return int(path.read_text().strip(), base)
    except (OSError, ValueError):
        return None
