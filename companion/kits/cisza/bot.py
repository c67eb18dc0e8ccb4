"""Cisza: rescue quietly, keep the own shelter clear, and leave the zombies to whoever leads."""

from __future__ import annotations

from companion.games.cisza import records as r
from companion.games.cisza.knowledge import actor
from companion.games.cisza.records import BARRIERS, NOISY, RESCUES, WEAPONS, State
from companion.games.game import Move

TRICKS = {"bribery": 6.0, "surprise": 4.0, "drone": 3.5, "sabotage": 0.5}


def worth(view: State, move: Move) -> float:
    """What a cunning keeper of a shelter thinks of a move."""
    match move:
        case r.Play(card):
            return card_worth(view, card)
        case r.NoiseOnly():
            return -2.0
        case r.Discard(card):
            return -1.0 if view.zombies[view.turn] or card in BARRIERS | RESCUES.keys() else 0.1
        case r.Kill(zombie):
            return 1.0 if zombie == "strong" else 0.5
        case r.KillTop():
            return 0.2
        case r.Target(seat):
            return lead(view, seat) + (len(view.barriers[seat]) if view.card == "sabotage" else 0)
        case r.Send(zombie):
            return 1.0 if zombie == "strong" else 0.0
        case r.Assign(zombie, seat):
            own = seat == actor(view)
            return (-9.0 if own else lead(view, seat)) * (2.0 if zombie == "strong" else 1.0)
        case r.UseBarrier(card, seat):
            return barrier_worth(view, card) if seat in (-1, view.turn) else -1.0
        case r.Mulligan():
            return -0.5
        case _:
            return 0.0


def card_worth(view: State, card: str) -> float:
    """What playing a card is worth now."""
    seat = view.turn
    threat = len(view.zombies[seat])
    risk = 1.5 if card in NOISY and view.top != "none" else 0.5 if card in NOISY else 0.0
    if card in RESCUES:
        return 5.0 * RESCUES[card] - risk
    if card in BARRIERS:
        return 3.0
    if card in WEAPONS:
        return (6.0 if threat else -1.0) - risk
    if card == "eviction":
        most = max(len(view.zombies[other]) for other in range(view.options.players) if other != seat)
        return 4.0 - risk if threat > 1 and most == 0 else -3.0
    if card == "sacrifice":
        return 5.0 if threat >= 2 and view.survivors[seat] > 1 else -5.0
    if card == "drone":
        return TRICKS[card] if threat else -1.0
    return TRICKS[card]


def barrier_worth(view: State, card: str) -> float:
    """A barrier is used when survivors would fall; an alarm only against more than one zombie."""
    coming = len(view.zombies[view.turn]) - len(view.fresh) - view.stopped
    if coming <= 0:
        return -1.0
    return {"barricade": 2.0, "mines": 1.5, "alarm": 1.0 if coming > 1 else -0.5}[card]


def lead(view: State, seat: int) -> float:
    """How far ahead a player is."""
    return view.survivors[seat] - 0.5 * len(view.zombies[seat])
