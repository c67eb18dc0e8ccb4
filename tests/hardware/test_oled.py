"""The display's adapter: luma's own classes write on a stand-in for the bus, and its memory is looked at."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Iterator

import pytest
import smbus2
from luma.core.device import dummy
from PIL import Image, ImageChops

from hardware.display import BLANK, Message, pages
from hardware.oled import (
    BRIGHT_CONTRAST,
    DARK_AFTER,
    DIM_CONTRAST,
    DISPLAY_RETRY_SECONDS,
    LINK_AFTER_ROUNDS,
    PICTURE_HANGS_SECONDS,
    OledDisplay,
    reason,
)
from hardware.outfit import DisplaySettings
from tests.hardware.panes import Glass
from tests.hardware.rigs import Clock
from tests.patience import eventually

# Luma reads pictures by a method that Pillow 14 won't have; until then it's the right one.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")
KINDS = [
    DisplaySettings("ssd1306", "128x64"),
    DisplaySettings("ssd1306", "128x32"),
    DisplaySettings("sh1106", "128x64"),
    DisplaySettings("ssd1306", "128x64", turned=True),
    DisplaySettings("sh1106", "128x64", address=0x3D),
]
HELLO = Message(("Player 2 plays a card.",))
LONG = Message(("word " * 80,))


class Bench:
    """A display on a glass, in a time of its own."""

    def __init__(self, settings: DisplaySettings = KINDS[0], glass: Glass | None = None):
        self.settings = settings
        self.clock = Clock()
        self.glass = glass or Glass(settings.address)
        self.display = OledDisplay(settings, self.glass.opens, self.clock)

    def wait(self, seconds: float) -> None:
        end = self.clock.now + seconds
        while (due := self.display.step()) <= end:
            assert due > self.clock.now
            self.clock.now = due
        self.clock.now = end
        self.display.step()

    @property
    def seen(self) -> Image.Image:
        return self.glass.picture(self.settings)


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.display.close()


def same(one: Image.Image, other: Image.Image) -> bool:
    return ImageChops.difference(one.convert("L"), other.convert("L")).getbbox() is None


@pytest.mark.parametrize("settings", KINDS, ids=str)
def test_what_is_written_is_on_the_glass(settings: DisplaySettings) -> None:
    bench = Bench(settings)
    for message in (HELLO, Message(("Zażółć gęślą jaźń.", "¿Quién?"), "http://10.0.0.2:8080/"), HELLO):
        bench.display.write(message)
        bench.display.step()
        wanted = pages(message, settings.pixels)[0].picture
        assert same(bench.seen, wanted.rotate(180) if settings.turned else wanted)
    assert bench.glass.is_on
    bench.display.close()
    assert not bench.glass.is_on


@pytest.mark.parametrize("settings", KINDS[:3], ids=str)
def test_lumas_own_picture_device_shows_the_same(settings: DisplaySettings) -> None:
    width, height = settings.pixels
    pane = dummy(width=width, height=height, mode="1")
    display = OledDisplay(settings, lambda _: pane, Clock())
    display.write(HELLO)
    display.step()
    assert pane.image is not None
    assert same(pane.image, pages(HELLO, settings.pixels)[0].picture)
    display.close()


def test_pages_take_turns(bench: Bench) -> None:
    bench.display.write(LONG)
    drawn = pages(LONG, bench.settings.pixels)
    assert len(drawn) > 1
    for page in (*drawn, drawn[0]):
        bench.display.step()
        assert same(bench.seen, page.picture)
        bench.wait(page.seconds)


def test_the_address_has_its_turns_and_then_the_words_stand_alone(bench: Bench) -> None:
    message = Message(("Choose a game.",), "http://10.0.0.2:8080/")
    words, link = pages(message, bench.settings.pixels)
    bench.display.write(message)
    for _ in range(LINK_AFTER_ROUNDS):
        bench.display.step()
        assert same(bench.seen, words.picture)
        bench.wait(words.seconds)
        assert same(bench.seen, link.picture)
        bench.wait(link.seconds)
    bench.wait(50)
    assert same(bench.seen, words.picture)


def test_the_same_words_cost_nothing(bench: Bench) -> None:
    bench.display.write(HELLO)
    bench.display.step()
    writes = bench.glass.writes
    for _ in range(20):
        bench.display.write(HELLO)
        bench.display.step()
    assert bench.glass.writes == writes


def test_it_dims_by_itself_then_goes_dark_and_wakes(bench: Bench) -> None:
    after = bench.settings.dim_after
    bench.display.write(HELLO)
    bench.display.step()
    assert bench.glass.contrast == BRIGHT_CONTRAST
    bench.wait(after + 1)
    assert bench.glass.contrast == DIM_CONTRAST
    assert bench.glass.is_on
    bench.wait(after * DARK_AFTER)
    assert not bench.glass.is_on
    bench.display.wake()
    bench.display.step()
    assert (bench.glass.contrast, bench.glass.is_on) == (BRIGHT_CONTRAST, True)
    assert same(bench.seen, pages(HELLO, bench.settings.pixels)[0].picture)
    bench.wait(after + 1)
    bench.display.write(Message(("Other words.",)))
    bench.display.step()
    assert bench.glass.contrast == BRIGHT_CONTRAST


# What goes wrong


def test_a_display_at_another_address_is_named_and_found_once_it_answers(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench(DisplaySettings("ssd1306"), Glass(0x3D))
    bench.display.write(HELLO)
    bench.wait(5 * DISPLAY_RETRY_SECONDS)
    assert str(bench.display.fault) == (
        "No display answers at 0x3c: check its wires, and try the other address (0x3c, 0x3d)."
    )
    assert len(caplog.records) == 1, "said once, however often it's looked for"
    bench.glass.address = 0x3C
    bench.wait(DISPLAY_RETRY_SECONDS)
    assert bench.display.fault is None
    assert same(bench.seen, pages(HELLO, bench.settings.pixels)[0].picture)
    bench.display.close()


def test_a_display_that_is_pulled_out_and_put_back_shows_what_is_due(bench: Bench) -> None:
    bench.display.write(HELLO)
    bench.display.step()
    bench.glass.is_plugged = False
    bench.display.write(Message(("Nobody can read this.",)))
    bench.display.step()
    assert bench.display.fault is not None
    bench.glass.is_plugged, bench.glass.memory = True, {}
    bench.display.write(HELLO)
    bench.wait(DISPLAY_RETRY_SECONDS)
    assert bench.display.fault is None
    assert same(bench.seen, pages(HELLO, bench.settings.pixels)[0].picture)


def test_a_bus_that_hangs_keeps_nobody_waiting() -> None:
    glass = Glass()
    display = OledDisplay(KINDS[0], glass.opens)
    eventually(lambda: glass.is_on)
    glass.hold = threading.Event()
    display.write(HELLO)
    eventually(lambda: display._busy_since is not None)
    display._busy_since -= PICTURE_HANGS_SECONDS + 1  # type: ignore[operator]
    display.write(Message(("Goes on.",)))
    assert str(display.fault).startswith("The display's bus hangs")
    display.close()
    glass.hold.set()


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ImportError("luma"), "The library luma.oled is missing"),
        (OSError("I2C device not found: /dev/i2c-1"), "There is no I2C bus: write dtparam=i2c_arm=on"),
        (OSError(110, "Connection timed out"), "The display fails: TimeoutError"),
    ],
)
def test_every_fault_says_what_to_do(error: Exception, sentence: str) -> None:
    assert sentence in str(reason(KINDS[0], error))


# How it ends


def test_in_its_own_thread_it_shows_and_leaves_a_last_word() -> None:
    glass = Glass()
    display = OledDisplay(KINDS[0], glass.opens)
    display.write(HELLO)
    wanted = pages(HELLO, (128, 64))[0].picture
    eventually(lambda: same(glass.picture(KINDS[0]), wanted))
    last = Message(("Everything is saved.",))
    display.close(last)
    display.close(BLANK)
    assert same(glass.picture(KINDS[0]), pages(last, (128, 64))[0].picture)
    assert glass.is_on, "it stays until the plug is pulled"
    display.write(HELLO)
    assert same(glass.picture(KINDS[0]), pages(last, (128, 64))[0].picture)


def test_the_stand_in_takes_what_smbus2_takes() -> None:
    ours = inspect.signature(Glass.write_i2c_block_data).parameters
    theirs = inspect.signature(smbus2.SMBus.write_i2c_block_data).parameters
    assert len(ours) <= len(theirs)
    assert [one.default is inspect.Parameter.empty for one in theirs.values()][: len(ours)] == [True] * len(ours)
