"""PDFs as a printer would have them: pages as pictures, and where their words stand."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pypdfium2

from companion.catalogue import Catalogue
from companion.table.printing import prints
from vision.art.canvas import LEADING, Canvas, Colour, Spot
from vision.art.fonts import CAPITALS, Weight
from vision.art.sheets import Prints, print_pdf
from vision.geometry import Picture

MM = 72 / 25.4


@cache
def sheets(language: str = "en") -> Prints:
    """Everything that can be printed in a language."""
    return prints(Catalogue(language).translate)


@cache
def _made(what: str, paper: str, language: str, **wishes: bool) -> tuple[int, bytes]:
    """How many pages there are, and the file; many tests look at the same one."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "sheet.pdf"
        return print_pdf(what, paper, target, sheets(language), **wishes), target.read_bytes()


class Printed:
    """A PDF that was made for a test."""

    def __init__(self, what: str, paper: str = "a4", language: str = "en", **wishes: bool):
        self.count, data = _made(what, paper, language, **wishes)
        self.pdf = pypdfium2.PdfDocument(data)

    def size(self, page: int) -> tuple[float, float]:
        """A page's size in millimetres."""
        wide, high = self.pdf[page].get_size()
        return wide / MM, high / MM

    def picture(self, page: int, dpi: float) -> Picture:
        """A page as it's seen."""
        return np.ascontiguousarray(self.pdf[page].render(scale=dpi / 72).to_numpy()[:, :, :3])

    def text(self, page: int) -> str:
        """All words of a page in one line."""
        return " ".join(self.pdf[page].get_textpage().get_text_bounded().split())

    def cut(self, page: int, place: Spot, size: Spot, dpi: float) -> Picture:
        """A piece of a page, in millimetres from its upper left corner."""
        picture, scale = self.picture(page, dpi), dpi / 25.4
        (x, y), (wide, high) = (round(v * scale) for v in place), (round(v * scale) for v in size)
        return picture[y : y + high, x : x + wide]


class Words(Canvas):
    """A canvas on which only words are noted: where they stand, and whether those in a box fit it."""

    def __init__(self, width: float, height: float):
        super().__init__(width, height)
        self.written: list[tuple[str, float, float, float, float]] = []
        self.too_long: list[str] = []

    def shape(
        self, points: Iterable[Spot], fill: Colour | None = None, line: Colour | None = None, thick: float = 0.4
    ) -> None:
        """Nothing."""

    def path(self, points: Iterable[Spot], colour: Colour, thick: float) -> None:
        """Nothing."""

    def disc(self, *args: object, **kwargs: object) -> None:
        """Nothing."""

    def box(self, *args: object, **kwargs: object) -> None:
        """Nothing."""

    def turn(self) -> None:
        """Nothing: words keep their distance from the edges."""

    def write(self, x: float, baseline: float, text: str, size: float, colour: Colour, weight: Weight) -> None:
        """Note a line."""
        self.written.append((text, x, baseline - CAPITALS * size, x + self.width_of(text, size, weight), baseline))

    def fitted(
        self, x: float, y: float, text: str, sizes: tuple[float, float], colour: Colour, wide: float, high: float,
        weight: Weight = "Regular",
    ) -> float:  # fmt: skip
        """Note whether a text fits its box."""
        size = super().fitted(x, y, text, sizes, colour, wide, high, weight)
        lines = self.lines(text, size, wide, weight)
        if len(lines) * LEADING * size > high + 0.05 or any(self.width_of(one, size, weight) > wide for one in lines):
            self.too_long.append(text)
        return size

    def outside(self, edge: float) -> Iterator[str]:
        """The lines that come nearer to the paper's edge than so many millimetres."""
        for text, left, top, right, low in self.written:
            if left < edge or top < edge or right > self.width - edge or low > self.height - edge:
                yield text
