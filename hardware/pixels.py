"""The strip as data and arithmetic: which pixel is which lamp, its colour, the current, and the bytes for the wire.

No bus here; that is in `strip`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.text import N_, Text
from hardware.errors import WiringError
from hardware.panel import BAR, SKY, SUITS, Parts, lamp_name

MAX_STRIP_PIXELS = 100
"""Pixels of the longest strip: so many still fit into one transfer of 4096 bytes, which is what spidev takes."""

# Light of each colour, 0 to 1: red, green, blue. A pixel's light is in proportion to its number, so no gamma here: the
# levels that come in are shares of light, and what looks even is worked out where they are made, in `timing`.
COLOURS: dict[str, tuple[float, float, float]] = {
    "bar": (1.0, 0.55, 0.18),
    "red": (1.0, 0.0, 0.0),
    "blue": (0.0, 0.18, 1.0),
    "yellow": (1.0, 0.62, 0.0),
    "green": (0.0, 1.0, 0.1),
    "sun": (1.0, 0.85, 0.6),
    "moon": (0.6, 0.0, 1.0),
}
FULL_LEVEL = 255
CHANNEL_MA, IDLE_MA = 20.0, 1.0
"""What one colour of a pixel takes at its brightest, and a dark pixel for its chip. New ones take less than these."""

# One byte on the bus is one bit for the strip, so that a pause between two bytes only makes a low level longer, which
# pixels don't mind. 6.25 MHz is what the clocks of all Pis divide to: high for 0.32 µs is a 0, for 0.64 µs a 1, within
# the limits of WS2812B and SK6812 alike.
BUS_HZ = 6_250_000
ZERO, ONE = 0b1100_0000, 0b1111_0000
LATCH_SECONDS = 300e-6
"""How long the line is low before a frame, in case it rests high, and after it, so that the pixels take it over."""
LATCH = bytes(round(LATCH_SECONDS * BUS_HZ / 8))

Pixel = Annotated[
    int,
    Meta(
        ge=0,
        le=MAX_STRIP_PIXELS,
        description=N_("the pixel of {part}, counted from 1; 0: it isn't on the strip"),
    ),
]
Colour = tuple[int, ...]
"""Numbers 0 to 255 for red, green and blue, and for white where a pixel has it."""


class Strip(Struct, frozen=True, forbid_unknown_fields=True):
    """A strip of WS2812 or SK6812 pixels on the SPI bus: what is where on it, how bright, how much current.

    >>> dict(Strip(bar=(15, 1)).lamps())["bar1"], dict(Strip().lamps())["moon"]
    (15, 21)
    >>> Strip(sun=21)
    Traceback (most recent call last):
    hardware.errors.WiringError: Pixel 21 is used twice: by the sun and by the moon.
    """

    device: Annotated[
        Literal["none", "spidev0.0", "spidev0.1"],
        Meta(description=N_("the bus that a strip of WS2812 or SK6812 pixels hangs on; its data line is GPIO 10")),
    ] = "none"
    pixels: Annotated[int, Meta(ge=1, le=MAX_STRIP_PIXELS, description=N_("how many pixels the strip has"))] = 22
    bar: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=MAX_STRIP_PIXELS)], ...],
        Meta(
            description=N_("the pixels of the bar's first and last light; the higher one first: it runs backwards"),
            extra={"allowed": N_("two numbers such as [1, 15], or [] for a bar that isn't on the strip")},
        ),
    ] = (1, 15)
    red: Pixel = 16
    blue: Pixel = 17
    yellow: Pixel = 18
    green: Pixel = 19
    sun: Pixel = 20
    moon: Pixel = 21
    order: Annotated[
        Literal["grb", "rgb", "rbg", "gbr", "brg", "bgr", "grbw", "rgbw"],
        Meta(description=N_("the order in which a pixel takes its colours; with a w it has white as well")),
    ] = "grb"
    brightness: Annotated[
        float,
        Meta(
            ge=0.02,
            le=1,
            description=N_("how bright a light of the strip is, as a share of what it can"),
        ),
    ] = 0.3
    milliamps: Annotated[
        int,
        Meta(
            ge=50, le=5000, description=N_("the most current that the whole strip may take, in mA; it dims to keep it")
        ),
    ] = 500

    def __post_init__(self) -> None:
        if len(self.bar) not in (0, 2):
            raise WiringError(N_("The strip's bar needs its first and its last pixel, such as [1, 15]."))
        if (length := self._bar_length) > BAR:
            raise WiringError(N_("The bar has {count} lights; {most} is the most."), count=length, most=BAR)
        used: dict[int, Text] = {}
        for lamp, pixel in self.lamps():
            use = lamp_name(lamp)
            if pixel > self.pixels:
                raise WiringError(
                    N_("Pixel {pixel}, named for {use}, is behind the end of the strip, which has {count}."),
                    pixel=pixel,
                    use=use,
                    count=self.pixels,
                )
            if pixel in used:
                raise WiringError(
                    N_("Pixel {pixel} is used twice: by {first} and by {second}."),
                    pixel=pixel,
                    first=used[pixel],
                    second=use,
                )
            used[pixel] = use
        if self.milliamps < IDLE_MA * self.pixels * 2:
            raise WiringError(
                N_("{count} pixels take {idle} mA even while they are dark: allow more than {most} mA."),
                count=self.pixels,
                idle=round(IDLE_MA * self.pixels),
                most=self.milliamps,
            )

    @property
    def is_there(self) -> bool:
        """Whether the panel has a strip."""
        return self.device != "none"

    @property
    def _bar_length(self) -> int:
        return abs(self.bar[1] - self.bar[0]) + 1 if self.bar else 0

    def lamps(self) -> Iterator[tuple[str, int]]:
        """Every lamp with its pixel, counted from 1, the bar first."""
        step = 1 if not self.bar or self.bar[0] <= self.bar[1] else -1
        for place in range(self._bar_length):
            yield f"bar{place + 1}", self.bar[0] + step * place
        for lamp in SUITS + SKY:
            if getattr(self, lamp):
                yield lamp, getattr(self, lamp)

    @property
    def parts(self) -> Parts:
        """Which lamps the strip has; its buttons are on pins."""
        if not self.is_there:
            return Parts(0, (), ())
        return Parts(self._bar_length, tuple(lamp for lamp in SUITS + SKY if getattr(self, lamp)), ())

    @property
    def has_white(self) -> bool:
        """Whether each pixel has a fourth, white light."""
        return "w" in self.order


class Budget(Struct, frozen=True):
    """What a strip takes with every lamp on, in mA, and what its brightness comes to so that it may."""

    idle: float
    lit: float
    brightness: float
    is_limited: bool

    @property
    def total(self) -> float:
        """All of it."""
        return self.idle + self.lit


@cache
def budget(strip: Strip) -> Budget:
    """The current of a strip. One brightness holds for every frame: a lamp never dims because another comes on.

    >>> budget(Strip())
    Budget(idle=22.0, lit=209.4, brightness=0.3, is_limited=False)
    >>> budget(Strip(brightness=1.0, milliamps=200)).total
    200.0
    """
    full = sum(sum(colour(strip, lamp)) for lamp, _ in strip.lamps()) * CHANNEL_MA
    idle = IDLE_MA * strip.pixels
    allowed = (strip.milliamps - idle) / full if full else 1.0
    brightness = min(strip.brightness, allowed)
    return Budget(idle, round(full * brightness, 1), brightness, allowed < strip.brightness)


def colour(strip: Strip, lamp: str) -> tuple[float, ...]:
    """The light of a lamp's colours at its brightest. Pixels with a white light use that for the bar."""
    kind = "bar" if lamp.startswith("bar") else lamp
    if not strip.has_white:
        return COLOURS[kind]
    return (0.0, 0.0, 0.0, 1.0) if kind == "bar" else (*COLOURS[kind], 0.0)


def painted(strip: Strip, levels: Mapping[str, float]) -> list[Colour]:
    """The colour of every pixel, where each lamp has this share of its light. A lamp that is on is never quite dark.

    >>> painted(Strip(brightness=1.0, milliamps=3000), {"red": 1.0, "moon": 0.1, "sun": 0.001})[15:]
    [(255, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0), (1, 1, 1), (15, 0, 26), (0, 0, 0)]
    """
    found: list[Colour] = [(0,) * len(strip.order)] * strip.pixels
    most = budget(strip).brightness * FULL_LEVEL
    for lamp, pixel in strip.lamps():
        level = levels.get(lamp, 0.0)
        if level > 0:
            found[pixel - 1] = tuple(
                max(1, round(level * light * most)) if light else 0 for light in colour(strip, lamp)
            )
    return found


def milliamps(pixels: list[Colour]) -> float:
    """What pixels take that shine like this."""
    return len(pixels) * IDLE_MA + sum(sum(pixel) for pixel in pixels) / FULL_LEVEL * CHANNEL_MA


_BITS = [bytes(ONE if value >> bit & 1 else ZERO for bit in range(7, -1, -1)) for value in range(256)]


def on_the_wire(strip: Strip, pixels: list[Colour]) -> bytes:
    """The bytes that make a strip show these pixels."""
    order = ["rgbw".index(letter) for letter in strip.order]
    data = b"".join(_BITS[pixel[place]] for pixel in pixels for place in order)
    return LATCH + data + LATCH
