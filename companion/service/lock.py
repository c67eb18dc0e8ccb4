"""One box for one state folder: whoever runs on it holds it, so that no second one plays over the same record.

The folder itself is locked, by `flock`: that writes nothing, works on a full or read-only disk, and the kernel lets
go of it when the process ends, however it ends. Commands that only read, and those that replace single files whole
(`enrol`, `backup`), need no lock.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


class AlreadyRunning(Exception):
    """Another process runs on this folder."""

    def __init__(self, folder: Path):
        super().__init__(folder)
        self.folder = folder


class FolderLock:
    """The lock on a folder, until `release` or the end of the process. Raises `AlreadyRunning`.

    A folder that can't be made or locked has nothing that a second box could spoil: then nothing is held.
    """

    def __init__(self, folder: Path):
        self._file: int | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # Python opens it so that no process of ours inherits it: a camera that outlives a killed box holds nothing.
            self._file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            raise AlreadyRunning(folder) from None
        except OSError:
            self.release()

    def release(self) -> None:
        """Let go."""
        file, self._file = self._file, None
        if file is not None:
            os.close(file)
