"""The table as the eye hands it over: cards, unknown cards and tokens with their places, and how far to trust it.

Places are in table millimetres where the camera is calibrated, else in pixels; `TableView.millimetres` says which.
"""

from __future__ import annotations

from msgspec import Struct

from vision.geometry import Points


class Name(Struct, frozen=True):
    """What a card may be: the card, the side of it that shows where it has two, and how probable that is."""

    card: str
    face: str = ""
    probability: float = 1.0


class TrackedCard(Struct, frozen=True):
    """A card on the table that keeps its identity while it lies, moves, turns or is flipped.

    `x`, `y` are its middle, `turn` its clockwise turn in degrees, `face` the side that shows, `visible_share` the share
    of it that shows. A covered card was seen before another was laid over it. One that looks the same `either_way` up
    isn't told from itself turned by half a turn. `others` are names that it may have instead. Of two cards, the one
    with the greater `laid` was laid, moved or turned later, and lies on top.
    """

    identity: int
    card: str
    face: str
    corners: Points
    x: float
    y: float
    turn: float
    confidence: float
    visible_share: float
    covered: bool = False
    either_way: bool = False
    others: tuple[Name, ...] = ()
    laid: int = 0

    @property
    def names(self) -> tuple[Name, ...]:
        """What it may be, likeliest first; what is missing to a probability of 1 is any other card."""
        return (Name(self.card, self.face, self.confidence), *self.others)


class UnknownCard(Struct, frozen=True):
    """Something that is shaped like a card and has no name; `names` are those it may have, likeliest first."""

    corners: Points
    x: float
    y: float
    turn: float
    names: tuple[Name, ...] = ()


class Token(Struct, frozen=True):
    """A printed token: its number, its middle and its turn."""

    number: int
    x: float
    y: float
    turn: float = 0.0


class TableView(Struct, frozen=True):
    """The table as the eye sees it.

    It is `settled` when several still frames agreed; while a `hand` is in view, or something moves, the cards are those
    of the last settled view. `sharpness` is 0 to 100, or None where the picture has too few edges to tell.
    """

    cards: tuple[TrackedCard, ...] = ()
    unknown: tuple[UnknownCard, ...] = ()
    settled: bool = False
    hand: bool = False
    millimetres: bool = False
    tokens: tuple[Token, ...] = ()
    sharpness: float | None = None


def names_of(cards: tuple[str, ...], chances: tuple[float, ...] = ()) -> tuple[Name, ...]:
    """Names with their probabilities; without any, each is as probable as that it's none of them.

    >>> [name.probability for name in names_of(("r4", "r6", "r8"))]
    [0.25, 0.25, 0.25]
    """
    if len(chances) != len(cards):
        chances = (1 / (len(cards) + 1),) * len(cards)
    return tuple(Name(card, probability=chance) for card, chance in zip(cards, chances, strict=True))
