"""Silentes' table: shelters with tokens on them, silence cards and actions before the players, hunts and omens."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import ClassVar

from msgspec import structs

from companion.games.cards import HIDDEN, Card, Cards
from companion.games.game import Deal, Move, Show
from companion.games.silentes import SILENTES
from companion.games.silentes import moves as m
from companion.games.silentes.phases import INTERRUPTS
from companion.games.silentes.records import (
    CELLS,
    HAND_SIZE,
    HOLE,
    IS_HUNT,
    IS_OMEN,
    IS_RANKLESS,
    NOISE_LIMIT,
    RANK_OF,
    SUITS,
    Act,
    State,
)
from companion.games.silentes.records import Laid as LaidThing
from companion.table.sight import Seen, Sight
from companion.table.tabletop import (
    ASK,
    START,
    TURN,
    ExpectedCard,
    ExpectedLayout,
    ReadCards,
    TableQuestion,
    Tabletop,
    at_start,
    beginning,
    heap,
    how_many,
    piece,
    tokens,
    whose_turn,
)
from companion.text import N_, Text

SHELTERS = tuple(f"shelter-{cell + 1}" for cell in CELLS)
PLAYED = ("played-1", "played-2")
DISCARDS = ("discard-1", "discard-2")
PLAYERS = ("player-1", "player-2")
DISTRACTS = tuple(f"distract-{suit}" for suit in SUITS)
TOKENS = {**dict(enumerate((*PLAYERS, "search", *DISTRACTS), 10)), **tokens("start", "turn", "ask")}
"""What is printed on tokens, by the marker's number."""
CARD_AT = {card: at for at, card in enumerate(RANK_OF)}
NO, FRESH, HIDDEN_CARD = m.No(), m.Fresh(), Deal(HIDDEN)
BEFORE_FIRST = ("map", "deal", "place", "first")
SHOWN_LATER = 0.4
"""What a move costs that shows by what comes of it."""
ON_SHELTERS = ("wands-02", "swords-03")
WINDOWS = ("partner", "reaction", "bonus", "cancel")


class SilentesTable(Tabletop[State]):
    """The table of Silentes. Tokens needn't be there; one that lies somewhere means what it says."""

    game = SILENTES
    heaps = frozenset({"hunt", "omen", "provisions", *DISCARDS})
    never = (
        m.Held, m.Entrench, m.Take, m.Put, m.Give, m.Share, m.Blame, m.Coin, m.Ghost, m.Divert,
        m.Pass, m.Nobody,
    )  # fmt: skip
    traceless_costs: ClassVar[dict[type[Move], float]] = {m.Accept: SHOWN_LATER}
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
        "discard-1": N_("player 1's discards"),
        "discard-2": N_("player 2's discards"),
        "cries": N_("the distractions"),
    }
    tries: ClassVar[dict[str, tuple[type[Move], ...]]] = {
        **dict.fromkeys(SHELTERS, (Show,)),
        **dict.fromkeys(PLAYED, (m.Hide,)),
        "hunt": (Show,),
        "omen": (Show,),
        "provisions": (Show,),
        **dict.fromkeys(DISCARDS, (m.Discard, m.Use)),
    }

    def layout(self, state: State) -> ExpectedLayout:
        """The map as a page is read; a token, a barrier or a mirror may cover its shelter."""
        lying = {cell: [PLAYERS[seat] for seat in (0, 1) if state.tokens[seat] == cell] for cell in state.tokens}
        for card, laid_on in zip(ON_SHELTERS, (state.barrier, state.mirror), strict=True):
            if laid_on is not None:
                lying.setdefault(laid_on.cell, []).append(card)
        laid: dict[str, tuple[ExpectedCard, ...]] = {
            zone: shelter(state.map[cell] if cell < len(state.map) else HOLE, tuple(lying.get(cell, ())))
            for cell, zone in enumerate(SHELTERS)
        }
        for zone, cards, act in zip(PLAYED, state.played, state.acts, strict=True):
            laid[zone] = silence(cards, act)
        if state.round == 1:
            laid |= beginning(PLAYED, None if state.phase in BEFORE_FIRST else state.first)
        laid["cries"] = tuple(piece(f"distract-{suit}", "", "", True) for suit in state.cries)
        laid["hunt"] = heap((*state.hunt, *state.gone))
        laid["omen"] = heap(state.omens)
        laid["provisions"] = heap((*state.drawn, *(card for own in state.provisions for card in own)))
        laid |= {zone: heap(pile) for zone, pile in zip(DISCARDS, state.piles, strict=True)}
        return laid

    def watched(self, sight: Sight) -> Iterable[tuple[str, Seen]]:
        """Cards by their zones; tokens as cards of their names, distractions wherever they lie."""
        yield from super().watched(sight)
        yield from at_start(sight)
        for token in sight.tokens:
            if token.name in (START, TURN, ASK):
                continue
            zone = "cries" if token.name in DISTRACTS and token.zone in PLAYED else token.zone
            yield zone, Seen(token.name, zone, x=token.x, y=token.y)

    def traceless_answers(self, state: State) -> Sequence[Move]:
        """A provision that isn't played isn't used, a card that nobody claims is fresh, a hidden card just comes."""
        if state.phase in WINDOWS:
            return (NO,)
        if state.phase == "held":
            return (FRESH,)
        return (HIDDEN_CARD,) if state.phase in ("refill", "aid_draw") and state.options.drawing != "phone" else ()

    def move_cost(self, state: State, move: Move, leaves_trace: bool) -> float:
        """What is used on a shelter shows as soon as it's laid there."""
        if isinstance(move, m.First) and not leaves_trace:
            return math.inf  # only the start token shows it
        if isinstance(move, m.Use) and move.card in ON_SHELTERS:
            return SHOWN_LATER
        return super().move_cost(state, move, leaves_trace)

    def closing(self, state: State) -> Sequence[Move]:
        """Whoever is asked in a window has its time."""
        return () if state.phase in (*WINDOWS, "held") else self.traceless_answers(state)

    def canonical(self, state: State) -> State:
        """Where the game goes on after a provision means nothing once it has gone on."""
        return state if state.phase in INTERRUPTS else structs.replace(state, resume="action")

    def questions(self, state: State, lying: ReadCards) -> Sequence[TableQuestion]:
        """Whose turn it is, the noise, provisions in hands, and where a player is whose token doesn't lie there."""
        placed = {name for zone in SHELTERS for name, _ in lying.get(zone, ())}
        asked = [
            whose_turn(2, state.turn),
            TableQuestion(
                "noise",
                Text(N_("How high is the noise?")),
                tuple(range(NOISE_LIMIT)),
                min(state.noise, NOISE_LIMIT - 1),
            ),
        ]
        asked += [
            how_many("items", N_("How many provisions does player {seat} hold?"), seat, 12, len(state.provisions[seat]))
            for seat in (0, 1)
        ]
        asked += [
            TableQuestion(f"cell-{seat}", Text(N_("In which shelter is player {seat}?"), {"seat": seat + 1}),
                    tuple(cell + 1 for cell in CELLS), max(1, state.tokens[seat] + 1))
            for seat, name in enumerate(PLAYERS) if name not in placed
        ]  # fmt: skip
        return asked

    def believed(self, state: State, lying: ReadCards, answers: Mapping[str, int]) -> State:
        """The map, tokens and piles as they lie; of a pile what was known to lie in it stays there."""
        here = {zone: [card for card, _ in cards] for zone, cards in lying.items()}
        seen = {card for cards in here.values() for card in cards}
        stands = {name: cell for cell, zone in enumerate(SHELTERS) for name in here.get(zone, ())}
        played = tuple(tuple(card for card in here.get(zone, ()) if card in IS_HUNT)[-1:] for zone in PLAYED)
        acts: tuple[Act, ...] = tuple("search" if "search" in here.get(zone, ()) else "none" for zone in PLAYED)
        has_acted = bool(played[1 - answers["turn"]]) or acts[1 - answers["turn"]] != "none"
        kept = [tuple(card for card in pile if card not in seen) for pile in state.piles]
        return State(
            options=state.options,
            round=max(1, state.round),
            first=1 - answers["turn"] if has_acted else answers["turn"],
            turn=answers["turn"],
            noise=answers["noise"],
            map=tuple(next((card for card in here.get(zone, ()) if card in IS_HUNT), HOLE) for zone in SHELTERS),
            tokens=tuple(stands.get(name, answers.get(f"cell-{seat}", 0) - 1) for seat, name in enumerate(PLAYERS)),
            hands=tuple((HIDDEN,) * (HAND_SIZE - len(played[seat])) for seat in (0, 1)),
            provisions=tuple((HIDDEN,) * answers[f"items-{seat}"] for seat in (0, 1)),
            played=played,
            acts=acts,
            piles=tuple((*kept[seat], *here.get(zone, ())) for seat, zone in enumerate(DISCARDS)),
            gone=tuple(dict.fromkeys((*(card for card in state.gone if card not in seen),
                                      *(card for card in here.get("hunt", ()) if card in IS_HUNT)))),
            omens=tuple(card for card in here.get("omen", ()) if card in IS_OMEN) or state.omens,
            barrier=on_shelter(stands.get(ON_SHELTERS[0]), state.barrier),
            mirror=on_shelter(stands.get(ON_SHELTERS[1]), state.mirror),
        )  # fmt: skip

    def order(self, card: str) -> int:
        """Suit by suit, from low to high."""
        return CARD_AT.get(card, -1)

    def awaited(self, state: State) -> int:
        """The map comes as a whole."""
        if state.phase == "map":
            return len(CELLS) - len(state.map)
        return len([card for card in state.map if card == HOLE]) if state.phase == "remap" else 0


def on_shelter(cell: int | None, before: LaidThing | None) -> LaidThing | None:
    """A provision on a shelter; whose it is was known, or it's the first player's."""
    return None if cell is None else LaidThing(cell, 0 if before is None else before.seat)


@cache
def shelter(card: Card, things: tuple[str, ...]) -> tuple[ExpectedCard, ...]:
    """A shelter with what lies on it."""
    own = () if card in (HOLE, HIDDEN) or card in IS_RANKLESS else (piece(card, "", "", bool(things)),)
    return (*own, *(piece(thing, "", "", True) for thing in things))


@cache
def silence(cards: Cards, act: str) -> tuple[ExpectedCard, ...]:
    """What lies before a player: the silence card, and the token of what they do."""
    return (*map(piece, cards), *((piece("search", "", "", True),) if act == "search" else ()))
