"""What goes out live: every phone that listens gets each change, with a number that only grows.

The framing is by hand; docs/dev/decisions.md says why no library does it. A message is framed and compressed once,
however many phones get it: each is compressed on its own and left open, so that it fits into any stream.
"""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import Callable
from functools import cached_property

from msgspec import Struct
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

# A phone that doesn't take its events is let go; it comes back and gets the state as it then is.
MAX_UNSENT = 512 * 1024
STREAMS_A_PHONE = 8
# A page that hears nothing for four seconds says that it isn't live: so often it hears that the box lives.
PING_SECONDS = 1.5
# A stream ends after an hour and the page opens another: a phone that was sent away meanwhile can't.
STREAM_SECONDS = 3600.0
# A gzip file begins with this; its checksum stands at an end that never comes.
GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"


class StreamMessage:
    """Some bytes for many streams."""

    def __init__(self, payload: bytes):
        self.payload = payload

    @cached_property
    def chunk(self) -> bytes:
        """As a chunk of an HTTP body."""
        return chunked(self.payload)

    @cached_property
    def packed(self) -> bytes:
        """The same, compressed."""
        packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
        return chunked(packer.compress(self.payload) + packer.flush(zlib.Z_SYNC_FLUSH))


def chunked(said: bytes) -> bytes:
    """One chunk of an HTTP body.

    >>> chunked(b"hush")
    b'4\\r\\nhush\\r\\n'
    """
    return b"%x\r\n%b\r\n" % (len(said), said)


PING = StreamMessage(b"event: ping\ndata: null\n\n")
HELLO = b"retry: 1000\n\n"


class Listener(Struct, eq=False):
    """One open page: its language, its phone, and whether it was told of a seat.

    What comes before its stream is open is `waiting`. `write` says whether the stream takes more.
    """

    language: str
    device: str
    since: float
    gone: asyncio.Event
    waiting: list[StreamMessage]
    write: Callable[[StreamMessage], bool] | None = None
    has_seat: bool | None = None


def event(name: str, data: bytes, number: int | None = None) -> StreamMessage:
    """One server-sent event; JSON has no line breaks of its own."""
    head = f"id: {number}\n" if number is not None else ""
    return StreamMessage(f"{head}event: {name}\ndata: ".encode() + data + b"\n\n")


class Hub:
    """The open pages. It belongs to the page's loop."""

    def __init__(self) -> None:
        # Numbers grow over a restart too, so that a page that slept never takes an old state for a new one.
        self.moment = int(time.time() * 1000)
        self.listeners: set[Listener] = set()

    def join(self, language: str, device: str) -> Listener:
        """A page opens; where one phone has too many, its oldest goes."""
        mine = [one for one in self.listeners if one.device == device]
        if len(mine) >= STREAMS_A_PHONE:
            self.leave(min(mine, key=lambda one: one.since))
        listener = Listener(language, device, time.monotonic(), asyncio.Event(), [])
        self.listeners.add(listener)
        return listener

    def send(self, listener: Listener, message: StreamMessage) -> None:
        """Give one page a message."""
        if listener.write is None:
            listener.waiting.append(message)
        elif not listener.write(message):
            self.leave(listener)

    def ping(self) -> None:
        """The box's owner lives: every page hears of it."""
        self.broadcast(PING)

    def broadcast(self, message: StreamMessage) -> None:
        """Give every page a message."""
        for listener in list(self.listeners):
            self.send(listener, message)

    def leave(self, listener: Listener) -> None:
        """A page closes, or is too slow."""
        self.listeners.discard(listener)
        listener.gone.set()

    def close(self) -> None:
        """The box stops: every stream ends."""
        for listener in list(self.listeners):
            self.leave(listener)


class Stream(Response):
    """A page's messages until it goes. They are written to its connection as they come, past all that an answer
    usually passes: that took ten times as long as all the rest."""

    media_type = "text/event-stream"

    def __init__(self, hub: Hub, listener: Listener, is_packed: bool):
        super().__init__(headers={"content-encoding": "gzip"} if is_packed else None)
        del self.headers["content-length"]
        self._hub = hub
        self._listener = listener
        self._is_packed = is_packed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Open the stream, send what waits, and stay until the page or the box has had enough."""
        listener = self._listener
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            first = StreamMessage(HELLO + b"".join(one.payload for one in listener.waiting))
            listener.waiting.clear()
            await send({"type": "http.response.body", "body": GZIP_HEAD if self._is_packed else b"", "more_body": True})
            listener.write = self._writer(scope["state"]["transport"])
            self._hub.send(listener, first)
            await self._stay(receive)
        finally:
            self._hub.leave(listener)
        await send({"type": "http.response.body", "body": b""})

    def _writer(self, transport: asyncio.WriteTransport) -> Callable[[StreamMessage], bool]:
        def write(message: StreamMessage) -> bool:
            transport.write(message.packed if self._is_packed else message.chunk)
            return transport.get_write_buffer_size() < MAX_UNSENT

        return write

    async def _stay(self, receive: Receive) -> None:
        async def closed() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass

        ends = [asyncio.ensure_future(closed()), asyncio.ensure_future(self._listener.gone.wait())]
        await asyncio.wait(ends, timeout=STREAM_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        for one in ends:
            one.cancel()
