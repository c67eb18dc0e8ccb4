"""Silentes' table: shelters with tokens on them, silence cards and actions before the players, hunts and omens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import ClassVar

from companion.games.cards import HIDDEN, Card, Zone
from companion.games.game import Deal, Move, Show
from companion.games.silentes import SILENTES
from companion.games.silentes import happenings as h
from companion.games.silentes.records import CELLS, HOLE, RANK_OF, SUITS, State
from companion.table.sight import Seen, Sight
from companion.table.tabletop import Laid, Piece, Tabletop, piece
from companion.text import N_

SHELTERS = tuple(f"shelter-{cell + 1}" for cell in CELLS)
PLAYED = ("played-1", "played-2")
PLAYERS = ("player-1", "player-2")
DISTRACTS = tuple(f"distract-{suit}" for suit in SUITS)
TOKENS = dict(enumerate((*PLAYERS, "search", *DISTRACTS), 10))
"""What is printed on tokens, by the marker's number."""
CARD_AT = {card: at for at, card in enumerate(RANK_OF)}
NO, FRESH, HIDDEN_CARD = h.No(), h.Fresh(), Deal(HIDDEN)
WINDOWS = ("partner", "reaction", "bonus", "cancel")


class SilentesTable(Tabletop[State]):
    """The table of Silentes. Tokens needn't be there; one that lies somewhere means what it says."""

    game = SILENTES
    heaps = frozenset({"hunt", "omen", "provisions", "discard"})
    never = (
        h.Held, h.First, h.Accept, h.Entrench, h.Take, h.Put, h.Give, h.Share, h.Blame, h.Coin, h.Ghost, h.Divert,
        h.Pass,
    )  # fmt: skip
    zones: ClassVar[dict[str, str]] = {
        "shelter-1": N_("shelter 1"),
        "shelter-2": N_("shelter 2"),
        "shelter-3": N_("shelter 3"),
        "shelter-4": N_("shelter 4"),
        "shelter-5": N_("shelter 5"),
        "shelter-6": N_("shelter 6"),
        "shelter-7": N_("shelter 7"),
        "shelter-8": N_("shelter 8"),
        "played-1": N_("before player 1"),
        "played-2": N_("before player 2"),
        "hunt": N_("the hunt"),
        "omen": N_("the omens"),
        "provisions": N_("the provisions"),
        "discard": N_("the discards"),
        "cries": N_("the distractions"),
    }
    tries: ClassVar[dict[str, tuple[type[Move], ...]]] = {
        **dict.fromkeys(SHELTERS, (Show,)),
        **dict.fromkeys(PLAYED, (h.Hide,)),
        "hunt": (Show,),
        "omen": (Show,),
        "provisions": (Show,),
        "discard": (h.Discard, h.Use),
    }

    def layout(self, state: State) -> Laid:
        """The map as a page is read; a token, a barrier or a mirror may cover its shelter."""
        lying = {cell: [PLAYERS[seat] for seat in (0, 1) if state.tokens[seat] == cell] for cell in state.tokens}
        for card, laid_on in (("wands-02", state.barrier), ("swords-03", state.mirror)):
            if laid_on is not None:
                lying.setdefault(laid_on.cell, []).append(card)
        laid: dict[str, tuple[Piece, ...]] = {
            zone: shelter(state.map[cell] if cell < len(state.map) else HOLE, tuple(lying.get(cell, ())))
            for cell, zone in enumerate(SHELTERS)
        }
        for zone, cards, act in zip(PLAYED, state.played, state.acts, strict=True):
            laid[zone] = silence(cards, act)
        laid["cries"] = tuple(piece(f"distract-{suit}", "", "", True) for suit in state.cries)
        laid["hunt"] = heap((*state.hunt, *state.gone))
        laid["omen"] = heap(state.omens)
        laid["provisions"] = heap((*state.drawn, *(card for own in state.provisions for card in own)))
        laid["discard"] = heap((*state.piles[0], *state.piles[1]))
        return laid

    def watched(self, sight: Sight) -> Iterable[tuple[str, Seen]]:
        """Cards by their zones; tokens as cards of their names, distractions wherever they lie."""
        yield from super().watched(sight)
        for token in sight.tokens:
            zone = "cries" if token.name in DISTRACTS and token.zone in PLAYED else token.zone
            yield zone, Seen(token.name, zone, x=token.x, y=token.y)

    def answers(self, state: State) -> Sequence[Move]:
        """A provision that isn't played isn't used, a card that nobody claims is fresh, a hidden card just comes."""
        if state.phase in WINDOWS:
            return (NO,)
        if state.phase == "held":
            return (FRESH,)
        return (HIDDEN_CARD,) if state.phase in ("refill", "aid_draw") and state.options.drawing != "phone" else ()

    def closing(self, state: State) -> Sequence[Move]:
        """Whoever is asked in a window has its time."""
        return () if state.phase in (*WINDOWS, "held") else self.answers(state)

    def order(self, card: str) -> int:
        """Suit by suit, from low to high."""
        return CARD_AT.get(card, -1)

    def awaited(self, state: State) -> int:
        """The map comes as a whole."""
        if state.phase == "map":
            return len(CELLS) - len(state.map)
        return len([card for card in state.map if card == HOLE]) if state.phase == "remap" else 0


@cache
def shelter(card: Card, things: tuple[str, ...]) -> tuple[Piece, ...]:
    """A shelter with what lies on it."""
    own = () if card in (HOLE, HIDDEN) else (piece(card, "", "", bool(things)),)
    return (*own, *(piece(thing, "", "", True) for thing in things))


@cache
def silence(cards: Zone, act: str) -> tuple[Piece, ...]:
    """What lies before a player: the silence card, and the token of what they do."""
    return (*map(piece, cards), *((piece("search", "", "", True),) if act == "search" else ()))


@cache
def heap(cards: Zone) -> tuple[Piece, ...]:
    """A pile: none of its cards must show."""
    return tuple(piece(card, "", "", True) for card in cards if card != HIDDEN)
