"""What the table looks like to the rules: recognised cards with their place, free of pixels and cameras."""

from __future__ import annotations

from msgspec import Struct

from companion.games.game import Move
from companion.games.text import N_, Text


class Seen(Struct, frozen=True):
    """A card on the table: where it lies, which way round, how sure the eye is.

    `card` is empty for a card the eye can't name; `maybe` are the cards it could be, likeliest first.
    """

    card: str
    zone: str = ""
    turn: float = 0.0
    face: str = ""
    x: float = 0.0
    y: float = 0.0
    sure: float = 1.0
    maybe: tuple[str, ...] = ()

    @property
    def is_upside_down(self) -> bool:
        """Whether its top points to the lower half of the picture."""
        return 90 < self.turn % 360 < 270


class Sight(Struct, frozen=True):
    """The settled table. `is_busy` while a hand is in the picture."""

    cards: tuple[Seen, ...] = ()
    is_busy: bool = False

    def zone(self, *names: str) -> tuple[Seen, ...]:
        """The cards in some zones."""
        return tuple(card for card in self.cards if card.zone in names)


class Proposal(Struct, frozen=True):
    """What a sight may mean: one move, a choice of moves, several moves in a row, or a complaint with its reason."""

    moves: tuple[Move, ...] = ()
    series: tuple[Move, ...] = ()
    complaint: Text | None = None
    code: str = ""

    @property
    def clear(self) -> tuple[Move, ...]:
        """What ✔ would do: the moves of the one reading there is, or nothing."""
        return self.moves if len(self.moves) == 1 else self.series


NOTHING = Proposal()
TWO_CARDS = Proposal(complaint=Text(N_("More than one new card lies there: leave one.")), code="two_cards")


def refused(code: str, reason: Text) -> Proposal:
    """A complaint."""
    return Proposal(complaint=reason, code=code)
