"""Bringing up a panel: each lamp and button with a person, ending in a report.

A line that can be read back is *probed*; a lamp that was driven is only *emitted*, since none but the person
can say that it shines. The report never takes one for the other.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from companion.text import N_, Text, Value
from hardware.gpio import Board, Lamp, PinButton
from hardware.panel import Button
from hardware.pinout import HEADER, part_name

DISPLAY = "display"
PRESS_WITHIN_SECONDS = 15.0
RELEASE_WITHIN_SECONDS = 5.0
BUTTON_POLL_SECONDS = 0.01


class BringupPerson(Protocol):
    """Who sits at the panel and answers."""

    def presses(self, button: Button, request: Text) -> None:
        """Ask for a press; returns at once or after it."""

    def sees(self, question: Text) -> bool | None:
        """Ask for yes or no; None: passed over."""

    def names(self, question: Text) -> str:
        """Ask for a word; empty: nothing."""


class PartStanding(StrEnum):
    """What is known about a part in the end."""

    SEEN = "seen"
    """A lamp: the line follows and the person saw it shine."""
    MEASURED = "measured"
    """A button: its contact was read closed and open."""
    WATCHED = "watched"
    """A pixel: nothing comes back from a strip, but the person saw it shine."""
    READ = "read"
    """The display: the person read a number that only the display showed."""
    EMITTED = "emitted"
    """A lamp was driven and its line follows, but nobody said whether it shines."""
    SENT = "sent"
    """A pixel or the display was written to, and nobody said what they saw."""
    UNTRIED = "untried"
    FAULTY = "faulty"


PROVEN = (PartStanding.SEEN, PartStanding.MEASURED, PartStanding.WATCHED, PartStanding.READ)
UNSEEN = (PartStanding.EMITTED, PartStanding.SENT)
STANDINGS = {
    PartStanding.SEEN: N_("line follows (measured), light seen (by you)"),
    PartStanding.MEASURED: N_("contact opens and closes (measured)"),
    PartStanding.WATCHED: N_("light seen (by you)"),
    PartStanding.READ: N_("read (by you)"),
    PartStanding.SENT: N_("only sent out: nobody looked"),
    PartStanding.EMITTED: N_("line follows (measured), light only sent out: nobody looked"),
    PartStanding.UNTRIED: N_("not tried"),
    PartStanding.FAULTY: N_("faulty"),
}


class PartFinding(Struct, frozen=True):
    """What was found out about one part."""

    part: str
    gpio: int
    header_pin: int
    standing: PartStanding
    note: Text | None = None
    pixel: int = 0

    @property
    def name(self) -> Text:
        """What people call the part."""
        if self.part == DISPLAY:
            return Text(N_("the display"))
        if self.pixel:
            return Text(N_("{lamp}, pixel {pixel}"), {"lamp": part_name(self.part), "pixel": self.pixel})
        return part_name(Button(self.part) if self.part in list(Button) else self.part)


class WiringReport(Struct, frozen=True):
    """The wiring report."""

    findings: tuple[PartFinding, ...]

    @property
    def faults(self) -> tuple[PartFinding, ...]:
        """The parts that need a hand."""
        return tuple(one for one in self.findings if one.standing is PartStanding.FAULTY)

    @property
    def is_proven(self) -> bool:
        """Whether every part was seen or measured to work."""
        return all(one.standing in PROVEN for one in self.findings)


def walk(
    board: Board,
    person: BringupPerson,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> WiringReport:
    """Go through every part of the board, lamps first."""
    findings = []
    for lamp, gpio in board.pinout.lamps():
        standing, note = try_lamp(lamp, board.lamps[lamp], person)
        findings.append(PartFinding(lamp, gpio, HEADER[gpio], standing, note))
    for button, gpio in board.pinout.buttons():
        standing, note = try_button(button, board.buttons, person, clock, sleep)
        findings.append(PartFinding(button.value, gpio, HEADER[gpio], standing, note))
    return WiringReport(tuple(findings))


def try_lamp(name: str, lamp: Lamp, person: BringupPerson) -> tuple[PartStanding, Text | None]:
    """Probe the line, then light the lamp and ask."""
    lamp.light(1.0)
    follows_on = lamp.read_back()
    lamp.light(0.0)
    follows_off = not lamp.read_back()
    if not (follows_on and follows_off):
        return PartStanding.FAULTY, Text(N_("The line doesn't follow: is it shorted to ground or to 3.3 V?"))
    lamp.light(1.0)
    try:
        seen = person.sees(Text(N_("Does {part} shine, and nothing else?"), {"part": part_name(name)}))
        if seen is None:
            return PartStanding.EMITTED, None
        if seen:
            return PartStanding.SEEN, None
        instead = person.names(Text(N_("Which light shines instead? Empty: none.")))
    finally:
        lamp.light(0.0)
    if instead:
        return PartStanding.FAULTY, Text(N_("You saw {other} shine: are the wires swapped?"), {"other": instead})
    return PartStanding.FAULTY, Text(N_("No light: check the LED's direction, its resistor and the wire."))


def try_button(
    button: Button,
    buttons: dict[Button, PinButton],
    person: BringupPerson,
    clock: Callable[[], float],
    sleep: Callable[[float], None],
) -> tuple[PartStanding, Text | None]:
    """Read the contact at rest, pressed, and let go."""

    def comes(happened: Callable[[], bool], seconds: float) -> bool:
        end = clock() + seconds
        while not happened():
            if clock() >= end:
                return False
            sleep(BUTTON_POLL_SECONDS)
        return True

    if buttons[button].is_down:
        return PartStanding.FAULTY, Text(N_("It reads as pressed at rest: is it shorted, or wired the other way?"))
    resting = {one for one, contact in buttons.items() if not contact.is_down}
    person.presses(button, Text(N_("Press {part} and let it go."), {"part": part_name(button)}))
    if not comes(lambda: any(buttons[one].is_down for one in resting), PRESS_WITHIN_SECONDS):
        return PartStanding.FAULTY, Text(N_("No contact within {seconds} s."), {"seconds": int(PRESS_WITHIN_SECONDS)})
    if not buttons[button].is_down:
        other = next((one for one in resting if buttons[one].is_down), button)
        comes(lambda: not buttons[other].is_down, RELEASE_WITHIN_SECONDS)
        values: dict[str, Value] = {"other": part_name(other)}
        return PartStanding.FAULTY, Text(N_("The line of {other} answered: are the wires swapped?"), values)
    if not comes(lambda: not buttons[button].is_down, RELEASE_WITHIN_SECONDS):
        return PartStanding.FAULTY, Text(N_("It stays pressed: does it stick?"))
    return PartStanding.MEASURED, None
