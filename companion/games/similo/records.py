"""The things of Similo: options, state, moves and events. What may be done with them is in `rules`."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Struct
from msgspec.structs import force_setattr

from companion.games.cards import HIDDEN, Card, Cards
from companion.games.game import Deal, Event, Move, Show, ruled
from companion.text import N_

Way = Literal["similar", "different", "ranked"]

# SIM-07: how many characters go in each round; SIM-21 for the larger grid.
REMOVALS = {12: (1, 2, 3, 4, 1), 16: (1, 2, 3, 4, 5)}


class Options(Struct, frozen=True, kw_only=True):
    """How a table plays Similo."""

    players: Annotated[Literal[2, 3, 4, 5, 6, 7, 8], ruled("SIM-02", N_("How many play, the clue giver included."))] = 3
    driver: Annotated[
        Literal["sim", "table"], ruled("G-01", N_("sim: every card is known; table: hands are hidden from the box."))
    ] = "sim"
    giver: Annotated[Literal[0, 1, 2, 3, 4, 5, 6, 7], ruled("SIM-02", N_("The clue giver's seat."))] = 0
    deck: Annotated[
        Literal["fables", "history", "custom"], ruled("SIM-01", N_("The deck the characters come from."))
    ] = "fables"
    clue_deck: Annotated[
        Literal["same", "fables", "history", "custom"], ruled("SIM-19", N_("The deck the clues come from."))
    ] = "same"
    characters: Annotated[tuple[str, ...], ruled("SIM-01", N_("The cards of a custom deck, by id."))] = ()
    clue_characters: Annotated[tuple[str, ...], ruled("SIM-19", N_("The cards of a custom clue deck, by id."))] = ()
    guess_mode: Annotated[
        Literal["consensus", "majority", "individual"],
        ruled("SIM-09", N_("The group decides together, by majority of votes, or each guesser alone in turn.")),
    ] = "consensus"
    removal_check: Annotated[
        Literal["set", "one_by_one"],
        ruled("SIM-08", N_("Several characters are removed as a set, or checked one by one.")),
    ] = "set"
    secret_mode: Annotated[
        Literal["trusted_giver", "sealed"],
        ruled("SIM-17", N_("The clue giver says safe or lost, or the box knows the secret and answers.")),
    ] = "trusted_giver"
    hand_size: Annotated[Literal[2, 3, 4, 5], ruled("SIM-21", N_("The clue giver's hand."))] = 5
    grid: Annotated[Literal[12, 16], ruled("SIM-21", N_("How many characters lie on the table."))] = 12
    rounds: Annotated[
        Literal[3, 4, 5], ruled("SIM-21", N_("Five rounds, or three or four in which the clue giver says how many go."))
    ] = 5
    refill: Annotated[bool, ruled("SIM-21", N_("The clue giver draws a card after each clue."))] = True
    clues_per_round: Annotated[
        Literal[1, 3], ruled("SIM-21", N_("One clue a round, or three, ranked from most to least similar."))
    ] = 1
    giver_violation: Annotated[
        Literal["ignore", "lose"], ruled("SIM-15", N_("What a word of the clue giver does, if the table reports it."))
    ] = "ignore"


class Clue(Struct, frozen=True):
    """A clue on the table."""

    card: Card
    way: Way


Phase = Literal["grid", "secret", "deal", "announce", "clue", "refill", "remove", "answer", "which", "over"]
Reason = Literal["none", "found", "removed", "giver_spoke"]


class State(Struct, frozen=True):
    """A table of Similo. `removed` are characters that are gone for good; `taken` wait for the giver's answer."""

    options: Options
    phase: Phase = "clue"
    characters_left: Cards = ()
    removed: Cards = ()
    taken: Cards = ()
    secret: Card = HIDDEN
    hand: Cards = ()
    pile: int = -1
    clues: tuple[Clue, ...] = ()
    round: int = 0
    played: int = 0
    count: int = 0
    votes: tuple[Cards, ...] = ()
    reason: Reason = "none"
    unseen: Cards = ()

    derived: ClassVar[tuple[str, ...]] = ("unseen",)


class Secret(Move, frozen=True, tag="secret"):
    """Which character is the secret: at the start, seen by the clue giver alone, or named after a loss."""

    card: Card


class Announce(Move, frozen=True, tag="announce"):
    """The clue giver says how many characters go this round."""

    count: int


class GiveClue(Move, frozen=True, tag="clue"):
    """The clue giver lays a clue: upright for similar, across for different."""

    card: Card
    way: Way


class CardSet(Move, frozen=True):
    """A move that names several cards; their order means nothing, so it's sorted away (SIM-08)."""

    cards: Cards

    def __post_init__(self) -> None:
        force_setattr(self, "cards", tuple(sorted(self.cards)))


class Remove(CardSet, frozen=True, tag="remove"):
    """The guessers remove characters."""


class Vote(CardSet, frozen=True, tag="vote"):
    """One guesser's vote on what to remove."""


class Safe(Move, frozen=True, tag="safe"):
    """The clue giver says that the secret isn't among them."""


class Lost(Move, frozen=True, tag="lost"):
    """The clue giver says that the secret was removed."""


class GiverSpoke(Move, frozen=True, tag="spoken"):
    """The table reports that the clue giver spoke."""


MOVES: tuple[type[Move], ...] = (
    Show, Secret, Deal, Announce, GiveClue, Remove, Vote, Safe, Lost, GiverSpoke,
)  # fmt: skip


class Laid(Event, frozen=True):
    """A character lies in the grid."""

    card: Card


class SecretSet(Event, frozen=True):
    """The clue giver knows the secret."""

    secret: ClassVar = ("card",)
    seat: int
    card: Card


class Dealt(Event, frozen=True):
    """A clue card has come into the clue giver's hand."""

    secret: ClassVar = ("card",)
    seat: int
    card: Card


class Announced(Event, frozen=True):
    """The clue giver has said how many go."""

    count: int


class ClueGiven(Event, frozen=True):
    """A clue lies on the table."""

    card: Card
    way: Way


class Voted(Event, frozen=True):
    """A guesser has voted."""

    seat: int
    cards: Cards


class VoteTied(Event, frozen=True):
    """The votes decide nothing: discuss again."""


class Taken(Event, frozen=True):
    """Characters were taken off the grid, for good."""

    cards: Cards


class RoundSafe(Event, frozen=True):
    """The secret is still there."""

    left: int


class SecretShown(Event, frozen=True):
    """The secret is known to all."""

    card: Card


class Spoke(Event, frozen=True):
    """The clue giver spoke."""


class Ended(Event, frozen=True):
    """The game is over."""

    reason: Reason
    round: int
