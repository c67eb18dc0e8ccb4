"""Which part of the panel hangs on which pin, as data, checked when it's made. Knows no pin library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from companion.text import N_, Text
from hardware.errors import WiringError
from hardware.panel import BAR, SKY, SUITS, Button, Parts, button_name, lamp_name

# GPIO number (as gpiozero counts) -> place on the 40-pin header. The 26 lines that are free for use.
HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21,
    25: 22, 11: 23, 8: 24, 7: 26, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)
FIXED_PULL_UP = (2, 3)
"""These two lines have a resistor to 3.3 V on the board itself."""

Pin = Annotated[int, Meta(description=N_("the GPIO number of {part}"), extra={"allowed": N_("GPIO 2 to 27")})]


def part_name(part: str | Button) -> Text:
    """What people call a lamp or a button."""
    return button_name(part) if isinstance(part, Button) else lamp_name(part)


class Pinout(Struct, frozen=True, forbid_unknown_fields=True):
    """The pins of a panel; a part that isn't named doesn't exist. See docs/wiring.md for the default one.

    >>> Pinout(bar=(5, 6), sun=6)
    Traceback (most recent call last):
    hardware.errors.WiringError: GPIO 6 is used twice: by light 2 of the bar and by the sun.
    """

    bar: Annotated[
        tuple[Pin, ...],
        Meta(
            description=N_("the GPIO numbers of the bar's lights, in their order"),
            extra={"allowed": N_("a list of up to 15 GPIO numbers")},
        ),
    ] = ()
    red: Pin | None = None
    blue: Pin | None = None
    yellow: Pin | None = None
    green: Pin | None = None
    sun: Pin | None = None
    moon: Pin | None = None
    left: Pin | None = None
    right: Pin | None = None
    confirm: Pin | None = None
    back: Pin | None = None
    active_low: Annotated[
        bool | tuple[str, ...],
        Meta(
            description=N_("lights that shine when their pin is low (wired to 3.3 V): all, none, or the named ones"),
            extra={"allowed": N_('true, false, or a list such as ["bar", "sun"]')},
        ),
    ] = False
    pull: Annotated[
        Literal["up", "down", "none"],
        Meta(description=N_("the buttons' resistor inside the Pi; up: a press connects to ground, down: to 3.3 V")),
    ] = "up"
    pressed: Annotated[
        Literal["low", "high"] | None,
        Meta(description=N_('the level of a pressed button; needed only with pull = "none" (a resistor of your own)')),
    ] = None

    def __post_init__(self) -> None:
        if len(self.bar) > BAR:
            raise WiringError(N_("The bar has {count} lights; {most} is the most."), count=len(self.bar), most=BAR)
        used: dict[int, Text] = {}
        for name, pin in (*self.lamps(), *self.buttons()):
            use = part_name(name)
            if pin not in HEADER:
                raise WiringError(
                    N_("GPIO {pin}, named for {use}, isn't on the header. It has GPIO 2 to 27."),
                    pin=pin,
                    use=use,
                )
            if pin in used:
                raise WiringError(
                    N_("GPIO {pin} is used twice: by {first} and by {second}."),
                    pin=pin,
                    first=used[pin],
                    second=use,
                )
            used[pin] = use
        self._check_buttons()
        self._check_active_low()

    def _check_buttons(self) -> None:
        if self.pull == "none" and self.pressed is None:
            raise WiringError(N_('pull = "none" needs pressed = "low" or "high": the level of a pressed button.'))
        if self.pull != "none" and self.pressed is not None and self.pressed != self.pressed_level:
            raise WiringError(
                N_('pull = "{pull}" can\'t go with pressed = "{pressed}": the button would do nothing.'),
                pull=self.pull,
                pressed=self.pressed,
            )
        for button, pin in self.buttons():
            if pin in FIXED_PULL_UP and self.pull != "up":
                raise WiringError(
                    N_('GPIO {pin}, named for {use}, has a fixed pull-up on the Pi: it needs pull = "up".'),
                    pin=pin,
                    use=part_name(button),
                )

    def _check_active_low(self) -> None:
        if isinstance(self.active_low, bool):
            return
        known = {"bar", *(lamp for lamp, _ in self.lamps())}
        for name in self.active_low:
            if name not in known:
                raise WiringError(N_("active_low names {name}, but the panel has no such light."), name=name)

    @property
    def pressed_level(self) -> Literal["low", "high"]:
        """The level a pin has while its button is pressed."""
        if self.pull == "none":
            return self.pressed or "low"
        return "low" if self.pull == "up" else "high"

    def lamps(self) -> Iterator[tuple[str, int]]:
        """Every lamp with its pin, the bar first."""
        for place, pin in enumerate(self.bar, start=1):
            yield f"bar{place}", pin
        for name in SUITS + SKY:
            pin = getattr(self, name)
            if pin is not None:
                yield name, pin

    def buttons(self) -> Iterator[tuple[Button, int]]:
        """Every button with its pin."""
        for button in Button:
            pin = getattr(self, button.value)
            if pin is not None:
                yield button, pin

    def is_active_low(self, lamp: str) -> bool:
        """Whether a lamp shines when its pin is low."""
        if isinstance(self.active_low, bool):
            return self.active_low
        return lamp in self.active_low or (lamp.startswith("bar") and "bar" in self.active_low)

    @property
    def parts(self) -> Parts:
        """What this panel has."""
        lamps = tuple(name for name in SUITS + SKY if getattr(self, name) is not None)
        return Parts(len(self.bar), lamps, tuple(button for button, _ in self.buttons()))

    def free(self) -> tuple[int, ...]:
        """The lines of the header that are left."""
        used = {pin for _, pin in (*self.lamps(), *self.buttons())}
        return tuple(pin for pin in sorted(HEADER) if pin not in used)


# ✔ sits on GPIO 3, which up to the Pi 4 also wakes a Pi that was shut down. GPIO 14 stays free: the serial
# console chatters on it while the Pi starts.
DEFAULT = Pinout(
    bar=(25, 10, 9, 11, 8, 7, 5, 6, 12, 13, 19, 16, 26, 20, 21),
    red=27,
    blue=22,
    yellow=23,
    green=24,
    sun=18,
    moon=15,
    left=4,
    right=17,
    confirm=3,
    back=2,
)
# Beside a strip and a display four buttons are all that hangs on pins, on lines that neither bus needs. They are the
# left column of the header from pin 7 to pin 15, with ground among them.
EASY = Pinout(left=4, right=17, confirm=27, back=22)
_PIN_FIELDS = frozenset({"bar", *SUITS, *SKY, *(button.value for button in Button)})


def from_config(table: Mapping[str, Any], default: Pinout = DEFAULT) -> Pinout:
    """The pinout of a configuration table. If it names any pin, only named parts exist; else the default's.

    >>> from_config({"bar": [5, 6, 13], "confirm": 3}).parts.bar
    3
    >>> from_config({"active_low": True}).sun
    18
    """
    chosen = dict(table)
    if not _PIN_FIELDS & chosen.keys():
        chosen = {**msgspec.structs.asdict(default), **chosen}
    try:
        return msgspec.convert(chosen, Pinout)
    except msgspec.ValidationError as error:
        # What __post_init__ raises comes wrapped; its own words are better.
        if isinstance(error.__cause__, WiringError):
            raise error.__cause__ from None
        raise WiringError(N_("The panel's configuration can't be read: {reason}"), reason=str(error)) from None
