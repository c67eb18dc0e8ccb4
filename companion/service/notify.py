"""Tells systemd: ready, still alive, stopping. Without systemd every call does nothing."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping

# Pings more often than this tell nobody anything.
PING_GAP_SECONDS = 1.0


class Supervisor:
    """Whoever started this process and watches it, over the datagram socket that NOTIFY_SOCKET names.

    The owner loop calls `ping`: the first time means that the box is ready, each later one that it isn't stuck.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ, clock: Callable[[], float] = time.monotonic):
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._clock = clock
        self._next = float("-inf")
        self._is_ready = False

    def ping(self) -> None:
        """The loop lives."""
        now = self._clock()
        if now >= self._next:
            self._next = now + PING_GAP_SECONDS
            self._send("WATCHDOG=1" if self._is_ready else "READY=1\nWATCHDOG=1")
            self._is_ready = True

    def stopping(self) -> None:
        """The loop has ended on purpose."""
        self._send("STOPPING=1")

    def status(self, text: str) -> None:
        """One line for `systemctl status`."""
        self._send(f"STATUS={text}")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        # An address that begins with @ lies in the abstract namespace, which the kernel spells with a zero byte.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
                sender.connect(address)
                sender.sendall(message.encode())
        except OSError:
            # A lost ping is what the watchdog is for; it must not stop the game by itself.
            return
