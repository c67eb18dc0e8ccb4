"""The strip's adapter: a panel whose lamps are pixels on one wire, through Debian's spidev. Its buttons are on pins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.text import N_, Text
from hardware.animation_loop import LitPanel
from hardware.errors import PanelError
from hardware.lights_out import lights_out_at_exit
from hardware.panel import PanelFrame
from hardware.pixels import BUS_HZ, Strip, on_the_wire, painted

REFRESH_SECONDS = 1.0
"""Seconds after which the same picture is sent again: a strip that lost it, or was just plugged in, shows it then."""
TRANSFER_HANGS_SECONDS = 2.0
"""A transfer takes two milliseconds; one that takes this many seconds never ends."""


class NoStrip(PanelError, OSError):
    """The strip's bus isn't there, or can't be had."""


def open_bus(device: str) -> Any:
    """The SPI bus, set up for pixels. Raises `NoStrip`."""
    try:
        import spidev
    except ImportError:
        raise NoStrip(N_("The library spidev is missing: sudo apt-get install python3-spidev")) from None
    bus = spidev.SpiDev()
    try:
        bus.open(*map(int, device.removeprefix("spidev").split(".")))
        bus.mode = 0
        bus.max_speed_hz = BUS_HZ
    except FileNotFoundError:
        raise NoStrip(
            N_("There is no /dev/{device}: write dtparam=spi=on into config.txt and start the Pi again."), device=device
        ) from None
    except OSError as error:
        raise NoStrip(
            N_("/dev/{device} can't be opened: {reason}. Are you in the group spi?"), device=device, reason=str(error)
        ) from error
    return bus


class StripPanel(LitPanel):
    """The lamps of a panel on a strip. `bus` is an open `spidev.SpiDev`; by default the one that `strip` names.

    Nothing comes back from a strip: one that is unplugged looks from here like one that shines.
    """

    def __init__(self, strip: Strip, bus: Any = None, clock: Callable[[], float] | None = None):
        self._strip = strip
        self._bus = open_bus(strip.device) if bus is None else bus
        self._data = on_the_wire(strip, painted(strip, {}))
        self._sending: float | None = None
        super().__init__(strip.parts, clock)
        self._sent = self._clock() - REFRESH_SECONDS
        lights_out_at_exit(self)
        self.start()

    def show(self, frame: PanelFrame) -> None:
        """Show a frame; a bus that hangs is noticed here, since its own thread can't tell any more."""
        since = self._sending
        if since is not None and self._clock() - since > TRANSFER_HANGS_SECONDS:
            self.fault = Text(N_("The strip's bus hangs: its lights stand still. Start the Pi again."))
        super().show(frame)

    def step(self) -> float:
        """Do what is due, and send the picture again now and then."""
        due = super().step()
        if not self._closed and self._clock() >= self._sent + REFRESH_SECONDS:
            self._safely(self._send)
        return min(due, self._sent + REFRESH_SECONDS)

    def _draw(self, bright: dict[str, float]) -> None:
        self._data = on_the_wire(self._strip, painted(self._strip, bright))
        self._send()

    def _send(self) -> None:
        self._sent = self._sending = self._clock()
        self._bus.writebytes2(self._data)
        self._sending, self.fault = None, None

    def _failed(self, error: Exception) -> None:
        self._sending = None
        super()._failed(error)
        self.fault = Text(N_("The strip fails: {reason}"), {"reason": str(error)})

    def _leave(self) -> None:
        if self._sending is not None:
            # The bus hangs: it would keep us here, too.
            return
        self._safely(self._draw, {})
        self._bus.close()
