"""Cards of words, one side of A5 each: the panel's reference card, and each game's signs, places and aids.

The words come from whoever knows the games and the language. Two cards lie side by side on a sheet, which is cut once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple

from vision.art.canvas import Canvas, Colour, around
from vision.art.fonts import Weight
from vision.art.kit import Drawing, Translate
from vision.art.paper import Page, PaperCanvas
from vision.art.patterns import DEEP, INKS, suit_shape

LINE: Colour = (60, 56, 60)
SOFT: Colour = (110, 100, 96)
HEAD: Colour = (150, 70, 40)
AMBER: Colour = (240, 200, 90)
SKY: dict[str, Colour] = {"sun": (255, 250, 230), "moon": (150, 110, 190)}


class Row(NamedTuple):
    """Something with its lights: drawings of the panel one below the other, a title, and what it tells."""

    drawings: tuple[str, ...]
    title: str
    text: str = ""


class Section(NamedTuple):
    """Some rows under a heading, with a lamp or suit before it; `is_wide` ones have the whole width of the card."""

    title: str
    rows: tuple[Row, ...]
    is_wide: bool = False
    sign: str = ""


class Chapter(NamedTuple):
    """The card of one game."""

    title: str
    parts: tuple[Section, ...]


class PanelReference(NamedTuple):
    """All words on the card; suits as their lamps stand, buttons left, right, yes, back, glows by their letters."""

    title: str
    bar: str
    suits: tuple[str, ...]
    sun: str
    moon: str
    buttons: tuple[str, ...]
    off: str
    box: Section
    chapters: tuple[Chapter, ...]
    glows: tuple[tuple[str, str], ...]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def translated(chapter: Chapter, translate: Translate) -> Chapter:
    """A card whose words are messages, in a language."""

    def said(message: str) -> str:
        return translate(message) if message else ""

    parts = (
        part._replace(
            title=_capital(said(part.title)),
            rows=tuple(row._replace(title=_capital(said(row.title)), text=said(row.text)) for row in part.rows),
        )
        for part in chapter.parts
    )
    return Chapter(said(chapter.title), tuple(parts))


A5 = (148.0, 210.0)
FRAME, CARD_EDGE, HEADING, GAP = 4.0, 7.0, 5.2, 3.5
PITCH = 2.1
"""From one light of a small bar to the next, in millimetres."""
WIDE = PITCH * 22.5
"""A small panel: bar, suits, sun and moon."""
TITLE, TEXT = 3.2, 3.2
SCALES = [percent / 100 for percent in range(150, 60, -1)]
"""How much larger or smaller a card may be set so that it's filled and everything is on it."""


def draw_reference(words: PanelReference) -> list[Drawing]:
    """The panel's card, and one for each game."""
    return [partial(_panel, words), *(partial(draw_chapter, chapter, words.glows) for chapter in words.chapters)]


def two_up(cards: Sequence[Drawing], paper: tuple[float, float]) -> Iterator[Page]:
    """A5 cards, two on a sheet that is cut in the middle; on narrower paper a little smaller."""
    wide, high = paper[1], paper[0]
    scale = min(1.0, wide / 2 / A5[0], high / A5[1])

    def draw(canvas: PaperCanvas, start: int) -> None:
        for n, card in enumerate(cards[start : start + 2]):
            x = wide / 4 * (1 + 2 * n) - A5[0] * scale / 2
            canvas.stamp(f"card-{cards.index(card)}", card, x, (high - A5[1] * scale) / 2, A5, scale=scale)
        for y in (0.0, high - 4):
            canvas.path([(wide / 2, y), (wide / 2, y + 4)], LINE, 0.15)

    for start in range(0, len(cards), 2):
        yield Page((wide, high), partial(draw, start=start))


def _panel(words: PanelReference, canvas: Canvas) -> None:
    """What the lights and buttons are."""
    canvas.box(FRAME, FRAME, A5[0] - 2 * FRAME, A5[1] - 2 * FRAME, None, LINE, 0.4, 4)
    canvas.text(A5[0] / 2, 15, words.title, 9, LINE, widest=A5[0] - 2 * CARD_EDGE, weight="Bold")
    left, wide = CARD_EDGE, A5[0] - 2 * CARD_EDGE
    for n in range(15):
        x = left + wide * (n + 0.5) / 15
        canvas.disc(x, 30, 2.9, AMBER, LINE, 0.4)
        canvas.text(x, 37, str(n + 1), 4, LINE)
    canvas.fitted(left, 40, words.bar, (4.4, 3), LINE, wide, 12)
    for n, (suit, name) in enumerate(zip(INKS, words.suits, strict=True)):
        x = left + wide * (n + 0.5) / 4
        suit_shape(canvas, suit, x, 61, 4.6, INKS[suit], DEEP[suit])
        canvas.text(x, 70, name, 4.2, LINE, widest=wide / 4 - 2)
    for n, (lamp, name) in enumerate((("sun", words.sun), ("moon", words.moon))):
        x = left + wide * (n + 0.5) / 2
        canvas.disc(x, 82, 4.6, SKY[lamp], LINE, 0.5)
        canvas.text(x, 91, name, 4.2, LINE, widest=wide / 2 - 4)
    signs: list[list[list[tuple[float, float]]]] = [
        [[(2.5, -3), (2.5, 3), (-3, 0), (2.5, -3)]],
        [[(-2.5, -3), (-2.5, 3), (3, 0), (-2.5, -3)]],
        [[(-3, 0), (-0.8, 2.6), (3.2, -3)]],
        [[(-2.6, -2.6), (2.6, 2.6)], [(2.6, -2.6), (-2.6, 2.6)]],
    ]
    for n, (text, strokes) in enumerate(zip(words.buttons, signs, strict=True)):
        x, y = left + 8, 110 + n * 13
        canvas.disc(x, y, 5.4, (255, 255, 255), LINE, 0.5)
        for stroke in strokes:
            canvas.path([(x + dx, y + dy) for dx, dy in stroke], LINE, 1.1)
        canvas.text(x + 11, y, text, 5, LINE, "lm", wide - 22)
    canvas.text(A5[0] / 2, 160, words.off, 4.6, LINE, widest=wide)
    room = A5[1] - FRAME - 2 - 169
    scale = next(one for one in SCALES if _part(canvas, words.box, 0, 0, wide, one, is_drawn=False) <= room)
    _part(canvas, words.box, left, 169, wide, scale)


def draw_chapter(chapter: Chapter, glows: tuple[tuple[str, str], ...], canvas: Canvas) -> None:
    """One side of A5: what has the whole width first, the rest in two columns, as large as there is room."""
    inner, column = A5[0] - 2 * CARD_EDGE, (A5[0] - 2 * CARD_EDGE - GAP) / 2
    wide = [part for part in chapter.parts if part.is_wide]
    narrow = [part for part in chapter.parts if not part.is_wide]
    foot = 6.0 if glows else 0.0
    for scale in SCALES:
        high = sum(_part(canvas, part, 0, 0, inner, scale, is_drawn=False) for part in wide)
        heights = [_part(canvas, part, 0, 0, column, scale, is_drawn=False) for part in narrow]
        columns = _shared(heights)
        needed = high + max(sum(heights[at] for at in places) for places in columns)
        if TOP + needed + foot <= A5[1] - FRAME - 2:
            break
    canvas.box(FRAME, FRAME, A5[0] - 2 * FRAME, A5[1] - 2 * FRAME, None, LINE, 0.4, 4)
    canvas.text(A5[0] / 2, 10, chapter.title, 7, LINE, widest=inner, weight="Bold")
    # What is left over goes between the parts.
    rows = len(wide) + max(map(len, columns))
    air = max(0.0, A5[1] - FRAME - 2 - TOP - needed - foot) / max(1, rows)
    y = TOP
    for part in wide:
        y += _part(canvas, part, CARD_EDGE, y, inner, scale) + air
    for n, places in enumerate(columns):
        below = y
        for at in places:
            below += _part(canvas, narrow[at], CARD_EDGE + n * (column + GAP), below, column, scale) + air
    _glows(glows, canvas)


def _shared(heights: list[float]) -> tuple[list[int], list[int]]:
    """Parts in two columns as even as can be, the first one on the left, each column in the parts' order."""
    every = range(len(heights))
    lefts = [{0, *(at for at in every if bits >> at & 1)} for bits in range(2 ** len(heights))]
    left = min(lefts, key=lambda left: max(sum(heights[at] for at in every if (at in left) == side) for side in SIDES))
    return [at for at in every if at in left], [at for at in every if at not in left]


SIDES = (True, False)
TOP = 15.5
"""Where a card's first heading stands."""


def _glows(glows: tuple[tuple[str, str], ...], canvas: Canvas) -> None:
    """What the drawings of lights mean, at the foot of a card."""
    x, y = CARD_EDGE, A5[1] - FRAME - 4
    size = 2.8
    while (
        glows and sum(7.5 + canvas.width_of(text, size, "Regular") for _letter, text in glows) > A5[0] - 2 * CARD_EDGE
    ):
        size -= 0.1
    for letter, text in glows:
        _light(canvas, letter, x + 1.2, y, 1.0, AMBER)
        canvas.text(x + 3.4, y, text, size, SOFT, "lm", weight="Regular")
        x += 7.5 + canvas.width_of(text, size, "Regular")


def _part(
    canvas: Canvas, part: Section, x: float, y: float, wide: float, scale: float, is_drawn: bool = True
) -> float:  # fmt: skip
    """A heading with its rows from a point on; gives the height."""
    start = y
    if is_drawn:
        left = x
        if part.sign:
            _lamp(canvas, part.sign, x + 2 * scale, y + 1, scale * 1.1)
            left += 5 * scale
        canvas.text(left, y + 1, part.title, TITLE * 1.2 * scale, HEAD, "lm", wide - left + x, "Bold")
    y += HEADING * scale
    for row in part.rows:
        y += _row(canvas, row, x, y, wide, scale, is_drawn)
    return y + 1.6 * scale - start


def _row(canvas: Canvas, row: Row, x: float, y: float, wide: float, scale: float, is_drawn: bool) -> float:
    """Drawings on the left, words on the right; gives the height."""
    beside = _drawn_width(row.drawings) * scale
    if is_drawn:
        for n, drawing in enumerate(row.drawings):
            _drawing(canvas, drawing, x, y + n * 3.4 * scale, scale)
    # Beside a panel, title and text are one run of words: a card has many of these.
    blocks = (
        [[*_styled(row.title, TITLE, "Semibold"), *_styled(row.text, TEXT, "Regular")]]
        if beside > WIDE * scale
        else [_styled(row.title, TITLE, "Semibold"), _styled(row.text, TEXT, "Regular")]
    )
    below = y
    for block in blocks:
        for line in _wrapped(canvas, block, wide - beside, scale):
            if is_drawn:
                _line(canvas, line, x + beside, below, scale)
            below += 1.15 * line[0].size * scale
    return max(len(row.drawings) * 3.4 * scale, below - y) + 0.7 * scale


class Word(NamedTuple):
    """A word with its size and weight."""

    text: str
    size: float
    weight: Weight


def _styled(text: str, size: float, weight: Weight) -> list[Word]:
    return [Word(word, size, weight) for word in text.split()]


def _wrapped(canvas: Canvas, words: list[Word], wide: float, scale: float) -> list[list[Word]]:
    """Words in lines that fit."""
    lines: list[list[Word]] = []
    room = 0.0
    for word in words:
        needed = canvas.width_of(f"{word.text} ", word.size * scale, word.weight)
        if not lines or needed > room:
            lines.append([])
            room = wide
        lines[-1].append(word)
        room -= needed
    return lines


def _line(canvas: Canvas, words: list[Word], x: float, y: float, scale: float) -> None:
    """Words one after the other, those alike in one go."""
    for (size, weight), run in groupby(words, lambda word: (word.size, word.weight)):
        text = " ".join(word.text for word in run)
        canvas.text(x, y, text, size * scale, LINE, "lm", weight=weight)
        # Two spaces, so that what is bold stands apart; the line was wrapped with one to spare.
        x += canvas.width_of(f"{text}  ", size * scale, weight)


def _drawn_width(drawings: tuple[str, ...]) -> float:
    """How wide a row's drawings are: a whole panel, a number of a light, or some lamps."""
    if not drawings:
        return 0.0
    return WIDE + 2 if " " in drawings[0] else 7.5


def _drawing(canvas: Canvas, drawing: str, x: float, y: float, scale: float) -> None:
    """A small panel, or the number of a light."""
    if " " not in drawing:
        if drawing in SIGNS:
            _lamp(canvas, drawing, x + 2.6 * scale, y, scale)
        elif len(drawing) > 1 and not drawing.isdigit():
            canvas.text(x, y, drawing, TEXT * scale, LINE, "lm", 6.4 * scale, "Bold")
        elif drawing:
            canvas.disc(x + 2.6 * scale, y, 2.1 * scale, AMBER, LINE, 0.3)
            canvas.text(x + 2.6 * scale, y, drawing, TEXT * scale, LINE)
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
    """A sun, a moon, a colour or a tarot suit as a small sign."""
    if lamp == "sun":
        canvas.shape(around(x, y, 2.1 * scale, 8, 0, 0.62), AMBER, LINE, 0.2)
    elif lamp == "moon":
        canvas.disc(x, y, 1.8 * scale, SKY[lamp], LINE, 0.2)
        canvas.disc(x + 0.7 * scale, y - 0.3 * scale, 1.3 * scale, (255, 255, 255), LINE, 0.2)
    elif lamp in COLOURS:
        suit_shape(canvas, lamp[0], x, y, 1.9 * scale, INKS[lamp[0]], DEEP[lamp[0]])
    else:
        suit_shape(canvas, lamp, x, y, 1.8 * scale, (170, 164, 160), LINE)


COLOURS = ("red", "blue", "yellow", "green")
SIGNS = (*COLOURS, "sun", "moon")
