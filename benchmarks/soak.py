"""`python -m benchmarks.soak`: many games through camera and buttons, with mistakes and faults.

Prints games, moves, wrong states (must be 0), lost moves (must be 0), refusals explained, memory growth. `--games 200`
takes hours; the default shows a few.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from companion.games.game import option_table
from companion.journal import Journal
from companion.table.box import Box
from companion.table.hosts import HOSTS
from companion.table.person import Person
from companion.table.twin import Twin
from hardware.simulated import SimulatedPanel
from sounds.box import SoundBox, SoundSettings
from sounds.guard import SilenceGuard


class Bench:
    """One box with a journal on disk and a clock that runs only when somebody waits."""

    def __init__(self, folder: Path, seed: int):
        self.now = 0.0
        self.folder, self.seed = folder, seed
        self.panel = SimulatedPanel(clock=lambda: self.now)
        self.sound = SoundBox(SilenceGuard(), SoundSettings(backend="silent"), folder / "speech")

    def woken(self) -> Box:
        """The box after power on."""
        journal = Journal(self.folder / "hush.db")
        return Box(HOSTS, self.panel, self.sound, journal, lambda: self.now, random.Random(self.seed))

    def power_cut(self) -> Box:
        """The box after the plug was pulled: all that is left is what was on disk."""
        box = self.woken()
        box.open()
        return box

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


def play(name: str, seed: int, mistakes: int, folder: Path) -> tuple[Person, int]:
    """One game; returns the person and how many moves the journal lost."""
    rng = random.Random(f"{name} {seed}")
    players = {option.name: option for option in option_table(HOSTS[name].game.options_type)}["players"].allowed
    bench = Bench(folder, seed)
    box = bench.woken()
    table = {"drawing": "table"} if name == "silentes" else {"driver": "table"}
    box.start(name, {"players": rng.choice(players), **table})
    assert box.play is not None
    person = Person(box, Twin(name, box.play.state.options), rng, mistakes, bench.wait, bench.power_cut)
    for _step in person.play_on():
        pass
    journal = Journal(folder / "hush.db")
    recorded = journal.resume(journal.games()[-1].id)
    lost = 0 if recorded.state == person.expected else 1
    bench.panel.close()
    bench.sound.close()
    return person, lost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4, help="how many games (default 4: one of each kind)")
    parser.add_argument("--mistakes", type=int, default=5, help="mistakes a game (default 5)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    console = Console()
    totals = dict.fromkeys(("games", "moves", "seen", "picked", "mistakes", "explained", "wrong", "lost"), 0)
    first = 0
    start = time.monotonic()
    for number in range(arguments.games):
        name = list(HOSTS)[number % len(HOSTS)]
        with tempfile.TemporaryDirectory() as folder:
            person, lost = play(name, arguments.seed + number, arguments.mistakes, Path(folder))
        report = person.report
        totals["games"] += 1
        totals["lost"] += lost
        for key in ("moves", "seen", "picked", "mistakes", "explained", "wrong"):
            totals[key] += getattr(report, key)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        # The first round of all four games loads every deck; growth counts from there.
        first = memory if number == len(HOSTS) - 1 else first
        console.print(f"{number + 1}: {name}, {report.moves} moves, {report.mistakes} mistakes, {memory} MB")
    table = Table(title=f"Soak, {time.monotonic() - start:.0f} s")
    for key in totals:
        table.add_column(key, justify="right")
    table.add_column("memory growth after the first round (MB)", justify="right")
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024 - first if first else 0
    table.add_row(*(str(value) for value in totals.values()), str(grown))
    console.print(table)


if __name__ == "__main__":
    main()
