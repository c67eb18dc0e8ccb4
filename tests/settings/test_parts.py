"""The parts of a real panel, opened together: one that can't be had, or that fails, fails alone and is named."""

from __future__ import annotations

import random
import sys
import threading
import types
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.commands import devices
from companion.kits import KITS
from companion.outputs.panel import PanelOutput
from companion.outputs.text_line import TextLine
from companion.settings.effective import Settings
from companion.table.hosts import HOSTS
from hardware import gpio
from hardware.backends import open_parts
from hardware.button_signals import Press
from hardware.display import SilentDisplay
from hardware.errors import PanelError
from hardware.oled import OledDisplay
from hardware.outfit import EASY_PANEL, Outfit
from hardware.panel import Button, PanelFrame
from hardware.panel_group import Panels
from hardware.pinout import Pinout
from hardware.silent import NullPanel
from hardware.strip import StripPanel
from tests.hardware.panes import Glass
from tests.hardware.wire import Wire
from tests.patience import eventually
from tests.table.fingers import Bench

FRAME = PanelFrame.parse("###............ #... .#")


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    """A strip at the end of what `import spidev` gives."""
    wire = Wire(EASY_PANEL.strip)
    monkeypatch.setitem(sys.modules, "spidev", types.SimpleNamespace(SpiDev=lambda: wire))
    return wire


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> Any:
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(gpio, "pi_pins", lambda: factory)
    return factory


def settings(folder: Path) -> Settings:
    return Settings("pi", folder, EASY_PANEL.pinout, EASY_PANEL.strip, EASY_PANEL.display)


def test_strip_and_buttons_act_as_one_panel(wire: Wire, pins: Any) -> None:
    heard: list[object] = []
    with open_parts(EASY_PANEL) as panel:
        assert panel.parts.bar == 15
        assert panel.parts.buttons == tuple(Button)
        panel.listen(heard.append)
        panel.show(FRAME)
        eventually(lambda: bool(wire.pixels) and any(wire.pixels[2]))
        pins.pin(EASY_PANEL.pinout.left).drive_low()
        eventually(lambda: panel.panels[0]._buttons._contacts[Button.LEFT].is_down)  # type: ignore[attr-defined]
        pins.pin(EASY_PANEL.pinout.left).drive_high()
        eventually(lambda: heard == [Press(Button.LEFT)])
        assert panel.fault is None
    assert not any(map(any, wire.pixels))


def test_a_strip_that_isnt_there_leaves_the_buttons(pins: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    told: list[str] = []
    with devices.own_panel(settings(tmp_path), told.append) as panel:
        assert isinstance(panel, Panels)
        assert panel.parts.buttons == tuple(Button)
        panel.show(FRAME)
        assert "python3-spidev" in str(panel.fault)
    assert told == ["The library spidev is missing: sudo apt-get install python3-spidev"]


def test_pins_that_arent_there_leave_the_strip(wire: Wire, tmp_path: Path) -> None:
    told: list[str] = []
    with devices.own_panel(settings(tmp_path), told.append) as panel:
        panel.show(FRAME)
        eventually(lambda: bool(wire.pixels) and any(wire.pixels[2]))
        assert panel.parts.buttons == ()
    assert len(told) == 1


def test_without_any_part_the_page_still_plays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    told: list[str] = []
    with devices.own_panel(settings(tmp_path), told.append) as panel:
        assert isinstance(panel, NullPanel)
    with pytest.raises(PanelError):
        open_parts(EASY_PANEL)


def test_a_strip_alone_needs_no_pins(wire: Wire) -> None:
    with open_parts(Outfit(Pinout(), EASY_PANEL.strip)) as panel:
        assert isinstance(panel, StripPanel)


def test_a_part_that_breaks_later_is_named_and_the_others_go_on(wire: Wire, pins: Any) -> None:
    with open_parts(EASY_PANEL) as panel:
        wire.error = OSError("gone")
        panel.show(FRAME)
        eventually(lambda: panel.fault is not None)
        assert str(panel.fault) == "The strip fails: gone"
        heard: list[object] = []
        panel.listen(heard.append)
        pins.pin(EASY_PANEL.pinout.back).drive_low()
        eventually(lambda: panel.panels[0]._buttons._contacts[Button.BACK].is_down)  # type: ignore[attr-defined]
        pins.pin(EASY_PANEL.pinout.back).drive_high()
        eventually(lambda: heard == [Press(Button.BACK)])
        wire.error = None
        eventually(lambda: panel.fault is None)


def test_the_display_is_opened_where_the_box_has_one(tmp_path: Path) -> None:
    display = devices.own_display(settings(tmp_path), NullPanel())
    assert isinstance(display, OledDisplay)
    eventually(lambda: display.fault is not None)
    assert "dtparam=i2c_arm=on" in str(display.fault)
    display.close()
    assert isinstance(devices.own_display(Settings("pi", tmp_path), NullPanel()), SilentDisplay)
    assert isinstance(devices.own_display(Settings("simulated", tmp_path), NullPanel()), SilentDisplay)


def test_a_whole_game_goes_on_while_both_buses_hang(wire: Wire, pins: Any, tmp_path: Path) -> None:
    """Nobody waits for a bus: the moves, the buttons and the other outputs go on, and both are named in the end."""
    glass = Glass()
    wire.hold = glass.hold = threading.Event()
    bench = Bench(tmp_path)
    panel, display = open_parts(EASY_PANEL), OledDisplay(EASY_PANEL.display, glass.opens)
    for output in (PanelOutput(panel), TextLine(display, str, lambda: "http://10.0.0.2:8080/", bench.clock)):
        output.attach(bench.box.bus)
    host, rng = HOSTS["similo"], random.Random(1)
    bench.box.start("similo", {**host.box_defaults, **host.at_table, **KITS["similo"].variants[0].options})
    while not bench.history.is_over:
        bench.box.do(rng.choice(host.game.legal(bench.history.state)))
        bench.hold(Button.CONFIRM)
    strip = panel.panels[1]  # type: ignore[attr-defined]
    eventually(lambda: strip._sending is not None and display._busy_since is not None)
    strip._sending -= 60
    display._busy_since -= 60  # type: ignore[operator]
    bench.box.show_menu()
    assert "The strip's bus hangs" in str(panel.fault)
    assert "The display's bus hangs" in str(display.fault)
    panel.close()
    display.close()
    wire.hold.set()
    bench.close()
