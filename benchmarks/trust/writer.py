"""A process that plays, takes back, repeats and corrects, and says at each act what the record must hold."""

from __future__ import annotations

import random
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.bots.policy import at_random
from companion.bots.simulator import decide
from companion.games import GAMES
from companion.journal import Journal
from companion.play import Play, replace_move
from companion.session.recorder import Recorder

Moves = tuple[str, ...]


class Promise(Struct, frozen=True):
    """What the record of a game holds: `before` the act that is under way, or `after` it."""

    game: int
    before: Moves
    after: Moves
    act: str

    def is_kept(self, found: Moves) -> bool:
        """Whether the record is where it may be: nothing is half done."""
        return found in (self.before, self.after)


def write(path: Path, seed: int, promises: Connection) -> None:
    """Go on with the running game, or begin one; until somebody ends this process."""
    rng = random.Random(seed)
    journal = Journal(path)
    entry = journal.running()
    if entry is None:
        recorder, play = begin(journal, rng)
    else:
        play = journal.replay(entry.id)
        recorder = Recorder(journal, play, entry.id)
    while True:
        if play.is_over or play.number > 90:
            if play.is_over:
                recorder.note_result()
            recorder, play = begin(journal, rng)
        act = rng.choice(("move", "move", "move", "undo", "redo", "correct"))
        rehearsed = Play(play.game, play.state_at(0))
        for step in play.steps:
            rehearsed.repeat(step)
        chosen = rng.getrandbits(60)
        # The same act twice: once to know what comes of it, once in earnest.
        if not do(rehearsed, act, random.Random(chosen)):
            act = "move"
            do(rehearsed, act, random.Random(chosen))
        assert recorder.game is not None
        promise = Promise(recorder.game, play.notation, rehearsed.notation, act)
        promises.send(promise)
        do(play, act, random.Random(chosen))
        assert play.notation == rehearsed.notation
        promises.send(Promise(recorder.game, play.notation, play.notation, act))
        time.sleep(rng.random() * 0.002)


def begin(journal: Journal, rng: random.Random) -> tuple[Recorder, Play]:
    """A new game of any kind."""
    game = GAMES[rng.choice(list(GAMES))]
    play = Play(game, game.new(game.options()))
    return Recorder(journal, play), play


def do(play: Play, act: str, rng: random.Random) -> bool:
    """One act; whether it could be done."""
    if act == "move":
        play.do(decide(play.game, play.state, at_random, rng))
    elif act == "undo" and play.number > 3:
        with play.together():
            for _ in range(rng.randint(1, 3)):
                play.undo()
    elif act == "redo" and play.number > 3:
        with play.together():
            play.undo()
            play.redo()
    elif act == "correct" and play.number > 3:
        at = rng.randint(1, play.number)
        moves: list[Any] = list(play.game.legal(play.state_at(at - 1)))
        replace_move(play, at, rng.choice(moves))
    else:
        return False
    return True


def judge(path: Path, promises: dict[int, Promise]) -> str:
    """What is wrong with a record, given the last promise for each game; empty if nothing is."""
    journal = Journal(path)
    try:
        for game, promise in promises.items():
            found = journal.replay(game).notation
            if not promise.is_kept(found):
                return f"game {game}: {len(found)} moves after {promise.act}, {len(promise.before)} before it"
        running = journal.running()
        newest = max(promises, default=None)
        if running is not None and newest is not None and running.id < newest and not journal.entry(newest).ended:
            return f"game {running.id} runs, not {newest}"
    finally:
        journal.close()
    return ""
