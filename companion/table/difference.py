"""One thing by which the table differs from the layout that the state asks for."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from companion.table.sight import Seen

DifferenceKind = Literal["missing", "extra", "turned", "flipped", "unnamed"]


class Difference(Struct, frozen=True):
    """One thing by which the table and the layout part."""

    zone: str
    card: str
    what: DifferenceKind
    seen: Seen | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """The same difference in another sight has the same key."""
        return self.zone, self.card, self.what

    @property
    def is_wild(self) -> bool:
        """Whether a card lies there of which the eye has no idea."""
        return self.what == "unnamed" and self.seen is not None and not self.seen.maybe
