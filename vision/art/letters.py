"""Letters with accents, made of the plain ones: the font that every machine has knows only those of English."""

from __future__ import annotations

import unicodedata

from PIL import Image, ImageDraw, ImageFont

Font = ImageFont.FreeTypeFont
Ink = tuple[int, int, int]
Stroke = tuple[tuple[float, float], ...]

# Strokes over a letter, in parts of its size, from its middle and its top; y goes down.
ABOVE: dict[str, tuple[Stroke, ...]] = {
    "\u0300": (((-0.1, -0.19), (0.04, -0.07)),),
    "\u0301": (((0.1, -0.19), (-0.04, -0.07)),),
    "\u0302": (((-0.12, -0.07), (0.0, -0.18), (0.12, -0.07)),),
    "\u0303": (((-0.15, -0.08), (-0.08, -0.14), (0.06, -0.09), (0.14, -0.15)),),
    "\u0307": (((0.0, -0.15), (0.0, -0.09)),),
    "\u0308": (((-0.11, -0.15), (-0.11, -0.09)), ((0.11, -0.15), (0.11, -0.09))),
}
# Strokes from the right foot of a letter.
BELOW: dict[str, tuple[Stroke, ...]] = {"\u0328": (((-0.06, 0.0), (-0.12, 0.09), (-0.09, 0.16), (0.0, 0.16)),)}
TURNED = {"¿": "?", "¡": "!"}
CROSSED = {"ł": "l", "Ł": "L"}
INSTEAD = str.maketrans({"–": "-", "—": "-", "„": "“", "’": "'", "✔": "OK", "✖": "X", "◀": "<", "▶": ">"})
THICK, STEM = 0.075, 0.085


def width(text: str, font: Font) -> float:
    """How wide a text is."""
    if text.isascii():
        return font.getlength(text)
    return sum(font.getlength(plain(letter)[0]) for letter in text.translate(INSTEAD))


def write(image: Image.Image, x: float, baseline: float, text: str, font: Font, size: float, ink: Ink) -> None:
    """A text letter by letter, from a point on its baseline."""
    pen = ImageDraw.Draw(image)
    bold = round(size * 0.02)
    for letter in text.translate(INSTEAD):
        bare, marks = plain(letter)
        left, top, right, _bottom = font.getbbox(bare, anchor="ls")
        if letter in TURNED:
            _write_turned(image, x, baseline, bare, font, bold, ink)
        elif bare == "i" and any(mark in ABOVE for mark in marks):
            # Without its dot: a stem as high as an x.
            top = font.getbbox("x", anchor="ls")[1]
            middle, half = x + (left + right) / 2, size * STEM / 2 + bold
            pen.rectangle((middle - half, baseline + top - bold, middle + half, baseline + bold), fill=ink)
        else:
            pen.text((x, baseline), bare, font=font, fill=ink, anchor="ls", stroke_width=bold, stroke_fill=ink)
        strokes = [(x + (left + right) / 2, baseline + top, one) for mark in marks for one in ABOVE.get(mark, ())]
        strokes += [(x + right, baseline, one) for mark in marks for one in BELOW.get(mark, ())]
        if letter in CROSSED:
            stem = x + (left + right) / 2 if letter == "ł" else x + left + size * 0.04
            strokes.append((stem, baseline + top * 0.5, ((-0.13, 0.08), (0.15, -0.1))))
        for across, down, stroke in strokes:
            spots = [(across + dx * size, down + dy * size) for dx, dy in stroke]
            pen.line(spots, fill=ink, width=max(1, round(THICK * size)), joint="curve")
        x += font.getlength(bare)


def plain(letter: str) -> tuple[str, str]:
    """A letter without its marks, and the marks."""
    if letter in TURNED or letter in CROSSED:
        return (TURNED | CROSSED)[letter], ""
    apart = unicodedata.normalize("NFD", letter)
    return apart[0], apart[1:]


def _write_turned(
    image: Image.Image, x: float, baseline: float, sign: str, font: Font, bold: int, ink: Ink
) -> None:  # fmt: skip
    """A sign upside down, hanging from the height of small letters."""
    left, top, right, bottom = (round(edge) for edge in font.getbbox(sign, anchor="ls"))
    mask = Image.new("L", (right - left + 2 * bold, bottom - top + 2 * bold))
    ImageDraw.Draw(mask).text((bold - left, bold - top), sign, font=font, fill=255, anchor="ls", stroke_width=bold)
    place = round(x) + left - bold, round(baseline + font.getbbox("x", anchor="ls")[1]) - bold
    image.paste(ink, place, mask.transpose(Image.Transpose.ROTATE_180))
