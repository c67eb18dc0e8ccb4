"""The things of Silentes: cards, options and the state of a table. Moves and their events are in `moves`."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Struct

from companion.games.cards import Card, Cards
from companion.games.game import ruled
from companion.text import N_

Suit = Literal["wands", "cups", "swords", "pentacles"]
SUITS: tuple[Suit, ...] = ("wands", "cups", "swords", "pentacles")
HOLE: Card = "hole"
CELLS = range(8)
NOISE_LIMIT = 15  # STE-05
HAND_SIZE = 5
KING = 14

SUIT_OF: dict[Card, Suit] = {}
RANK_OF: dict[Card, int] = {}
for _suit in SUITS:
    for _rank in range(1, 15):
        SUIT_OF[f"{_suit}-{_rank:02}"] = _suit
        RANK_OF[f"{_suit}-{_rank:02}"] = _rank
RANKLESS: dict[Suit, Card] = {suit: f"{suit}-00" for suit in SUITS}
"""A hunt card of which the box knows nothing but the suit: a shelter that nobody named (STE-10)."""
IS_RANKLESS = frozenset(RANKLESS.values())
SUIT_OF |= {card: suit for suit, card in RANKLESS.items()}
PROVISIONS: Cards = tuple(sorted(card for card, rank in RANK_OF.items() if rank <= 3))
HUNT: Cards = tuple(sorted(card for card, rank in RANK_OF.items() if rank > 3))
OMENS: Cards = tuple(f"major-{number:02}" for number in range(22))
KINGS: Cards = tuple(card for card in HUNT if RANK_OF[card] == KING)
IS_PROVISION = frozenset(PROVISIONS)
IS_HUNT = frozenset(HUNT)
IS_OMEN = frozenset(OMENS)
ALL_CARDS = IS_PROVISION | IS_HUNT | IS_OMEN

# STE-67: under the Hanged Man, shelters of these suits change places.
HANGED: dict[str, Suit] = {"wands": "wands", "cups": "swords", "swords": "cups", "pentacles": "pentacles"}


class Options(Struct, frozen=True, kw_only=True):
    """How a table plays Silentes."""

    players: Annotated[Literal[2], ruled("STE-01", N_("How many play: always two."))] = 2
    drawing: Annotated[
        Literal["phone", "table", "virtual"],
        ruled(
            "G-01",
            N_(
                "phone: the box deals every card; table: real cards, hands hidden from the box; "
                "virtual: real hands, but the box draws hunts and omens."
            ),
        ),
    ] = "phone"
    shelters: Annotated[
        Literal["named", "suits"],
        ruled("STE-10", N_("suits: only the suits of shelters are told to a box that has no camera.")),
    ] = "named"
    king_order: Annotated[
        Literal["omen_first", "hunt_first"],
        ruled("STE-02", N_("Whether a King's omen comes before his hunt is resolved, or after.")),
    ] = "omen_first"
    win_check: Annotated[
        Literal["end_of_round", "instant"],
        ruled("STE-03", N_("Whether an empty hunt deck wins at the end of the round, or at once.")),
    ] = "end_of_round"
    first_player: Annotated[
        Literal["alternate", "fixed", "free"],
        ruled("STE-07", N_("Who acts first after round one: in turns, always the same, or chosen each round.")),
    ] = "alternate"
    table_talk: Annotated[
        Literal["limited", "open", "silent"],
        ruled("STE-08", N_("What may be said: intentions but no cards, anything, or nothing.")),
    ] = "limited"
    entrench_rounding: Annotated[
        Literal["down", "up"], ruled("STE-22", N_("How half a card's value is rounded when entrenched."))
    ] = "down"
    entrench_chain: Annotated[
        bool, ruled("STE-22", N_("A player may entrench several rounds in a row with the same card."))
    ] = False
    distracted_king_omen: Annotated[bool, ruled("STE-25", N_("A King who was distracted still brings an omen."))] = (
        False
    )
    provisions_in_hand_limit: Annotated[
        bool, ruled("STE-27", N_("Provisions count when a hand is refilled to five."))
    ] = True
    lost_cards: Annotated[
        Literal["personal_pile", "removed"],
        ruled("STE-47", N_("Lost silence cards go to the owner's pile, or out of the game.")),
    ] = "personal_pile"
    world_win: Annotated[
        Literal["never", "last_king"],
        ruled("STE-78", N_("Whether The World wins when no other King can bring an omen.")),
    ] = "never"
    memory_aid: Annotated[bool, ruled("G-03", N_("Show cards in hands that everybody has seen."))] = False


Phase = Literal[
    "map", "deal", "place", "first",
    "partner", "action", "hide", "throw", "search",
    "hunt", "held", "reaction", "mirror", "bonus", "cancel", "reward",
    "omen", "trade", "gift", "share", "peek", "order", "sacrifice", "ride", "coin", "blame", "penance", "justice",
    "remap", "tower", "flee", "star",
    "barrier", "lay_mirror", "recover", "aid", "aid_draw", "aid_discard", "peek_omens", "order_omens",
    "refill", "over",
]  # fmt: skip
Act = Literal["none", "hide", "entrench", "search", "distract", "pass"]
Effect = Literal["strength", "hanged", "moon", "sun", "calm", "devil", "secret", "temperance", "talk"]
Tool = Literal["any_suit", "any_shelter"]
Reason = Literal["none", "survived", "world", "noise"]

# STE-67, STE-76: these end with the round; the rest end when they're used up.
ROUND_EFFECTS: frozenset[Effect] = frozenset({"strength", "hanged", "moon", "sun", "calm", "talk"})


class Laid(Struct, frozen=True):
    """A provision that lies on a shelter, and whose it is."""

    cell: int
    seat: int


class State(Struct, frozen=True):
    """A table of Silentes.

    The map is read like a page: shelters 0 to 3 above, 4 to 7 below; `hole` is none. `hands` are hunt cards,
    `provisions` the items beside them: how many of each a player holds is public, which isn't.
    """

    options: Options
    phase: Phase = "action"
    round: int = 1
    first: int = 0
    turn: int = 0
    asked: int = 0
    resume: Phase = "action"
    noise: int = 0
    caused: tuple[int, ...] = (0, 0)
    map: Cards = ()
    tokens: tuple[int, ...] = (-1, -1)
    hands: tuple[Cards, ...] = ((), ())
    provisions: tuple[Cards, ...] = ((), ())
    played: tuple[Cards, ...] = ((), ())
    last: tuple[Cards, ...] = ((), ())
    piles: tuple[Cards, ...] = ((), ())
    acts: tuple[Act, ...] = ("none", "none")
    cries: tuple[Suit, ...] = ()
    hunt: Cards = ()
    zone: Literal["none", "wands", "cups", "swords", "pentacles", "all"] = "none"
    gone: Cards = ()
    omens: Cards = ()
    drawn: Cards = ()
    top: Cards = ()
    omen_top: Cards = ()
    omen_by: int = -1
    ghosts: Cards = ()
    held: Cards = ()
    known: Cards = ()
    effects: tuple[Effect, ...] = ()
    coming: tuple[Effect, ...] = ()
    spared: int = -1
    barrier: Laid | None = None
    mirror: Laid | None = None
    bonus: tuple[int, ...] = (0, 0)
    tools: tuple[Tool, ...] = ()
    due: tuple[int, ...] = (0, 0)
    rewards: tuple[int, ...] = ()
    count: int = 0
    deck: int = -1
    stock: int = -1
    reason: Reason = "none"
    unseen: Cards = ()
    unseen_provisions: Cards = ()
    unseen_omens: Cards = ()

    derived: ClassVar[tuple[str, ...]] = ("unseen", "unseen_provisions", "unseen_omens")
