"""Bring-up with a person made of a script, on mock pins with real wiring faults."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.text import Text
from hardware.bringup import PartStanding, walk
from hardware.gpio import Board
from hardware.panel import Button
from hardware.pinout import DEFAULT, Pinout

SMALL = Pinout(bar=(5, 6), sun=18, left=4, right=17)


class Script:
    """A person who follows a script, and a clock that moves while the box waits."""

    def __init__(self, pins: MockFactory, sees: dict[str, bool | None], wires: dict[Button, int | None]):
        self.pins = pins
        self.answers = sees
        self.wires = wires
        self.instead = ""
        self.asked: list[str] = []
        self.now = 0.0
        self.plans: list[tuple[float, Callable[[], None]]] = []

    def presses(self, button: Button, request: Text) -> None:
        self.asked.append(str(request))
        number = self.wires[button]
        if number is not None:
            pin = self.pins.pin(number)
            self.plans = [(self.now + 1, pin.drive_low), (self.now + 1.5, pin.drive_high)]

    def sees(self, question: Text) -> bool | None:
        self.asked.append(str(question))
        return next((answer for part, answer in self.answers.items() if part in str(question)), True)

    def names(self, question: Text) -> str:
        self.asked.append(str(question))
        return self.instead

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        while self.plans and self.plans[0][0] <= self.now:
            self.plans.pop(0)[1]()


def walked(
    pinout: Pinout = SMALL,
    sees: dict[str, bool | None] | None = None,
    wires: dict[Button, int | None] | None = None,
    pin_class: type[Any] = MockPWMPin,
    instead: str = "",
) -> tuple[dict[str, tuple[PartStanding, str]], Script, Any]:
    pins = MockFactory(pin_class=pin_class)
    board = Board(pinout, pins)
    script = Script(pins, sees or {}, {**dict(pinout.buttons()), **(wires or {})})
    script.instead = instead
    report = walk(board, script, script.clock, script.sleep)
    board.close()
    found = {one.part: (one.standing, str(one.note) if one.note else "") for one in report.findings}
    return found, script, report


def test_a_sound_panel_is_proven_part_by_part() -> None:
    found, script, report = walked(DEFAULT)
    assert report.is_proven
    assert len(found) == 25
    assert all(found[lamp] == (PartStanding.SEEN, "") for lamp, _ in DEFAULT.lamps())
    assert all(found[button.value] == (PartStanding.MEASURED, "") for button in Button)
    assert script.asked[0] == "Does light 1 of the bar shine, and nothing else?"
    assert script.asked[-1] == "Press the button ✖ and let it go."


def test_a_lamp_nobody_looked_at_is_emitted_and_not_proven() -> None:
    found, _, report = walked(sees={"the sun": None})
    assert found["sun"] == (PartStanding.EMITTED, "")
    assert report.faults == ()
    assert not report.is_proven


def test_a_dark_lamp_is_faulty_although_its_line_follows() -> None:
    found, _, report = walked(sees={"the sun": False})
    assert found["sun"] == (
        PartStanding.FAULTY,
        "No light: check the LED's direction, its resistor and the wire.",
    )
    assert [one.part for one in report.faults] == ["sun"]


def test_swapped_lamps_are_named() -> None:
    found, _, _ = walked(sees={"light 1": False}, instead="light 2")
    assert found["bar1"] == (PartStanding.FAULTY, "You saw light 2 shine: are the wires swapped?")


def test_a_shorted_line_is_found_without_asking() -> None:
    class Shorted(MockPWMPin):
        def _change_state(self, value: float) -> bool:
            return super()._change_state(0.0 if self.info.name == "GPIO18" else value)

    found, script, _ = walked(pin_class=Shorted)
    assert found["sun"][0] is PartStanding.FAULTY
    assert "shorted" in found["sun"][1]
    assert not any("the sun" in question for question in script.asked)


def test_swapped_buttons_are_measured() -> None:
    found, _, _ = walked(wires={Button.LEFT: 17, Button.RIGHT: 4})
    assert found["left"] == (PartStanding.FAULTY, "The line of the button ▶ answered: are the wires swapped?")
    assert found["right"] == (PartStanding.FAULTY, "The line of the button ◀ answered: are the wires swapped?")


def test_a_dead_button_is_given_up_on() -> None:
    found, script, _ = walked(wires={Button.LEFT: None})
    assert found["left"] == (PartStanding.FAULTY, "No contact within 15 s.")
    assert 15 <= script.now < 20


def test_a_button_that_reads_pressed_at_rest_is_found_without_a_press() -> None:
    class Stuck(MockPWMPin):
        def _get_state(self) -> Any:
            return False if self.info.name == "GPIO4" else super()._get_state()

    found, script, _ = walked(pin_class=Stuck)
    assert found["left"][0] is PartStanding.FAULTY
    assert "at rest" in found["left"][1]
    assert not any("◀" in question for question in script.asked)


@pytest.mark.parametrize("low", [False, True])
def test_every_lamp_is_dark_again_while_the_next_is_tried(low: bool) -> None:
    pinout = Pinout(bar=(5, 6, 12), active_low=low)
    pins = MockFactory(pin_class=MockPWMPin)
    board = Board(pinout, pins)
    lit: list[list[str]] = []

    class Watcher(Script):
        def sees(self, question: Text) -> bool | None:
            lit.append([name for name, lamp in board.lamps.items() if lamp.read_back()])
            return True

    walk(board, Watcher(pins, {}, {}))
    assert lit == [["bar1"], ["bar2"], ["bar3"]]
    board.close()
