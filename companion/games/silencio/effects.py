"""Laying a card and its effect: created or lapsed, offered, and every choice it asks for carried out."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games.cards import HIDDEN, Card, Cards, add, drop, put
from companion.games.game import Event, Move, seats_after
from companion.games.silencio import records as r
from companion.games.silencio.knowledge import can_play, candidates, give_face_down, put_in_hand, take_from_hand, tops
from companion.games.silencio.records import BLUE, GREEN, LIGHT, MAX_RANK, RANK_OF, RED, ROW_OF, YELLOW, State
from companion.games.silencio.turns import end_window, finish
from companion.games.silencio.words import DARK_OF

Result = tuple[State, tuple[Event, ...]]

SKIP, USE, RENEW = r.Skip(), r.Use(), r.Renew()
TAKE = {card: r.Take(card) for card in RANK_OF}
OPEN = {card: r.Open(card) for card in RANK_OF}
ORACLE = {card: r.TakeOracle(card) for card in (*RANK_OF, HIDDEN)}
RETURN = {card: r.Return(card) for card in (*RANK_OF, HIDDEN)}
CHOOSE = [r.Choose(seat) for seat in range(4)]
GIVE = {card: [r.Give(card, seat) for seat in range(4)] for card in (*RANK_OF, HIDDEN)}
SWAP = {card: [r.Swap(seat, card) for seat in range(4)] for card in (*RANK_OF, HIDDEN)}

EFFECT_MOVES: dict[type[Move], tuple[str, ...]] = {
    r.Use: ("light",),
    r.Skip: ("light",),
    r.Take: ("light",),
    r.Open: ("light",),
    r.Choose: ("light",),
    r.Swap: ("swap",),
    r.TakeOracle: ("swap",),
    r.Renew: ("swap",),
    r.Return: ("swap_back", "replace"),
    r.Give: ("give",),
}


def light_of(state: State, row: int) -> r.Effect:
    """The light effect of a row's colour (SIL-02)."""
    return LIGHT[state.options.effect_by_colour][row]


def lay(state: State, card: Card) -> Result:
    """A card goes onto its row, by choice or at random; its effect is created, or lapses with a reason."""
    seat, row, markers = state.turn, ROW_OF[card], state.markers
    is_dark = RANK_OF[card] == tops(state)[row] + 1
    side: r.Side = "dark" if is_dark else "light"
    skip: r.Marker = "skip_dark" if is_dark else "skip_light"
    why: Any = ""
    if is_dark and not state.hands[seat] and not state.open[seat]:
        why = "last_card"  # SIL-13, SIL-14
    elif is_dark and row == GREEN and RANK_OF[card] == highest_green(state):
        why = "highest_green"  # SIL-28
    elif skip in markers:
        why = "skipped"  # SIL-20
    if state.options.skip_scope == "next_card":
        markers = ()
    else:
        spent = skip if why == "skipped" else ""
        markers = tuple(one for one in markers if one in ("skip_dark", "skip_light") and one != spent)
    state = replace(
        state,
        rows=put(state.rows, row, (*state.rows[row], card)),
        dark=add(state.dark, card) if is_dark else state.dark,
        markers=markers,
        passes=0,
        played=True,
    )
    played = r.Played(seat, card, side)
    if why:
        state, events = end_window(state)
        return state, (played, r.Lapsed(card, why), *events)
    effect = light_of(state, row)
    if is_dark:
        state, events = create_dark(state, effect, card)
    else:
        state, events = offer(state, effect, card)
    return state, (played, *events)


def create_dark(state: State, effect: r.Effect, card: Card) -> Result:
    """A mandatory effect: a marker for the next card, or an Oracle gift. It counts for the tavern (SIL-50)."""
    name = DARK_OF[effect]
    events: tuple[Event, ...] = (r.Created(state.turn, name),)
    if state.options.tavern and not state.tavern_open:
        count = state.dark_count + 1
        state = replace(state, dark_count=count, tavern_open=count >= 3)
        if state.tavern_open:
            events = (*events, r.TavernOpened())
    if name == "give":
        if state.oracle:
            return replace(state, phase="give"), events
        state, ending = end_window(state)  # SIL-24
        return state, (*events, r.Lapsed(card, "nothing_to_do"), *ending)
    marker: Any = name
    if marker not in state.markers:
        state = replace(state, markers=(*state.markers, marker))
    state, ending = end_window(state)
    return state, (*events, r.MarkerSet(marker), *ending)


def highest_green(state: State) -> int:
    """SIL-28: the highest green rank, of the deck or of what is still in the game."""
    top = MAX_RANK[state.options.players]
    if state.options.highest_green == "dynamic":
        while f"g{top}" in state.box:
            top -= 1
    return top


def offer(state: State, effect: r.Effect, card: Card) -> Result:
    """A light effect is created: its player may use it, or it's void because nothing can be done (SIL-29)."""
    created = r.Created(state.turn, effect)
    if is_possible(state, effect):
        return replace(state, phase="light", effect=effect), (created,)
    state, events = finish(state)
    return state, (created, r.Lapsed(card, "nothing_to_do"), *events)


def is_possible(state: State, effect: r.Effect) -> bool:
    """Whether a light effect could change anything."""
    if effect == "take_back":
        return any(cards for row, cards in enumerate(state.rows) if row != BLUE)  # SIL-23
    if effect == "open_card":
        return bool(state.hands[state.turn])  # SIL-25
    if effect == "swap":
        return any(can_swap(state, seat) for seat in range(state.options.players))
    return True


def can_swap(state: State, seat: int) -> bool:
    """Whether a player could carry out one of the three swaps (SIL-27)."""
    return bool(state.oracle) or state.deck > 0 or can_give(state, seat)


def can_give(state: State, seat: int) -> bool:
    """Whether a player has a card to give in a swap."""
    return bool(state.hands[seat]) or (state.options.open_cards_swappable and bool(state.open[seat]))


def legal_effect(state: State) -> list[Move]:
    """Every choice the effect in progress allows."""
    moves: list[Move]
    if state.phase == "light":
        moves = legal_light(state)
        if not owes_play(state):
            moves.append(SKIP)
        return moves
    if state.phase == "give":
        others = list(seats_after(state.turn, state.options.players))
        return [GIVE[card][seat] for card in dict.fromkeys(state.oracle) for seat in others]
    if state.phase == "swap":
        others = list(seats_after(state.chosen, state.options.players))
        moves = [SWAP[card][seat] for card in giveable(state, state.chosen) for seat in others]
        moves += [ORACLE[card] for card in dict.fromkeys(state.oracle)]
        if state.oracle or state.deck:
            moves.append(RENEW)
        return moves
    if state.phase == "swap_back":
        return [RETURN[card] for card in giveable(state, state.partner)]
    hand = state.hands[state.chosen]  # replace: the card goes face up, so it will be known
    cards = candidates(state, hand) if state.options.oracle_cards == "named" else tuple(dict.fromkeys(hand))
    if state.options.open_cards_swappable:
        cards = (*cards, *state.open[state.chosen])
    return [RETURN[card] for card in cards]


def legal_light(state: State) -> list[Move]:
    """The ways to use the light effect on offer."""
    if state.effect == "take_back":
        rows = (GREEN,) if "green" in state.markers and owes_play(state) else (RED, YELLOW, GREEN)
        return [TAKE[state.rows[row][-1]] for row in rows if state.rows[row]]
    if state.effect == "open_card":
        return [OPEN[card] for card in candidates(state, state.hands[state.turn])]
    if state.effect == "swap":
        return [CHOOSE[seat] for seat in range(state.options.players) if can_swap(state, seat)]
    return [USE]


def owes_play(state: State) -> bool:
    """Whether a shrine was taken to be able to play: its effect must then serve that end (SIL-31)."""
    return (
        not state.played
        and state.options.shrine_must_lead_to_play == "strict"
        and state.effect in ("take_back", "swap")
        and not can_play(state)
    )


def giveable(state: State, seat: int) -> Cards:
    """The cards a player may give face down; a hidden hand is just a card (SIL-27)."""
    hand = tuple(dict.fromkeys(state.hands[seat]))
    if state.options.driver == "table" and hand:
        hand = (HIDDEN,)
    return (*hand, *state.open[seat]) if state.options.open_cards_swappable else hand


def resolve(state: State, move: Move) -> Result:
    """Carry out a legal choice."""
    seat = state.turn
    events: tuple[Event, ...]
    match move:
        case r.Skip():
            events = (r.Declined(seat, state.effect),)
        case r.Use():
            if "skip_dark" not in state.markers:
                state = replace(state, markers=(*state.markers, "skip_dark"))
            events = (r.MarkerSet("skip_dark"),)
        case r.Take(card):
            state, events = take_back(state, card)
        case r.Open(card):
            state = take_from_hand(state, seat, card)
            state = replace(state, open=put(state.open, seat, add(state.open[seat], card)))
            events = (r.Opened(seat, card),)
        case r.Choose(chosen):
            return replace(state, phase="swap", effect="none", chosen=chosen), (r.Chosen(seat, chosen),)
        case r.Swap(partner, card):
            state = hand_over(state, state.chosen, partner, card)
            events = (r.Swapped(state.chosen, partner, card),)
            return replace(state, phase="swap_back", partner=partner), events
        case r.TakeOracle(card):
            state = put_in_hand(replace(state, oracle=drop(state.oracle, card)), state.chosen, card)
            return replace(state, phase="replace"), (r.OracleTaken(state.chosen, card),)
        case r.Renew():
            return renew(state)
        case r.Return(card):
            state, events = give_back(state, card)
        case r.Give(card, to):
            return give(state, card, to)
        case _:
            raise TypeError(move)
    state, more = finish(state)
    return state, (*events, *more)


def take_back(state: State, card: Card) -> Result:
    """Blue light: the last card of another row comes back to the hand, known to all (SIL-23)."""
    row = r.ROW_OF[card]
    state = replace(
        state,
        rows=put(state.rows, row, state.rows[row][:-1]),
        dark=drop(state.dark, card) if card in state.dark else state.dark,
    )
    return put_in_hand(state, state.turn, card), (r.TookBack(state.turn, card),)


def hand_over(state: State, giver: int, to: int, card: Card) -> State:
    """One half of a swap: face down from the hand, or an open card that everybody has seen (SIL-27)."""
    if card in state.open[giver]:
        return put_in_hand(replace(state, open=put(state.open, giver, drop(state.open[giver], card))), to, card)
    return give_face_down(state, giver, to, card)


def give_back(state: State, card: Card) -> Result:
    """The second half of a swap: to the player who gave, or to the Oracle."""
    if state.phase == "swap_back":
        state = hand_over(state, state.partner, state.chosen, card)
        return state, (r.Swapped(state.partner, state.chosen, card),)
    seat = state.chosen
    if card in state.open[seat]:
        state = replace(state, open=put(state.open, seat, drop(state.open[seat], card)))
    else:
        state = take_from_hand(state, seat, card)
    return replace(state, oracle=add(state.oracle, card)), (r.OracleReplaced(seat, card),)


def renew(state: State) -> Result:
    """The Oracle goes to the box; as many as there are players come, if the deck has them (SIL-27)."""
    gone = state.oracle
    coming = min(state.options.players, state.deck)
    state = replace(state, oracle=(), box=tuple(sorted((*state.box, *gone))), to_reveal=coming)
    events: tuple[Any, ...] = (r.OracleRenewed(state.chosen, gone),)
    if coming:
        return replace(state, phase="oracle"), events
    state, more = finish(state)
    return state, (*events, *more)


def give(state: State, card: Card, to: int) -> Result:
    """Blue dark: an Oracle card for another player; the deck replaces it while it lasts (SIL-24)."""
    given = r.Given(state.turn, to, card)
    state = put_in_hand(replace(state, oracle=drop(state.oracle, card)), to, card)
    if state.deck:
        return replace(state, phase="oracle", to_reveal=1), (given,)
    state, events = finish(state)
    return state, (given, *events)
