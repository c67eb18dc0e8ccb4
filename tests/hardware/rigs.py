"""A rig for each adapter: how a test presses its buttons, and how it looks at its lamps from outside."""

from __future__ import annotations

import io
import os
import pty
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin
from rich.console import Console

from hardware.animation_loop import LitPanel
from hardware.button_signals import LONG_PRESS_SECONDS
from hardware.gpio import GpioPanel
from hardware.outfit import EASY_PANEL
from hardware.panel import SKY, SUITS, Button, Panel
from hardware.panel_drawing import button_centre, lamp_centre
from hardware.panel_group import Panels
from hardware.pinout import DEFAULT, Pinout
from hardware.pixels import Strip, budget
from hardware.simulated import SimulatedPanel
from hardware.strip import StripPanel
from hardware.terminal import GLYPHS, TerminalPanel
from hardware.window import PANEL_TOP, WindowPanel
from tests.hardware.wire import Wire, levels
from tests.patience import eventually


class Clock:
    """A clock that stands still until it's moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Rig(ABC):
    panel: Panel

    def __init__(self) -> None:
        self.clock = Clock()
        self.heard: list[Any] = []

    def wait(self, seconds: float) -> None:
        """Let time pass, in steps no longer than what the panel asked for."""
        end = self.clock.now + seconds
        while True:
            due = min(panel.step() for panel in self.lit_panels())
            if due > end:
                break
            assert due > self.clock.now, "a panel that asks to be called at once would never sleep"
            self.clock.now = due
        self.clock.now = end
        for panel in self.lit_panels():
            panel.step()

    def lit_panels(self) -> Iterator[LitPanel]:
        assert isinstance(self.panel, LitPanel)
        yield self.panel

    @abstractmethod
    def hold(self, button: Button, seconds: float) -> None:
        """Press a button as a person would, and let it go."""

    @abstractmethod
    def shades(self) -> dict[str, int]:
        """What a person sees: 0 off, 1 dim, 2 on."""

    def close(self) -> None:
        self.panel.close()


def as_shade(level: float) -> int:
    return 0 if level == 0 else 1 if level < 0.5 else 2


class ClockedPin(MockPWMPin):
    """A line whose edges are timed by its factory's clock; gpiozero's own takes the machine's."""

    def _change_state(self, value: float) -> bool:
        has_changed = super()._change_state(value)
        self._last_change = self.factory.ticks()
        return has_changed


def clocked_pins(clock: Callable[[], float]) -> MockFactory:
    """Lines in a test's own time: on a slow machine more time passes between two edges than the test lets pass."""
    pins = MockFactory(pin_class=ClockedPin)
    pins.ticks = clock
    return pins


class GpioRig(Rig):
    def __init__(self, pinout: Pinout = DEFAULT):
        super().__init__()
        self.pinout = pinout
        self.pins = clocked_pins(self.clock)
        self.panel = GpioPanel(pinout, self.pins, self.clock)

    def hold(self, button: Button, seconds: float) -> None:
        pin = self.pins.pin(dict(self.pinout.buttons())[button])
        press, release = pin.drive_low, pin.drive_high
        if self.pinout.pressed_level == "high":
            press, release = release, press
        press()
        self.wait(seconds)
        release()
        self.wait(0.05)

    def shades(self) -> dict[str, int]:
        shades = {}
        for lamp, number in self.pinout.lamps():
            pin = self.pins.pin(number)
            state = float(pin.state)
            if pin.function == "input":  # given back: no current flows
                shades[lamp] = 0
                continue
            shades[lamp] = as_shade(1 - state if self.pinout.is_active_low(lamp) else state)
        return shades


class SimulatedRig(Rig):
    def __init__(self) -> None:
        super().__init__()
        self.panel: SimulatedPanel = SimulatedPanel(clock=self.clock)

    def hold(self, button: Button, seconds: float) -> None:
        self.panel.contact(button, True)
        self.wait(seconds)
        self.panel.contact(button, False)
        self.wait(0.05)

    def shades(self) -> dict[str, int]:
        return {lamp: as_shade(level) for lamp, level in self.panel.lit.items()}


class TerminalRig(Rig):
    """Keys go through a real pseudo-terminal; lamps are read off the printed characters."""

    def __init__(self) -> None:
        super().__init__()
        self.keyboard, terminal = pty.openpty()
        self.stream = os.fdopen(terminal, "r")
        self.screen = io.StringIO()
        console = Console(file=self.screen, force_terminal=True, width=100, color_system=None)
        self.struck: list[bytes] = []
        self.panel: TerminalPanel = TerminalPanel(clock=self.clock, console=console, keys=self.stream)

    def hold(self, button: Button, seconds: float) -> None:
        keys = {Button.LEFT: b"\x1b[D", Button.RIGHT: b"d", Button.CONFIRM: b"\n", Button.BACK: b"\x7f"}
        is_long = seconds >= LONG_PRESS_SECONDS.get(button, 99)
        key = {Button.CONFIRM: b"?", Button.BACK: b"m"}[button] if is_long else keys[button]
        planned = len(self.panel._contacts)
        os.write(self.keyboard, key)
        eventually(lambda: len(self.panel._contacts) == planned + 2)
        self.wait(seconds + 0.2)

    def shades(self) -> dict[str, int]:
        last = self.screen.getvalue().split("╭")[-1].splitlines()
        bar = [cell[:1] for cell in last[1].replace("│", " ").split()]
        lamps = last[4].replace("│", " ").split()
        names = [f"bar{place}" for place in range(1, len(bar) + 1)] + list(SUITS + SKY)
        return {
            name: GLYPHS["bar" if name.startswith("bar") else name].index(glyph)
            for name, glyph in zip(names, bar + lamps, strict=True)
        }

    def close(self) -> None:
        super().close()
        self.stream.close()
        os.close(self.keyboard)


class WindowRig(Rig):
    """Mouse events through SDL's queue; lamps are read off the pixels."""

    def __init__(self) -> None:
        super().__init__()
        os.environ["SDL_VIDEODRIVER"] = "dummy"
        self.panel: WindowPanel = WindowPanel(clock=self.clock)

    def hold(self, button: Button, seconds: float) -> None:
        import pygame

        x, y = button_centre(button)
        place = (round(x), round(y) + PANEL_TOP)
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=place, button=1))
        self.wait(seconds)
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(0, 0), button=1))
        self.wait(0.05)

    def shades(self) -> dict[str, int]:
        if self.panel.surface is None:
            return dict.fromkeys(self.panel.parts.names(), 0)
        shades = {}
        for lamp in self.panel.parts.names():
            x, y = lamp_centre(lamp, self.panel.parts)
            # The crescent's centre is hollow; its body lies left of it.
            shift = -18 if lamp == "moon" else 0
            red, green, blue, _ = self.panel.surface.get_at((round(x) + shift, round(y) + PANEL_TOP))
            brightest = max(red, green, blue)
            shades[lamp] = 0 if brightest < 0x40 else 1 if brightest < 0xB0 else 2
        return shades


class TogetherRig(Rig):
    def __init__(self) -> None:
        super().__init__()
        self.first = SimulatedPanel(clock=self.clock)
        self.second = SimulatedPanel(clock=self.clock)
        self.panel = Panels([self.first, self.second])

    def lit_panels(self) -> Iterator[LitPanel]:
        yield self.first
        yield self.second

    def hold(self, button: Button, seconds: float) -> None:
        self.second.contact(button, True)
        self.wait(seconds)
        self.second.contact(button, False)
        self.wait(0.05)

    def shades(self) -> dict[str, int]:
        assert self.first.lit == self.second.lit
        return {lamp: as_shade(level) for lamp, level in self.first.lit.items()}


class EasyRig(Rig):
    """A strip on a wire, buttons on pins: lamps are read off the bytes that the pixels get."""

    def __init__(self, strip: Strip = EASY_PANEL.strip) -> None:
        super().__init__()
        self.strip = strip
        self.wire = Wire(strip)
        self.pins = clocked_pins(self.clock)
        self.buttons = GpioPanel(EASY_PANEL.pinout, self.pins, self.clock)
        self.lamps = StripPanel(strip, self.wire, self.clock)
        self.panel = Panels([self.buttons, self.lamps])

    def lit_panels(self) -> Iterator[LitPanel]:
        yield self.buttons
        yield self.lamps

    def hold(self, button: Button, seconds: float) -> None:
        pin = self.pins.pin(dict(EASY_PANEL.pinout.buttons())[button])
        pin.drive_low()
        self.wait(seconds)
        pin.drive_high()
        self.wait(0.05)

    def shades(self) -> dict[str, int]:
        seen = levels(self.strip, self.wire.pixels, budget(self.strip).brightness)
        return {lamp: as_shade(level) for lamp, level in seen.items()}


RIGS = {
    "easy": EasyRig,
    "easy-backwards": lambda: EasyRig(Strip("spidev0.1", 30, (29, 15), 1, 3, 5, 7, 9, 11, "rgbw")),
    "gpio": GpioRig,
    "gpio-active-low": lambda: GpioRig(active_low()),
    "simulated": SimulatedRig,
    "terminal": TerminalRig,
    "window": WindowRig,
    "together": TogetherRig,
}


def active_low() -> Pinout:
    """The default panel wired the other way round; ✔ and ✖ off the lines with a fixed pull-up."""
    from msgspec.structs import replace

    return replace(DEFAULT, confirm=14, back=None, active_low=True, pull="down")
