"""The hunt: its card, the windows around it, where it strikes, and what becomes of the hunted (STE-40)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from companion.games.cards import HIDDEN, Card, add, drop, put
from companion.games.game import Event
from companion.games.silentes import moves as m
from companion.games.silentes.knowledge import hidden_hunt_cards
from companion.games.silentes.map import NEIGHBOURS, hunted, suit_at
from companion.games.silentes.records import IS_RANKLESS, KING, OMENS, RANK_OF, SUIT_OF, SUITS, Phase, State, Suit
from companion.games.silentes.rounds import (
    Result,
    can_be_asked,
    end_round,
    is_won_at_once,
    lift,
    louder,
    over,
    provide,
)


def begin_hunt(state: State) -> Result:
    """Phase 2. An empty deck at its start is the victory (STE-03)."""
    if state.deck == 0:
        return over(state, "survived")
    return replace(state, phase="hunt"), ()


# Turning a card of the hunt deck up


def draw_open(state: State, card: Card) -> State:
    """A card of the hunt deck has been turned up; it lies nowhere yet."""
    if card in IS_RANKLESS:
        return replace(state, deck=state.deck - 1, top=state.top[1:])
    if state.top:
        unseen = drop(state.unseen, card) if state.top[0] == HIDDEN else state.unseen
        return replace(state, deck=state.deck - 1, top=state.top[1:], unseen=unseen)
    return replace(state, deck=state.deck - 1, unseen=drop(state.unseen, card))


def may_be_held(state: State) -> bool:
    """Whether a card that the box draws could be in a hand it can't see."""
    if state.options.drawing != "virtual" or state.top:
        return False
    return hidden_hunt_cards(state) > len(state.held)


def show_hunt(state: State, card: Card) -> Result:
    """The hunt card comes. Drawn by the box, it may be one that a player holds: then it asks."""
    if may_be_held(state):
        state = replace(draw_open(state, card), phase="held", resume="hunt", drawn=(card,))
        return state, (m.HuntDrawn(card),)
    return hunt_is(draw_open(state, card), card)


def hunt_is(state: State, card: Card) -> Result:
    """The hunt card is certain; drawn by the box, its paper copy is now a ghost in the paper deck."""
    ghosts = add(state.ghosts, card) if state.options.drawing == "virtual" else state.ghosts
    state = replace(state, hunt=(card,), drawn=(), ghosts=ghosts)
    shown = m.HuntShown(card, SUIT_OF[card], RANK_OF[card])
    if is_won_at_once(state):
        state, events = over(state, "survived")
    else:
        state, events = open_window(state, "reaction")
    return state, (shown, *events)


def put_back(state: State) -> Result:
    """A player holds the card that the box drew: it's known to be in a hand, and the box draws again."""
    card = state.drawn[0]
    state = replace(
        state,
        phase=state.resume,
        drawn=(),
        deck=state.deck + 1,
        unseen=add(state.unseen, card),
        held=add(state.held, card),
    )
    return state, (m.HuntHeld(card),)


# Windows for provisions: each player in turn, first player first


def open_window(state: State, phase: Phase) -> Result:
    """Ask whoever may have a provision; nobody: play goes on."""
    for seat in (state.first, 1 - state.first):
        if can_be_asked(state, seat):
            return replace(state, phase=phase, asked=seat), ()
    return CLOSE[phase](state)


def pass_window(state: State) -> Result:
    """The asked player is done: the other one is asked, or play goes on."""
    if state.phase == "partner":
        return replace(state, phase="action", asked=state.turn), ()
    other = 1 - state.asked
    if state.asked == state.first and can_be_asked(state, other):
        return replace(state, asked=other), ()
    return CLOSE[state.phase](state)


def close_window(state: State) -> Result:
    """Neither player plays a provision."""
    return CLOSE[state.phase](replace(state, asked=1 - state.first))


# Where the hunt goes


def after_reaction(state: State) -> Result:
    """Distractions, then the omen of a King, then the hunt itself (STE-40)."""
    card = state.hunt[0]
    is_king = RANK_OF[card] == KING
    if SUIT_OF[card] in state.cries:
        annulled = m.HuntAnnulled(card, "distraction")
        if is_king and state.options.distracted_king_omen and omens_left(state):  # STE-25
            return replace(state, phase="omen", effects=(*state.effects, "calm")), (annulled,)
        state, events = end_round(state)  # STE-48
        return state, (annulled, *events)
    if is_king and state.options.king_order == "omen_first" and omens_left(state):  # STE-02
        return replace(state, phase="omen"), ()
    return aim(state)


def omens_left(state: State) -> bool:
    """Whether there is an omen to reveal; they're never reshuffled (STE-79)."""
    return len(state.omens) < len(OMENS)


def aim(state: State) -> Result:
    """The zone: all of them under the Sun, else the card's suit unless a mirror diverts it (STE-98)."""
    suit = SUIT_OF[state.hunt[0]]
    if "sun" in state.effects:
        return strike(state, "all")
    ways = diversions(state)
    if not ways:
        return strike(state, suit)
    if len(ways) == 1:
        return divert(state, ways[0])
    mirror = state.mirror
    return replace(state, phase="mirror", asked=mirror.seat if mirror else 0), ()


def diversions(state: State) -> list[Suit]:
    """The suits a mirror could send this hunt to: those around it that differ (STE-98)."""
    mirror, suit = state.mirror, SUIT_OF[state.hunt[0]]
    if mirror is None or suit_at(state, mirror.cell) != suit:
        return []
    around = {suit_at(state, cell) for cell in NEIGHBOURS[mirror.cell]}
    return [other for other in SUITS if other in around and other != suit]


def divert(state: State, suit: Suit) -> Result:
    """The mirror breaks, and the hunt goes where its owner chose."""
    mirror = state.mirror
    diverted = m.HuntDiverted(mirror.seat if mirror else 0, suit)
    state, events = strike(lift(state, mirror, "swords-03"), suit)
    return state, (diverted, *events)


def strike(state: State, zone: str) -> Result:
    """The zone is certain. Bonuses are announced before anything is compared (STE-97)."""
    state = replace(state, zone=zone)
    if hunted(state):
        return open_window(state, "bonus")
    state, events = after_hunt(state)
    return state, (m.NobodyHunted(), *events)


# Resolution


def level(state: State, seat: int) -> int:
    """A player's silence (STE-42)."""
    total = state.bonus[seat]
    if "strength" in state.effects:
        total += 2
    if state.played[seat]:
        value = RANK_OF[state.played[seat][0]]
        if state.acts[seat] == "entrench":  # STE-22
            total += value // 2 if state.options.entrench_rounding == "down" else (value + 1) // 2
        else:
            total += value - 2 if "moon" in state.effects else value
        if state.barrier is not None and state.barrier.cell == state.tokens[seat]:  # STE-92
            total += 3
    return total


def compare(state: State) -> Result:
    """Everybody in the zone at once (STE-45): quieter than heard, or heard with the difference as noise."""
    perception = RANK_OF[state.hunt[0]]
    events: list[Event] = []
    due = [0, 0]
    rewards: list[int] = []
    hands, played, piles, gone = state.hands, state.played, state.piles, state.gone
    known, last = state.known, state.last
    for seat in hunted(state):
        silence = level(state, seat)
        cards = played[seat]
        if cards:
            played = put(played, seat, ())
        if silence > perception:
            events.append(m.Escaped(seat, silence, perception))
            rewards.append(seat)  # STE-46
            if cards:
                hands = put(hands, seat, add(hands[seat], cards[0]))
                known = add(known, cards[0])
                events.append(m.PickedUp(seat, cards[0]))
            continue
        events.append(m.Heard(seat, silence, perception))
        if seat != state.spared:  # STE-65
            due[seat] = perception - silence  # STE-43: a tie makes no noise
        last = put(last, seat, ())
        if cards:
            events.append(m.CardLost(seat, cards[0]))
            if state.options.lost_cards == "removed":  # STE-47
                gone = add(gone, cards[0])
            else:
                piles = put(piles, seat, add(piles[seat], cards[0]))
    state = replace(
        state,
        hands=hands,
        played=played,
        piles=piles,
        gone=gone,
        known=known,
        last=last,
        due=(due[0], due[1]),
        rewards=tuple(rewards),
    )
    state, more = open_window(state, "cancel") if any(due) else add_noise(state)
    return state, (*events, *more)


def add_noise(state: State) -> Result:
    """The noise that nobody cancelled is added, then those who escaped are rewarded."""
    state, events = louder(state, sum(state.due), state.due)
    if state.phase == "over":
        return state, events
    state, more = reward(replace(state, due=(0, 0)))
    return state, (*events, *more)


def reward(state: State) -> Result:
    """A provision for everyone who was hunted and escaped (STE-46)."""
    state, events, done = provide(state, "reward")
    if not done:
        return state, events
    state, more = after_hunt(state)
    return state, (*events, *more)


def after_hunt(state: State) -> Result:
    """The round ends; where the hunt comes first, a King's omen is still due (STE-02)."""
    if state.options.king_order == "hunt_first" and RANK_OF[state.hunt[0]] == KING and omens_left(state):
        return replace(state, phase="omen"), ()
    return end_round(state)


CLOSE: dict[str, Callable[[State], Result]] = {"reaction": after_reaction, "bonus": compare, "cancel": add_noise}
