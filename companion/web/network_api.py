"""The endpoints of the Wi-Fi: what is in reach, and which the box shall join.

A paired phone's wish waits for ✔ on the box or a code, like every deed of the box. Before any phone was paired, whoever
is on the box's own network has read the password of its card, and that is enough.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.service.network import OUTCOMES, Lock, NetworkVerb, NetworkWish
from companion.settings.sections import WebSettings
from companion.text import N_, Text
from companion.web import records as r
from companion.web.call import Call
from companion.web.desk import Refused
from companion.web.door_api import at_the_box, waiting
from companion.web.routes import Endpoint
from companion.web.upkeep_api import NOT_NOW
from companion.web.words import NETWORK_WORDS

BAD_PASSWORD = Text(N_("A Wi-Fi password has 8 to 63 plain letters, figures and signs."))


class NetworkRow(Struct, frozen=True):
    """A network in reach, by the bytes of its name in hexadecimal figures."""

    ssid: str
    name: str
    signal: int
    lock: Lock


class NetworkState(Struct, frozen=True):
    """How it stands with the network, what is in reach, and the words to show it."""

    mode: Literal["hotspot", "wifi", "ethernet", "none"]
    own: str
    home: str
    is_alone: bool
    can_ask: bool
    is_under_way: bool
    is_free: bool
    outcome: str
    status: str
    networks: tuple[NetworkRow, ...]
    words: dict[str, str]


class NetworkRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What is wanted of the Wi-Fi."""

    word: NetworkVerb
    ssid: Annotated[str, Meta(pattern="^([0-9a-f]{2}){0,32}$")] = ""
    password: Annotated[str, Meta(max_length=64)] = ""


async def network(call: Call) -> NetworkState:
    """How it stands."""
    wifi = call.service.wifi
    # Before what root said is read: an answer that comes in between is shown at the next look.
    is_under_way = wifi.is_under_way
    found = wifi.standing
    knock = None if call.device is None else call.service.door.box_knock_of(call.device.id)
    return NetworkState(
        found.mode,
        found.name,
        at_home(call.service.settings),
        found.is_alone,
        wifi.can_ask,
        is_under_way,
        call.device is None,
        call.say(Text(OUTCOMES[found.code])) if found.code in OUTCOMES else "",
        knock.status if knock is not None and isinstance(knock.wanted, NetworkWish) else "",
        tuple(NetworkRow(one.ssid, one.name, one.signal, one.lock) for one in found.networks),
        {key: call.translate(text) for key, text in NETWORK_WORDS.items()},
    )


def at_home(settings: WebSettings) -> str:
    """Where the page will be, by its name, once the box is in the network at home."""
    return f"http://{next(iter(settings.names), 'hush.local')}:{settings.port}/"


async def choose(call: Call) -> r.Waiting:
    """Ask for something: it's done at once before any phone was paired, else when somebody beside the box agrees."""
    service, wish = call.service, NetworkWish(call.body.word, call.body.ssid, call.body.password)
    if not service.wifi.can_ask or service.wifi.is_under_way:
        raise Refused(409, "not_now", NOT_NOW)
    if not wish.is_fine:
        raise Refused(422, "bad_password", BAD_PASSWORD)
    if call.device is None or wish.word == "look":
        try:
            service.wifi.do(wish)
        except OSError:
            raise Refused(503, "busy", NOT_NOW) from None
        return waiting(call, "admitted")
    knock = at_the_box(lambda: service.door.knock(call.phone.name, call.phone.id, wish))
    return waiting(call, knock.status, knock.sign.place, knock.sign.suit)


ENDPOINTS = (
    Endpoint("GET", "/network", "The Wi-Fi, and the networks in reach", network, NetworkState, who="arriving"),
    Endpoint(
        "POST",
        "/network",
        "Ask the box to join a network",
        choose,
        r.Waiting,
        NetworkRequest,
        who="arriving",
        statuses=(409,),
    ),
)
