"""The power goes during an update, before each step of the installer, and after it: a whole version is always there.

The box lies on an ext4 disk in a file. Before each tool the installer calls, the file is copied: that is the disk
after a power cut at that moment. The long runs, with the real package, are `python -m benchmarks.update_cuts`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from benchmarks.disk_image import NoLoopDevice, Power, make_disk, mounted, run
from benchmarks.update_cuts import Contents, contents, current, problems
from tests.service.boxes import Box, tiny_wheel
from tests.service.test_release import Maker, script

request = script("request")

# What the installer changes the disk with.
TOOLS = ("cp", "install", "ln", "mkdir", "mv", "rm", "sync")
# Waits before each step until the power was cut.
WRAPPER = """#!/bin/sh
echo "{name} $*" >"{folder}/ask"
read -r _ <"{folder}/go"
exec {real} "$@"
"""

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the installer is for Linux"),
    pytest.mark.skipif(
        any(shutil.which(tool) is None for tool in ("systemd-sysusers", "mkfs.ext4", "mount")),
        reason="tools are missing",
    ),
]


class Disk:
    """A box on a disk in a file, with version 1.0 on it, safely."""

    def __init__(self, folder: Path, stack: ExitStack):
        self.folder, file, self.root = folder, folder / "disk.img", folder / "disk"
        make_disk(file, 48)
        try:
            device = stack.enter_context(mounted(file, self.root))
        except NoLoopDevice as error:
            pytest.skip(f"no loop mount here, so no power can be cut: {error}")
        (folder / "copies").mkdir()
        self.power = Power(file, self.root, device, folder / "copies")
        self.box = Box(folder, root=self.root)
        (self.box.tools / "sync").unlink()
        self.one, self.two = tiny_wheel(folder, "1.0"), tiny_wheel(folder, "2.0")
        self.known: dict[str, Contents] = {}
        self.box.does("install", "--source", self.one)
        self.first = self.learn()
        run("sync", "-f", self.root)
        for pipe in ("ask", "go"):
            os.mkfifo(folder / pipe)

    def learn(self) -> str:
        """Remember the version that was just installed, as it should be."""
        name = current(self.root)
        self.known[name] = contents(self.box.current)
        return name

    @contextmanager
    def cut_before_each_step(self, commits: bool) -> Iterator[None]:
        """Copy the disk before each step; after the journal was written, if asked: names and sizes without contents."""
        for tool in TOOLS:
            real = shutil.which(tool)
            self.box.stand_in(tool, WRAPPER.format(name=tool, folder=self.folder, real=real))
        cutter = threading.Thread(target=self.serve, args=(commits,))
        cutter.start()
        try:
            yield
        finally:
            (self.folder / "ask").write_text("done")
            cutter.join()
            for tool in TOOLS:
                (self.box.tools / tool).unlink()

    def serve(self, commits: bool) -> None:
        while (step := (self.folder / "ask").read_text()) != "done":
            self.cut(f"before {step.strip()}", commits)
            (self.folder / "go").write_text("\n")

    def cut(self, moment: str, commits: bool) -> None:
        if commits:
            self.power.commit()
        self.power.cut(moment)

    @contextmanager
    def after(self, copy: Path) -> Iterator[Box]:
        """The box when the power has come back."""
        with mounted(copy, self.folder / "after"):
            yield Box(self.folder, root=self.folder / "after")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with ExitStack() as stack:
        yield Disk(tmp_path, stack)


@pytest.mark.parametrize("commits", [False, True], ids=["nothing flushed", "names flushed before contents"])
def test_a_power_cut_leaves_the_old_version_or_the_new_one(disk: Disk, commits: bool) -> None:
    with disk.cut_before_each_step(commits):
        disk.box.does("update", "--source", disk.two)
        # The moment it has said that all is done.
        disk.cut("after the update", commits)
        second = disk.learn()
    with disk.cut_before_each_step(commits):
        disk.box.does("rollback")
        disk.cut("after the rollback", commits)
    seen = []
    for number, (moment, copy) in enumerate(disk.power.cuts):
        with disk.after(copy) as box:
            assert problems(box.root, disk.known) == [], moment
            seen.append(current(box.root))
            # An update that was cut short is simply run again.
            if number % max(1, len(disk.power.cuts) // 4) == 0:
                box.does("update", "--source", disk.two)
                assert problems(box.root, {current(box.root): contents(box.current)}) == [], moment
                assert "2.0" in (box.current / "lib/part0.py").read_text()
                box.does("rollback")
                assert problems(box.root, disk.known) == [], moment
    # Before the switch the old one, from the switch on the new one, and the same on the way back.
    changes = [name for number, name in enumerate(seen) if seen[number - 1 : number] != [name]]
    assert changes == [disk.first, second, disk.first]
    # As many moments as the disk was written in.
    assert len(seen) > (30 if commits else 8)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl isn't here")
def test_a_power_cut_while_a_phones_update_is_installed(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The release lies in the service's folder, root's helper checks, unpacks and installs it: always playable."""
    maker = Maker(disk.folder / "maker")
    monkeypatch.setattr(request.bundle, "ROOM_FOR_VERSION", 0)

    def asked(box: Box) -> str:
        """What came of a phone's update."""
        for name in ("run/hush", "var/lib/hush/update", "var/tmp", "opt/hush/keys"):
            (box.root / name).mkdir(parents=True, exist_ok=True)
        (box.root / "opt/hush/keys/ours.pem").write_bytes(maker.public.read_bytes())
        (box.root / "var/lib/hush/update/release.run").write_bytes(maker.release("2.0"))
        (box.root / "run/hush/request").write_text("update")

        def run(command: Sequence[str]) -> object:
            done = subprocess.run(command, capture_output=True, text=True, check=False, env=box.environment)
            return request.ProgramResult(done.returncode, done.stdout + done.stderr)

        request.RequestHelper(box.root, run).serve()
        result = json.loads((box.root / "run/hush-result/result.json").read_text())
        assert result["code"] == "", result
        return str(result["version"])

    with disk.cut_before_each_step(commits=True):
        assert asked(disk.box) == "2.0"
        disk.cut("after the update", commits=True)
        second = disk.learn()
    seen = []
    for number, (moment, copy) in enumerate(disk.power.cuts):
        with disk.after(copy) as box:
            assert problems(box.root, disk.known) == [], moment
            seen.append(current(box.root))
            if number % max(1, len(disk.power.cuts) // 3) == 0:
                asked(box)
                assert problems(box.root, {current(box.root): contents(box.current)}) == [], moment
                assert "2.0" in (box.current / "lib/part0.py").read_text()
    assert [name for number, name in enumerate(seen) if seen[number - 1 : number] != [name]] == [disk.first, second]
    assert len(seen) > 20
