"""A card that is seen and has no name, and the names it can have."""

from __future__ import annotations

from msgspec import Struct

from companion.table.same_card import is_same_card_unmoved
from companion.table.sight import Seen


class FaceName(Struct, frozen=True):
    """What a card can be called: the card, and its side where it has two."""

    card: str
    face: str = ""


class Doubt(Struct, frozen=True):
    """A card without a name where a card would be a move: what it can be, in the game's order, and the likely ones."""

    seen: Seen
    names: tuple[FaceName, ...]
    likely: tuple[FaceName, ...] = ()

    @property
    def order(self) -> tuple[FaceName, ...]:
        """How ◀ ▶ go through the names."""
        return (*self.likely, *(name for name in self.names if name not in self.likely))

    def is_about(self, other: Doubt | None) -> bool:
        """Whether another doubt is about the same card, and asks for the same names."""
        return other is not None and self.names == other.names and is_same_card_unmoved(self.seen, other.seen)
