"""The panel as a value and a port: what each lamp shows, which buttons there are, and what a panel must do.

No pins, no threads and no clock here; those are in the adapters and in `animation_loop`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from types import TracebackType
from typing import TYPE_CHECKING, Self

from msgspec import Struct, structs

from companion.text import N_, Text

if TYPE_CHECKING:
    from hardware.button_signals import Signal
    from hardware.flourishes import Flourish

BAR = 15
SUITS = ("red", "blue", "yellow", "green")
SKY = ("sun", "moon")

# Each cover has the shape that the colour has on the cards, so that nobody needs to tell colours apart.
SHAPES = {
    "red": N_("triangle"),
    "blue": N_("drop"),
    "yellow": N_("star"),
    "green": N_("square"),
    "sun": N_("sun"),
    "moon": N_("crescent"),
}
LAMP_NAMES = {
    "red": N_("the red light"),
    "blue": N_("the blue light"),
    "yellow": N_("the yellow light"),
    "green": N_("the green light"),
    "sun": N_("the sun"),
    "moon": N_("the moon"),
}


class Glow(StrEnum):
    """What one lamp shows."""

    OFF = "off"
    ON = "on"
    DIM = "dim"
    SLOW = "slow"
    FAST = "fast"
    PULSE = "pulse"


class BarKind(StrEnum):
    """How the bar is read, and so how a shorter bar shows it."""

    METER = "meter"
    """A quantity: a shorter bar shows the same share of itself."""
    PLACES = "places"
    """Single places: a shorter bar shows the same lamps, as long as it has them."""


class Button(StrEnum):
    """The four buttons."""

    LEFT = "left"
    RIGHT = "right"
    CONFIRM = "confirm"
    BACK = "back"

    @property
    def symbol(self) -> str:
        """What is printed beside it."""
        return {"left": "◀", "right": "▶", "confirm": "✔", "back": "✖"}[self.value]


# The letters of a drawing, e.g. "###............ .o.. -." for bar, suits, sky.
LETTERS = {
    ".": Glow.OFF,
    "#": Glow.ON,
    "-": Glow.DIM,
    "o": Glow.SLOW,
    "*": Glow.FAST,
    "~": Glow.PULSE,
}
KEEP = "_"
_LETTER_OF = {glow: letter for letter, glow in LETTERS.items()}
# When lamps must share a place, the one that asks for more attention wins.
_ATTENTION = (Glow.OFF, Glow.DIM, Glow.ON, Glow.PULSE, Glow.SLOW, Glow.FAST)


class PanelFrame(Struct, frozen=True):
    """What the whole panel shows.

    >>> frame = PanelFrame.parse("##o............ .#.. -.")
    >>> frame.glow("blue"), frame.glow("bar3"), frame.glow("sun")
    (<Glow.ON: 'on'>, <Glow.SLOW: 'slow'>, <Glow.DIM: 'dim'>)
    >>> print(frame)
    ##o............ .#.. -.
    """

    bar: tuple[Glow, ...] = (Glow.OFF,) * BAR
    suits: tuple[Glow, ...] = (Glow.OFF,) * len(SUITS)
    sky: tuple[Glow, ...] = (Glow.OFF,) * len(SKY)
    bar_kind: BarKind = BarKind.METER
    loop: tuple[Beat, ...] = ()
    """What is shown over it in turns, again and again; nothing for a frame that stands still."""

    def __post_init__(self) -> None:
        sizes = (len(self.bar), len(self.suits), len(self.sky))
        if sizes != (BAR, len(SUITS), len(SKY)):
            raise ValueError(f"a frame has {BAR} + {len(SUITS)} + {len(SKY)} lamps, not {sizes}")

    @classmethod
    def parse(cls, drawing: str, bar_kind: BarKind = BarKind.METER) -> PanelFrame:
        """A frame from its drawing: bar, suits, sky."""
        layer = Layer.parse(drawing, bar_kind)
        if None in (*layer.bar, *layer.suits, *layer.sky):
            raise ValueError(f"a frame says something about every lamp, {drawing!r} doesn't")
        return layer.over(cls())

    def __str__(self) -> str:
        if self.loop:
            return " | ".join(str(shown) for _, shown in self.keyframes)
        return " ".join("".join(_LETTER_OF[glow] for glow in part) for part in (self.bar, self.suits, self.sky))

    @property
    def keyframes(self) -> tuple[tuple[float, PanelFrame], ...]:
        """Every frame that is seen in turn, each without a loop, and for how many seconds."""
        if not self.loop:
            return ((math.inf, self),)
        still = structs.replace(self, loop=())
        return tuple((beat.seconds, beat.layer.over(still)) for beat in self.loop)

    def glow(self, lamp: str) -> Glow:
        """What one lamp shows: `bar1` to `bar15`, a suit, `sun` or `moon`."""
        if lamp in SUITS:
            return self.suits[SUITS.index(lamp)]
        if lamp in SKY:
            return self.sky[SKY.index(lamp)]
        return self.bar[int(lamp.removeprefix("bar")) - 1]

    @property
    def layer(self) -> Layer:
        """The frame as a layer that hides what lies below."""
        return Layer(self.bar, self.suits, self.sky, self.bar_kind)

    def fitted_bar(self, length: int) -> tuple[Glow, ...]:
        """The bar as a panel with `length` lamps shows it.

        >>> "".join(_LETTER_OF[g] for g in PanelFrame.parse("#########...... .... ..").fitted_bar(10))
        '######....'
        """
        if length >= BAR:
            return self.bar
        last = max((place for place, glow in enumerate(self.bar) if glow != Glow.OFF), default=0)
        if self.bar_kind is BarKind.PLACES and last < length:
            return self.bar[:length]
        shared: list[Glow] = [Glow.OFF] * length
        for place, glow in enumerate(self.bar):
            spot = place * length // BAR
            shared[spot] = max(shared[spot], glow, key=_ATTENTION.index)
        return tuple(shared)


class Layer(Struct, frozen=True):
    """Part of a frame, to lie over another: lamps that are None stay as they are."""

    bar: tuple[Glow | None, ...] = (None,) * BAR
    suits: tuple[Glow | None, ...] = (None,) * len(SUITS)
    sky: tuple[Glow | None, ...] = (None,) * len(SKY)
    bar_kind: BarKind = BarKind.PLACES

    @classmethod
    def parse(cls, drawing: str, bar_kind: BarKind = BarKind.PLACES) -> Layer:
        """A layer from its drawing; `_` keeps what lies below."""
        parts = drawing.split()
        unknown = set("".join(parts)) - set(LETTERS) - {KEEP}
        if [len(part) for part in parts] != [BAR, len(SUITS), len(SKY)] or unknown:
            raise ValueError(f"no drawing of a panel: {drawing!r}")
        bar, suits, sky = (tuple(LETTERS.get(letter) for letter in part) for part in parts)
        return cls(bar, suits, sky, bar_kind)

    def __str__(self) -> str:
        return " ".join(
            "".join(_LETTER_OF[glow] if glow else KEEP for glow in part) for part in (self.bar, self.suits, self.sky)
        )

    def over(self, frame: PanelFrame) -> PanelFrame:
        """The frame with this layer on top."""

        def lay(top: tuple[Glow | None, ...], below: tuple[Glow, ...]) -> tuple[Glow, ...]:
            return tuple(below[i] if glow is None else glow for i, glow in enumerate(top))

        bar_kind = frame.bar_kind if all(glow is None for glow in self.bar) else self.bar_kind
        loop = tuple(Beat(seconds, self.over(shown).layer) for seconds, shown in frame.keyframes if frame.loop)
        return PanelFrame(
            lay(self.bar, frame.bar), lay(self.suits, frame.suits), lay(self.sky, frame.sky), bar_kind, loop
        )


class Beat(Struct, frozen=True):
    """One step of a loop or a flourish."""

    seconds: float
    layer: Layer


DARK = PanelFrame()


class Parts(Struct, frozen=True):
    """Which parts a panel has. Any subset plays."""

    bar: int = BAR
    lamps: tuple[str, ...] = SUITS + SKY
    buttons: tuple[Button, ...] = tuple(Button)

    def names(self) -> tuple[str, ...]:
        """Every lamp there is, the bar first."""
        return (*(f"bar{place}" for place in range(1, self.bar + 1)), *self.lamps)

    def glows(self, frame: PanelFrame) -> Iterator[tuple[str, Glow]]:
        """What each lamp that exists shows, with the bar fitted to its length."""
        if self.bar:
            for place, glow in enumerate(frame.fitted_bar(self.bar), start=1):
                yield f"bar{place}", glow
        for lamp in self.lamps:
            yield lamp, frame.glow(lamp)


ALL_PARTS = Parts()


def union(several: Iterable[Parts]) -> Parts:
    """What panels have together; of two bars the longer one counts."""
    found = tuple(several)
    return Parts(
        bar=max((parts.bar for parts in found), default=0),
        lamps=tuple(lamp for lamp in SUITS + SKY if any(lamp in parts.lamps for parts in found)),
        buttons=tuple(button for button in Button if any(button in parts.buttons for parts in found)),
    )


def lamp_name(lamp: str) -> Text:
    """What people call a lamp."""
    if lamp in LAMP_NAMES:
        return Text(LAMP_NAMES[lamp])
    return Text(N_("light {place} of the bar"), {"place": int(lamp.removeprefix("bar"))})


def button_name(button: Button) -> Text:
    """What people call a button."""
    return Text(N_("the button {symbol}"), {"symbol": button.symbol})


Listener = Callable[["Signal"], None]


class Panel(ABC):
    """The port: a panel that shows frames and hears hands. Usable from any thread; closing twice is fine."""

    parts: Parts
    fault: Text | None = None
    """Why the panel doesn't do what it should, if so."""

    @abstractmethod
    def show(self, frame: PanelFrame) -> None:
        """Show a frame until the next one."""

    @abstractmethod
    def flourish(self, flourish: Flourish) -> None:
        """Lay a short flourish over the frame; it ends by itself. A new one replaces it."""

    @abstractmethod
    def listen(self, listener: Listener) -> None:
        """Tell one listener what the buttons do, from a thread of the panel's own."""

    @abstractmethod
    def close(self) -> None:
        """Lights off, and nothing is heard any more."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
