"""What lies on the table beside cards: the four markers, tokens, and the board by which a lens is learnt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import cv2
import numpy as np
import segno
from msgspec import Struct

from companion.text import N_
from vision.art.canvas import WHITE, Canvas
from vision.art.kit import Translate
from vision.art.mats import INK, draw_marker
from vision.art.paper import Page, PaperCanvas
from vision.art.patterns import suit_shape
from vision.calibration import BOARD, DICTIONARY, MARKER_SIDE
from vision.tokens import TOKEN_SIDE, TOKEN_WIDTH

Size = tuple[float, float]
PIECES_EDGE = 8.0
CORNERS = N_("Table corners")
CORNERS_HOW = N_("Cut along the grey lines. Lay them in the table's corners, the triangles outwards.")
ADDRESS_HOW = N_(
    "Point your phone's camera here, or type the address. The phone must be in the same Wi-Fi as the box. Then knock, "
    "and hold ✔ on the box when both show the same lights; or type the code that the box shows or says."
)
WIFI_HOW = N_(
    "The box opens this Wi-Fi where it knows no other. Point your phone's camera here, or choose it by hand, then open "
    "{address}. Keep this card with the box: whoever has it can set the box up."
)
BOARD_HOW = N_("Lens board: show it flat, whole or in part, from several sides.")
TOKENS_HOW = N_("Cut along the circles. There are two of each, in case one gets lost.")


class TokenArt(Struct, frozen=True):
    """What people read on a token: a word, and the shape of a suit if it has one."""

    label: str
    shape: str = ""


def markers_page(paper: Size, translate: Translate) -> Iterator[Page]:
    """The four table corners, as they'll lie."""

    def draw(canvas: PaperCanvas) -> None:
        canvas.text(paper[0] / 2, 18, translate(CORNERS), 9, INK, weight="Bold")
        canvas.paragraph(paper[0] / 2, 25, translate(CORNERS_HOW), 4.6, INK, paper[0] - 40, "m")
        for number, (x, y) in enumerate(
            ((35.0, 60.0), (paper[0] - 65, 60.0), (paper[0] - 65, 170.0), (35.0, 170.0))
        ):  # fmt: skip
            canvas.box(x - 12, y - 12, MARKER_SIDE + 24, MARKER_SIDE + 24, None, (170, 170, 170), 0.2)
            draw_marker(canvas, number, x, y)
            canvas.shape(_arrow(number, x, y), INK)

    yield Page(paper, draw)


def _arrow(number: int, x: float, y: float) -> list[Size]:
    """A small triangle just outside the marker's own outer corner."""
    right, low = number in (1, 2), number in (2, 3)
    cx = x + MARKER_SIDE + 4 if right else x - 4
    cy = y + MARKER_SIDE + 4 if low else y - 4
    dx, dy = (4 if right else -4), (4 if low else -4)
    return [(cx + dx, cy + dy), (cx + dx, cy - dy * 0.2), (cx - dx * 0.2, cy + dy)]


def address_page(address: str, paper: Size, translate: Translate) -> Iterator[Page]:
    """Two cards with the page's address, as words and as a QR code."""
    cells = segno.make(address, error="m").matrix_iter(border=0)
    code = np.array([[0 if cell else 255 for cell in line] for line in cells])

    def draw(canvas: PaperCanvas) -> None:
        for top in (20.0, paper[1] / 2 + 10):
            left, wide, high = (paper[0] - 148) / 2, 148.0, 105.0
            canvas.box(left, top, wide, high, None, (170, 170, 170), 0.2)
            canvas.text(left + 8, top + 14, "Hush", 10, INK, "lm", weight="Bold")
            canvas.text(left + 8, top + 26, address, 5.6, INK, "lm", widest=wide - 16)
            canvas.paragraph(left + 8, top + 38, translate(ADDRESS_HOW), 4.6, INK, wide - 74)
            canvas.cells(code, left + wide - 62, top + high - 62, 54)

    yield Page(paper, draw)


class WifiCard(Struct, frozen=True):
    """A network for phones to join: name, password, both in one as cameras read them, and where the page is then."""

    name: str
    password: str
    code: str
    address: str


def wifi_page(card: WifiCard, paper: Size, translate: Translate) -> Iterator[Page]:
    """A card with the box's own Wi-Fi."""
    cells = segno.make(card.code, error="m").matrix_iter(border=0)
    code = np.array([[0 if cell else 255 for cell in line] for line in cells])

    def draw(canvas: PaperCanvas) -> None:
        left, top, wide, high = (paper[0] - 148) / 2, 20.0, 148.0, 105.0
        canvas.box(left, top, wide, high, None, (170, 170, 170), 0.2)
        canvas.text(left + 8, top + 14, "Hush · Wi-Fi", 10, INK, "lm", weight="Bold")
        canvas.text(left + 8, top + 26, card.name, 7, INK, "lm", widest=wide - 16)
        canvas.text(left + 8, top + 36, card.password, 7, INK, "lm", widest=wide - 16)
        canvas.paragraph(left + 8, top + 47, translate(WIFI_HOW).format(address=card.address), 4.6, INK, wide - 74)
        canvas.cells(code, left + wide - 62, top + high - 62, 54)

    yield Page(paper, draw)


def board_page(paper: Size, translate: Translate) -> Iterator[Page]:
    """The chessboard with markers by which a lens is learnt."""
    across, down = BOARD.getChessboardSize()
    square = BOARD.getSquareLength()
    # As many pixels a square as its marker has cells, times what makes both whole numbers.
    cell = 11 * 8
    picture = BOARD.generateImage((across * cell, down * cell))

    def draw(canvas: PaperCanvas) -> None:
        canvas.text(paper[0] / 2, 12, translate(BOARD_HOW), 5, INK, widest=paper[0] - 20)
        left, top = (paper[0] - across * square) / 2, (paper[1] - down * square) / 2 + 5
        canvas.cells(picture, left, top, across * square)

    yield Page(paper, draw)


def token_pages(
    tokens: Mapping[int, str], words: Mapping[str, TokenArt], paper: Size, translate: Translate
) -> Iterator[Page]:
    """A game's tokens, two of each."""

    def draw(canvas: PaperCanvas) -> None:
        canvas.text(paper[0] / 2, 13, translate(TOKENS_HOW), 5, INK, widest=paper[0] - 20)
        pitch, pieces = TOKEN_WIDTH + 6, [one for one in tokens.items() for _ in range(2)]
        across = int((paper[0] - 2 * PIECES_EDGE) // pitch)
        left = (paper[0] - across * pitch + 6) / 2
        for at, (number, name) in enumerate(pieces):
            x, y = left + pitch * (at % across), 22 + pitch * (at // across)
            size = (TOKEN_WIDTH, TOKEN_WIDTH)
            canvas.stamp(f"token-{number}", partial(draw_token, number, words[name], translate), x, y, size)

    yield Page(paper, draw)


def draw_token(number: int, art: TokenArt, translate: Translate, canvas: PaperCanvas) -> None:
    """A token: the marker on a white disc; its words stay away from the marker, which needs white around it."""
    middle = TOKEN_WIDTH / 2
    canvas.disc(middle, middle, middle, WHITE, (150, 150, 150), 0.25)
    at = (TOKEN_WIDTH - TOKEN_SIDE) / 2
    cells = DICTIONARY.markerSize + 2
    canvas.cells(cv2.aruco.generateImageMarker(DICTIONARY, number, cells), at, at, TOKEN_SIDE)
    canvas.text(middle, TOKEN_WIDTH - 3, translate(art.label), 2.9, INK, widest=15)
    if art.shape:
        _suit(canvas, art.shape, middle, 3)


def _suit(canvas: Canvas, shape: str, x: float, y: float) -> None:
    suit_shape(canvas, shape, x, y, 1.9, (120, 116, 120), INK)
