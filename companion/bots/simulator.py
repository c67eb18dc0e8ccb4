"""Whole games between bots, many at a time, and what they add up to."""

from __future__ import annotations

import math
import multiprocessing
import random
import signal
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from statistics import fmean, pstdev
from typing import Any

from msgspec import Struct

from companion.bots.policy import POLICIES, Policy
from companion.chance import reveal
from companion.games import GAMES
from companion.games.game import Decide, Game, Over

# G-10: a guard for bots alone. People may sit over a game as long as they like.
MOVE_CAP = 5000


class GameOutcome(Struct, frozen=True):
    """How one simulated game ended."""

    reason: str
    winners: tuple[int, ...]
    score: tuple[int, ...]
    moves: int


class Summary(Struct, frozen=True):
    """What many outcomes add up to."""

    games: int
    wins: int
    by_seat: tuple[int, ...]
    scores: tuple[int, ...]
    lengths: tuple[int, ...]
    reasons: dict[str, int]

    @property
    def win_rate(self) -> float:
        """The share of games with a winner."""
        return self.wins / self.games if self.games else 0.0

    @property
    def win_margin(self) -> float:
        """Half the width of the 95 % interval around the win rate."""
        return 1.96 * math.sqrt(self.win_rate * (1 - self.win_rate) / self.games) if self.games else 0.0


def spread(values: Sequence[int]) -> str:
    """Mean, deviation and range in one short text.

    >>> spread([1, 2, 3])
    '2.0 ± 0.8 (1 … 3)'
    """
    return f"{fmean(values):.1f} ± {pstdev(values):.1f} ({min(values)} … {max(values)})" if values else "–"


def decide(game: Game[Any], state: Any, policy: Policy, rng: random.Random) -> Any:
    """The next move: nature's, or a policy's from what the deciding seat may see."""
    step = game.pending(state)
    if not isinstance(step, Decide):
        return reveal(game, state, rng)
    return policy(game, game.view(state, step.seat), game.legal(state), rng)


def outcome(game: Game[Any], state: Any, moves: int) -> GameOutcome:
    """How a game stands at its end; one that was stopped says so."""
    over = game.pending(state)
    if isinstance(over, Over):
        return GameOutcome(over.reason, over.winners, over.score, moves)
    return GameOutcome("stopped", (), (), moves)


def one_game(task: tuple[str, dict[str, Any], str, str]) -> GameOutcome:
    """Play a game given by name, options, policy and seed; a function of its own for worker processes."""
    name, chosen, policy, seed = task
    game = GAMES[name]
    rng = random.Random(seed)
    choose = POLICIES[policy]
    state = game.new(game.options(**chosen))
    moves = 0
    while moves < MOVE_CAP and not isinstance(game.pending(state), Over):
        state, _ = game.apply(state, decide(game, state, choose, rng))
        moves += 1
    return outcome(game, state, moves)


def simulate(
    name: str, chosen: dict[str, Any], games: int, seed: int, policy: str = "sensible", jobs: int = 1
) -> Iterator[GameOutcome]:
    """Play many games, one result at a time. The same seed gives the same results with any number of jobs."""
    tasks = [(name, chosen, policy, f"{seed}:{number}") for number in range(games)]
    if jobs <= 1:
        yield from map(one_game, tasks)
        return
    with deaf_to_interrupts():
        workers = multiprocessing.get_context("spawn").Pool(jobs)
    with workers as pool:
        yield from pool.imap(one_game, tasks, chunksize=max(1, min(50, games // (jobs * 4))))


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Processes started meanwhile leave Ctrl-C to this one, which ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def summarise(outcomes: Sequence[GameOutcome], players: int) -> Summary:
    """Add outcomes up."""
    wins = Counter(seat for one in outcomes for seat in one.winners)
    return Summary(
        games=len(outcomes),
        wins=sum(bool(one.winners) for one in outcomes),
        by_seat=tuple(wins[seat] for seat in range(players)),
        scores=tuple(score for one in outcomes for score in one.score),
        lengths=tuple(one.moves for one in outcomes),
        reasons=dict(Counter(one.reason for one in outcomes).most_common()),
    )
