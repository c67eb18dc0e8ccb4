"""The page's loop and the box's owner: neither waits for the other, and nothing but values goes between them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from companion.session.session import Session
from companion.web import app
from companion.web.app import Server
from hardware.button_signals import LongPress, Press
from hardware.panel import Button
from tests.patience import PATIENCE, eventually
from tests.web.rig import Rig
from tests.web.test_api import API, press


@contextmanager
def page_stands_still(rig: Rig) -> Iterator[None]:
    entered, go = threading.Event(), threading.Event()
    assert rig.serving.loop is not None
    rig.serving.loop.call_soon_threadsafe(lambda: (entered.set(), go.wait(PATIENCE)))
    assert entered.wait(PATIENCE)
    try:
        yield
    finally:
        go.set()


@contextmanager
def owner_stands_still(rig: Rig) -> Iterator[None]:
    entered, go = threading.Event(), threading.Event()
    rig.runner.post(lambda: (entered.set(), go.wait(PATIENCE)))
    assert entered.wait(PATIENCE)
    try:
        yield
    finally:
        go.set()


class Asked:
    """A request that is under way."""

    def __init__(self, phone: httpx.Client, path: str, body: object):
        self.answer: httpx.Response | None = None
        self._thread = threading.Thread(target=self._ask, args=(phone, path, body))
        self._thread.start()

    def _ask(self, phone: httpx.Client, path: str, body: object) -> None:
        self.answer = phone.post(f"{API}{path}", json=body)

    @property
    def status(self) -> int:
        self._thread.join(PATIENCE)
        assert self.answer is not None
        return self.answer.status_code


def test_presses_on_the_box_go_on_while_the_page_stands_still(rig: Rig) -> None:
    """However long a request holds up the page's loop, the game doesn't wait for it."""
    rig.begin("silencio", players=3)
    phone = rig.paired()
    with page_stands_still(rig):
        before = rig.ask(lambda: rig.box.shown.chooser)
        for _ in range(3):
            rig.ask(lambda: rig.box.on_signal(Press(Button.RIGHT)))
        assert rig.ask(lambda: rig.box.shown.chooser) != before
        rig.ask(lambda: rig.box.do("show r4"))
    assert phone.get(f"{API}/state").json()["number"] == 1


def test_pages_are_read_while_the_owner_stands_still(rig: Rig) -> None:
    rig.begin("silencio", players=2)
    phone = rig.paired()
    with owner_stands_still(rig):
        for path in ("state", "log", "rules", "health", "settings", "games", "words"):
            assert phone.get(f"{API}/{path}").status_code == 200


def test_a_deed_counts_for_what_was_on_show_when_it_was_decided_on(rig: Rig) -> None:
    """The table has changed while a phone's ✔ was on its way to the owner: it's late, though the page didn't know."""
    rig.begin("silencio", players=3)
    phone = rig.paired()
    press(phone, "right", 0)
    moment = phone.get(f"{API}/state").json()["moment"]
    with owner_stands_still(rig):
        rig.runner.post(lambda: rig.box.on_signal(Press(Button.RIGHT)))
        late = Asked(phone, "/press", {"button": "confirm", "moment": moment})
        eventually(lambda: rig.ask_page(lambda: len(rig.service._waiting)) == 1)
    assert late.status == 409
    assert rig.ask(lambda: rig.history.number) == 0


def test_a_deed_that_the_change_doesnt_matter_to_is_done_after_all(rig: Rig) -> None:
    rig.begin("silencio", players=3)
    phone = rig.paired()
    with owner_stands_still(rig):
        rig.runner.post(lambda: rig.box.on_signal(Press(Button.RIGHT)))
        asked = Asked(phone, "/moves", {"move": "show r4", "number": 0})
        eventually(lambda: rig.ask_page(lambda: len(rig.service._waiting)) == 1)
    assert asked.status == 200
    assert phone.get(f"{API}/state").json()["number"] == 1


def test_a_flood_of_deeds_waits_on_the_pages_side(rig: Rig) -> None:
    """With the owner there is one at a time, so a press on the box waits behind one; a phone has eight under way."""
    rig.begin("silencio", players=3)
    phones = [rig.paired() for _ in range(3)]
    with owner_stands_still(rig):
        flood = [Asked(phones[at % 3], "/moves", {"move": "nonsense", "number": 0}) for at in range(30)]
        eventually(lambda: sum(one.answer is not None for one in flood) == 30 - 3 * 8)
        assert rig.runner._inbox.qsize() <= 1
    assert sorted({one.status for one in flood}) == [422, 429]


def test_who_gave_up_waiting_gets_nothing_done(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.page_service.OWNER_SECONDS", 0.1)
    rig.begin("silencio", players=2)
    phone = rig.paired()
    with owner_stands_still(rig):
        assert phone.post(f"{API}/moves", json={"move": "show r4", "number": 0}).status_code == 503
    assert rig.ask(lambda: rig.history.number) == 0


def test_an_error_on_the_pages_side_ends_nothing_and_tells_nothing(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Not in what is handed over, not in a change, not in what is only posted: the log has the place, not the words."""
    rig.begin("silencio", players=2)
    phone = rig.paired()

    def broken(*_: object) -> None:
        raise RuntimeError("pinocchio")

    with caplog.at_level(logging.DEBUG), monkeypatch.context() as patched:
        patched.setattr(rig.service, "mark_stale", broken)
        rig.ask(lambda: rig.box.do("show r4"))
        patched.setattr(Session, "undo", broken)
        assert phone.post(f"{API}/undo", json={"number": 1}).status_code == 500
        rig.service.owner.post(broken)
        eventually(lambda: caplog.text.count("RuntimeError at ") >= 3)
    # What was handed over, with every hand in it, is an argument of the callback that failed.
    assert not [word for word in ("pinocchio", "Showing", "Situation", "r4") if word in caplog.text]
    rig.ask(lambda: rig.box.do("show b7"))
    assert phone.get(f"{API}/state").json()["number"] == 2


def test_a_page_that_cant_be_served_ends_no_game(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def serve(self: Server, sockets: object = None) -> None:
        raise OSError("pinocchio")

    rig.stop()
    monkeypatch.setattr(Server, "serve", serve)
    rig.start()
    eventually(lambda: "the page has ended, the game goes on: OSError" in caplog.text)
    assert "pinocchio" not in caplog.text
    rig.begin("silencio", players=2)
    rig.ask(lambda: rig.box.do("show r4"))
    assert rig.ask(lambda: rig.history.number) == 1


def test_a_stop_doesnt_wait_long_for_a_page_that_is_stuck(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "STOP_SECONDS", 0.1)
    with page_stands_still(rig):
        rig.stop()
    rig.serving._thread.join(PATIENCE)
    assert not rig.serving._thread.is_alive()
    rig.start()


def test_a_stream_is_for_who_hears_the_owner(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that gets a stream says that it's live; that must not be true of the page's server alone."""
    monkeypatch.setattr("companion.web.page_service.OWNER_SECONDS", 0.1)
    phone = rig.paired()
    with owner_stands_still(rig):
        assert phone.get(f"{API}/events").status_code == 503
    with phone.stream("GET", f"{API}/events") as stream:
        assert "event: ping" in stream.iter_lines()


def test_only_the_owner_touches_the_box(rig: Rig) -> None:
    """Every test with a rig fails if a thread of the page does; this one shows that it would be noticed."""
    rig.begin("silencio", players=2)
    rig.paired().get(f"{API}/state")
    assert rig.box.touched == set()
    rig.ask_page(lambda: rig.box.shown)
    assert "shown by page" in rig.box.touched
    rig.box.touched.clear()


def test_a_sign_that_comes_late_onto_the_panel_isnt_granted_by_a_hold_meant_for_the_game(rig: Rig) -> None:
    """The owner was busy when somebody knocked: who was holding ✔ all the while has seen no sign to compare."""
    rig.begin("silencio", players=2)
    stranger = rig.client()
    with owner_stands_still(rig):
        assert stranger.post(f"{API}/pairing", json={"name": "x"}).json()["status"] == "shown"
        rig.passed += 5
        rig.runner.post(lambda: rig.box.on_signal(LongPress(Button.CONFIRM)))
    rig.ask(lambda: None)
    assert stranger.get(f"{API}/pairing").json()["status"] == "shown"
    rig.hold_on_the_box()
    assert stranger.get(f"{API}/pairing").json()["status"] == "admitted"


def test_a_grant_that_comes_too_late_lets_nobody_in(rig: Rig) -> None:
    """✔ was held for a guest whom a flood had just pushed out: neither that one nor another comes in by it."""
    guest = rig.client()
    guest.post(f"{API}/pairing", json={"name": "guest"})
    asked = rig.ask_page(lambda: rig.service.door.status(guest.cookies["hush_door"]))
    assert asked is not None

    def flood() -> None:
        for number in range(40):
            rig.service.door.knock("x", f"10.0.0.{number}")
        rig.service._grant(asked)

    before = rig.service.memory.devices
    rig.ask_page(flood)
    assert guest.get(f"{API}/pairing").json()["status"] == "expired"
    assert rig.ask_page(lambda: rig.service.memory.devices) == before
