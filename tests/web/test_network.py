"""The Wi-Fi by the page: who may change it, and what becomes of names and passwords that strangers made up."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from playwright.sync_api import Browser, expect

from companion.files import write_whole
from companion.outputs.text_line import TextLine
from companion.service.network import NetworkInReach, NetworkStanding, Wifi, current_standing
from companion.service.pairing import issue
from hardware.display import SilentDisplay
from tests.patience import eventually
from tests.web.rig import Rig, running
from tests.web.test_api import API
from tests.web.test_upkeep import agree, code_of
from tests.web.visitors import Visitors, serious

HOME = NetworkInReach(b'Home "1"'.hex(), 80, "password")
OPEN = NetworkInReach(b"Caf\xe9".hex(), 40, "")
FIRM = NetworkInReach(b"Firm".hex(), 30, "other")
STANDING = NetworkStanding("hotspot", "Hush-k7mp", "abcd-efgh-jkmn", "10.42.0.1", "", False, True, (HOME, OPEN, FIRM))
SECRET = "correct horse"


class Box:
    """A box on a Wi-Fi of its own; phones are on it where the test says so."""

    def __init__(self, rig: Rig, folder: Path, monkeypatch: pytest.MonkeyPatch):
        self.rig = rig
        self.runtime, self.status = folder / "run", folder / "status.json"
        self.runtime.mkdir()
        self.says(STANDING)
        rig.service.wifi = Wifi({"RUNTIME_DIRECTORY": str(self.runtime)}, self.status)
        self.is_on_it = True
        monkeypatch.setattr("companion.web.page_service.is_on_own_network", lambda address: self.is_on_it)

    def says(self, found: NetworkStanding) -> None:
        write_whole(self.status, msgspec.json.encode(found))

    @property
    def asked(self) -> dict[str, str]:
        """What was asked of root."""
        path = self.runtime / "network"
        return dict(json.loads(path.read_text())) if path.exists() else {}


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Box]:
    with running(tmp_path / "box") as rig:
        yield Box(rig, tmp_path, monkeypatch)


def choose(phone: httpx.Client, word: str = "join", **more: Any) -> httpx.Response:
    if word == "join":
        more = {"ssid": HOME.ssid, "password": SECRET, **more}
    return phone.post(f"{API}/network", json={"word": word, **more})


def test_before_any_phone_is_paired_the_password_of_the_card_is_proof_enough(box: Box) -> None:
    stranger = box.rig.client()
    assert stranger.get(f"{API}/pairing").json()["is_arriving"]
    found = stranger.get(f"{API}/network").json()
    assert [(one["name"], one["signal"], one["lock"]) for one in found["networks"]] == [
        ('Home "1"', 80, "password"), ("Caf�", 40, ""), ("Firm", 30, "other"),
    ]  # fmt: skip
    assert STANDING.password not in json.dumps(found), "who is here knows it, and nobody else needs it"
    assert choose(stranger).json()["status"] == "admitted"
    assert box.asked == {"word": "join", "ssid": HOME.ssid, "password": SECRET}
    assert (box.runtime / "network").stat().st_mode & 0o777 == 0o600
    assert choose(stranger).status_code == 409, "one at a time"


def test_a_stranger_elsewhere_or_after_the_first_phone_may_nothing(box: Box) -> None:
    stranger = box.rig.client()
    box.is_on_it = False
    assert not stranger.get(f"{API}/pairing").json()["is_arriving"]
    assert stranger.get(f"{API}/network").status_code == 401
    box.is_on_it = True
    box.says(msgspec.structs.replace(STANDING, mode="wifi"))
    assert choose(stranger).status_code == 401, "the box is in somebody's network"
    box.says(STANDING)
    box.rig.paired()
    assert stranger.get(f"{API}/network").status_code == 401
    assert choose(stranger).status_code == 401
    assert box.asked == {}


def test_a_paired_phones_wish_waits_for_somebody_beside_the_box(box: Box) -> None:
    phone = box.rig.paired()
    assert choose(phone).json()["status"] == "shown"
    said = str(box.rig.ask(lambda: box.rig.box.shown.knock.text))  # type: ignore[union-attr]
    assert 'Home "1"' in said
    assert SECRET not in said
    assert box.asked == {}
    box.rig.hold_on_the_box()
    assert eventually(lambda: box.asked == {"word": "join", "ssid": HOME.ssid, "password": SECRET})


def test_or_for_a_code(box: Box) -> None:
    phone = box.rig.paired()
    choose(phone, "alone")
    assert agree(phone, "00000000").status_code == 403
    assert box.asked == {}
    assert agree(phone, issue(box.rig.folder)).status_code == 200
    assert box.asked["word"] == "alone"


def test_what_was_agreed_to_is_what_is_done(box: Box) -> None:
    """A phone that changes its mind behind the sign must knock again, and one that may not knock can't change it."""
    phone = box.rig.paired()
    choose(phone)
    code = code_of(box.rig)
    for name in (b"Evil", b"Evil", b"Evil", b"Evil"):
        last = choose(phone, ssid=name.hex())
    assert last.status_code == 429
    assert agree(phone, code).status_code == 403, "that sign is gone"
    assert box.asked == {}


@pytest.mark.parametrize(
    ("ssid", "password"),
    [("zz", SECRET), ("4", SECRET), ("41" * 33, SECRET), ("", SECRET), (HOME.ssid, "short"), (HOME.ssid, "a" * 65),
     (HOME.ssid, "12345678\n[ipv4]"), (HOME.ssid, "12345678\x00"), (HOME.ssid, "é" * 8), (HOME.ssid, "g" * 64)],
)  # fmt: skip
def test_what_no_network_can_have_is_refused(box: Box, ssid: str, password: str) -> None:
    stranger = box.rig.client()
    answer = choose(stranger, ssid=ssid, password=password)
    assert answer.status_code == 422
    assert password not in answer.text
    assert stranger.post(f"{API}/network", json={"word": "reboot"}).status_code == 422
    assert box.asked == {}


def test_a_password_is_in_no_log_and_no_answer(box: Box, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    phone = box.rig.paired()
    choose(phone)
    answers = [phone.get(f"{API}/{path}").text for path in ("network", "box", "state", "health", "settings")]
    box.rig.hold_on_the_box()
    assert eventually(lambda: box.asked)
    assert "network: agreed to" in caplog.text
    for text in (caplog.text, *answers):
        assert SECRET not in text
        assert STANDING.password not in text
    assert SECRET.encode() not in (box.rig.folder / "hush.db").read_bytes()


def test_on_a_computer_there_is_nothing_to_ask_for(rig: Rig) -> None:
    phone = rig.paired()
    assert not phone.get(f"{API}/network").json()["can_ask"]
    assert choose(phone).status_code == 409


def test_the_text_line_has_the_password_and_no_page_does(box: Box) -> None:
    line = TextLine(SilentDisplay(), str, network=current_standing(box.rig.clock, lambda: STANDING))
    words = box.rig.ask(lambda: line.lines(box.rig.box.shown))
    assert "Hush-k7mp" in words
    assert STANDING.password in words
    assert STANDING.password not in box.rig.paired().get(f"{API}/state").text


def test_in_a_browser_somebody_arrives_takes_a_wrong_password_and_then_the_right_one(
    browser: Browser, box: Box
) -> None:
    visitors = Visitors(browser, box.rig)
    page = visitors.stranger()
    page.goto(box.rig.address)
    wifi = page.locator("#network")
    expect(wifi).to_contain_text("Hush-k7mp")
    expect(wifi.get_by_role("button", name="Firm")).to_be_disabled()
    wifi.get_by_role("button", name='Home "1"').click()
    wifi.get_by_label("Its password").fill("wrong horse")
    assert serious(page) == []
    wifi.get_by_role("button", name="Join").click()
    expect(wifi).to_contain_text("back within two minutes")
    assert eventually(lambda: box.asked.get("password") == "wrong horse")
    (box.runtime / "network").unlink()
    box.says(msgspec.structs.replace(STANDING, code="wrong_password"))
    expect(wifi).to_contain_text("That was not the password")
    wifi.get_by_role("button", name="Another network").click()
    wifi.get_by_label("Its name").fill("Café")
    wifi.get_by_label("Its password").fill(SECRET)
    wifi.get_by_role("button", name="Join").click()
    assert eventually(lambda: box.asked == {"word": "join", "ssid": "Café".encode().hex(), "password": SECRET})
    assert visitors.errors == []
    visitors.close()


def test_in_a_browser_a_paired_phone_sees_the_sign_for_it(browser: Browser, box: Box) -> None:
    visitors = Visitors(browser, box.rig)
    page = visitors.friend()
    page.goto(f"{box.rig.address}/#box")
    wifi = page.locator("#network")
    wifi.get_by_role("button", name="No network, ever").click()
    wifi.locator(".sign-number").wait_for()
    page.locator("#wifi-code").fill(code_of(box.rig))
    wifi.get_by_role("button", name="Agree by the code").click()
    assert eventually(lambda: box.asked.get("word") == "alone")
    box.says(msgspec.structs.replace(STANDING, is_alone=True))
    expect(wifi).to_contain_text("as you wished")
    assert serious(page) == []
    assert visitors.errors == []
    visitors.close()


def test_a_box_with_a_network_of_its_own_prints_its_card(tmp_path: Path) -> None:
    from companion.table.printing import prints
    from vision.art.sheets import print_pdf

    printed = prints(str, wifi=STANDING.sheet(8080))
    assert print_pdf("wifi", "a4", tmp_path / "card.pdf", printed) == 1
    assert "wifi" not in prints(str).sheets
    assert NetworkStanding().sheet(8080) is None
