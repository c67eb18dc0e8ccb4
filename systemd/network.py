"""The box's Wi-Fi, by root: a network of its own where there is no other, and the closed list of what the page may ask.

NetworkManager does the work, asked by nmcli: it comes with it, and its terse output is made for programs. Names and
passwords come from strangers, so none of them is ever an argument: a profile is a file of NetworkManager's own kind,
the name in it as bytes, and nmcli gets its UUID. Nothing secret is printed or logged.

`hush-network.timer` starts this when the machine is up and now and then, `hush-network.path` when the service asks.
Any Python 3.11 runs this, without a package of ours.
"""

from __future__ import annotations

import contextlib
import grp
import hashlib
import json
import os
import re
import secrets
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))
import wifi

NMCLI = "/usr/bin/nmcli"
SYSTEMCTL = "/usr/bin/systemctl"
MAX_REQUEST_BYTES = 1024
# Letters and figures that nobody takes for another one.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
HOTSPOT = "hush-hotspot"
# Seconds: for NetworkManager to have tried what it knows, for a router that is slower than the box, for a network to
# answer, and for a radio to have listened to all channels.
STARTUP_SECONDS = 60
GRACE_SECONDS = 20
CONNECT_SECONDS = 60
LISTEN_SECONDS = 6
# What NetworkManager says when it gives up (tests/service/nmcli.json has it in full), and what it means to a person.
REASONS = (
    (r"secrets were required|\(7\)", "wrong_password"),
    (r"could not be found|\(53\)", "out_of_reach"),
    (r"IP configuration|\(5\)|DHCP", "no_address"),
    # A network that isn't there is told sooner.
    (r"timeout expired", "no_address"),
    (r"No suitable device found", "blocked"),
)


class NmcliResult(NamedTuple):
    """How nmcli ended, and what it said."""

    code: int
    said: str


def run(command: Sequence[str]) -> NmcliResult:
    """Run a program in plain English; what it says is for this program, not for the journal."""
    environment = {"LC_ALL": "C.UTF-8", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            env=environment, timeout=2 * CONNECT_SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return NmcliResult(1, "")
    return NmcliResult(done.returncode, done.stdout.decode("utf-8", "replace"))


def reason(ended: NmcliResult) -> str:
    """Why a profile didn't come up, in a word; nothing if it did. A network's name, which nmcli repeats, has no say."""
    if ended.code == 0:
        return ""
    error = [line for line in ended.said.splitlines() if line.startswith("Error:")][-1:] or [ended.said]
    return next((code for words, code in REASONS if re.search(words, error[0], re.IGNORECASE)), "failed")


class NetworkHelper:
    """Root's hand on the Wi-Fi, of the system in a folder."""

    def __init__(
        self,
        root: Path = Path("/"),
        run: Callable[[Sequence[str]], NmcliResult] = run,
        sleep: Callable[[float], None] = time.sleep,
    ):
        self.request = root / "run/hush/network"
        self.status = root / "run/hush-network/status.json"
        self.kept = root / "var/lib/hush-network/own.json"
        self.note = root / "boot/firmware/hush-wifi.txt"
        self.profiles = root / "etc/NetworkManager/system-connections"
        self.names = root / "etc/NetworkManager/dnsmasq-shared.d/hush.conf"
        self._run, self._sleep = run, sleep
        self._radio = ""

    # What happens

    def serve(self) -> None:
        """Do what is asked for, or see to it that the box is in some network; and tell how it stands."""
        own = self.own()
        self._radio = self.radio()
        asked, code = self.asked(), self.said()
        if not self._radio:
            # NetworkManager itself may be away; else it knows of one device at least.
            code = "no_radio" if self.devices() else "failed"
        elif asked is None:
            code = self.stay_in_a_network() or code
        else:
            print(f"hush: the page asks to {asked.word}", flush=True)
            self.tell("under_way")
            code = self.do(asked)
        if not self.is_open():
            self.lead_phones(False)
        # Why a network wasn't joined is said once, or until the box is in one.
        self.tell("" if asked is None and self.joined() and self._radio else code, own)

    def do(self, asked: wifi.Request) -> str:
        """What came of a request, in a word; nothing if it went well."""
        if asked.word == "join":
            return self.join(asked)
        if asked.word == "look":
            self.scan()
            return ""
        self.remember(is_alone=asked.word == "alone")
        return self.open()

    def stay_in_a_network(self) -> str:
        """Nobody asked: without a network the box opens its own, and tries others again while nobody is on it.

        Nothing, or why its own can't be opened.
        """
        if self.is_open():
            if not self.is_alone() and self.known() and not self.is_used():
                self.close()
                self.wait_for_a_network()
        elif not self.is_alone():
            self._run(["/usr/bin/nm-online", "-s", "-q", "-t", str(STARTUP_SECONDS)])
            if not self.joined() and self.known():
                self.wait_for_a_network()
        if not self.is_open() and (self.is_alone() or not self.joined()):
            self.scan()
            return self.open()
        return ""

    def join(self, asked: wifi.Request) -> str:
        """Join a network; what doesn't work is forgotten, and the box is where it was before."""
        before, name = self.active(), f"hush-wifi-{hashlib.sha256(asked.ssid).hexdigest()[:12]}"
        heard = {one["ssid"]: one["lock"] for one in self.seen()}
        lock = heard.get(asked.ssid.hex(), "")
        if lock and not asked.password:
            # NetworkManager would look for an open network of that name, and say that there is none.
            return "wrong_password"
        security = wifi.security_of(asked.password, lock)
        radio = {} if asked.ssid.hex() in heard else wifi.HIDDEN
        path = self.profiles / f"{name}.nmconnection"
        earlier = path.read_bytes() if path.is_file() else b""
        self.keep(path, wifi.profile(name, asked.ssid, security, radio).encode())
        self.nmcli("radio", "wifi", "on")
        code = self.up(name)
        if not code:
            self.keep(path, wifi.profile(name, asked.ssid, security, radio, is_kept=True).encode())
            self.remember(is_alone=False)
            return ""
        print(f"hush: that network can't be joined: {code}", flush=True)
        if earlier:
            self.keep(path, earlier)
        else:
            self.forget(path)
        if not before or before == str(wifi.uuid_of(HOTSPOT)) or self.nmcli("connection", "up", "uuid", before).code:
            self.open()
        return code

    def up(self, name: str) -> str:
        """Bring a profile up: nothing if it went well, else why not."""
        return reason(self.nmcli("--wait", str(CONNECT_SECONDS), "connection", "up", "uuid", str(wifi.uuid_of(name))))

    def open(self) -> str:
        """Open the box's own network: nothing if it went well, else why not."""
        self.nmcli("radio", "wifi", "on")
        # By cable there may be an internet to share, and then no name is bent.
        self.lead_phones(self.joined() != "ethernet")
        return self.up(HOTSPOT)

    def lead_phones(self, is_wanted: bool) -> None:
        """Have phones on the box's own network shown the page; dnsmasq reads the names when that network opens."""
        text = wifi.led_here().encode()
        # It's a convenience: a system that has no such folder, or port 80 in use, is none the worse.
        with contextlib.suppress(OSError):
            if not is_wanted:
                self.names.unlink(missing_ok=True)
            elif not self.names.is_file() or self.names.read_bytes() != text:
                self.write(self.names, text, 0o644)
        units = ("hush-portal.socket",) if is_wanted else ("hush-portal.socket", "hush-portal.service")
        self._run([SYSTEMCTL, "start" if is_wanted else "stop", *units])

    def close(self) -> None:
        """Close it."""
        self.nmcli("connection", "down", "uuid", str(wifi.uuid_of(HOTSPOT)))

    def scan(self) -> None:
        """Listen for networks. A radio that is a network itself can't, so it stops for a moment."""
        was_open = self.is_open()
        if was_open:
            self.close()
        self.nmcli("radio", "wifi", "on")
        self._sleep(LISTEN_SECONDS)
        listing = self.nmcli(
            "--terse", "--fields", "SSID-HEX,SIGNAL,SECURITY", "device", "wifi", "list",
            "ifname", self._radio, "--rescan", "yes",
        )  # fmt: skip
        if listing.code == 0:
            own = self.own()["name"].encode()
            found = [one for one in wifi.networks(listing.said) if one.ssid != own]
            self._seen = [{"ssid": one.ssid.hex(), "signal": one.signal, "lock": one.lock} for one in found]
        if was_open:
            self.open()

    def wait_for_a_network(self) -> None:
        """Give NetworkManager a while to find a network that it knows."""
        for _ in range(GRACE_SECONDS):
            if self.joined():
                return
            self._sleep(1)

    # How it stands

    def nmcli(self, *words: str) -> NmcliResult:
        """Ask NetworkManager."""
        return self._run([NMCLI, *words])

    def devices(self) -> list[list[str]]:
        """Each device: its name, kind, state and the UUID of its profile."""
        rows = self.nmcli("--terse", "--fields", "DEVICE,TYPE,STATE,CON-UUID", "device", "status")
        return [row for row in map(wifi.fields, rows.said.splitlines()) if rows.code == 0 and len(row) == 4]

    def radio(self) -> str:
        """The first Wi-Fi device."""
        return next((name for name, kind, state, _ in self.devices() if kind == "wifi" and state != "unmanaged"), "")

    def active(self) -> str:
        """The UUID of what the radio is in."""
        return next((uuid for name, _, _, uuid in self.devices() if name == self._radio), "")

    def is_open(self) -> bool:
        """Whether the box's own network is there."""
        return self.active() == str(wifi.uuid_of(HOTSPOT))

    def joined(self) -> str:
        """How the box is in somebody's network: by cable, by Wi-Fi, or not at all."""
        own = str(wifi.uuid_of(HOTSPOT))
        kinds = [kind for _, kind, state, uuid in self.devices() if state == "connected" and uuid != own]
        return next((kind for kind in ("ethernet", "wifi") if kind in kinds), "")

    def known(self) -> bool:
        """Whether there is any network to wait for."""
        rows = self.nmcli("--terse", "--fields", "UUID,TYPE", "connection", "show").said.splitlines()
        others = [row for row in map(wifi.fields, rows) if row[0] != str(wifi.uuid_of(HOTSPOT))]
        return any(row[1:] == ["802-11-wireless"] for row in others) or any(
            kind == "ethernet" and state.startswith("connecting") for _, kind, state, _ in self.devices()
        )

    def is_used(self) -> bool:
        """Whether a phone is on the box's own network; where nobody can tell, it's taken for used."""
        ended = self._run(["/usr/sbin/iw", "dev", self._radio, "station", "dump"])
        return ended.code != 0 or "Station" in ended.said

    # What is kept

    def own(self) -> dict[str, Any]:
        """The box's own network, made once, and whether people want no other: no two boxes have the same password."""
        try:
            kept = json.loads(self.kept.read_text())
            if isinstance(kept, dict) and kept["name"] and wifi.is_password(kept["password"]) and kept["password"]:
                if not (self.profiles / f"{HOTSPOT}.nmconnection").is_file():
                    self.make_profile(kept)
                return kept
        except (OSError, ValueError, KeyError, TypeError):
            pass
        kept = {
            "name": f"Hush-{''.join(secrets.choice(LETTERS) for _ in range(4))}",
            "password": "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(3)),
            "is_alone": False,
        }
        self.write(self.kept, json.dumps(kept).encode(), 0o600)
        self.make_profile(kept)
        self.leave_a_note(kept)
        return kept

    def leave_a_note(self, kept: dict[str, Any]) -> None:
        """For a box without any screen: on the part of the card that every computer can read."""
        text = f"Wi-Fi: {kept['name']}\r\nPassword: {kept['password']}\r\nPage: {wifi.PAGE}\r\n"
        with contextlib.suppress(OSError):
            if self.note.parent.is_dir():
                self.note.write_text(text, newline="")

    def make_profile(self, kept: dict[str, Any]) -> None:
        """Give NetworkManager the box's own network."""
        text = wifi.profile(HOTSPOT, kept["name"].encode(), wifi.own_security(kept["password"]), wifi.ACCESS_POINT)
        self.keep(self.profiles / f"{HOTSPOT}.nmconnection", text.encode())

    def is_alone(self) -> bool:
        """Whether people have said that the box shall never be in another network."""
        return self.own().get("is_alone") is True

    def remember(self, is_alone: bool) -> None:
        """Keep what people have said."""
        if self.is_alone() != is_alone:
            self.write(self.kept, json.dumps({**self.own(), "is_alone": is_alone}).encode(), 0o600)

    def keep(self, path: Path, text: bytes) -> None:
        """Put a profile in its place, for root's eyes alone, and let NetworkManager read it."""
        self.write(path, text, 0o600)
        self.nmcli("connection", "load", str(path))

    def forget(self, path: Path) -> None:
        """Take a profile away."""
        path.unlink(missing_ok=True)
        self.nmcli("connection", "reload")

    @staticmethod
    def write(path: Path, text: bytes, mode: int, group: int | None = None) -> None:
        """Write a file whole or not at all, and let nobody see it who may not."""
        path.parent.mkdir(parents=True, exist_ok=True)
        # NetworkManager reads no file that begins with a dot.
        fresh = path.with_name(f".{path.name}.new")
        fresh.unlink(missing_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as file:
            if group is not None:
                os.fchown(descriptor, -1, group)
            os.fchmod(descriptor, mode)
            file.write(text)
            file.flush()
            os.fsync(descriptor)
        fresh.replace(path)

    def asked(self) -> wifi.Request | None:
        """What the service asks for; the file is gone afterwards, whatever it was."""
        try:
            descriptor = os.open(self.request, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except FileNotFoundError:
            return None
        except OSError:
            descriptor = -1
        text = b""
        if descriptor >= 0:
            with os.fdopen(descriptor, "rb") as file:
                text = file.read(MAX_REQUEST_BYTES) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
        with contextlib.suppress(OSError):
            self.request.unlink(missing_ok=True)
        found = wifi.parsed_request(text)
        if found is None:
            print("hush: no such request", file=sys.stderr)
        return found

    def said(self) -> str:
        """What came of the last request; one that a power cut has ended came to nothing."""
        try:
            code = str(json.loads(self.status.read_text())["code"])
        except (OSError, ValueError, KeyError):
            return ""
        return code if code in {meaning for _, meaning in REASONS} else ""

    def seen(self) -> list[dict[str, Any]]:
        """The networks that were there when the radio listened last."""
        if not hasattr(self, "_seen"):
            try:
                self._seen: list[dict[str, Any]] = json.loads(self.status.read_text())["networks"]
            except (OSError, ValueError, KeyError):
                self._seen = []
        return self._seen

    def tell(self, code: str, own: dict[str, Any] | None = None) -> None:
        """Leave how it stands for the service, and for nobody else: the password of the box's network is in it."""
        own = own or self.own()
        mode = ("hotspot" if self.is_open() else self.joined() or "none") if self._radio else self.joined() or "none"
        said = {
            "mode": mode, "name": own["name"], "password": own["password"], "address": wifi.ADDRESS, "code": code,
            "is_alone": self.is_alone(), "has_radio": bool(self._radio), "networks": self.seen(),
        }  # fmt: skip
        group = None
        with contextlib.suppress(KeyError):
            group = grp.getgrnam("hush").gr_gid
        self.write(self.status, json.dumps(said).encode(), 0o640, group if os.geteuid() == 0 else None)


if __name__ == "__main__":
    NetworkHelper(*map(Path, sys.argv[1:])).serve()
