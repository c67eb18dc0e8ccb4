"""One game of the soak: a box with a journal on disk, a person who errs, and faults in between."""

from __future__ import annotations

import gc
import os
import random
import resource
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from benchmarks.soak.true_changes import ChangeTally, Witness
from benchmarks.wiring import wired
from companion.demo.person import RandomPerson
from companion.games.game import BadOptions, option_table
from companion.journal import Journal
from companion.play import History, HistoryStep
from companion.session.session import Session
from companion.table.eye import deck_names, table_deck
from companion.table.hosts import HOSTS
from companion.table.simulated_table import some_doubts
from hardware.simulated import SimulatedPanel
from sounds.box import SoundBox, SoundSettings
from sounds.guard import SilenceGuard
from vision.simulated import Conditions

WAYS = ("camera", "buttons", "failing camera")
EVERY_TABLE = tuple(
    (name, int(players))
    for name, host in HOSTS.items()
    for players in {option.name: option for option in option_table(host.game.options_type)}["players"].allowed
)
"""Each game with each number of players it can have."""
TABLES = ("white", "wood", "felt", "cloth")
# How likely any one option isn't at its default.
VARIED = 0.25
FULL_SECONDS = 15.0
FULL = "disk full"


class SoakResult(Struct):
    """What came of one game."""

    number: int
    game: str
    way: str
    options: dict[str, Any]
    moves: int = 0
    seen: int = 0
    picked: int = 0
    named: int = 0
    refusals: int = 0
    explained: int = 0
    wrong: int = 0
    lost: int = 0
    mistakes: dict[str, int] = {}
    events: ChangeTally = field(default_factory=ChangeTally)
    dim: ChangeTally = field(default_factory=ChangeTally)
    table: str = ""
    trouble: str = ""
    seconds: float = 0.0
    worker: int = 0
    memory: float = 0.0
    peak: float = 0.0


class FullDisk(Journal):
    """A journal on a disk that is full now and then."""

    is_full = False

    def append(self, game: int, number: int, steps: Sequence[HistoryStep]) -> None:
        """Write, or fail as SQLite does."""
        if self.is_full:
            raise sqlite3.OperationalError("database or disk is full")
        super().append(game, number, steps)


class SoakBench:
    """One box, and a clock that runs only when somebody waits."""

    def __init__(self, folder: Path, rng: random.Random, faults: float):
        self.now = 0.0
        self.folder, self.rng, self.faults = folder, rng, faults
        self.panel = SimulatedPanel(clock=lambda: self.now)
        self.sound = SoundBox(SilenceGuard(), SoundSettings(backend="silent"), folder / "speech")
        self.filled = 0
        self._full_until = 0.0
        self.box = self.woken()

    def woken(self) -> Session:
        """The box after power on."""
        self.journal = FullDisk(self.folder / "hush.db")
        return wired(self.journal, lambda: self.now, random.Random(self.rng.random()), self.panel, self.sound)

    @property
    def history(self) -> History:
        """The game so far."""
        running = self.box.shown.running
        assert running is not None
        return running.history

    def power_cut(self) -> Session:
        """The box after the plug was pulled: all that is left is what was on disk."""
        # What a full disk didn't take can't survive, and the panel says so; a cut comes when there's room again.
        self.journal.is_full = False
        self.box.tick()
        self.journal.close()
        self.box = self.woken()
        self.box.wake()
        return self.box

    def wait(self, seconds: float) -> None:
        """Let time pass; now and then the disk is full for a while."""
        self.now += seconds
        if self.now >= self._full_until:
            self.journal.is_full = self.rng.random() < self.faults
            self.filled += self.journal.is_full
            self._full_until = self.now + (FULL_SECONDS if self.journal.is_full else 0.0)

    def lost(self) -> int:
        """How many moves the journal doesn't have as they were made."""
        self.journal.is_full = False
        self.box.tick()
        recorded = self.journal.replay(self.journal.games()[-1].id)
        return sum(kept != made for kept, made in zip_longest(recorded.notation, self.history.notation))

    def close(self) -> None:
        """Put everything away."""
        self.journal.close()
        self.panel.close()
        self.sound.close()


def drawn_options(name: str, way: str, rng: random.Random) -> dict[str, Any]:
    """Options that fit together, drawn at random; the default is likeliest."""
    game = HOSTS[name].game
    while True:
        chosen: dict[str, Any] = {}
        for option in option_table(game.options_type):
            allowed = [value for value in option.allowed if value != "custom"]
            if option.name in ("players", "drawing") or (allowed and rng.random() < VARIED):
                chosen[option.name] = rng.choice(allowed)
        chosen |= HOSTS[name].at_table
        # Where the box deals every card, there's nothing for a camera to see.
        if chosen.get("drawing") == "phone" and way != "buttons":
            continue
        try:
            game.options(**chosen)
        except BadOptions:
            continue
        return chosen


def witness(name: str, options: Any, rng: random.Random, doubts: float = 0.0) -> Witness:
    """A table top, a lamp and a camera of this game's own; its eye can't name a share of the cards."""
    conditions = Conditions(light=rng.uniform(0.7, 1.1), warmth=rng.uniform(0, 0.3), noise=rng.uniform(1, 3))
    table, seed = rng.choice(TABLES), rng.randrange(1000)
    doubted = some_doubts(table_deck(deck_names(name, options)), doubts, seed) if doubts else None
    found = Witness(name, options, conditions=conditions, table=table, seed=seed, doubts=doubted)
    found.tally, found.dim = ChangeTally(), ChangeTally()
    found.forget()
    return found


def planned(number: int, seed: int, every_table: bool = False) -> tuple[SoakResult, random.Random]:
    """What the game of a number is: which one, in which way, with which options. Nothing has come of it yet."""
    if every_table:
        name, players = EVERY_TABLE[number % len(EVERY_TABLE)]
        options: dict[str, Any] = {"players": players, **HOSTS[name].at_table}
        return SoakResult(number, name, WAYS[0], options), random.Random(f"{name} {players} {seed} {number}")
    name = list(HOSTS)[number % len(HOSTS)]
    way = WAYS[number // len(HOSTS) % len(WAYS)]
    rng = random.Random(f"{name} {way} {seed} {number}")
    return SoakResult(number, name, way, drawn_options(name, way, rng)), rng


def play(number: int, seed: int, mistakes: int, doubts: float = 0.0, every_table: bool = False) -> SoakResult:
    """One game; whatever goes wrong is in the result."""
    result, rng = planned(number, seed, every_table)
    result.worker = os.getpid()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        bench = SoakBench(Path(folder), rng, faults=0.01)
        try:
            run(bench, result, rng, mistakes, doubts)
        except Exception as error:  # any fault of the box is a finding, and the soak goes on
            result.trouble = f"{type(error).__name__}: {error}"
        bench.close()
    result.seconds = time.monotonic() - started
    gc.collect()
    result.memory = resident()
    result.peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return result


def run(bench: SoakBench, result: SoakResult, rng: random.Random, mistakes: int, doubts: float) -> None:
    """Play to the end and note what came of it."""
    bench.box.start(result.game, result.options)
    simulated = None if result.way == "buttons" else witness(result.game, bench.history.state.options, rng, doubts)
    lasting = 0.05 if result.way == "failing camera" else 0.0
    person = RandomPerson(bench.box, simulated, rng, mistakes, bench.wait, bench.power_cut, lasting=lasting)
    try:
        for _step in person.play_on():
            pass
        result.lost = bench.lost()
    finally:
        report = person.report
        for name in ("moves", "seen", "picked", "named", "refusals", "explained", "wrong"):
            setattr(result, name, getattr(report, name))
        result.mistakes = dict(report.mistakes) | ({FULL: bench.filled} if bench.filled else {})
        if simulated is not None:
            result.events, result.dim, result.table = simulated.tally, simulated.dim, simulated.table
    if not person.is_done:
        result.trouble = "the game didn't end"


def resident() -> float:
    """The memory this process holds now, in megabytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20
