"""Why a move is refused in Cisza: the code and the sentence for everything that `legal` doesn't list.

Nothing here decides whether a move is legal; it only finds the words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.cards import HIDDEN, Card, Tristate
from companion.games.cisza import records as r
from companion.games.cisza import words
from companion.games.cisza.attack import neighbours
from companion.games.cisza.knowledge import actor, holds
from companion.games.cisza.records import KIND, NOISY, RESCUES, RESOURCE, WEAK, State
from companion.games.game import Deal, Move, Show
from companion.text import N_, Text

Why = tuple[str, str, dict[str, Any]]
# What is said of a card of which there is no other: where all lie that everybody can see, if that can be told.
ALL_SEEN = N_("Every {card} card has been seen already: it can't come again.")
ALL_LIE = N_("Every {card} card has been seen already: {places}.")


def known_zones(state: State, card: Card) -> tuple[Text, ...]:
    """Where the cards of a kind lie for everybody to see, and how many."""
    where = []
    for seat, (zombies, barriers) in enumerate(zip(state.zombies, state.barriers, strict=True)):
        if count := (*zombies, *barriers).count(card):
            where.append(Text(words.SHELTER, {"count": count, "seat": seat + 1}))
    if state.top == card:
        where.append(Text(words.ON_CITY))
    killed = state.killed[KIND[card]] if card in KIND else 0
    counts = {words.KILLED: killed, words.DISCARDS: state.discard.count(card), words.BOX: state.box.count(card)}
    return (*where, *(Text(place, {"count": count}) for place, count in counts.items() if count))


def why_show(state: State, move: Show) -> Why:
    """A card of the city that can't come now (G-11)."""
    if move.card not in KIND:
        return "misread", N_("{card} is no zombie of the city."), {"card": move.card}
    return "misread", ALL_SEEN, {"card": move.card}


def why_deal(state: State, move: Deal) -> Why:
    """A resource that can't come now (G-11)."""
    if move.card not in RESOURCE:
        return "misread", N_("{card} is no resource card of this game."), {"card": move.card}
    return "misread", ALL_SEEN, {"card": move.card}


def why_start(state: State, move: r.Start) -> Why:
    """A seat that isn't there."""
    return "no_such_seat", N_("There is no player {seat}."), {"seat": move.seat}


def why_not_from_hand(state: State, card: Card) -> Why | None:
    """A card that can't be in the hand."""
    if card == HIDDEN:
        return "not_held", N_("A card must be named here."), {}
    if card not in RESOURCE:
        return "misread", N_("{card} is no resource card of this game."), {"card": card}
    if holds(state, state.turn, card) is not Tristate.NO:
        return None
    if HIDDEN in state.hands[state.turn]:
        return "misread", ALL_SEEN, {"card": card}
    return "not_held", N_("{card} isn't in that hand."), {"card": card}


def why_discard(state: State, move: r.Discard) -> Why:
    """Not in the hand, or a turn of playing."""
    missing = why_not_from_hand(state, move.card)
    if missing:
        return missing
    return (
        "no_mixing",
        N_("{card} can't be discarded: in a turn cards are played or discarded, not both."),
        {"card": move.card},
    )


def why_play(state: State, move: r.Play) -> Why:
    """Not in the hand, a turn of discarding, or nothing to do."""
    card = move.card
    missing = why_not_from_hand(state, card)
    if missing:
        return missing
    if state.mode == "discard":
        return (
            "no_mixing",
            N_("{card} can't be played: in a turn cards are played or discarded, not both."),
            {"card": card},
        )
    return why_void(state, card)


def why_void(state: State, card: Card) -> Why:
    """No part of a card's effect can happen (CIS-11)."""
    if card in RESCUES and state.city:
        return "zombie_on_top", N_("{card} can't be played: a zombie stands on the city."), {"card": card}
    if card in RESCUES or card == "surprise":
        return "city_empty", N_("{card} can't be played: the city is empty."), {"card": card}
    if card == "sabotage":
        return "no_barriers", N_("{card} can't be played: no other player has a barrier."), {"card": card}
    if card == "eviction":
        return "nothing_to_swap", N_("{card} can't be played: there is nothing to exchange."), {"card": card}
    if card == "bribery":
        return "too_few_survivors", N_("{card} can't be played: nobody else has two survivors."), {"card": card}
    if card == "sacrifice" and state.zombies[state.turn]:
        return "no_survivor", N_("{card} can't be played: there is no survivor to give up."), {"card": card}
    if card in ("sacrifice", "drone"):
        return "no_zombie", N_("{card} can't be played: there is no zombie to send away."), {"card": card}
    return "no_target", N_("{card} can't be played: there is no zombie it could hit."), {"card": card}


def why_noise(state: State, move: r.NoiseOnly) -> Why:
    """Noise alone: only in expert mode, with the icon, and while somebody can hear it (CIS-60..62)."""
    card = move.card
    missing = why_not_from_hand(state, card)
    if missing:
        return missing
    if not state.options.expert:
        return "not_expert", N_("{card} can't be played for its noise alone: that is expert mode."), {"card": card}
    if card not in NOISY:
        return "no_icon", N_("{card} can't be played for its noise alone: it has no noise icon."), {"card": card}
    if not state.city:
        return "city_empty", N_("{card} can't be played for its noise: the city is empty."), {"card": card}
    return why_play(state, r.Play(card))


def why_target(state: State, move: r.Target) -> Why:
    """A player who isn't there, isn't another, or has nothing the trick needs."""
    seat, card = move.seat, state.card
    wrong = why_not_another(state, seat)
    if wrong:
        return wrong
    if card == "sabotage":
        return "no_barriers", N_("Player {seat} has no barriers to destroy."), {"seat": seat}
    if card == "bribery":
        return "too_few_survivors", N_("Player {seat} has only one survivor and can't lose it."), {"seat": seat}
    return "nothing_to_swap", N_("There is nothing to exchange with player {seat}."), {"seat": seat}


def why_not_another(state: State, seat: int) -> Why | None:
    """A seat that can't be another living player (CIS-23)."""
    if not 0 <= seat < state.options.players:
        return "no_such_seat", N_("There is no player {seat}."), {"seat": seat}
    if seat in state.out:
        return "eliminated", N_("Player {seat} is out of the game."), {"seat": seat}
    if seat == actor(state):
        return "not_another", N_("Player {seat} must choose another player."), {"seat": seat}
    return None


def why_kill(state: State, move: r.Kill) -> Why:
    """A zombie that isn't there, or that the weapon can't hit."""
    zombie, card = move.zombie, state.card
    if zombie not in KIND or zombie not in state.zombies[actor(state)]:
        return "not_there", N_("There is no {zombie} in that shelter."), {"zombie": zombie}
    if card == "shotgun" and zombie in WEAK:
        return (
            "needs_two",
            N_("At this table {card} needs two regular or fast zombies."),
            {"card": card},
        )
    return "wrong_zombie", N_("{card} can't eliminate a {zombie} now."), {"card": card, "zombie": zombie}


def why_kill_top(state: State, move: r.KillTop) -> Why:
    """Only the sniper reaches the city, and only a zombie that shows."""
    if state.card != "sniper":
        return "wrong_zombie", N_("{card} doesn't reach the city."), {"card": state.card}
    return "not_there", N_("No zombie stands on the city."), {}


def why_send(state: State, move: r.Send) -> Why:
    """A zombie that isn't there."""
    return "not_there", N_("There is no {zombie} in that shelter."), {"zombie": move.zombie}


def why_assign(state: State, move: r.Assign) -> Why:
    """A zombie that isn't to be given, or a shelter that can't get it."""
    zombie, seat = move.zombie, move.seat
    source = state.drawn if state.phase == "assign" else state.zombies[state.turn]
    if zombie not in source:
        return "not_there", N_("There is no {zombie} to give."), {"zombie": zombie}
    if not 0 <= seat < state.options.players:
        return "no_such_seat", N_("There is no player {seat}."), {"seat": seat}
    if seat in state.out:
        return "eliminated", N_("Player {seat} is out of the game."), {"seat": seat}
    if state.phase == "share":
        return "not_another", N_("Player {seat} must choose another player."), {"seat": seat}
    if state.phase == "pass_on" and seat not in neighbours(state):
        return "not_neighbour", N_("Player {seat} isn't next to the lost shelter."), {"seat": seat}
    if state.again and seat == actor(state):
        return "spared", N_("Player {seat} found a second horde and gets none of these zombies."), {"seat": seat}
    return "has_one", N_("Player {seat} has a zombie of this horde already."), {"seat": seat}


def why_barrier(state: State, move: r.UseBarrier) -> Why:
    """A barrier that doesn't stand, in the wrong moment, or without work."""
    card = move.card
    seat = state.turn if move.seat < 0 else move.seat
    if not 0 <= seat < state.options.players or move.seat == state.turn:
        return "no_such_seat", N_("There is no other player {seat}."), {"seat": seat}
    if card not in state.barriers[seat]:
        return "no_such_barrier", N_("Player {seat} has no {card} standing."), {"seat": seat, "card": card}
    at_will = state.options.mines_any_time and card == "mines"
    if not at_will and (seat != state.turn or state.phase != "attack"):
        return "wrong_window", N_("{card} can only be used in its owner's attack phase."), {"card": card}
    return "nothing_to_stop", N_("{card} can't be used: there is no zombie to stop."), {"card": card}


def why_done(state: State, move: r.Done) -> Why:
    """A second zombie is still due."""
    return "needs_two", N_("At this table {card} needs two regular or fast zombies."), {"card": state.card}


# In which phases a move is an answer at all, and what is wrong with it there.
ANSWERS: dict[type[Move], tuple[tuple[str, ...], Callable[[State, Any], Why]]] = {
    Deal: (("deal", "draw"), why_deal),
    Show: (("flip", "horde"), why_show),
    r.Start: (("start",), why_start),
    r.Discard: (("turn",), why_discard),
    r.Play: (("turn",), why_play),
    r.NoiseOnly: (("turn",), why_noise),
    r.Target: (("target",), why_target),
    r.Kill: (("kill", "kill_more"), why_kill),
    r.KillTop: (("kill", "kill_more"), why_kill_top),
    r.Send: (("send",), why_send),
    r.Assign: (("assign", "share", "pass_on"), why_assign),
    r.UseBarrier: (("turn", "attack"), why_barrier),
    r.Done: (("kill_more",), why_done),
}


def explain(state: State, move: Move) -> Why | None:
    """Code, sentence and values for a move that isn't legal; None if nothing asks for it now."""
    phases, why = ANSWERS.get(type(move), ((), None))
    if why is None or state.phase not in phases:
        return None
    return why(state, move)
