"""`python -m benchmarks.engine`: random games, in moves per second, beside python-chess in the same run.

A move is: list the legal moves, take one at random, apply it with all checks. Rounds of the two are interleaved, so
that a busy machine slows both alike.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import chess
from rich.console import Console
from rich.table import Table

from companion.games import GAMES
from companion.games.game import Game

TARGET = 3.0


def chess_moves(seconds: float, rng: random.Random) -> float:
    """python-chess's random playouts, in moves per second."""
    moves, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        board = chess.Board()
        while board.ply() < 300:
            legal = list(board.legal_moves)
            if not legal:
                break
            board.push(rng.choice(legal))
            moves += 1
    return moves / (time.perf_counter() - start)


def game_moves(game: Game[Any], options: Any, seconds: float, rng: random.Random) -> float:
    """A game's random playouts, in moves per second."""
    moves, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        state = game.new(options)
        while True:
            legal = game.legal(state)
            if not legal:
                break
            state, _ = game.apply(state, rng.choice(legal))
            moves += 1
    return moves / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.5, help="length of one round (default 0.5)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds per game (default 5)")
    arguments = parser.parse_args()
    rng = random.Random(1)
    rivals: list[float] = []
    speeds: dict[str, list[float]] = {name: [] for name in GAMES}
    plays: dict[str, Callable[[], float]] = {
        name: lambda game=game: game_moves(game, game.options(), arguments.seconds, rng)  # type: ignore[misc]
        for name, game in GAMES.items()
    }
    for _ in range(arguments.rounds):
        for name, play in plays.items():
            rivals.append(chess_moves(arguments.seconds, rng))
            speeds[name].append(play())
    rival = median(rivals)
    table = Table(title="Random playouts, one core (median of rounds)")
    for column in ("game", "moves/s", "µs/move", "x python-chess", ""):
        table.add_column(column, justify="right")
    table.add_row("python-chess", f"{rival:,.0f}", f"{1e6 / rival:.1f}", "1.0", "baseline")
    for name, rounds in speeds.items():
        speed = median(rounds)
        verdict = "reached" if speed >= TARGET * rival else f"below {TARGET:g}x"
        table.add_row(name, f"{speed:,.0f}", f"{1e6 / speed:.1f}", f"{speed / rival:.1f}", verdict)
    Console().print(table)


if __name__ == "__main__":
    main()
