"""Generated families of decks that aren't all of one kind: what tells two of their cards apart is one thing only.

Colour, a small number in the corner, how many pips, a sign, how a shape is filled; in many palettes, fonts, frames, on
light and dark paper. A seed is a style: the same kind with another seed is another deck.
"""

from __future__ import annotations

import colorsys
import itertools
from collections.abc import Callable, Iterator

import cv2
import numpy as np
from msgspec import Struct
from PIL import Image, ImageFont

from benchmarks.vision.scenes import Faces, Lying, Shot
from vision.art.canvas import Colour, around
from vision.art.picture import PictureCanvas
from vision.geometry import Picture
from vision.simulated import Conditions, LaidCard, Look, PinholeCamera, Scene, render
from vision.simulated.things import TABLES

SIZE = (63.0, 88.0)
FAMILY_DPI = 110
# What `benchmarks.vision.fit` fits on, and what it checks.
FITTED, CHECKED = ("numbers", "corners", "shading", "colours"), ("pips", "suits", "ranks", "symbols")
KINDS = FITTED + CHECKED
FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, -1, cv2.FONT_HERSHEY_PLAIN | cv2.FONT_ITALIC,
)  # fmt: skip
SHAPES = ("disc", "square", "diamond", "star", "triangle", "heart", "cross", "moon", "pill", "wave")


class FamilyStyle(Struct, frozen=True):
    """How a deck is drawn: its paper, inks, frame and font."""

    paper: Colour
    field: bool  # the ink covers the card, and what is drawn is as light as the paper
    inks: tuple[Colour, ...]
    frame: int
    margin: float
    font: int
    weight: float
    shapes: tuple[str, ...]


def style_of(random: np.random.Generator, inks: int) -> FamilyStyle:
    """A style by chance."""
    light = [(255, 255, 255), (250, 246, 232), (238, 238, 242), (255, 252, 245)]
    dark = [(18, 18, 22), (22, 28, 48), (40, 24, 22), (30, 44, 34)]
    is_dark = random.random() < 0.25
    papers = dark if is_dark else light
    start = random.uniform(0, 1)
    # Hues apart from each other, unevenly; bright ones on dark paper.
    hues = (start + (np.arange(inks) + random.uniform(-0.25, 0.25, inks)) / inks) % 1
    values = random.uniform(0.7, 1.0, inks) if is_dark else random.uniform(0.45, 0.85, inks)
    mixed = [colorsys.hsv_to_rgb(h, random.uniform(0.6, 1), v) for h, v in zip(hues, values, strict=True)]
    return FamilyStyle(
        papers[random.integers(len(papers))],
        bool(random.random() < 0.4),
        tuple((round(r * 255), round(g * 255), round(b * 255)) for r, g, b in mixed),
        int(random.integers(4)),
        float(random.uniform(2.5, 6)),
        int(random.integers(len(FONTS))),
        float(random.uniform(0.6, 1.5)),
        tuple(str(s) for s in random.permutation(SHAPES)),
    )


def deck(kind: str, seed: int) -> Faces:
    """A deck of one kind in the style of a seed."""
    random = np.random.default_rng([seed, sorted(KINDS).index(kind)])
    faces = MAKERS[kind](random)
    # So that what is enrolled, every other card, is a fair half.
    order = random.permutation(len(faces))
    return [faces[n] for n in order]


def _canvas(style: FamilyStyle, ink: Colour) -> tuple[PictureCanvas, Colour]:
    """A card with its frame, and the ink to draw on it."""
    sheet = PictureCanvas(*SIZE, FAMILY_DPI, style.paper)
    wide, tall, edge = *SIZE, style.margin
    if style.field:
        sheet.box(edge, edge, wide - 2 * edge, tall - 2 * edge, ink, round_=3)
        if style.frame % 2:
            sheet.disc(wide / 2, tall / 2, wide * 0.36, line=style.paper, thick=1.2, tall=1.35)
        return sheet, style.paper
    if style.frame:
        sheet.box(edge, edge, wide - 2 * edge, tall - 2 * edge, None, ink, 0.4 * style.frame, 3)
    return sheet, ink


def _write(sheet: PictureCanvas, style: FamilyStyle, text: str, x: float, y: float, size: float, ink: Colour) -> None:
    """A text around a point in the style's font, `size` millimetres high."""
    if FONTS[style.font] < 0:
        # Pillow's own font, which was there when the families were measured first.
        face, bold = (
            ImageFont.load_default(max(6, round(size * 1.35 * sheet.scale))),
            round(size * 1.35 * sheet.scale * 0.02),
        )
        at = (x * sheet.scale, y * sheet.scale)
        sheet.pen.text(at, text, fill=ink, font=face, anchor="mm", stroke_width=bold, stroke_fill=ink)
        return
    # OpenCV's stroke fonts are drawn on a mask and pasted.
    font, high = FONTS[style.font], max(8, round(size * sheet.scale))
    scale = cv2.getFontScaleFromHeight(font, high, 1)
    thick = max(1, round(high * 0.09 * style.weight))
    (wide, tall), _base = cv2.getTextSize(text, font, scale, thick)
    mask = np.zeros((tall + 4 * thick, wide + 4 * thick), np.uint8)
    cv2.putText(mask, text, (2 * thick, tall + 2 * thick), font, scale, 255, thick, cv2.LINE_AA)
    at = (round(x * sheet.scale - mask.shape[1] / 2), round(y * sheet.scale - mask.shape[0] / 2))
    sheet.image.paste(ink, (at[0], at[1], at[0] + mask.shape[1], at[1] + mask.shape[0]), Image.fromarray(mask))


def _both_ends(sheet: PictureCanvas, draw: Callable[[PictureCanvas], None]) -> None:
    """Draw something in a corner, and again in the opposite one, turned."""
    for _ in range(2):
        draw(sheet)
        sheet.turn()


def _outline(shape: str, x: float, y: float, size: float) -> list[tuple[float, float]]:
    turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    unit = {
        "disc": np.column_stack([np.cos(turn), np.sin(turn)]),
        "heart": np.column_stack(
            [np.sin(turn) ** 3, -(13 * np.cos(turn) - 5 * np.cos(2 * turn) - 2 * np.cos(3 * turn)) / 16]
        ),
        "pill": np.column_stack([1.5 * np.clip(1.3 * np.cos(turn), -1, 1), 0.6 * np.sin(turn)]),
        "wave": np.column_stack([1.4 * np.cos(turn), 0.5 * np.sin(turn) + 0.3 * np.sin(3 * np.cos(turn))]),
        "moon": np.concatenate(
            [
                np.column_stack([np.cos(turn[:30] + 0.8), np.sin(turn[:30] + 0.8)]),
                np.column_stack([0.35 + 0.75 * np.cos(turn[26::-1] + 1.1), 0.75 * np.sin(turn[26::-1] + 1.1) - 0.2]),
            ]
        ),
    }
    if shape in unit:
        return [(x + size * dx, y + size * dy) for dx, dy in unit[shape].tolist()]
    corners, spin, dent = {
        "square": (4, 45, 1.0), "diamond": (4, 0, 1.0), "star": (5, 0, 0.45), "triangle": (3, 0, 1.0),
        "cross": (4, 0, 0.35),
    }[shape]  # fmt: skip
    return around(x, y, size * 1.15, corners, spin, dent)


def _filled(sheet: PictureCanvas, shape: str, x: float, y: float, size: float, ink: Colour, fill: int) -> None:
    """A shape that is solid, open or striped."""
    spots = _outline(shape, x, y, size)
    sheet.shape(spots, ink if fill == 0 else None, ink, 0.8)
    if fill != 2:
        return
    around_it = np.array(spots) * sheet.scale
    for across in np.arange(around_it[:, 0].min(), around_it[:, 0].max(), 1.7 * sheet.scale):
        column = np.linspace(around_it[:, 1].min(), around_it[:, 1].max(), 80)
        inside = [
            cv2.pointPolygonTest(around_it.astype(np.float32), (float(across), float(y)), False) > 0 for y in column
        ]
        for run in np.split(np.arange(80), np.flatnonzero(np.diff(inside)) + 1):
            if inside[run[0]] and len(run) > 1:
                ends = [(across / sheet.scale, column[run[n]] / sheet.scale) for n in (0, -1)]
                sheet.path(ends, ink, 0.5)


def _numbers(random: np.random.Generator) -> Faces:
    """A few colours and ten numbers, large in the middle and small in two corners."""
    style, faces = style_of(random, int(random.integers(3, 6))), []
    for suit, number in itertools.product(range(len(style.inks)), range(int(random.integers(6, 11)))):
        sheet, ink = _canvas(style, style.inks[suit])
        _write(sheet, style, str(number), SIZE[0] / 2, SIZE[1] / 2, 26, ink)
        _both_ends(sheet, lambda c, ink=ink, n=number: _write(c, style, str(n), 13, 15, 8, ink))  # type: ignore[misc]
        faces.append((f"{suit}-{number}", "", sheet.picture()))
    return faces


def _corners(random: np.random.Generator) -> Faces:
    """One ornament; only a small number in the corners differs."""
    style, faces = style_of(random, 2), []
    for suit, number in itertools.product(range(2), range(1, 14)):
        sheet, ink = _canvas(style, style.inks[suit])
        for ring in range(3):
            _filled(sheet, style.shapes[ring], SIZE[0] / 2, SIZE[1] / 2, 18 - 5 * ring, ink, 1 + ring % 2)
        _both_ends(sheet, lambda c, ink=ink, n=number: _write(c, style, str(n), 12, 14, 8, ink))  # type: ignore[misc]
        faces.append((f"{suit}-{number}", "", sheet.picture()))
    return faces


def _shading(random: np.random.Generator) -> Faces:
    """Shape, colour, count and shading."""
    style, faces = style_of(random, 3), []
    style = FamilyStyle(style.paper, False, style.inks, 0, 0, style.font, style.weight, style.shapes)
    every = list(itertools.product(range(3), range(3), range(3), range(3)))
    for n in random.permutation(len(every))[:40]:
        shape, suit, count, fill = every[n]
        sheet, ink = _canvas(style, style.inks[suit])
        for at in range(count + 1):
            y = SIZE[1] / 2 + (at - count / 2) * 24
            _filled(sheet, style.shapes[shape], SIZE[0] / 2, y, 10, ink, fill)
        faces.append((f"{shape}{suit}{count}{fill}", "", sheet.picture()))
    return faces


def _places(count: int) -> list[tuple[float, float]]:
    """Where pips lie, as shares of the card."""
    columns = {1: [1], 2: [2], 3: [3], 4: [2, 2], 5: [2, 1, 2], 6: [3, 3], 7: [3, 1, 3], 8: [3, 2, 3], 9: [4, 1, 4]}
    across = columns.get(count, [4, 2, 4])
    return [((k + 1) / (len(across) + 1), (n + 1) / (many + 1)) for k, many in enumerate(across) for n in range(many)]


def _pips(random: np.random.Generator) -> Faces:
    """As many pips as the card is worth; with a small index or without."""
    style, faces = style_of(random, 2), []
    indexed = random.random() < 0.6
    for suit, count in itertools.product(range(3), range(1, 11)):
        sheet, ink = _canvas(style, style.inks[suit % 2])
        for x, y in _places(count):
            _filled(sheet, style.shapes[suit], 8 + x * (SIZE[0] - 16), 8 + y * (SIZE[1] - 16), 5, ink, 0)
        if indexed:
            _both_ends(sheet, lambda c, ink=ink, n=count: _write(c, style, str(n), 10, 11, 6, ink))  # type: ignore[misc]
        faces.append((f"{suit}-{count}", "", sheet.picture()))
    return faces


def _colours(random: np.random.Generator) -> Faces:
    """One drawing in many colours."""
    style, faces = style_of(random, int(random.integers(5, 8))), []
    for shape, suit in itertools.product(range(3), range(len(style.inks))):
        sheet, ink = _canvas(style, style.inks[suit])
        _filled(sheet, style.shapes[shape], SIZE[0] / 2, SIZE[1] / 2, 16, ink, 0)
        _both_ends(sheet, lambda c, ink=ink, n=shape: _filled(c, style.shapes[n], 13, 15, 4, ink, 0))  # type: ignore[misc]
        faces.append((f"{shape}-{suit}", "", sheet.picture()))
    return faces


def _suits(random: np.random.Generator) -> Faces:
    """A letter that all share, and one small sign."""
    style, faces = style_of(random, 2), []
    for rank, sign in itertools.product("AKQ", range(8)):
        sheet, ink = _canvas(style, style.inks[sign % 2])
        _write(sheet, style, rank, SIZE[0] / 2, SIZE[1] / 2, 22, ink)
        _both_ends(sheet, lambda c, ink=ink, n=sign: _filled(c, style.shapes[n], 13, 15, 4.5, ink, 0))  # type: ignore[misc]
        faces.append((f"{rank}-{sign}", "", sheet.picture()))
    return faces


def _ranks(random: np.random.Generator) -> Faces:
    """Numbers to twenty in colours, only in the middle."""
    style, faces = style_of(random, 4), []
    for suit, number in itertools.product(range(4), range(1, 21, 2)):
        sheet, ink = _canvas(style, style.inks[suit])
        _write(sheet, style, str(number + suit % 2), SIZE[0] / 2, SIZE[1] / 2, 20, ink)
        faces.append((f"{suit}-{number}", "", sheet.picture()))
    return faces


def _symbols(random: np.random.Generator) -> Faces:
    """One to three of a shape in a colour, across."""
    style, faces = style_of(random, 4), []
    for shape, suit, count in itertools.product(range(3), range(4), range(3)):
        sheet, ink = _canvas(style, style.inks[suit])
        fill = int(random.integers(3))
        for at in range(count + 1):
            x = SIZE[0] / 2 + (at - count / 2) * 15
            _filled(sheet, style.shapes[shape], x, SIZE[1] / 2, 5.5, ink, fill)
        faces.append((f"{shape}{suit}{count}", "", sheet.picture()))
    return faces


MAKERS: dict[str, Callable[[np.random.Generator], Faces]] = {
    "numbers": _numbers, "corners": _corners, "shading": _shading, "pips": _pips, "colours": _colours,
    "suits": _suits, "ranks": _ranks, "symbols": _symbols,
}  # fmt: skip


class Development(Struct, frozen=True):
    """How a camera makes colours of what it sees: its tint, how strong it makes colours, its tone curve.

    `turned` is by how many degrees hues are turned: one wave around the circle of hues, another of half its length, as
    height and place of each. A phone's olive is a webcam's teal.
    """

    tint: tuple[float, float, float]
    saturation: float
    turned: tuple[float, float, float, float]
    gamma: float


def development(random: np.random.Generator, strength: float = 1.0) -> Development:
    """A camera by chance; a smaller strength is a better one."""
    warm, green = random.normal(0, 0.1 * strength), random.normal(0, 0.03 * strength)
    return Development(
        (float(np.exp(-warm)), float(np.exp(green)), float(np.exp(warm))),
        float(np.exp(random.normal(0.05, 0.2 * strength))),
        (
            *(float(random.normal(0, 14 * strength)), float(random.uniform(0, 2 * np.pi))),
            *(float(random.normal(0, 14 * strength)), float(random.uniform(0, 2 * np.pi))),
        ),
        float(np.exp(random.normal(0, 0.15 * strength))),
    )


def developed(picture: Picture, how: Development) -> Picture:
    """A picture as a camera gives it."""
    tones = (np.arange(256) / 255.0) ** how.gamma * 255
    toned = cv2.LUT(picture, np.clip(tones, 0, 255).astype(np.uint8)).astype(np.float32) * how.tint
    lab = cv2.cvtColor(np.clip(toned / 255, 0, 1).astype(np.float32), cv2.COLOR_BGR2Lab)
    one, first, two, second = how.turned
    hues = np.arange(361) * np.pi / 180
    turn = np.radians(one * np.sin(hues + first) + two * np.sin(2 * hues + second))
    strong, angle = cv2.cartToPolar(lab[:, :, 1], lab[:, :, 2])
    angle = angle + turn[(angle * (180 / np.pi)).astype(np.int32)].astype(np.float32)
    lab[:, :, 1], lab[:, :, 2] = cv2.polarToCart(strong * np.float32(how.saturation), angle)
    return np.clip(cv2.cvtColor(lab, cv2.COLOR_Lab2BGR) * 255, 0, 255).astype(np.uint8)


def photographed(faces: Faces, random: np.random.Generator) -> Faces:
    """The same faces as reference photos: each a little otherwise lit, cut and sharp."""
    camera, taken = development(random), []
    for card, face, picture in faces:
        own = development(random, 0.4)
        tall, wide = picture.shape[:2]
        corners = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], np.float32)
        cut = corners + random.normal(0, 0.007 * wide, (4, 2)).astype(np.float32)
        warped = cv2.warpPerspective(
            picture, cv2.getPerspectiveTransform(cut, corners), (wide, tall), borderMode=cv2.BORDER_REPLICATE
        )
        soft = cv2.GaussianBlur(warped, (0, 0), float(random.uniform(0.4, 1.5)))
        lit = np.clip(developed(developed(soft, camera), own) * random.uniform(0.6, 1.0), 0, 255)
        taken.append((card, face, np.asarray(lit, np.uint8)))
    return taken


def shots(faces: Faces, enrolled: set[str], count: int, seed: int, width: float = 1.0) -> Iterator[Shot]:
    """Pictures of cards that lie about, in many lights; those that aren't enrolled are strangers.

    `width` is how large cards look: at 1 they're 125 to 145 pixels wide, as a table of 600 mm is at 1280x960.
    """
    looks = {(card, face): Look(picture, *SIZE) for card, face, picture in faces}
    keys = list(looks)
    for number in range(count):
        random = np.random.default_rng([seed, number])
        order = random.permutation(len(keys))
        cards = []
        for place in range(10):
            key = keys[order[place % len(order)]]
            x, y = 65 + place % 5 * 117 + random.uniform(-9, 9), 110 + place // 5 * 225 + random.uniform(-50, 50)
            cards.append(LaidCard(key[0], float(x), float(y), float(random.uniform(0, 360)), key[1]))
        conditions = Conditions(
            light=float(random.uniform(0.35, 1.1)), warmth=float(max(0, random.normal(0.1, 0.25))),
            shade=float(random.uniform(0, 0.4)), glare=int(random.random() < 0.2), blur=float(random.uniform(0.4, 1.2)),
            noise=float(random.uniform(1, 3)), jpeg=int(random.integers(60, 96)),
        )  # fmt: skip
        camera = PinholeCamera(
            tilt=float(random.uniform(0, 28)), around=float(random.uniform(-40, 40)), bulge=-0.02,
            fill=float(random.uniform(0.85, 1.05)) * width,
        )  # fmt: skip
        table = TABLES[number % len(TABLES)]
        shot = render(Scene(tuple(cards)), looks, camera, conditions, table, seed=seed * 100 + number)
        lying = tuple(
            Lying(t.laid.card if t.laid.card in enrolled else "", t.laid.face, t.corners, t.visible) for t in shot.cards
        )
        yield Shot(f"{seed}-{number}", developed(shot.picture, development(random)), lying)
