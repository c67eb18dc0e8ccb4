"""What the players of a simulated table do: a turn at a time, sensibly, and what of it they must tell the box."""

from __future__ import annotations

import random
from typing import Any

from companion.bots.policy import sensible
from companion.games.game import Decide, Game, IllegalMove, Move, Over, Reveal
from companion.games.silencio.records import Drawn
from companion.table.host import Host
from companion.table.proposing import states_along

CURIOUS = 0.15
"""How often a player does just anything."""
MAX_TURN_MOVES = 60
"""Moves in one turn."""

# Kinds of move that nobody can see, and whoever makes them knows that: they're told with the buttons.
TOLD = {
    "silencio": {"Start", "Pass", "Swap", "Tavern"},
    "similo": {"Safe", "Lost", "Secret", "Vote", "Announce"},
    "silentes": {
        "First", "Accept", "Take", "Put", "Give", "Share", "Blame", "Divert", "Held", "Coin", "Pass", "No", "Entrench",
    },
    "cisza": {"Start", "Keep", "Mulligan"},
}  # fmt: skip


def first_told(game: str, moves: list[tuple[Any, Move, Any]]) -> int | None:
    """The first of some moves that its player must tell, because nobody can see it."""
    for at, (state, move, _) in enumerate(moves):
        following = moves[at + 1][1] if at + 1 < len(moves) else None
        if is_told(game, state, move, following):
            return at
    return None


def is_told(game: str, state: Any, move: Move, following: Move | None) -> bool:
    """Whether a player who makes a move says so."""
    name, card = type(move).__name__, getattr(move, "card", "")
    if name in ("No", "Nobody", "Accept") and following is not None:
        return False  # nobody objects, or what is accepted shows by what comes of it
    if name in TOLD[game]:
        return True
    if game == "silencio":
        # A swap from hand to hand leaves no trace, nor does a blind draw that fails.
        return (name in ("Drawn", "Return") and card == "?") or (
            name == "Choose" and type(following).__name__ == "Swap"
        )
    if game == "cisza":
        is_hidden = name == "Discard" and card == "?"
        return is_hidden or (name == "Done" and state.phase == "turn" and state.mode == "none")
    return False


def choose(host: Host[Any], state: Any, rng: random.Random) -> Move:
    """The next move of whoever must move; nature's is drawn."""
    game = host.game
    legal = [move for move in game.legal(state) if not isinstance(move, game.mishaps)]
    if isinstance(game.pending(state), Reveal):
        moves, weights = zip(*game.chances(state), strict=True)
        return rng.choices(moves, weights)[0]  # type: ignore[no-any-return]
    legal = sane(game, state, legal)
    if rng.random() < CURIOUS:
        return rng.choice(legal)
    step = game.pending(state)
    seat = step.seat if isinstance(step, Decide) else None
    return sensible(game, game.view(state, seat), legal, rng)


def sane(game: Game[Any], state: Any, legal: list[Move]) -> list[Move]:
    """What somebody would do: nobody takes a shrine and leaves its effect, or loses on purpose."""
    if game.name == "silencio":
        kinds = [move for move in legal if type(move).__name__ != "Skip"]
        if state.phase == "light" and state.shrine_used and kinds:
            return kinds
    if game.name == "similo" and state.phase == "answer":
        return [move for move in legal if type(move).__name__ == "Safe"] or legal
    if game.name == "cisza":
        shown = [move for move in legal if not (type(move).__name__ == "Discard" and getattr(move, "card", "") == "?")]
        return shown or legal
    return legal


def next_turn(host: Host[Any], state: Any, rng: random.Random) -> list[tuple[Any, Move, Any]]:
    """The moves of whoever is next, with the states around them: to where somebody else decides or the box draws."""
    game = host.game
    made: list[tuple[Any, Move, Any]] = []
    first = owner(game, state)
    while len(made) < MAX_TURN_MOVES:
        step = game.pending(state)
        if isinstance(step, Over):
            break
        goes_on = bool(made) and is_same_act(game, made[-1], step)
        window = host.window(state) if made and not goes_on else None
        reaction = None if window is None else choose(host, state, rng)
        if window is not None and reaction == window.move:
            break
        goes_on = goes_on or window is not None  # who has something to use in a window lays it at once, before ✔
        if goes_on:
            first = owner(game, state)
        if made and not isinstance(step, Reveal) and owner(game, state) != first and not goes_on:
            break
        if isinstance(step, Reveal) and host.draws(state):
            break
        if (
            made
            and game.name == "silentes"
            and state.phase == "action"
            and made[-1][0].phase not in ("partner", "action")
        ):
            break
        own = host.forced_move(state)
        move = own or reaction or choose(host, state, rng)
        after, _ = game.apply(state, move)
        made.append((state, move, after))
        state = after
    return without_failure(host, made)


def without_failure(host: Host[Any], made: list[tuple[Any, Move, Any]]) -> list[tuple[Any, Move, Any]]:
    """The same turn without a blind draw of Silencio that failed, where that is no news: nobody would tell it."""
    moves = [move for _, move, _ in made]
    failed = next((at for at, move in enumerate(moves) if isinstance(move, Drawn) and move.card == "?"), None)
    if failed is None or failed + 1 == len(moves):
        return made
    played = getattr(moves[failed + 1], "card", "?")
    for way in (
        [*moves[: failed - 1], *moves[failed + 1 :]],
        [*moves[:failed], Drawn(played), *moves[failed + 2 :]],
    ):
        try:
            states = [state for state, _ in states_along(host.game, made[0][0], way)]
        except IllegalMove:
            continue
        if host.table.canonical(states[-1]) == host.table.canonical(made[-1][2]):
            return list(zip(states, way, states[1:], strict=False))
    return made


def is_same_act(game: Game[Any], last: tuple[Any, Move, Any], step: Decide | Reveal) -> bool:
    """Whether a player who has used something goes on at once: lays it on a shelter, or acts if nobody objects."""
    before = game.pending(last[0])
    if getattr(last[0], "phase", "") == "partner" and type(last[1]).__name__ in ("Use", "No"):
        return True
    if type(last[1]).__name__ == "Accept":
        return True
    return type(last[1]).__name__ == "Use" and not isinstance(before, Over) and before.seat == step.seat


def owner(game: Game[Any], state: Any) -> Any:
    """Whose turn it is: what one player does with all that follows from it is one turn."""
    step = game.pending(state)
    if isinstance(step, Over):
        return "over"
    if game.name == "silentes" and state.phase in ("action", "hide", "throw"):
        return "act", state.turn
    if game.name in ("similo", "silentes"):
        return state.phase if state.phase in ("grid", "map", "place", "first") else (step.ask, step.seat)
    return state.phase if not state.started else state.turn


def one_turn(game: Game[Any], state: Any) -> Any:
    """What belongs to one turn is equal: in Silentes a player's action with the hunt and all windows after it."""
    return (state.round, state.turn) if game.name == "silentes" else (owner(game, state), getattr(state, "round", 0))
