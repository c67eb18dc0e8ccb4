"""Decks on sheets: as many cards as fit, with cut marks, and each sheet's back right behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from vision.art.kit import CardArt, DeckArt, Drawing, Translate, seeded, side_name
from vision.art.paper import Page, PaperCanvas

Size = tuple[float, float]
MARGIN = 7.0
"""What printers leave white at the edge, and room for cut marks, in millimetres."""
BLEED = 1.5
"""How far a back goes beyond the outermost cards, so that a sheet that was turned a little askew has no white edge."""


READABLE = 0.3
"""So much of the ink of a face can be saved that the eye, which knows it by its colours, still reads it."""


class Side(NamedTuple):
    """One side of a card on a sheet: a name that is its own, how it's drawn, and whether the eye reads it."""

    name: str
    draw: Drawing
    is_face: bool = True

    def stamp(self, canvas: PaperCanvas, x: float, y: float, size: Size) -> None:
        """Draw it at a place."""
        canvas.stamp(self.name, self.draw, x, y, size, saving=READABLE if self.is_face else 1.0)


class Grid(NamedTuple):
    """How cards lie on a sheet."""

    paper: Size
    card: Size
    columns: int
    rows: int

    @classmethod
    def on(cls, paper: Size, card: Size) -> Grid:
        """As many as fit."""
        columns, rows = (int((paper[n] - 2 * MARGIN) // card[n]) for n in (0, 1))
        return cls(paper, card, columns, rows)

    @property
    def left(self) -> float:
        """Where the first column begins."""
        return (self.paper[0] - self.columns * self.card[0]) / 2

    @property
    def top(self) -> float:
        """Where the first row begins."""
        return (self.paper[1] - self.rows * self.card[1]) / 2

    def place(self, number: int, is_back: bool) -> Size:
        """Where a card lies; backs are mirrored, to meet their fronts when the sheet is turned over its long edge."""
        row, column = divmod(number, self.columns)
        if is_back:
            column = self.columns - 1 - column
        return self.left + column * self.card[0], self.top + row * self.card[1]


def deck_pages(deck: DeckArt, paper: Size, translate: Translate, fronts_only: bool = False) -> Iterator[Page]:
    """Sheet after sheet, each followed by its back, or by a blank page where it has none.

    `fronts_only` is for printing on one side: without the backs that all cards share and without blank pages. The cards
    with two sides of their own have both, on two sheets.
    """
    arts, grid = deck.cards(translate), Grid.on(paper, deck.size)
    back = Side(f"{deck.name}-back", deck.back, is_face=False) if deck.back is not None and not fronts_only else None
    pairs = [(side(art), back) for art in arts if not art.face for _ in range(art.copies)]
    for sheet in (*_sheets(pairs, grid), *_sheets([(side(a), side(b)) for a, b in two_sided(arts)], grid)):
        yield Page(paper, partial(_draw, grid, [front for front, _back in sheet], is_back=False))
        behind = [other for _front, other in sheet if other is not None]
        if behind:
            yield Page(paper, partial(_draw, grid, behind, is_back=True))
        elif not fronts_only:
            yield Page(paper)


def side(art: CardArt) -> Side:
    """A drawn side with a name of its own."""
    return Side(side_name(art), art.draw)


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


def _sheets(pairs: Sequence[tuple[Side, Side | None]], grid: Grid) -> Iterator[Sequence[tuple[Side, Side | None]]]:
    most = grid.columns * grid.rows
    for start in range(0, len(pairs), most):
        yield pairs[start : start + most]


def _draw(grid: Grid, sides: list[Side], canvas: PaperCanvas, is_back: bool) -> None:
    if is_back:
        _bleed(grid, sides, canvas)
    for number, one in enumerate(sides):
        one.stamp(canvas, *grid.place(number, is_back), grid.card)
    if not is_back:
        cut_marks(grid, canvas)


def _bleed(grid: Grid, sides: list[Side], canvas: PaperCanvas) -> None:
    """The outermost backs a little larger, under the others."""
    wide, high = grid.card
    for number, one in enumerate(sides):
        x, y = grid.place(number, is_back=True)
        with canvas.clipped(x - BLEED, y - BLEED, wide + 2 * BLEED, high + 2 * BLEED):
            for dx in (-wide, wide):
                one.stamp(canvas, x + dx, y, grid.card)
            for dy in (-high, high):
                one.stamp(canvas, x, y + dy, grid.card)


def cut_marks(grid: Grid, canvas: PaperCanvas) -> None:
    """Short lines outside the cards, between which to cut."""
    right, low = grid.paper[0] - grid.left, grid.paper[1] - grid.top
    for column in range(grid.columns + 1):
        x = grid.left + column * grid.card[0]
        for edge, way in ((grid.top, -1), (low, 1)):
            canvas.path([(x, edge + way), (x, edge + way * 5)], (0, 0, 0), 0.15)
    for row in range(grid.rows + 1):
        y = grid.top + row * grid.card[1]
        for edge, way in ((grid.left, -1), (right, 1)):
            canvas.path([(edge + way, y), (edge + way * 5, y)], (0, 0, 0), 0.15)
