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
from contextlib import closing
from pathlib import Path
from typing import Any

from companion.demo.box_user import path_to
from companion.games.notation import write_move
from companion.journal import replay
from companion.journal.file import open_to_read
from companion.play import HistoryStep, Play
from companion.table.hosts import HOSTS
from companion.table.menu import NewGame, menu
from hardware.panel import Button
from hardware.pinout import DEFAULT
from tests.hardware.rigs import Clock, clocked_pins
from tests.patience import PATIENCE, eventually

ROOT = Path(__file__).resolve().parent.parent.parent
PINS = dict(DEFAULT.buttons())


def configuration(state: Path, camera: str = "none") -> str:
    """What the installer writes, page and sound on, but for the folder, the camera and the port."""
    shipped = (ROOT / "systemd" / "hush.toml").read_text(encoding="utf-8")
    assert shipped.count('"/var/lib/hush"') == 1
    ours = shipped.replace('"/var/lib/hush"', json.dumps(str(state)))
    return f'{ours}\n[camera]\ndevice = {json.dumps(camera)}\n[web]\nhost = "127.0.0.1"\nport = 0\n'


class Boxed:
    """A box in its process, watched as systemd would watch it."""

    def __init__(self, folder: Path, state: Path, camera: str = "none"):
        self.state = state
        self.messages: list[str] = []
        self.said = ""
        config = folder / "hush.toml"
        config.write_text(configuration(state, camera), encoding="utf-8")
        (folder / "run").mkdir(exist_ok=True)
        self.runtime = folder / "run"
        self._address = address = folder / "notify"
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
        assert eventually(lambda: "READY=1" in self.messages or self.process.poll() is not None)
        assert self.process.poll() is None, self.process.communicate()

    def _listen(self) -> None:
        while True:
            try:
                said = self._line.recv(4096).decode()
            except OSError:
                return
            self.messages += said.splitlines()

    def hear_out(self) -> list[str]:
        """Everything the box has said up to now: messages come in their order, and one of our own comes last."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.sendto(b"all heard", str(self._address))
        eventually(lambda: "all heard" in self.messages)
        self.messages.remove("all heard")
        return list(self.messages)

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
            with closing(open_to_read(self.state / "hush.db")) as database:
                return int(database.execute("SELECT count(*) FROM steps").fetchone()[0])
        except sqlite3.Error:
            return 0

    def begin(self, name: str = "silencio", players: int = 2) -> None:
        """Choose a game from the menu with the buttons."""
        value = NewGame(name, {"players": players, "driver": "table"})
        self._pick(menu(HOSTS, running=False).nodes, value)
        assert eventually(lambda: self.play() is not None)

    def play(self) -> Play | None:
        """The last game, as the disk has it."""
        try:
            with closing(open_to_read(self.state / "hush.db")) as database:
                row = database.execute("SELECT id, game, start FROM games ORDER BY id DESC LIMIT 1").fetchone()
                if row is None:
                    return None
                query = "SELECT kind, text, is_joined, reason FROM steps WHERE game = ? ORDER BY number"
                steps = [HistoryStep(*step) for step in database.execute(query, (row[0],))]
        except sqlite3.Error:
            return None
        return replay(row[1], row[2], steps)

    def state_of_play(self) -> Any:
        """Where the last game is, as the disk has it."""
        play = self.play()
        return None if play is None else play.state

    def move(self, rng: random.Random) -> str:
        """Make a random move with the buttons; returns it once it's on disk, with what the box does by itself then."""
        play = self.play()
        assert play is not None
        before = self.steps()
        move = self.press_move(play, rng)
        eventually(lambda: self.steps() > before, why=f"{write_move(move)}: {self.messages[-3:]}")
        eventually(lambda: HOSTS[play.game.name].forced_move(self.state_of_play()) is None)
        return write_move(move)

    def press_move(self, play: Play, rng: random.Random) -> Any:
        """The presses of a random move in this state."""
        host = HOSTS[play.game.name]
        moves = [one for one in host.game.legal(play.state) if not isinstance(one, host.game.mishaps)]
        move = rng.choice(moves)
        self.press(Button.RIGHT)
        self._pick(host.options(play.state), move)
        return move

    def follow(self, play: Play, move: Any) -> None:
        """Do a move in a game beside the box's, and what the box does by itself then."""
        host = HOSTS[play.game.name]
        following: Any = move
        while following is not None:
            play.do(following)
            following = host.forced_move(play.state)

    def _pick(self, nodes: Any, wanted: Any) -> None:
        for index in path_to(nodes, wanted):
            self.press(*[Button.RIGHT] * index, Button.CONFIRM)
            nodes = nodes[index].branches

    def kill(self, number: int = signal.SIGKILL) -> None:
        self.process.send_signal(number)
        self.process.wait(PATIENCE)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        self.process.communicate()
        self._line.close()


def main() -> None:
    """The process itself: everything is real but the pins."""
    from companion.__main__ import main as companion
    from companion.commands import serving
    from hardware.gpio import GpioPanel

    fingers = Clock()
    factory = clocked_pins(fingers)
    for pin in PINS.values():
        factory.pin(pin)  # idle: the pull-up holds it high
    serving.own_panel = lambda settings, warn: GpioPanel(settings.pinout, factory)

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
        # Both edges at once, with the times of a calm finger: the panel goes by those, however busy the machine is.
        for change in (factory.pin(PINS[button]).drive_low, factory.pin(PINS[button]).drive_high):
            fingers.now += 0.05
            change()

    threading.Thread(target=obey, daemon=True).start()
    sys.argv = ["companion", "run"]
    companion()


if __name__ == "__main__":
    main()
