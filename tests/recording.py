"""Games on record, for tests."""

from __future__ import annotations

import random
from collections.abc import Iterable

from companion.bots.policy import at_random
from companion.bots.simulator import decide
from companion.games import GAMES
from companion.journal import Journal, read_export
from companion.journal.journal import result_of
from companion.play import Play
from companion.session.recorder import Recorder


def begun(journal: Journal, name: str = "silencio", seed: int = 1) -> tuple[int, Play]:
    """A new game, kept in the journal from its first step."""
    game = GAMES[name]
    play = Play(game, game.new(game.options()))
    return kept(journal, play, seed), play


def kept(journal: Journal, play: Play, seed: int | None = None) -> int:
    """Keep a game in the journal; returns its number there."""
    number = Recorder(journal, play, seed=seed).game
    assert number is not None
    return number


def play_on(play: Play, rng: random.Random, moves: int = 10_000) -> None:
    """Random moves, to the end of the game if there are enough."""
    while moves and not play.is_over:
        play.do(decide(play.game, play.state, at_random, rng))
        moves -= 1


def finished(journal: Journal, name: str = "silencio", seed: int = 1) -> tuple[int, Play]:
    """A whole game with its result."""
    game = GAMES[name]
    play = Play(game, game.new(game.options()))
    recorder = Recorder(journal, play, seed=seed)
    play_on(play, random.Random(f"{name} {seed}"))
    recorder.note_result()
    assert recorder.game is not None
    return recorder.game, play


def taken_in(journal: Journal, lines: Iterable[str]) -> int:
    """Import an exported game; its number. Raises `BrokenExport`."""
    head, steps, play = read_export(lines)
    return journal.add(head, steps, result_of(play))
