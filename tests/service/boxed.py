"""The real `companion run` in a process of its own, on pins in memory that are moved through stdin.

Run as a module it is that process; imported, it starts one and has fingers for it.
"""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from companion.games.notation import write_move
from companion.journal import replay
from companion.play import Play
from companion.service.backups import reading
from companion.table.hosts import HOSTS
from companion.table.menu import NewGame, menu
from hardware.panel import Button
from hardware.pinout import DEFAULT
from tests.table.fingers import route

ROOT = Path(__file__).resolve().parent.parent.parent
PINS = dict(DEFAULT.buttons())


def configuration(state: Path, camera: str = "none") -> str:
    """What the installer writes, page and sound on, but for the folder, the camera and the port."""
    shipped = (ROOT / "systemd" / "hush.toml").read_text(encoding="utf-8")
    assert shipped.count('"/var/lib/hush"') == 1
    ours = shipped.replace('"/var/lib/hush"', json.dumps(str(state)))
    return f'{ours}\n[camera]\ndevice = {json.dumps(camera)}\n[web]\nhost = "127.0.0.1"\nport = 0\n'


def wait(for_what: Callable[[], Any], seconds: float = 90.0) -> Any:
    """What comes true within a time, or the last answer."""
    end = time.monotonic() + seconds
    while not (answer := for_what()) and time.monotonic() < end:
        time.sleep(0.02)
    return answer


class Boxed:
    """A box in its process, watched as systemd would watch it."""

    def __init__(self, folder: Path, state: Path, camera: str = "none"):
        self.state = state
        self.messages: list[str] = []
        self.said = ""
        self.heard = time.monotonic()
        config = folder / "hush.toml"
        config.write_text(configuration(state, camera), encoding="utf-8")
        (folder / "run").mkdir(exist_ok=True)
        self.runtime = folder / "run"
        address = folder / "notify"
        address.unlink(missing_ok=True)
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._line.bind(str(address))
        threading.Thread(target=self._listen, daemon=True).start()
        environment = {
            **os.environ,
            "HUSH_CONFIG": str(config),
            "NOTIFY_SOCKET": str(address),
            "RUNTIME_DIRECTORY": str(self.runtime),
            "LC_ALL": "C.UTF-8",
            "SDL_AUDIODRIVER": "dummy",
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.service.boxed"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, cwd=ROOT,
        )  # fmt: skip
        assert wait(lambda: "READY=1" in self.messages or self.process.poll() is not None)
        assert self.process.poll() is None, self.process.communicate()

    def _listen(self) -> None:
        while True:
            try:
                said = self._line.recv(4096).decode()
            except OSError:
                return
            self.heard = time.monotonic()
            self.messages += said.splitlines()

    def tell(self, *words: str) -> None:
        assert self.process.stdin is not None
        print(*words, file=self.process.stdin, flush=True)

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.tell("press", button.value)

    def lit(self) -> set[str]:
        """The lamps whose pin is high."""
        self.tell("lit")
        assert self.process.stdout is not None
        while not (line := self.process.stdout.readline()).startswith("["):
            assert line, "the box ended"
            self.said += line
        return set(json.loads(line))

    def steps(self) -> int:
        """How many steps are on disk, of all games."""
        try:
            with closing(reading(self.state / "hush.db")) as database:
                return int(database.execute("SELECT count(*) FROM steps").fetchone()[0])
        except sqlite3.Error:
            return 0

    def begin(self, name: str = "silencio", players: int = 2) -> None:
        """Choose a game from the menu with the buttons."""
        value = NewGame(name, {"players": players, "driver": "table"})
        self._pick(menu(HOSTS, running=False, resumable=False).nodes, value)
        assert wait(lambda: self.play() is not None)

    def play(self) -> Play | None:
        """The last game, as the disk has it."""
        try:
            with closing(reading(self.state / "hush.db")) as database:
                row = database.execute("SELECT id, game, start FROM games ORDER BY id DESC LIMIT 1").fetchone()
                if row is None:
                    return None
                query = "SELECT kind, text FROM steps WHERE game = ? ORDER BY number"
                steps = [Step(*step) for step in database.execute(query, (row[0],))]
        except sqlite3.Error:
            return None
        return replay(row[1], row[2], steps)  # type: ignore[arg-type]

    def move(self, rng: random.Random) -> str:
        """Make a random move with the buttons; returns it once it's on disk."""
        play = self.play()
        assert play is not None
        before = self.steps()
        move = self.press_move(play, rng)
        assert wait(lambda: self.steps() > before), (write_move(move), self.messages[-3:])
        return write_move(move)

    def press_move(self, play: Play, rng: random.Random) -> Any:
        """The presses of a random move in this state."""
        host = HOSTS[play.game.name]
        moves = [one for one in host.game.legal(play.state) if not isinstance(one, host.game.mishaps)]
        move = rng.choice(moves)
        self.press(Button.RIGHT)
        self._pick(host.options(play.state), move)
        return move

    def _pick(self, nodes: Any, wanted: Any) -> None:
        for index in route(nodes, wanted):
            self.press(*[Button.RIGHT] * index, Button.CONFIRM)
            nodes = nodes[index].branches

    def kill(self, number: int = signal.SIGKILL) -> None:
        self.process.send_signal(number)
        self.process.wait(20)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        self.process.communicate()
        self._line.close()


class Step:
    """A step as `replay` wants it."""

    def __init__(self, kind: str, text: str):
        self.kind = kind
        self.text = text


def main() -> None:
    """The process itself: everything is real but the pins."""
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    from companion.__main__ import main as companion
    from companion.commands import serving
    from hardware.gpio import GpioPanel

    factory = MockFactory(pin_class=MockPWMPin)
    for pin in PINS.values():
        factory.pin(pin)  # idle: the pull-up holds it high
    serving.open_panel = lambda settings: GpioPanel(settings.pinout, factory)

    def obey() -> None:
        for line in sys.stdin:
            match line.split():
                case ["press", button]:
                    press(Button(button))
                case ["hold"]:
                    for button in (Button.LEFT, Button.RIGHT):
                        factory.pin(PINS[button]).drive_low()
                case ["lit"]:
                    lit = [lamp for lamp, pin in DEFAULT.lamps() if factory.pin(pin).state]
                    print(json.dumps(lit), flush=True)

    def press(button: Button) -> None:
        factory.pin(PINS[button]).drive_low()
        time.sleep(0.05)
        factory.pin(PINS[button]).drive_high()
        time.sleep(0.05)

    threading.Thread(target=obey, daemon=True).start()
    sys.argv = ["companion", "run"]
    companion()


if __name__ == "__main__":
    main()
