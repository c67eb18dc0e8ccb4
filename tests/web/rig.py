"""A running box with its page in a thread of its own: a panel one can press, a journal on disk, real sockets."""

from __future__ import annotations

import asyncio
import logging
import random
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx

from companion.journal import Journal
from companion.outputs.page import PageOutput
from companion.outputs.panel import PanelOutput
from companion.outputs.sound import SoundOutput
from companion.session.events import Told
from companion.session.loop import Runner
from companion.session.session import Session
from companion.settings.sections import WebSettings
from companion.table.eye import Snapshot
from companion.table.hosts import HOSTS
from companion.web.app import Serving, bind
from companion.web.page_service import PageService
from companion.web.settings_file import SettingsFile
from hardware.button_signals import LONG_PRESS_SECONDS
from hardware.panel import Button
from hardware.simulated import SimulatedPanel
from sounds.box import SoundBox, SoundSettings
from sounds.guard import SilenceGuard
from tests.patience import PATIENCE, eventually
from tests.table.fingers import BoxWithPanel

T = TypeVar("T")


# The threads that belong to the page.
PAGES = ("page", "archive", "asyncio", "tryout")


class Owned(Session):
    """A box that notices when a thread of the page touches it."""

    def __getattribute__(self, name: str) -> Any:
        if (thread := threading.current_thread().name).startswith(PAGES):
            object.__getattribute__(self, "__dict__").setdefault("touched", set()).add(f"{name} by {thread}")
        return super().__getattribute__(name)

    @property
    def touched(self) -> set[str]:
        """What was touched, and by which thread."""
        touched: set[str] = self.__dict__.get("touched", set())
        return touched


class Rig(BoxWithPanel):
    """The box, its page and its port. `restart` is a power cut: only what is on disk survives."""

    box: Owned

    def __init__(self, folder: Path, seed: int = 1, trust_loopback: bool = False, simulated: bool = False):
        self.folder = folder
        self.simulated = simulated
        self.seed = seed
        self.settings = WebSettings(host="127.0.0.1", port=0, trust_loopback=trust_loopback)
        self.port = 0
        self.passed = 0.0
        self.stands_at: float | None = None
        self.clients: list[httpx.Client] = []
        self.start()

    def start(self) -> None:
        ready = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self._live(ready)), daemon=True)
        self.thread.start()
        assert ready.wait(PATIENCE), "the box didn't start"

    async def _live(self, ready: threading.Event) -> None:
        self.panel = SimulatedPanel()
        sound = SoundBox(SilenceGuard(), SoundSettings(backend="silent", speech=False), self.folder / "speech")
        journal = Journal(self.folder / "hush.db")
        self.box = Owned(HOSTS, journal, self.clock, random.Random(self.seed))
        self.runner = Runner(self.box, self.panel)
        self.service = PageService(
            self.box, self.runner, self.panel, self.settings, self.folder, is_simulated=self.simulated,
            settings_file=SettingsFile(environment={"HUSH_CONFIG": str(self.folder / "hush.toml")}),
        )  # fmt: skip
        page = PageOutput(self.service.owner.changed, self.service.owner.flourished)
        for output in (PanelOutput(self.panel), SoundOutput(sound), page):
            output.attach(self.box.bus)
        self.told: list[Told] = []
        self.box.bus.subscribe(Told, self.told.append)
        self.serving = Serving(self.service, bind("127.0.0.1", self.port))
        self.port = self.serving.port

        def begin() -> None:
            self.box.wake()
            self.serving.start()
            asyncio.get_running_loop().call_later(0.05, ready.set)

        try:
            await self.runner.run(begin)
        finally:
            self.serving.stop()
            self.panel.close()
            sound.close()
            journal.close()

    def stop(self) -> None:
        self.runner.stop()
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive(), "the box didn't stop"

    def close(self) -> None:
        for client in self.clients:
            client.close()
        self.stop()
        assert self.box.touched == set(), "only its owner may touch the box"

    def restart(self) -> None:
        self.stop()
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(self, act: Callable[[], T]) -> T:
        """Have something done by the box's owner."""
        done: Future[T] = Future()
        self.runner.post(lambda: settle(done, act))
        return done.result(PATIENCE)

    def ask_page(self, act: Callable[[], T]) -> T:
        """Have something done in the page's loop."""
        # The server's thread may be slow to begin.
        loop = eventually(lambda: self.serving.loop)
        done: Future[T] = Future()
        loop.call_soon_threadsafe(settle, done, act)
        return done.result(PATIENCE)

    def clock(self) -> float:
        """The box's clock; a test may let time pass without waiting for it, or have it stand still."""
        return (time.monotonic() if self.stands_at is None else self.stands_at) + self.passed

    def hold_on_the_box(self) -> None:
        """A finger that holds ✔ on the real panel, after the sign has been there for a moment."""
        # The time of a sign begins when the owner shows it, which may be after the page has answered.
        eventually(lambda: self.ask(lambda: self.box.shown.knock))
        self.passed += 2.1
        asked = self.ask_page(lambda: self.service.door.asked)
        self.panel.tap(Button.CONFIRM, LONG_PRESS_SECONDS[Button.CONFIRM] + 0.1)
        eventually(lambda: self.ask_page(lambda: self.service.door.asked != asked))

    def client(self, **headers: str) -> httpx.Client:
        """A phone that isn't paired."""
        client = httpx.Client(base_url=self.address, headers={"origin": self.address, **headers}, timeout=PATIENCE)
        self.clients.append(client)
        return client

    def paired(self, name: str = "phone") -> httpx.Client:
        """A phone that was let in, without the knocking."""
        cookie = self.ask_page(lambda: self.service.memory.cookie(self.service.memory.admit(name)))
        client = self.client()
        client.cookies.set("hush", cookie, domain="127.0.0.1", path="/")
        return client

    def begin(self, game: str, **chosen: Any) -> None:
        """A game on the table."""
        table = {"driver": "table"} if "driver" in HOSTS[game].game.options_type.__struct_fields__ else {}
        self.ask(lambda: self.box.start(game, {**table, **chosen}))

    def begin_first_turn(self) -> None:
        """A game of Silencio in which player 1 is to play; red 5 and red 7 can be played."""
        self.begin("silencio", players=2)
        self.ask(lambda: [self.box.do(move) for move in ("show r4", "show b7", "start 0")])
        while self.ask(lambda: self.history.state.phase) == "pass_on":
            self.ask(lambda: self.box.do(self.history.game.legal(self.history.state)[0]))

    def play(self, moves: int, seed: int = 3) -> None:
        """So many legal moves, no mishaps; fewer if the game ends before."""
        rng = random.Random(seed)

        def act() -> None:
            rules = self.history.game
            for _ in range(moves):
                legal = [move for move in rules.legal(self.history.state) if not isinstance(move, rules.mishaps)]
                if not legal:
                    return
                self.box.do(rng.choice(legal))

        self.ask(act)


def settle(done: Future[T], act: Callable[[], T]) -> None:
    try:
        done.set_result(act())
    except Exception as error:
        done.set_exception(error)


class StillCamera:
    """A camera that holds one picture, or none."""

    def __init__(self, picture: Any):
        self.picture = picture

    def snapshot(self) -> Snapshot | None:
        return None if self.picture is None else Snapshot(self.picture)

    def recalibrate(self) -> None:
        """There is nothing to forget."""

    def renew(self) -> None:
        """There is nothing to learn."""


@contextmanager
def running(folder: Path, **how: Any) -> Iterator[Rig]:
    """A rig that is always stopped."""
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    rig = Rig(folder, **how)
    try:
        yield rig
    finally:
        rig.close()
