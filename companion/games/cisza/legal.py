"""What is legal in each phase of Cisza."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.games.cards import HIDDEN, Card, Cards
from companion.games.cisza import records as r
from companion.games.cisza.attack import can_use, neighbours
from companion.games.cisza.city import receivers
from companion.games.cisza.knowledge import actor, candidates, others
from companion.games.cisza.records import BARRIERS, NOISY, RESOURCES, WEAK, ZOMBIES, State
from companion.games.cisza.resources import FEASIBLE, TARGET, shotgun_minimum, weak_count
from companion.games.game import Deal, Move, Show

# One move of each kind, made once: a legal list is then only a selection.
SEATS = range(6)
DEAL = [Deal(card) for card in RESOURCES]
SHOW = [Show(kind) for kind in ZOMBIES]
PLAY: dict[Card, Move] = {card: r.Play(card) for card in RESOURCES}
NOISE: dict[Card, Move] = {card: r.NoiseOnly(card) for card in RESOURCES}
DISCARD: dict[Card, Move] = {card: r.Discard(card) for card in (*RESOURCES, HIDDEN)}
KILL: dict[Card, Move] = {kind: r.Kill(kind) for kind in ZOMBIES}
SEND: dict[Card, Move] = {kind: r.Send(kind) for kind in ZOMBIES}
ASSIGN: dict[Card, list[Move]] = {kind: [r.Assign(kind, seat) for seat in SEATS] for kind in ZOMBIES}
TARGETS: list[Move] = [r.Target(seat) for seat in SEATS]
STARTS: list[Move] = [r.Start(seat) for seat in SEATS]
USE: dict[Card, Move] = {card: r.UseBarrier(card) for card in sorted(BARRIERS)}
THEIR_MINES: list[Move] = [r.UseBarrier("mines", seat) for seat in SEATS]
DONE, KILL_TOP, SHUFFLE = r.Done(), r.KillTop(), r.Shuffle()
FIRST_HAND: list[Move] = [r.Keep(), r.Mulligan()]


def legal_turn(state: State) -> list[Move]:
    """Phase 1: play any number of cards or discard any number, never both (CIS-10)."""
    seat, options = state.turn, state.options
    hand = state.hands[seat]
    cards = candidates(state, hand)
    moves: list[Move] = []
    if state.mode != "discard":
        for card in cards:
            if FEASIBLE[card](state, seat) or can_be_void(state, card):
                moves.append(PLAY[card])
            if options.expert and state.city and card in NOISY:
                moves.append(NOISE[card])  # CIS-60, CIS-62
    if state.mode != "play":
        moves += [DISCARD[card] for card in cards]
        if options.driver == "table" and HIDDEN in hand:
            moves.append(DISCARD[HIDDEN])
    if options.mines_any_time:
        if can_go_off(state, seat):
            moves.append(USE["mines"])
        moves += their_mines(state)
    moves.append(DONE)
    return moves


def can_be_void(state: State, card: Card) -> bool:
    """Whether a card may be played without any effect: never a drone (CIS-11, CIS-20)."""
    return state.options.allow_void_play and card != "drone"


def can_go_off(state: State, seat: int) -> bool:
    """Mines that have a zombie to hit (CIS-44)."""
    return "mines" in state.barriers[seat] and bool(state.zombies[seat])


def their_mines(state: State) -> list[Move]:
    """Mines of players whose turn it isn't, where they may go off at any time (CIS-41)."""
    return [THEIR_MINES[seat] for seat in others(state, state.turn) if can_go_off(state, seat)]


def legal_kill(state: State) -> list[Move]:
    """The zombies a weapon or mines can eliminate first (CIS-14, CIS-42)."""
    zombies = state.zombies[actor(state)]
    kinds = dict.fromkeys(zombies)
    if state.card == "mines":
        return [KILL[kind] for kind in kinds]
    if state.card == "sniper":
        moves = [KILL[kind] for kind in kinds]
        if state.top != "none":
            moves.append(KILL_TOP)
        return moves
    if state.card == "shotgun":
        enough = weak_count(zombies) >= shotgun_minimum(state)
        return [KILL[kind] for kind in kinds if enough or kind == "strong"]
    return [KILL[kind] for kind in kinds if kind in WEAK]


def legal_kill_more(state: State) -> list[Move]:
    """A second zombie for shotgun or mines, or no more."""
    kinds = dict.fromkeys(state.zombies[actor(state)])
    if state.card == "mines":
        return [*(KILL[kind] for kind in kinds), DONE]
    moves = [KILL[kind] for kind in kinds if kind in WEAK]
    if not state.options.shotgun_needs_two:
        moves.append(DONE)
    return moves


def legal_target(state: State) -> list[Move]:
    """Living players the trick can do something to (CIS-23)."""
    seat, fits = state.turn, TARGET[state.card]
    return [TARGETS[to] for to in others(state, seat) if fits(state, seat, to)]


def legal_assign(state: State) -> list[Move]:
    """Any zombie of the horde for any shelter that has its turn (CIS-33)."""
    return pairs(state.drawn, receivers(state))


def pairs(zombies: Cards, seats: tuple[int, ...]) -> list[Move]:
    """Each kind for each seat."""
    return [ASSIGN[kind][seat] for kind in dict.fromkeys(zombies) for seat in seats]


def legal_attack(state: State) -> list[Move]:
    """Barriers that have something to work on, or none of them (CIS-41, CIS-44)."""
    moves = [USE[card] for card in dict.fromkeys(state.barriers[state.turn]) if can_use(state, card)]
    if state.options.mines_any_time:
        moves += their_mines(state)
    moves.append(DONE)
    return moves


def legal_show(state: State) -> list[Move]:
    """The undersides nobody has seen yet."""
    return [move for move, count in zip(SHOW, state.pool, strict=True) if count]


def legal_deal(state: State) -> list[Move]:
    """The resource cards nobody has seen yet."""
    return [move for move, count in zip(DEAL, state.unseen, strict=True) if count]


LEGAL: dict[str, Callable[[State], Sequence[Move]]] = {
    "deal": legal_deal,
    "start": lambda state: STARTS[: state.options.players],
    "mulligan": lambda state: FIRST_HAND[:],
    "turn": legal_turn,
    "kill": legal_kill,
    "kill_more": legal_kill_more,
    "target": legal_target,
    "send": lambda state: [SEND[kind] for kind in dict.fromkeys(state.zombies[state.turn])],
    "share": lambda state: pairs(state.zombies[state.turn], others(state, state.turn)),
    "flip": legal_show,
    "horde": legal_show,
    "assign": legal_assign,
    "attack": legal_attack,
    "pass_on": lambda state: pairs(state.zombies[state.turn], neighbours(state)),
    "draw": legal_deal,
    "shuffle": lambda state: [SHUFFLE],
    "over": lambda state: [],
}
