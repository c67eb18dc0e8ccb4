"""Words as pixels: letters with their accents, lines broken between words, and pages for what doesn't fit."""

from __future__ import annotations

import unicodedata
from functools import cache

from msgspec import Struct
from PIL import Image, ImageDraw

from hardware.glyphs import CAPITALS, DEEP, DRAWN_AS, SMALL

Spot = tuple[int, int]
BOX = 10
"""Rows of a line: one for accents, seven for capitals, two below the line."""
LINE, CAPITAL, SMALL_TOP = 8, 1, 3
"""The row below the feet of letters, the top row of capitals, and that of an x."""

ACCENTS = {
    "\u0301": ".# #.",
    "\u0300": "#. .#",
    "\u0302": ".#. #.#",
    "\u0303": ".#.# #.#.",
    "\u0307": "#",
    "\u0308": "#.#",
}
"""The rows over a letter: two, or one that stands a row off it."""
OGONEK, STROKE = "\u0328", "\u0335"
BARE = {"ł": ("l", STROKE), "Ł": ("L", STROKE)}
REPLACED = "?"


class Glyph(Struct, frozen=True):
    """A letter as lit pixels in a box of ten rows, and how wide it is."""

    spots: frozenset[Spot]
    width: int


@cache
def glyph(letter: str) -> Glyph:
    """A letter with its accents; a question mark for one that can't be drawn.

    >>> glyph("i").width, glyph("M").width, glyph("ż").spots > glyph("z").spots
    (1, 5, True)
    """
    letter = DRAWN_AS.get(letter, letter)
    if (found := _drawn(letter)) is not None:
        return found
    base, marks = BARE.get(letter, ("", ""))
    if not base:
        base, marks = (apart := unicodedata.normalize("NFD", letter))[0], apart[1:]
    bare = _drawn("ı" if base == "i" and marks else base)
    if bare is None or not marks:
        return glyph(REPLACED)
    for mark in marks:
        bare = _marked(bare, mark, is_capital=base.isupper())
    return bare


def can_write(letter: str) -> bool:
    """Whether a letter has a shape of its own."""
    return letter == REPLACED or glyph(letter) != glyph(REPLACED)


def _drawn(letter: str) -> Glyph | None:
    for shapes, bottom in ((CAPITALS, LINE), (SMALL, LINE), (DEEP, BOX)):
        if letter in shapes:
            rows = shapes[letter].split()
            return Glyph(_spots(rows, bottom - len(rows)), len(rows[0]))
    return None


def _spots(rows: list[str], top: int, left: int = 0) -> frozenset[Spot]:
    return frozenset((left + x, top + y) for y, row in enumerate(rows) for x, dot in enumerate(row) if dot == "#")


def _marked(bare: Glyph, mark: str, *, is_capital: bool) -> Glyph:
    """A letter with an accent. A capital is made lower by a row, so that its accent has room."""
    width = bare.width
    if mark == OGONEK:
        return Glyph(bare.spots | {(width - 1, LINE), (width - 2, LINE + 1), (width - 1, LINE + 1)}, width)
    if mark == STROKE:
        # A letter on one stem gets room on both sides; a capital's stem is its left edge.
        spots = {(x + 1, y) for x, y in bare.spots}
        middle = 4
        slash = {(0, middle + 1), (1, middle), (2, middle - 1)}
        return Glyph(frozenset(spots | slash), width + 1 if is_capital else 3)
    rows = ACCENTS.get(mark)
    if rows is None:
        return bare
    shape = rows.split()
    body, top = bare.spots, SMALL_TOP - 1 - len(shape)
    if is_capital:
        # The second row of the body is left out, which every capital with an accent can spare.
        body = frozenset((x, y + 1 if y == CAPITAL else y) for x, y in bare.spots if y != CAPITAL + 1)
        top = 0
    # A stem that is narrower than its accent moves under the middle of it.
    moved = max(0, (len(shape[0]) - width) // 2)
    left = max(0, (width - len(shape[0]) + 1) // 2)
    body = frozenset((x + moved, y) for x, y in body)
    return Glyph(body | _spots(shape, top, left), max(width, len(shape[0])))


def width_of(text: str) -> int:
    """How many pixels wide a text is; letters stand a pixel apart.

    >>> width_of("hi"), width_of("")
    (6, 0)
    """
    return max(0, sum(glyph(letter).width + 1 for letter in text) - 1)


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines of so many pixels, broken between words; a word that is longer than a line, between letters.

    >>> wrapped("Player 2 plays a card.", 60)
    ['Player 2 plays', 'a card.']
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            longer = f"{line} {word}" if line else word
            if width_of(longer) <= width:
                line = longer
                continue
            if line:
                lines.append(line)
            *full, line = _chopped(word, width)
            lines += full
        lines.append(line)
    return lines


def _chopped(word: str, width: int) -> list[str]:
    parts = [""]
    for letter in word:
        if parts[-1] and width_of(parts[-1] + letter) > width:
            parts.append("")
        parts[-1] += letter
    return parts


class DisplayLine(Struct, frozen=True):
    """A line of a page, and how many times as large as small letters."""

    text: str
    scale: int = 1

    @property
    def height(self) -> int:
        """Its height in pixels."""
        return BOX * self.scale


PAGE_MARK_PIXELS = 3
"""Pixels at the right that are left free where there are several pages, for the mark that tells which one it is."""


def set_out(paragraphs: tuple[str, ...], size: tuple[int, int]) -> tuple[tuple[DisplayLine, ...], ...]:
    """A text as pages of rows: one page with large letters where there is room, at least for the first paragraph.

    >>> set_out(("Yes?",), (128, 32))
    ((DisplayLine(text='Yes?', scale=2),),)
    >>> [len(page) for page in set_out(("Yes? " * 40,), (128, 32))]
    [3, 3, 2]
    """
    width, height = size
    for first, others in ((2, 2), (2, 1), (1, 1)):
        rows = [
            DisplayLine(line, scale)
            for number, paragraph in enumerate(paragraphs)
            for scale in (first if number == 0 else others,)
            for line in wrapped(paragraph, width // scale)
        ]
        has_whole_words = " ".join(row.text for row in rows) == " ".join(paragraphs)
        if sum(row.height for row in rows) <= height and has_whole_words:
            return (tuple(rows),)
    lines = [
        DisplayLine(line) for paragraph in paragraphs for line in wrapped(paragraph.strip(), width - PAGE_MARK_PIXELS)
    ]
    many = height // BOX
    return tuple(tuple(lines[start : start + many]) for start in range(0, len(lines), many))


def paint(picture: Image.Image, text: str, at: Spot, scale: int = 1) -> None:
    """Write a line into a picture of one bit a pixel; `at` is the left upper corner of its box."""
    x, y = at
    dots: list[Spot] = []
    for letter in text:
        one = glyph(letter)
        shape = enlarged(one.spots) if scale == 2 else one.spots
        dots += [(x + across, y + down) for across, down in shape]
        x += (one.width + 1) * scale
    ImageDraw.Draw(picture).point(dots, fill=1)


@cache
def enlarged(spots: frozenset[Spot]) -> frozenset[Spot]:
    """A shape twice as large, with its slanted edges smoothed: a step between two corners is filled up."""
    found = {(2 * x + dx, 2 * y + dy) for x, y in spots for dx in (0, 1) for dy in (0, 1)}
    for x, y in spots:
        for dx, dy in ((1, 1), (1, -1)):
            if (x + dx, y + dy) in spots and (x + dx, y) not in spots and (x, y + dy) not in spots:
                # Two pixels that meet at a corner alone: one dot on either side joins them.
                edge_y = 2 * y + (1 if dy > 0 else 0)
                found |= {(2 * x + 2, edge_y), (2 * x + 1, edge_y + dy)}
    return frozenset(found)
