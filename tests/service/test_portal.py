"""Phones that join the box's own Wi-Fi are shown its page, and learn nothing else there."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.patience import eventually
from tests.service.boxes import ROOT
from tests.service.test_network import HOME, SECRET, Manager
from tests.service.test_release import script
from tests.web.rig import running

portal = script("portal")
PAGE, OWN = portal.wifi.PAGE, f"http://{portal.wifi.ADDRESS}/"
APPLE = b"GET /hotspot-detect.html HTTP/1.0\r\nHost: captive.apple.com\r\nUser-Agent: CaptiveNetworkSupport-1 wispr"
ANDROID = b"GET /generate_204 HTTP/1.1\r\nHost: connectivitycheck.gstatic.com\r\nUser-Agent: Mozilla/5.0 (Android)"
BROWSER = b"GET / HTTP/1.1\r\nHost: 10.42.0.1\r\nUser-Agent: Mozilla/5.0 (iPhone)"


def heard(answer: bytes) -> tuple[int, str, str]:
    """An answer's status, where it leads, and its text."""
    head, _, text = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    named = dict(line.split(": ", 1) for line in lines)
    assert named["Cache-Control"] == "no-store"
    return int(first.split()[1]), named.get("Location", ""), text.decode()


def test_a_check_is_led_to_the_box_and_a_browser_to_the_page() -> None:
    box = portal.Portal()
    for check in (APPLE, ANDROID):
        assert heard(box.answer(check, "10.42.0.7"))[:2] == (302, OWN)
    status, there, text = heard(box.answer(BROWSER, "10.42.0.7"))
    assert (status, there) == (302, PAGE)
    assert f'href="{PAGE}"' in text


def test_who_has_been_led_there_hears_what_it_hopes_for_and_stays() -> None:
    box = portal.Portal()
    # A check that follows a redirection by itself shows nothing to anybody.
    box.answer(APPLE.replace(b"captive.apple.com", b"10.42.0.1"), "10.42.0.7")
    assert heard(box.answer(APPLE, "10.42.0.7"))[0] == 302
    box.answer(BROWSER, "10.42.0.7")
    assert "Success" in heard(box.answer(APPLE, "10.42.0.7"))[2]
    assert heard(box.answer(ANDROID, "10.42.0.7")) == (204, "", "")
    assert heard(box.answer(APPLE, "10.42.0.8"))[0] == 302, "another phone hasn't seen it yet"
    other = APPLE.replace(b"/hotspot-detect.html", b"/anything/else?x=1")
    assert heard(box.answer(other, "10.42.0.7"))[:2] == (302, OWN)


@given(st.one_of(st.binary(max_size=300), st.text(max_size=300).map(str.encode)))
def test_nothing_that_is_sent_is_repeated(sent: bytes) -> None:
    box = portal.Portal()
    known = {box.answer(head, "10.42.0.7") for head in (APPLE, BROWSER, b"POST / HTTP/1.1")}
    for head in (
        sent,
        b"GET /" + sent + b" HTTP/1.1\r\nHost: captive.apple.com",
        b"GET / HTTP/1.1\r\nHost: " + sent,
        b"GET / HTTP/1.1\r\n" + sent,
    ):
        assert box.answer(head, "10.42.0.9") in known


@pytest.fixture
def port() -> Iterator[int]:
    """The program itself, with a socket handed over as systemd does."""
    with socket.create_server(("127.0.0.1", 0)) as handed:
        command = ["/bin/bash", "-c", 'exec "$0" -IB "$1" 3<&"$2"', sys.executable, str(ROOT / "systemd/portal.py")]
        process = subprocess.Popen([*command, str(handed.fileno())], pass_fds=(handed.fileno(),))
        yield handed.getsockname()[1]
        process.terminate()
        process.wait()


def test_the_program_answers_on_the_socket_it_is_given(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as mute:
        said = httpx.get(f"http://127.0.0.1:{port}/generate_204", headers={"host": "captive.apple.com"})
        assert (said.status_code, said.headers["location"]) == (302, OWN)
        # Who says nothing, too much or nonsense is let go, and holds nobody up.
        for nonsense in (b"x" * 20_000 + b"\r\n\r\n", b"\x16\x03\x01\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", port)) as one:
                one.sendall(nonsense)
                assert eventually(lambda one=one: over(one))
        assert mute.fileno() >= 0
    assert httpx.get(f"http://127.0.0.1:{port}/").status_code == 302


def over(one: socket.socket) -> bool:
    """Whether the other side has ended it."""
    try:
        while one.recv(4096):
            pass
    except ConnectionError:
        pass
    return True


@pytest.fixture
def manager(tmp_path: Path) -> Manager:
    return Manager(tmp_path)


def names(manager: Manager) -> Path:
    return manager.folder / "etc/NetworkManager/dnsmasq-shared.d/hush.conf"


def test_names_are_bent_on_the_boxs_own_network_alone(manager: Manager) -> None:
    manager.asks()
    lines = names(manager).read_text().splitlines()
    assert "address=/captive.apple.com/10.42.0.1" in lines
    assert "#" not in "".join(lines), "a name that isn't listed leads nowhere"
    assert ["/usr/bin/systemctl", "start", "hush-portal.socket"] in manager.asked
    opened = manager.asked.index(["/usr/bin/systemctl", "start", "hush-portal.socket"])
    assert any("up" in words for words in manager.asked[opened:]), "dnsmasq reads them when the network opens"
    manager.asks("join", ssid=HOME.hex(), password=SECRET)
    assert not names(manager).exists()
    assert ["/usr/bin/systemctl", "stop", "hush-portal.socket", "hush-portal.service"] in manager.asked


def test_by_cable_there_may_be_an_internet_and_no_name_is_bent(manager: Manager) -> None:
    manager.cable = "connected"
    assert manager.asks("own").is_open
    assert not names(manager).exists()


def test_a_system_without_the_folder_still_opens_its_network(manager: Manager) -> None:
    names(manager).parent.parent.mkdir(parents=True)
    names(manager).parent.write_text("a file in its place")
    assert manager.asks().is_open


def test_the_page_answers_to_its_own_names_alone(tmp_path: Path) -> None:
    with running(tmp_path) as rig:
        stranger = rig.client()
        for name in set(portal.wifi.CHECKS) - {"hush.local"}:
            refused = stranger.get("/", headers={"host": name})
            assert (refused.status_code, refused.json()["code"]) == (421, "wrong_host")
        assert stranger.get("/", headers={"host": f"{portal.wifi.ADDRESS}:8080"}).status_code == 200


def test_the_unit_has_the_address_of_the_boxs_own_network() -> None:
    assert f"ListenStream={portal.wifi.ADDRESS}:80\n" in (ROOT / "systemd/hush-portal.socket").read_text()
