"""Finds outlines: what every later stage looks at, made once for a picture."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from vision import cells, colours, features, quads
from vision.geometry import Picture, Points
from vision.identity import PreparedPicture
from vision.index import Index
from vision.posterior import Posterior
from vision.tuning import CARD


class Query(Struct, frozen=True):
    """A picture to be explained by the cards of one deck (the query image): its pyramid, its colours, its outlines.

    `card_width` is about how wide cards are in pixels, 0 where that isn't known. `observe` is told every posterior.
    """

    index: Index
    picture: PreparedPicture
    outlines: tuple[Points, ...] = ()
    card_width: float = 0.0
    observe: Callable[[Posterior], None] | None = None

    @property
    def levels(self) -> list[cells.Level]:
        """The picture and its halves."""
        return self.picture.levels


def prepare_query(
    index: Index, picture: Picture, card_width: float = 0.0, observe: Callable[[Posterior], None] | None = None
) -> Query:
    """The query of a picture."""
    prepared = PreparedPicture(cells.levels_of(features.luminance(picture)), colours.ColourPyramid(picture))
    outlines = quads.find(picture, index.aspect, CARD.min_width_px)
    return Query(index, prepared, tuple(outlines), card_width, observe)
