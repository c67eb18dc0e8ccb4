"""The real panel: LEDs and buttons on the Pi's pins, through gpiozero."""

from __future__ import annotations

import atexit
import math
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import partial
from typing import Any

from companion.text import N_
from hardware.animation_loop import LitPanel
from hardware.errors import PanelError
from hardware.lights_out import lights_out_at_exit
from hardware.panel import Button
from hardware.pinout import DEFAULT, Pinout

PWM_HZ = 100
# When buttons are listened to once more, in seconds from the start: see `Board.listen_again`.
LISTEN_AGAIN_SECONDS = 2.0


class NoPins(PanelError, OSError):
    """This machine has no pins, or they can't be had."""


def pi_pins() -> Any:
    """The Pi's pin factory, lgpio. It puts a pipe into its working folder, so that must be writable."""
    work = os.environ.get("LG_WD", "")
    if not work or not os.access(work, os.W_OK):
        folder = tempfile.mkdtemp(prefix="hush-lgpio-")
        os.environ["LG_WD"] = folder
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    except ImportError:
        raise NoPins(N_("The library lgpio is missing: sudo apt-get install python3-lgpio")) from None
    except Exception as error:  # lgpio has an exception class of its own, which we may not have
        raise NoPins(
            N_("The pins can't be opened: {reason}. Is this a Raspberry Pi, and are you in the group gpio?"),
            reason=str(error),
        ) from error


class Lamp:
    """One LED on one pin. Steady levels are plain on and off; only dimmed ones need PWM.

    Wire it from the pin through its resistor to ground; an active-low one to 3.3 V.
    """

    def __init__(self, pin: int, active_low: bool, pins: Any):
        from gpiozero import OutputDevice

        self._device = OutputDevice(pin, active_high=not active_low, initial_value=False, pin_factory=pins)
        self._is_active_low = active_low
        self._level = 0.0

    def light(self, level: float) -> None:
        """Shine this bright, 0 to 1."""
        self._level = level
        pin = self._device.pin
        if level in (0.0, 1.0):
            if pin.frequency is not None:
                pin.frequency = None
            self._device.value = bool(level)
            return
        if pin.frequency is None:
            pin.frequency = PWM_HZ
        pin.state = 1 - level if self._is_active_low else level

    def restart_pwm(self) -> None:
        """End the PWM of a dimmed lamp, and start it again."""
        self._device.pin.frequency = None
        self.light(self._level)

    def read_back(self) -> bool:
        """Whether the line has the level that should make the lamp shine. Says nothing about light."""
        return bool(self._device.pin.state) != self._is_active_low

    def close(self) -> None:
        """Dark, and the pin given back."""
        if not self._device.closed:
            self.light(0.0)
            self._device.close()


class PinButton:
    """One push button on one pin, to ground (pull-up) or to 3.3 V (pull-down)."""

    def __init__(self, pin: int, pinout: Pinout, pins: Any):
        from gpiozero import DigitalInputDevice

        pull_up = {"up": True, "down": False, "none": None}[pinout.pull]
        active = pinout.pressed_level == "high" if pull_up is None else None
        # No bounce_time: `ButtonDecoder` debounces contacts, the same way for every panel.
        self._device = DigitalInputDevice(pin, pull_up=pull_up, active_state=active, pin_factory=pins)
        self._down_is_high = active if pull_up is None else not pull_up
        self._changed: Callable[[bool, float | None], None] | None = None

    @property
    def is_down(self) -> bool:
        """Whether the contact is closed now."""
        return bool(self._device.is_active)

    def on_change(self, changed: Callable[[bool, float | None], None]) -> None:
        """Call this with every raw change and the moment at which the system saw it, where that is known."""
        self._changed = changed
        # The pin's own event: the device's doesn't tell the moment. It keeps only a weak reference to us.
        self._device.pin.when_changed = self._on_edge

    def listen_again(self) -> None:
        """Ask the system anew for changes, and tell what may have been missed meanwhile."""
        self._device.pin.edges = "both"
        if self._changed is not None:
            self._changed(self.is_down, None)

    def _on_edge(self, ticks: float, state: bool) -> None:
        if self._changed is not None:
            self._changed(bool(state) == self._down_is_high, ticks)

    def close(self) -> None:
        """The pin given back."""
        self._device.close()


class Board:
    """All lamps and buttons of a pinout, claimed together or not at all."""

    def __init__(self, pinout: Pinout, pins: Any = None):
        self._own_pins = None if pins is not None else pi_pins()
        pins = pins if pins is not None else self._own_pins
        self.pinout = pinout
        self.lamps: dict[str, Lamp] = {}
        self.buttons: dict[Button, PinButton] = {}
        self._dimmed: list[str] = []
        try:
            for lamp, pin in pinout.lamps():
                self.lamps[lamp] = Lamp(pin, pinout.is_active_low(lamp), pins)
            for button, pin in pinout.buttons():
                self.buttons[button] = PinButton(pin, pinout, pins)
        except Exception as error:
            self.close()
            raise NoPins(N_("The pins can't be claimed: {reason}"), reason=str(error)) from error

    def show(self, levels: dict[str, float]) -> None:
        """Make these lamps shine this bright.

        The PWM that was started last must not end first. lgpio's thread would skip the other lamps
        once and compute a wake-up time in the past; if that is in the second before, it never sleeps but
        spins, and no lamp is dimmed until the program ends. So another lamp's PWM is restarted first.
        """
        steady = {lamp: level for lamp, level in levels.items() if level in (0.0, 1.0)}
        for lamp, level in levels.items():
            if lamp not in steady:
                self.lamps[lamp].light(level)
                if lamp not in self._dimmed:
                    self._dimmed.append(lamp)
        lasting = [lamp for lamp in self._dimmed if lamp not in steady]
        if lasting and lasting[-1] != self._dimmed[-1]:
            self.lamps[lasting[0]].restart_pwm()
            self._dimmed.remove(lasting[0])
            self._dimmed.append(lasting[0])
        for lamp in sorted(steady, key=lambda lamp: self._dimmed.index(lamp) if lamp in self._dimmed else -1):
            self.lamps[lamp].light(steady[lamp])
        self._dimmed = [lamp for lamp in self._dimmed if lamp not in steady]

    def listen_again(self) -> None:
        """Wake lgpio's thread for buttons, if it sleeps.

        It looks whether there are any and then begins to wait; told of all of them between the two, as happens now and
        then on a busy machine, it waits for ever and no button is heard. Only the one that was claimed first will do:
        if the last one is given back, that thread waits too.
        """
        if len(self.buttons) > 1:
            next(iter(self.buttons.values())).listen_again()

    def close(self) -> None:
        """Everything dark and given back."""
        self.show(dict.fromkeys(self._dimmed, 0.0))
        for lamp in self.lamps.values():
            lamp.close()
        for button in self.buttons.values():
            button.close()
        if self._own_pins is not None:
            self._own_pins.close()


class GpioPanel(LitPanel):
    """The panel on the Pi's pins. `pins` is a gpiozero pin factory; by default lgpio.

    Raises `NoPins` where there are none: a box that should have a panel must say so.
    """

    def __init__(self, pinout: Pinout = DEFAULT, pins: Any = None, clock: Callable[[], float] | None = None):
        self._board = Board(pinout, pins)
        self._shown: dict[str, float] = {}
        held = [button for button, contact in self._board.buttons.items() if contact.is_down]
        super().__init__(pinout.parts, clock, held)
        for button, contact in self._board.buttons.items():
            contact.on_change(partial(self.contact, button))
        lights_out_at_exit(self)
        self._listens_again = self._clock() + LISTEN_AGAIN_SECONDS
        self.start()

    def step(self) -> float:
        """Do what is due now, and once after the start listen again."""
        if self._clock() >= self._listens_again:
            self._listens_again = math.inf
            self._safely(self._board.listen_again)
        return min(super().step(), self._listens_again)

    def _draw(self, bright: dict[str, float]) -> None:
        changed = {lamp: level for lamp, level in bright.items() if self._shown.get(lamp) != level}
        self._board.show(changed)
        self._shown |= changed

    def _leave(self) -> None:
        self._board.close()
