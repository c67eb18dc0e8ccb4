"""PDFs for the page: what `companion print` makes, and a QR code of the page's own address."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import tempfile
from pathlib import Path
from typing import BinaryIO

from companion.service.network import standing
from companion.table.printing import prints
from companion.text import N_, Text
from companion.web.desk import Refused
from companion.web.gate import Gate
from vision.art.sheets import PAPERS

# The largest deck takes a small Pi about a minute.
PRINT_SECONDS = 300.0
NOT_DRAWN = Text(N_("The sheet couldn't be drawn."))


def sheets() -> tuple[str, ...]:
    """What can be printed."""
    return tuple(prints(str, wifi=standing().sheet(80)).things)


class Printer:
    """One sheet at a time, two that wait, one for each phone; each in a process of its own."""

    def __init__(self) -> None:
        self._gate = Gate(1, most=3, each=1, retry_after=20)
        self._child: asyncio.subprocess.Process | None = None

    async def sheet(self, who: str, what: str, paper: str, language: str, host: str) -> BinaryIO:
        """An open file that nobody else knows of; `host` is where its reader found the page. Raises `Refused`."""
        if what not in sheets() or paper not in PAPERS:
            raise Refused(404, "no_such_sheet", Text(N_("There is no such sheet to print.")))
        async with self._gate.enter(who):
            with tempfile.TemporaryDirectory() as folder:
                target = Path(folder) / "sheet.pdf"
                await self._draw(what, paper, language, str(target), f"http://{host}/")
                try:
                    return target.open("rb")
                except OSError:
                    raise Refused(503, "not_drawn", NOT_DRAWN) from None

    async def _draw(self, *words: str) -> None:
        command = (sys.executable, "-m", "companion.web.printer", *words)
        quiet = asyncio.subprocess.DEVNULL
        try:
            self._child = await asyncio.create_subprocess_exec(*command, stdin=quiet, stdout=quiet, stderr=quiet)
            await asyncio.wait_for(self._child.wait(), PRINT_SECONDS)
        except (OSError, TimeoutError):
            raise Refused(503, "not_drawn", NOT_DRAWN) from None
        finally:
            self.close()

    def close(self) -> None:
        """Nobody waits for the sheet any more."""
        child, self._child = self._child, None
        if child is not None and child.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
