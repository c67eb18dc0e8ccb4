"""Bringing up what hangs on a bus: each pixel of a strip and the display, with a person.

Nothing can be read back from a strip, so only the person knows. A display says whether it answers, and shows a number
that the person couldn't guess.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from companion.text import N_, Text
from hardware.bringup import DISPLAY, BringupPerson, PartFinding, PartStanding
from hardware.display import Message, pages
from hardware.oled import open_device, reason
from hardware.outfit import DISPLAY_LINES, STRIP_DATA, DisplaySettings
from hardware.panel import lamp_name
from hardware.pinout import HEADER
from hardware.pixels import Strip, on_the_wire, painted

NO_LIGHT = Text(
    N_("No light: check 5 V, ground, the arrow on the strip, the level shifter, and the Pi: companion doctor")
)


def walk_strip(strip: Strip, bus: Any, person: BringupPerson) -> tuple[PartFinding, ...]:
    """Light every pixel that is a lamp, one at a time, and ask; then everything goes dark."""

    def light(**levels: float) -> None:
        bus.writebytes2(on_the_wire(strip, painted(strip, levels)))

    found = []
    try:
        for lamp, pixel in strip.lamps():
            light(**{lamp: 1.0})
            standing, note = _judged(lamp, pixel, person)
            found.append(PartFinding(lamp, STRIP_DATA, HEADER[STRIP_DATA], standing, note, pixel))
    finally:
        light()
    return tuple(found)


def _judged(lamp: str, pixel: int, person: BringupPerson) -> tuple[PartStanding, Text | None]:
    question = N_("Does {part} shine in its colour (pixel {pixel} of the strip), and nothing else?")
    seen = person.sees(Text(question, {"part": lamp_name(lamp), "pixel": pixel}))
    if seen is None:
        return PartStanding.SENT, None
    if seen:
        return PartStanding.WATCHED, None
    instead = person.names(Text(N_("What shines instead, and in which colour? Empty: nothing.")))
    if not instead:
        return PartStanding.FAULTY, NO_LIGHT
    said = N_("You saw {other}: another place is the pixel's number in [strip], another colour its order.")
    return PartStanding.FAULTY, Text(said, {"other": instead})


def walk_display(
    settings: DisplaySettings,
    person: BringupPerson,
    opens: Callable[[DisplaySettings], Any] = open_device,
    shown: Callable[[int], None] = lambda number: None,
) -> PartFinding:
    """Show a number and have it read. `shown` hears it too, where there is only a simulated display."""
    line = min(DISPLAY_LINES)

    def found(standing: PartStanding, note: Text | None = None) -> PartFinding:
        return PartFinding(DISPLAY, line, HEADER[line], standing, note)

    number = random.randrange(1000, 10000)
    try:
        device = opens(settings)
        device.display(pages(Message((str(number),)), settings.pixels)[0].picture)
    except Exception as error:  # luma and the system raise all kinds of errors
        return found(PartStanding.FAULTY, reason(settings, error))
    shown(number)
    read = person.names(Text(N_("Which number does the display show? Empty: pass over.")))
    device.hide()
    device.cleanup()
    if not read:
        return found(PartStanding.SENT)
    if read != str(number):
        said = N_("It showed {number}, you read {read}: is it the right chip and size in [display]?")
        return found(PartStanding.FAULTY, Text(said, {"number": number, "read": read}))
    return found(PartStanding.READ)
