"""One thing by which the table differs from the layout that the state asks for."""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct

from companion.table.sight import Seen

DifferenceKind = Literal["missing", "extra", "turned", "flipped", "unnamed"]


class DifferenceKey(NamedTuple):
    """What a difference has in common with the same one in another sight."""

    zone: str
    card: str
    what: DifferenceKind


class Difference(Struct, frozen=True):
    """One thing by which the table and the layout part."""

    zone: str
    card: str
    what: DifferenceKind
    seen: Seen | None = None

    @property
    def key(self) -> DifferenceKey:
        """The same difference in another sight has the same key."""
        return DifferenceKey(self.zone, self.card, self.what)

    @property
    def is_wild(self) -> bool:
        """Whether a card lies there of which the eye has no idea."""
        return self.what == "unnamed" and self.seen is not None and not self.seen.maybe
