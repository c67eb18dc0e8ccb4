"""Floods, freezes and races: whatever is asked for, however often, the game and its phones go on."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from pathlib import Path

import httpx
import pytest

from companion.web import guard
from companion.web.lobby import CONNECTIONS_A_PHONE, CONNECTIONS_AN_ADDRESS, STRANGERS, Lobby
from companion.web.printing import Printer
from tests.patience import PATIENCE, eventually
from tests.web.rig import Rig
from tests.web.test_api import API


class Wire:
    """A connection as the lobby knows it."""

    def __init__(self, address: str, is_idle: bool = True):
        self.address = address
        self.is_idle = is_idle
        self.is_cut = False

    def cut(self) -> None:
        self.is_cut = True


def test_silent_connections_never_take_a_phones_room() -> None:
    """However many addresses open lines and say nothing: they are few, and it's the oldest that goes."""
    lobby = Lobby(lambda scope: scope.get("phone"))
    phone = Wire("10.0.0.1")
    lobby.on_connect(phone)
    lobby.on_request(phone, {"phone": "a"})
    flood = [Wire(f"10.0.{number // 200}.{number % 200}") for number in range(2000)]
    flood += [Wire("10.9.9.9") for _ in range(300)]
    for one in flood:
        lobby.on_connect(one)
    assert not phone.is_cut
    assert not flood[-1].is_cut
    left = [one for one in flood if not one.is_cut]
    assert len(left) <= STRANGERS
    assert len([one for one in left if one.address == "10.9.9.9"]) == CONNECTIONS_AN_ADDRESS
    late = Wire("10.0.0.2")
    lobby.on_connect(late)
    lobby.on_request(late, {"phone": "b"})
    assert not late.is_cut


def test_one_phone_has_so_many_connections_and_keeps_its_stream() -> None:
    lobby = Lobby(lambda scope: scope.get("phone"))
    stream = Wire("10.0.0.1", is_idle=False)
    lines = [stream, *(Wire("10.0.0.1") for _ in range(40))]
    for line in lines:
        lobby.on_connect(line)
        lobby.on_request(line, {"phone": "a"})
    assert not stream.is_cut
    assert len([line for line in lines if not line.is_cut]) == CONNECTIONS_A_PHONE


def test_three_hundred_half_open_connections_shut_nobody_out(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "HEAD_SECONDS", 10 * PATIENCE)  # they don't go away by themselves
    phone = rig.paired()
    half = b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow:"
    lines = []
    try:
        for _ in range(300):
            line = socket.create_connection(("127.0.0.1", rig.port), timeout=PATIENCE)
            line.sendall(half)
            lines.append(line)
        for _ in range(5):
            assert phone.get(f"{API}/state").status_code == 200
            assert rig.paired().get(f"{API}/state").status_code == 200
        assert rig.client().get("/").status_code == 200
        assert rig.ask_page(lambda: len(rig.service.hub.listeners)) == 0
    finally:
        for line in lines:
            line.close()


def test_prints_wait_in_a_short_row_and_nobody_waits_for_them(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight sheets at once: one is drawn, two wait, the rest is told when to come again; the page goes on."""
    go = threading.Event()

    async def draw(self: Printer, what: str, paper: str, language: str, target: str, address: str) -> None:
        while not go.is_set():
            await asyncio.sleep(0.02)
        Path(target).write_bytes(b"%PDF-")

    monkeypatch.setattr(Printer, "_draw", draw)
    phones = [rig.paired() for _ in range(5)]
    got: list[httpx.Response] = []

    def ask(phone: httpx.Client) -> None:
        got.append(phone.get(f"{API}/prints/tarot/a4"))

    threads = [threading.Thread(target=ask, args=(phone,)) for phone in phones]
    for thread in threads:
        thread.start()
    eventually(lambda: len(got) == 2)
    assert {(one.status_code, one.headers["retry-after"]) for one in got} == {(503, "20")}
    for phone in phones:  # while the first sheet is drawn, for as long as that takes
        for path in ("state", "settings", "words", "health", "openapi.json", "prints"):
            assert phone.get(f"{API}/{path}").status_code == 200
    mine = [phone.get(f"{API}/prints/tarot/a4").status_code for phone in phones]
    assert sorted(mine) == [429, 429, 429, 503, 503]  # whose sheet is on its way is told another thing than the others
    go.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(one.status_code for one in got) == [200, 200, 200, 503, 503]


def test_a_sheet_is_drawn_by_a_process_of_its_own(rig: Rig) -> None:
    sheet = rig.paired().get(f"{API}/prints/markers/letter?language=nl")
    assert sheet.status_code == 200
    assert sheet.content.startswith(b"%PDF-")
    assert b"/Count 1" in sheet.content
    assert rig.paired().get(f"{API}/prints/nonsense/a4").status_code == 404


def test_one_upload_at_a_time(rig: Rig) -> None:
    """A phone that sends slowly keeps others waiting with a word, not without."""
    cookie = rig.paired().cookies["hush"]
    head = (
        f"POST {API}/restore HTTP/1.1\r\nHost: 127.0.0.1:{rig.port}\r\nOrigin: {rig.address}\r\n"
        f"Cookie: hush={cookie}\r\nContent-Type: application/zip\r\nContent-Length: 9000000\r\n\r\n"
    )
    zipped = {"content": b"x", "headers": {"content-type": "application/zip"}}
    with socket.create_connection(("127.0.0.1", rig.port), timeout=PATIENCE) as line:
        line.sendall(head.encode() + b"x" * 1000)
        same = rig.client()
        same.cookies.set("hush", cookie, domain="127.0.0.1", path="/")
        eventually(lambda: same.post(f"{API}/restore", **zipped).status_code == 429)  # type: ignore[arg-type]
        assert rig.paired().get(f"{API}/state").status_code == 200
    other = rig.paired()
    eventually(lambda: other.post(f"{API}/restore", **zipped).status_code == 422)  # type: ignore[arg-type]


def test_one_phone_has_a_few_streams_and_the_oldest_ends(rig: Rig) -> None:
    phone = rig.paired()
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(phone.stream("GET", f"{API}/events")) for _ in range(10)]
        eventually(lambda: rig.ask_page(lambda: len(rig.service.hub.listeners)) == 8)
        assert "event: state" in list(streams[0].iter_lines())  # it ends, so all of it can be read


def test_of_two_who_take_a_free_seat_at_once_one_has_it(rig: Rig) -> None:
    rig.begin("silentes", drawing="phone")
    phones = [rig.paired() for _ in range(4)]
    got: list[int] = []
    threads = [
        threading.Thread(
            target=lambda at=at: got.append(phones[at].post(f"{API}/seats/0", json={"pin": f"{at}234"}).status_code)
        )  # type: ignore[misc]
        for at in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert got.count(200) == 1
    assert set(got) <= {200, 403, 409}
    assert [phone.get(f"{API}/seat").status_code for phone in phones].count(200) == 1
