"""What the configuration says about the page, in its section [web]."""

from __future__ import annotations

import socket
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from companion.config import Config
from companion.games.text import Text
from companion.table.settings import filled, origin


class WebSettings(Struct, frozen=True):
    """Where the page is served and who is trusted.

    An empty `host` means every address of this machine. `names` are the host names by which the page may be asked
    for; a page of another site that points its own name here is refused by them.
    """

    enabled: bool = True
    host: str = ""
    port: Annotated[int, Meta(ge=0, le=65535)] = 8080
    names: tuple[str, ...] = ("hush.local",)
    trust_loopback: bool = False

    @property
    def known_names(self) -> frozenset[str]:
        """Every name under which this machine answers."""
        own = socket.gethostname().lower()
        return frozenset({*(name.lower() for name in self.names), "localhost", own, f"{own}.local"})


def settle_web(config: Config) -> tuple[WebSettings, list[Text]]:
    """The page's settings; a key that can't be used is reported and its default holds."""
    complaints: list[Text] = []
    return filled(config, "web", WebSettings(), complaints), complaints


def web_rows(settings: WebSettings, config: Config) -> list[tuple[str, str, str]]:
    """Every effective value with where it came from: key, value, origin."""
    values = msgspec.to_builtins(settings)
    return [(f"web.{key}", str(value), origin(config, "web", key, value)) for key, value in values.items()]


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
