"""Random games for property tests: any options a game has, any way it can go."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from companion.chance import reveal
from companion.games.game import BadOptions, Game, Move, Over, Reveal, option_table

CAP = 4000


def any_options(game: Game[Any], rng: random.Random) -> Any:
    """Options drawn at random; combinations the game refuses are drawn again."""
    while True:
        chosen = {
            option.name: rng.choice(option.allowed)
            for option in option_table(game.options_type)
            if option.allowed and (option.name in ("players", "driver", "drawing") or rng.random() < 0.3)
        }
        try:
            return game.options(**chosen)
        except BadOptions:
            continue


def any_game(game: Game[Any], options: Any, rng: random.Random) -> Iterator[tuple[Any, Move, Any, tuple[Any, ...]]]:
    """A random game, step by step: state, move, next state, events. Mishaps are rare, as at a table."""
    state = game.new(options)
    for _ in range(CAP):
        if isinstance(game.pending(state), Over):
            return
        move = any_move(game, state, rng)
        after, events = game.apply(state, move)
        yield state, move, after, events
        state = after
    raise AssertionError(f"no end after {CAP} moves: {options}")


def any_move(game: Game[Any], state: Any, rng: random.Random) -> Move:
    """A random move; mishaps only now and then, so that games last."""
    if isinstance(game.pending(state), Reveal):
        return reveal(game, state, rng)
    legal = game.legal(state)
    votes = getattr(state, "votes", ())
    if votes and rng.random() < 0.7:  # guessers talk, so they mostly agree; random votes would tie for ever
        agreed = [move for move in legal if getattr(move, "cards", None) == votes[0]]
        if agreed:
            return agreed[0]
    moves = [move for move in legal if not isinstance(move, game.mishaps)] or legal
    return rng.choice(legal if rng.random() < 0.003 else moves)
