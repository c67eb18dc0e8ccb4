"""The 22 omens, one function each, and the choices some of them ask for."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from companion.games.cards import HIDDEN, Card, add, drop, put
from companion.games.game import Event
from companion.games.silentes import moves as m
from companion.games.silentes.hunt import aim, draw_open, may_be_held
from companion.games.silentes.knowledge import discarded, hand_over, known_cards, received
from companion.games.silentes.map import nearest, shelters
from companion.games.silentes.records import CELLS, HOLE, IS_RANKLESS, KINGS, OMENS, RANK_OF, Effect, Phase, State
from companion.games.silentes.rounds import (
    Result,
    end_round,
    is_won_at_once,
    lift,
    louder,
    over,
    provide,
    quieter,
)


def reveal_omen(state: State, card: Card) -> Result:
    """An omen comes: it ends the Devil, and counts for nothing if the High Priestess was the last (STE-62)."""
    top = state.omen_top
    from_pool = not top or top[0] == HIDDEN
    state = replace(
        state,
        omens=(*state.omens, card),
        omen_top=top[1:],
        unseen_omens=drop(state.unseen_omens, card) if from_pool else state.unseen_omens,
        effects=tuple(effect for effect in state.effects if effect != "devil"),
    )
    shown = m.OmenShown(card, is_drawn=not top and state.options.drawing == "virtual")
    if "secret" in state.effects:
        state = replace(state, effects=tuple(effect for effect in state.effects if effect != "secret"))
        state, events = after_omen(state)
        return state, (shown, m.OmenIgnored(card), *events)
    state, events = EFFECTS[card](state)
    return state, (shown, *events)


def after_omen(state: State) -> Result:
    """The hunt goes on, unless it's over already or cancelled (STE-02, STE-48)."""
    if state.options.king_order == "hunt_first" or "calm" in state.effects:
        return end_round(state)
    return aim(state)


def then(state: State, *events: Event) -> Result:
    """What an omen did, then the hunt; a game that it ended stays ended."""
    if state.phase == "over":
        return state, events
    state, more = after_omen(state)
    return state, (*events, *more)


def idle(state: State) -> Result:
    """The omen has nothing to act on (G-12)."""
    return then(state, m.OmenIdle(state.omens[-1]))


def hunt_is_to_come(state: State) -> bool:
    """Whether this round's hunt is still to be resolved."""
    return state.options.king_order == "omen_first" and "calm" not in state.effects


def fool(state: State) -> Result:
    """0: one noise; the larger hand stumbled, of two equal ones neither (STE-60)."""
    mine, other = (len(state.hands[seat]) + len(state.provisions[seat]) for seat in (0, 1))
    stumbled = () if mine == other else (m.Stumbled(0 if mine > other else 1),)
    state, events = louder(state, 1)
    return then(state, *stumbled, *events)


def magician(state: State) -> Result:
    """I: provisions change hands, as many as both like (STE-61)."""
    return ask_in_turn(state, "trade", lambda seat: bool(state.provisions[seat]))


def high_priestess(state: State) -> Result:
    """II: the next omen is spent without effect (STE-62)."""
    return begin(state, "secret", "next_omen")


def empress(state: State) -> Result:
    """III: two provisions for the group to share out, fewer if there are no more (STE-63)."""
    if state.stock == 0:
        return idle(state)
    return replace(state, phase="gift", count=min(2, state.stock)), ()


def emperor(state: State) -> Result:
    """IV: three noise less (STE-63)."""
    state, events = quieter(state, 3)
    return then(state, *events)


def hierophant(state: State) -> Result:
    """V: both look at the next three hunt cards and order them (STE-64)."""
    size = min(3, state.deck)
    if size == 0:
        return idle(state)
    if state.options.drawing == "table":
        return then(replace(state, top=(HIDDEN,) * size), m.LookedAhead("hunt", size))
    return see_next_or_order(state)


def see_next_or_order(state: State) -> Result:
    """The next of the three cards, or their order once all are seen."""
    size = min(3, state.deck)
    if len(state.top) < size:
        return replace(state, phase="peek"), ()
    if size == 1:
        return then(state)
    return replace(state, phase="order", count=0), ()


def lovers(state: State) -> Result:
    """VI: a player may take two noise so that the partner makes none this round (STE-65)."""
    if not hunt_is_to_come(state):
        return idle(state)
    return ask_in_turn(state, "sacrifice", lambda seat: True)


def chariot(state: State) -> Result:
    """VII: both may move to any shelter, with the card they hide behind (STE-66)."""
    return ask_in_turn(state, "ride", lambda seat: can_ride(state, seat))


def can_ride(state: State, seat: int) -> bool:
    """Whether there is another shelter to go to."""
    return any(cell != state.tokens[seat] for cell in shelters(state))


def strength(state: State) -> Result:
    """VIII: two more silence for everybody in the next round (STE-67)."""
    return begin(state, "strength", "next_round")


def hermit(state: State) -> Result:
    """IX: this round's hunt is cancelled (STE-68)."""
    card = state.hunt[0]
    if not hunt_is_to_come(state):
        return idle(state)
    return then(replace(state, effects=(*state.effects, "calm")), m.HuntAnnulled(card, "calm"))


def wheel(state: State) -> Result:
    """X: a coin decides over the meter (STE-69)."""
    return replace(state, phase="coin"), ()


def justice(state: State) -> Result:
    """XI: the louder player loses a provision; if nobody made noise, both draw one (STE-70)."""
    mine, other = state.caused
    if mine == other == 0:
        return draw_for_justice(replace(state, rewards=(state.first, 1 - state.first)))
    if mine == other:
        return replace(state, phase="blame"), ()
    return blame(state, 0 if mine > other else 1)


def hanged_man(state: State) -> Result:
    """XII: in the next round shelters of Swords count as Cups and the other way round (STE-67)."""
    return begin(state, "hanged", "next_round")


def death(state: State) -> Result:
    """XIII: a new map, as far as the deck lasts; tokens stay where they are (STE-71)."""
    old = tuple(card for card in state.map if card != HOLE)
    state = lift(lift(state, state.barrier, "wands-02"), state.mirror, "swords-03")
    state = replace(state, map=(HOLE,) * len(CELLS), gone=tuple(sorted((*state.gone, *old))), count=0)
    state, events = map_on(state)
    return state, (m.MapDiscarded(old), *events)


def temperance(state: State) -> Result:
    """XIV: the next refill goes to six (STE-72)."""
    return begin(state, "temperance", "refill")


def devil(state: State) -> Result:
    """XV: no provisions until another omen is revealed (STE-73)."""
    return begin(state, "devil", "next_omen")


def tower(state: State) -> Result:
    """XVI: the highest shelter falls; of several the players choose (STE-74)."""
    cells = highest(state)
    if not cells:
        return idle(state)
    if len(cells) > 1:
        return replace(state, phase="tower"), ()
    return ruin(state, cells[0])


def highest(state: State) -> list[int]:
    """The shelters of the highest printed value; any, where the box doesn't know the values."""
    standing = shelters(state)
    if any(state.map[cell] in IS_RANKLESS for cell in standing):
        return standing
    top = max((RANK_OF[state.map[cell]] for cell in standing), default=0)
    return [cell for cell in standing if RANK_OF[state.map[cell]] == top]


def star(state: State) -> Result:
    """XVII: each may take one card back from the own pile (STE-75)."""
    return ask_in_turn(state, "star", lambda seat: bool(state.piles[seat]))


def moon(state: State) -> Result:
    """XVIII: cards played for silence count two less this round (STE-76)."""
    return begin(state, "moon", "now")


def sun(state: State) -> Result:
    """XIX: this round's hunt goes to all zones (STE-76)."""
    return begin(state, "sun", "now")


def judgement(state: State) -> Result:
    """XX: half the noise if ten hunt cards or fewer are left, else three more (STE-77)."""
    if state.deck <= 10:
        state, events = quieter(state, state.noise - state.noise // 2)
    else:
        state, events = louder(state, 3)
    return then(state, *events)


def world(state: State) -> Result:
    """XXI: victory if it's the last of all omens, or at some tables the last that can come (STE-78)."""
    is_last = len(state.omens) == len(OMENS)
    if not is_last and state.options.world_win == "last_king":
        is_last = state.deck == 0 or all(is_accounted_for(state, king) for king in KINGS)
    if is_last:
        return over(state, "world")
    return idle(state)


def is_accounted_for(state: State, king: Card) -> bool:
    """Whether everybody can see that a King isn't in the hunt deck any more (STE-78)."""
    lying = (state.map, state.gone, state.hunt, state.held, *state.piles, *state.played)
    return king in known_cards(state) or any(king in zone for zone in lying)


EFFECTS: dict[Card, Callable[[State], Result]] = dict(
    zip(
        OMENS,
        (
            fool, magician, high_priestess, empress, emperor, hierophant, lovers, chariot, strength, hermit, wheel,
            justice, hanged_man, death, temperance, devil, tower, star, moon, sun, judgement, world,
        ),
        strict=True,
    )
)  # fmt: skip


# Steps that several omens share


def begin(state: State, effect: Effect, when: m.When) -> Result:
    """An effect that lasts."""
    began = m.EffectBegan(effect, when)
    if when == "next_round":
        return then(replace(state, coming=(*state.coming, effect)), began)
    return then(replace(state, effects=(*state.effects, effect)), began)


def ask_in_turn(state: State, phase: Phase, wants: Callable[[int], bool]) -> Result:
    """Ask each player for whom there is something to choose, first player first."""
    for seat in (state.first, 1 - state.first):
        if wants(seat):
            return replace(state, phase=phase, asked=seat), ()
    return idle(state)


def next_asked(state: State, may_choose: bool) -> Result:
    """The other player's choice, if it's still to come."""
    if state.asked == state.first and may_choose:
        return replace(state, asked=1 - state.asked), ()
    return after_omen(state)


# What the choices do


def trade(state: State, card: Card) -> Result:
    """A provision goes to the partner (STE-61)."""
    giver = state.asked
    given = m.Given(giver, 1 - giver, card)
    state = hand_over(state, giver, card)
    if state.provisions[giver]:
        return state, (given,)
    state, events = traded(state)
    return state, (given, *events)


def traded(state: State) -> Result:
    """A player gives no more."""
    return next_asked(state, bool(state.provisions[1 - state.asked]))


def show_gift(state: State, card: Card) -> Result:
    """One of the Empress's provisions lies open."""
    state = replace(
        state,
        phase="share",
        drawn=(card,),
        stock=state.stock - 1,
        count=state.count - 1,
        unseen_provisions=drop(state.unseen_provisions, card),
    )
    return state, (m.GiftShown(card),)


def share(state: State, seat: int) -> Result:
    """The group gives it to a player."""
    card = state.drawn[0]
    state = replace(state, drawn=(), **received(state, seat, card))
    if state.count:
        return replace(state, phase="gift"), (m.Shared(seat, card),)
    return then(state, m.Shared(seat, card))


def peek(state: State, card: Card) -> Result:
    """Both players see one of the Hierophant's cards; drawn by the box, a player may hold it."""
    asks = may_be_held(replace(state, top=()))
    state = replace(state, unseen=drop(state.unseen, card))
    if asks:
        return replace(state, phase="held", resume="peek", deck=state.deck - 1, drawn=(card,)), (m.HuntDrawn(card),)
    state, events = see_next_or_order(replace(state, top=(*state.top, card)))
    return state, (m.PeekedByAll(card), *events)


def peeked(state: State) -> Result:
    """Nobody holds the card that the box drew for the Hierophant."""
    card = state.drawn[0]
    state, events = see_next_or_order(replace(state, drawn=(), deck=state.deck + 1, top=(*state.top, card)))
    return state, (m.PeekedByAll(card), *events)


def order(state: State, card: Card) -> Result:
    """The card lies next on the hunt deck; when one is left it follows by itself."""
    at = state.count
    rest = tuple(other for other in state.top[at:] if other != card)
    state = replace(state, top=(*state.top[:at], card, *rest), count=at + 1)
    if state.count < min(3, len(state.top)) - 1:
        return state, ()
    return after_omen(replace(state, count=0))


def sacrifice(state: State) -> Result:
    """Two noise now, and the partner's noise of this round is nothing (STE-65)."""
    seat = state.asked
    state, events = louder(replace(state, spared=1 - seat), 2, (2, 0) if seat == 0 else (0, 2))
    return then(state, m.Sacrificed(seat, 1 - seat), *events)


def ride(state: State, cell: int) -> Result:
    """A free move (STE-66)."""
    seat = state.asked
    state, events = rode(replace(state, tokens=_tokens(state, seat, cell)))
    return state, (m.Moved(seat, cell), *events)


def rode(state: State) -> Result:
    """A player has moved, or stays."""
    return next_asked(state, can_ride(state, 1 - state.asked))


def toss(state: State, side: str) -> Result:
    """Heads: silence. Tails: twice the noise (STE-69)."""
    state, events = quieter(state, state.noise) if side == "heads" else louder(state, state.noise)
    return then(state, m.CoinFell(side), *events)


def blame(state: State, seat: int) -> Result:
    """The louder player must discard a provision, if there is one (STE-70)."""
    blamed = m.Blamed(seat)
    if state.provisions[seat]:
        return replace(state, phase="penance", asked=seat), (blamed,)
    return then(state, blamed)


def penance(state: State, card: Card) -> Result:
    """The provision goes."""
    seat = state.asked
    return then(replace(state, **discarded(state, seat, card)), m.Discarded(seat, card))


def draw_for_justice(state: State) -> Result:
    """A provision for both, as far as they last."""
    state, events, done = provide(state, "justice")
    return then(state, *events) if done else (state, events)


def map_on(state: State) -> Result:
    """The next shelter of a new map; then tokens on holes move (STE-71)."""
    if is_won_at_once(state):
        return over(state, "survived")
    if state.deck and state.count < len(CELLS):
        return replace(state, phase="remap"), ()
    return flee_on(replace(state, count=0))


def remap(state: State, card: Card) -> Result:
    """A shelter of the new map."""
    cell = state.count
    state = draw_open(state, card)
    shown = m.ShelterShown(cell, card)
    state, events = map_on(replace(state, map=(*state.map[:cell], card, *state.map[cell + 1 :]), count=cell + 1))
    return state, (shown, *events)


def ruin(state: State, cell: int) -> Result:
    """A shelter falls: two noise for each player there, who must find another (STE-74)."""
    card = state.map[cell]
    fell = m.ShelterFell(cell, card)
    if state.barrier is not None and state.barrier.cell == cell:
        state = lift(state, state.barrier, "wands-02")
    if state.mirror is not None and state.mirror.cell == cell:
        state = lift(state, state.mirror, "swords-03")
    state = replace(state, map=(*state.map[:cell], HOLE, *state.map[cell + 1 :]), gone=add(state.gone, card))
    caused = (2 * (state.tokens[0] == cell), 2 * (state.tokens[1] == cell))
    state, events = louder(state, sum(caused), caused)
    if state.phase == "over":
        return state, (fell, *events)
    state, more = flee_on(state)
    return state, (fell, *events, *more)


def flee_on(state: State) -> Result:
    """Tokens without a shelter move to the nearest one; of several its player chooses."""
    events: list[Event] = []
    for seat in (state.first, 1 - state.first):
        cell = state.tokens[seat]
        if cell < 0 or state.map[cell] != HOLE:
            continue
        ways = nearest(state, cell)
        if len(ways) > 1:
            return replace(state, phase="flee", asked=seat), tuple(events)
        to = ways[0] if ways else -1
        state = replace(state, tokens=_tokens(state, seat, to))
        if ways:
            events.append(m.Moved(seat, to))
    return then(state, *events)


def flee(state: State, cell: int) -> Result:
    """A token goes to the shelter its player chose."""
    seat = state.asked
    state, events = flee_on(replace(state, tokens=_tokens(state, seat, cell)))
    return state, (m.Moved(seat, cell), *events)


def take_back(state: State, card: Card) -> Result:
    """A card of the own pile comes back (STE-75)."""
    seat = state.asked
    piles = put(state.piles, seat, drop(state.piles[seat], card))
    state, events = starred(replace(state, piles=piles, **received(state, seat, card)))
    return state, (m.Recovered(seat, card), *events)


def starred(state: State) -> Result:
    """A player has taken a card, or doesn't want one."""
    return next_asked(state, bool(state.piles[1 - state.asked]))


def _tokens(state: State, seat: int, cell: int) -> tuple[int, ...]:
    return (cell, state.tokens[1]) if seat == 0 else (state.tokens[0], cell)
