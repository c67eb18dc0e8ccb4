"""`python -m benchmarks.hostile`: everything at once against a box beside a running game, and how late presses become.

A box with its page runs in one process, those who trouble it in another, over real sockets and from many addresses.
This process presses a phone's ▶, one press after the other; a thread in the box's process presses ▶ as the panel does,
and now and then makes a move or takes one back, which is on disk before it counts. Measured are the time until a
phone's press is answered, until a press or a move on the box has been carried out, the memory of the box and its
children, each before and under the loads; and the longest that each of the two loops worked at one thing, in time of
its own: what a press can have to wait for however busy the machine is with other things.

A load is a function: add it to `LOADS`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import multiprocessing
import os
import random
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any

from msgspec import Struct

from benchmarks.archive import backup_of, fill
from benchmarks.page import boxed
from companion.commands.serving import spare_what_stays, switch_threads_often
from companion.session.loop import Runner
from companion.session.session import Session
from hardware.button_signals import Press
from hardware.panel import Button

API = "/api/v1"
PHONES = 18
PRESS_SECONDS = 0.1
PRINTS = 10
HALF_OPEN = 300
ADDRESSES = 40
UPLOAD = 8 * 1024 * 1024
SHEETS = ("tarot", "cisza", "silencio", "panel", "mat-similo")


Late = tuple[str, float, float]
"""A press or a move on the box, when it was made, and how many seconds later the box had carried it out."""

# The box


async def serve(folder: Path, channel: Any) -> None:
    """A box with a game and its page, until the other side has had enough; then how late its presses were."""
    lates: list[Late] = []
    done = threading.Event()
    async with boxed(folder, PHONES) as box:
        longest = watch_the_loops()

        def begin() -> None:
            spare_what_stays()
            switch_threads_often()
            box.session.start("silencio", {"players": 3, "driver": "table"})
            threading.Thread(target=press_on_the_box, args=(box.session, box.runner, lates, done), daemon=True).start()
            channel.send((box.port, box.cookies))

        def until_done() -> None:
            if channel.poll():
                box.runner.stop()
            else:
                asyncio.get_running_loop().call_later(0.2, until_done)

        asyncio.get_running_loop().call_later(0.2, until_done)
        await box.runner.run(begin)
        done.set()
        channel.send((lates, sorted(longest, reverse=True)))


def watch_the_loops() -> list[tuple[float, str, str]]:
    """What each loop works at for more than five milliseconds of its own time, from now on: how long, whose, what."""
    found: list[tuple[float, str, str]] = []
    run = asyncio.Handle._run

    def timed(handle: asyncio.Handle) -> None:
        # The name is asked for before: a task that has ended knows no more what it was.
        name, start = repr(handle), time.thread_time()
        run(handle)
        if (took := time.thread_time() - start) > 0.005:
            is_page = threading.current_thread().name == "page"
            found.append((took, "page" if is_page else "owner", name))

    asyncio.Handle._run = timed  # type: ignore[method-assign, assignment]
    return found


def press_on_the_box(session: Session, runner: Runner, lates: list[Late], done: threading.Event) -> None:
    """Presses and now and then a move, as the panel's thread brings them, and when the box was done with each."""
    kinds = itertools.cycle(["press"] * 4 + ["move"])
    while not done.wait(PRESS_SECONDS):

        def act(kind: str = next(kinds), sent: float = time.perf_counter()) -> None:
            if kind == "press":
                session.on_signal(Press(Button.RIGHT))
            elif session.shown.running is not None and session.shown.running.history.number:
                session.undo()
            else:
                session.do("show r4")
            lates.append((kind, sent, time.perf_counter() - sent))

        runner.post(act)


def box_process(folder: str, channel: Any) -> None:
    asyncio.run(serve(Path(folder), channel))


# Those who trouble it


class AttackedBox(Struct, frozen=True):
    """Where the box is, the cookies of phones that were let in, and until when it's troubled."""

    port: int
    cookies: tuple[str, ...]
    until: float

    @property
    def is_on(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self.until

    def head(
        self, method: str, path: str, cookie: str = "", body: bytes = b"", kind: str = "application/json"
    ) -> bytes:
        """A request's head."""
        host = f"127.0.0.1:{self.port}"
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"Origin: http://{host}", "Connection: close"]
        lines += [f"Cookie: hush={cookie}"] if cookie else []
        lines += [f"Content-Type: {kind}", f"Content-Length: {len(body)}"] if body else []
        return "\r\n".join([*lines, "", ""]).encode()

    async def ask(self, sent: bytes, address: str = "127.0.0.1") -> str:
        """Send something from an address of this machine; the answer's status."""
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address, 0))
            writer.write(sent)
            answer = await asyncio.wait_for(reader.read(), 120)
            writer.close()
        except (OSError, TimeoutError):
            return "cut off"
        return answer[9:12].decode(errors="replace") or "cut off"


Load = Callable[[AttackedBox, Counter[str]], Awaitable[None]]


async def prints(target: AttackedBox, got: Counter[str]) -> None:
    """Ten phones want sheets, again and again."""

    async def phone(number: int) -> None:
        while target.is_on:
            sheet = f"{API}/prints/{SHEETS[number % len(SHEETS)]}/a4"
            got[await target.ask(target.head("GET", sheet, target.cookies[number + 1]))] += 1
            await asyncio.sleep(0.5)

    await asyncio.gather(*(phone(number) for number in range(PRINTS)))


async def half_open(target: AttackedBox, got: Counter[str]) -> None:
    """One host holds as many connections as it can, and never ends a request's head."""

    async def connection() -> None:
        while target.is_on:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", target.port, local_addr=("127.0.0.99", 0))
                writer.write(b"GET / HTTP/1.1\r\nHost: hush.local\r\nX-Slow:")
                await reader.read()
                writer.close()
                got["cut off"] += 1
            await asyncio.sleep(1.0)

    connections = [asyncio.create_task(connection()) for _ in range(HALF_OPEN)]
    await asyncio.sleep(max(0.0, target.until - time.monotonic()))
    for one in connections:
        one.cancel()


async def knocks(target: AttackedBox, got: Counter[str]) -> None:
    """Strangers at many addresses knock without end."""

    async def stranger(number: int) -> None:
        body = b'{"name":"x"}'
        while target.is_on:
            knock = target.head("POST", f"{API}/pairing", body=body) + body
            got[await target.ask(knock, f"127.0.1.{number + 1}")] += 1
            await asyncio.sleep(0.2)

    await asyncio.gather(*(stranger(number) for number in range(ADDRESSES)))


async def uploads(target: AttackedBox, got: Counter[str]) -> None:
    """Three phones send what isn't a backup, eight megabytes at a time."""
    noise = random.Random(1).randbytes(UPLOAD)

    async def phone(number: int) -> None:
        head = target.head("POST", f"{API}/restore", target.cookies[number], noise, "application/zip")
        while target.is_on:
            got[await target.ask(head + noise)] += 1
            await asyncio.sleep(0.2)

    await asyncio.gather(*(phone(number) for number in (11, 12, 13)))


async def state_reads(target: AttackedBox, got: Counter[str]) -> None:
    """One phone reads the state as fast as it's allowed to, and faster."""
    while target.is_on:
        got[await target.ask(target.head("GET", f"{API}/state", target.cookies[14]))] += 1


async def lists(target: AttackedBox, got: Counter[str]) -> None:
    """One phone turns the pages of the record and counts all games, without a pause."""
    while target.is_on:
        for path in ("/games", "/games/before/5000", "/statistics"):
            got[await target.ask(target.head("GET", f"{API}{path}", target.cookies[15]))] += 1


async def backups(target: AttackedBox, got: Counter[str]) -> None:
    """One phone takes a backup of the whole record, again and again."""
    while target.is_on:
        got[await target.ask(target.head("GET", f"{API}/backup", target.cookies[16]))] += 1


async def restores(target: AttackedBox, got: Counter[str]) -> None:
    """One phone restores a backup of games that the box doesn't have, and then has."""
    packed = backup_of(120)
    head = target.head("POST", f"{API}/restore", target.cookies[17], packed, "application/zip")
    while target.is_on:
        got[await target.ask(head + packed)] += 1


LOADS: dict[str, Load] = {
    "prints": prints,
    "half-open": half_open,
    "knocks": knocks,
    "uploads": uploads,
    "reading": state_reads,
    "lists": lists,
    "backups": backups,
    "restores": restores,
}


async def trouble(target: AttackedBox, loads: Iterable[str]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {name: Counter() for name in loads}
    await asyncio.gather(*(LOADS[name](target, found[name]) for name in found))
    return found


def trouble_process(target: AttackedBox, loads: list[str], channel: Any) -> None:
    os.nice(10)  # these would be other machines: the box's should have its own to itself
    channel.send(asyncio.run(trouble(target, loads)))


# Measuring


async def phone_presses(port: int, cookie: str, until: Callable[[], bool]) -> list[float]:
    """▶ on one phone, over a connection that stays open; how long each answer took."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    body = b'{"button":"right","moment":0}'
    head = (
        f"POST {API}/press HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
        f"Cookie: hush={cookie}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    took: list[float] = []
    while not until():
        sent = time.perf_counter()
        writer.write(head + body)
        said = await reader.readuntil(b"\r\n\r\n")
        length = next(int(line[16:]) for line in said.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        answer = await reader.readexactly(length)
        took.append(time.perf_counter() - sent)
        assert said.startswith(b"HTTP/1.1 200"), said + answer
        await asyncio.sleep(PRESS_SECONDS)
    writer.close()
    return took


def memory(pid: int) -> float:
    """Megabytes that a process and its children have to themselves or share of."""
    total = 0.0
    for one in [pid, *children(pid)]:
        with contextlib.suppress(OSError):
            rows = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
            total += next(int(row.split()[1]) for row in rows if row.startswith("Pss:")) / 1024
    return total


def cpu_seconds(pid: int) -> float:
    """Seconds that a process has worked so far, its children left out."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[int]:
    """Those that any of its threads has begun."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):
                found += [int(one) for one in (task / "children").read_text().split()]
    return found


class Watch:
    """The most memory seen since it began."""

    def __init__(self, pid: int):
        self.most = 0.0
        self._pid = pid
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._done.wait(0.1):
            self.most = max(self.most, memory(self._pid))

    def stop(self) -> float:
        """What it saw."""
        self._done.set()
        self._thread.join()
        return self.most


def quantiles(name: str, times: list[float]) -> str:
    points = statistics.quantiles(times, n=100)
    return (
        f"{name}: {len(times)} times, p50 {points[49] * 1000:.1f} ms, p95 {points[94] * 1000:.1f} ms, "
        f"worst {max(times) * 1000:.1f} ms"
    )


def for_seconds(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--games", type=int, default=10_000, help="how many games the record holds")
    parser.add_argument("--only", nargs="*", choices=LOADS, default=list(LOADS))
    wanted = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    mine, theirs = context.Pipe()
    with tempfile.TemporaryDirectory() as folder:
        fill(Path(folder) / "hush.db", wanted.games)
        box = context.Process(target=box_process, args=(folder, there))
        box.start()
        port, cookies = here.recv()
        assert box.pid is not None
        calm = asyncio.run(phone_presses(port, cookies[0], for_seconds(5)))
        idle = memory(box.pid)
        began, worked = time.perf_counter(), cpu_seconds(box.pid)
        target = AttackedBox(port, tuple(cookies), time.monotonic() + 2 + wanted.seconds)
        troubling = context.Process(target=trouble_process, args=(target, wanted.only, theirs))
        troubling.start()
        watch = Watch(box.pid)
        under = asyncio.run(phone_presses(port, cookies[0], for_seconds(2 + wanted.seconds)))
        most, share = watch.stop(), (cpu_seconds(box.pid) - worked) / (time.perf_counter() - began)
        got = mine.recv()
        troubling.join()
        here.send("done")
        lates, longest = here.recv()
        box.join()
    print(quantiles("a phone, calm", calm))
    print(quantiles("a phone, under load", under))
    for kind in ("press", "move"):
        these = [(sent, late) for one, sent, late in lates if one == kind]
        print(quantiles(f"a {kind} on the box, calm", [late for sent, late in these if sent < began]))
        print(quantiles(f"a {kind} on the box, under load", [late for sent, late in these if sent >= began]))
    for loop in ("owner", "page"):
        times = [took for took, whose, _ in longest if whose == loop]
        at_most = max(times, default=0) * 1000
        print(f"the {loop}'s loop worked {len(times)} times at one thing for over 5 ms, at most {at_most:.1f} ms")
    print(f"the box's process, without those that draw, was at work for {share:.0%} of the time")
    print(f"memory: {idle:.0f} MB idle, {most:.0f} MB at most, {most - idle:.0f} MB more")
    for name, statuses in got.items():
        print(f"{name}: " + ", ".join(f"{status} {count} times" for status, count in sorted(statuses.items())))


if __name__ == "__main__":
    main()
