"""What goes out live: every phone that listens gets each change, with a number that only grows.

The framing is by hand; docs/decisions.md says why no library does it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

from msgspec import Struct

# A phone that doesn't take its events is let go; it comes back and gets the state as it then is.
MOST_WAITING = 32
PER_PHONE = 8
# A page that hears nothing for four seconds says that it isn't live: so often it hears that the box lives.
PING_SECONDS = 1.5
PING = b"event: ping\ndata: null\n\n"
# A stream ends after an hour and the page opens another: a phone that was sent away meanwhile can't.
LONGEST = 3600.0


class Listener(Struct, eq=False):
    """One open page: its language, its phone, what it hasn't taken yet, and whether it was told of a seat."""

    language: str
    device: str
    queue: asyncio.Queue[bytes | None]
    since: float
    has_seat: bool | None = None


def event(name: str, data: bytes, number: int | None = None) -> bytes:
    """One server-sent event; JSON has no line breaks of its own."""
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {name}\ndata: ".encode() + data + b"\n\n"


class Hub:
    """The open pages. It belongs to the page's loop."""

    def __init__(self) -> None:
        # Numbers grow over a restart too, so that a page that slept never takes an old state for a new one.
        self.moment = int(time.time() * 1000)
        self.listeners: set[Listener] = set()

    def join(self, language: str, device: str) -> Listener:
        """A page opens; where one phone has too many, its oldest goes."""
        mine = [one for one in self.listeners if one.device == device]
        if len(mine) >= PER_PHONE:
            self.leave(min(mine, key=lambda one: one.since))
        listener = Listener(language, device, asyncio.Queue(MOST_WAITING), time.monotonic())
        self.listeners.add(listener)
        return listener

    def send(self, listener: Listener, message: bytes) -> None:
        """Give one page a message."""
        try:
            listener.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.leave(listener)

    def ping(self) -> None:
        """The box's owner lives: every page hears of it."""
        for listener in list(self.listeners):
            self.send(listener, PING)

    def leave(self, listener: Listener) -> None:
        """A page closes, or is too slow."""
        self.listeners.discard(listener)
        while not listener.queue.empty():
            listener.queue.get_nowait()
        listener.queue.put_nowait(None)

    def close(self) -> None:
        """The box stops: every stream ends."""
        for listener in list(self.listeners):
            self.leave(listener)

    async def stream(self, listener: Listener) -> AsyncIterator[bytes]:
        """A page's messages until it goes."""
        try:
            yield b"retry: 1000\n\n"
            end = time.monotonic() + LONGEST
            while (left := end - time.monotonic()) > 0:
                message = await asyncio.wait_for(listener.queue.get(), left)
                if message is None:
                    return
                yield message
        except TimeoutError:
            return
        finally:
            self.listeners.discard(listener)
