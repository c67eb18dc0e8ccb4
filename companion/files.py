"""Files that a power cut leaves whole: the old one or the new one, never half of it. Imports nothing of ours."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def put_in_place(temporary: Path, path: Path) -> None:
    """Rename a finished file to its name once it's on the disk. Raises `OSError`."""
    with temporary.open("rb") as file:
        os.fsync(file.fileno())
    temporary.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Wait until a folder's names are on the disk, where the disk can tell."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_whole(path: Path, content: bytes, mode: int = 0o644, is_lasting: bool = True) -> None:
    """Write a file whole or not at all, readable for nobody else than the mode says. Raises `OSError`.

    One that isn't lasting, a request to another program, needn't be on the disk when a power cut comes.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.new")
    temporary.unlink(missing_ok=True)
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            os.fchmod(file.fileno(), mode)
        if is_lasting:
            put_in_place(temporary, path)
        else:
            temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
