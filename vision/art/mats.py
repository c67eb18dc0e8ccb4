"""The mat of a game's table at full size: zones in their colours with words, places for cards and tokens, markers.

On many sheets to be glued together, or on one page for a copy shop. The zones are those that the eye uses.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

import cv2
from msgspec import Struct

from companion.text import N_
from vision.art.canvas import WHITE, Canvas, Colour, Spot, mixed
from vision.art.kit import Translate
from vision.art.paper import Page, PaperCanvas
from vision.art.patterns import DEEP, suit_shape
from vision.calibration import DICTIONARY, MARKER_SIDE
from vision.tokens import TOKEN_WIDTH
from vision.zones import Layout, Zone

SHEET_EDGE = 5.0
"""What every printer leaves white around a sheet, in millimetres."""
RIM = 8.0
"""White paper around a mat on one page: a marker at the very edge of the paper isn't found on a dark table."""
HEAD = 26.0
"""The top of a mat, with its name and where the camera stands."""
CAPTION_HEIGHT = 6.0
"""Free above and below the cards of a zone: words there are read while cards lie in it."""
LIKE_A_CARD = 1.7
"""A zone less than so many times as large as a card isn't drawn as a rectangle, lest the eye take it for one."""
GREY: Colour = (120, 114, 110)
INK: Colour = (70, 66, 70)


class ZoneArt(Struct, frozen=True):
    """How a zone looks: its words, its ink, a shape or number of its own, places for cards and tokens.

    Places are middles in millimetres from the zone's corner. A zone that is `turned` faces the other side of the table.
    """

    label: str
    ink: Colour = GREY
    shape: str = ""
    number: int = 0
    cards: tuple[Spot, ...] = ()
    tokens: tuple[tuple[float, float, str], ...] = ()
    notes: tuple[tuple[float, float, str], ...] = ()
    turned: bool = False


class Mat(NamedTuple):
    """A game's mat: what it's called, its zones, how they look, and the size of the cards."""

    title: str
    layout: Layout
    zones: Mapping[str, ZoneArt]
    card: tuple[float, float]


def mat_pages(mat: Mat, paper: tuple[float, float], translate: Translate) -> Iterator[Page]:
    """A mat on as few sheets as it takes, all used alike, row by row."""
    page, columns, rows = sheets_for(mat.layout, paper)
    wide, high = mat.layout.width / columns, mat.layout.height / rows
    for row in range(rows):
        for column in range(columns):
            part = SheetPart(column, row, columns, rows, wide, high)
            yield Page(page, partial(_sheet, mat, part, translate))


def mat_poster(mat: Mat, translate: Translate) -> Iterator[Page]:
    """A mat on one page, with a white rim."""
    size = mat.layout.width + 2 * RIM, mat.layout.height + 2 * RIM

    def draw(canvas: PaperCanvas) -> None:
        canvas.stamp("mat", partial(draw_mat, mat, translate), RIM, RIM, (mat.layout.width, mat.layout.height))

    yield Page(size, draw)


def sheets_for(layout: Layout, paper: tuple[float, float]) -> tuple[tuple[float, float], int, int]:
    """The paper upright or across, and how many sheets beside and below each other."""

    def counted(wide: float, high: float) -> tuple[tuple[float, float], int, int]:
        inner = wide - 2 * SHEET_EDGE, high - 2 * SHEET_EDGE
        return (wide, high), math.ceil(layout.width / inner[0]), math.ceil(layout.height / inner[1])

    return min(counted(*paper), counted(*reversed(paper)), key=lambda way: way[1] * way[2])


class SheetPart(NamedTuple):
    """One sheet's part of a mat."""

    column: int
    row: int
    columns: int
    rows: int
    wide: float
    high: float


def _sheet(mat: Mat, part: SheetPart, translate: Translate, canvas: PaperCanvas) -> None:
    left, top = (canvas.width - part.wide) / 2, (canvas.height - part.high) / 2
    size = mat.layout.width, mat.layout.height
    with canvas.clipped(left, top, part.wide, part.high):
        place = left - part.column * part.wide, top - part.row * part.high
        canvas.stamp("mat", partial(draw_mat, mat, translate), *place, size)
    low = top + part.high
    # What is cut off lies on the neighbour's white edge. The mat's own outer edge stays, white around its markers.
    if part.column:
        canvas.path([(left, 0), (left, canvas.height)], GREY, 0.15)
    if part.row:
        canvas.path([(0, top), (canvas.width, top)], GREY, 0.15)
    _fits(canvas, part, left, top)
    number = part.row * part.columns + part.column + 1
    words = f"{mat.title} {number}/{part.columns * part.rows}"
    cut = {(True, True): CUT_BOTH, (True, False): CUT_LEFT, (False, True): CUT_TOP}.get(
        (bool(part.column), bool(part.row))
    )
    told = f"{words} · {translate(cut) if cut else translate(GLUE)}"
    y = low + (canvas.height - low) * 0.55
    canvas.text(canvas.width / 2, y, told, 2.6, GREY, widest=part.wide - 40, weight="Regular")
    _plan(canvas, part, left + 6, y)


def _fits(canvas: Canvas, part: SheetPart, left: float, top: float) -> None:
    """Short lines in the white edges that a neighbour is laid over: it ends where they begin."""
    right, low = left + part.wide, top + part.high
    if part.column < part.columns - 1:
        for y in (top, low):
            canvas.path([(right + 0.5, y), (right + 4, y)], (0, 0, 0), 0.15)
    if part.row < part.rows - 1:
        for x in (left, right):
            canvas.path([(x, low + 0.5), (x, low + 4)], (0, 0, 0), 0.15)


GLUE = N_("lay the next sheets over the white edges on the right and below")
CUT_LEFT = N_("cut along the line on the left and glue this sheet over its neighbour's edge")
CUT_TOP = N_("cut along the line at the top and glue this sheet over its neighbour's edge")
CUT_BOTH = N_("cut along the lines on the left and at the top and glue this sheet over its neighbours' edges")
ASKING = N_("put me on an open card: what does it do?")
CAMERA = N_("camera: straight above the middle of the mat, so high that it sees all four markers")


def _plan(canvas: Canvas, part: SheetPart, x: float, y: float) -> None:
    """A small plan of all sheets with this one filled."""
    for row in range(part.rows):
        for column in range(part.columns):
            is_this = (column, row) == (part.column, part.row)
            at = x + column * 2.2, y - part.rows * 0.75 + row * 1.5
            canvas.box(*at, 2.2, 1.5, GREY if is_this else None, GREY, 0.12)


def draw_mat(mat: Mat, translate: Translate, canvas: PaperCanvas) -> None:
    """The whole mat."""
    wide, high = mat.layout.width, mat.layout.height
    for zone in mat.layout.zone:
        art = mat.zones.get(zone.name) or ZoneArt(zone.name.replace("-", " "))
        name, size = f"zone-{zone.name}", (zone.width, zone.height)
        draw = partial(_zone, zone, art, mat.card, translate)
        canvas.stamp(name, draw, zone.x, zone.y, size, turned=art.turned)
    _head(mat, translate, canvas)
    _ask(mat.layout, translate, canvas)
    for number, (x, y) in enumerate(
        ((0.0, 0.0), (wide - MARKER_SIDE, 0.0), (wide - MARKER_SIDE, high - MARKER_SIDE), (0.0, high - MARKER_SIDE))
    ):
        draw_marker(canvas, number, x, y)


def draw_marker(canvas: PaperCanvas, number: int, x: float, y: float) -> None:
    """A corner marker, as large as the calibration expects, with white around it."""
    cells = DICTIONARY.markerSize + 2
    canvas.box(x - 4, y - 4, MARKER_SIDE + 8, MARKER_SIDE + 8, WHITE)
    canvas.cells(cv2.aruco.generateImageMarker(DICTIONARY, number, cells), x, y, MARKER_SIDE)


def _head(mat: Mat, translate: Translate, canvas: Canvas) -> None:
    """The game's name, where the camera stands, and the middles of the edges."""
    wide, high = mat.layout.width, mat.layout.height
    canvas.text(46, 15, mat.title, 13, INK, "lm", weight="Bold")
    words = translate(CAMERA)
    long = canvas.width_of(words, 6, "Regular")
    draw_camera(canvas, wide - 54 - long - 12, 15)
    canvas.text(wide - 54, 15, words, 6, INK, "rm", weight="Regular")
    # Lines from these ticks cross under the lens.
    for x, y, dx, dy in (
        (wide / 2, 0.0, 0, 6),
        (wide / 2, high, 0, -6),
        (0.0, high / 2, 6, 0),
        (wide, high / 2, -6, 0),
    ):
        canvas.path([(x, y), (x + dx, y + dy)], INK, 0.8)


def ask_place(layout: Layout) -> Spot | None:
    """Where the ask token rests: outside all zones, as far from them as can be; None where a mat is full."""
    half = TOKEN_WIDTH / 2 + 2
    low, corner = layout.height - half - SHEET_EDGE, MARKER_SIDE + 4 + half
    found: list[tuple[float, Spot]] = []
    for x in range(math.ceil(half + SHEET_EDGE), int(layout.width - half - SHEET_EDGE) + 1, 2):
        for y in range(math.ceil(half + HEAD), int(low) + 1, 2):
            is_corner = min(x, layout.width - x) < corner and min(y, layout.height - y) < corner
            gap = min(math.dist((x, y), nearest(zone, x, y)) for zone in layout.zone)
            if gap >= half and not is_corner:
                found.append((gap, (x, y)))
    return max(found)[1] if found else None


def nearest(zone: Zone, x: float, y: float) -> Spot:
    """The point of a zone that is nearest to another one."""
    return min(max(x, zone.x), zone.x + zone.width), min(max(y, zone.y), zone.y + zone.height)


def _ask(layout: Layout, translate: Translate, canvas: Canvas) -> None:
    place = ask_place(layout)
    if place is None:
        return
    x, y = place
    canvas.disc(x, y, TOKEN_WIDTH / 2 + 1, WHITE, GREY, 0.5)
    canvas.text(x, y - 9, "?", 9, GREY, weight="Black")
    canvas.paragraph(x, y, translate(ASKING), 3.4, GREY, TOKEN_WIDTH - 8, "m", "Semibold")


def draw_camera(canvas: Canvas, x: float, y: float) -> None:
    """A camera from above: a body and a lens."""
    canvas.box(x - 6, y - 4, 12, 8, INK, round_=1.5)
    canvas.disc(x, y, 2.8, WHITE)
    canvas.disc(x, y, 1.7, INK)


def _zone(zone: Zone, art: ZoneArt, card: tuple[float, float], translate: Translate, canvas: Canvas) -> None:
    pale, line, dark = mixed(art.ink, WHITE, 0.86), mixed(art.ink, WHITE, 0.35), mixed(art.ink, INK, 0.5)
    is_small = zone.width < LIKE_A_CARD * card[0] and zone.height < LIKE_A_CARD * card[1]
    if is_small:
        canvas.disc(zone.width / 2, zone.height / 2, zone.width / 2, pale, tall=zone.height / zone.width)
        _corners(canvas, zone.width / 2, zone.height / 2, (zone.width - 1, zone.height - 1), line, 0.8)
    else:
        canvas.box(0, 0, zone.width, zone.height, pale, line, 0.8, 4)
    for x, y in art.cards:
        _corners(canvas, x, y, card, mixed(art.ink, WHITE, 0.45))
    for x, y, words in art.tokens:
        canvas.disc(x, y, TOKEN_WIDTH / 2 + 1, WHITE, line, 0.5)
        canvas.paragraph(x, y - 3, translate(words), 5, line, TOKEN_WIDTH - 4, "m", "Semibold")
    for x, y, words in art.notes:
        canvas.text(x, y, translate(words), 4, dark, widest=zone.width - 6, weight="Regular")
    if art.number:
        canvas.text(zone.width - 12, zone.height - 13, str(art.number), 22, line, weight="Black")
    words = translate(art.label)
    label, middle = words[:1].upper() + words[1:], CAPTION_HEIGHT / 2 + 0.6
    if is_small:
        # Between the corners.
        canvas.text(zone.width / 2, middle, label, 5, dark, widest=zone.width - 14)
        return
    left = 4.0
    if art.shape:
        suit_shape(canvas, art.shape, left + 2, middle, 2, art.ink, DEEP.get(art.shape, INK))
        left += 6
    canvas.text(left, middle, label, 5, dark, "lm", zone.width - left - 3)


def _corners(
    canvas: Canvas, x: float, y: float, card: tuple[float, float], ink: Colour, thick: float = 0.4
) -> None:  # fmt: skip
    """A place for a card, by its corners alone: a whole outline would look like a card to the eye."""
    wide, high, long = card[0] / 2, card[1] / 2, 5.0
    for dx in (-1, 1):
        for dy in (-1, 1):
            corner = x + dx * wide, y + dy * high
            canvas.path([(corner[0] - dx * long, corner[1]), corner, (corner[0], corner[1] - dy * long)], ink, thick)
