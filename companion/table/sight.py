"""What the table looks like to the rules: recognised cards with their place, free of pixels and cameras."""

from __future__ import annotations

from msgspec import Struct


class Seen(Struct, frozen=True):
    """A card on the table: where it lies, which way round, and with what confidence, 0 to 1, the eye names it.

    `card` is empty for a card the eye can't name; `maybe` are the cards it could be, likeliest first, its own name
    included, `chances` their probabilities, `was` the card read there earlier if it still looks the same. `has_way` is
    false where only the outline is known, or a card looks the same both ways: it may be upside down. `identity` is the
    tracker's number of a card that lies, moves or turns; 0 where it has none. Of two cards, the one with the greater
    `laid` came later, and lies on top.
    """

    card: str
    zone: str = ""
    angle: float = 0.0
    face: str = ""
    x: float = 0.0
    y: float = 0.0
    confidence: float = 1.0
    maybe: tuple[str, ...] = ()
    was: str = ""
    fingerprint: bytes = b""
    has_way: bool = True
    chances: tuple[float, ...] = ()
    identity: int = 0
    laid: int = 0

    @property
    def is_upside_down(self) -> bool:
        """Whether its top points to the lower half of the picture."""
        return 90 < self.angle % 360 < 270


class ZonedToken(Struct, frozen=True):
    """A printed token on the table: its name, and where it lies."""

    name: str
    zone: str = ""
    x: float = 0.0
    y: float = 0.0


class Sight(Struct, frozen=True):
    """The table as it lies. `strangers` are cards without a name.

    `is_unsettled` while it may not be followed: a hand is in the picture, something moves, or a marker isn't seen.
    `covered` are cards that were seen until another one came to lie there: they may still lie under it.
    """

    cards: tuple[Seen, ...] = ()
    is_unsettled: bool = False
    strangers: tuple[Seen, ...] = ()
    tokens: tuple[ZonedToken, ...] = ()
    covered: tuple[Seen, ...] = ()

    def zone(self, *names: str) -> tuple[Seen, ...]:
        """The cards in some zones."""
        return tuple(card for card in self.cards if card.zone in names)

    def unnamed(self, *names: str) -> tuple[Seen, ...]:
        """The cards without a name in some zones."""
        return tuple(card for card in self.strangers if card.zone in names)

    def lying(self, *names: str) -> list[str]:
        """What lies in some zones, with cards that can't be read any more but haven't changed since they were."""
        return [card.card or card.was for card in (*self.zone(*names), *self.unnamed(*names)) if card.card or card.was]


class Sharpness(Struct, frozen=True):
    """How sharp the camera's picture is, and the best it was since it was blurred, both 0 to 100."""

    now: int
    best: int
