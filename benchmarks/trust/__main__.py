"""`python -m benchmarks.trust`: kill the writer, cut its power, damage its record; count what was lost.

`--kills`, `--cuts` and `--damaged` say how many of each. Cuts need root and loop devices: the record lies on a small
ext4 disk in a file, and a copy of that file is what a card would hold after a power cut at that moment.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import signal
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.disk_image import NoLoopDevice, Power, make_disk, mounted
from benchmarks.trust.damage import damaged_starts
from benchmarks.trust.writer import Promise, judge, write

DISK_MEGABYTES = 48
FORK = multiprocessing.get_context("fork")


class Writer:
    """The writing process and what it has promised so far."""

    def __init__(self, path: Path, seed: int):
        self._receiver, sender = FORK.Pipe(duplex=False)
        self.process: Any = FORK.Process(target=write, args=(path, seed, sender), daemon=True)
        self.process.start()
        sender.close()
        self.promises: dict[int, Promise] = {}
        self.acts = 0
        assert self._receiver.poll(120)

    def listen(self) -> dict[int, Promise]:
        """The last promise of each game, as far as it was heard."""
        try:
            while self._receiver.poll():
                promise: Promise = self._receiver.recv()
                self.acts += promise.before == promise.after
                self.promises[promise.game] = promise
        except (EOFError, OSError):
            pass
        return dict(self.promises)

    def kill(self) -> dict[int, Promise]:
        """End it in the midst of whatever it does; what it had promised."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.join()
        return self.listen()


def kills(count: int, rng: random.Random) -> tuple[int, int, Counter[str]]:
    """So many kills; how many, how many acts were acknowledged, and what was wrong."""
    acts, wrong = 0, Counter[str]()
    promises: dict[int, Promise] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hush.db"
        for number in range(count):
            writer = Writer(path, number)
            time.sleep(rng.random() * 0.15)
            promises |= writer.kill()
            # Games that were left long ago don't change any more.
            promises = dict(sorted(promises.items())[-4:])
            acts += writer.acts
            if trouble := judge(path, promises):
                wrong[trouble] += 1
    return count, acts, wrong


def cuts(count: int, rng: random.Random) -> tuple[int, int, Counter[str]]:
    """So many power cuts while it writes; how many, how many acts were acknowledged, and what was wrong."""
    made, acts, wrong = 0, 0, Counter[str]()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        while made < count:
            file, copies = folder / "disk.img", folder / "copies"
            copies.mkdir(exist_ok=True)
            make_disk(file, DISK_MEGABYTES)
            heard: list[dict[int, Promise]] = []
            with mounted(file, folder / "disk") as device:
                power = Power(file, folder / "disk", device, copies)
                writer = Writer(folder / "disk" / "hush.db", rng.getrandbits(30))
                while len(power.cuts) < min(25, count - made):
                    time.sleep(rng.random() * 0.06)
                    before = writer.listen()
                    if power.cut("while it writes"):
                        heard.append(before)
                writer.kill()
                acts += writer.acts
                after = writer.promises
            for (_, copy), before in zip(power.cuts, heard, strict=True):
                made += 1
                with mounted(copy, folder / "found"):
                    if trouble := judge_cut(folder / "found" / "hush.db", before, after):
                        wrong[trouble] += 1
                copy.unlink()
    return made, acts, wrong


def judge_cut(path: Path, before: dict[int, Promise], after: dict[int, Promise]) -> str:
    """What is wrong after a cut: what was promised before it must be there; what came later may be."""
    settled = {game: promise for game, promise in before.items() if after.get(game) == promise}
    return judge(path, settled)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--cuts", type=int, default=300)
    parser.add_argument("--damaged", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    rng = random.Random(wanted.seed)
    table = Table("what", "how often", "acts acknowledged", "lost or half done")
    for name, run, count in (("kill -9 while it writes", kills, wanted.kills), ("power cut", cuts, wanted.cuts)):
        if not count:
            continue
        try:
            made, acts, wrong = run(count, rng)
        except NoLoopDevice as error:
            table.add_row(name, "0", "-", f"no loop device: {error}")
            continue
        table.add_row(name, str(made), str(acts), "\n".join(f"{n} × {why}" for why, n in wrong.items()) or "none")
    console = Console()
    if table.row_count:
        console.print(table)
    if wanted.damaged:
        console.print(damaged_starts(wanted.damaged, rng))


if __name__ == "__main__":
    main()
