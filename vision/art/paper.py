"""Drawings as pages of a PDF: lines and letters, not pictures, so that print is sharp and files are small.

What is drawn often, such as the back of a card, is kept once and stamped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import numpy as np
from cv2.typing import MatLike
from msgspec import Struct
from reportlab.lib.colors import Color
from reportlab.pdfgen.canvas import Canvas as Pdf

from vision.art.canvas import WHITE, Canvas, Colour, Spot, mixed
from vision.art.fonts import INSTEAD, Weight, print_font

MM = 72 / 25.4
"""A millimetre in the points of a PDF."""
LOW_INK = 0.85
"""How much of the ink of filled areas is saved where little is to be used."""
DARK: Colour = (40, 36, 40)


class PaperCanvas(Canvas):
    """A drawing on a page. So much of the ink of areas is `saved`, half as much of lines, nothing of letters."""

    def __init__(self, pdf: Pdf, width: float, height: float, saved: float = 0.0):
        super().__init__(width, height)
        self.pdf, self.saved = pdf, saved

    def _at(self, x: float, y: float) -> Spot:
        return x * MM, (self.height - y) * MM

    def _pens(self, fill: Colour | None, line: Colour | None, thick: float) -> dict[str, int]:
        """Choose the colours; gives what is to be drawn, as the PDF library wants to know it."""
        if fill is not None:
            self.pdf.setFillColor(_ink(mixed(fill, WHITE, self.saved)))
        if line is not None:
            self.pdf.setStrokeColor(_ink(mixed(line, WHITE, self.saved / 2)))
            self.pdf.setLineWidth(thick * MM)
        return {"fill": int(fill is not None), "stroke": int(line is not None)}

    def _drawn(self, points: Iterable[Spot], is_closed: bool, pens: dict[str, int]) -> None:
        path = self.pdf.beginPath()
        (x, y), *others = (self._at(*point) for point in points)
        path.moveTo(x, y)
        for x, y in others:
            path.lineTo(x, y)
        if is_closed:
            path.close()
        self.pdf.drawPath(path, **pens)

    def shape(
        self,
        points: Iterable[Spot],
        fill: Colour | None = None,
        line: Colour | None = None,
        thick: float = 0.4,
    ) -> None:
        """A closed polygon."""
        self._drawn(points, True, self._pens(fill, line, thick))

    def path(self, points: Iterable[Spot], colour: Colour, thick: float) -> None:
        """An open line."""
        self._drawn(points, False, self._pens(None, colour, thick))

    def disc(
        self, x: float, y: float, radius: float, fill: Colour | None = None, line: Colour | None = None,
        thick: float = 0.4, tall: float = 1.0,
    ) -> None:  # fmt: skip
        """A circle, or an ellipse `tall` times as high as wide; its line is inside."""
        inset = thick / 2 if line is not None else 0.0
        wide, high = radius - inset, radius * tall - inset
        self.pdf.ellipse(
            *self._at(x - wide, y + high), *self._at(x + wide, y - high), **self._pens(fill, line, thick)
        )  # fmt: skip

    def box(
        self, x: float, y: float, width: float, height: float, fill: Colour | None = None,
        line: Colour | None = None, thick: float = 0.4, round_: float = 0.0,
    ) -> None:  # fmt: skip
        """A rectangle, with round corners if wanted; its line is inside."""
        inset = thick / 2 if line is not None else 0.0
        left, low = self._at(x + inset, y + height - inset)
        size = (width - 2 * inset) * MM, (height - 2 * inset) * MM
        pens = self._pens(fill, line, thick)
        if round_:
            self.pdf.roundRect(left, low, *size, max(0.0, round_ - inset) * MM, **pens)
        else:
            self.pdf.rect(left, low, *size, **pens)

    def write(self, x: float, baseline: float, text: str, size: float, colour: Colour, weight: Weight) -> None:
        """Words from the left end of their baseline; light ones are dark where their ground has become pale."""
        self.pdf.setFillColor(_ink(DARK if self.saved > 0.5 and sum(colour) > 540 else colour))
        self.pdf.setFont(print_font(weight), size * MM)
        self.pdf.drawString(*self._at(x, baseline), text.translate(INSTEAD))

    def turn(self) -> None:
        """Turn the sheet upside down, to draw the other half on."""
        self.pdf.transform(-1, 0, 0, -1, self.width * MM, self.height * MM)

    def stamp(
        self, name: str, draw: Drawing, x: float, y: float, size: tuple[float, float],
        turned: bool = False, scale: float = 1.0, saving: float = 1.0,
    ) -> None:  # fmt: skip
        """A drawing of a size at a place, with no more ink saved than `saving`.

        One that has been drawn before, by its name, is used again.
        """
        wide, high = size
        if not self.pdf.hasForm(name):
            self.pdf.beginForm(name, 0, 0, wide * MM, high * MM)
            self.pdf.setLineJoin(1)
            draw(PaperCanvas(self.pdf, wide, high, min(self.saved, saving)))
            self.pdf.endForm()
        self.pdf.saveState()
        self.pdf.translate(*self._at(x, y + high * scale))
        self.pdf.scale(scale, scale)
        if turned:
            self.pdf.transform(-1, 0, 0, -1, wide * MM, high * MM)
        self.pdf.doForm(name)
        self.pdf.restoreState()

    @contextmanager
    def clipped(self, x: float, y: float, width: float, height: float) -> Iterator[None]:
        """What is drawn meanwhile shows only inside a rectangle."""
        self.pdf.saveState()
        path = self.pdf.beginPath()
        path.rect(*self._at(x, y + height), width * MM, height * MM)
        self.pdf.clipPath(path, stroke=0, fill=0)
        yield
        self.pdf.restoreState()

    def cells(self, picture: MatLike, x: float, y: float, wide: float) -> None:
        """Black cells on white, such as a marker's, one pixel each: sharp in any size.

        All are one shape, so that no hair of white shows between neighbours.
        """
        cell = wide / picture.shape[1]
        path = self.pdf.beginPath()
        for row, line in enumerate(np.asarray(picture) < 128):
            edges = np.flatnonzero(np.diff(np.concatenate(([0], line.astype(int), [0]))))
            for first, last in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
                path.rect(*self._at(x + first * cell, y + (row + 1) * cell), (last - first) * cell * MM, cell * MM)
        self.pdf.setFillColor(_ink((0, 0, 0)))
        self.pdf.drawPath(path, fill=1, stroke=0)


Drawing: TypeAlias = Callable[[PaperCanvas], None]


class Page(Struct, frozen=True):
    """One page to print: its size in millimetres and how it's drawn; a blank one isn't drawn at all."""

    size: tuple[float, float]
    draw: Drawing | None = None


def write_pages(
    target: Path,
    pages: Iterable[Page],
    title: str,
    low_ink: bool = False,
    on_page: Callable[[int], None] = lambda done: None,
) -> int:
    """Write a PDF; tells after each page, and returns how many there are. Raises `OSError`."""
    part = target.with_name(f"{target.name}.part")
    try:
        pdf = Pdf(str(part), pageCompression=1, invariant=1)
        pdf.setTitle(title)
        pdf.setCreator("Hush")
        # Viewers that offer to fit pages to the paper are told not to: markers and cards must keep their size.
        pdf.setViewerPreference("PrintScaling", "None")
        count = 0
        for page in pages:
            pdf.setPageSize((page.size[0] * MM, page.size[1] * MM))
            pdf.setLineJoin(1)
            if page.draw is not None:
                page.draw(PaperCanvas(pdf, *page.size, LOW_INK if low_ink else 0.0))
            pdf.showPage()
            count += 1
            on_page(count)
        pdf.save()
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return count


def _ink(colour: Colour) -> Color:
    return Color(*(part / 255 for part in colour))
