"""A sheet to draw on in millimetres, with soft edges; everything the project prints is drawn on one."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.art import letters
from vision.geometry import Picture

Colour = tuple[int, int, int]
Spot = tuple[float, float]
SMOOTH = 2  # drawn this much larger and shrunk, for soft edges


class Canvas:
    """A drawing of a given size in millimetres; colours are red, green, blue."""

    def __init__(self, width: float, height: float, dpi: float, paper: Colour = (255, 255, 255)):
        self.width, self.height = width, height
        self.scale = dpi / 25.4 * SMOOTH
        self.size = (round(width * dpi / 25.4), round(height * dpi / 25.4))
        self.image = Image.new("RGB", (self.size[0] * SMOOTH, self.size[1] * SMOOTH), paper)
        self.pen = ImageDraw.Draw(self.image)

    def _px(self, points: Iterable[Spot]) -> list[Spot]:
        return [(x * self.scale, y * self.scale) for x, y in points]

    def shape(
        self,
        points: Iterable[Spot],
        fill: Colour | None = None,
        line: Colour | None = None,
        thick: float = 0.4,
    ) -> None:
        """A closed polygon."""
        spots = self._px(points)
        if fill is not None:
            self.pen.polygon(spots, fill=fill)
        if line is not None:
            self.pen.line([*spots, spots[0]], fill=line, width=max(1, round(thick * self.scale)), joint="curve")

    def path(self, points: Iterable[Spot], colour: Colour, thick: float) -> None:
        """An open line."""
        self.pen.line(self._px(points), fill=colour, width=max(1, round(thick * self.scale)), joint="curve")

    def disc(
        self, x: float, y: float, radius: float, fill: Colour | None = None, line: Colour | None = None,
        thick: float = 0.4, tall: float = 1.0,
    ) -> None:  # fmt: skip
        """A circle, or an ellipse `tall` times as high as wide."""
        box = self._px([(x - radius, y - radius * tall), (x + radius, y + radius * tall)])
        self.pen.ellipse([*box[0], *box[1]], fill=fill, outline=line, width=max(1, round(thick * self.scale)))

    def box(
        self, x: float, y: float, width: float, height: float, fill: Colour | None = None,
        line: Colour | None = None, thick: float = 0.4, round_: float = 0.0,
    ) -> None:  # fmt: skip
        """A rectangle, with round corners if wanted."""
        corners = self._px([(x, y), (x + width, y + height)])
        self.pen.rounded_rectangle(
            [*corners[0], *corners[1]],
            radius=round_ * self.scale,
            fill=fill,
            outline=line,
            width=max(1, round(thick * self.scale)),
        )

    def text(
        self, x: float, y: float, text: str, size: float, colour: Colour, halo: Colour | None = None,
        anchor: str = "mm", widest: float = 0.0,
    ) -> None:  # fmt: skip
        """Words; shrunk if they would be wider than `widest`."""
        if widest and self.width_of(text, size) > widest:
            size *= widest / self.width_of(text, size)
        if not text.isascii():
            self._accented(x, y, text, size, colour, anchor)
            return
        font = _font(max(6, round(size * self.scale)))
        self.pen.text(
            (x * self.scale, y * self.scale),
            text,
            font=font,
            fill=colour,
            anchor=anchor,
            stroke_width=round(size * self.scale * (0.1 if halo else 0.02)),
            stroke_fill=halo or colour,
        )

    def width_of(self, text: str, size: float) -> float:
        """How wide words are."""
        return letters.width(text, _font(max(6, round(size * self.scale)))) / self.scale

    def _accented(self, x: float, y: float, text: str, size: float, colour: Colour, anchor: str) -> None:
        """Words with letters that the font lacks, from the left or around the middle, without a halo."""
        font = _font(max(6, round(size * self.scale)))
        left = x if anchor == "lm" else x - self.width_of(text, size) / 2
        above, below = font.getmetrics()
        baseline = y * self.scale + (above - below) / 2
        letters.write(self.image, left * self.scale, baseline, text, font, size * self.scale, colour)

    def shade(self, top: Colour, bottom: Colour, y0: float, y1: float) -> None:
        """A vertical run of colour over the full width."""
        first, last = round(y0 * self.scale), round(y1 * self.scale)
        for row in range(first, last):
            share = (row - first) / max(1, last - first)
            colour = tuple(round(a + (b - a) * share) for a, b in zip(top, bottom, strict=True))
            self.pen.line([(0, row), (self.image.width, row)], fill=colour)

    def picture(self) -> Picture:
        """The finished drawing as BGR bytes."""
        small = self.image.resize(self.size, Image.Resampling.BOX)
        return np.ascontiguousarray(np.asarray(small, np.uint8)[:, :, ::-1])

    def turned(self) -> Canvas:
        """The same drawing upside down, to draw the other half on."""
        self.image = self.image.transpose(Image.Transpose.ROTATE_180)
        self.pen = ImageDraw.Draw(self.image)
        return self


@lru_cache(maxsize=64)
def _font(size: int) -> ImageFont.FreeTypeFont:
    # Pillow's own font: the same on every machine, nothing to install.
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


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
