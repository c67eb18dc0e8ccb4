"""The frame of a Silentes round: whose turn it is, the meter, the refill, the end of the round and of the game."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.cards import HIDDEN, Card, add, drop, put
from companion.games.game import Event
from companion.games.silentes import moves as m
from companion.games.silentes.records import HAND_SIZE, NOISE_LIMIT, ROUND_EFFECTS, Laid, Phase, Reason, State

Result = tuple[State, tuple[Event, ...]]


def over(state: State, reason: Reason) -> Result:
    """The end of the game."""
    return replace(state, phase="over", reason=reason), (m.Ended(reason, state.noise),)


def louder(state: State, amount: int, caused: tuple[int, ...] = (0, 0)) -> Result:
    """The meter goes up, at 15 the game is lost at once (STE-05). `caused` is what each player is blamed for."""
    if amount == 0:
        return state, ()
    noise = min(NOISE_LIMIT, state.noise + amount)
    blame = (state.caused[0] + caused[0], state.caused[1] + caused[1])
    state = replace(state, noise=noise, caused=blame)
    rose = m.NoiseRose(amount, noise)
    if noise < NOISE_LIMIT:
        return state, (rose,)
    state, ended = over(state, "noise")
    return state, (rose, *ended)


def quieter(state: State, amount: int) -> Result:
    """The meter goes down, never below 0."""
    noise = max(0, state.noise - amount)
    if noise == state.noise:
        return state, ()
    return replace(state, noise=noise), (m.NoiseFell(state.noise - noise, noise),)


def can_be_asked(state: State, seat: int) -> bool:
    """Whether a player may have a provision to play: only public counts decide, so asking tells nothing."""
    return bool(state.provisions[seat]) and "devil" not in state.effects  # STE-73


def asks_both(state: State) -> bool:
    """Whether a window stands before both players: one box asks both, a phone only its own player."""
    is_for_both = state.phase in ("reaction", "bonus", "cancel") and state.asked == state.first
    return is_for_both and state.options.drawing != "phone" and can_be_asked(state, 1 - state.first)


def begin_turn(state: State, seat: int) -> Result:
    """A player's action, after a window for the partner's provisions (STE-90)."""
    if can_be_asked(state, 1 - seat):
        return replace(state, phase="partner", turn=seat, asked=1 - seat), ()
    return replace(state, phase="action", turn=seat, asked=seat), ()


def begin_round(state: State, first: int) -> Result:
    """The first player acts."""
    state, events = begin_turn(replace(state, first=first), first)
    return state, (m.RoundBegan(state.round, first), *events)


def is_won_at_once(state: State) -> bool:
    """Whether the empty deck wins here and now (STE-03)."""
    return state.deck == 0 and state.options.win_check == "instant"


def lift(state: State, laid: Laid | None, card: Card) -> State:
    """A barrier or mirror leaves its shelter for its owner's pile (STE-90)."""
    if laid is None:
        return state
    piles = put(state.piles, laid.seat, add(state.piles[laid.seat], card))
    if card == "wands-02":
        return replace(state, barrier=None, piles=piles)
    return replace(state, mirror=None, piles=piles)


# Drawing from the hunt deck


def nature_deals(state: State) -> bool:
    """Whether a card drawn to a hand must be named, or might be a ghost; else a hidden card just comes."""
    return state.options.drawing == "phone" or (bool(state.top) and state.top[0] != HIDDEN) or bool(state.ghosts)


def draw_hunt(state: State, seat: int, card: Card) -> State:
    """A hunt card comes into a hand; one that both players had looked at is known to both (STE-64)."""
    hands = put(state.hands, seat, add(state.hands[seat], card))
    unseen = state.unseen if card == HIDDEN or card in state.top else drop(state.unseen, card)
    if state.top:
        known = state.known if card == HIDDEN else add(state.known, card)
        return replace(
            state, hands=hands, deck=state.deck - 1, top=state.top[1:], known=known, unseen=unseen, asked=seat
        )
    return replace(state, hands=hands, deck=state.deck - 1, unseen=unseen, asked=seat)


def provide(state: State, phase: Phase) -> tuple[State, tuple[Event, ...], bool]:
    """Provisions for the seats in `rewards`, as far as they last (STE-46); True when all have come."""
    events: list[Event] = []
    while state.rewards and state.stock:
        if state.options.drawing == "phone":
            return replace(state, phase=phase), tuple(events), False
        state, found = find(state, HIDDEN)
        events += found
    return replace(state, rewards=()) if state.rewards else state, tuple(events), True


def find(state: State, card: Card) -> Result:
    """A provision comes into the hand of the seat that waits first."""
    seat = state.rewards[0]
    state = replace(
        state,
        provisions=put(state.provisions, seat, add(state.provisions[seat], card)),
        stock=state.stock - 1,
        rewards=state.rewards[1:],
        unseen_provisions=state.unseen_provisions if card == HIDDEN else drop(state.unseen_provisions, card),
    )
    return state, (m.Found(seat, card),)


# The end of a round


def end_round(state: State) -> Result:
    """Silence cards are picked up, what held for this round lapses, hands are refilled."""
    events: list[Event] = []
    hands, known = state.hands, state.known
    for seat in (0, 1):
        for card in state.played[seat]:
            hands = put(hands, seat, add(hands[seat], card))
            known = add(known, card)
            events.append(m.PickedUp(seat, card))
    state = lift(state, state.barrier, "wands-02")  # STE-92
    effects = state.effects
    if effects or state.coming:
        effects = (*(effect for effect in effects if effect not in ROUND_EFFECTS), *state.coming)
    state = replace(
        state,
        hands=hands,
        known=known,
        played=((), ()),
        acts=("none", "none"),
        cries=(),
        gone=add(state.gone, state.hunt[0]) if state.hunt else state.gone,
        hunt=(),
        zone="none",
        effects=effects,
        coming=(),
        spared=-1,
        bonus=(0, 0),
        due=(0, 0),
        asked=1 - state.first,
    )
    state, more = refill(state)
    return state, (*events, *more)


def hand_count(state: State, seat: int) -> int:
    """How many cards count towards the refill (STE-27)."""
    count = len(state.hands[seat])
    return count + len(state.provisions[seat]) if state.options.provisions_in_hand_limit else count


def lacking(state: State, seat: int) -> int:
    """How many cards a refill brings a player, if the deck lasts."""
    size = HAND_SIZE + 1 if "temperance" in state.effects else HAND_SIZE  # STE-72
    return size - hand_count(state, seat)


def refill(state: State) -> Result:
    """Single cards in turn, first player first, until both hands are full or the deck is empty (STE-29)."""
    events: list[Event] = []
    while state.deck:
        other = 1 - state.asked
        if lacking(state, other) > 0:
            seat = other
        elif lacking(state, state.asked) > 0:
            seat = state.asked
        else:
            break
        if nature_deals(state):
            return replace(state, phase="refill", asked=seat), tuple(events)
        state = draw_hunt(state, seat, HIDDEN)
        events.append(m.Dealt(seat, HIDDEN))
    state, more = close_round(state)
    return state, (*events, *more)


def refill_on(state: State) -> Result:
    """A ghost came: the same player draws again; with no ghost left the rest is only counted."""
    if nature_deals(state):
        return state, ()
    seat = state.asked
    state, events = refill(draw_hunt(state, seat, HIDDEN))
    return state, (m.Dealt(seat, HIDDEN), *events)


def close_round(state: State) -> Result:
    """Victory if the deck is empty (STE-03), else the next round."""
    if state.deck == 0:
        return over(state, "survived")
    if "temperance" in state.effects:
        state = replace(state, effects=tuple(effect for effect in state.effects if effect != "temperance"))
    state = replace(state, round=state.round + 1)
    rule = state.options.first_player  # STE-07
    if rule == "free":
        return replace(state, phase="first"), ()
    return begin_round(state, state.first if rule == "fixed" else 1 - state.first)
