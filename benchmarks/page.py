"""`python -m benchmarks.page`: so many phones on one table, and how long a move takes to reach all of them.

A box with its page runs in a process of its own, the phones here, over real sockets, compressed as browsers take it.
Every phone keeps its stream open; one of them moves. Measured from the moment the move is sent to the moment each phone
has the new state; and how much of the processor the box takes for a move, with one phone and with many.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import multiprocessing
import random
import resource
import statistics
import tempfile
import time
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.journal import Journal
from companion.outputs.page import PageOutput
from companion.outputs.panel import PanelOutput
from companion.outputs.sound import SoundOutput
from companion.session.loop import Runner
from companion.session.session import Session
from companion.settings.sections import WebSettings
from companion.table.hosts import HOSTS
from companion.web.app import Serving, bind
from companion.web.page_service import PageService
from hardware.simulated import SimulatedPanel
from sounds.box import SoundBox, SoundSettings
from sounds.guard import SilenceGuard

MOVE_SECONDS = 0.25
# Seconds after which a box that was told to stop is ended.
STOP_WITHIN_SECONDS = 10.0
# A box knows at most 64 phones; beyond that a phone has several pages open.
MAX_PHONES = 50


@dataclass
class Boxed:
    """A box with its page, and phones that were let in."""

    session: Session
    runner: Runner
    port: int
    cookies: list[str]


@asynccontextmanager
async def boxed(folder: Path, phones: int) -> AsyncIterator[Boxed]:
    """A box in this loop, with its page."""
    panel = SimulatedPanel()
    sound = SoundBox(SilenceGuard(), SoundSettings(backend="silent", speech=False), folder / "speech")
    journal = Journal(folder / "hush.db")
    session = Session(HOSTS, journal, time.monotonic, random.Random(1))
    runner = Runner(session, panel)
    service = PageService(session, runner, panel, WebSettings(), folder)
    for output in (PanelOutput(panel), SoundOutput(sound), PageOutput(service.owner.changed, service.owner.flourished)):
        output.attach(session.bus)
    serving = Serving(service, bind("127.0.0.1", 0))
    admitted = [
        service.memory.cookie(service.memory.admit(f"phone {number}")) for number in range(min(phones, MAX_PHONES))
    ]
    cookies = [admitted[number % len(admitted)] for number in range(phones)]
    serving.start()
    yield Boxed(session, runner, serving.port, cookies)
    serving.stop()
    panel.close()
    sound.close()
    journal.close()


async def serve(folder: Path, phones: int, channel: Any) -> None:
    """A box with a game of Silencio and its page, until the other side has had enough."""
    async with boxed(folder, phones) as served:

        def begin() -> None:
            served.session.start("silencio", {"players": 3, "driver": "table"})
            channel.send((served.port, served.cookies))

        def until_done() -> None:
            while channel.poll():
                if channel.recv() == "done":
                    served.runner.stop()
                    return
                used = resource.getrusage(resource.RUSAGE_SELF)
                channel.send(used.ru_utime + used.ru_stime)
            asyncio.get_running_loop().call_later(0.05, until_done)

        asyncio.get_running_loop().call_later(0.05, until_done)
        await served.runner.run(begin)


def box_process(folder: str, phones: int, channel: Any) -> None:
    asyncio.run(serve(Path(folder), phones, channel))


class Phone:
    """An open page: notes when each state comes."""

    def __init__(self, port: int, cookie: str):
        self.port, self.cookie = port, cookie
        self.came: dict[int, float] = {}
        self.state: dict[str, Any] = {}
        self.fresh = asyncio.Event()

    async def listen(self) -> None:
        """Take what comes, until cancelled."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        head = f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: hush={self.cookie}\r\n"
        writer.write(f"{head}Accept-Encoding: gzip\r\n\r\n".encode())
        await reader.readuntil(b"\r\n\r\n")
        unpacked = zlib.decompressobj(zlib.MAX_WBITS | 16)
        rest = b""
        while line := await reader.readline():
            chunk = await reader.readexactly(int(line, 16) + 2)
            now = time.perf_counter()
            *lines, rest = (rest + unpacked.decompress(chunk[:-2])).split(b"\n")
            for name, data in itertools.pairwise(lines):
                if name == b"event: state":
                    self.state = json.loads(data[6:])
                    self.came.setdefault(self.state["number"], now)
                    self.fresh.set()

    async def post(self, path: str, body: dict[str, Any]) -> bytes:
        """Send something; the whole answer."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        sent = json.dumps(body).encode()
        head = (
            f"POST /api/v1{path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nOrigin: http://127.0.0.1:{self.port}\r\n"
            f"Cookie: hush={self.cookie}\r\nContent-Type: application/json\r\nContent-Length: {len(sent)}\r\n"
            "Connection: close\r\n\r\n"
        )
        writer.write(head.encode() + sent)
        answer = await reader.read()
        writer.close()
        return answer


def moves_in(choices: list[dict[str, Any]]) -> list[str]:
    """Every move that is offered, without mishaps.

    >>> moves_in([{"branches": [{"move": "play r4"}]}, {"move": "pass"}, {"move": "drop r4", "is_mishap": True}])
    ['play r4', 'pass']
    """
    meant = [one for one in choices if not one.get("is_mishap")]
    return [move for one in meant for move in ([one["move"]] if one.get("move") else moves_in(one["branches"]))]


async def measure(port: int, cookies: list[str], moves: int, used: Callable[[], float]) -> tuple[float, list[float]]:
    """The box's CPU for a move, and how long each phone waited for each state."""
    phones = [Phone(port, cookie) for cookie in cookies]
    tasks = []
    for phone in phones:
        # One after the other: of connections that haven't said whose they are, an address has only a few.
        tasks.append(asyncio.create_task(phone.listen()))
        await phone.fresh.wait()
    rng = random.Random(2)
    waits: list[float] = []
    made, busy = 0, 0.0
    for _ in range(moves):
        mover = rng.choice(phones)
        offered = moves_in(mover.state["options"]["choices"])
        if not offered or mover.state["is_over"]:
            await mover.post("/games", {"game": "silencio", "options": {}, "instead_of": mover.state["game_id"]})
            await asyncio.sleep(MOVE_SECONDS)
            for phone in phones:
                phone.came.clear()
            continue
        number = mover.state["number"]
        for phone in phones:
            phone.came.pop(number + 1, None)
        # A hand that the box happens to know may not allow what everybody is offered: then it's another move.
        for move in rng.sample(offered, len(offered)):
            before, sent = used(), time.perf_counter()
            answer = await mover.post("/moves", {"move": move, "number": number})
            if not answer.startswith(b"HTTP/1.1 422"):
                break
        assert answer.startswith(b"HTTP/1.1 200"), answer[:300]
        await asyncio.sleep(MOVE_SECONDS)
        busy, made = busy + used() - before, made + 1
        lacking = [phone for phone in phones if phone.state["number"] <= number]
        assert not lacking, f"{len(lacking)} phones didn't hear of move {number + 1} within {MOVE_SECONDS} s"
        waits += [phone.came.get(phone.state["number"], sent) - sent for phone in phones]
    for task in tasks:
        task.cancel()
    return busy / made, waits


@dataclass
class Measured:
    """What came of one run: the box's CPU for each move in seconds, and how long each phone waited for each state."""

    cost: float
    waits: list[float]


def run(phones: int, moves: int) -> Measured:
    """A box with so many phones, and so many moves."""
    here, there = multiprocessing.Pipe()
    with tempfile.TemporaryDirectory() as folder:
        box = multiprocessing.Process(target=box_process, args=(folder, phones, there))
        box.start()
        port, cookies = here.recv()

        def used() -> float:
            here.send("used")
            return float(here.recv())

        try:
            cost, waits = asyncio.run(measure(port, cookies, moves, used))
            here.send("done")
            box.join(STOP_WITHIN_SECONDS)
        finally:
            box.kill()
            box.join()
    return Measured(cost, waits)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=100)
    parser.add_argument("--moves", type=int, default=60)
    wanted = parser.parse_args()
    one, many = run(1, wanted.moves), run(wanted.phones, wanted.moves)
    points = statistics.quantiles(many.waits, n=100)
    print(f"{wanted.phones} phones, {wanted.moves} moves, {len(many.waits)} states received")
    print(f"move sent to state received: p50 {points[49] * 1000:.1f} ms, p95 {points[94] * 1000:.1f} ms, ", end="")
    print(f"p99 {points[98] * 1000:.1f} ms, worst {max(many.waits) * 1000:.1f} ms")
    each = (many.cost - one.cost) / max(1, wanted.phones - 1)
    print(f"CPU of the box for a move, journal and request included: {one.cost * 1000:.1f} ms with one phone, ", end="")
    print(f"{many.cost * 1000:.1f} ms with {wanted.phones}: {each * 1000:.3f} ms for each more")


if __name__ == "__main__":
    main()
