"""The box's Wi-Fi as the service knows it: what root's helper has left to read, and a request left for it.

The service can change nothing itself (systemd/network.py does, from a closed list). A password goes into the request's
file, which only root and the service can read, and nowhere else.
"""

from __future__ import annotations

import ipaddress
import json
import os
import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct

from companion.service.refreshed import Refreshed
from companion.service.root_request import RootRequest
from companion.text import N_, Text

if TYPE_CHECKING:
    from vision.art.pieces import WifiCard

STATUS = Path("/run/hush-network/status.json")
# The addresses that phones get on the box's own network.
OWN_SUBNET = ipaddress.ip_network("10.42.0.0/24")
# How long what was read is believed.
BELIEVED_SECONDS = 2.0
PASSWORD = re.compile(r"[ -~]{8,63}|[0-9a-fA-F]{64}")

NetworkVerb = Literal["look", "join", "own", "alone"]
Lock = Literal["", "password", "sae", "other"]

JOIN_OWN = N_("Wi-Fi of the box: {name}, password: {password}")
OUTCOMES = {
    "wrong_password": N_("That was not the password. The box is back where it was: try again."),
    "out_of_reach": N_("That network is out of reach, or its name is another one."),
    "no_address": N_("That network gives the box no address. Its router may know why."),
    "blocked": N_(
        "The box's Wi-Fi is switched off. On the box: sudo rfkill unblock wifi. Raspberry Pi OS also wants the country "
        "to be set."
    ),
    "no_radio": N_("This box has no Wi-Fi."),
    "failed": N_("That didn't work: journalctl -u NetworkManager says why."),
}


class NetworkInReach(Struct, frozen=True):
    """A network in reach: the bytes of its name, how strong it is in percent, and what it wants of who joins."""

    ssid: str
    signal: int
    lock: Lock = ""

    @property
    def name(self) -> str:
        """The name as people read it.

        >>> NetworkInReach("486f6d65", 70).name, NetworkInReach("ff0a41", 70).name
        ('Home', '� A')
        """
        return readable(self.ssid)


class NetworkStanding(Struct, frozen=True):
    """How it stands with the network: the box is in somebody's, has opened its own, or has none."""

    mode: Literal["hotspot", "wifi", "ethernet", "none"] = "none"
    name: str = ""
    password: str = ""
    address: str = ""
    code: str = ""
    is_alone: bool = False
    has_radio: bool = False
    networks: tuple[NetworkInReach, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether the box's own network is there."""
        return self.mode == "hotspot"

    @property
    def card(self) -> str:
        """What a phone's camera understands as “join this network”.

        >>> NetworkStanding(name="Hush-k7mp", password="ab;c:d").card
        'WIFI:T:WPA;S:Hush-k7mp;P:ab\\\\;c\\\\:d;;'
        """
        return f"WIFI:T:WPA;S:{_in_card(self.name)};P:{_in_card(self.password)};;"

    def sheet(self, port: int) -> WifiCard | None:
        """The same, to be printed."""
        from vision.art.pieces import WifiCard  # brings OpenCV, which takes a second

        return WifiCard(self.name, self.password, self.card, f"http://{self.address}:{port}/") if self.name else None

    @property
    def words(self) -> Text:
        """The box's own network for who stands beside the box."""
        return Text(JOIN_OWN, {"name": self.name, "password": self.password})


def readable(ssid: str) -> str:
    """The bytes of a name as letters; what no screen should get is left out."""
    letters = bytes.fromhex(ssid).decode("utf-8", "replace")
    return "".join(letter if letter.isprintable() else " " for letter in letters)


def _in_card(text: str) -> str:
    return re.sub(r'([\\;,:"])', r"\\\1", text)


def standing(path: Path = STATUS) -> NetworkStanding:
    """How it stands; nothing is known where no helper of root's runs, or to who may not read it."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=NetworkStanding)
    except (OSError, msgspec.DecodeError):
        return NetworkStanding()


def current_standing(
    clock: Callable[[], float], read: Callable[[], NetworkStanding] = standing
) -> Refreshed[NetworkStanding]:
    """How it stands now."""
    return Refreshed(read, clock, BELIEVED_SECONDS)


def is_on_own_network(address: str) -> bool:
    """Whether an address is a phone's on the box's own network.

    >>> [*map(is_on_own_network, ("10.42.0.7", "::ffff:10.42.0.7", "10.42.0.1", "192.168.1.7"))]
    [True, True, False, False]
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    found = getattr(found, "ipv4_mapped", None) or found
    return found in OWN_SUBNET and found != OWN_SUBNET[1]


class NetworkWish(Struct, frozen=True):
    """What somebody wants of the Wi-Fi."""

    word: NetworkVerb
    ssid: str = ""
    password: str = ""

    @property
    def is_fine(self) -> bool:
        """Whether root's helper would look at it."""
        return self.word != "join" or (
            bool(self.ssid) and (not self.password or bool(PASSWORD.fullmatch(self.password)))
        )

    @property
    def label(self) -> Text:
        """The wish in words, without the password."""
        return Text(LABELS[self.word], {"name": readable(self.ssid)})


LABELS: dict[NetworkVerb, str] = {
    "look": N_("look for networks"),
    "join": N_("join the Wi-Fi “{name}”"),
    "own": N_("open the box's own Wi-Fi"),
    "alone": N_("stay without a network, on the box's own Wi-Fi"),
}


class Wifi:
    """What can be asked of root's helper; without systemd there is nothing to ask."""

    def __init__(
        self,
        environment: Mapping[str, str] = os.environ,
        status: Path = STATUS,
        clock: Callable[[], float] = time.monotonic,
    ):
        self._request = RootRequest("network", status, environment, clock)
        self._status = status

    @property
    def standing(self) -> NetworkStanding:
        """How it stands now."""
        return standing(self._status)

    @property
    def can_ask(self) -> bool:
        """Whether there is somebody to ask, and a radio to ask about."""
        return self._request.can_ask and self.standing.has_radio

    @property
    def is_under_way(self) -> bool:
        """Whether root is at it, or was asked a moment ago and hasn't said anything yet."""
        return self._request.is_unanswered or self.standing.code == "under_way"

    def do(self, wish: NetworkWish) -> None:
        """Ask root for it. Raises `OSError`."""
        if not self._request.can_ask or not wish.is_fine:
            return
        asked = {"word": wish.word, "ssid": wish.ssid, "password": wish.password}
        self._request.leave(json.dumps(asked).encode(), 0o600)
