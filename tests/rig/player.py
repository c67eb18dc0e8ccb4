"""Plays whole games on the service by its buttons alone, knowing only what its journal file says."""

from __future__ import annotations

import random
import shutil
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from machine import STATE, lit, press, wait

from companion.games.notation import write_move
from companion.journal import Entry, Journal
from companion.play import Play
from companion.table.box import Box
from companion.table.chooser import Node
from companion.table.hosts import HOSTS
from companion.table.menu import VARIANTS, NewGame, menu
from hardware.panel import Button, Glow
from hardware.simulated import SimulatedPanel
from sounds.box import SoundBox, SoundSettings
from sounds.guard import SilenceGuard

VARIANT = {"silencio": "standard", "similo": "standard", "silentes": "virtual", "cisza": "standard"}


class Record:
    """A copy of the service's journal at this moment."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="record", dir="/run"))
        path = self.folder / "hush.db"
        with (
            closing(sqlite3.connect(f"file:{STATE}/hush.db?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(path)) as copy,
        ):
            source.backup(copy)
        self.journal = Journal(path)

    def close(self) -> None:
        self.journal.close()
        shutil.rmtree(self.folder)


def steps() -> tuple[int, int]:
    """The last game's number and how many steps it has."""
    try:
        with closing(sqlite3.connect(f"file:{STATE}/hush.db?mode=ro", uri=True)) as database:
            row = database.execute(
                "SELECT id, (SELECT count(*) FROM steps WHERE game = id) FROM games ORDER BY id DESC LIMIT 1"
            ).fetchone()
    except sqlite3.Error:
        return (0, 0)
    return (0, 0) if row is None else (int(row[0]), int(row[1]))


def table() -> tuple[Entry, Play]:
    """The last game as the journal has it."""
    record = Record()
    try:
        entry = record.journal.games()[-1]
        return entry, record.journal.resume(entry.id)
    finally:
        record.close()


def route(nodes: tuple[Node, ...], wanted: Any) -> list[int]:
    """The indices that lead to a value."""
    for index, node in enumerate(nodes):
        if node.branches:
            below = route(node.branches, wanted)
            if below:
                return [index, *below]
        elif node.value == wanted:
            return [index]
    return []


def pick(nodes: tuple[Node, ...], wanted: Any) -> None:
    """Reach a value of an open chooser, from its first option."""
    for index in route(nodes, wanted):
        # Round the end where that's shorter.
        if index <= len(nodes) // 2:
            press(*[Button.RIGHT] * index)
        else:
            press(*[Button.LEFT] * (len(nodes) - index))
        press(Button.CONFIRM)
        nodes = nodes[index].branches


def begin(name: str, players: int, running: bool) -> None:
    """Choose a game from the open menu."""
    chosen = next(options for key, _, options in VARIANTS[name] if key == VARIANT[name])
    driver = {"driver": "table"} if "driver" in HOSTS[name].game.options_type.__struct_fields__ else {}
    nodes = menu(HOSTS, running=running, resumable=False).nodes
    before = steps()[0]
    pick(nodes, NewGame(name, {"players": players, **driver, **chosen}))
    wait(lambda: steps()[0] > before, 30)


def come_back() -> None:
    """Out of any chooser: the menu, and its first line, "back to the game"."""
    press(Button.BACK, hold=2.4)
    press(Button.CONFIRM)
    time.sleep(0.3)


class Count:
    """What a stretch of play came to."""

    def __init__(self) -> None:
        self.moves = self.as_meant = self.lost = self.windows = 0

    def __str__(self) -> str:
        return f"moves={self.moves} as_meant={self.as_meant} retried={self.lost} windows={self.windows}"


def play_on(rng: random.Random, most: int) -> Count:
    """Make up to so many moves, or play until the game is over."""
    count = Count()
    while count.moves < most and count.lost < 25:
        before = steps()
        entry, play = table()
        if play.is_over:
            break
        host = HOSTS[entry.game]
        if host.window(play.state) is not None:
            # Somebody might act; nobody does, and the box goes on by itself.
            count.windows += 1
            wait(lambda before=before: steps() != before, 40)
            continue
        legal = [move for move in host.game.legal(play.state) if not isinstance(move, host.game.mishaps)]
        move = rng.choice(legal)
        press(Button.RIGHT)
        pick(host.options(play.state), move)
        if not wait(lambda before=before: steps() != before, 8):
            count.lost += 1
            come_back()
            continue
        count.moves += 1
        record = Record()
        made = record.journal.steps(entry.id)[before[1]]
        record.close()
        count.as_meant += made.text == write_move(move)
    return count


def lamps_agree() -> tuple[bool, str]:
    """Whether the lines show what the box would show for the state on disk: steady lamps on, dark ones off."""
    record = Record()
    panel = SimulatedPanel()
    sound = SoundBox(SilenceGuard(), SoundSettings(backend="silent"), record.folder)
    try:
        box = Box(HOSTS, panel, sound, record.journal, time.monotonic)
        box.resume(record.journal.games()[-1].id)
        glows = dict(panel.parts.glows(box.frame))
    finally:
        panel.close()
        sound.close()
        record.close()
    on = {name for name, glow in glows.items() if glow is Glow.ON}
    off = {name for name, glow in glows.items() if glow is Glow.OFF}
    agreed = wait(lambda: on <= (shown := lit()) and not off & shown, 15)
    return bool(agreed), f"on={sorted(on)} lines={sorted(lit())}"
