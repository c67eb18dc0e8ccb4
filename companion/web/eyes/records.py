"""What travels between the page and the box about the camera: frozen records, as in `companion.web.records`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.web.pictures.model import DrawnCard, NamedZone
from companion.web.records import Check, Number

CardId = Annotated[str, Meta(max_length=60)]
Point = tuple[float, float]
How = Literal["well", "blurred", "glaring", "dark", "away"]


class SeenCard(Struct, frozen=True):
    """A card as the eye sees it: its middle in millimetres, its turn clockwise, how sure the eye is of its name.

    `at` names it in a correction; `card` is empty where the eye has no name, and `maybe` are names it could have.
    """

    at: int
    card: str
    face: str
    name: str
    x: float
    y: float
    angle: float
    confidence: float
    is_corrected: bool
    drawn: DrawnCard
    maybe: tuple[str, ...] = ()
    zone: str = ""


class SeenTable(Struct, frozen=True):
    """The table as recognised, in millimetres. `glimpse` grows with every change; a correction names the one it saw."""

    glimpse: int
    width: float
    height: float
    card_width: float
    card_height: float
    zones: tuple[NamedZone, ...]
    cards: tuple[SeenCard, ...]
    is_unsettled: bool


class CardName(Struct, frozen=True):
    """One side of a card that may lie on this table."""

    card: str
    face: str
    name: str
    drawn: DrawnCard


class CardCorrection(Struct, frozen=True, forbid_unknown_fields=True):
    """This card is really that one; an empty name takes an earlier correction back."""

    glimpse: Number
    at: Number
    card: CardId
    face: Annotated[str, Meta(max_length=20)] = ""


class MarkerSpot(Struct, frozen=True):
    """A corner marker: where it is in the picture (0 to 1), or where it should be."""

    number: int
    is_found: bool
    x: float
    y: float


class Calibrated(Struct, frozen=True):
    """The camera's view of the table, judged: the picture as a data address, the markers, and each thing in words.

    `sharpness` is 0 to 100, or absent where too little lies on the table to tell.
    """

    picture: str
    width: int
    height: int
    markers: tuple[MarkerSpot, ...]
    is_well: bool
    checks: tuple[Check, ...]
    sharpness: int | None = None


class DeckProgress(Struct, frozen=True):
    """A deck that can be enrolled, and how far it is."""

    deck: str
    done: int
    total: int


class CardProgress(Struct, frozen=True):
    """One side of a card to be enrolled."""

    card: str
    name: str
    is_done: bool


class Enrolled(Struct, frozen=True):
    """A deck being enrolled. `is_simulated` where its cards are laid by request."""

    deck: str
    cards: tuple[CardProgress, ...]
    is_simulated: bool


class EnrolLook(Struct, frozen=True):
    """What the camera sees now: the picture as a data address, the card's outline in it (0 to 1), how good it is."""

    number: int
    picture: str
    width: int
    height: int
    outline: tuple[Point, ...]
    checks: tuple[Check, ...]
    can_keep: bool


class PhotoRead(Struct, frozen=True):
    """What a photo of the table showed: so many cards with a name, so many without."""

    cards: int
    unnamed: int


class FoundCard(Struct, frozen=True):
    """A card in a photo, squared up: its look's number, the picture as a data address, how good it is."""

    number: int
    picture: str
    checks: tuple[Check, ...]
    can_keep: bool


class KeepLook(Struct, frozen=True, forbid_unknown_fields=True):
    """Keep the card of this look."""

    look: Number


class LayCard(Struct, frozen=True, forbid_unknown_fields=True):
    """Lay a card under the simulated camera, well or badly."""

    card: CardId
    how: How = "well"


class Alike(Struct, frozen=True):
    """Two cards that are hard to tell apart."""

    one: CardProgress
    other: CardProgress


class SelfCheck(Struct, frozen=True):
    """The deck compared with itself."""

    done: int
    total: int
    alike: tuple[Alike, ...]
