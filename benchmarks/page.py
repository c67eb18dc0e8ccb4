"""`python -m benchmarks.page`: so many phones on one table, and how long a move takes to reach all of them.

A box with its page runs in this process, the phones in another, over real sockets. Every phone keeps its stream open;
one of them moves. Measured from the moment the move is sent to the moment each phone has the new state.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import resource
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
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
from companion.web.service import Service
from hardware.simulated import SimulatedPanel
from sounds.box import SoundBox, SoundSettings
from sounds.guard import SilenceGuard

PACE = 0.25


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
    service = Service(session, runner, panel, WebSettings(), folder)
    for output in (PanelOutput(panel), SoundOutput(sound), PageOutput(service.owner.changed, service.owner.flourished)):
        output.attach(session.events)
    serving = Serving(service, bind("127.0.0.1", 0))
    cookies = [service.keys.cookie(service.keys.admit(f"phone {number}")) for number in range(phones)]
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
            if channel.poll():
                served.runner.stop()
            else:
                asyncio.get_running_loop().call_later(0.2, until_done)

        asyncio.get_running_loop().call_later(0.2, until_done)
        await served.runner.run(begin)
        used = resource.getrusage(resource.RUSAGE_SELF)
        channel.send(used.ru_utime + used.ru_stime)


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
        head = f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: hush={self.cookie}\r\n\r\n"
        writer.write(head.encode())
        is_state = False
        while line := await reader.readline():
            if line.startswith(b"event: "):
                is_state = line.strip() == b"event: state"
            elif is_state and line.startswith(b"data: "):
                now = time.perf_counter()
                self.state = json.loads(line[6:])
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


def first_move(options: dict[str, Any], rng: random.Random) -> str:
    choices = [one for one in options["choices"] if not one.get("is_mishap")]
    while choices:
        choice = rng.choice(choices)
        if choice.get("move"):
            return str(choice["move"])
        choices = choice["branches"]
    return ""


async def measure(port: int, cookies: list[str], moves: int) -> list[float]:
    phones = [Phone(port, cookie) for cookie in cookies]
    tasks = [asyncio.create_task(phone.listen()) for phone in phones]
    await asyncio.gather(*(phone.fresh.wait() for phone in phones))
    rng = random.Random(2)
    waits: list[float] = []
    for _ in range(moves):
        mover = rng.choice(phones)
        move = first_move(mover.state["options"], rng)
        if not move or mover.state["is_over"]:
            await mover.post("/games", {"game": "silencio", "options": {}, "instead_of": mover.state["game_id"]})
            await asyncio.sleep(PACE)
            for phone in phones:
                phone.came.clear()
            continue
        number = mover.state["number"]
        for phone in phones:
            phone.came.pop(number + 1, None)
        sent = time.perf_counter()
        answer = await mover.post("/moves", {"move": move, "number": number})
        assert answer.startswith(b"HTTP/1.1 200"), answer[:300]
        await asyncio.sleep(PACE)
        lacking = [phone for phone in phones if phone.state["number"] <= number]
        assert not lacking, f"{len(lacking)} phones didn't hear of move {number + 1} within {PACE} s"
        waits += [phone.came.get(phone.state["number"], sent) - sent for phone in phones]
    for task in tasks:
        task.cancel()
    return waits


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=50)
    parser.add_argument("--moves", type=int, default=60)
    wanted = parser.parse_args()
    here, there = multiprocessing.Pipe()
    with tempfile.TemporaryDirectory() as folder:
        box = multiprocessing.Process(target=box_process, args=(folder, wanted.phones, there))
        box.start()
        port, cookies = here.recv()
        start = time.perf_counter()
        waits = asyncio.run(measure(port, cookies, wanted.moves))
        took = time.perf_counter() - start
        here.send("done")
        busy = here.recv()
        box.join()
    points = statistics.quantiles(waits, n=100)
    print(f"{wanted.phones} phones, {wanted.moves} moves, {len(waits)} states received")
    print(f"move sent to state received: p50 {points[49] * 1000:.1f} ms, p95 {points[94] * 1000:.1f} ms, ", end="")
    print(f"p99 {points[98] * 1000:.1f} ms, worst {max(waits) * 1000:.1f} ms")
    print(f"the box's process used {busy:.1f} s of CPU in {took:.1f} s, start included")


if __name__ == "__main__":
    main()
