"""Whole random games by the four buttons alone: no camera and no page, every question goes by the chooser.

What has a single answer is no decision.
"""

from __future__ import annotations

import random

from benchmarks.presses.fingers import Clock, Fingers
from benchmarks.presses.tally import PressTally
from companion.games.cards import HIDDEN
from companion.games.game import Decide, Move, Over
from companion.kits import KITS
from companion.session.session import Session
from companion.table.hosts import HOSTS

SETTING_UP = frozenset({"deal", "oracle", "grid", "map", "secret", "place", "first", "start", "mulligan", "pass_on"})
"""Questions that belong to the set-up until another one has been asked."""
WITHOUT_CAMERA = {"silencio": "counted", "similo": "counted", "silentes": "suits"}
"""The variant of the menu that asks least of people who have no camera."""
MAX_PRESSES = 5000


def in_a_hand(public: object, seat: int | None, moves: list[Move], rng: random.Random) -> list[Move]:
    """The moves of a player who holds as many cards as the box knows of, drawn at random from those that can be."""
    size = len(getattr(public, "hands", ())[seat]) if seat is not None and hasattr(public, "hands") else 0
    cards = sorted({move.card for move in moves if getattr(move, "card", HIDDEN) != HIDDEN})  # type: ignore[attr-defined]
    if not 0 < size < len(cards):
        return moves
    held = {*rng.sample(cards, size), HIDDEN}
    return [move for move in moves if getattr(move, "card", HIDDEN) in held]


def game_by_buttons(name: str, players: int, rng: random.Random) -> PressTally:
    """One whole random game, through a session, by buttons alone; a turn ends where another seat decides."""
    host, clock, tally = HOSTS[name], Clock(), PressTally(games=1, setup=[0])
    session = Session(HOSTS, None, clock, rng)
    variants = {key: options for key, _, options in KITS[name].variants}
    session.start(name, {"players": players, **host.at_table, **variants.get(WITHOUT_CAMERA.get(name, ""), {})})
    fingers = Fingers(session, clock)
    seat, is_set_up = -1, True
    for _ in range(MAX_PRESSES):
        fingers.hold_confirm()  # what the box draws may end the game
        running = fingers.running
        step = running.pending
        if isinstance(step, Over):
            break
        is_set_up = is_set_up and step.ask in SETTING_UP
        if isinstance(step, Decide) and step.seat not in (None, seat) and not is_set_up:
            seat = step.seat
            tally.presses.append(0)
        legal = set(host.game.legal(running.history.state))
        moves = [move for move in host.answerable(running.public_state) if move in legal]
        move = moves[0] if len(moves) == 1 else rng.choice(in_a_hand(running.public_state, step.seat, moves, rng))
        expected, _ = host.game.apply(running.history.state, move)
        presses = fingers.pick(move)
        tally.wrong += fingers.running.history.states[running.history.number + 1] != expected
        tally.decisions += isinstance(step, Decide)
        tally.pick(type(move).__name__)
        if is_set_up or not tally.presses:
            tally.setup[0] += presses
            continue
        tally.presses[-1] += presses
        if isinstance(step, Decide):
            tally.each.append(presses)
    tally.turns = len(tally.presses)
    return tally
