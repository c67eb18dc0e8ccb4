"""Root's hand on the Wi-Fi: what a service, even one that somebody has taken over, can make it do.

`Manager` stands in for NetworkManager where there is no radio. What it says when something is wrong was recorded in the
rig, word by word, from NetworkManager 1.52 and simulated radios (tests/rig/wifi.sh, nmcli.json).
"""

from __future__ import annotations

import configparser
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.service.network import OUTCOMES, PASSWORD, NetworkStanding, standing
from tests.service.boxes import ROOT
from tests.service.test_release import script

network = script("network")
OWN = str(network.wifi.uuid_of(network.HOTSPOT))
HOME = b'Caf\xe9:\\ "1"\n-x'
SECRET = ' cor\\rect "horse" ;#='
RECORDED = json.loads((ROOT / "tests/service/nmcli.json").read_text(encoding="utf-8"))
# Troubles in which there is no device to ask.
NOBODY = ("no radio", "no NetworkManager")


def recorded(trouble: str, what: str = "up") -> object:
    """What nmcli said in the rig."""
    said = RECORDED[trouble][what]
    return network.NmcliResult(said["exit"], said["said"])


class Manager:
    """NetworkManager with one radio, networks in reach, and the profiles that were loaded from files."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.profiles = folder / "etc/NetworkManager/system-connections"
        self.asked: list[list[str]] = []
        self.active = ""
        self.cable = "unavailable"
        self.has_radio = True
        self.is_used = True
        self.known = ""
        self.home_is_there = True
        # What is wrong, as it was recorded.
        self.trouble = ""
        (folder / "run/hush").mkdir(parents=True)
        self.helper = network.NetworkHelper(folder, self.run, lambda seconds: None)

    def loaded(self) -> dict[str, configparser.RawConfigParser]:
        found = {}
        for path in self.profiles.glob("*.nmconnection"):
            assert path.stat().st_mode & 0o777 == 0o600
            profile = configparser.RawConfigParser(
                delimiters=("=",), comment_prefixes=("#",), inline_comment_prefixes=None
            )
            profile.read(path)
            found[profile["connection"]["uuid"]] = profile
        return found

    def run(self, command: Sequence[str]) -> object:
        words = list(command)
        self.asked.append(words)
        if words[0] != network.NMCLI:
            return network.NmcliResult(0, "Station 02:00\n" if self.is_used and "iw" in words[0] else "")
        match words[1:]:
            case ["--terse", "--fields", "DEVICE,TYPE,STATE,CON-UUID", *_] if self.trouble in NOBODY:
                return recorded(self.trouble, "devices")
            case ["--terse", "--fields", "DEVICE,TYPE,STATE,CON-UUID", *_]:
                radio = f"wlan0:wifi:{'connected' if self.active else 'disconnected'}:{self.active}\n"
                rest = f"eth0:ethernet:{self.cable}:\nlo:loopback:connected (externally):0191f1e5\n"
                return network.NmcliResult(0, (radio if self.has_radio else "") + rest)
            case ["--terse", "--fields", "SSID-HEX,SIGNAL,SECURITY", *_]:
                assert self.active != OWN, "a radio that is a network itself hears nothing"
                own = json.loads((self.folder / "var/lib/hush-network/own.json").read_text())["name"]
                return network.NmcliResult(
                    0, f"{HOME.hex().upper()}:100:WPA2\n{own.encode().hex()}:0:WPA2\n43:30:WPA2 802.1X\n"
                )
            case ["--terse", "--fields", "UUID,TYPE", *_]:
                rows = [f"{uuid}:802-11-wireless\n" for uuid in self.loaded()]
                return network.NmcliResult(0, "".join(rows) + self.known)
            case ["--wait", _, "connection", "up", "uuid", uuid] | ["connection", "up", "uuid", uuid]:
                return self.up(uuid)
            case ["connection", "down", "uuid", uuid] if uuid == self.active:
                self.active = ""
        return network.NmcliResult(0, "")

    def up(self, uuid: str) -> object:
        self.active = ""
        if self.trouble and (uuid != OWN or self.trouble == "blocked radio"):
            return recorded(self.trouble)
        profile = self.loaded()[uuid]
        if uuid == OWN:
            self.active = uuid
            return network.NmcliResult(0, "")
        if profile["wifi"]["ssid"] != network.wifi.in_bytes(HOME) or not self.home_is_there:
            return recorded("no such network")
        if profile.get("wifi-security", "psk", fallback="") != network.wifi.escaped(SECRET):
            return recorded("wrong password")
        self.active = uuid
        return network.NmcliResult(0, "")

    def asks(self, word: str | bytes = "", **more: str) -> NetworkStanding:
        """The service asks, or it's time again; what is told then."""
        if word:
            text = word if isinstance(word, bytes) else json.dumps({"word": word, **more}).encode()
            (self.folder / "run/hush/network").write_bytes(text)
        self.helper = network.NetworkHelper(self.folder, self.run, lambda seconds: None)
        self.helper.serve()
        assert not (self.folder / "run/hush/network").exists()
        return standing(self.folder / "run/hush-network/status.json")


@pytest.fixture
def manager(tmp_path: Path) -> Manager:
    return Manager(tmp_path)


def test_without_a_known_network_the_box_opens_its_own(manager: Manager) -> None:
    found = manager.asks()
    assert found.is_open
    assert PASSWORD.fullmatch(found.password)
    assert [(bytes.fromhex(one.ssid), one.lock) for one in found.networks] == [(HOME, "password"), (b"C", "other")]
    own = manager.loaded()[OWN]
    assert (own["wifi"]["mode"], own["ipv4"]["method"], own["connection"]["autoconnect"]) == ("ap", "shared", "false")
    assert (manager.folder / "run/hush-network/status.json").stat().st_mode & 0o777 == 0o640


def test_every_box_has_a_password_of_its_own_and_keeps_it(tmp_path: Path) -> None:
    first, second = Manager(tmp_path / "one"), Manager(tmp_path / "two")
    assert first.asks().password != second.asks().password
    assert first.asks().card == first.asks().card
    (first.profiles / f"{network.HOTSPOT}.nmconnection").unlink()
    assert first.asks().is_open, "a profile that was taken away is made again"


def test_a_box_without_a_screen_leaves_a_note_on_its_card(manager: Manager) -> None:
    (manager.folder / "boot/firmware").mkdir(parents=True)
    found = manager.asks()
    note = (manager.folder / "boot/firmware/hush-wifi.txt").read_text()
    assert f"Password: {found.password}" in note
    assert "http://10.42.0.1:8080/" in note


@pytest.mark.parametrize("torn", [b"", b"{", b"[]", b'{"name": "x"}', b'{"name": "x", "password": "short"}'])
def test_a_torn_memory_is_made_anew(manager: Manager, torn: bytes) -> None:
    path = manager.folder / "var/lib/hush-network/own.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(torn)
    assert PASSWORD.fullmatch(manager.asks().password)


def test_a_network_by_cable_or_radio_is_left_alone(manager: Manager) -> None:
    manager.cable = "connected"
    assert manager.asks().mode == "ethernet"
    assert manager.active == ""


def test_a_network_is_joined_and_remembered(manager: Manager) -> None:
    manager.asks()
    found = manager.asks("join", ssid=HOME.hex(), password=SECRET)
    assert (found.mode, found.code) == ("wifi", "")
    joined = manager.loaded()[manager.active]
    assert joined["connection"]["autoconnect"] == "true"
    assert "hidden" not in joined["wifi"]
    assert manager.asks().mode == "wifi"


@pytest.mark.parametrize(
    ("ssid", "password", "code"),
    [
        (HOME, "wrong horse", "wrong_password"),
        (b"Nowhere", "wrong horse", "out_of_reach"),
        (HOME, "", "wrong_password"),
    ],
)
def test_what_fails_brings_the_own_network_back_and_says_why(
    manager: Manager, ssid: bytes, password: str, code: str
) -> None:
    manager.asks()
    found = manager.asks("join", ssid=ssid.hex(), password=password)
    assert (found.is_open, found.code) == (True, code)
    assert code in OUTCOMES
    assert list(manager.loaded()) == [OWN], "what didn't work is forgotten"
    assert manager.asks().code == code, "it's still said when somebody comes back to look"


def test_a_failed_try_leaves_the_box_in_the_network_it_was_in(manager: Manager) -> None:
    manager.asks()
    manager.asks("join", ssid=HOME.hex(), password=SECRET)
    before = manager.active
    found = manager.asks("join", ssid=HOME.hex(), password="changed my mind")
    assert (found.mode, found.code) == ("wifi", "wrong_password")
    assert manager.active == before
    assert manager.asks().code == "", "it's old news at the next look"
    assert manager.asks("join", ssid=b"Nowhere".hex(), password=SECRET).mode == "wifi"


def test_no_network_ever_is_remembered(manager: Manager) -> None:
    manager.asks()
    assert manager.asks("alone").is_alone
    manager.is_used, manager.known = False, "other:802-11-wireless\n"
    assert manager.asks().is_open
    manager.active = ""
    assert manager.asks().is_open, "after a restart, too"
    assert not manager.asks("join", ssid=HOME.hex(), password=SECRET).is_alone


def test_a_slow_router_is_tried_again_while_nobody_is_on_the_own_network(manager: Manager) -> None:
    manager.asks()
    manager.known = "other:802-11-wireless\n"
    manager.asked.clear()
    manager.asks()
    downs = [words for words in manager.asked if "down" in words]
    assert downs == [], "a phone is on it"
    manager.is_used = False
    assert manager.asks().is_open
    assert [words for words in manager.asked if "down" in words] != []


@pytest.mark.parametrize(
    ("trouble", "code"),
    [
        ("wrong password", "wrong_password"),
        ("no such network", "out_of_reach"),
        ("router away", "out_of_reach"),
        ("no address", "no_address"),
        ("no address in time", "no_address"),
        ("blocked radio", "blocked"),
        ("blocked radio, own network", ""),
    ],
)
def test_what_networkmanager_really_says_is_understood(trouble: str, code: str) -> None:
    assert network.reason(recorded(trouble)) == code
    # With a number, as earlier versions say it.
    if code == "wrong_password":
        assert (
            network.reason(network.NmcliResult(4, "Error: Connection activation failed: (7) Secrets were required."))
            == code
        )


def test_a_networks_name_has_no_say_in_why_it_failed() -> None:
    said = RECORDED["wrong password"]["up"]["said"].replace("Café", "Error: Connection activation failed: (53)")
    assert network.reason(network.NmcliResult(4, said)) == "wrong_password"


def test_a_radio_that_is_switched_off_is_told(manager: Manager) -> None:
    manager.trouble = "blocked radio"
    found = manager.asks()
    assert (found.mode, found.code, found.has_radio) == ("none", "blocked", True)
    assert manager.asks().code == "blocked", "as long as it is"
    assert manager.asks("join", ssid=HOME.hex(), password=SECRET).code == "blocked"
    manager.trouble = ""
    found = manager.asks("join", ssid=HOME.hex(), password=SECRET)
    assert (found.mode, found.code) == ("wifi", "")


def test_a_router_that_gives_no_address_is_told(manager: Manager) -> None:
    manager.asks()
    manager.trouble = "no address"
    found = manager.asks("join", ssid=HOME.hex(), password=SECRET)
    assert (found.is_open, found.code) == (True, "no_address")


@pytest.mark.parametrize(("trouble", "code"), [("no radio", "no_radio"), ("no NetworkManager", "failed")])
def test_no_radio_and_no_networkmanager_are_told_apart(manager: Manager, trouble: str, code: str) -> None:
    manager.trouble = trouble
    found = manager.asks()
    assert (found.mode, found.code, found.has_radio) == ("none", code, False)


def test_without_a_radio_nothing_is_tried(manager: Manager) -> None:
    manager.has_radio = False
    found = manager.asks()
    assert (found.mode, found.code, found.has_radio) == ("none", "no_radio", False)


@pytest.mark.parametrize(
    "text",
    [b"", b"look", b"[]", b"null", b'{"word": "up"}', b'{"word": ["join"]}', b'{"word": "join"}', b"\xff" * 40,
     b'{"word": "join", "ssid": "zz", "password": "12345678"}', b'{"word": "join", "ssid": "41", "password": "short"}',
     b'{"word": "join", "ssid": "41", "password": "12345678\\n[ipv4]"}',
     b'{"word": "join", "ssid": "41", "password": 5}',
     json.dumps({"word": "join", "ssid": "41" * 33, "password": "12345678"}).encode(), b"[" * 900,
     json.dumps({"word": "join", "ssid": "41", "password": "é" * 8}).encode()],
)  # fmt: skip
def test_anything_else_is_nothing(manager: Manager, text: bytes) -> None:
    manager.asks()
    before = manager.loaded().keys()
    manager.asked.clear()
    manager.asks(text + b" ")
    assert manager.loaded().keys() == before
    assert not [words for words in manager.asked if "up" in words]


def test_links_pipes_and_folders_in_place_of_the_request_do_nothing(manager: Manager, tmp_path: Path) -> None:
    path = tmp_path / "run/hush/network"
    (tmp_path / "word").write_text('{"word": "alone"}')
    path.symlink_to(tmp_path / "word")
    assert not manager.asks().is_alone
    os.mkfifo(path)
    assert not manager.asks().is_alone
    assert (tmp_path / "word").exists()


def test_no_secret_and_no_strangers_name_is_an_argument_or_printed(
    manager: Manager, capfd: pytest.CaptureFixture[str]
) -> None:
    own = manager.asks().password
    for password in ("wrong horse", SECRET):
        manager.asks("join", ssid=HOME.hex(), password=password)
    said = capfd.readouterr()
    everything = "\n".join(word for words in manager.asked for word in words) + said.out + said.err
    for secret in (own, SECRET, "horse", "Caf", HOME.hex(), HOME.hex().upper()):
        assert secret not in everything


names = st.binary(min_size=1, max_size=32)
passwords = st.from_regex(PASSWORD, fullmatch=True)


@given(names, passwords)
def test_a_profile_holds_any_name_and_password_in_one_line_each(ssid: bytes, password: str) -> None:
    text = network.wifi.profile("x", ssid, network.wifi.security_of(password, ""), {})
    assert [line for line in text.splitlines() if line.startswith("[")] == [
        "[connection]", "[wifi]", "[wifi-security]", "[ipv4]", "[ipv6]",
    ]  # fmt: skip
    (line,) = re.findall(r"^ssid=([\d;]+)$", text, re.MULTILINE)
    assert bytes(map(int, line.split(";")[:-1])) == ssid
    (line,) = re.findall(r"^psk=(.*)$", text, re.MULTILINE)
    assert line == line.strip()
    assert re.sub(r"\\(.)", lambda found: " " if found[1] == "s" else found[1], line) == password


@given(st.lists(st.text(max_size=8), min_size=1, max_size=4))
def test_nmclis_terse_lines_are_read_back(row: list[str]) -> None:
    line = ":".join(field.replace("\\", "\\\\").replace(":", "\\:") for field in row)
    assert network.wifi.fields(line) == row


def test_the_page_knows_no_other_words_and_the_units_the_same_file() -> None:
    from companion.service.network import LABELS

    assert set(LABELS) == set(network.wifi.WORDS)
    assert {code for _, code in network.REASONS} <= set(OUTCOMES)
    assert "PathExists=/run/hush/network\n" in (ROOT / "systemd/hush-network.path").read_text()
    unit = (ROOT / "systemd/hush-network.service").read_text()
    assert "ExecStart=/usr/bin/python3 -I /opt/hush/current/systemd/network.py\n" in unit
    assert "RuntimeDirectory=hush-network\n" in unit
