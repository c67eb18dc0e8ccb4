"""The things of Silencio: cards, options, state, moves and events. What may be done with them is in `rules`."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Struct

from companion.games.cards import Card, Cards
from companion.games.game import Deal, Event, Move, Show, ruled
from companion.text import N_

Colour = Literal["red", "blue", "yellow", "green"]
Effect = Literal["none", "skip_dark", "take_back", "open_card", "swap"]
Marker = Literal["skip_dark", "skip_light", "random", "green"]
Shrine = Literal["large", "red", "blue", "yellow", "green"]
Side = Literal["light", "dark"]

COLOURS: tuple[Colour, ...] = ("red", "blue", "yellow", "green")
SHRINES: tuple[Shrine, ...] = ("large", *COLOURS)
RED, BLUE, YELLOW, GREEN = range(4)

# SIL-03: the highest rank and the hand size follow the number of players.
MAX_RANK = {2: 8, 3: 10, 4: 13}
HAND_SIZE = {2: 6, 3: 6, 4: 5}
# SIL-41: the last score of the middle band.
NEAR_MISS = {2: 2, 3: 3, 4: 4}

ROW_OF: dict[Card, int] = {}
RANK_OF: dict[Card, int] = {}
for _row, _letter in enumerate("rbyg"):
    for _rank in range(2, 14):
        ROW_OF[f"{_letter}{_rank}"] = _row
        RANK_OF[f"{_letter}{_rank}"] = _rank
DECK: dict[int, Cards] = {
    players: tuple(sorted(card for card, rank in RANK_OF.items() if rank <= top)) for players, top in MAX_RANK.items()
}

# SIL-02: which light effect a row creates; pairs A and C are unconfirmed, so both mappings exist.
LIGHT: dict[str, tuple[Effect, ...]] = {
    "red_A_yellow_C": ("skip_dark", "take_back", "open_card", "swap"),
    "red_C_yellow_A": ("open_card", "take_back", "skip_dark", "swap"),
}


class Options(Struct, frozen=True, kw_only=True):
    """How a table plays Silencio."""

    players: Annotated[Literal[2, 3, 4], ruled("SIL-03", N_("How many play."))] = 3
    driver: Annotated[
        Literal["sim", "table"],
        ruled("G-01", N_("sim: every card is known; table: hands are hidden from the box.")),
    ] = "sim"
    effect_by_colour: Annotated[
        Literal["red_A_yellow_C", "red_C_yellow_A"],
        ruled("SIL-02", N_("Which of red and yellow skips effects (A) and which opens cards (C).")),
    ] = "red_A_yellow_C"
    skip_scope: Annotated[
        Literal["next_card", "next_matching"],
        ruled("SIL-20", N_("A skip ends with the next card, or waits for one it can skip.")),
    ] = "next_card"
    empty_hand_may_borrow: Annotated[
        bool, ruled("SIL-12", N_("A player without cards may play another player's open card."))
    ] = True
    open_cards_swappable: Annotated[bool, ruled("SIL-27", N_("Own open cards may be given away in a swap."))] = True
    show_failed_random: Annotated[
        bool, ruled("SIL-26", N_("A card drawn blind that can't be played is shown to all."))
    ] = False
    highest_green: Annotated[
        Literal["static", "dynamic"],
        ruled("SIL-28", N_("The highest green card: the highest of the deck, or of what isn't in the box.")),
    ] = "static"
    shrine_must_lead_to_play: Annotated[
        Literal["strict", "lenient"],
        ruled("SIL-31", N_("A shrine at the start of a turn only where a card can then be played.")),
    ] = "strict"
    tavern: Annotated[bool, ruled("SIL-50", N_("Play with the tavern."))] = False
    tavern_on_pass: Annotated[bool, ruled("SIL-52", N_("A player who passes may use the tavern."))] = True
    unlit: Annotated[Literal["none", "large", "small", "all"], ruled("SIL-54", N_("Which shrines start unlit."))] = (
        "none"
    )
    memory_aid: Annotated[bool, ruled("G-03", N_("Show cards in hands that everybody has seen."))] = False
    oracle_cards: Annotated[
        Literal["named", "counted"],
        ruled("G-01", N_("counted: the Oracle's cards aren't named to a box that has no camera; it only counts them.")),
    ] = "named"
    silence_referee: Annotated[
        Literal["off", "warn", "lose"], ruled("G-09", N_("What a spoken word does, if the table reports it."))
    ] = "off"


Phase = Literal[
    "deal", "oracle", "start", "pass_on", "turn", "draw", "light", "swap", "swap_back", "replace", "give", "end", "over"
]  # fmt: skip
Reason = Literal["none", "all_played", "all_passed", "no_start", "spoken"]


class State(Struct, frozen=True):
    """A table of Silencio. Rows and shrines are in the order red, blue, yellow, green.

    `known` are cards in hands that everybody has seen; `adrift` are such cards that may since have changed hands.
    """

    options: Options
    phase: Phase = "turn"
    turn: int = 0
    hands: tuple[Cards, ...] = ()
    open: tuple[Cards, ...] = ()
    rows: tuple[Cards, ...] = ((), (), (), ())
    dark: Cards = ()
    oracle: Cards = ()
    box: Cards = ()
    deck: int = -1
    known: Cards = ()
    adrift: Cards = ()
    lit: tuple[Shrine, ...] = SHRINES
    markers: tuple[Marker, ...] = ()
    passes: int = 0
    effect: Effect = "none"
    chosen: int = -1
    partner: int = -1
    started: bool = True
    passed_on: int = 0
    to_reveal: int = 0
    played: bool = False
    shrine_used: bool = False
    tavern_used: bool = False
    drawn: bool = False
    tavern_open: bool = False
    dark_count: int = 0
    reason: Reason = "none"
    unseen: Cards = ()

    derived: ClassVar[tuple[str, ...]] = ("unseen",)


class Start(Move, frozen=True, tag="start"):
    """A player takes the starting-player card."""

    seat: int


class NoStart(Move, frozen=True, tag="nobody"):
    """The table couldn't agree on a starting player in silence."""


class PassOn(Move, frozen=True, tag="pass_on"):
    """Pass a hand card to the left before the first turn."""

    card: Card


class Play(Move, frozen=True, tag="play"):
    """Lay a card in its row: from the own hand, or any open card."""

    card: Card


class Pass(Move, frozen=True, tag="pass"):
    """Pass the turn."""


class Draw(Move, frozen=True, tag="draw"):
    """Shuffle the hand and draw one card blind, as a random play demands."""


class Drawn(Move, frozen=True, tag="drawn"):
    """Nature: the card drawn blind. `?` is one that can't be played and isn't shown."""

    card: Card


class TakeShrine(Move, frozen=True, tag="shrine"):
    """Take a lit shrine for its light effect; the large one for an effect of choice."""

    which: Shrine
    effect: Effect = "none"


class Tavern(Move, frozen=True, tag="tavern"):
    """Say one of the tavern's three sentences: a number of unplayable cards, or a colour."""

    says: Literal["cannot_play", "only_high", "please_not"]
    about: str


class Use(Move, frozen=True, tag="use"):
    """Use the light effect that skips the next dark one."""


class Skip(Move, frozen=True, tag="skip"):
    """Decline a light effect."""


class Take(Move, frozen=True, tag="take"):
    """Take the last card of another row back into the hand."""

    card: Card


class Open(Move, frozen=True, tag="open"):
    """Put a hand card face up in front of oneself."""

    card: Card


class Choose(Move, frozen=True, tag="choose"):
    """Choose the player who carries out a swap."""

    seat: int


class Swap(Move, frozen=True, tag="swap"):
    """The chosen player gives another a card; a card in return follows."""

    seat: int
    card: Card


class TakeOracle(Move, frozen=True, tag="oracle"):
    """The chosen player takes an Oracle card; one in its place follows."""

    card: Card


class Renew(Move, frozen=True, tag="renew"):
    """The chosen player sends the Oracle back to the box and has a new one revealed."""


class Return(Move, frozen=True, tag="return"):
    """Give a card in return: to the partner of a swap or to the Oracle."""

    card: Card


class Give(Move, frozen=True, tag="give"):
    """Give an Oracle card to another player."""

    card: Card
    seat: int


class Done(Move, frozen=True, tag="done"):
    """End the turn without a shrine or the tavern."""


class Spoken(Move, frozen=True, tag="spoken"):
    """The table reports that a player spoke."""

    seat: int


MOVES: tuple[type[Move], ...] = (
    Deal, Show, Start, NoStart, PassOn, Play, Pass, Draw, Drawn, TakeShrine, Tavern, Use, Skip, Take, Open, Choose,
    Swap, TakeOracle, Renew, Return, Give, Done, Spoken,
)  # fmt: skip


class Dealt(Event, frozen=True):
    """A card has come into a hand."""

    secret: ClassVar = ("card",)
    seat: int
    card: Card


class OracleShown(Event, frozen=True):
    """A card has been revealed for the Oracle."""

    card: Card


class Started(Event, frozen=True):
    """The starting player is known."""

    seat: int


class PassedOn(Event, frozen=True):
    """A card went to the left."""

    secret: ClassVar = ("card",)
    insiders: ClassVar = ("seat", "to")
    seat: int
    to: int
    card: Card


class Played(Event, frozen=True):
    """A card lies in its row."""

    seat: int
    card: Card
    side: Side


class Created(Event, frozen=True):
    """An effect has been created."""

    seat: int
    effect: str


class Lapsed(Event, frozen=True):
    """A card created no effect, and why."""

    card: Card
    why: Literal["last_card", "highest_green", "skipped", "nothing_to_do"]


class Declined(Event, frozen=True):
    """A light effect wasn't used."""

    seat: int
    effect: Effect


class MarkerSet(Event, frozen=True):
    """The next card played is under a marker."""

    marker: Marker


class TookBack(Event, frozen=True):
    """A row's last card went into a hand."""

    seat: int
    card: Card


class Opened(Event, frozen=True):
    """A hand card lies open in front of its player."""

    seat: int
    card: Card


class Chosen(Event, frozen=True):
    """A player was chosen for a swap."""

    seat: int
    to: int


class Swapped(Event, frozen=True):
    """A card went from hand to hand, face down."""

    secret: ClassVar = ("card",)
    insiders: ClassVar = ("seat", "to")
    seat: int
    to: int
    card: Card


class OracleTaken(Event, frozen=True):
    """An Oracle card went into a hand."""

    seat: int
    card: Card


class OracleReplaced(Event, frozen=True):
    """A hand card became an Oracle card."""

    seat: int
    card: Card


class OracleRenewed(Event, frozen=True):
    """The Oracle went to the box."""

    seat: int
    cards: Cards


class Given(Event, frozen=True):
    """An Oracle card was given to a player."""

    seat: int
    to: int
    card: Card


class Passed(Event, frozen=True):
    """A player passed, for want of any card where `is_out`."""

    seat: int
    is_out: bool = False


class DrawFailed(Event, frozen=True):
    """The card drawn blind couldn't be played."""

    secret: ClassVar = ("card",)
    seat: int
    card: Card


class DrawFailedOpenly(Event, frozen=True):
    """The card drawn blind couldn't be played and was shown."""

    seat: int
    card: Card


class ShrineTaken(Event, frozen=True):
    """A shrine has gone out."""

    seat: int
    which: Shrine


class TavernOpened(Event, frozen=True):
    """The tavern is open."""


class TavernSaid(Event, frozen=True):
    """A sentence was said in the tavern."""

    seat: int
    says: str
    about: str


class Violation(Event, frozen=True):
    """Something against the rules that can't be taken back."""

    seat: int
    what: Literal["shrine_then_pass", "tavern_then_pass", "spoke"]


class Ended(Event, frozen=True):
    """The game is over."""

    reason: Reason
    cards_left: int
