"""`companion run` serves the page, says where, and ends cleanly."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import httpx

from companion.games.notation import read_state
from companion.table.hosts import HOSTS
from companion.table.scenes import scene
from companion.table.simulated_table import SimulatedTable
from tests.patience import PATIENCE, eventually
from vision.pictures import write_picture


def start(folder: Path, *arguments: str, port: int = 0, more: str = "") -> subprocess.Popen[str]:
    config = folder / "hush.toml"
    config.write_text(
        f'state = "{folder}/state"\n[sound]\nbackend = "silent"\n[web]\nhost = "127.0.0.1"\nport = {port}\n{more}'
    )
    return subprocess.Popen(
        [sys.executable, "-m", "companion", "run", *arguments],
        env={**os.environ, "HUSH_CONFIG": str(config), "LANG": "C.UTF-8", "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )


def wait_until_it_plays(folder: Path) -> None:
    """The game's first row is in the journal; by then the box hears signals."""
    journal = folder / "state" / "hush.db"

    def has_begun() -> bool:
        if not journal.is_file():
            return False
        with contextlib.closing(sqlite3.connect(journal)) as db, contextlib.suppress(sqlite3.OperationalError):
            return bool(db.execute("SELECT count(*) FROM games").fetchone() == (1,))
        return False

    eventually(has_begun, why="no game began")


def end(box: subprocess.Popen[str]) -> tuple[int, str, str]:
    box.send_signal(signal.SIGTERM)
    said, complaints = box.communicate(timeout=PATIENCE)
    return box.returncode, said, complaints


def test_the_box_serves_its_page_and_stops_when_told(tmp_path: Path) -> None:
    box = start(tmp_path, "silencio", "--players", "2")
    assert box.stdout is not None
    said = box.stdout.readline()
    found = re.fullmatch(r"The page: (http://127\.0\.0\.1:\d+/)\n", said)
    assert found, said
    transport = httpx.HTTPTransport(retries=10)
    with httpx.Client(transport=transport, timeout=PATIENCE) as client:
        assert "door.js" in client.get(found[1]).text
        assert client.get(f"{found[1]}api/v1/state").status_code == 401
    assert end(box) == (0, "", "")


def test_without_the_page_nothing_listens_and_a_taken_port_stops_no_game(tmp_path: Path) -> None:
    box = start(tmp_path, "silencio", "--no-page")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        (tmp_path / "other").mkdir()
        other = start(tmp_path / "other", "silencio", port=taken.getsockname()[1])
        assert other.stderr is not None
        assert "another program uses it" in other.stderr.readline()
        wait_until_it_plays(tmp_path / "other")
        assert other.poll() is None
        code, _, _ = end(other)
        assert code == 0
    wait_until_it_plays(tmp_path)
    assert end(box) == (0, "", "")


def test_a_camera_of_the_configuration_reaches_the_page(tmp_path: Path) -> None:
    """The whole way: pictures in a folder as the camera, the watcher, the eye, and what a phone gets of it."""
    game = HOSTS["silencio"].game
    state = read_state(game, "silencio players=2 driver=table hands=?,?/?,? rows=r4/b7/-/- deck=22")
    simulated = SimulatedTable("silencio", state.options)
    (tmp_path / "frames").mkdir()
    write_picture(tmp_path / "frames" / "table.png", simulated.photograph(scene("silencio", state)))
    more = f'trust_loopback = true\n[camera]\ndevice = "{tmp_path}/frames"\n'
    box = start(tmp_path, "silencio", "--players", "2", more=more)
    assert box.stdout is not None
    address = box.stdout.readline().removeprefix("The page: ").strip()
    with httpx.Client(
        base_url=f"{address}api/v1", transport=httpx.HTTPTransport(retries=10), timeout=PATIENCE
    ) as phone:

        def recognised() -> set[str]:
            said = phone.get("/seen")
            return {one["card"] for one in said.json()["cards"]} if said.status_code == 200 else set()

        eventually(lambda: {"r4", "b7"} <= recognised())
        seen = phone.get("/calibration").json()
        assert (seen["is_well"], [spot["is_found"] for spot in seen["markers"]]) == (True, [True] * 4)
        assert phone.get("/picture/flat").headers["content-type"] == "image/jpeg"
    code, _, _ = end(box)
    assert code == 0
