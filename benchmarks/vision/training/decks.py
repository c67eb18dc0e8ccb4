"""Generated decks of eight kinds: what tells two of their cards apart is one thing only. A seed is a style."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
from msgspec.structs import replace
from PIL import Image

from benchmarks.vision.training import Random
from benchmarks.vision.training.style import (
    BLACK_INK,
    DRAWN_WIDTH,
    FILLS,
    KEPT,
    SHAPES,
    ShapePen,
    Style,
    draw,
    face_of,
    ink_of,
    ornament,
    sheet_of,
    style_of,
    write,
)
from vision.art.canvas import Colour, Spot, mixed
from vision.art.picture import SMOOTH, PictureCanvas
from vision.geometry import Picture

Deck = list[Picture]
SEEDS = 1 << 30
# How many pips each column of a card has.
COLUMNS = (
    (1,), (2,), (3,), (2, 2), (2, 1, 2), (3, 3), (3, 1, 3), (3, 2, 3), (4, 1, 4), (4, 2, 4),
)  # fmt: skip
RANKS = ("A", *(str(number) for number in range(2, 11)), "J", "Q", "K")
LETTERS = "abcdefghijklmnoprstuv"


def deck(kind: str, seed: int) -> Deck:
    """The faces of a deck of one kind, all of one size; the same seed gives the same deck."""
    return KINDS[kind](np.random.default_rng([seed, list(KINDS).index(kind)]))


def printings(seed: int, faces: Deck) -> tuple[Deck, Deck]:
    """A deck in two languages: the same cards, each with a caption in one place, in other words."""
    random = np.random.default_rng([seed, len(KINDS)])
    style, tall = style_of(random, 1), faces[0].shape[0] / KEPT
    at, size = float(random.choice([0.06, 0.09, 0.91, 0.94])) * tall, float(random.uniform(0.05, 0.1)) * DRAWN_WIDTH
    wide, is_in_box = float(random.uniform(0.45, 0.8)) * DRAWN_WIDTH, bool(random.random() < 0.6)
    font, ink = style.fonts[0], (240, 240, 240) if style.is_dark else (20, 20, 20)

    def captioned(face: Picture) -> Picture:
        sheet = PictureCanvas(DRAWN_WIDTH, tall, 25.4 * KEPT / SMOOTH)
        sheet.image.paste(Image.fromarray(np.ascontiguousarray(face[:, :, ::-1])))
        if is_in_box:
            sheet.box((DRAWN_WIDTH - wide) / 2, at - size, wide, 2 * size, style.paper)
        word = "".join(random.choice(list(LETTERS), int(random.integers(4, 12))))
        write(sheet, word, DRAWN_WIDTH / 2, at, size, ink, font, None if is_in_box else style.paper, 0.9 * wide)
        return np.ascontiguousarray(np.asarray(sheet.image, np.uint8)[:, :, ::-1])

    return [captioned(face) for face in faces], [captioned(face) for face in faces]


def _write_corners(
    sheet: PictureCanvas, style: Style, text: str, size: float, ink: Colour, font: str, at: Spot = (0.13, 0.15)
) -> None:
    """A text in two opposite corners, `at` being its place as shares of the card's width."""
    for _ in range(2):
        write(
            sheet,
            text,
            style.margin + DRAWN_WIDTH * at[0],
            style.margin + DRAWN_WIDTH * at[1],
            size * DRAWN_WIDTH,
            ink,
            font,
        )
        sheet.turn()


def _draw_corners(
    sheet: PictureCanvas, style: Style, shape: str, size: float, ink: Colour, at: Spot = (0.13, 0.15)
) -> None:
    """A shape in two opposite corners."""
    for _ in range(2):
        draw(
            sheet,
            shape,
            style.margin + DRAWN_WIDTH * at[0],
            style.margin + DRAWN_WIDTH * at[1],
            size * DRAWN_WIDTH,
            ink,
        )
        sheet.turn()


def _numbers(random: Random) -> Deck:
    """A few colours and numbers: large in the middle, small in two corners, or only one of both."""
    style, count = style_of(random, int(random.integers(3, 6))), int(random.integers(6, 14))
    large, small, where = random.uniform(0.22, 0.5), random.uniform(0.07, 0.13), random.integers(4)
    halo = style.second if random.random() < 0.3 else None
    behind = int(random.integers(SEEDS)) if random.random() < 0.4 else None
    drop = (float(random.uniform(-3, 3)), float(random.uniform(0, 3))) if random.random() < 0.3 else None
    lowest, faces = int(random.integers(3)), []
    for suit, number in itertools.product(style.inks, range(count)):
        (sheet, ink), text = sheet_of(style, suit), str(lowest + number)
        if behind is not None:
            ornament(sheet, style, ink, behind)
        if drop is not None and where != 3:
            x, y = DRAWN_WIDTH / 2 + drop[0], style.tall / 2 + drop[1]
            write(sheet, text, x, y, large * DRAWN_WIDTH, BLACK_INK, style.fonts[0], BLACK_INK, DRAWN_WIDTH * 0.7)
        if where == 3:
            draw(sheet, style.shapes[0], DRAWN_WIDTH / 2, style.tall / 2, DRAWN_WIDTH * 0.22, ink)
        else:
            write(
                sheet,
                text,
                DRAWN_WIDTH / 2,
                style.tall / 2,
                large * DRAWN_WIDTH,
                ink,
                style.fonts[0],
                halo,
                DRAWN_WIDTH * 0.7,
            )
        if where != 1:
            _write_corners(sheet, style, text, small, style.in_corner(ink), style.fonts[1], (0.12, 0.14))
        faces.append(face_of(sheet))
    return faces


def _corners(random: Random) -> Deck:
    """One ornament; only a small number in the corners differs."""
    style, faces = style_of(random, 3), []
    behind, small = int(random.integers(SEEDS)), random.uniform(0.08, 0.15)
    for suit, number in itertools.product(style.inks, range(1, 14)):
        sheet, ink = sheet_of(style, suit)
        ornament(sheet, style, ink, behind)
        for ring in range(3):
            size, fill = (0.3 - 0.08 * ring) * DRAWN_WIDTH, FILLS[1 + ring % 2]
            draw(
                sheet,
                style.shapes[ring],
                DRAWN_WIDTH / 2,
                style.tall / 2,
                size,
                ink,
                fill,
                ShapePen(pitch=style.pen.pitch),
            )
        _write_corners(sheet, style, str(number), small, style.in_corner(ink), style.fonts[0])
        faces.append(face_of(sheet))
    return faces


def _shading(random: Random) -> Deck:
    """Shape, colour, count and how the shape is filled: 45 cards of such a deck."""
    style = style_of(random, 3)
    style = replace(style, is_field=False, frame=int(random.choice([0, 0, 0, 1])))
    spread = random.uniform(0.24, 0.36)
    size, is_across, is_square = random.uniform(0.33, 0.55) * spread, random.random() < 0.3, random.random() < 0.3
    stretch = float(random.uniform(0.6, 0.9) if is_across or is_square else random.uniform(1, 2.2))
    fills = [FILLS[0], *(str(fill) for fill in random.permutation(FILLS[1:])[:2])]
    every, faces = list(itertools.product(style.shapes[:3], style.inks, (1, 2, 3, 4), fills)), []
    every = [card for card in every if card[2] < 4 or is_square]
    for n in random.permutation(len(every))[:45]:
        shape, suit, count, fill = every[n]
        sheet, ink = sheet_of(style, suit)
        steps = np.arange(count) - (count - 1) / 2
        spots = itertools.product((-0.5, 0.5), repeat=2) if count == 4 else ((0, step) for step in steps)
        for aside, along in spots:
            across, down = (0.8 * along, aside) if is_across and count < 4 else (0.8 * aside, 1.15 * along)
            x, y = DRAWN_WIDTH * (0.5 + across * spread), style.tall / 2 + down * spread * DRAWN_WIDTH
            pen = replace(_pale(style, ink), stretch=stretch)
            draw(sheet, shape, x, y, size * DRAWN_WIDTH, ink, fill, pen)
        faces.append(face_of(sheet))
    return faces


def _pale(style: Style, ink: Colour) -> ShapePen:
    return replace(style.pen, pale=mixed(style.paper, ink, 0.35))


def _emblem(random: Random) -> Deck:
    """Each suit has an emblem, each rank a small number in two or in all four corners."""
    style, count = style_of(random, int(random.integers(3, 6))), int(random.integers(8, 14))
    large, small = random.uniform(0.12, 0.34), random.uniform(0.055, 0.12)
    x, y, far = random.uniform(0.07, 0.15), random.uniform(0.08, 0.17), 1 - 2 * style.margin / DRAWN_WIDTH
    corners = [x, far - x] if random.random() < 0.4 else [x]
    has_sign, fill = random.random() < 0.4, FILLS[random.integers(len(FILLS))]
    behind, faces = int(random.integers(SEEDS)) if random.random() < 0.5 else None, []
    for (suit, shape), number in itertools.product(zip(style.inks, style.shapes, strict=False), range(1, count + 1)):
        sheet, ink = sheet_of(style, suit)
        if behind is not None:
            ornament(sheet, style, ink, behind)
        draw(sheet, shape, DRAWN_WIDTH / 2, style.tall / 2, large * DRAWN_WIDTH, ink, fill, _pale(style, ink))
        for across in corners:
            _write_corners(sheet, style, str(number), small, style.in_corner(ink), style.fonts[0], (across, y))
        if has_sign:
            _draw_corners(sheet, style, shape, small * 0.5, style.in_corner(ink), (x, y + 1.5 * small))
        faces.append(face_of(sheet))
    return faces


def _colours(random: Random) -> Deck:
    """Four drawings in many colours."""
    style, faces = style_of(random, int(random.integers(4, 8))), []
    for shape, suit in itertools.product(style.shapes[:4], style.inks):
        sheet, ink = sheet_of(style, suit)
        draw(sheet, shape, DRAWN_WIDTH / 2, style.tall / 2, DRAWN_WIDTH * 0.26, ink)
        _draw_corners(sheet, style, shape, 0.07, style.in_corner(ink))
        faces.append(face_of(sheet))
    return faces


def _pips(random: Random) -> Deck:
    """Four suits in two colours: as many pips as a card is worth, courts, and an index in most decks."""
    style, faces = style_of(random, 2), []
    has_index, behind = random.random() < 0.7, int(random.integers(SEEDS))
    for suit, worth in itertools.product(range(4), range(1, 14)):
        shape = style.shapes[suit]
        sheet, ink = sheet_of(style, style.inks[suit % 2])
        if worth <= 10:
            columns = COLUMNS[worth - 1]
            for column, many in enumerate(columns, 1):
                x = DRAWN_WIDTH * (0.14 + 0.72 * column / (len(columns) + 1))
                for row in range(1, many + 1):
                    draw(sheet, shape, x, style.tall * (0.1 + 0.8 * row / (many + 1)), DRAWN_WIDTH * 0.08, ink)
        else:
            for _ in range(2):
                ornament(sheet, style, mixed(style.second, ink, 0.5), behind + worth * 7 + suit)
                sheet.turn()
        if has_index:
            corner = style.in_corner(ink)
            _write_corners(sheet, style, RANKS[worth - 1], 0.085, corner, style.fonts[0], (0.08, 0.09))
            _draw_corners(sheet, style, shape, 0.035, corner, (0.08, 0.21))
        faces.append(face_of(sheet))
    return faces


def _suits(random: Random) -> Deck:
    """A large letter that all suits share, and one small sign."""
    style, faces = style_of(random, 2), []
    small = random.uniform(0.05, 0.09)
    for rank, suit in itertools.product("AKQ7", range(8)):
        sheet, ink = sheet_of(style, style.inks[suit % 2])
        write(
            sheet,
            rank,
            DRAWN_WIDTH / 2,
            style.tall / 2,
            DRAWN_WIDTH * 0.33,
            ink,
            style.fonts[0],
            None,
            DRAWN_WIDTH * 0.7,
        )
        _draw_corners(sheet, style, style.shapes[suit], small, style.in_corner(ink))
        faces.append(face_of(sheet))
    return faces


def _titles(random: Random) -> Deck:
    """Thirty pictures of many shapes with a title, in one frame."""
    style, faces = style_of(random, 2), []
    title_ink = (240, 240, 240) if style.is_dark else (20, 20, 20)
    tall = style.tall
    for number in range(30):
        sheet, _ink = sheet_of(style, style.inks[number % 2])
        own = np.random.default_rng(random.integers(SEEDS))
        for _ in range(int(own.integers(10, 40))):
            shape, x = SHAPES[own.integers(len(SHAPES))], own.uniform(0.12, 0.88) * DRAWN_WIDTH
            y, size = own.uniform(0.12, 0.75) * tall, own.uniform(3, 26)
            ink = ink_of(own, bool(own.random() < 0.5))
            draw(sheet, shape, x, y, size, ink, FILLS[own.integers(3)], ShapePen(float(own.uniform(1, 3))))
        sheet.box(DRAWN_WIDTH * 0.12, tall * 0.82, DRAWN_WIDTH * 0.76, tall * 0.11, style.paper, style.second, 1)
        title = "".join(own.choice(list(LETTERS), int(own.integers(4, 9))))
        write(
            sheet,
            title,
            DRAWN_WIDTH / 2,
            tall * 0.875,
            DRAWN_WIDTH * 0.07,
            title_ink,
            style.fonts[0],
            None,
            DRAWN_WIDTH * 0.7,
        )
        faces.append(face_of(sheet))
    return faces


KINDS: dict[str, Callable[[Random], Deck]] = {
    "numbers": _numbers, "corners": _corners, "shading": _shading, "colours": _colours, "pips": _pips,
    "suits": _suits, "titles": _titles, "emblem": _emblem,
}  # fmt: skip
