"""What can be known in Silencio: which cards a seat holds for sure or perhaps, and who may see what."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.cards import HIDDEN, Card, Cards, Tristate, add, drop, mask, put
from companion.games.silencio.records import GREEN, RANK_OF, ROW_OF, State


def tops(state: State) -> list[int]:
    """The rank to beat in each row; a shrine counts as 1 (SIL-08)."""
    return [RANK_OF[row[-1]] if row else 1 for row in state.rows]


def playable(state: State, cards: Cards) -> list[Card]:
    """Those of the cards that match, climb and obey a green lock (SIL-10, SIL-28)."""
    beat = tops(state)
    if "green" in state.markers:
        green = beat[GREEN]
        return [card for card in cards if card != HIDDEN and ROW_OF[card] == GREEN and RANK_OF[card] > green]
    return [card for card in cards if card != HIDDEN and RANK_OF[card] > beat[ROW_OF[card]]]


def candidates(state: State, hand: Cards) -> Cards:
    """What a card of this hand can be: a known one, or any unseen one if a card is hidden."""
    if HIDDEN in hand:
        return (*(card for card in hand if card != HIDDEN), *hidden_candidates(state))
    return hand


def hidden_candidates(state: State) -> Cards:
    """What a hidden card can be; where all of those have been seen before, only they (G-11)."""
    if state.adrift and len(state.adrift) == sum(hand.count(HIDDEN) for hand in state.hands):
        return state.adrift
    return state.unseen


def obliged(state: State) -> Tristate:
    """Whether the player must play a card: own hand and own open cards count (SIL-10)."""
    hand = state.hands[state.turn]
    if playable(state, hand) or playable(state, state.open[state.turn]):
        return Tristate.YES
    if HIDDEN in hand and playable(state, hidden_candidates(state)):
        return Tristate.UNKNOWN
    return Tristate.NO


def borrowable(state: State) -> list[Card]:
    """Other players' open cards that this player may lay (SIL-11, SIL-12)."""
    seat = state.turn
    if not (state.options.empty_hand_may_borrow or state.hands[seat] or state.open[seat]):
        return []
    return [
        card for owner, cards in enumerate(state.open) if owner != seat and cards for card in playable(state, cards)
    ]


def can_play(state: State) -> bool:
    """Whether the player could lay a card, for all that is known: an own one, or a borrowed one."""
    seat = state.turn
    return bool(
        playable(state, candidates(state, state.hands[seat])) or playable(state, state.open[seat]) or borrowable(state)
    )


def give_face_down(state: State, giver: int, to: int, card: Card) -> State:
    """A card goes from hand to hand, face down.

    Whoever watches can't tell which card of the hand it was, so what was publicly known of that hand lapses
    (G-03), unless it was the only card. Where the box can't see hands it forgets those cards as well.
    """
    hand = state.hands[giver]
    if len(hand) == 1:
        hands = put(put(state.hands, giver, ()), to, add(state.hands[to], hand[0]))
        return replace(state, hands=hands)
    known = tuple(kept for kept in state.known if kept not in hand)
    if card != HIDDEN:
        hands = put(put(state.hands, giver, drop(hand, card)), to, add(state.hands[to], card))
        return replace(state, hands=hands, known=known)
    forgotten = [kept for kept in hand if kept != HIDDEN]
    hands = put(state.hands, giver, (HIDDEN,) * (len(hand) - 1))
    hands = put(hands, to, add(hands[to], HIDDEN))
    unseen = tuple(sorted((*state.unseen, *forgotten)))
    adrift = tuple(sorted((*state.adrift, *forgotten)))
    return replace(state, hands=hands, known=known, unseen=unseen, adrift=adrift)


def take_from_hand(state: State, seat: int, card: Card) -> State:
    """A card leaves a hand and is seen: a known one, or a hidden one that now gets its name."""
    hand = state.hands[seat]
    if card in hand:
        known = drop(state.known, card) if card in state.known else state.known
        return replace(state, hands=put(state.hands, seat, drop(hand, card)), known=known)
    adrift = drop(state.adrift, card) if card in state.adrift else state.adrift
    return replace(
        state, hands=put(state.hands, seat, drop(hand, HIDDEN)), unseen=drop(state.unseen, card), adrift=adrift
    )


def can_come(state: State) -> Cards:
    """The cards the deck can still give: unseen, and not one that was seen and is in some hand (G-11)."""
    return tuple(card for card in state.unseen if card not in state.adrift) if state.adrift else state.unseen


def can_be_shown(state: State) -> Cards:
    """The cards that can come to the Oracle; where it's only counted, a card without a name."""
    return (HIDDEN,) if state.options.oracle_cards == "counted" else can_come(state)


def put_in_hand(state: State, seat: int, card: Card) -> State:
    """A card everybody has seen goes into a hand (G-03)."""
    known = state.known if card == HIDDEN else add(state.known, card)
    return replace(state, hands=put(state.hands, seat, add(state.hands[seat], card)), known=known)


def seen_by(state: State, seat: int | None) -> State:
    """The state as a seat may see it: other hands are hidden, but for a memory aid (G-03)."""
    shown = state.known if state.options.memory_aid else ()
    hidden: list[Card] = []
    hands = []
    for owner, hand in enumerate(state.hands):
        if owner != seat:
            hidden += [card for card in hand if card != HIDDEN and card not in shown]
            hand = mask(hand, shown)
        hands.append(hand)
    unseen = tuple(sorted((*state.unseen, *hidden)))
    adrift = state.adrift if state.options.memory_aid else ()
    return replace(state, hands=tuple(hands), known=shown, unseen=unseen, adrift=adrift)
