"""Shows a phone that joins the box's own Wi-Fi where the page is, without an address to be typed.

Phones ask the same few places whether a Wi-Fi leads anywhere; on this one those names lead here (wifi.py), and the
answer is “look there”. Once a phone's browser has been led to the page its checks are answered as it hopes, so that it
stays. The page itself is elsewhere and answers to its own names alone: what is sent here is neither kept nor repeated.

`hush-portal.socket` hands over port 80 of the box's own network. Any Python 3.11 runs this, without a package of ours.
"""

from __future__ import annotations

import asyncio
import re
import socket
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import wifi

FIRST_SOCKET = 3
MAX_HEAD_BYTES = 4096
REQUEST_WITHIN_SECONDS = 5.0
MAX_PHONES_AT_ONCE = 32
LINE = re.compile(rb"(GET|HEAD) (?P<path>/[!-~]{0,500}) HTTP/1\.[01]")
# What a phone hopes to hear at each of the usual places: a status, and the text.
HOPED_FOR = {
    "/hotspot-detect.html": (200, "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"),
    "/generate_204": (204, ""),
    "/gen_204": (204, ""),
    "/connecttest.txt": (200, "Microsoft Connect Test"),
    "/ncsi.txt": (200, "Microsoft NCSI"),
    "/success.txt": (200, "success\n"),
    "/check_network_status.txt": (200, "NetworkManager is online\n"),
    "/nm": (200, "NetworkManager is online\n"),
}
WORDS = {200: "OK", 204: "No Content", 302: "Found", 400: "Bad Request"}


class Portal:
    """Who has been led to the page, by address; what each request is answered."""

    def __init__(self, own: str = wifi.ADDRESS, page: str = wifi.PAGE):
        self.own, self.page = own, page
        self._led: set[str] = set()
        self._slots = asyncio.Semaphore(MAX_PHONES_AT_ONCE)

    def answer(self, head: bytes, phone: str) -> bytes:
        """The whole answer to a request's head."""
        first, *rest = head.split(b"\r\n")
        asked = LINE.fullmatch(first)
        if asked is None:
            return said(400)
        path = asked["path"].decode("ascii").partition("?")[0]
        named = {name.strip().lower(): value.strip() for name, _, value in (line.partition(b":") for line in rest)}
        if named.get(b"host", b"").decode("ascii", "replace") != self.own:
            if phone in self._led and path in HOPED_FOR:
                return said(*HOPED_FOR[path])
            # By a step of our own: a check that looks no further hasn't shown anything to anybody.
            return said(302, to=f"http://{self.own}/")
        if b"Mozilla" in named.get(b"user-agent", b""):
            self._led.add(phone)
        return said(302, to=self.page)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, one answer."""
        try:
            async with self._slots, asyncio.timeout(REQUEST_WITHIN_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
                phone, *_ = writer.get_extra_info("peername") or ("",)
                writer.write(self.answer(head[:-4], phone))
                await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()


def said(status: int, text: str = "", to: str = "") -> bytes:
    """An answer that is never kept."""
    if to:
        text = f'<!DOCTYPE html><meta charset="utf-8"><title>Hush</title><p><a href="{to}">{to}</a></p>'
    kind = "text/html; charset=utf-8" if text.startswith("<") else "text/plain"
    lines = [f"HTTP/1.1 {status} {WORDS[status]}", "Cache-Control: no-store", "Connection: close"]
    lines += [f"Location: {to}"] * bool(to) + [f"Content-Type: {kind}", "X-Content-Type-Options: nosniff"]
    lines += [f"Content-Length: {len(text.encode())}"] * (status != 204)
    return "\r\n".join([*lines, "", text]).encode()


async def main() -> None:
    """Answer on the socket that systemd hands over."""
    portal = Portal()
    handed = socket.socket(fileno=FIRST_SOCKET)
    async with await asyncio.start_server(portal.serve, sock=handed, limit=MAX_HEAD_BYTES) as server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
