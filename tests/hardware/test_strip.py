"""The strip: its bytes are caught on the wire, read as pixels read them, and compared with the twin's lamps."""

from __future__ import annotations

import random
import sys
import threading
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.kits import KITS
from companion.outputs.panel import PanelOutput
from companion.table.hosts import HOSTS
from hardware import lights, pixels
from hardware.errors import WiringError
from hardware.flourishes import FLOURISHES
from hardware.lights import NUMBER_PATTERNS, PATTERNS
from hardware.panel import DARK, Button, Glow, Layer, PanelFrame
from hardware.pixels import Strip, budget, milliamps, painted
from hardware.signs import SIGN
from hardware.simulated import SimulatedPanel
from hardware.strip import REFRESH_SECONDS, TRANSFER_HANGS_SECONDS, NoStrip, StripPanel, open_bus
from tests.hardware.rigs import Clock
from tests.hardware.wire import Wire, levels
from tests.patience import eventually
from tests.table.fingers import Bench

STRIP = Strip("spidev0.0")
FRAMES = {name: one.frame for name, one in PATTERNS.items()}
FRAMES |= {f"{one.name}{example}": one.draw(*example).over(DARK) for one in NUMBER_PATTERNS for example in one.examples}
FRAMES |= {sign.name: Layer.parse(sign.drawings[0]).over(DARK) for sign in SIGN.values()}
FRAMES |= {
    "running": lights.looped(lights.running()),
    "inwards": lights.looped(lights.inwards()),
    "following": lights.looped(lights.following(4, lights.card("red", True))),
    "in turns": lights.alternating(PATTERNS["won"].frame, lights.yes_or_no()),
    "held": lights.looped(lights.filling(2.0)),
}


class Twins:
    """A strip and the simulated panel, side by side in one time."""

    def __init__(self, strip: Strip = STRIP, clock: Clock | None = None):
        self.clock = clock or Clock()
        self.wire = Wire(strip)
        self.strip = StripPanel(strip, self.wire, self.clock)
        self.twin = SimulatedPanel(strip.parts, self.clock)

    def compare(self) -> None:
        """The pixels shine as the twin's lamps do, as near as 8 bits can tell, and within the current."""
        self.strip.step()
        self.twin.step()
        brightness = budget(self.strip._strip).brightness
        seen = levels(self.strip._strip, self.wire.pixels, brightness)
        assert seen == pytest.approx(self.twin.lit, abs=0.51 / (255 * brightness))
        assert milliamps(self.wire.pixels) <= self.strip._strip.milliamps + 1
        for lamp, level in self.twin.lit.items():
            lit = self.wire.pixels[dict(self.strip._strip.lamps())[lamp] - 1]
            assert bool(max(lit)) == (level > 0), "a lamp that is dim isn't off"

    def watch(self, seconds: float, step: float = 0.1) -> None:
        end = self.clock.now + seconds
        while self.clock.now < end:
            self.compare()
            self.clock.now += step

    def close(self) -> None:
        self.strip.close()
        self.twin.close()


@pytest.fixture
def twins() -> Iterator[Twins]:
    twins = Twins()
    yield twins
    twins.close()


@pytest.mark.parametrize("name", FRAMES)
def test_every_frame_is_the_twins_all_the_time(twins: Twins, name: str) -> None:
    frame = FRAMES[name]
    for panel in (twins.strip, twins.twin):
        panel.show(frame)
    twins.watch(max(2.5, sum(seconds for seconds, _ in frame.keyframes if seconds < 60)))


@pytest.mark.parametrize("name", FLOURISHES)
def test_every_flourish_is_the_twins_all_the_time(twins: Twins, name: str) -> None:
    for panel in (twins.strip, twins.twin):
        panel.show(PanelFrame.parse("##~..--........ #.o. .*"))
        panel.flourish(FLOURISHES[name])
    twins.watch(FLOURISHES[name].seconds + 0.5)


@pytest.mark.parametrize("name", HOSTS)
def test_a_whole_game_shows_on_the_strip_what_the_twin_shows(name: str, tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    twins = Twins(clock=bench.clock)
    for panel in (twins.strip, twins.twin):
        PanelOutput(panel).attach(bench.box.bus)
    host, rng = HOSTS[name], random.Random(name)
    bench.box.start(name, {**host.box_defaults, **host.at_table, **KITS[name].variants[0].options})
    while not bench.history.is_over:
        play = bench.history
        bench.box.do(rng.choice(host.game.legal(play.state)))
        bench.wait(0.3)
        twins.compare()
        bench.hold(Button.CONFIRM)
        twins.watch(0.2)
    assert twins.wire.frames > bench.history.number
    twins.close()
    assert not any(map(any, twins.wire.pixels)), "lights out"
    bench.close()


# Layout, colours, current


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"bar": (1, 16)}, "The bar has 16 lights; 15 is the most."),
        ({"bar": (1,)}, "The strip's bar needs its first and its last pixel"),
        ({"pixels": 20}, "Pixel 21, named for the moon, is behind the end of the strip, which has 20."),
        ({"red": 15}, "Pixel 15 is used twice: by light 15 of the bar and by the red light."),
        ({"pixels": 100, "milliamps": 150}, "100 pixels take 100 mA even while they are dark"),
    ],
)
def test_a_layout_that_cant_be_is_told(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(WiringError) as error:
        Strip(**settings)  # type: ignore[arg-type]
    assert sentence in str(error.value)


def test_parts_stand_where_the_layout_says_backwards_too() -> None:
    strip = Strip("spidev0.0", 30, (20, 6), red=1, blue=0, yellow=3, green=2, sun=30, moon=29)
    twins = Twins(strip)
    twins.strip.show(PanelFrame.parse("##............. #### #."))
    twins.strip.step()
    lit = [place for place, pixel in enumerate(twins.wire.pixels, start=1) if any(pixel)]
    assert lit == [1, 2, 3, 19, 20, 30]
    assert "blue" not in strip.parts.lamps
    twins.close()


def test_a_short_bar_on_the_strip_shows_the_same_share() -> None:
    twins = Twins(Strip("spidev0.0", bar=(1, 10)))
    for panel in (twins.strip, twins.twin):
        panel.show(PanelFrame.parse("#########...... .... .."))
    twins.compare()
    assert sum(map(any, twins.wire.pixels)) == 6
    twins.close()


@pytest.mark.parametrize("order", ["grb", "rgb", "bgr", "grbw", "rgbw"])
def test_colours_are_real_whatever_the_order_of_the_chip(order: str) -> None:
    strip = Strip("spidev0.0", order=order, brightness=1.0, milliamps=5000)  # type: ignore[arg-type]
    shown = painted(strip, dict.fromkeys(strip.parts.names(), 1.0))
    red, blue, yellow, green = shown[15:19]
    assert red[:3] == (255, 0, 0)
    assert blue[2] == 255 > blue[1] > blue[0] == 0
    assert yellow[0] > yellow[1] > yellow[2] == 0
    assert green[1] == 255 > green[2] >= green[0] == 0
    bar = shown[0]
    assert bar[3:] == ((255,) if "w" in order else ()), "a white light of its own makes the bar's white"
    assert "w" in order or (bar[0] > bar[1] > bar[2] > 0), "warm white"
    assert shown[21] == (0,) * len(order), "the spare one stays dark"


@pytest.mark.parametrize("limit", [60, 150, 400, 5000])
def test_no_frame_takes_more_than_is_allowed(limit: int) -> None:
    strip = Strip("spidev0.0", brightness=1.0, milliamps=limit)
    whole = painted(strip, dict.fromkeys(strip.parts.names(), 1.0))
    assert milliamps(whole) <= limit + 1
    assert budget(strip).is_limited == (limit < 700)
    one = painted(strip, {"red": 1.0})
    assert one[15] == whole[15], "a lamp doesn't dim because others come on"


# The bus


def test_a_strip_that_lost_its_picture_gets_it_again(twins: Twins) -> None:
    twins.strip.show(PanelFrame.parse("#.............. .... .."))
    twins.strip.step()
    twins.wire.pixels = []  # unplugged and plugged in again
    twins.clock.now += REFRESH_SECONDS
    twins.strip.step()
    assert any(twins.wire.pixels[0])


def test_a_bus_that_fails_is_named_and_forgiven(twins: Twins, caplog: pytest.LogCaptureFixture) -> None:
    twins.wire.error = OSError("no device")
    for _ in range(5):
        twins.clock.now += REFRESH_SECONDS
        twins.strip.show(PanelFrame((Glow.FAST,) * 15))
        twins.strip.step()
    assert str(twins.strip.fault) == "The strip fails: no device"
    assert len(caplog.records) == 1, "once, however often a lamp blinks"
    twins.wire.error = None
    twins.clock.now += REFRESH_SECONDS
    twins.strip.step()
    assert twins.strip.fault is None


def test_a_bus_that_hangs_keeps_nobody_waiting() -> None:
    wire = Wire(STRIP)
    panel = StripPanel(STRIP, wire)
    eventually(lambda: wire.frames > 0)
    wire.hold = threading.Event()
    panel.show(PanelFrame.parse("#.............. .... .."))
    eventually(lambda: panel._sending is not None)
    panel._sending -= TRANSFER_HANGS_SECONDS + 1  # type: ignore[operator]
    panel.show(PanelFrame.parse("##............. .... .."))
    assert str(panel.fault).startswith("The strip's bus hangs")
    panel.close()
    assert not wire.is_closed, "nothing is asked of a bus that hangs"
    wire.hold.set()


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (FileNotFoundError(2, "No such file"), "There is no /dev/spidev0.0: write dtparam=spi=on into config.txt"),
        (PermissionError(13, "Permission denied"), "/dev/spidev0.0 can't be opened"),
    ],
)
def test_a_bus_that_isnt_there_is_told_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch, error: OSError, sentence: str
) -> None:
    class Closed(Wire):
        def __init__(self) -> None:
            super().__init__(STRIP)

        def open(self, bus: int, device: int) -> None:
            raise error

    monkeypatch.setitem(sys.modules, "spidev", types.SimpleNamespace(SpiDev=Closed))
    with pytest.raises(NoStrip, match=sentence):
        open_bus("spidev0.0")
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(NoStrip, match="apt-get install python3-spidev"):
        open_bus("spidev0.0")


def test_the_bus_is_set_up_for_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", types.SimpleNamespace(SpiDev=lambda: Wire(STRIP)))
    bus = open_bus("spidev0.1")
    assert (bus.opened, bus.mode, bus.max_speed_hz) == ((0, 1), 0, pixels.BUS_HZ)


def test_the_stand_in_has_the_names_of_debians_spidev() -> None:
    """Only where python3-spidev is installed: its names, and that it takes bytes."""
    spidev = pytest.importorskip("spidev", reason="python3-spidev isn't installed")
    real = spidev.SpiDev()
    for name in ("open", "writebytes2", "close"):
        assert callable(getattr(real, name))
        assert callable(getattr(Wire, name))
    for name in ("mode", "max_speed_hz"):
        assert hasattr(type(real), name)
    with pytest.raises(OSError, match=r"."):
        real.writebytes2(b"\0")
