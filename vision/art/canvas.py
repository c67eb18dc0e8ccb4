"""A sheet to draw on in millimetres; everything the project draws is drawn on one.

`vision.art.picture` makes a picture of it, for the eye and the page; `vision.art.paper` makes a page of a PDF.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable

from vision.art import fonts
from vision.art.fonts import CAPITALS, Weight

Colour = tuple[int, int, int]
Spot = tuple[float, float]
WHITE: Colour = (255, 255, 255)
LEADING = 1.22
"""From one line of a text to the next, in parts of the font's size."""


class Canvas(ABC):
    """A drawing of a given size in millimetres, from its upper left corner; colours are red, green, blue."""

    def __init__(self, width: float, height: float):
        self.width, self.height = width, height

    @abstractmethod
    def shape(
        self,
        points: Iterable[Spot],
        fill: Colour | None = None,
        line: Colour | None = None,
        thick: float = 0.4,
    ) -> None:
        """A closed polygon."""

    @abstractmethod
    def path(self, points: Iterable[Spot], colour: Colour, thick: float) -> None:
        """An open line."""

    @abstractmethod
    def disc(
        self, x: float, y: float, radius: float, fill: Colour | None = None, line: Colour | None = None,
        thick: float = 0.4, tall: float = 1.0,
    ) -> None:  # fmt: skip
        """A circle, or an ellipse `tall` times as high as wide; its line is inside."""

    @abstractmethod
    def box(
        self, x: float, y: float, width: float, height: float, fill: Colour | None = None,
        line: Colour | None = None, thick: float = 0.4, round_: float = 0.0,
    ) -> None:  # fmt: skip
        """A rectangle, with round corners if wanted; its line is inside."""

    @abstractmethod
    def write(self, x: float, baseline: float, text: str, size: float, colour: Colour, weight: Weight) -> None:
        """Words from the left end of their baseline."""

    @abstractmethod
    def turn(self) -> None:
        """Turn the sheet upside down, to draw the other half on."""

    def text(
        self, x: float, y: float, text: str, size: float, colour: Colour,
        anchor: str = "mm", widest: float = 0.0, weight: Weight = "Semibold",
    ) -> None:  # fmt: skip
        """Words around a point, or from it to the right (`lm`) or left (`rm`); shrunk to `widest` if they are wider."""
        wide = self.width_of(text, size, weight)
        if widest and wide > widest:
            size, wide = size * widest / wide, widest
        left = x - {"l": 0.0, "m": 0.5, "r": 1.0}[anchor[0]] * wide
        self.write(left, y + CAPITALS / 2 * size, text, size, colour, weight)

    def width_of(self, text: str, size: float, weight: Weight = "Semibold") -> float:
        """How wide words are."""
        return fonts.width_of(text, size, weight)

    def lines(self, text: str, size: float, wide: float, weight: Weight = "Regular") -> list[str]:
        """A text in lines that fit; a word that alone is too wide has a line of its own."""
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and self.width_of(longer, size, weight) > wide:
                lines.append(word)
            else:
                lines[-1] = longer
        return lines

    def paragraph(
        self, x: float, y: float, text: str, size: float, colour: Colour, wide: float,
        anchor: str = "l", weight: Weight = "Regular",
    ) -> float:  # fmt: skip
        """A text in lines from a top edge down; gives its height."""
        lines = self.lines(text, size, wide, weight)
        for number, line in enumerate(lines):
            self.text(x, y + (number + 0.5) * LEADING * size, line, size, colour, f"{anchor}m", wide, weight)
        return len(lines) * LEADING * size

    def fitted(
        self, x: float, y: float, text: str, sizes: tuple[float, float], colour: Colour, wide: float, high: float,
        weight: Weight = "Regular",
    ) -> float:  # fmt: skip
        """A text in the middle of a box, as large as fits between the two sizes; gives the size it has."""
        largest, smallest = sizes
        size = largest
        while size > smallest and not self._fits(text, size, wide, high, weight):
            size -= 0.1
        tall = len(self.lines(text, size, wide, weight)) * LEADING * size
        self.paragraph(x + wide / 2, y + (high - tall) / 2, text, size, colour, wide, "m", weight)
        return size

    def _fits(self, text: str, size: float, wide: float, high: float, weight: Weight) -> bool:
        lines = self.lines(text, size, wide, weight)
        return len(lines) * LEADING * size <= high and all(self.width_of(one, size, weight) <= wide for one in lines)

    def arc(self, x: float, y: float, radius: float, turn: tuple[float, float], colour: Colour, thick: float) -> None:
        """A part of a circle's line, between two turns in degrees, clockwise from the right."""
        first, last = turn
        angles = [math.radians(first + (last - first) * step / 24) for step in range(25)]
        self.path([(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles], colour, thick)

    def shade(self, top: Colour, bottom: Colour, y0: float, y1: float) -> None:
        """A vertical run of colour over the full width, as fine as colours can be told apart."""
        steps = max(1, *(abs(a - b) for a, b in zip(top, bottom, strict=True)))
        for step in range(steps):
            y = y0 + (y1 - y0) * step / steps
            # Each strip goes down to the end, so that no seam shows between two of them.
            self.box(0, y, self.width, y1 - y, mixed(top, bottom, step / steps))


def around(x: float, y: float, radius: float, corners: int, turn: float = 0.0, dent: float = 1.0) -> list[Spot]:
    """A regular polygon; with `dent` below 1 every other corner lies inwards: a star."""
    count = corners if dent == 1 else corners * 2
    spots = []
    for n in range(count):
        reach = radius * (dent if n % 2 and dent != 1 else 1)
        angle = math.radians(turn) + 2 * math.pi * n / count - math.pi / 2
        spots.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    return spots


def mixed(a: Colour, b: Colour, share: float) -> Colour:
    """A colour between two."""
    r, g, bl = (round(p + (q - p) * share) for p, q in zip(a, b, strict=True))
    return r, g, bl
