"""The panel's reference card: what lights and buttons are, then a page a game with its questions and options.

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


class Answer(NamedTuple):
    """An option: its words, how the rest of it is picked, and the lamps that light up with it."""

    label: str
    then: str = ""
    lamps: tuple[str, ...] = ()


class Question(NamedTuple):
    """A question with its options in their order."""

    text: str
    answers: tuple[Answer, ...]


class Chapter(NamedTuple):
    """The questions of a game."""

    title: str
    questions: tuple[Question, ...]


class Reference(NamedTuple):
    """All words on the card; suits as their lamps stand, buttons back, on, yes, no."""

    title: str
    bar: str
    suits: tuple[str, ...]
    sun: str
    moon: str
    buttons: tuple[str, ...]
    off: str
    chapters: tuple[Chapter, ...]
    notes: tuple[str, ...]


def draw_reference(words: Reference, paper: tuple[float, float], dpi: float) -> Iterator[Canvas]:
    """The card's pages."""
    yield _panel(words, paper, dpi)
    for chapter in words.chapters:
        yield _chapter(chapter, words.notes, paper, dpi)


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


EDGE, GAP, INSET = 12.0, 8.0, 7.0
HEAD, FOOT = 22.0, 6.0
ASKED, ANSWERED, RULE, NOTE = 3.7, 3.4, 2.9, 3.2
"""Sizes of a question, an option, a rule and a note."""
SCALES = [percent / 100 for percent in range(130, 55, -5)]
"""How much larger or smaller a page may be set so that it's filled and everything is on it."""


def _chapter(chapter: Chapter, notes: tuple[str, ...], paper: tuple[float, float], dpi: float) -> Canvas:
    """A game's questions in two columns, as even as they come."""
    canvas = Canvas(*paper, dpi)
    wide = paper[0] - 2 * EDGE
    column = (wide - 2 * INSET - GAP) / 2
    under = len(notes) * 5 + FOOT
    for scale in SCALES:
        heights = [_question(canvas, question, 0, 0, column, scale, is_drawn=False) for question in chapter.questions]
        split = min(range(len(heights) + 1), key=lambda at: max(sum(heights[:at]), sum(heights[at:])))
        tall = max(sum(heights[:split]), sum(heights[split:]))
        if HEAD + tall + under <= paper[1] - 2 * EDGE:
            break
    canvas.box(EDGE, EDGE, wide, HEAD + tall + under, CREAM, LINE, 0.6, 4)
    canvas.text(paper[0] / 2, EDGE + 10, chapter.title, 8, LINE)
    for n, part in enumerate((chapter.questions[:split], chapter.questions[split:])):
        y = EDGE + HEAD
        for question in part:
            y += _question(canvas, question, EDGE + INSET + n * (column + GAP), y, column, scale)
    for n, note in enumerate(notes):
        canvas.text(paper[0] / 2, EDGE + HEAD + tall + 3 + n * 5, note, NOTE, SOFT, widest=wide - 2 * INSET)
    return canvas


def _question(
    canvas: Canvas, question: Question, x: float, y: float, wide: float, scale: float, is_drawn: bool = True
) -> float:
    """A question with its options from a point on; gives the height."""
    start = y
    for line in _lines(canvas, question.text, ASKED * scale, wide):
        if is_drawn:
            canvas.text(x, y, line, ASKED * scale, LINE, anchor="lm")
        y += 4.6 * scale
    y += 0.8 * scale
    for number, answer in enumerate(question.answers, 1):
        if is_drawn and len(question.answers) > 1:
            canvas.disc(x + 2.5 * scale, y, 2.1 * scale, AMBER, LINE, 0.3)
            canvas.text(x + 2.5 * scale, y, str(number), 2.7 * scale, LINE)
        elif is_drawn:
            # A single option is skipped: its lights are those of what follows.
            for n in range(3):
                canvas.disc(x + (0.9 + n * 1.6) * scale, y, 0.8 * scale, AMBER, LINE, 0.2)
        y += _answer(canvas, answer, x + 7 * scale, y, wide - 7 * scale, scale, is_drawn)
    return y + 3.2 * scale - start


def _answer(
    canvas: Canvas, answer: Answer, x: float, y: float, wide: float, scale: float, is_drawn: bool
) -> float:  # fmt: skip
    """An option, its lamps and its rule, which has a line of its own where it must; gives the height."""
    lamps = 4.2 * scale * len(answer.lamps)
    label = min(canvas.width_of(answer.label, ANSWERED * scale), wide - lamps)
    beside = label + lamps + 3 * scale
    is_long = beside + canvas.width_of(answer.then, RULE * scale) > wide
    below = _lines(canvas, answer.then, RULE * scale, wide) if is_long and answer.then else []
    if is_drawn:
        canvas.text(x, y, answer.label, ANSWERED * scale, LINE, anchor="lm", widest=wide - lamps)
        for n, lamp in enumerate(answer.lamps):
            _lamp(canvas, lamp, x + label + (3.4 + n * 4.2) * scale, y, scale)
        if not is_long:
            canvas.text(x + beside, y, answer.then, RULE * scale, SOFT, anchor="lm")
        for n, line in enumerate(below):
            canvas.text(x, y + (4.4 + 4.0 * n) * scale, line, RULE * scale, SOFT, anchor="lm")
    return (5.2 + 4.0 * len(below)) * scale


def _lamp(canvas: Canvas, lamp: str, x: float, y: float, scale: float) -> None:
    if lamp in SKY:
        canvas.disc(x, y, 1.5 * scale, SKY[lamp], LINE, 0.3)
    else:
        suit_shape(canvas, lamp[0], x, y, 1.6 * scale, INKS[lamp[0]], DEEP[lamp[0]])


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
