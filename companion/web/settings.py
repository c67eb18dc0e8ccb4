"""What the configuration says about the page, in its section [web]."""

from __future__ import annotations

import socket

import msgspec
from msgspec import Struct

from companion.config import Config
from companion.games.text import N_, Text, raw


class WebSettings(Struct, frozen=True):
    """Where the page is served and who is trusted.

    An empty `host` means every address of this machine. `names` are the host names by which the page may be asked
    for; a page of another site that points its own name here is refused by them.
    """

    enabled: bool = True
    host: str = ""
    port: int = 8080
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
    values = msgspec.to_builtins(WebSettings())
    for key, value in config.section("web").items():
        try:
            if key not in values:
                raise msgspec.ValidationError(f"there is no key {key}. There are: {', '.join(values)}")
            msgspec.convert({**values, key: value}, WebSettings)
            if key == "port" and not 0 <= value <= 65535:
                raise msgspec.ValidationError("a port is a number from 0 to 65535")
        except msgspec.ValidationError as error:
            complaints.append(
                Text(
                    N_("{path}, line {line}: {problem}"),
                    {"path": str(config.path), "line": config.line("web", key), "problem": raw(error)},
                )
            )
        else:
            values[key] = value
    return msgspec.convert(values, WebSettings), complaints


def web_rows(settings: WebSettings, config: Config) -> list[tuple[str, str, str]]:
    """Every effective value with where it came from: key, value, origin."""
    file = str(config.path) if config.path else ""
    written = config.section("web")
    return [
        (f"web.{key}", str(value), file if key in written else "default")
        for key, value in msgspec.to_builtins(settings).items()
    ]


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
