"""What every request must pass before anything looks at it: name, origin, size, patience, rate. And what every answer
carries: headers that keep the page to itself."""

from __future__ import annotations

import asyncio
import ipaddress
import math
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import Request
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.web.lobby import Lobby

SMALL_BODY = 64 * 1024
LARGE_BODY = 32 * 1024 * 1024
BODY_SECONDS = 10.0
LARGE_BODY_SECONDS = 120.0
# A release, which goes to the disk as it comes.
HUGE_BODY = 600 * 1024 * 1024
HUGE_BODY_SECONDS = 1800.0
KEPT_FREE_BYTES = 256 * 1024 * 1024
HEAD_SECONDS = 10.0

# A name or an address, and a port; whatever else a header may hold isn't what a browser sends.
HOST = re.compile(r"(?P<name>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?", re.ASCII)

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}


def is_ours(host: str, names: frozenset[str]) -> bool:
    """Whether a Host header names this box. An address is always fine: rebinding needs a name.

    >>> is_ours("hush.local:8080", frozenset({"hush.local"})), is_ours("192.168.1.4:8080", frozenset())
    (True, True)
    >>> is_ours("evil.example", frozenset({"hush.local"})), is_ours("[::1]:80", frozenset())
    (False, True)
    >>> is_ours("hush.local:80@evil.example", frozenset({"hush.local"}))
    False
    """
    written = HOST.fullmatch(host)
    if written is None:
        return False
    name = written["name"].strip("[]").lower().rstrip(".")
    if name in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_same_origin(headers: Headers, *, is_change: bool) -> bool:
    """Whether a request comes from our own page. A change must say so; reading must not say otherwise."""
    origin, host = headers.get("origin"), headers.get("host", "")
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    if origin is None:
        return not is_change
    return origin in (f"http://{host}", f"https://{host}")


def is_loopback(address: str) -> bool:
    """Whether somebody sits at this very machine."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = getattr(ip, "ipv4_mapped", None)
    return bool((mapped or ip).is_loopback)


class TooLarge(Exception):
    """A body beyond its limit."""


class TooSlow(Exception):
    """A body that doesn't come."""


async def save_body(request: Request, target: Path, most: int, seconds: float) -> None:
    """Write a body that is too large for memory to a file, within its limits. Raises `TooLarge` or `TooSlow`."""
    said = request.headers.get("content-length", "")
    if said.isdigit() and int(said) > most:
        raise TooLarge
    target.parent.mkdir(mode=0o700, exist_ok=True)
    # Games are still to be kept while it comes.
    most = min(most, shutil.disk_usage(target.parent).free - KEPT_FREE_BYTES)

    async def collect() -> None:
        with target.open("wb") as file:
            async for part in request.stream():
                if file.tell() + len(part) > most:
                    raise TooLarge
                await asyncio.to_thread(file.write, part)

    try:
        await asyncio.wait_for(collect(), seconds)
    except BaseException as error:
        target.unlink(missing_ok=True)
        if isinstance(error, TimeoutError):
            raise TooSlow from None
        raise


async def read_body(request: Request, most: int, seconds: float) -> bytes:
    """The body, within its limits; a large one waits on disk until it's whole. Raises `TooLarge` or `TooSlow`."""
    said = request.headers.get("content-length", "")
    if said.isdigit() and int(said) > most:
        raise TooLarge
    with tempfile.SpooledTemporaryFile(SMALL_BODY) as parts:

        async def collect() -> None:
            async for part in request.stream():
                if parts.tell() + len(part) > most:
                    raise TooLarge
                parts.write(part)

        try:
            await asyncio.wait_for(collect(), seconds)
        except TimeoutError:
            raise TooSlow from None
        parts.seek(0)
        return parts.read()


class TokenBuckets:
    """So many requests at once, so many a second, for each caller.

    >>> now = [0.0]
    >>> buckets = TokenBuckets(2, 1.0, lambda: now[0])
    >>> [buckets.allows("phone") for _ in range(3)]
    [True, True, False]
    >>> now[0] = 1.0
    >>> buckets.allows("phone")
    True
    """

    MOST = 4096

    def __init__(self, burst: int, rate: float, clock: Callable[[], float]):
        self._burst = burst
        self._rate = rate
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}

    def allows(self, caller: str) -> bool:
        """Whether the caller may go on."""
        now = self._clock()
        left, since = self._left.pop(caller, (float(self._burst), now))
        left = min(float(self._burst), left + (now - since) * self._rate)
        if len(self._left) >= self.MOST:
            self._left.pop(next(iter(self._left)))
        self._left[caller] = (left - 1 if left >= 1 else left, now)
        return left >= 1

    def wait(self, caller: str) -> int:
        """Whole seconds until the caller may try again."""
        left, _ = self._left.get(caller, (1.0, 0.0))
        return max(1, math.ceil((1 - left) / self._rate))


class PatientProtocol(H11Protocol):
    """A connection that must finish its request's head in time; a trickle of header bytes is cut off."""

    lobby: Lobby
    address = ""

    @property
    def is_idle(self) -> bool:
        """Whether it's asking for nothing."""
        cycle: Any = self.cycle
        return cycle is None or cycle.response_complete

    def cut(self) -> None:
        """End it at once."""
        self.transport.abort()

    def connection_made(self, transport: Any) -> None:
        """Somebody connects: the clock runs."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self._greeted: Any = None
        self.lobby.on_connect(self)
        self._deadline: asyncio.TimerHandle | None = self.loop.call_later(HEAD_SECONDS, transport.close)

    def handle_events(self) -> None:
        """A request whose answer is a stream writes to the connection itself."""
        before: Any = self.cycle
        super().handle_events()
        if self.cycle is not before and self.cycle is not None:
            self.cycle.scope["state"]["transport"] = self.transport

    def data_received(self, data: bytes) -> None:
        """Bytes came: the clock runs only while a head is unfinished."""
        super().data_received(data)
        cycle: Any = self.cycle  # None until the first head is complete
        if cycle is not None and cycle is not self._greeted and not self.transport.is_closing():
            self._greeted = cycle
            self.lobby.on_request(self, cycle.scope)
        is_served = not self.is_idle
        if is_served and self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        elif not is_served and self._deadline is None and not self.transport.is_closing():
            self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Gone: no clock is left behind."""
        self.lobby.on_close(self)
        if self._deadline is not None:
            self._deadline.cancel()
        super().connection_lost(exc)
