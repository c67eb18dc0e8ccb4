"""Everything a panel is made of: parts on pins, a strip, a display. No line of the header may have two uses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.text import N_, Text
from hardware.errors import WiringError
from hardware.panel import Parts, union
from hardware.pinout import DEFAULT, EASY, HEADER, Pinout, part_name
from hardware.pixels import Strip


class DisplaySettings(Struct, frozen=True, forbid_unknown_fields=True):
    """A small display on the I2C bus that says in words what the lights say."""

    chip: Annotated[
        Literal["none", "ssd1306", "sh1106"],
        Meta(description=N_("the chip of a small text display on the I2C bus (GPIO 2 and 3)")),
    ] = "none"
    size: Annotated[Literal["128x64", "128x32"], Meta(description=N_("how many pixels the display has"))] = "128x64"
    address: Annotated[
        int,
        Meta(
            ge=8,
            le=119,
            description=N_("the display's address on the bus"),
            extra={"allowed": N_("0x3c (60) or 0x3d (61) on nearly all of them")},
        ),
    ] = 0x3C
    turned: Annotated[bool, Meta(description=N_("whether the display is built in upside down"))] = False
    dim_after: Annotated[
        int, Meta(ge=5, le=3600, description=N_("seconds after which a display that shows the same grows dim"))
    ] = 60

    @property
    def is_there(self) -> bool:
        """Whether the box has a display."""
        return self.chip != "none"

    @property
    def pixels(self) -> tuple[int, int]:
        """Its width and height."""
        width, height = self.size.split("x")
        return int(width), int(height)


STRIP_DATA = 10
STRIP_LINES = {
    STRIP_DATA: N_("the strip's data line"),
    9: N_("the strip's bus (SPI)"),
    11: N_("the strip's bus (SPI)"),
    8: N_("the strip's bus (SPI)"),
    7: N_("the strip's bus (SPI)"),
}
"""With dtparam=spi=on the system takes all five lines, though a strip listens to one of them alone."""
DISPLAY_LINES = {2: N_("the display's data line (SDA)"), 3: N_("the display's clock line (SCL)")}


class Outfit(Struct, frozen=True):
    """The parts of one panel. Any mixture plays whose lines don't collide.

    >>> Outfit(DEFAULT, display=DisplaySettings("ssd1306"))
    Traceback (most recent call last):
    hardware.errors.WiringError: GPIO 2 is used twice: by the button ✖ and by the display's data line (SDA).
    >>> Outfit(EASY, Strip("spidev0.0")).parts.bar
    15
    """

    pinout: Pinout = DEFAULT
    strip: Strip = Strip()
    display: DisplaySettings = DisplaySettings()

    def __post_init__(self) -> None:
        used: dict[int, Text] = {}
        for pin, use in self.uses():
            if pin in used:
                raise WiringError(
                    N_("GPIO {pin} is used twice: by {first} and by {second}."), pin=pin, first=used[pin], second=use
                )
            used[pin] = use

    def uses(self) -> Iterator[tuple[int, Text]]:
        """Every line that is taken, and by what."""
        for part, pin in (*self.pinout.lamps(), *self.pinout.buttons()):
            yield pin, part_name(part)
        for is_there, lines in ((self.strip.is_there, STRIP_LINES), (self.display.is_there, DISPLAY_LINES)):
            if is_there:
                yield from ((pin, Text(use)) for pin, use in lines.items())

    @property
    def parts(self) -> Parts:
        """Which lamps and buttons there are."""
        return union((self.pinout.parts, self.strip.parts))

    @property
    def has_pins(self) -> bool:
        """Whether a lamp or a button hangs on a pin."""
        return bool(self.pinout.parts.names() or self.pinout.parts.buttons)

    def free(self) -> tuple[int, ...]:
        """The lines of the header that are left."""
        used = {pin for pin, _ in self.uses()}
        return tuple(pin for pin in sorted(HEADER) if pin not in used)


PLAIN_PANEL = Outfit()
EASY_PANEL = Outfit(EASY, Strip("spidev0.0"), DisplaySettings("ssd1306"))


def usual_pins(strip: Strip) -> Pinout:
    """The pins of a panel that names none: with a strip four buttons are all that is left for them."""
    return EASY if strip.is_there else DEFAULT
