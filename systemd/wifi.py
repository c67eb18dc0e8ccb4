"""What strangers say about Wi-Fi, read and written safely: requests, nmcli's terse output, NetworkManager's profiles.

Names and passwords can be anything, so a name is bytes from end to end, and a profile has each in one line.
Any Python 3.11 runs this, without a package of ours.
"""

from __future__ import annotations

import json
import re
import uuid
from typing import NamedTuple

# What the service may ask for.
WORDS = ("look", "join", "own", "alone")
MAX_NETWORKS = 40
ADDRESS = "10.42.0.1"
PAGE = f"http://{ADDRESS}:8080/"
# Where phones and computers ask whether a Wi-Fi leads anywhere. On the box's own these names lead to the box
# (portal.py); it answers for no other name but its own.
CHECKS = (
    "captive.apple.com", "connectivitycheck.gstatic.com", "connectivitycheck.android.com", "clients3.google.com",
    "play.googleapis.com", "connectivitycheck.platform.hicloud.com", "connect.rom.miui.com", "www.msftconnecttest.com",
    "www.msftncsi.com", "detectportal.firefox.com", "nmcheck.gnome.org", "network-test.debian.org",
    "connectivity-check.ubuntu.com", "hush.local",
)  # fmt: skip
NAMESPACE = uuid.UUID("5f1c1a1e-6f0b-4b5a-9d59-0b6f8a0c2d11")
# Channel 6 is allowed in every country.
ACCESS_POINT = {"mode": "ap", "band": "bg", "channel": "6"}
# A network that wasn't heard may be one that doesn't tell its name.
HIDDEN = {"hidden": "true"}


class Network(NamedTuple):
    """A network in reach; its name as bytes, because a name can be anything."""

    ssid: bytes
    signal: int
    lock: str


class Request(NamedTuple):
    """What the service asks for."""

    word: str
    ssid: bytes = b""
    password: str = ""


# --- what is asked, and what nmcli says ------------------------------------------------------------------------------


def parsed_request(text: bytes) -> Request | None:
    """A request, if it is one of those that are allowed.

    >>> parsed_request(b'{"word": "join", "ssid": "486f6d65", "password": "correct horse"}')
    Request(word='join', ssid=b'Home', password='correct horse')
    >>> parsed_request(b'{"word": "rm -rf /"}')
    """
    try:
        given = json.loads(text)
        word, ssid, password = given["word"], bytes.fromhex(given.get("ssid", "")), given.get("password", "")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    if word not in WORDS or not isinstance(password, str):
        return None
    if word != "join":
        return Request(word)
    return Request(word, ssid, password) if 1 <= len(ssid) <= 32 and is_password(password) else None


def is_password(text: str) -> bool:
    """Whether a network can have this password; none at all is an open network's.

    >>> is_password("12345678"), is_password("short"), is_password("new\\nline in it"), is_password("a" * 64)
    (True, False, False, True)
    """
    return not text or bool(re.fullmatch(r"[ -~]{8,63}|[0-9a-fA-F]{64}", text))


def fields(line: str) -> list[str]:
    r"""One line of nmcli's terse output: fields between colons, where \ makes the next letter a plain one.

    >>> fields(r"a\:b:c\\:")
    ['a:b', 'c\\', '']
    """
    found, plain = [""], iter(line)
    for letter in plain:
        if letter == ":":
            found.append("")
        else:
            found[-1] += next(plain, "") if letter == "\\" else letter
    return found


def networks(listing: str) -> list[Network]:
    """The networks of a listing by SSID-HEX, SIGNAL and SECURITY, each name once, the strongest first.

    >>> networks("486F6D65:80:WPA2\\n486F6D65:40:WPA2\\n:30:WPA2\\n43616665:50:\\n")
    [Network(ssid=b'Home', signal=80, lock='password'), Network(ssid=b'Cafe', signal=50, lock='')]
    """
    best: dict[bytes, Network] = {}
    for line in listing.splitlines():
        try:
            name, signal, security = fields(line)
            one = Network(bytes.fromhex(name), int(signal), lock_of(security))
        except ValueError:
            continue
        is_named = 1 <= len(one.ssid) <= 32 and any(one.ssid)
        if is_named and (one.ssid not in best or best[one.ssid].signal < one.signal):
            best[one.ssid] = one
    return sorted(best.values(), key=lambda one: (-one.signal, one.ssid))[:MAX_NETWORKS]


def lock_of(security: str) -> str:
    """What a network wants of who joins: nothing, a password (in one of two ways), or what this box can't give.

    >>> [lock_of(text) for text in ("", "WPA1 WPA2", "WPA2 WPA3", "WPA3", "WPA2 802.1X", "WEP")]
    ['', 'password', 'password', 'sae', 'other', 'other']
    """
    words = set(security.replace("--", "").split())
    if "802.1X" in words or "WEP" in words or "OWE" in words:
        return "other"
    if not words:
        return ""
    return "sae" if words == {"WPA3"} else "password"


def led_here() -> str:
    """What NetworkManager's dnsmasq is told for the box's own network; nobody else is asked about these names."""
    return "".join(f"address=/{name}/{ADDRESS}\nlocal=/{name}/\n" for name in CHECKS)


# --- profiles, as NetworkManager keeps them --------------------------------------------------------------------------


def in_bytes(ssid: bytes) -> str:
    """A name as NetworkManager reads any name: by the numbers of its bytes."""
    return "".join(f"{byte};" for byte in ssid)


def escaped(text: str) -> str:
    r"""A password as a profile has it: blanks and backslashes written out, so that none is lost or starts anything.

    >>> escaped(r"a\b c")
    'a\\\\b\\sc'
    """
    return text.replace("\\", "\\\\").replace(" ", "\\s")


def profile(name: str, ssid: bytes, security: dict[str, str], radio: dict[str, str], *, is_kept: bool = False) -> str:
    """A profile's text: the box's own network, or one that it joins."""
    is_own = radio == ACCESS_POINT
    parts: dict[str, dict[str, str]] = {
        "connection": {
            "id": name,
            "uuid": str(uuid_of(name)),
            "type": "wifi",
            "autoconnect": "true" if is_kept else "false",
        },
        "wifi": {"ssid": in_bytes(ssid), **radio},
        "wifi-security": security,
        "ipv4": {"method": "shared", "address1": f"{ADDRESS}/24"} if is_own else {"method": "auto"},
        "ipv6": {"method": "disabled" if is_own else "auto"},
    }
    sections = {title: values for title, values in parts.items() if values}
    return "\n".join(
        f"[{title}]\n" + "".join(f"{key}={value}\n" for key, value in values.items())
        for title, values in sections.items()
    )


def uuid_of(name: str) -> uuid.UUID:
    """The name by which nmcli knows a profile of ours."""
    return uuid.uuid5(NAMESPACE, name)


def security_of(password: str, lock: str) -> dict[str, str]:
    """How a network is joined."""
    if not password:
        return {}
    return {"key-mgmt": "sae" if lock == "sae" else "wpa-psk", "psk": escaped(password)}


def own_security(password: str) -> dict[str, str]:
    """How phones join the box's own network: WPA2 with AES and nothing newer, which a Pi and all phones can."""
    ways = {"key-mgmt": "wpa-psk", "proto": "rsn;", "pairwise": "ccmp;", "group": "ccmp;", "pmf": "1"}
    return {**ways, "psk": escaped(password)}
