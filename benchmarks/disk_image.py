"""A small disk in a file, whose power can be cut: a copy of the file holds what the file system had written by then.

The kernel keeps what programs wrote until it is flushed or grows old. A loop device writes what is flushed to the file,
so the file at one moment is what a disk would hold after a cut at that moment. Needs root and loop devices.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# From linux/fs.h: a copy that shares the blocks, made in one step (XFS and Btrfs can).
FICLONE = 0x40049409


class NoLoopDevice(Exception):
    """This machine doesn't let us mount a file."""


def run(*command: str | Path) -> str:
    """What a tool prints; its own words if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise OSError(f"{command[0]}: {done.stderr.strip()}")
    return done.stdout


@contextmanager
def mounted(file: Path, folder: Path) -> Iterator[str]:
    """The disk in a file, mounted on a folder; gives the loop device's name. After a cut this replays the journal."""
    folder.mkdir(exist_ok=True)
    try:
        run("mount", "-o", "loop", file, folder)
    except OSError as error:
        raise NoLoopDevice(str(error)) from None
    try:
        yield Path(run("findmnt", "-n", "-o", "SOURCE", folder).strip()).name
    finally:
        run("umount", folder)


def make_disk(file: Path, megabytes: int) -> None:
    """An empty ext4 file system, as on a Raspberry Pi's card."""
    with file.open("wb") as image:
        image.truncate(megabytes << 20)
    run("mkfs.ext4", "-q", "-F", file)


class Power:
    """The power of a mounted disk; each cut is one copy, and a disk that has written nothing since is copied once."""

    def __init__(self, file: Path, folder: Path, device: str, copies: Path):
        self.file, self.folder, self.copies = file, folder, copies
        self.statistics = Path("/sys/block", device, "stat")
        self.cuts: list[tuple[str, Path]] = []
        self.written = -1

    def writes(self) -> tuple[int, int]:
        """How many writes the disk has taken, and how many are under way."""
        fields = self.statistics.read_text().split()
        return int(fields[4]), int(fields[8])

    def commit(self) -> None:
        """Let the file system write its journal, as it does every 5 s: names and sizes, but no file's contents."""
        with (self.folder / "anchor").open("a") as file:
            file.write(".")
            file.flush()
            os.fsync(file.fileno())

    def cut(self, moment: str) -> bool:
        """Copy the disk as it is at this moment; whether there was anything new."""
        if self.writes() == (self.written, 0):
            return False
        copy = self.copies / f"{len(self.cuts)}.img"
        if not self.clone(copy):
            self.copy(copy)
        self.cuts.append((moment, copy))
        return True

    def clone(self, copy: Path) -> bool:
        """In one step, even in the midst of writing, where the folder's file system can."""
        self.written = self.writes()[0]
        with self.file.open("rb") as source, copy.open("wb") as target:
            try:
                fcntl.ioctl(target.fileno(), FICLONE, source.fileno())
            except OSError:
                return False
        return True

    def copy(self, copy: Path) -> None:
        """Byte by byte, again until nothing was written meanwhile: else it would be no moment at all."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            before = self.writes()
            run("cp", "--sparse=auto", self.file, copy)
            if before == self.writes() and before[1] == 0:
                self.written = before[0]
                return
        raise OSError("the disk is never quiet")
