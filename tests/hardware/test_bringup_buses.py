"""Bringing up a strip and a display with a person made of a script."""

from __future__ import annotations

import pytest

from companion.text import Text
from hardware.bringup import PartStanding, WiringReport
from hardware.bringup_buses import walk_display, walk_strip
from hardware.outfit import EASY_PANEL, DisplaySettings
from hardware.panel import Button
from hardware.pixels import Strip
from tests.hardware.panes import Glass
from tests.hardware.wire import Wire

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")
STRIP = Strip("spidev0.0", 4, (1, 2), 3, 0, 0, 0, 4, 0)


class Script:
    """A person with eyes on the wire: what is lit is what they see, unless the script says otherwise."""

    def __init__(self, wire: Wire, swapped: bool = False, passes: str = "", reads: str | None = None):
        self.wire = wire
        self.swapped = swapped
        self.passes = passes
        self.reads = reads
        self.lit: list[list[int]] = []

    def presses(self, button: Button, request: Text) -> None:
        raise AssertionError("no button is tried here")

    def sees(self, question: Text) -> bool | None:
        lit = [place for place, pixel in enumerate(self.wire.pixels, start=1) if any(pixel)]
        self.lit.append(lit)
        if self.passes and self.passes in str(question):
            return None
        return not (self.swapped and lit == [1])

    def names(self, question: Text) -> str:
        if "number" in str(question):
            return self.reads or ""
        return "light 2" if self.swapped else ""


def test_each_pixel_comes_on_alone_and_all_go_dark() -> None:
    wire = Wire(STRIP)
    person = Script(wire)
    found = walk_strip(STRIP, wire, person)
    assert person.lit == [[1], [2], [3], [4]]
    assert [one.part for one in found] == ["bar1", "bar2", "red", "sun"]
    assert {one.standing for one in found} == {PartStanding.WATCHED}, (
        "nothing comes back from a strip: nobody measured it"
    )
    assert WiringReport(found).is_proven
    assert not any(map(any, wire.pixels))
    assert str(found[2].name) == "the red light, pixel 3"


def test_what_shines_elsewhere_is_told_with_what_to_change() -> None:
    wire = Wire(STRIP)
    first, *others = walk_strip(STRIP, wire, Script(wire, swapped=True, passes="the sun"))
    assert first.standing is PartStanding.FAULTY
    assert str(first.note) == (
        "You saw light 2: another place is the pixel's number in [strip], another colour its order."
    )
    assert others[-1].standing is PartStanding.SENT
    assert not WiringReport((first, *others)).is_proven


def test_a_strip_that_stays_dark_is_told_with_what_to_check() -> None:
    wire = Wire(STRIP)

    class Nothing(Script):
        def sees(self, question: Text) -> bool | None:
            return False

    found = walk_strip(STRIP, wire, Nothing(wire))
    assert all("level shifter" in str(one.note) for one in found)


def shown(settings: DisplaySettings, glass: Glass, answer: str | None = None) -> tuple[PartStanding, str]:
    """What bring-up says of a display whose number a person reads off the glass, or answers otherwise."""
    told: list[int] = []

    class Reader(Script):
        def names(self, question: Text) -> str:
            assert glass.is_on
            return str(told[0]) if answer is None else answer

    found = walk_display(settings, Reader(Wire(STRIP)), glass.opens, told.append)
    return found.standing, str(found.note)


def test_a_number_that_was_read_proves_the_display() -> None:
    glass = Glass()
    assert shown(EASY_PANEL.display, glass)[0] is PartStanding.READ
    assert not glass.is_on
    assert shown(EASY_PANEL.display, Glass(), "")[0] is PartStanding.SENT
    standing, note = shown(EASY_PANEL.display, Glass(), "12")
    assert standing is PartStanding.FAULTY
    assert "is it the right chip and size" in note


def test_a_display_that_doesnt_answer_says_why() -> None:
    standing, note = shown(DisplaySettings("sh1106"), Glass(0x3D))
    assert standing is PartStanding.FAULTY
    assert "No display answers at 0x3c" in note
