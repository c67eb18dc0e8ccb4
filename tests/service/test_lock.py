"""Two boxes on one state folder: the second says so and stops, and has touched nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.service.lock import AlreadyRunning, FolderLock
from tests.patience import PATIENCE
from tests.service.boxed import ROOT, configuration


def test_a_folder_is_held_once(tmp_path: Path) -> None:
    first = FolderLock(tmp_path / "state")
    (tmp_path / "link").symlink_to(tmp_path / "state")
    for path in (tmp_path / "state", tmp_path / "link"):
        with pytest.raises(AlreadyRunning):
            FolderLock(path)
    assert list((tmp_path / "state").iterdir()) == [], "the lock is no file"
    first.release()
    FolderLock(tmp_path / "state")
    with pytest.raises(AlreadyRunning):
        FolderLock(tmp_path / "state")


def test_a_folder_that_cant_be_there_needs_no_lock(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    for path in (tmp_path / "file", tmp_path / "file" / "state", Path("/proc/hush")):
        assert FolderLock(path)
        assert FolderLock(path), "a second box is let in too"


def test_a_killed_holder_lets_go_though_its_child_lives_on(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [
            sys.executable, "-c",
            "import subprocess, sys, time; from pathlib import Path; from companion.service.lock import FolderLock;"
            "lock = FolderLock(Path(sys.argv[1])); print(subprocess.Popen(['sleep', '600']).pid, flush=True); "
            "time.sleep(99)",
            str(tmp_path),
        ],
        stdout=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip
    assert holder.stdout is not None
    child = int(holder.stdout.readline())
    try:
        with pytest.raises(AlreadyRunning):
            FolderLock(tmp_path)
        holder.send_signal(signal.SIGKILL)
        holder.wait(PATIENCE)
        os.kill(child, 0)  # it's there
        FolderLock(tmp_path)
    finally:
        os.kill(child, signal.SIGKILL)
        holder.stdout.close()


def test_the_second_run_says_so_and_touches_nothing(tmp_path: Path) -> None:
    state = tmp_path / "state"
    lock = FolderLock(state)
    (state / "hush.db").write_bytes(b"another box's record")
    (tmp_path / "hush.toml").write_text(configuration(state), encoding="utf-8")
    before = {path: path.stat() for path in (state, *state.iterdir())}
    ran = subprocess.run(
        [sys.executable, "-m", "companion", "run"],
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, cwd=ROOT, timeout=PATIENCE,
        env={**os.environ, "HUSH_CONFIG": str(tmp_path / "hush.toml"), "LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    assert ran.returncode == 1, ran.stderr
    assert str(state) in ran.stderr
    assert len(ran.stderr.splitlines()) == 1, "no word of a panel, a record or a page"
    assert ran.stdout == ""
    after = {path: path.stat() for path in (state, *state.iterdir())}
    assert {path: one.st_mtime_ns for path, one in after.items()} == {
        path: one.st_mtime_ns for path, one in before.items()
    }
    lock.release()
