"""What can be known in Silentes: which cards a seat holds for sure or perhaps, and who may see what."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games.cards import HIDDEN, Card, Cards, add, drop, mask, put
from companion.games.silentes.records import IS_PROVISION, IS_RANKLESS, State

Changes = dict[str, Any]


def candidates(zone: Cards, unseen: Cards) -> Cards:
    """What a card of this zone can be: a known one, or any unseen one if a card is hidden."""
    if zone and zone[0] == HIDDEN:  # a hidden card sorts before all others
        return (*(card for card in zone if card != HIDDEN), *unseen)
    return zone


def hand_candidates(state: State, seat: int) -> Cards:
    """The hunt cards a player holds or may hold; cards said to be held are in one of the two hands."""
    hand = state.hands[seat]
    if state.held and hidden_hunt_cards(state) == len(state.held):
        return candidates(hand, state.held)
    return candidates(hand, state.unseen)


def provision_candidates(state: State, seat: int) -> Cards:
    """The provisions a player holds or may hold."""
    return candidates(state.provisions[seat], state.unseen_provisions)


def hidden_hunt_cards(state: State) -> int:
    """How many hunt cards are out of the deck and have no name for the box: in hands, or shelters by suit alone."""
    rankless = (
        sum(card in IS_RANKLESS for card in (*state.map, *state.gone)) if state.options.shelters == "suits" else 0
    )
    return state.hands[0].count(HIDDEN) + state.hands[1].count(HIDDEN) + rankless


def taken(state: State, seat: int, card: Card) -> Changes:
    """A card leaves a hand and is seen: a known one, or a hidden one that now gets its name."""
    changes: Changes
    if card in IS_PROVISION:
        zone = state.provisions[seat]
        if card in zone:
            changes = {"provisions": put(state.provisions, seat, drop(zone, card))}
        else:
            changes = {
                "provisions": put(state.provisions, seat, drop(zone, HIDDEN)),
                "unseen_provisions": drop(state.unseen_provisions, card),
            }
    else:
        zone = state.hands[seat]
        if card in zone:
            changes = {"hands": put(state.hands, seat, drop(zone, card))}
        else:
            changes = {"hands": put(state.hands, seat, drop(zone, HIDDEN)), "unseen": drop(state.unseen, card)}
            if card in state.held:
                changes["held"] = drop(state.held, card)
    if card in state.known:
        changes["known"] = drop(state.known, card)
    return changes


def discarded(state: State, seat: int, card: Card) -> Changes:
    """A card goes from a hand to its owner's pile (STE-47)."""
    changes = taken(state, seat, card)
    changes["piles"] = put(state.piles, seat, add(state.piles[seat], card))
    return changes


def received(state: State, seat: int, card: Card) -> Changes:
    """A card everybody has seen goes into a hand (G-03)."""
    if card in IS_PROVISION:
        changes: Changes = {"provisions": put(state.provisions, seat, add(state.provisions[seat], card))}
    else:
        changes = {"hands": put(state.hands, seat, add(state.hands[seat], card))}
    changes["known"] = add(state.known, card)
    return changes


def hand_over(state: State, giver: int, card: Card) -> State:
    """A provision goes to the partner, face down; both of them know it.

    Where the box can't see it, it forgets which of the giver's provisions it knew, unless there was only one.
    """
    to, own = 1 - giver, state.provisions[giver]
    if card == HIDDEN and len(own) == 1:
        card = own[0]
    if card != HIDDEN:
        zones = put(put(state.provisions, giver, drop(own, card)), to, add(state.provisions[to], card))
        known = state.known if card in state.known else add(state.known, card)
        return replace(state, provisions=zones, known=known)
    forgotten = [card for card in own if card != HIDDEN]
    zones = put(state.provisions, giver, (HIDDEN,) * (len(own) - 1))
    return replace(
        state,
        provisions=put(zones, to, add(zones[to], HIDDEN)),
        known=tuple(card for card in state.known if card not in forgotten),
        unseen_provisions=tuple(sorted((*state.unseen_provisions, *forgotten))),
    )


def known_cards(state: State) -> Cards:
    """The cards in hands that everybody has seen: where the box can't look into hands, all it knows of them."""
    if state.options.drawing == "phone":
        return state.known
    return tuple(card for zone in (*state.hands, *state.provisions) for card in zone if card != HIDDEN)


def seen_by(state: State, seat: int | None) -> State:
    """The state as a seat may see it: what the partner holds and what lies on the decks is hidden.

    Hands that rations have laid open (STE-96) are seen; what everybody has seen once is shown again only with
    a memory aid (G-03). Where hands are hidden from the box it only knows what everybody has seen; a seat keeps
    all of it, because it bounds what the seat itself can hold, and only the shared page goes without.
    """
    aided = state.options.memory_aid or (seat is not None and state.options.drawing != "phone")
    shown = known_cards(state) if aided or "talk" in state.effects else ()
    hands, provisions, last = list(state.hands), list(state.provisions), list(state.last)
    hunt: list[Card] = []
    items: list[Card] = []
    for owner in (0, 1):
        if owner != seat:
            hunt += [card for card in hands[owner] if card != HIDDEN and card not in shown]
            items += [card for card in provisions[owner] if card != HIDDEN and card not in shown]
            hands[owner] = mask(hands[owner], shown)
            provisions[owner] = mask(provisions[owner], shown)
            # A card played this round lies open; what was played in the last one must be remembered.
            last[owner] = mask(last[owner], (*shown, *state.played[owner]))
    top, omen_top = state.top, state.omen_top
    if not aided and state.phase not in ("peek", "order", "held"):
        hunt += [card for card in top if card != HIDDEN]
        top = (HIDDEN,) * len(top)
    omens: list[Card] = []
    if seat is None or seat != state.omen_by:  # STE-99: only who used the map has looked
        omens = [card for card in omen_top if card != HIDDEN]
        omen_top = (HIDDEN,) * len(omen_top)
    return replace(
        state,
        hands=tuple(hands),
        provisions=tuple(provisions),
        last=tuple(last),
        known=tuple(card for card in state.known if card in shown),
        top=top,
        omen_top=omen_top,
        unseen=tuple(sorted((*state.unseen, *hunt))) if hunt else state.unseen,
        unseen_provisions=tuple(sorted((*state.unseen_provisions, *items))) if items else state.unseen_provisions,
        unseen_omens=tuple(sorted((*state.unseen_omens, *omens))) if omens else state.unseen_omens,
    )
