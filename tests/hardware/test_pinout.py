"""The pinout: what can be wired, and clear words for what can't."""

from __future__ import annotations

import tomllib

import pytest
from gpiozero.pins.pi import PiBoardInfo
from hypothesis import given
from hypothesis import strategies as st

from hardware.errors import WiringError
from hardware.panel import Button, Parts
from hardware.pinout import DEFAULT, FIXED_PULL_UP, GROUNDS, HEADER, Pinout, from_config


def test_the_default_uses_25_of_the_26_lines() -> None:
    used = [pin for _, pin in (*DEFAULT.lamps(), *DEFAULT.buttons())]
    assert len(used) == len(set(used)) == 25
    assert len(HEADER) == 26
    assert DEFAULT.free() == (14,)
    assert DEFAULT.parts == Parts()


def test_the_header_is_the_pis() -> None:
    # gpiozero's own data of a Pi 4B, so that our table can't be wrong on its own.
    pins = PiBoardInfo.from_revision(0xC03114).headers["J8"].pins
    lines = {int(pin.name[4:]): place for place, pin in pins.items() if pin.name.startswith("GPIO")}
    assert {pin: place for pin, place in lines.items() if pin not in (0, 1)} == HEADER
    assert {pin for pin, place in lines.items() if pins[place].pull and pin > 1} == set(FIXED_PULL_UP)
    grounds = tuple(number for number, pin in sorted(pins.items()) if pin.name == "GND")
    assert grounds == GROUNDS


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"bar": [5, 6], "sun": 6}, "GPIO 6 is used twice: by light 2 of the bar and by the sun."),
        ({"bar": [5, 5]}, "GPIO 5 is used twice: by light 1 of the bar and by light 2 of the bar."),
        ({"red": 17, "right": 17}, "GPIO 17 is used twice: by the red light and by the button ▶."),
        ({"moon": 40}, "GPIO 40, named for the moon, isn't on the header. It has GPIO 2 to 27."),
        ({"back": 1}, "GPIO 1, named for the button ✖, isn't on the header. It has GPIO 2 to 27."),
        ({"bar": list(range(2, 18))}, "The bar has 16 lights; 15 is the most."),
        (
            {"confirm": 3, "pull": "down"},
            'GPIO 3, named for the button ✔, has a fixed pull-up on the Pi: it needs pull = "up".',
        ),
        (
            {"confirm": 5, "pull": "none"},
            'pull = "none" needs pressed = "low" or "high": the level of a pressed button.',
        ),
        (
            {"confirm": 5, "pull": "up", "pressed": "high"},
            'pull = "up" can\'t go with pressed = "high": the button would do nothing.',
        ),
        ({"sun": 5, "active_low": ["moon"]}, "active_low names moon, but the panel has no such light."),
    ],
)
def test_what_cannot_be_wired_is_said_clearly(table: dict[str, object], sentence: str) -> None:
    with pytest.raises(WiringError) as error:
        from_config(table)
    assert str(error.value) == sentence


@pytest.mark.parametrize("table", [{"sunn": 5}, {"sun": "five"}, {"bar": 5}, {"pull": "sideways"}, {"sun": True}])
def test_what_cannot_be_read_names_its_place(table: dict[str, object]) -> None:
    with pytest.raises(WiringError, match="can't be read"):
        from_config(table)


def test_a_configuration_file_reads_as_documented() -> None:
    table = tomllib.loads('[panel]\nbar = [5, 6, 12]\nconfirm = 3\nactive_low = ["bar"]\n')["panel"]
    pinout = from_config(table)
    assert pinout.parts == Parts(bar=3, lamps=(), buttons=(Button.CONFIRM,))
    assert pinout.is_active_low("bar2")


def test_without_named_pins_the_default_is_meant() -> None:
    assert from_config({}) == DEFAULT
    assert from_config({"active_low": True}).is_active_low("moon")


@given(st.dictionaries(st.sampled_from(list(Pinout.__struct_fields__[1:11])), st.integers(-5, 45)))
def test_a_pinout_is_either_sound_or_refused_with_its_pin(pins: dict[str, int]) -> None:
    fine = len(set(pins.values())) == len(pins) and all(pin in HEADER for pin in pins.values())
    if fine:
        Pinout(**pins)
    else:
        with pytest.raises(WiringError, match="GPIO"):
            Pinout(**pins)
