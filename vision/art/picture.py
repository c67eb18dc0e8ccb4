"""A drawing as a picture, with soft edges."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PIL import Image, ImageDraw

from vision.art.canvas import WHITE, Canvas, Colour, Spot
from vision.art.fonts import INSTEAD, Weight, pixel_font
from vision.geometry import Picture

SMOOTH = 2  # drawn this much larger and shrunk, for soft edges


class PictureCanvas(Canvas):
    """A drawing in pixels."""

    def __init__(self, width: float, height: float, dpi: float, paper: Colour = WHITE):
        super().__init__(width, height)
        self.scale = dpi / 25.4 * SMOOTH
        self.size = (round(width * dpi / 25.4), round(height * dpi / 25.4))
        self.image = Image.new("RGB", (self.size[0] * SMOOTH, self.size[1] * SMOOTH), paper)
        self.pen = ImageDraw.Draw(self.image)

    def _px(self, points: Iterable[Spot]) -> list[Spot]:
        return [(x * self.scale, y * self.scale) for x, y in points]

    def _thick(self, thick: float) -> int:
        return max(1, round(thick * self.scale))

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
            self.pen.line([*spots, spots[0]], fill=line, width=self._thick(thick), joint="curve")

    def path(self, points: Iterable[Spot], colour: Colour, thick: float) -> None:
        """An open line."""
        self.pen.line(self._px(points), fill=colour, width=self._thick(thick), joint="curve")

    def disc(
        self, x: float, y: float, radius: float, fill: Colour | None = None, line: Colour | None = None,
        thick: float = 0.4, tall: float = 1.0,
    ) -> None:  # fmt: skip
        """A circle, or an ellipse `tall` times as high as wide; its line is inside."""
        box = self._px([(x - radius, y - radius * tall), (x + radius, y + radius * tall)])
        self.pen.ellipse([*box[0], *box[1]], fill=fill, outline=line, width=self._thick(thick))

    def box(
        self, x: float, y: float, width: float, height: float, fill: Colour | None = None,
        line: Colour | None = None, thick: float = 0.4, round_: float = 0.0,
    ) -> None:  # fmt: skip
        """A rectangle, with round corners if wanted; its line is inside."""
        corners = self._px([(x, y), (x + width, y + height)])
        radius, thick = round_ * self.scale, self._thick(thick)
        self.pen.rounded_rectangle([*corners[0], *corners[1]], radius, fill=fill, outline=line, width=thick)

    def write(self, x: float, baseline: float, text: str, size: float, colour: Colour, weight: Weight) -> None:
        """Words from the left end of their baseline."""
        font = pixel_font(weight, max(1, round(size * self.scale)))
        at = (x * self.scale, baseline * self.scale)
        self.pen.text(at, text.translate(INSTEAD), fill=colour, font=font, anchor="ls")

    def turn(self) -> None:
        """Turn the sheet upside down, to draw the other half on."""
        self.image = self.image.transpose(Image.Transpose.ROTATE_180)
        self.pen = ImageDraw.Draw(self.image)

    def picture(self) -> Picture:
        """The finished drawing as BGR bytes."""
        small = self.image.resize(self.size, Image.Resampling.BOX)
        return np.ascontiguousarray(np.asarray(small, np.uint8)[:, :, ::-1])
