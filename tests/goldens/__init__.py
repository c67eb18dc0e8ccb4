"""Golden playthroughs: one recorded game for every value of every option, kept as text that a person can read.

`python -m tests.goldens` writes them anew after a wanted change of the rules; the diff shows what changed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.bots.policy import at_random
from companion.bots.simulator import decide
from companion.engine import perft
from companion.games import GAMES
from companion.games.game import BadOptions, Game, Over, option_table
from companion.games.notation import read_move, read_state, write_move, write_state

FOLDER = Path(__file__).parent
# Values that need another option beside them to be a legal table.
COMPANIONS = {
    ("similo", "deck", "custom"): {"characters": [f"card-{number:02}" for number in range(22)]},
    ("similo", "clue_deck", "custom"): {"clue_characters": [f"clue-{number:02}" for number in range(10)]},
    ("similo", "clues_per_round", 3): {},
}
MAX_MOVES = 400


def variants(game: Game[Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A name and the options for every value of every option that isn't the default, and for the default."""
    yield "default", {}
    for option in option_table(game.options_type):
        for value in option.allowed:
            if value == option.default:
                continue
            chosen = {option.name: value, **COMPANIONS.get((game.name, option.name, value), {})}
            try:
                game.options(**chosen)
            except BadOptions:
                chosen = repaired(game, chosen)
            name = f"{option.name}-{value}".lower().replace(" ", "-")
            yield name, chosen


def repaired(game: Game[Any], chosen: dict[str, Any]) -> dict[str, Any]:
    """The same variant with one more option, where the rules refuse it alone."""
    for option in option_table(game.options_type):
        for value in option.allowed:
            if option.name not in chosen:
                try:
                    game.options(**{**chosen, option.name: value})
                except BadOptions:
                    continue
                return {**chosen, option.name: value}
    raise BadOptions("no_table", game.term(str(chosen)))


def playthrough(game: Game[Any], name: str, chosen: dict[str, Any]) -> str:
    """A whole game as text: the start, each move with its events, the end."""
    rng = random.Random(f"{game.name} {name}")
    state = game.new(game.options(**chosen))
    lines = [write_state(game, state)]
    for _ in range(MAX_MOVES):
        if isinstance(game.pending(state), Over):
            break
        move = decide(game, state, at_random, rng)
        state, events = game.apply(state, move)
        lines += [f"> {write_move(move)}", *(f"  {game.tell(event)}" for event in events)]
    return "\n".join([*lines, write_state(game, state), str(game.pending(state)), ""])


def replayed(game: Game[Any], text: str) -> str:
    """The playthrough that its own moves lead to now."""
    first, *rest = text.splitlines()
    state = read_state(game, first)
    lines = [write_state(game, state)]
    for line in rest:
        if line.startswith("> "):
            state, events = game.apply(state, read_move(game, line[2:]))
            lines += [line, *(f"  {game.tell(event)}" for event in events)]
    return "\n".join([*lines, write_state(game, state), str(game.pending(state)), ""])


def perft_positions(game: Game[Any]) -> Iterator[str]:
    """Positions to count from: the start, and three from the middle of a game."""
    yield write_state(game, game.new(game.options()))
    for number in (1, 2, 3):
        rng = random.Random(f"{game.name} perft {number}")
        state = game.new(game.options())
        states = [state]
        while not isinstance(game.pending(state), Over) and len(states) < 400:
            state, _ = game.apply(state, decide(game, state, at_random, rng))
            states.append(state)
        yield write_state(game, states[len(states) * (number + 2) // 6])


def perft_lines(game: Game[Any]) -> Iterator[str]:
    """`depth nodes state` for each position, as deep as a second allows."""
    for position in perft_positions(game):
        state = read_state(game, position)
        for depth in (1, 2, 3, 4):
            nodes = perft(game, state, depth)
            yield f"{depth} {nodes} {position}"
            if nodes > 2000:
                break


def write() -> None:
    """Write all playthroughs and counts anew."""
    for game in GAMES.values():
        folder = FOLDER / game.name
        folder.mkdir(exist_ok=True)
        for old in folder.glob("*.txt"):
            old.unlink()
        for name, chosen in variants(game):
            (folder / f"{name}.txt").write_text(playthrough(game, name, chosen))
        (FOLDER / f"{game.name}.perft").write_text("\n".join(perft_lines(game)) + "\n")
