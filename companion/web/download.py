"""A release that the box fetches itself, from the one address in its own configuration.

No phone can name that address: a phone only says “now”. The end of the file comes first, for it says who signed what.
The rest is fetched only if this box would take it, goes on where it broke off, and is checked before it's offered.
"""

from __future__ import annotations

import errno
import http.client
import re
import shutil
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from msgspec import Struct

from companion.settings.sections import is_https
from companion.text import N_, Text
from companion.web.guard import HUGE_BODY, KEPT_FREE_BYTES
from companion.web.upkeep import ReleaseRefused, Upkeep, why_refused

# The end of a release fits into this (MAX_TAIL_BYTES of systemd/bundle.py).
TAIL_BYTES = 1024
READ_AT_ONCE = 64 * 1024
MAX_HOPS = 4
# All of it, the range that was asked for, and no such range.
ANSWERS = (http.client.OK, http.client.PARTIAL_CONTENT, http.client.REQUESTED_RANGE_NOT_SATISFIABLE)
# Seconds without a byte, and between tries to go on.
SILENCE_SECONDS = 30.0
PAUSES = (2.0, 10.0, 30.0)
OUTCOMES = {
    "unreachable": N_("The server can't be reached. Is the box in a network with internet?"),
    "not_trusted": N_("The server can't prove who it is; or the box's clock is wrong. Nothing was taken."),
    "not_there": N_("There is no release at the address in the box's configuration."),
    "not_https": N_("The server leads to an address that isn't https. Nothing was taken."),
    "broken_off": N_("The connection broke off. Ask again: the download goes on where it was."),
    "torn": N_("The release was damaged on the way: download it again."),
    "stopped": N_("The download was stopped. Ask again: it goes on where it was."),
}


class DownloadProgress(Struct, frozen=True):
    """How far a download is; a code says why it ended without a release."""

    is_running: bool = False
    received: int = 0
    size: int = 0
    code: str = ""

    @property
    def outcome(self) -> Text | None:
        """Why it ended, in words."""
        if not self.code:
            return None
        return Text(OUTCOMES[self.code]) if self.code in OUTCOMES else why_refused(self.code)


class Range(Struct, frozen=True):
    """Which bytes of how many an answer holds.

    >>> Range.of("bytes 10-19/200"), Range.of("bytes 10-19/*")
    (Range(first=10, size=200), None)
    """

    first: int
    size: int

    @staticmethod
    def of(header: str) -> Range | None:
        """As the server says it; nothing where it doesn't."""
        said = re.fullmatch(r"bytes (\d{1,12})-\d{1,12}/(\d{1,12})", header)
        return None if said is None else Range(int(said[1]), int(said[2]))


class Download:
    """One download at a time, in a thread of its own."""

    def __init__(
        self,
        address: str,
        upkeep: Upkeep,
        trust: Callable[[], ssl.SSLContext] = ssl.create_default_context,
        pauses: tuple[float, ...] = PAUSES,
    ):
        self.address = address
        self.progress = DownloadProgress()
        self._upkeep, self._trust, self._pauses = upkeep, trust, pauses
        self._lock = threading.Lock()
        self._stop = threading.Event()

    @property
    def host(self) -> str:
        """Whom the box would ask; nobody, where no address is set."""
        return urlsplit(self.address).netloc

    def start(self) -> bool:
        """Begin, unless one runs or there is no address."""
        with self._lock:
            if not self.address or self.progress.is_running:
                return False
            self.progress = DownloadProgress(is_running=True)
            self._stop.clear()
        threading.Thread(target=self._run, name="download", daemon=True).start()
        return True

    def stop(self) -> None:
        """End it; what has come is kept for the next time."""
        self._stop.set()

    def _run(self) -> None:
        code = "unreadable"
        try:
            self._try_often()
            code = ""
        except ReleaseRefused as refused:
            code = refused.code
        finally:
            self.progress = DownloadProgress(False, self.progress.received, self.progress.size, code)

    def _try_often(self) -> None:
        for pause in (*self._pauses, None):
            try:
                self._fetch()
                return
            except ReleaseRefused as refused:
                if refused.code != "broken_off" or pause is None:
                    raise
            if self._stop.wait(pause):
                raise ReleaseRefused("stopped")

    def _fetch(self) -> None:
        folder = self._upkeep.part.parent
        folder.mkdir(mode=0o700, exist_ok=True)
        name, size = self._foreseen(folder)
        part = folder / f"{name}.part"
        # A part of another release, or one that can't be told from it, is of no use.
        for other in folder.glob("download*.part"):
            if other != part or not size:
                other.unlink()
        try:
            self._receive(part, size)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise ReleaseRefused("no_room" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "unreadable") from None
        self._upkeep.offer_if_signed(part)

    def _foreseen(self, folder: Path) -> tuple[str, int]:
        """A name for the release by its hash, and its size, from its end; a server may give only whole files."""
        with self._asked(f"-{TAIL_BYTES}") as answer:
            said = Range.of(answer.headers.get("Content-Range", ""))
            if answer.status != http.client.PARTIAL_CONTENT or said is None:
                return "download", 0
            end = answer.read(TAIL_BYTES + 1)
        if said.first + len(end) != said.size:
            raise ReleaseRefused("broken_off")
        return f"download-{self._upkeep.foresee(end, said.size)[:16]}", said.size

    def _receive(self, part: Path, size: int) -> None:
        """Fetch what is missing of it. Raises `OSError` for what the disk says, and `ReleaseRefused`."""
        have = part.stat().st_size if part.exists() else 0
        if size and have == size:
            return
        with self._asked(f"{have}-" if have else "") as answer:
            said = Range.of(answer.headers.get("Content-Range", ""))
            if have and (answer.status != http.client.PARTIAL_CONTENT or said != Range(have, size)):
                have = 0
                if answer.status != http.client.OK:
                    part.unlink()
                    raise ReleaseRefused("broken_off")
            size = size or int(answer.headers.get("Content-Length") or 0)
            if size > HUGE_BODY:
                raise ReleaseRefused("too_large")
            # Games are still to be kept while it comes.
            if size - have > shutil.disk_usage(part.parent).free - KEPT_FREE_BYTES:
                raise ReleaseRefused("no_room")
            with part.open("ab" if have else "wb") as file:
                for received in self._parts(answer):
                    have += len(received)
                    if have > (size or HUGE_BODY):
                        raise ReleaseRefused("too_large")
                    file.write(received)
                    self.progress = DownloadProgress(True, have, size)
        if size and have != size:
            raise ReleaseRefused("broken_off")

    def _parts(self, answer: http.client.HTTPResponse) -> Iterator[bytes]:
        """What comes, until it ends or somebody stops it. Raises `ReleaseRefused`."""
        while True:
            if self._stop.is_set():
                raise ReleaseRefused("stopped")
            try:
                received = answer.read1(READ_AT_ONCE)
            except (OSError, http.client.HTTPException):
                raise ReleaseRefused("broken_off") from None
            if not received:
                return
            yield received

    @contextmanager
    def _asked(self, wanted: str) -> Iterator[http.client.HTTPResponse]:
        """The server's answer for a range of the file, or for all of it. Raises `ReleaseRefused`."""
        headers = {"User-Agent": "Hush", "Accept-Encoding": "identity"}
        if wanted:
            headers["Range"] = f"bytes={wanted}"
        address = self.address
        for _ in range(MAX_HOPS):
            if not is_https(address):
                raise ReleaseRefused("not_https")
            parts = urlsplit(address)
            connection = http.client.HTTPSConnection(parts.netloc, timeout=SILENCE_SECONDS, context=self._trust())
            try:
                answer = self._answer(connection, f"{parts.path or '/'}{'?' * bool(parts.query)}{parts.query}", headers)
                onward = answer.headers.get("Location", "") if 300 <= answer.status < 400 else ""
                if not onward:
                    if answer.status not in ANSWERS:
                        raise ReleaseRefused("unreachable" if answer.status >= 500 else "not_there")
                    yield answer
                    return
                address = urljoin(address, onward)
            finally:
                connection.close()
        raise ReleaseRefused("not_there")

    @staticmethod
    def _answer(
        connection: http.client.HTTPSConnection, path: str, headers: dict[str, str]
    ) -> http.client.HTTPResponse:
        try:
            connection.request("GET", path, headers=headers)
            return connection.getresponse()
        except ssl.SSLCertVerificationError:
            raise ReleaseRefused("not_trusted") from None
        except (OSError, http.client.HTTPException, ValueError):
            raise ReleaseRefused("unreachable") from None
