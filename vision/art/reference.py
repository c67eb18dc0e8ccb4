"""The panel's reference card: what lights and buttons are, then one side of A5 a game with its signs and places.

The words come from whoever knows the games and the language.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from vision.art.canvas import Canvas, Colour
from vision.art.patterns import DEEP, INKS, suit_shape

LINE: Colour = (60, 56, 60)
SOFT: Colour = (128, 118, 112)
CREAM: Colour = (252, 248, 240)
AMBER: Colour = (240, 200, 90)
SKY: dict[str, Colour] = {"sun": (255, 250, 230), "moon": (150, 110, 190)}


class Row(NamedTuple):
    """Something with its lights: drawings of the panel one below the other, a title, and what it tells."""

    drawings: tuple[str, ...]
    title: str
    text: str = ""


class Part(NamedTuple):
    """Some rows under a heading; `is_wide` for those that have the whole width of the card."""

    title: str
    rows: tuple[Row, ...]
    is_wide: bool = False


class Chapter(NamedTuple):
    """The card of one game."""

    title: str
    parts: tuple[Part, ...]


class Reference(NamedTuple):
    """All words on the card; suits as their lamps stand, buttons left, right, yes, back, glows by their letters."""

    title: str
    bar: str
    suits: tuple[str, ...]
    sun: str
    moon: str
    buttons: tuple[str, ...]
    off: str
    chapters: tuple[Chapter, ...]
    glows: tuple[tuple[str, str], ...]


A5 = (148.0, 210.0)
EDGE, HEADING, GAP = 5.0, 6.2, 3.0
PITCH = 2.35
"""From one light of a small bar to the next, in millimetres."""
WIDE = PITCH * 22.5
"""A small panel: bar, suits, sun and moon."""
TITLE, TEXT = 3.3, 2.75
SCALES = [percent / 100 for percent in range(125, 60, -3)]
"""How much larger or smaller a card may be set so that it's filled and everything is on it."""


def draw_reference(words: Reference, paper: tuple[float, float], dpi: float) -> Iterator[Canvas]:
    """The card's pages."""
    yield _panel(words, paper, dpi)
    for chapter in words.chapters:
        yield _chapter(chapter, words.glows, paper, dpi)


def _panel(words: Reference, paper: tuple[float, float], dpi: float) -> Canvas:
    canvas = Canvas(*paper, dpi)
    left, top, wide = (paper[0] - 148) / 2, 20.0, 148.0
    canvas.box(left, top, wide, 105, CREAM, LINE, 0.6, 4)
    canvas.text(paper[0] / 2, top + 9, words.title, 8, LINE)
    for n in range(15):
        canvas.disc(left + 13 + n * 8.7, top + 24, 2.6, AMBER, LINE, 0.4)
        canvas.text(left + 13 + n * 8.7, top + 31, str(n + 1), 3.6, LINE)
    canvas.text(paper[0] / 2, top + 37, words.bar, 3.9, LINE, widest=wide - 8)
    for n, (suit, name) in enumerate(zip(INKS, words.suits, strict=True)):
        suit_shape(canvas, suit, left + 14 + n * 17, top + 49, 4, INKS[suit], DEEP[suit])
        canvas.text(left + 14 + n * 17, top + 57.5, name, 3.2, LINE, widest=16)
    for x, lamp, name in ((91.0, "sun", words.sun), (127.0, "moon", words.moon)):
        canvas.disc(left + x, top + 49, 4, SKY[lamp], LINE, 0.5)
        canvas.text(left + x, top + 57.5, name, 3.2, LINE, widest=35)
    signs: list[list[list[tuple[float, float]]]] = [
        [[(2.5, -3), (2.5, 3), (-3, 0), (2.5, -3)]],
        [[(-2.5, -3), (-2.5, 3), (3, 0), (-2.5, -3)]],
        [[(-3, 0), (-0.8, 2.6), (3.2, -3)]],
        [[(-2.6, -2.6), (2.6, 2.6)], [(2.6, -2.6), (-2.6, 2.6)]],
    ]
    for n, (text, strokes) in enumerate(zip(words.buttons, signs, strict=True)):
        x, y = left + 14 + (n % 2) * 70, top + 68 + (n // 2) * 14
        canvas.disc(x, y, 5.6, (255, 255, 255), LINE, 0.5)
        for stroke in strokes:
            canvas.path([(x + dx, y + dy) for dx, dy in stroke], LINE, 1.1)
        canvas.text(x + 9, y, text, 4.4, LINE, anchor="lm", widest=50)
    canvas.text(paper[0] / 2, top + 98, words.off, 4.2, LINE, widest=wide - 8)
    return canvas


def _chapter(chapter: Chapter, glows: tuple[tuple[str, str], ...], paper: tuple[float, float], dpi: float) -> Canvas:
    """One side of A5: what has the whole width first, the rest in two columns."""
    canvas = Canvas(*paper, dpi)
    left, top = (paper[0] - A5[0]) / 2, 20.0
    inner, column = A5[0] - 2 * EDGE, (A5[0] - 2 * EDGE - GAP) / 2
    wide = [part for part in chapter.parts if part.is_wide]
    narrow = [part for part in chapter.parts if not part.is_wide]
    for scale in SCALES:
        high = sum(_part(canvas, part, 0, 0, inner, scale, is_drawn=False) for part in wide)
        heights = [_part(canvas, part, 0, 0, column, scale, is_drawn=False) for part in narrow]
        split = min(range(len(heights) + 1), key=lambda at: max(sum(heights[:at]), sum(heights[at:])))
        if 13 + high + max(sum(heights[:split]), sum(heights[split:])) + 7 <= A5[1]:
            break
    canvas.box(left, top, *A5, CREAM, LINE, 0.6, 4)
    canvas.text(left + A5[0] / 2, top + 7, chapter.title, 7, LINE)
    y = top + 13
    for part in wide:
        y += _part(canvas, part, left + EDGE, y, inner, scale)
    for n, parts in enumerate((narrow[:split], narrow[split:])):
        below = y
        for part in parts:
            below += _part(canvas, part, left + EDGE + n * (column + GAP), below, column, scale)
    x = left + EDGE
    for letter, text in glows:
        _light(canvas, letter, x + 1.2, top + A5[1] - 4, 1.0, AMBER)
        canvas.text(x + 3.4, top + A5[1] - 4, text, 2.6, SOFT, anchor="lm")
        x += 6.5 + canvas.width_of(text, 2.6)
    return canvas


def _part(
    canvas: Canvas, part: Part, x: float, y: float, wide: float, scale: float, is_drawn: bool = True
) -> float:  # fmt: skip
    """A heading with its rows from a point on; gives the height."""
    start = y
    if is_drawn:
        canvas.text(x, y + 1.5, part.title, TITLE * 1.15 * scale, SOFT, anchor="lm", widest=wide)
    y += HEADING * scale
    for row in part.rows:
        y += _row(canvas, row, x, y, wide, scale, is_drawn)
    return y + 2 * scale - start


def _row(canvas: Canvas, row: Row, x: float, y: float, wide: float, scale: float, is_drawn: bool) -> float:
    """Drawings on the left, words on the right; gives the height."""
    beside = _drawn_width(row.drawings) * scale
    title = _lines(canvas, row.title, TITLE * scale, wide - beside)
    text = _lines(canvas, row.text, TEXT * scale, wide - beside) if row.text else []
    if is_drawn:
        for n, drawing in enumerate(row.drawings):
            _drawing(canvas, drawing, x, y + n * 3.2 * scale, scale)
        for n, line in enumerate(title):
            canvas.text(x + beside, y + n * 3.9 * scale, line, TITLE * scale, LINE, anchor="lm")
        for n, line in enumerate(text):
            at = y + (len(title) * 3.9 + n * 3.3) * scale
            canvas.text(x + beside, at, line, TEXT * scale, SOFT, anchor="lm")
    return max(len(row.drawings) * 3.2, len(title) * 3.9 + len(text) * 3.3) * scale + 0.9 * scale


def _drawn_width(drawings: tuple[str, ...]) -> float:
    """How wide a row's drawings are: a whole panel, a number of a light, or some lamps."""
    if not drawings:
        return 0.0
    return WIDE + 2 if " " in drawings[0] else 7.5


def _drawing(canvas: Canvas, drawing: str, x: float, y: float, scale: float) -> None:
    """A small panel, or the number of a light."""
    if " " not in drawing:
        if drawing in SUIT_LETTERS:
            _lamp(canvas, SUIT_LETTERS[drawing], x + 2.6 * scale, y, scale)
        elif drawing:
            canvas.disc(x + 2.6 * scale, y, 2.0 * scale, AMBER, LINE, 0.3)
            canvas.text(x + 2.6 * scale, y, drawing, 2.5 * scale, LINE)
        return
    step = PITCH * scale
    bar, suits, sky = drawing.split()
    for n, letter in enumerate(bar):
        _light(canvas, letter, x + (n + 0.5) * step, y, scale, AMBER)
    for n, (letter, ink) in enumerate(zip(suits, INKS.values(), strict=True)):
        _light(canvas, letter, x + (n + 16) * step, y, scale, ink)
    for n, (letter, lamp) in enumerate(zip(sky, SKY, strict=True)):
        _light(canvas, letter, x + (n + 20.5) * step, y, scale, SKY[lamp])


def _light(canvas: Canvas, letter: str, x: float, y: float, scale: float, colour: Colour) -> None:
    """A light that is off, dim, on, or blinks: rings around it for slow, fast and pulsing ones."""
    size = {".": 0.25, "_": 0.25, "-": 0.55, "#": 0.95, "o": 0.5, "*": 0.5, "~": 0.8}[letter] * scale
    if letter in "._":
        canvas.disc(x, y, size, LINE)
        return
    if letter in "o*":
        canvas.disc(x, y, 1.05 * scale, (255, 255, 255) if letter == "o" else LINE, LINE, 0.2)
    canvas.disc(x, y, size, colour, LINE, 0.15 if letter != "~" else 0.45)


def _lamp(canvas: Canvas, lamp: str, x: float, y: float, scale: float) -> None:
    if lamp in SKY:
        canvas.disc(x, y, 1.6 * scale, SKY[lamp], LINE, 0.3)
    else:
        suit_shape(canvas, lamp[0], x, y, 1.7 * scale, INKS[lamp[0]], DEEP[lamp[0]])


SUIT_LETTERS = {lamp: lamp for lamp in ("red", "blue", "yellow", "green", "sun", "moon")}


def _lines(canvas: Canvas, text: str, size: float, wide: float) -> list[str]:
    """A text in lines that fit."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and canvas.width_of(longer, size) > wide:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
