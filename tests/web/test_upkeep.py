"""Update, go back, safe mode, restart, power off from a phone: with somebody beside the box, and what is signed."""

from __future__ import annotations

import json
import platform
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from companion.files import write_whole
from companion.service.pairing import issue
from companion.session.events import SwitchedOff
from companion.web import guard
from companion.web.upkeep import Upkeep
from tests.patience import eventually
from tests.service.test_release import Maker, flipped
from tests.web.rig import Rig, running
from tests.web.test_api import API
from tests.web.visitors import Visitors, serious

KIND = {"content-type": "application/x-hush-release"}
pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl isn't here")


class Box:
    """A box that was installed: a runtime folder, a version that runs, one before it, and a key."""

    def __init__(self, rig: Rig, folder: Path, maker: Maker):
        self.rig, self.folder, self.maker = rig, folder, maker
        self.runtime, self.home, self.result = folder / "run", folder / "hush", folder / "result.json"
        self.runtime.mkdir()
        for name, version in (("one", "1.0"), ("two", "1.5")):
            (self.home / "releases" / name / f"lib/python3.11/site-packages/hush-{version}.dist-info").mkdir(
                parents=True
            )
        (self.home / "releases/two/previous").symlink_to("../one")
        (self.home / "current").symlink_to("releases/two")
        shutil.copytree(maker.keys(), self.home / "keys")
        environment = {"RUNTIME_DIRECTORY": str(self.runtime)}
        rig.service.upkeep = Upkeep(rig.folder, environment, self.home, self.result)

    def says(self, result: dict[str, str]) -> None:
        """Root's helper leaves what came of it, whole."""
        write_whole(self.result, json.dumps(result).encode())

    @property
    def asked(self) -> str:
        """What was asked of root."""
        path = self.runtime / "request"
        return path.read_text() if path.exists() else ""


@pytest.fixture(scope="module")
def maker(tmp_path_factory: pytest.TempPathFactory) -> Maker:
    return Maker(tmp_path_factory.mktemp("maker") / "ours")


@pytest.fixture
def box(tmp_path: Path, maker: Maker) -> Iterator[Box]:
    with running(tmp_path / "box") as rig:
        yield Box(rig, tmp_path, maker)


def deeds(phone: httpx.Client) -> list[str]:
    return [one["deed"] for one in phone.get(f"{API}/box").json()["deeds"]]


def wish(phone: httpx.Client, deed: str) -> httpx.Response:
    return phone.post(f"{API}/box/wish", json={"deed": deed})


def code_of(rig: Rig) -> str:
    assert eventually(lambda: rig.ask(lambda: rig.box.shown.knock))
    return rig.ask(lambda: rig.box.shown.knock.code)  # type: ignore[union-attr]


def agree(phone: httpx.Client, code: str) -> httpx.Response:
    return phone.post(f"{API}/box/wish/code", json={"code": code})


@pytest.mark.parametrize(
    ("deed", "word"), [("go-back", "rollback"), ("safe-mode", "start-anew"), ("restart", "reboot")]
)
def test_a_deed_is_asked_of_root_once_somebody_holds_confirm_on_the_box(box: Box, deed: str, word: str) -> None:
    phone = box.rig.paired()
    assert deeds(phone) == ["go-back", "safe-mode", "restart", "power-off"]
    said = wish(phone, deed).json()
    assert said["status"] == "shown"
    assert box.asked == ""
    sign = box.rig.ask(lambda: box.rig.box.shown.knock.sign.beats[1].layer)  # type: ignore[union-attr]
    assert str(sign).endswith("##"), "sun and moon: it's about the box itself"
    box.rig.hold_on_the_box()
    assert eventually(lambda: box.asked == word)
    assert (box.rig.folder / "safe-mode").exists() == (deed == "safe-mode")


def test_a_paired_phone_alone_can_do_nothing(box: Box) -> None:
    phone, other = box.rig.paired(), box.rig.paired("other")
    wish(phone, "restart")
    # Neither its own twin's ✔, nor another phone's wish, nor a guessed code.
    moment = phone.get(f"{API}/state").json()["moment"]
    phone.post(f"{API}/press", json={"button": "confirm", "is_held": True, "moment": moment})
    right = code_of(box.rig)
    assert agree(phone, f"{(int(right) + 1) % 10**8:08}").status_code == 403
    assert agree(other, right).status_code == 409
    assert agree(phone, "").status_code == 403
    box.rig.passed += 91
    assert agree(phone, right).status_code in (403, 409)
    assert box.asked == ""
    assert box.rig.client().post(f"{API}/box/wish", json={"deed": "restart"}).status_code == 401
    assert wish(phone, "rm -rf /").status_code == 422


def test_without_a_panel_a_code_from_beside_the_box_will_do(box: Box) -> None:
    phone = box.rig.paired()
    wish(phone, "restart")
    assert agree(phone, code_of(box.rig)).status_code == 200
    assert box.asked == "reboot"
    (box.runtime / "request").unlink()
    wish(phone, "go-back")
    assert agree(phone, issue(box.rig.folder)).status_code == 200
    assert box.asked == "rollback"
    (box.runtime / "request").unlink()
    assert agree(phone, issue(box.rig.folder)).status_code == 409, "one wish is one deed"
    assert box.asked == ""


def test_power_off_leaves_its_sign_on_the_panel(box: Box) -> None:
    phone, heard = box.rig.paired(), []
    box.rig.ask(lambda: box.rig.box.bus.subscribe(SwitchedOff, heard.append))
    wish(phone, "power-off")
    box.rig.hold_on_the_box()
    assert eventually(lambda: len(heard) == 1)
    assert box.asked == ""


def test_a_release_is_looked_at_then_agreed_to_then_asked_for(box: Box) -> None:
    phone = box.rig.paired()
    sent = phone.post(f"{API}/box/release", content=box.maker.release("2.0"), headers=KIND)
    assert sent.json() == {"version": "2.0"}
    assert deeds(phone)[0] == "update"
    assert wish(phone, "update").status_code == 200
    assert "install version 2.0" in str(box.rig.ask(lambda: box.rig.box.shown.knock.text))  # type: ignore[union-attr]
    assert box.asked == ""
    box.rig.hold_on_the_box()
    assert eventually(lambda: box.asked == "update")
    assert phone.get(f"{API}/box").json()["is_under_way"], "asked, and nothing was said yet"
    box.says({"word": "update", "code": "under_way"})
    assert phone.get(f"{API}/box").json()["is_under_way"]
    box.says({"word": "update", "code": "came_back"})
    assert "didn't come up" in phone.get(f"{API}/box").json()["outcome"]


def test_what_isnt_signed_or_whole_or_new_is_refused_before_anybody_is_asked(box: Box, tmp_path: Path) -> None:
    phone = box.rig.paired()
    good, stranger = box.maker.release("2.0"), Maker(tmp_path / "stranger")
    for code, file in (
        ("torn", flipped(good, 30_000)),
        ("unknown_key", stranger.release("2.0")),
        ("not_newer", box.maker.release("1.5")),
        ("wrong_machine", box.maker.release(machine="riscv64" if platform.machine() != "riscv64" else "x86_64")),
        ("no_release", b"#!/bin/sh\nid\n"),
    ):
        refused = phone.post(f"{API}/box/release", content=file, headers=KIND)
        assert (refused.status_code, refused.json()["code"]) == (422, code)
    assert "update" not in deeds(phone)
    assert wish(phone, "update").status_code == 409
    assert not list((box.rig.folder / "update").iterdir())


def test_a_release_beyond_its_limit_leaves_nothing(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    phone = box.rig.paired()
    monkeypatch.setattr("companion.web.app.HUGE_BODY", 100_000)
    assert phone.post(f"{API}/box/release", content=b"x" * 100_001, headers=KIND).status_code == 413
    endless = (b"x" * 10_000 for _ in range(20))
    assert phone.post(f"{API}/box/release", content=endless, headers=KIND).status_code == 413
    monkeypatch.setattr(guard, "KEPT_FREE_BYTES", 1 << 60)
    assert phone.post(f"{API}/box/release", content=b"x", headers=KIND).status_code == 413
    assert not list((box.rig.folder / "update").iterdir())


def test_on_a_computer_there_is_nothing_to_ask_for(rig: Rig) -> None:
    phone = rig.paired()
    assert deeds(phone) == []
    assert wish(phone, "restart").status_code == 409


def test_an_answer_that_comes_while_the_page_asks_is_not_lost(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    phone = box.rig.paired()
    box.rig.service.upkeep.do("restart")

    def version(_: Upkeep) -> str:
        box.says({"word": "restart", "code": "came_back"})
        return "1.5"

    monkeypatch.setattr(Upkeep, "version", property(version))
    said = phone.get(f"{API}/box").json()
    assert said["is_under_way"] or said["outcome"]
    assert phone.get(f"{API}/box").json()["outcome"]


def test_in_a_browser_a_stranger_comes_in_by_a_code_and_a_release_is_agreed_to(
    browser: Browser, box: Box, tmp_path: Path
) -> None:
    visitors = Visitors(browser, box.rig)
    page = visitors.stranger()
    page.goto(box.rig.address)
    page.get_by_role("button", name="Knock").click()
    page.locator(".sign-number").wait_for()
    page.locator("#code").fill(code_of(box.rig))
    page.get_by_role("button", name="Come in by the code").click()
    expect(page.get_by_role("heading", name="Which game shall it be?")).to_be_visible()
    page.goto(f"{box.rig.address}/#box")
    upkeep = page.locator("#upkeep")
    expect(upkeep).to_contain_text("This is version 1.5.")
    (tmp_path / "hush-2.0.run").write_bytes(box.maker.release("2.0"))
    page.locator("#release-file").set_input_files(tmp_path / "hush-2.0.run")
    upkeep.get_by_role("button", name="install version 2.0").click()
    upkeep.locator(".sign-number").wait_for()
    assert box.asked == ""
    page.locator("#deed-code").fill(code_of(box.rig))
    upkeep.get_by_role("button", name="Agree by the code").click()
    assert eventually(lambda: box.asked == "update")
    box.says({"word": "update", "code": "", "version": "2.0"})
    expect(upkeep).to_contain_text("Version 2.0 was installed.")
    assert serious(page) == []
    assert visitors.errors == []
    visitors.close()
