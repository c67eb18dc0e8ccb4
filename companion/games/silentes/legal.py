"""What is legal in each phase of Silentes. Every move is made once, so that a list is only a selection."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.games.cards import HIDDEN, Card, Cards
from companion.games.game import Deal, Move, Show
from companion.games.silentes import moves as m
from companion.games.silentes.hunt import diversions
from companion.games.silentes.knowledge import hand_candidates, provision_candidates
from companion.games.silentes.map import ELSEWHERE, NEIGHBOURS, hunted, nearest, shelters, suit_at
from companion.games.silentes.omens import highest
from companion.games.silentes.records import CELLS, HOLE, HUNT, OMENS, PROVISIONS, RANKLESS, SUIT_OF, SUITS, State
from companion.games.silentes.rounds import asks_both

SHOW = {card: Show(card) for card in (*HUNT, *OMENS, *PROVISIONS, *RANKLESS.values())}
DEAL = {card: Deal(card) for card in (*HUNT, *OMENS, *PROVISIONS, HIDDEN)}
GHOST = {card: m.Ghost(card) for card in HUNT}
HIDE = {card: m.Hide(card) for card in HUNT}
DISCARD = {card: m.Discard(card) for card in (*HUNT, *PROVISIONS)}
TAKE = {card: m.Take(card) for card in (*HUNT, *PROVISIONS)}
USE = {card: m.Use(card) for card in PROVISIONS}
GIVE = {card: m.Give(card) for card in (*PROVISIONS, HIDDEN)}
PUT = {card: m.Put(card) for card in (*HUNT, *OMENS)}
PLACE = [m.Place(cell) for cell in CELLS]
GO = [m.Go(cell) for cell in CELLS]
LAY = [m.Lay(cell) for cell in CELLS]
RUIN = [m.Ruin(cell) for cell in CELLS]
DIVERT: dict[str, Move] = {suit: m.Divert(suit) for suit in SUITS}
DISTRACT: list[Move] = [m.Distract(suit) for suit in SUITS]
FIRST: list[Move] = [m.First(seat) for seat in (0, 1)]
SHARE: list[Move] = [m.Share(seat) for seat in (0, 1)]
BLAME: list[Move] = [m.Blame(seat) for seat in (0, 1)]
COIN: list[Move] = [m.Coin("heads"), m.Coin("tails")]
ENTRENCH, SEARCH, PASS, NO, ACCEPT = m.Entrench(), m.Search(), m.Pass(), m.No(), m.Accept()
NOBODY = m.Nobody()
HELD, FRESH = m.Held(), m.Fresh()

# STE-90..99: which provisions fit which moment.
ANY_TIME = frozenset({"wands-02", "cups-01", "cups-02", "cups-03", "swords-03", "pentacles-01", "pentacles-02"})
TOOLS = {"wands-01": "any_suit", "swords-02": "any_shelter"}
FITS: dict[str, frozenset[Card]] = {
    "partner": ANY_TIME,
    "action": ANY_TIME | set(TOOLS),
    "reaction": ANY_TIME | {"wands-03"},
    "bonus": ANY_TIME | {"swords-01"},
    "cancel": frozenset({"cups-01", "pentacles-03"}),
}
NEEDS_SHELTER = frozenset({"wands-02", "swords-03"})


# Nature


def forced(top: Cards) -> bool:
    """Whether the next card of a deck is known."""
    return bool(top) and top[0] != HIDDEN


def legal_hunt(state: State) -> list[Move]:
    """The next hunt card: any that hasn't been seen, but none that's known to be in a hand."""
    if forced(state.top):
        return [SHOW[state.top[0]]]
    if state.held:
        return [SHOW[card] for card in state.unseen if card not in state.held]
    return [SHOW[card] for card in state.unseen]


def legal_peek(state: State) -> list[Move]:
    """Another card of the hunt deck below those already seen."""
    return [SHOW[card] for card in state.unseen if card not in state.held]


def legal_map(state: State) -> list[Move]:
    """A new shelter, or a ghost where the paper deck has some; where only suits are told, any suit."""
    moves = legal_hunt(state)
    if state.options.shelters == "suits" and state.options.drawing != "phone" and not forced(state.top):
        suits = {SUIT_OF[move.card] for move in moves if isinstance(move, Show)}
        moves = [SHOW[card] for suit, card in RANKLESS.items() if suit in suits]
    if state.ghosts and not forced(state.top):
        moves += [GHOST[card] for card in state.ghosts]
    return moves


def legal_deal(state: State) -> list[Move]:
    """A hunt card for a hand: named where the box deals, else just a card or a ghost."""
    if forced(state.top):
        return [DEAL[state.top[0]]]
    if state.options.drawing == "phone":
        return [DEAL[card] for card in state.unseen]
    return [DEAL[HIDDEN], *(GHOST[card] for card in state.ghosts)]


def legal_provision(state: State) -> list[Move]:
    """A provision for a hand."""
    return [DEAL[card] for card in state.unseen_provisions]


def legal_gift(state: State) -> list[Move]:
    """A provision turned up."""
    return [SHOW[card] for card in state.unseen_provisions]


def legal_omen(state: State) -> list[Move]:
    """The next omen."""
    if forced(state.omen_top):
        return [SHOW[state.omen_top[0]]]
    return [SHOW[card] for card in state.unseen_omens]


# Players


def legal_action(state: State) -> list[Move]:
    """The four actions and the own provisions; a pass only when there is no action (STE-26)."""
    seat = state.turn
    hand, tools = state.hands[seat], state.tools
    moves: list[Move] = [GO[cell] for cell in ways(state, "any_suit" in tools, "any_shelter" in tools)]
    if not tools:
        last = state.last[seat]
        if last and last[0] != HIDDEN and last[0] in hand:
            moves.append(ENTRENCH)
        if state.stock:
            moves.append(SEARCH)
        if hand or state.provisions[seat]:
            moves += DISTRACT
        if not moves:
            moves.append(PASS)
    if state.provisions[seat] and "devil" not in state.effects:
        moves += legal_uses(state, seat)
    return moves


def may_entrench(view: State) -> bool:
    """Whether somebody who doesn't remember the card of the previous round must think it still in hand (G-03)."""
    seat = view.turn
    return view.phase == "action" and not view.tools and view.last[seat] == (HIDDEN,) and HIDDEN in view.hands[seat]


def ways(state: State, any_suit: bool, any_shelter: bool) -> list[int]:
    """The shelters a player can move to and hide in (STE-21, STE-91)."""
    seat = state.turn
    cell = state.tokens[seat]
    if cell < 0:
        return []
    hand = state.hands[seat]
    if not hand:
        return []
    near = ELSEWHERE[cell] if any_shelter else NEIGHBOURS[cell]
    if any_suit:
        return [other for other in near if state.map[other] != HOLE]
    if hand[0] == HIDDEN:
        hand = hand_candidates(state, seat)
    suits = {SUIT_OF[card] for card in hand}
    if state.effects:
        return [other for other in near if suit_at(state, other) in suits]
    return [other for other in near if state.map[other] != HOLE and SUIT_OF[state.map[other]] in suits]


def legal_uses(state: State, seat: int) -> list[Move]:
    """The provisions of a seat that fit this moment."""
    fits = FITS[state.phase]
    return [USE[card] for card in provision_candidates(state, seat) if card in fits and can_use(state, seat, card)]


def can_use(state: State, seat: int, card: Card) -> bool:
    """Whether a provision that fits the moment has what it needs."""
    if state.tools:  # a move and hide has begun: only the other tool may join
        return card in TOOLS and TOOLS[card] not in state.tools and bool(ways(state, True, True))
    if card in NEEDS_SHELTER:
        return bool(shelters(state))
    if card == "wands-01":
        return bool(ways(state, True, can_join(state, seat, card, "swords-02")))
    if card == "swords-02":
        return bool(ways(state, can_join(state, seat, card, "wands-01"), True))
    if card == "swords-01":
        return seat in hunted(state)
    if card == "pentacles-03":
        return state.due[seat] > 0
    return True


def can_join(state: State, seat: int, card: Card, other: Card) -> bool:
    """Whether a player may hold another tool besides the one that is played."""
    own = state.provisions[seat]
    hidden = own.count(HIDDEN) - (card not in own)
    return other in own or (hidden > 0 and other in state.unseen_provisions)


def legal_window(state: State) -> list[Move]:
    """A provision that fits, or none; where both are asked at one table, none by anybody."""
    return [*legal_uses(state, state.asked), NO, *((NOBODY,) if asks_both(state) else ())]


def legal_hide(state: State) -> list[Move]:
    """Hunt cards of the shelter's suit (STE-21)."""
    cards = hand_candidates(state, state.turn)
    if "any_suit" in state.tools:
        return [HIDE[card] for card in cards]
    suit = suit_at(state, state.tokens[state.turn])
    return [HIDE[card] for card in cards if SUIT_OF[card] == suit]


def discards(state: State, seat: int) -> list[Move]:
    """Any card of a hand, provisions included."""
    return [DISCARD[card] for card in (*hand_candidates(state, seat), *provision_candidates(state, seat))]


def legal_trade(state: State) -> list[Move]:
    """A provision for the partner, or no more; where the box can't see it, just a provision."""
    if state.options.drawing != "phone":
        return [GIVE[HIDDEN], NO]
    return [*(GIVE[card] for card in state.provisions[state.asked]), NO]


def legal_recover(state: State) -> list[Move]:
    """Any card of the own pile but the one that was played for it (STE-99)."""
    return [TAKE[card] for card in state.piles[state.asked] if card != "pentacles-01"]


def legal_order_omens(state: State) -> list[Move]:
    """Which of the two omens lies on top; for others who watch, it could be any."""
    return [PUT[card] for card in (state.omen_top if forced(state.omen_top) else state.unseen_omens)]


def legal_lay(state: State) -> list[Move]:
    """Any shelter."""
    return [LAY[cell] for cell in shelters(state)]


LEGAL: dict[str, Callable[[State], Sequence[Move]]] = {
    "map": legal_map,
    "deal": legal_deal,
    "place": lambda state: [PLACE[cell] for cell in shelters(state)],
    "first": lambda state: FIRST[:],
    "partner": legal_window,
    "action": legal_action,
    "hide": legal_hide,
    "throw": lambda state: discards(state, state.turn),
    "search": legal_provision,
    "hunt": legal_hunt,
    "held": lambda state: [HELD, FRESH],
    "reaction": legal_window,
    "mirror": lambda state: [DIVERT[suit] for suit in diversions(state)],
    "bonus": legal_window,
    "cancel": legal_window,
    "reward": legal_provision,
    "omen": legal_omen,
    "trade": legal_trade,
    "gift": legal_gift,
    "share": lambda state: SHARE[:],
    "peek": legal_peek,
    "order": lambda state: [PUT[card] for card in state.top[state.count : 3]],
    "sacrifice": lambda state: [ACCEPT, NO],
    "ride": lambda state: [*(GO[cell] for cell in shelters(state) if cell != state.tokens[state.asked]), NO],
    "coin": lambda state: COIN[:],
    "blame": lambda state: BLAME[:],
    "penance": lambda state: [DISCARD[card] for card in provision_candidates(state, state.asked)],
    "justice": legal_provision,
    "remap": legal_map,
    "tower": lambda state: [RUIN[cell] for cell in highest(state)],
    "flee": lambda state: [GO[cell] for cell in nearest(state, state.tokens[state.asked])],
    "star": lambda state: [*(TAKE[card] for card in state.piles[state.asked]), NO],
    "barrier": legal_lay,
    "lay_mirror": legal_lay,
    "recover": legal_recover,
    "aid": lambda state: [ACCEPT, NO],
    "aid_draw": legal_deal,
    "aid_discard": lambda state: discards(state, 1 - state.asked),
    "peek_omens": lambda state: [DEAL[card] for card in state.unseen_omens],
    "order_omens": legal_order_omens,
    "refill": legal_deal,
    "over": lambda state: [],
}
