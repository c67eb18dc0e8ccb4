"""The letters of everything that is drawn: Source Sans, with all accents of the languages Hush speaks.

The same font files draw the pictures that the eye learns and the pages that people print.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from PIL import ImageFont
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

Weight = Literal["Regular", "It", "Semibold", "Bold", "Black"]
CAPITALS = 0.66
"""How high a capital letter is, in parts of the font's size."""
# Signs of the panel's buttons that the font has in another form.
INSTEAD = str.maketrans({"✔": "✓", "✖": "×"})


def font_file(weight: Weight) -> Path:
    """Where a font is."""
    # Only found, not imported: importing the package lists all of its files.
    spec = find_spec("font_source_sans_pro")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "files" / f"SourceSansPro-{weight}.ttf"


@lru_cache(maxsize=64)
def pixel_font(weight: Weight, size: int) -> ImageFont.FreeTypeFont:
    """A font for pictures, in a size in pixels."""
    return ImageFont.truetype(font_file(weight), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=8)
def print_font(weight: Weight) -> str:
    """The name of a font for PDFs, which knows it from then on."""
    name = f"SourceSans-{weight}"
    pdfmetrics.registerFont(TTFont(name, font_file(weight)))
    return name


def can_write(text: str) -> bool:
    """Whether the font has all letters of a text."""
    font = pdfmetrics.getFont(print_font("Regular"))
    assert isinstance(font, TTFont)
    return all(ord(letter) in font.face.charToGlyph for letter in text.translate(INSTEAD))


def width_of(text: str, size: float, weight: Weight) -> float:
    """How wide a text is, in the unit of its size."""
    return float(pdfmetrics.stringWidth(text.translate(INSTEAD), print_font(weight), size))
