"""`companion run` serves the page, says where, and ends cleanly."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx


def start(folder: Path, *arguments: str, port: int = 0) -> subprocess.Popen[str]:
    config = folder / "hush.toml"
    config.write_text(
        f'state = "{folder}/state"\n[web]\nhost = "127.0.0.1"\nport = {port}\n[sound]\nbackend = "silent"\n'
    )
    return subprocess.Popen(
        [sys.executable, "-m", "companion", "run", *arguments],
        env={**os.environ, "HUSH_CONFIG": str(config), "LANG": "C.UTF-8", "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )


def end(box: subprocess.Popen[str]) -> tuple[int, str]:
    box.send_signal(signal.SIGTERM)
    _, complaints = box.communicate(timeout=20)
    return box.returncode, complaints


def test_the_box_serves_its_page_and_stops_when_told(tmp_path: Path) -> None:
    box = start(tmp_path, "silencio", "--players", "2")
    assert box.stdout is not None
    said = box.stdout.readline()
    found = re.fullmatch(r"The page: (http://127\.0\.0\.1:\d+/)\n", said)
    assert found, said
    transport = httpx.HTTPTransport(retries=10)
    with httpx.Client(transport=transport, timeout=10) as client:
        assert "door.js" in client.get(found[1]).text
        assert client.get(f"{found[1]}api/v1/state").status_code == 401
    assert end(box) == (0, "")


def test_without_the_page_nothing_listens_and_a_taken_port_stops_no_game(tmp_path: Path) -> None:
    box = start(tmp_path, "silencio", "--no-page")
    assert box.stdout is not None
    with socket.create_server(("127.0.0.1", 0)) as taken:
        (tmp_path / "other").mkdir()
        other = start(tmp_path / "other", "silencio", port=taken.getsockname()[1])
        assert other.stderr is not None
        assert "The page can't be served on port" in other.stderr.readline()
        assert other.poll() is None
        code, _ = end(other)
        assert code == 0
    code, complaints = end(box)
    assert (code, complaints) == (0, "")
    assert box.stdout.read() == ""
