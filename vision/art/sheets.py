"""Puts cards, markers, mats and the panel's reference card on paper: PDF pages with cut marks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import cv2
import numpy as np
from msgspec import Struct

from companion.text import N_
from vision.art import draw_card
from vision.art.canvas import Canvas, Colour
from vision.art.kit import CardArt, DeckArt, seeded
from vision.art.pdf import write_pdf
from vision.art.reference import LINE, Reference, draw_reference
from vision.calibration import BOARD, DICTIONARY, MARKER_SIDE
from vision.errors import VisionError
from vision.geometry import Picture
from vision.tokens import TOKEN_WIDTH, draw_token
from vision.zones import Layout

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
DPI = 300
MARGIN = 9.0


class Prints(Struct, frozen=True):
    """What the games bring to print: their decks by name, the mats of their tables, the panel's reference card."""

    decks: Mapping[str, DeckArt]
    mats: Mapping[str, Layout]
    words: Callable[[], Reference]
    tokens: Mapping[str, Mapping[int, str]] = {}

    @property
    def things(self) -> list[str]:
        """What can be printed."""
        mats, tokens = (f"mat-{game}" for game in sorted(self.mats)), (f"tokens-{game}" for game in sorted(self.tokens))
        return [*self.decks, "markers", "board", "panel", *mats, *tokens]


def print_pdf(what: str, paper: str, target: Path, prints: Prints) -> int:
    """Write a PDF; returns its number of pages."""
    if paper not in PAPERS:
        raise VisionError(N_("no paper {paper}; there are {known}"), paper=paper, known=", ".join(PAPERS))
    if what not in prints.things:
        known = ", ".join(prints.things)
        raise VisionError(N_("there is no {what} to print; there are {known}"), what=what, known=known)
    size = PAPERS[paper]
    if what in prints.decks:
        pages = _deck_pages(prints.decks[what], size)
    elif what == "markers":
        pages = iter([_markers(size)])
    elif what == "board":
        pages = iter([_board(size)])
    elif what == "panel":
        pages = (_enlarged(page, size) for page in draw_reference(prints.words(), size, DPI / 2))
    elif what.startswith("tokens-"):
        pages = iter([_tokens(prints.tokens[what.removeprefix("tokens-")], size)])
    else:
        game = what.removeprefix("mat-")
        pages = _mat(prints.mats[game], game, size)
    try:
        return write_pdf(target, pages, DPI, f"Hush: {what}")
    except OSError as error:
        raise VisionError(N_("{path} can't be written: {error}"), path=target, error=error) from None


def _pixels(mm: float) -> int:
    return round(mm * DPI / 25.4)


def _enlarged(canvas: Canvas, paper: tuple[float, float]) -> Picture:
    """A page that was drawn coarser than it's printed."""
    size = _pixels(paper[0]), _pixels(paper[1])
    return np.asarray(cv2.resize(canvas.picture(), size, interpolation=cv2.INTER_CUBIC), np.uint8)


def _deck_pages(deck: DeckArt, paper: tuple[float, float]) -> Iterator[Picture]:
    arts, size = deck.cards(), deck.size
    singles = [art for art in arts if not art.face for _ in range(art.copies)]
    pairs = two_sided(arts)
    columns = int((paper[0] - 2 * MARGIN) // size[0])
    rows = int((paper[1] - 2 * MARGIN) // size[1])
    drawn: dict[tuple[str, str], Picture] = {}

    def picture(art: CardArt) -> Picture:
        if (art.card, art.face) not in drawn:
            drawn[art.card, art.face] = draw_card(art, size, DPI)
        return drawn[art.card, art.face]

    for start in range(0, len(singles), columns * rows):
        yield _page([picture(a) for a in singles[start : start + columns * rows]], size, paper, columns, rows)
        drawn.clear()
    for start in range(0, len(pairs), columns * rows):
        part = pairs[start : start + columns * rows]
        yield _page([picture(pair[0]) for pair in part], size, paper, columns, rows)
        # Backs are mirrored, so that they meet their fronts when the sheet is turned over its long edge.
        yield _page([picture(pair[1]) for pair in part], size, paper, columns, rows, mirrored=True)
        drawn.clear()


def two_sided(arts: list[CardArt]) -> list[tuple[CardArt, CardArt]]:
    """The cards with two sides, as they come on the sheets: shuffled, so that a card's place tells nothing of it."""
    sides: dict[str, list[CardArt]] = {}
    for art in arts:
        if art.face:
            sides.setdefault(art.card, []).append(art)
    pairs = [(sides[art.front][0], art) for art in arts if art.front]
    pairs += [(both[0], both[1]) for both in sides.values() if len(both) == 2]
    order = seeded("the order on the sheets").permutation(len(pairs))
    return [pairs[number] for number in order]


def _page(
    cards: list[Picture], size: tuple[float, float], paper: tuple[float, float], columns: int, rows: int,
    mirrored: bool = False,
) -> Picture:  # fmt: skip
    sheet = np.full((_pixels(paper[1]), _pixels(paper[0]), 3), 255, np.uint8)
    left, top = (paper[0] - columns * size[0]) / 2, (paper[1] - rows * size[1]) / 2
    for number, card in enumerate(cards):
        column, row = number % columns, number // columns
        if mirrored:
            column = columns - 1 - column
        x, y = _pixels(left + column * size[0]), _pixels(top + row * size[1])
        sheet[y : y + card.shape[0], x : x + card.shape[1]] = card
    for column in range(columns + 1):
        x = _pixels(left + column * size[0])
        _mark(sheet, x, _pixels(top), True)
        _mark(sheet, x, _pixels(top + rows * size[1]), True)
    for row in range(rows + 1):
        y = _pixels(top + row * size[1])
        _mark(sheet, _pixels(left), y, False)
        _mark(sheet, _pixels(left + columns * size[0]), y, False)
    return sheet


def _mark(sheet: Picture, x: int, y: int, upright: bool) -> None:
    """A cut mark outside the cards, on the side of the nearer paper edge."""
    long, gap = _pixels(5), _pixels(1)
    if upright:
        first, last = (y - gap - long, y - gap) if y < sheet.shape[0] / 2 else (y + gap, y + gap + long)
        cv2.line(sheet, (x, first), (x, last), (0, 0, 0), 2)
    else:
        first, last = (x - gap - long, x - gap) if x < sheet.shape[1] / 2 else (x + gap, x + gap + long)
        cv2.line(sheet, (first, y), (last, y), (0, 0, 0), 2)


def marker(number: int, dpi: float = DPI) -> Picture:
    """A corner marker, as large as the calibration expects."""
    side = round(MARKER_SIDE * dpi / 25.4)
    return np.asarray(cv2.aruco.generateImageMarker(DICTIONARY, number, side), np.uint8)


def _markers(paper: tuple[float, float]) -> Picture:
    canvas = Canvas(*paper, DPI / 2)
    canvas.text(paper[0] / 2, 18, "Table corners", 9, LINE)
    names = ("upper left", "upper right", "lower right", "lower left")
    places = []
    for number, name in enumerate(names):
        x, y = 30 + (number % 2) * 85, 40 + (number // 2) * 95
        canvas.box(x - 8, y - 8, MARKER_SIDE + 16, MARKER_SIDE + 16, None, (190, 190, 190), 0.3)
        canvas.text(x + MARKER_SIDE / 2, y + MARKER_SIDE + 14, name, 6, LINE)
        canvas.shape(_arrow(number, x, y), LINE)
        places.append((x, y))
    canvas.text(paper[0] / 2, 225, "Cut along the grey lines, lay one in each corner, upright.", 5, LINE)
    canvas.text(paper[0] / 2, 233, "The small triangle points to the table's corner.", 5, LINE)
    page = _enlarged(canvas, paper)
    for number, (x, y) in enumerate(places):
        image = cv2.cvtColor(marker(number), cv2.COLOR_GRAY2BGR)
        px, py = _pixels(x), _pixels(y)
        page[py : py + image.shape[0], px : px + image.shape[1]] = image
    return page


def _tokens(tokens: Mapping[int, str], paper: tuple[float, float]) -> Picture:
    """A game's tokens, two of each, with their names below."""
    canvas = Canvas(*paper, DPI / 2)
    pitch, pieces = TOKEN_WIDTH + 8, [one for one in tokens.items() for _ in range(2)]
    across = int((paper[0] - 2 * MARGIN) // pitch)
    places = [(MARGIN + 4 + pitch * (at % across), 16 + (pitch + 6) * (at // across)) for at in range(len(pieces))]
    for (x, y), (_number, name) in zip(places, pieces, strict=True):
        canvas.text(x + TOKEN_WIDTH / 2, y + TOKEN_WIDTH + 4, name, 4, LINE)
    page = _enlarged(canvas, paper)
    for (x, y), (number, _name) in zip(places, pieces, strict=True):
        image = draw_token(number, DPI / 25.4)
        px, py = _pixels(x), _pixels(y)
        page[py : py + image.shape[0], px : px + image.shape[1]] = image
    return page


def _board(paper: tuple[float, float]) -> Picture:
    """The chessboard with markers by which a lens is learnt."""
    canvas = Canvas(*paper, DPI / 2)
    canvas.text(paper[0] / 2, 14, "Lens board: show it flat, whole or in part, from several sides", 5, LINE)
    page = _enlarged(canvas, paper)
    across, down = BOARD.getChessboardSize()
    size = _pixels(across * BOARD.getSquareLength()), _pixels(down * BOARD.getSquareLength())
    image = cv2.cvtColor(BOARD.generateImage(size), cv2.COLOR_GRAY2BGR)
    left, top = (page.shape[1] - size[0]) // 2, _pixels(20)
    page[top : top + size[1], left : left + size[0]] = image
    return page


def _arrow(number: int, x: float, y: float) -> list[tuple[float, float]]:
    """A small triangle just outside the marker's own outer corner."""
    right, low = number in (1, 2), number in (2, 3)
    cx = x + MARKER_SIDE + 2 if right else x - 2
    cy = y + MARKER_SIDE + 2 if low else y - 2
    dx, dy = (4 if right else -4), (4 if low else -4)
    return [(cx + dx, cy + dy), (cx + dx, cy - dy * 0.2), (cx - dx * 0.2, cy + dy)]


def _enlarged_piece(drawing: Picture, far: tuple[int, int], left: int, top: int, wide: int, tall: int) -> Picture:
    """A piece of a drawing as it would be cut from the whole, enlarged to `far`; the whole would take much memory."""
    by = drawing.shape[1] / far[0], drawing.shape[0] / far[1]
    shift = (left + 0.5) * by[0] - 0.5, (top + 0.5) * by[1] - 0.5
    way = np.array([[by[0], 0, shift[0]], [0, by[1], shift[1]]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(drawing, way, (wide, tall), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _mat_corners(piece: Picture, far: tuple[int, int], left: int, top: int) -> None:
    """The corner markers of a mat, as far as they are on this piece, each with a rim of white paper."""
    side, quiet = _pixels(MARKER_SIDE), _pixels(4)
    for number, (x, y) in enumerate(((0, 0), (far[0] - side, 0), (far[0] - side, far[1] - side), (0, far[1] - side))):
        image = cv2.copyMakeBorder(
            cv2.cvtColor(marker(number), cv2.COLOR_GRAY2BGR),
            quiet,
            quiet,
            quiet,
            quiet,
            cv2.BORDER_CONSTANT,
            value=(255, 255, 255),
        )
        x, y = x - quiet - left, y - quiet - top
        first, last = max(0, y), min(piece.shape[0], y + image.shape[0])
        begin, end = max(0, x), min(piece.shape[1], x + image.shape[1])
        if first < last and begin < end:
            piece[first:last, begin:end] = image[first - y : last - y, begin - x : end - x]


def _mat(layout: Layout, game: str, paper: tuple[float, float]) -> Iterator[Picture]:
    """A mat at full size, on as many landscape sheets as it takes, with marks to glue it by."""
    canvas = Canvas(layout.width, layout.height, DPI / 6, (246, 243, 236))
    tints: list[Colour] = [(222, 232, 238), (236, 226, 214), (226, 236, 220), (238, 222, 226)]
    for number, zone in enumerate(layout.zone):
        canvas.box(zone.x, zone.y, zone.width, zone.height, tints[number % 4], (130, 124, 120), 0.8, 4)
        canvas.text(zone.x + zone.width / 2, zone.y + 7, zone.name, 8, (110, 104, 100), widest=zone.width - 6)
    canvas.box(0.5, 0.5, layout.width - 1, layout.height - 1, None, (130, 124, 120), 1.0, 6)
    canvas.text(layout.width / 2, layout.height - 8, game.title(), 9, (150, 144, 140))
    drawing, far = canvas.picture(), (_pixels(layout.width), _pixels(layout.height))
    del canvas
    wide, tall = _pixels(paper[1] - 2 * MARGIN), _pixels(paper[0] - 2 * MARGIN)
    for row in range(math.ceil(far[1] / tall)):
        for column in range(math.ceil(far[0] / wide)):
            left, top = column * wide, row * tall
            page = np.full((_pixels(paper[0]), _pixels(paper[1]), 3), 255, np.uint8)
            edge = _pixels(MARGIN)
            piece = page[edge : edge + min(tall, far[1] - top), edge : edge + min(wide, far[0] - left)]
            piece[:] = _enlarged_piece(drawing, far, left, top, piece.shape[1], piece.shape[0])
            _mat_corners(piece, far, left, top)
            for x in (edge, edge + piece.shape[1]):
                for y in (edge, edge + piece.shape[0]):
                    cv2.drawMarker(page, (x, y), (0, 0, 0), cv2.MARKER_CROSS, _pixels(6), 2)
            cv2.putText(
                page,
                f"{game} {row + 1}-{column + 1}",
                (edge, edge - 20),
                0,
                1.2,
                (90, 90, 90),
                2,
                cv2.LINE_AA,
            )
            yield page
            del page, piece
