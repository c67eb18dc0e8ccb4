"""The address of the page, for people to open."""

from __future__ import annotations

import socket

from companion.settings.sections import WebSettings


def address_of(settings: WebSettings, port: int) -> str:
    """The address to open on a phone: this machine's own in the network it's in."""
    host = settings.host
    if not host or host in ("0.0.0.0", "::"):
        host = own_address()
    if ":" in host:
        host = f"[{host}]"
    return f"http://{host}:{port}/"


def own_address() -> str:
    """Which address others reach this machine by; nothing is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
