"""How a generated deck looks: paper, inks, frame, fonts, and the shapes that are drawn on it.

Lengths are pixels of a card 128 wide, or shares of its width.
"""

from __future__ import annotations

import colorsys
import subprocess
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from msgspec import Struct
from PIL import Image, ImageDraw, ImageFont

from benchmarks.vision.training import Random
from vision.art.canvas import Colour, Spot, around, mixed
from vision.art.picture import PictureCanvas
from vision.geometry import Picture

DRAWN_WIDTH = 128
# How much larger than that a card is drawn and kept.
DRAWN, KEPT = 3, 2
# Decks on dark paper.
DARK_PAPER_SHARE = 0.4
ASPECTS = (1.38, 1.397, 1.4, 1.45, 1.55, 1.29)
LIGHT_PAPERS: tuple[Colour, ...] = (
    (255, 255, 255), (250, 246, 232), (238, 238, 242), (255, 252, 245), (225, 220, 205),
)  # fmt: skip
DARK_PAPERS: tuple[Colour, ...] = (
    (18, 18, 22), (22, 28, 48), (40, 24, 22), (30, 44, 34), (60, 60, 64), (20, 50, 70),
)  # fmt: skip
BLACK_INK, WHITE_INK = (30, 30, 34), (235, 235, 235)
# How many corners, by how many degrees turned, and how far every other corner lies inwards.
POLYGONS = {
    "square": (4, 45, 1.0), "diamond": (4, 0, 1.0), "star": (5, 0, 0.42), "triangle": (3, 0, 1.0),
    "cross": (4, 0, 0.35), "hexagon": (6, 90, 1.0), "snowflake": (6, 90, 0.5), "gear": (8, 0, 0.7),
}  # fmt: skip
SHAPES = ("disc", "heart", "pill", "wave", "flower", *POLYGONS)
FILLS = ("solid", "open", "striped", "pale", "dotted", "aslant")
# How thick a stripe is, of how far stripes are apart.
STROKE = 0.42
# Parts of the names of fonts without ordinary letters, or with all letters as wide.
UNUSUAL = ("Math", "Mono-", "Symbol", "Emoji", "Dingbat", "D050", "Icon", "Fraktur", "Braille")


class ShapePen(Struct, frozen=True):
    """How shapes are drawn: the thickness of their outline, how far stripes are apart, and which way these run.

    `stretch` is how much wider a shape is than usual.
    """

    thick: float = 1.6
    pitch: float = 3.4
    is_across: bool = False
    pale: Colour = (255, 255, 255)
    stretch: float = 1.0


PEN = ShapePen()


class Style(Struct, frozen=True):
    """How all cards of a deck are drawn."""

    tall: int
    paper: Colour
    is_dark: bool
    inks: tuple[Colour, ...]
    is_field: bool  # the ink covers the card, and what is drawn is as light as the paper
    frame: int
    margin: float
    second: Colour
    fonts: tuple[str, str]  # of what is large, and of what is small
    shapes: tuple[str, ...]
    pen: ShapePen

    def in_corner(self, ink: Colour) -> Colour:
        """The ink of what stands in a corner."""
        return self.paper if self.is_field else ink


@lru_cache(maxsize=1)
def fonts() -> tuple[str, ...]:
    """The files of this machine's fonts that have English letters."""
    try:
        listed = subprocess.run(["fc-list", ":lang=en", "file"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(
            "decks are drawn with this machine's fonts, and fc-list (fontconfig) doesn't list them"
        ) from error
    files = {line.split(":")[0] for line in listed.splitlines() if not any(part in line for part in UNUSUAL)}
    found = tuple(sorted(file for file in files if file.endswith((".ttf", ".otf"))))
    if not found:
        raise SystemExit("decks are drawn with this machine's fonts, and fc-list (fontconfig) finds none")
    return found


def ink_of(random: Random, is_dark: bool, hue: float | None = None) -> Colour:
    """An ink by chance; bright ones on dark paper."""
    hue = float(random.random()) if hue is None else hue
    strong = random.uniform(0.55, 1)
    red, green, blue = colorsys.hsv_to_rgb(hue, strong, random.uniform(0.7, 1) if is_dark else random.uniform(0.4, 0.9))
    return int(255 * red), int(255 * green), int(255 * blue)


def inks_of(random: Random, count: int, is_dark: bool) -> tuple[Colour, ...]:
    """Inks of hues apart from each other, unevenly; in a quarter of the decks one is black or white."""
    start = random.random()
    inks = [ink_of(random, is_dark, (start + (n + random.uniform(-0.25, 0.25)) / count) % 1) for n in range(count)]
    if random.random() < 0.25:
        inks[random.integers(count)] = WHITE_INK if is_dark else BLACK_INK
    return tuple(inks)


def style_of(random: Random, inks: int) -> Style:
    """A style by chance."""
    tall = round(DRAWN_WIDTH * random.choice(ASPECTS))
    is_dark = bool(random.random() < DARK_PAPER_SHARE)
    papers = DARK_PAPERS if is_dark else LIGHT_PAPERS
    paper = papers[random.integers(len(papers))]
    mixed_inks = inks_of(random, inks, is_dark)
    is_field, frame, margin = bool(random.random() < 0.45), int(random.integers(6)), float(random.uniform(2, 11))
    second, files = ink_of(random, is_dark), fonts()
    large, small = files[random.integers(len(files))], files[random.integers(len(files))]
    shapes = tuple(str(shape) for shape in random.permutation(SHAPES))
    pitch, is_across, thick = random.uniform(2.6, 5), bool(random.random() < 0.4), random.uniform(1, 2.6)
    pen = ShapePen(float(thick), float(pitch), is_across)
    return Style(tall, paper, is_dark, mixed_inks, is_field, frame, margin, second, (large, small), shapes, pen)


def sheet_of(style: Style, ink: Colour) -> tuple[PictureCanvas, Colour]:
    """A card with its field or its frame, and the ink to draw on it with."""
    sheet = PictureCanvas(DRAWN_WIDTH, style.tall, 25.4 * DRAWN / 2, style.paper)
    return sheet, (_field if style.is_field else _framed)(sheet, style, ink)


def _field(sheet: PictureCanvas, style: Style, ink: Colour) -> Colour:
    wide, tall, edge, paper = DRAWN_WIDTH, style.tall, style.margin, style.paper
    sheet.box(edge, edge, wide - 2 * edge, tall - 2 * edge, ink, round_=5)
    if style.frame == 1:
        sheet.disc(wide / 2, tall / 2, wide * 0.36, None, paper, 2.5, tall / wide)
    elif style.frame == 2:
        sheet.disc(wide / 2, tall / 2, wide * 0.36, paper, tall=tall / wide)
    elif style.frame == 3:
        inner = edge + 5
        sheet.box(inner, inner, wide - 2 * inner, tall - 2 * inner, None, mixed(ink, paper, 0.6), 1.5, 4)
    elif style.frame == 4:
        spots = [(0.15, 0.6), (0.3, 0.12), (0.85, 0.4), (0.7, 0.88)]
        sheet.shape([(x * wide, y * tall) for x, y in spots], paper)
    elif style.frame == 5:
        sheet.box(edge + 8, tall * 0.25, wide - 2 * edge - 16, tall / 2, mixed((0, 0, 0), ink, 0.7), round_=6)
    return ink if style.frame in (2, 4) else paper


def _framed(sheet: PictureCanvas, style: Style, ink: Colour) -> Colour:
    wide, tall, edge = DRAWN_WIDTH, style.tall, style.margin
    if style.frame == 4:
        for top in (0.0, 0.84):
            sheet.box(0, top * tall, wide, 0.16 * tall, ink)
    elif style.frame in (1, 2, 3):
        line, thick, rounded = {1: (ink, 1.5, 4), 2: (style.second, 2.5, 0), 3: (ink, 4.0, 6)}[style.frame]
        sheet.box(edge, edge, wide - 2 * edge, tall - 2 * edge, None, line, thick, rounded)
    return ink


def face_of(sheet: PictureCanvas) -> Picture:
    """The finished card as BGR bytes."""
    small = sheet.image.resize((DRAWN_WIDTH * KEPT, round(sheet.height * KEPT)), Image.Resampling.LANCZOS)
    return np.ascontiguousarray(np.asarray(small, np.uint8)[:, :, ::-1])


def outline(shape: str, x: float, y: float, size: float) -> list[Spot]:
    """A shape's outline around a point."""
    if shape in POLYGONS:
        return around(x, y, size * 1.15, *POLYGONS[shape])
    turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    across, down = np.cos(turn), np.sin(turn)
    if shape == "heart":
        across = down**3
        down = -(13 * np.cos(turn) - 5 * np.cos(2 * turn) - 2 * np.cos(3 * turn) - np.cos(4 * turn)) / 16
    elif shape == "pill":
        across, down = 1.5 * np.clip(1.3 * across, -1, 1), 0.6 * down
    elif shape == "wave":
        across, down = 1.4 * across, 0.5 * down + 0.3 * np.sin(3 * across)
    elif shape == "flower":
        petals = 0.55 + 0.45 * np.cos(5 * turn)
        across, down = across * petals, down * petals
    return [(x + size * dx, y + size * dy) for dx, dy in zip(across.tolist(), down.tolist(), strict=True)]


def draw(
    sheet: PictureCanvas,
    shape: str,
    x: float,
    y: float,
    size: float,
    ink: Colour,
    fill: str = "solid",
    pen: ShapePen = PEN,
) -> None:
    """A shape that is filled as one of `FILLS`."""
    spots = [(x + (across - x) * pen.stretch, down) for across, down in outline(shape, x, y, size)]
    if fill in HATCHES:
        inside, marks = Image.new("L", sheet.image.size), Image.new("L", sheet.image.size)
        ImageDraw.Draw(inside).polygon([(a * sheet.scale, b * sheet.scale) for a, b in spots], fill=255)
        HATCHES[fill](ImageDraw.Draw(marks), (x, y), 2 * size * pen.stretch, pen, sheet.scale)
        sheet.image.paste(ink, (0, 0), Image.fromarray(np.minimum(np.asarray(inside), np.asarray(marks))))
    sheet.shape(spots, {"solid": ink, "pale": pen.pale}.get(fill), ink, pen.thick)


def _stripe(marks: ImageDraw.ImageDraw, middle: Spot, reach: float, pen: ShapePen, scale: float) -> None:
    x, y = middle
    for away in np.arange(-reach, reach, pen.pitch):
        if pen.is_across:
            ends = [(x - reach, y + away), (x + reach, y + away)]
        else:
            ends = [(x + away, y - reach), (x + away, y + reach)]
        _line(marks, ends, STROKE * pen.pitch, scale)


def _stripe_aslant(marks: ImageDraw.ImageDraw, middle: Spot, reach: float, pen: ShapePen, scale: float) -> None:
    (x, y), pitch = middle, 1.2 * pen.pitch
    for away in np.arange(-reach, reach, pitch):
        _line(marks, [(x - reach, y + away - reach), (x + reach, y + away + reach)], STROKE * pitch, scale)


def _dot(marks: ImageDraw.ImageDraw, middle: Spot, reach: float, pen: ShapePen, scale: float) -> None:
    (x, y), pitch = middle, 1.3 * pen.pitch
    radius = 0.28 * pitch
    for row, down in enumerate(np.arange(y - reach, y + reach, pitch)):
        for right in np.arange(x - reach + row % 2 * pitch / 2, x + reach, pitch):
            around = (right - radius, down - radius, right + radius, down + radius)
            marks.ellipse([float(edge) * scale for edge in around], fill=255)


def _line(marks: ImageDraw.ImageDraw, ends: list[Spot], thick: float, scale: float) -> None:
    marks.line([(x * scale, y * scale) for x, y in ends], fill=255, width=max(1, int(thick * scale)))


# What fills a shape about its middle as far as a reach.
HATCHES: dict[str, Callable[[ImageDraw.ImageDraw, Spot, float, ShapePen, float], None]] = {
    "striped": _stripe, "aslant": _stripe_aslant, "dotted": _dot,
}  # fmt: skip


def write(
    sheet: PictureCanvas, text: str, x: float, y: float, size: float, ink: Colour, font: str,
    halo: Colour | None = None, widest: float = DRAWN_WIDTH,
) -> None:  # fmt: skip
    """A text around a point, `size` high; smaller where it would be wider than `widest`."""
    for _ in range(6):
        face = _font(font, max(6, int(size * sheet.scale * 1.35)))
        left, _top, right, _bottom = sheet.pen.textbbox((0, 0), text, font=face, anchor="mm")
        if right - left <= widest * sheet.scale:
            break
        size *= 0.85
    stroke = int(size * sheet.scale * 0.06) if halo else 0
    at = (x * sheet.scale, y * sheet.scale)
    sheet.pen.text(at, text, fill=ink, font=face, anchor="mm", stroke_width=stroke, stroke_fill=halo)


@lru_cache(maxsize=64)
def _font(file: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(file, size)


def ornament(sheet: PictureCanvas, style: Style, ink: Colour, seed: int) -> None:
    """Lines, rings or shapes behind what tells cards apart, or none; the same seed gives the same ones."""
    random, tall = np.random.default_rng(seed), style.tall
    kind = random.integers(4)
    if kind == 0:
        for _ in range(6):
            x, y = random.uniform(0.1, 0.9) * DRAWN_WIDTH, random.uniform(0.1, 0.9) * tall
            ends = [(x, y), (DRAWN_WIDTH - x, tall - y)]
            sheet.path(ends, mixed(style.paper, ink, 0.35), float(random.uniform(0.5, 3)))
    elif kind == 1:
        for _ in range(5):
            wide, high, thick = random.uniform(8, 60), random.uniform(8, 80), float(random.uniform(0.6, 2))
            sheet.disc(DRAWN_WIDTH / 2, tall / 2, wide, None, mixed(style.paper, ink, 0.4), thick, high / wide)
    elif kind == 2:
        for _ in range(12):
            shape, x = SHAPES[random.integers(len(SHAPES))], random.uniform(0.1, 0.9) * DRAWN_WIDTH
            y, size = random.uniform(0.1, 0.9) * tall, random.uniform(3, 12)
            faint = mixed(style.paper, ink, random.uniform(0.2, 0.6))
            draw(sheet, shape, x, y, size, faint, FILLS[random.integers(2)])
