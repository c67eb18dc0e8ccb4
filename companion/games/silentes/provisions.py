"""The 12 provisions, one function each, and the steps some of them take. When each may be played is in `legal`."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from companion.games.cards import HIDDEN, Card, add, drop, put
from companion.games.game import Event
from companion.games.silentes import moves as m
from companion.games.silentes.hunt import add_noise, pass_window
from companion.games.silentes.knowledge import discarded, received, taken
from companion.games.silentes.records import OMENS, Laid, State
from companion.games.silentes.rounds import (
    Result,
    draw_hunt,
    end_round,
    is_won_at_once,
    nature_deals,
    over,
    quieter,
)

LAID = ("wands-02", "swords-03")


def use(state: State, seat: int, card: Card) -> Result:
    """A provision is played: onto its owner's pile (STE-90), or onto a shelter."""
    used = m.Used(seat, card)
    changes = taken(state, seat, card) if card in LAID else discarded(state, seat, card)
    state, events = EFFECTS[card](replace(state, asked=seat, resume=state.phase, **changes))
    return state, (used, *events)


def back(state: State) -> Result:
    """A provision is done: back to where it was played. A player without provisions isn't asked again."""
    state = replace(state, phase=state.resume)
    if state.phase == "action" or state.provisions[state.asked]:
        return state, ()
    return pass_window(state)


def tools(state: State) -> Result:
    """Ace of Wands: any suit will do for the next hiding (STE-91)."""
    return replace(state, tools=(*state.tools, "any_suit")), ()


def barrier(state: State) -> Result:
    """Two of Wands: three more silence for whoever hides in a shelter this round (STE-92)."""
    return replace(state, phase="barrier", drawn=("wands-02",)), ()


def scrap(state: State) -> Result:
    """Three of Wands: the hunt card is annulled for another; none left, no hunt (STE-93)."""
    card = state.hunt[0]
    state = replace(state, hunt=(), gone=add(state.gone, card))
    annulled: tuple[Event, ...] = (m.HuntAnnulled(card, "scrap"),)
    if state.deck:
        return replace(state, phase="hunt"), annulled
    state, events = end_round(state)
    return state, (*annulled, *events)


def water(state: State) -> Result:
    """Ace of Cups: two noise less (STE-94)."""
    state, events = quieter(state, 2)
    state, more = back(state)
    return state, (*events, *more)


def first_aid(state: State) -> Result:
    """Two of Cups: the partner may draw two hunt cards, then discards one (STE-95)."""
    return replace(state, phase="aid"), ()


def rations(state: State) -> Result:
    """Three of Cups: hands are shown and talk is free until the round ends (STE-96)."""
    held = {card for zone in (*state.hands, *state.provisions) for card in zone if card != HIDDEN}
    effects = state.effects if "talk" in state.effects else (*state.effects, "talk")
    known = tuple(sorted(held | set(state.known)))
    state, events = back(replace(state, effects=effects, known=known))
    return state, (m.HandsShown(), *events)


def dagger(state: State) -> Result:
    """Ace of Swords: four more silence in this comparison (STE-97)."""
    bonus = list(state.bonus)
    bonus[state.asked] += 4
    return back(replace(state, bonus=tuple(bonus)))


def rope(state: State) -> Result:
    """Two of Swords: any other shelter is near enough for the next hiding (STE-91)."""
    return replace(state, tools=(*state.tools, "any_shelter")), ()


def mirror(state: State) -> Result:
    """Three of Swords: a shelter that sends one hunt elsewhere (STE-98)."""
    return replace(state, phase="lay_mirror", drawn=("swords-03",)), ()


def canned_food(state: State) -> Result:
    """Ace of Pentacles: a card of the own pile comes back, but not this one (STE-99)."""
    if len(state.piles[state.asked]) == 1:
        nothing = m.NothingRecovered(state.asked)
        state, events = back(state)
        return state, (nothing, *events)
    return replace(state, phase="recover"), ()


def worn_map(state: State) -> Result:
    """Two of Pentacles: the user alone looks at the next two omens and orders them (STE-99)."""
    size = min(2, len(OMENS) - len(state.omens))
    state = replace(state, omen_by=state.asked)
    if state.options.drawing != "phone":  # real omens: nobody but who looks needs to know, not even the box
        state, events = back(replace(state, omen_top=(HIDDEN,) * size))
        return state, (m.LookedAhead("omens", size), *events)
    return read_map(state)


def amulet(state: State) -> Result:
    """Three of Pentacles: the noise of one's own failure is cancelled; the card stays lost (STE-99)."""
    due = (0, state.due[1]) if state.asked == 0 else (state.due[0], 0)
    state = replace(state, due=due)
    return back(state) if any(due) else add_noise(state)


EFFECTS: dict[Card, Callable[[State], Result]] = {
    "wands-01": tools,
    "wands-02": barrier,
    "wands-03": scrap,
    "cups-01": water,
    "cups-02": first_aid,
    "cups-03": rations,
    "swords-01": dagger,
    "swords-02": rope,
    "swords-03": mirror,
    "pentacles-01": canned_food,
    "pentacles-02": worn_map,
    "pentacles-03": amulet,
}


# Steps


def lay_barrier(state: State, cell: int) -> Result:
    """The barrier stands."""
    seat = state.asked
    state, events = back(replace(state, drawn=(), barrier=Laid(cell, seat)))
    return state, (m.LaidDown(seat, "wands-02", cell), *events)


def lay_mirror(state: State, cell: int) -> Result:
    """The mirror lies on a shelter."""
    seat = state.asked
    state, events = back(replace(state, drawn=(), mirror=Laid(cell, seat)))
    return state, (m.LaidDown(seat, "swords-03", cell), *events)


def recover(state: State, card: Card) -> Result:
    """A card of the own pile comes back."""
    seat = state.asked
    piles = put(state.piles, seat, drop(state.piles[seat], card))
    state, events = back(replace(state, piles=piles, **received(state, seat, card)))
    return state, (m.Recovered(seat, card), *events)


def decline_aid(state: State) -> Result:
    """The partner doesn't want the first aid (STE-95)."""
    declined = m.Declined(1 - state.asked)
    state, events = back(state)
    return state, (declined, *events)


def accept_aid(state: State) -> Result:
    """The partner draws two hunt cards, fewer if there are no more."""
    return aid_on(replace(state, count=min(2, state.deck)))


def aid_on(state: State) -> Result:
    """The next of the two cards, then the discard."""
    user, target = state.asked, 1 - state.asked
    events: list[Event] = []
    while state.count:
        if nature_deals(state):
            return replace(state, phase="aid_draw"), tuple(events)
        state = replace(draw_hunt(state, target, HIDDEN), asked=user, count=state.count - 1)
        events.append(m.Dealt(target, HIDDEN))
    if is_won_at_once(state):
        state, more = over(state, "survived")
    elif state.hands[target] or state.provisions[target]:
        state, more = replace(state, phase="aid_discard"), ()
    else:
        state, more = back(state)
    return state, (*events, *more)


def aid_deal(state: State, card: Card) -> Result:
    """One of the two cards comes."""
    user, target = state.asked, 1 - state.asked
    state, events = aid_on(replace(draw_hunt(state, target, card), asked=user, count=state.count - 1))
    return state, (m.Dealt(target, card), *events)


def aid_discard(state: State, card: Card) -> Result:
    """The partner discards a card, a provision if they like (STE-95)."""
    seat = 1 - state.asked
    state, events = back(replace(state, **discarded(state, seat, card)))
    return state, (m.Discarded(seat, card), *events)


def read_map(state: State) -> Result:
    """The next omen to look at, then their order."""
    size = min(2, len(OMENS) - len(state.omens))
    if len(state.omen_top) < size:
        return replace(state, phase="peek_omens"), ()
    if size < 2:
        return back(state)
    return replace(state, phase="order_omens"), ()


def peek_omen(state: State, card: Card) -> Result:
    """The user sees an omen."""
    seat = state.asked
    unseen = drop(state.unseen_omens, card)
    state, events = read_map(replace(state, omen_top=(*state.omen_top, card), unseen_omens=unseen))
    return state, (m.Peeked(seat, card), *events)


def order_omens(state: State, card: Card) -> Result:
    """The named omen lies on top; who can't see the two learns the name of one of them."""
    is_known = card in state.omen_top
    rest = drop(state.omen_top, card if is_known else HIDDEN)
    unseen = state.unseen_omens if is_known else drop(state.unseen_omens, card)
    return back(replace(state, omen_top=(card, *rest), unseen_omens=unseen))
