"""The sections that no other room has a record for: the top of the file, the camera, the page."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from msgspec import Meta, Struct

from companion.text import N_, Language

# What Linux takes: bytes in a file's name, and in a whole path with the names of our files behind it.
MAX_NAME_BYTES, MAX_PATH_BYTES = 255, 3800
NAMESAKES = range(2, 10)


def is_whole_path(text: str) -> bool:
    """Whether a path says by itself which folder it means, and Linux can have such a folder.

    >>> [is_whole_path(text) for text in ("/var/lib/hush", "~/games", "games", "", "~nobody-here/games")]
    [True, True, False, False, False]
    """
    try:
        path = Path(text).expanduser()
    except RuntimeError:  # there is no such user
        return False
    names = [os.fsencode(name) for name in path.parts]
    is_short = max(map(len, names), default=0) <= MAX_NAME_BYTES and sum(map(len, names)) + len(names) <= MAX_PATH_BYTES
    return path.is_absolute() and "\0" not in text and is_short


def is_https(address: str) -> bool:
    """Whether an address is one from which a release may come: over https, with a host and without a user.

    >>> [is_https(text) for text in ("https://example.org/hush.run", "http://example.org/", "https:///x", "https://a@b/")]
    [True, False, False, False]
    """
    try:
        parts = urlsplit(address)
        is_whole = parts.scheme == "https" and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False
    return is_whole and "@" not in parts.netloc and address.isascii() and address.isprintable() and " " not in address


def is_update_address(text: str) -> bool:
    """Whether releases can be downloaded from there; an empty text means that they aren't."""
    return not text or is_https(text)


class BoxSettings(Struct, frozen=True):
    """The keys at the top of the file."""

    language: Annotated[
        Language | None, Meta(description=N_("language of the box itself"), extra={"on_page": True})
    ] = None
    backend: Annotated[
        Literal["auto", "simulated", "pi"],
        Meta(description=N_("the box's parts: those of a Raspberry Pi, or simulated ones")),
    ] = "auto"
    confirm: Annotated[
        Literal["always", "doubt"],
        Meta(
            description=N_(
                "when ✔ is needed for what the camera shows: always, or only in doubt and for what ends a turn"
            ),
            extra={"on_page": True},
        ),
    ] = "always"
    state: Annotated[
        str | None,
        Meta(
            description=N_("folder in which games, enrolled decks and paired phones are kept"),
            extra={"check": is_whole_path, "allowed": N_('a folder\'s whole path in quotes, such as "/var/lib/hush"')},
        ),
    ] = None


class CameraSettings(Struct, frozen=True):
    """Which camera looks at the table."""

    device: Annotated[
        str,
        Meta(
            description=N_("the camera over the table"),
            extra={"off_pi": "none", "allowed": N_("pi, usb, usb:1, a file or folder of pictures, or none")},
        ),
    ] = "pi"


class WebSettings(Struct, frozen=True):
    """Where the page is served and who is trusted.

    An empty `host` means every address of this machine. `names` are the host names by which the page may be asked
    for; a page of another site that points its own name here is refused by them.
    """

    enabled: Annotated[bool, Meta(description=N_("whether the box serves its page"))] = True
    host: Annotated[
        str, Meta(description=N_("the address at which the page is served; empty: every address of the box"))
    ] = ""
    port: Annotated[
        int, Meta(ge=0, le=65535, description=N_("the port at which the page is served; 0: any free one"))
    ] = 8080
    names: Annotated[
        tuple[str, ...], Meta(description=N_("host names by which the page may be asked for, beside the box's own"))
    ] = ("hush.local",)
    trust_loopback: Annotated[bool, Meta(description=N_("whether a browser on the box itself needs no pairing"))] = (
        False
    )

    @property
    def known_names(self) -> frozenset[str]:
        """Every name under which this machine answers."""
        own = socket.gethostname().lower()
        names = {name.lower() for name in self.names}
        # Where two boxes are in one network, Avahi calls the second one hush-2.local.
        stems = [name.removesuffix(".local") for name in names if name.endswith(".local")]
        numbered = {f"{stem}-{number}.local" for stem in stems for number in NAMESAKES}
        return frozenset({*names, *numbered, "localhost", own, f"{own}.local"})


class UpdateSettings(Struct, frozen=True):
    """Where newer versions come from, beside files from a phone."""

    address: Annotated[
        str,
        Meta(
            description=N_("where the box downloads newer versions; empty: nowhere"),
            extra={
                "check": is_update_address,
                "allowed": N_('an address in quotes, such as "https://example.org/hush-aarch64.run", or ""'),
            },
        ),
    ] = ""
