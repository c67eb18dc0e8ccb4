"""A stand-in for spidev at whose end a strip hangs: what comes over the wire, read by the limits of its pixels."""

from __future__ import annotations

import re
import threading

from hardware.pixels import Colour, Strip

# What one bit's high level may last, in seconds, on a WS2812B and on an SK6812, by their data sheets.
ZERO_HIGH = (250e-9, 380e-9)
ONE_HIGH = (580e-9, 750e-9)
SHORTEST_BIT, LONGEST_LOW = 1.15e-6, 5e-6
LATCHES = 280e-6


class Wire:
    """Has the names that Hush uses of `spidev.SpiDev`. `pixels` is what the strip shows."""

    def __init__(self, strip: Strip):
        self.strip = strip
        self.mode = -1
        self.max_speed_hz = 6_250_000
        self.pixels: list[Colour] = []
        self.frames = 0
        self.is_closed = False
        self.error: OSError | None = None
        self.hold: threading.Event | None = None
        self.opened: tuple[int, int] | None = None

    def open(self, bus: int, device: int) -> None:
        self.opened = bus, device

    def writebytes2(self, data: bytes) -> None:
        if self.hold is not None:
            self.hold.wait(60)
        if self.error is not None:
            raise self.error
        assert not self.is_closed
        assert len(data) <= 4096, "spidev would cut it in two, with a gap that pixels take for the end"
        self.frames += 1
        self.pixels = read(data, 1 / self.max_speed_hz, self.strip)

    def close(self) -> None:
        self.is_closed = True


def read(data: bytes, tick: float, strip: Strip) -> list[Colour]:
    """What pixels make of a wave: the length of each high level is a bit, a long low level ends the frame."""
    wave = "".join(f"{byte:08b}" for byte in data)
    low = len(wave) - len(wave.lstrip("0"))
    assert low * tick >= LATCHES, "the line may have rested high: without a long low the first bit is lost"
    bits = []
    pulses = re.findall("(1+)(0+)", wave)
    for number, (high, rest) in enumerate(pulses):
        lasts = len(high) * tick
        is_one = ONE_HIGH[0] <= lasts <= ONE_HIGH[1]
        assert is_one or ZERO_HIGH[0] <= lasts <= ZERO_HIGH[1], f"{lasts * 1e9:.0f} ns is neither 0 nor 1"
        bits.append("1" if is_one else "0")
        if number == len(pulses) - 1:
            assert len(rest) * tick >= LATCHES, "the pixels don't take the frame over"
        else:
            assert (len(high) + len(rest)) * tick >= SHORTEST_BIT
            assert len(rest) * tick <= LONGEST_LOW, "too long a pause ends the frame early"
    numbers = [int("".join(bits[at : at + 8]), 2) for at in range(0, len(bits), 8)]
    size = len(strip.order)
    assert len(numbers) == strip.pixels * size
    places = {letter: at for at, letter in enumerate(strip.order)}
    return [tuple(numbers[at + places[letter]] for letter in "rgbw"[:size]) for at in range(0, len(numbers), size)]


def levels(strip: Strip, pixels: list[Colour], brightness: float) -> dict[str, float]:
    """How bright each lamp is, by its brightest colour."""
    from hardware.pixels import colour

    found = {}
    for lamp, pixel in strip.lamps():
        lights = colour(strip, lamp)
        strongest = lights.index(max(lights))
        found[lamp] = pixels[pixel - 1][strongest] / (255 * brightness * lights[strongest])
    return found
