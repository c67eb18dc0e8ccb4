"""What a sight of the table may mean: explanations, the question that tells them apart, or a complaint."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from companion.games.game import Move
from companion.text import Text


class Explanation(Struct, frozen=True):
    """What may have happened: legal moves in order, of players and of nature, that lead to the table as it lies.

    `steps` counts those that left a trace, `says` tells them. It isn't sure where it rests on a doubtful name.
    `unseen` are the indices of moves that left no trace and aren't implied: people must confirm those.
    `without_turn_end` is the same for who isn't done yet: the turn goes on. `asides` are ways on without a trace.
    """

    moves: tuple[Move, ...]
    steps: int = 0
    says: tuple[Text, ...] = ()
    is_sure: bool = True
    ends_turn: bool = False
    ends_game: bool = False
    unseen: tuple[int, ...] = ()
    without_turn_end: Explanation | None = None
    asides: tuple[Aside, ...] = ()


class Aside(Struct, frozen=True):
    """What may have been done as well and no camera sees: what must be told of it, and all that happened with it."""

    moves: tuple[Move, ...]
    whole: Explanation


class Mismatch(Struct, frozen=True):
    """Where the table and the game part: a zone, a card, and what is wrong with it."""

    zone: str
    card: str
    what: str


class Progress(Struct, frozen=True):
    """How many cards of those that are awaited together lie there."""

    done: int
    of: int


class Proposal(Struct, frozen=True):
    """What a sight may mean: one explanation, several with the question that tells them apart, or a complaint.

    Where explanations differ, `asked` are the moves to pick from and `asked_state` is the state before them.
    `where` and `nearest` go with a complaint: the card it's about, and what would explain most of the table. ✔ carries
    `number`.
    """

    explanations: tuple[Explanation, ...] = ()
    asked_state: Any = None
    asked: tuple[Move, ...] = ()
    complaint: Text | None = None
    code: str = ""
    where: Mismatch | None = None
    nearest: Explanation | None = None
    progress: Progress | None = None
    number: int = 0

    @property
    def accepted_moves(self) -> tuple[Move, ...]:
        """What ✔ would do: the moves of the one explanation there is, or nothing."""
        return self.explanations[0].moves if len(self.explanations) == 1 and not self.asked else ()

    @property
    def without_turn_end(self) -> Explanation | None:
        """The one explanation there is, for who isn't done yet."""
        return self.explanations[0].without_turn_end if self.accepted_moves else None

    @property
    def asides(self) -> tuple[Aside, ...]:
        """What may have been done beside the one explanation there is."""
        return self.explanations[0].asides if self.accepted_moves else ()

    @property
    def moves(self) -> tuple[Move, ...]:
        """The answers to what is asked, or the one move that explains the table."""
        return self.asked or (self.accepted_moves if len(self.accepted_moves) == 1 else ())


NOTHING = Proposal()
