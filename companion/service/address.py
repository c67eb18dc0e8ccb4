"""Where the page is, for people to open: by the box's name, and by its address in the network it's in."""

from __future__ import annotations

import socket
from collections.abc import Callable
from urllib.parse import urlsplit

from companion.service.network import standing
from companion.service.refreshed import Refreshed
from companion.settings.sections import WebSettings
from companion.text import N_, Text

LOOPBACK = "127.0.0.1"
# How long an address is believed; a box may be up before its network is, and move to another one.
ADDRESS_BELIEVED_SECONDS = 5.0
DOT = N_("dot")
SPOKEN = N_("On your phone, open {host}, port {port}.")


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
            # On its own Wi-Fi the box has no way out, and is found all the same.
            own = standing()
            return own.address if own.is_open else LOOPBACK


def named_address(settings: WebSettings, port: int, find: Callable[[str], str] = socket.gethostbyname) -> str:
    """The same by the box's name, if that name leads here; else nothing. It may take seconds."""
    own = own_address()
    if own == LOOPBACK:
        return ""
    local = {name for name in settings.known_names if name.endswith(".local")}
    for name in (*settings.names, *sorted(local - set(settings.names))):
        try:
            found = find(name)
        except (OSError, UnicodeError):
            continue
        if found == own:
            return f"http://{name}:{port}/"
    return ""


def is_elsewhere(address: str) -> bool:
    """Whether a phone could open it.

    >>> is_elsewhere("http://192.168.1.20:8080/"), is_elsewhere("http://127.0.0.1:8080/")
    (True, False)
    """
    return urlsplit(address).hostname not in (LOOPBACK, "localhost", "::1", None)


def spoken(address: str) -> Text:
    """An address as a voice can say it.

    >>> str(spoken("http://192.168.1.20:8080/"))
    'On your phone, open 192 dot 168 dot 1 dot 20, port 8080.'
    """
    parts = urlsplit(address)
    names = (parts.hostname or "").split(".")
    # The word is of the listener's language, so the address is a sentence of parts.
    template = " {dot} ".join(f"{{p{at}}}" for at in range(len(names)))
    host = Text(template, {"dot": Text(DOT), **{f"p{at}": name for at, name in enumerate(names)}})
    return Text(SPOKEN, {"host": host, "port": parts.port or 80})


def current_address(find: Callable[[], str], clock: Callable[[], float]) -> Refreshed[str]:
    """The page's address as it is now; nothing where no phone could open it."""
    return Refreshed(lambda: found if is_elsewhere(found := find()) else "", clock, ADDRESS_BELIEVED_SECONDS)
