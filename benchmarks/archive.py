"""`python -m benchmarks.archive`: a record of many games, and whether the game at the table notices any work on it.

A box with its page runs in a process of its own; a phone lists, counts, backs up, restores and prints. Beside each
stands the longest pause of the loop that owns the game (the first row is the box at rest) and the memory it took.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console
from rich.table import Table

from benchmarks.page import Boxed, boxed
from companion.bots.policy import at_random
from companion.bots.simulator import decide
from companion.commands.serving import spare_what_stays, switch_threads_often
from companion.games import GAMES
from companion.journal import Journal
from companion.journal.exports import Head
from companion.journal.journal import result_of
from companion.play import Play
from companion.session.recorder import Recorder

API = "/api/v1"
PROBE_SECONDS = 0.002
KINDS = 10
"""Different games of each kind that the record is made of."""


def fill(path: Path, count: int) -> None:
    """A record of so many finished games."""
    journal = Journal(path)
    journal._db.execute("PRAGMA synchronous = OFF")
    made = []
    for name, game in GAMES.items():
        for seed in range(KINDS):
            play = Play(game, game.new(game.options()))
            rng = random.Random(f"{name} {seed}")
            number = Recorder(journal, play).game
            assert number is not None
            while not play.is_over:
                play.do(decide(game, play.state, at_random, rng))
            journal.finish(number, result_of(play))
            made.append((journal.entry(number), journal.steps(number)))
    for at in range(count - len(made)):
        entry, steps = made[at % len(made)]
        started = f"2026-{at % 12 + 1:02}-{at % 28 + 1:02}T{at % 24:02}:{at % 60:02}:00+00:00"
        journal.add(Head(game=entry.game, start=entry.start, started=started), steps, entry.result)
    journal.close()


def backup_of(count: int) -> bytes:
    """A backup of so many games that the box doesn't have."""
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / "hush.db"
        fill(other, count)
        journal = Journal(other)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for entry in journal.games():
                lines = "\n".join(journal.export(entry.id)).replace("2026-", "2025-")
                archive.writestr(f"games/{entry.id:05}.jsonl", lines)
        journal.close()
    return packed.getvalue()


class Pauses:
    """How long the loop was away at the most, since it was last asked."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def watch(self) -> None:
        """Wake up again and again, and note how late that was."""
        while True:
            before = time.perf_counter()
            await asyncio.sleep(PROBE_SECONDS)
            self.longest = max(self.longest, time.perf_counter() - before - PROBE_SECONDS)


async def live(folder: Path, channel: Any) -> None:
    pauses = Pauses()
    loop = asyncio.get_running_loop()

    def answer(box: Boxed) -> None:
        while channel.poll():
            if channel.recv() == "stop":
                box.runner.stop()
                return
            channel.send(pauses.longest)
            pauses.longest = 0.0
        loop.call_later(0.05, answer, box)

    async with boxed(folder, phones=1) as box:
        watching = loop.create_task(pauses.watch())
        loop.call_later(0.05, answer, box)

        def begin() -> None:
            spare_what_stays()
            switch_threads_often()
            box.session.start("silencio", {"players": 3, "driver": "table"})
            channel.send((box.port, box.cookies[0]))

        await box.runner.run(begin)
        watching.cancel()


def box_process(folder: str, channel: Any) -> None:
    asyncio.run(live(Path(folder), channel))


def memory(process: int) -> float:
    """Megabytes that a process holds now."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


class ArchiveBench:
    """One phone's requests, and what the box felt meanwhile."""

    def __init__(self, channel: Any, process: int, client: httpx.Client):
        self.channel, self.process, self.client = channel, process, client
        self.table = Table("what", "took (s)", "longest pause (ms)", "memory over rest (MB)", "answer")
        time.sleep(2.0)
        self.rest = memory(process)
        self.longest()

    def longest(self) -> float:
        """Seconds that the loop stood still at the most, since the last call."""
        self.channel.send("longest")
        return float(self.channel.recv())

    def measure(self, name: str, act: Callable[[], str]) -> tuple[float, float, float]:
        """Do something; how long it took, how long the loop stood still, how much memory it took."""
        peak, is_done = 0.0, threading.Event()

        def watch() -> None:
            nonlocal peak
            while not is_done.wait(0.02):
                peak = max(peak, memory(self.process))

        watching = threading.Thread(target=watch)
        watching.start()
        begin = time.perf_counter()
        said = act()
        took = time.perf_counter() - begin
        is_done.set()
        watching.join()
        pause, more = self.longest(), max(0.0, peak - self.rest)
        self.table.add_row(name, f"{took:.2f}", f"{pause * 1000:.0f}", f"{more:.0f}", said)
        return took, pause, more

    def get(self, path: str) -> str:
        """Ask for something; what kind of answer it was."""
        answer = self.client.get(f"{API}{path}")
        return f"{answer.status_code}, {len(answer.content) / 1024:.0f} KB"

    def restore(self, packed: bytes) -> str:
        """Send a backup; the answer."""
        answer = self.client.post(f"{API}/restore", content=packed, headers={"content-type": "application/zip"})
        return f"{answer.status_code} {answer.text[:60]}"


def rest() -> str:
    """Nothing at all, for a while."""
    time.sleep(3.0)
    return ""


def counted(folder: Path) -> str:
    """`companion stats` in a process of its own."""
    environment = {**os.environ, "XDG_STATE_HOME": str(folder.parent), "HUSH_CONFIG": str(folder / "none.toml")}
    ran = subprocess.run(
        [sys.executable, "-m", "companion", "stats"], capture_output=True, text=True, check=False, env=environment
    )
    return f"exit {ran.returncode}, {len(ran.stdout.splitlines())} lines"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--restored", type=int, default=1_000)
    wanted = parser.parse_args()
    console = Console()
    with tempfile.TemporaryDirectory() as above:
        folder = Path(above) / "hush"
        folder.mkdir()
        console.print(f"making a record of {wanted.games} games …")
        fill(folder / "hush.db", wanted.games)
        small, large = backup_of(120), backup_of(wanted.restored)
        here, there = multiprocessing.get_context("spawn").Pipe()
        process = multiprocessing.get_context("spawn").Process(target=box_process, args=(str(folder), there))
        process.start()
        port, cookie = here.recv()
        address = f"http://127.0.0.1:{port}"
        headers = {"origin": address, "cookie": f"hush={cookie}"}
        with httpx.Client(base_url=address, headers=headers, timeout=600) as phone:
            assert process.pid is not None
            bench = ArchiveBench(here, process.pid, phone)
            bench.measure("at rest, 3 s", rest)
            bench.measure("list, first page", lambda: bench.get("/games"))
            bench.measure("list, a page further on", lambda: bench.get(f"/games/before/{wanted.games // 2}"))
            bench.measure("statistics", lambda: bench.get("/statistics"))
            bench.measure("backup", lambda: bench.get("/backup"))
            bench.measure("restore, 120 games", lambda: bench.restore(small))
            bench.measure(f"restore, {wanted.restored} games", lambda: bench.restore(large))
            bench.measure("print the cards of Cisza", lambda: bench.get("/prints/cisza/a4"))
            bench.measure("companion stats", lambda: counted(folder))
        here.send("stop")
        process.join()
        console.print(bench.table)


if __name__ == "__main__":
    main()
