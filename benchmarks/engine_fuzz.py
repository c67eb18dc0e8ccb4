"""`python -m benchmarks.engine_fuzz`: states that no table has reached, made of real ones, and played on.

Fields of a state of a random game are swapped with those of another. What the rules then accept must be a table: every
game from there ends, raises nothing, and each of its states can be written, read and looked at from every seat. Before
that, whole random games show that no state of real play is refused.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.table import Table

from companion.games import GAMES
from companion.games.game import BadOptions, Game, Over
from companion.games.notation import read_state, write_state
from tests.games.generated import any_move, any_options

# No random game of any kind has been seen to last longer than a third of this.
MAX_RANDOM_MOVES = 4000
# Every so many moves a state is also written, read and looked at from every seat; at each that would take too long.
LOOK_EVERY = 7


class Unsound(Exception):
    """An accepted state, or one that follows from it, isn't a table."""


def real_states(game: Game[Any], rng: random.Random) -> list[str]:
    """Every state of a random game, in notation; now and then as one seat sees it."""
    state = game.new(any_options(game, rng))
    lines = []
    while True:
        seat = rng.choice([None, *range(state.options.players)])
        lines.append(write_state(game, game.view(state, seat) if rng.random() < 0.1 else state))
        if isinstance(game.pending(state), Over):
            return lines
        state, _ = game.apply(state, any_move(game, state, rng))


def real_game(game: Game[Any], rng: random.Random) -> int:
    """Look at every state of a random game; how many there were. Raises if one is refused."""
    state, count = game.new(any_options(game, rng)), 1
    check_state(game, state)
    while not isinstance(game.pending(state), Over):
        state, _ = game.apply(state, any_move(game, state, rng))
        check_state(game, state)
        count += 1
    return count


def swapped(one: str, other: str, rng: random.Random) -> str:
    """A state with some fields of another; a field that the other doesn't have is left out."""
    name = one.split()[0]
    fields, donor = (dict(word.split("=", 1) for word in line.split()[1:]) for line in (one, other))
    different = [key for key in {**fields, **donor} if fields.get(key) != donor.get(key)]
    for key in rng.sample(different, min(len(different), rng.choice((1, 1, 1, 2, 2, 3)))):
        fields.pop(key, None)
        if key in donor:
            fields[key] = donor[key]
    return " ".join([name, *(f"{key}={value}" for key, value in fields.items())])


def hand_made(game: Game[Any], rng: random.Random) -> Iterator[str]:
    """States made of two real ones, without end; half of them of the same game, so that their cards add up."""
    while True:
        first, second = real_states(game, rng), real_states(game, rng)
        for _ in range(60):
            yield swapped(rng.choice(first), rng.choice(first if rng.random() < 0.5 else second), rng)


def hold(game: Game[Any], line: str, rng: random.Random) -> bool:
    """Whether a state is accepted; raises `Unsound` if it then doesn't hold."""
    try:
        state = read_state(game, line)
    except BadOptions:
        return False
    moves = 0
    try:
        for moves in range(MAX_RANDOM_MOVES):
            if moves % LOOK_EVERY == 0:
                check_state(game, state)
            if isinstance(game.pending(state), Over):
                check_state(game, state)
                return True
            move = any_move(game, state, rng)
            state, events = game.apply(state, move)
            for event in events:
                str(game.tell(event.heard_by(None)))
        raise Unsound(f"no end after {MAX_RANDOM_MOVES} moves")
    except Exception as error:
        raise Unsound(f"after {moves} moves: {type(error).__name__}: {error}; at {write_state(game, state)}") from error


def check_state(game: Game[Any], state: Any) -> None:
    """Raises where a state can't be written and read, or isn't one from every seat."""
    line = write_state(game, state)
    if read_state(game, line) != state:
        raise Unsound("what is written isn't what is read")
    step, legal = game.pending(state), list(game.legal(state))
    if isinstance(step, Over) != (not legal) or len(set(legal)) != len(legal):
        raise Unsound(f"{len(legal)} legal moves at {step}")
    str(game.question(state))
    for seat in (None, *range(state.options.players)):
        view = game.view(state, seat)
        if game.view(view, seat) != view:
            raise Unsound(f"seat {seat} sees less at a second look")
        read_state(game, write_state(game, view))


def main() -> None:
    """Try so many states of each game, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--states", type=int, default=10_000, help="hand-made states of each game (default 10000)")
    parser.add_argument("--games", type=int, default=200, help="real games of each kind before that (default 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=list(GAMES), action="append", help="only this game; may be repeated")
    arguments = parser.parse_args()
    console = Console(width=240)
    table = Table("game", "real states", "hand-made", "accepted", "unsound", "seconds")
    failed = 0
    for name in arguments.game or GAMES:
        rng, begin = random.Random(f"{arguments.seed} {name}"), time.perf_counter()
        real = sum(real_game(GAMES[name], rng) for _ in range(arguments.games))
        accepted, unsound = trial(GAMES[name], arguments.states, rng, console)
        failed += unsound
        seconds = round(time.perf_counter() - begin)
        table.add_row(name, *map(str, (real, arguments.states, accepted, unsound, seconds)))
    console.print(table)
    sys.exit(failed > 0)


def trial(game: Game[Any], states: int, rng: random.Random, console: Console) -> tuple[int, int]:
    """Try hand-made states; how many were accepted, and how many of those didn't hold."""
    lines, accepted, kinds = hand_made(game, rng), 0, Counter[str]()
    for _ in range(states):
        line = next(lines)
        try:
            accepted += hold(game, line, rng)
        except Unsound as error:
            accepted += 1
            kind = str(error).split("; at ")[0].split(": ", 1)[-1]
            kinds[kind] += 1
            if kinds[kind] <= 3:
                console.print(f"{line}\n    {error}", markup=False)
    for kind, count in kinds.most_common():
        console.print(f"{count:6} {kind}", markup=False)
    return accepted, sum(kinds.values())


if __name__ == "__main__":
    main()
