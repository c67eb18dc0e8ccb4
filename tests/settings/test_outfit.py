"""Pins, strip and display in one configuration: any mixture whose lines don't collide; else both uses are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.settings.effective import Settings, effective_settings
from companion.settings.file import read
from hardware.outfit import EASY_PANEL, PLAIN_PANEL
from hardware.panel import Button
from hardware.pinout import DEFAULT, EASY


def settled(text: str) -> tuple[Settings, list[str]]:
    config, first = read(text, Path("hush.toml"))
    settings, then = effective_settings(config, "en")
    return settings, [str(complaint) for complaint in (*first, *then)]


STRIP = '[strip]\ndevice = "spidev0.0"\n'
DISPLAY = '[display]\nchip = "sh1106"\n'


def test_nothing_written_is_the_plain_panel_as_it_was() -> None:
    settings, complaints = settled("")
    assert settings.outfit == PLAIN_PANEL
    assert complaints == []


def test_the_easy_panel_is_four_lines() -> None:
    settings, complaints = settled('[strip]\ndevice = "spidev0.0"\n[display]\nchip = "ssd1306"\n')
    assert complaints == []
    assert settings.outfit == EASY_PANEL
    assert settings.outfit.parts.bar == 15
    assert settings.outfit.parts.buttons == tuple(Button)


@pytest.mark.parametrize(
    ("text", "bar", "buttons"),
    [
        (STRIP, 15, 4),
        (STRIP + "[panel]\nconfirm = 3\nback = 2\n", 15, 2),
        (STRIP + "bar = []\n[panel]\nbar = [5, 6, 12]\nconfirm = 3\n", 3, 1),
        (DISPLAY + "[panel]\nbar = [10, 9, 11, 8, 7]\nleft = 4\n", 5, 1),
        (STRIP + DISPLAY + "[panel]\nleft = 4\nsun = 18\n", 15, 1),
        (STRIP + "bar = [1, 10]\n", 10, 4),
    ],
)
def test_any_mixture_plays(text: str, bar: int, buttons: int) -> None:
    settings, complaints = settled(text)
    assert complaints == []
    assert (settings.outfit.parts.bar, len(settings.outfit.parts.buttons)) == (bar, buttons)


@pytest.mark.parametrize(
    ("text", "sentence", "line"),
    [
        (
            STRIP + "[panel]\nsun = 10\n",
            "GPIO 10 is used twice: by the sun and by the strip's data line.",
            1,
        ),
        (STRIP + "[panel]\nleft = 8\n", "GPIO 8 is used twice: by the button ◀ and by the strip's bus (SPI).", 1),
        (DISPLAY, "GPIO 2 is used twice: by the button ✖ and by the display's data line (SDA).", 1),
        (
            "[panel]\nconfirm = 3\n" + DISPLAY,
            "GPIO 3 is used twice: by the button ✔ and by the display's clock line (SCL).",
            3,
        ),
    ],
)
def test_a_collision_is_named_and_the_pins_stay(text: str, sentence: str, line: int) -> None:
    settings, (complaint,) = settled(text)
    assert complaint == f"hush.toml, line {line}: {sentence}"
    assert not settings.strip.is_there
    assert not settings.display.is_there
    assert settings.outfit.has_pins


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("brightness = 3\n", "brightness can't be 3. Allowed: numbers from 0.02 to 1."),
        ("bar = [1, 40]\n", "The bar has 40 lights; 15 is the most."),
        ("pixels = 10\n", "Pixel 11, named for light 11 of the bar, is behind the end of the strip, which has 10."),
        ("sun = 21\n", "Pixel 21 is used twice: by the sun and by the moon."),
        ("colour = 1\n", "there is no key colour. There are: device,"),
        ('order = "xyz"\n', "order can't be 'xyz'."),
    ],
)
def test_a_strip_that_cant_be_is_told_and_has_its_usual_layout(text: str, sentence: str) -> None:
    settings, (complaint,) = settled(STRIP + text)
    assert sentence in complaint
    assert settings.strip == EASY_PANEL.strip


def test_a_display_that_cant_be_is_told() -> None:
    text = STRIP + '[display]\nchip = "ssd1306"\naddress = 300\nsize = "64x48"\n'
    settings, (address, size) = settled(text)
    assert "line 5: address can't be 300" in address
    assert "line 6: size can't be '64x48'" in size
    assert settings.display == EASY_PANEL.display


def test_every_value_is_listed_with_where_it_comes_from() -> None:
    settings, _ = settled(STRIP + "brightness = 0.5\n")
    rows = {key: (value, origin) for key, value, origin in settings.rows()}
    assert rows["strip.brightness"] == ("0.5", "hush.toml")
    assert rows["strip.milliamps"] == ("500", "default")
    assert rows["display.chip"] == ("none", "default")
    assert settings.pinout == EASY != DEFAULT
