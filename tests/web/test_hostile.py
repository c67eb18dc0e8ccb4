"""Hostile clients, and what each of them got. docs/web-safety.md has the same list for people."""

from __future__ import annotations

import logging
import random
import re
import socket
import time

import httpx
import pytest

from companion.web import guard
from companion.web.api import ENDPOINTS
from companion.web.routes import PREFIX
from hardware.button_signals import LongPress, Press
from hardware.flourishes import knock as knock_on_panel
from hardware.panel import Button, Layer
from tests.patience import PATIENCE, eventually
from tests.web.rig import Rig
from tests.web.test_api import API

# Something real in every gap of a path, so that nobody is sent away for a thing that isn't there.
GAPS = {
    "at": "1",
    "game": "all",
    "result": "won",
    "before": "0",
    "mark": "0123456789abcdef",
    "width": "96",
    "id": "1",
    "seat": "0",
    "number": "0",
    "device": "x",
    "what": "markers",
    "paper": "a4",
    "deck": "silencio",
    "card": "r2",
}
PRIVATE = [
    (one.method, PREFIX + re.sub(r"\{(\w+)(:int)?\}", lambda gap: GAPS[gap[1]], one.path))
    for one in ENDPOINTS
    if one.who == "paired"
]
CHANGES = [(method, path) for method, path in PRIVATE if method != "GET"]
ELSEWHERE = ["/static/main.js", "/static/enrol.js", "/nowhere", "/docs", "/openapi.json"]


@pytest.fixture
def untiring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is slowed down for asking much."""
    monkeypatch.setattr(guard.TokenBuckets, "allows", lambda self, caller: True)


@pytest.mark.usefixtures("untiring")
def test_a_stranger_gets_nothing_but_the_door(rig: Rig) -> None:
    rig.begin("silencio")
    stranger = rig.client()
    got = {
        (method, path): stranger.request(method, path)
        for method, path in [*PRIVATE, *(("GET", one) for one in ELSEWHERE)]
    }
    assert len(got) >= 50
    assert {asked: (answer.status_code, answer.json()["code"]) for asked, answer in got.items()} == dict.fromkeys(
        got, (401, "not_paired")
    )


@pytest.mark.usefixtures("untiring")
def test_another_site_changes_nothing_whatever_it_asks_for(rig: Rig) -> None:
    rig.begin("silencio")
    phone = rig.paired()
    for method, path in CHANGES:
        for headers in ({"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}):
            answer = phone.request(method, path, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (403, "wrong_origin"), path


@pytest.mark.usefixtures("untiring")
def test_no_endpoint_reads_a_huge_body(rig: Rig) -> None:
    rig.begin("silencio")
    phone = rig.paired()
    for method, path in CHANGES:
        # These take 32 MB, or a release, and are asked for more in their own tests.
        if not path.endswith(("/restore", "/photo", "/release")):
            answer = phone.request(
                method, path, content=b"x" * (guard.SMALL_BODY + 1), headers={"content-type": "application/json"}
            )
            assert answer.status_code == 413, path


def test_a_stranger_sees_a_friendly_door(rig: Rig) -> None:
    door = rig.client().get("/")
    assert door.status_code == 200
    assert "door.js" in door.text
    assert "main.js" not in door.text


def knock(client: httpx.Client) -> dict[str, object]:
    return dict(client.post(f"{API}/pairing", json={"name": "phone"}).json())


def test_a_phone_is_let_in_by_holding_confirm_on_the_box(rig: Rig) -> None:
    client = rig.client()
    said = knock(client)
    assert said["status"] == "shown"
    sign = rig.ask(lambda: rig.box.shown.knock.sign.beats[1].layer)  # type: ignore[union-attr]
    assert sign == lights(said)
    assert client.get(f"{API}/state").status_code == 401
    rig.hold_on_the_box()
    assert client.get(f"{API}/pairing").json()["status"] == "admitted"
    assert client.get(f"{API}/state").status_code == 200
    cookie = next(one for one in client.cookies.jar if one.name == "hush")
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert str(cookie.get_nonstandard_attr("SameSite")).lower() == "strict"


def lights(said: dict[str, object]) -> Layer:
    """What the panel shows of a sign."""
    return knock_on_panel(int(str(said["place"])), str(said["suit"]), "sun").beats[1].layer


def test_a_knock_takes_no_press_from_the_game(rig: Rig) -> None:
    """An ordinary ✔, long after the knock, answers the game and nobody else; the question stands all the time."""
    rig.begin("silencio", players=3)
    asked = rig.ask(lambda: rig.frame)
    client = rig.client()
    knock(client)
    assert rig.ask(lambda: rig.frame) == asked
    for wait in (0.1, 1.3, 5.0, 10.0):
        rig.passed += wait
        for button in (Button.RIGHT, Button.CONFIRM, Button.CONFIRM):
            rig.ask(lambda button=button: rig.box.on_signal(Press(button)))  # type: ignore[misc]
        rig.ask(lambda: rig.box.tick())
        assert client.get(f"{API}/pairing").json()["status"] == "shown"
    assert rig.ask(lambda: rig.history.number) > 0


def test_a_hold_that_began_before_the_knock_lets_nobody_in(rig: Rig) -> None:
    rig.begin("silencio")
    client = rig.client()
    knock(client)
    eventually(lambda: rig.ask(lambda: rig.box.shown.knock))  # a sign's time begins when the owner shows it
    rig.passed += 1.3
    rig.ask(lambda: rig.box.on_signal(LongPress(Button.CONFIRM)))
    assert client.get(f"{API}/pairing").json()["status"] == "shown"
    rig.passed += 1.0
    rig.ask(lambda: rig.box.on_signal(LongPress(Button.CONFIRM)))
    assert client.get(f"{API}/pairing").json()["status"] == "admitted"


def test_a_knock_that_nobody_answers_ends_by_itself(rig: Rig) -> None:
    client = rig.client()
    knock(client)
    for _ in range(10):
        rig.passed += 10
        rig.ask(lambda: rig.box.tick())
    assert client.get(f"{API}/pairing").json()["status"] == "expired"
    assert rig.ask(lambda: rig.box.shown.knock) is None
    assert [client.post(f"{API}/pairing", json={}).status_code for _ in range(3)] == [200, 200, 429]


def test_four_addresses_cant_lock_out_a_fifth(rig: Rig) -> None:
    """Everybody who knocks is shown soon, however many others wait, and each sign is another one."""

    def flood() -> None:
        for number in range(40):
            rig.service.door.knock("x", f"10.0.0.{number}")

    rig.ask_page(flood)
    assert rig.ask_page(lambda: len(rig.service.door._waiting())) <= 24
    client = rig.client()
    assert knock(client)["status"] in ("waiting", "shown")
    rig.passed += 12.1
    rig.ask(lambda: rig.box.tick())
    said = client.get(f"{API}/pairing").json()
    assert said["status"] == "shown"
    assert rig.ask(lambda: rig.box.shown.knock.sign.beats[1].layer) == lights(said)  # type: ignore[union-attr]
    rig.passed += 2.1
    rig.ask(lambda: rig.box.on_signal(LongPress(Button.CONFIRM)))
    assert client.get(f"{API}/pairing").json()["status"] == "admitted"


def test_a_paired_phone_cant_let_others_in(rig: Rig) -> None:
    inside, outside = rig.paired(), rig.client()
    rig.begin("silencio")
    knock(outside)
    eventually(lambda: rig.ask(lambda: rig.box.shown.knock))
    rig.passed += 2.1
    for is_held in (False, True):
        moment = inside.get(f"{API}/state").json()["moment"]
        said = {"button": "confirm", "moment": moment, "is_held": is_held}
        assert inside.post(f"{API}/press", json=said).status_code == 200
    assert outside.get(f"{API}/pairing").json()["status"] == "shown"


def test_a_used_confirmation_cant_be_used_again(rig: Rig) -> None:
    client = rig.client()
    knock(client)
    knocked = client.cookies["hush_door"]
    rig.hold_on_the_box()
    assert client.get(f"{API}/pairing").json()["status"] == "admitted"
    thief = rig.client()
    thief.cookies.set("hush_door", knocked, domain="127.0.0.1", path="/")
    answer = thief.get(f"{API}/pairing")
    assert answer.json()["status"] == "none"
    assert "set-cookie" not in answer.headers
    assert thief.get(f"{API}/state").status_code == 401


@pytest.mark.parametrize("change", ["signature", "name", "empty", "guess"])
def test_a_forged_cookie_opens_nothing(rig: Rig, change: str) -> None:
    name, _, signature = rig.paired().cookies["hush"].partition(".")
    forged = {
        # Not its last letter, of which base64 uses only some bits.
        "signature": f"{name}.{'0' if signature[0] != '0' else '1'}{signature[1:]}",
        "name": f"{'0' * 32}.{signature}",
        "empty": f"{name}.",
        "guess": f"{name}.{'f' * 64}",
    }[change]
    client = rig.client()
    client.cookies.set("hush", forged, domain="127.0.0.1", path="/")
    assert client.get(f"{API}/state").status_code == 401


def test_a_phone_that_was_sent_away_is_out_at_once(rig: Rig) -> None:
    client = rig.paired()
    (mine,) = client.get(f"{API}/settings").json()["devices"]
    assert client.delete(f"{API}/devices/{mine['id']}").status_code == 200
    assert client.get(f"{API}/state").status_code == 401


WRONG_HOSTS = [
    "evil.example", "hush.local.evil.example", "127.0.0.1.nip.io:80", "", "hush.local:80@evil.com",
    "hush.local@evil.com", "hush.local:80/evil.com", "hush.local:", "hush.local:80:80", "evil.com#hush.local", "[::1",
    "::1", "[::1]evil.com", "[127.0.0.1]@evil.com", "0x7f.1",
]  # fmt: skip


def test_a_wrong_host_is_refused_even_with_a_cookie(rig: Rig) -> None:
    phone = rig.paired()
    got = {host: phone.get(f"{API}/state", headers={"host": host}).status_code for host in WRONG_HOSTS}
    assert got == dict.fromkeys(WRONG_HOSTS, 421)


@pytest.mark.parametrize("host", ["hush.local", "HUSH.local:8080", "localhost:1", "[::1]:8080", "10.0.0.7"])
def test_the_boxs_own_names_are_known(rig: Rig, host: str) -> None:
    client = rig.paired()
    assert client.get(f"{API}/state", headers={"host": host, "origin": f"http://{host}"}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": ""},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_another_site_can_change_nothing(rig: Rig, headers: dict[str, str]) -> None:
    rig.begin("similo")
    client = rig.paired()
    answer = client.post(f"{API}/moves", json={"move": "show alice", "number": 0}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_origin")
    assert client.get(f"{API}/state").json()["number"] == 0


def test_a_change_without_an_origin_is_refused(rig: Rig) -> None:
    client = rig.paired()
    del client.headers["origin"]
    assert client.post(f"{API}/undo", json={"number": 0}).status_code == 403


def test_a_form_of_another_site_isnt_read(rig: Rig) -> None:
    client = rig.paired()
    answer = client.post(f"{API}/undo", content=b'{"number":0}', headers={"content-type": "text/plain"})
    assert answer.status_code == 415


def test_a_huge_body_is_cut_off(rig: Rig) -> None:
    client = rig.paired()
    told = client.post(
        f"{API}/undo", content=b"x" * (guard.SMALL_BODY + 1), headers={"content-type": "application/json"}
    )
    assert told.status_code == 413

    def endless() -> object:
        for _ in range(64):
            yield b"x" * 4096

    streamed = client.post(f"{API}/undo", content=endless(), headers={"content-type": "application/json"})  # type: ignore[arg-type]
    assert streamed.status_code == 413


def slowly(rig: Rig, head: bytes) -> bytes:
    """Send a head and then nothing; what came back until the connection closed."""
    with socket.create_connection(("127.0.0.1", rig.port), timeout=PATIENCE) as line:
        line.sendall(head)
        got = b""
        while part := line.recv(4096):
            got += part
        return got


def test_a_slow_body_is_cut_off(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.app.BODY_SECONDS", 0.4)
    cookie = rig.paired().cookies["hush"]
    head = (
        f"POST {API}/undo HTTP/1.1\r\nHost: 127.0.0.1:{rig.port}\r\nOrigin: {rig.address}\r\nCookie: hush={cookie}\r\n"
        "Content-Type: application/json\r\nContent-Length: 12\r\n\r\n{"
    )
    assert slowly(rig, head.encode()).startswith(b"HTTP/1.1 408")


def test_a_slow_head_is_cut_off(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "HEAD_SECONDS", 0.4)
    assert slowly(rig, b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow:") == b""


@pytest.mark.parametrize(
    "path",
    [
        "/static/../../pyproject.toml", "/static/%2e%2e/%2e%2e/door.py", "/..%2f..%2fetc/passwd", "/static//etc/passwd",
        "/static/%2fetc%2fpasswd", "/static/..\\..\\door.py", "/static/main.js%00.html", "/static/../page.json",
    ],
)  # fmt: skip
def test_no_path_leads_out_of_the_page(rig: Rig, path: str) -> None:
    cookie = rig.paired().cookies["hush"]
    with socket.create_connection(("127.0.0.1", rig.port), timeout=PATIENCE) as line:
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: hush={cookie}\r\nConnection: close\r\n\r\n"
        line.sendall(head.encode())
        got = b""
        while part := line.recv(65536):
            got += part
    assert got.startswith((b"HTTP/1.1 404", b"HTTP/1.1 400"))
    assert b"root:" not in got
    assert b"[project]" not in got


def test_a_flood_is_slowed_down(rig: Rig) -> None:
    rig.stands_at = time.monotonic()  # a busy machine would be too slow for a flood
    client = rig.client()
    statuses = [client.get(f"{API}/pairing").status_code for _ in range(80)]
    assert statuses[0] == 200
    assert 429 in statuses
    assert int(client.get(f"{API}/pairing").headers["retry-after"]) >= 1
    assert rig.paired().get(f"{API}/state").status_code == 200  # others aren't


def test_every_answer_is_kept_to_the_page(rig: Rig) -> None:
    client = rig.paired()
    answers = [client.get(path) for path in ("/", "/static/main.js", f"{API}/state", "/nowhere")]
    answers += [rig.client().get("/"), client.post(f"{API}/undo"), client.get("/", headers={"host": "evil.example"})]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "server" not in answer.headers


def test_a_fault_shows_no_insides(rig: Rig, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret pinocchio")

    monkeypatch.setattr(rig.service.desk, "rules", broken)
    with caplog.at_level(logging.DEBUG):
        answer = rig.paired().get(f"{API}/rules")
        eventually(lambda: "RuntimeError" in caplog.text)  # the log is written after the answer
    assert answer.status_code == 500
    assert answer.json()["code"] == "broken"
    assert "Traceback" not in answer.text
    assert "pinocchio" not in answer.text + caplog.text


def test_garbage_is_a_sentence_never_a_fault(rig: Rig) -> None:
    rig.begin("silencio")
    client = rig.paired()
    rng = random.Random(4)
    for _ in range(60):
        body = bytes(rng.randrange(256) for _ in range(rng.randrange(40)))
        answer = client.post(f"{API}/moves", content=body, headers={"content-type": "application/json"})
        assert answer.status_code == 422, body
    deep = b"[" * 20000
    assert client.post(f"{API}/moves", content=deep, headers={"content-type": "application/json"}).status_code == 422


def test_loopback_is_trusted_only_if_configured(rig: Rig) -> None:
    assert rig.client().get(f"{API}/state").status_code == 401
    trusting = Rig(rig.folder / "trusting", trust_loopback=True)
    try:
        assert trusting.client().get(f"{API}/state").status_code == 200
        assert trusting.client().get(f"{API}/state", headers={"host": "evil.example"}).status_code == 421
    finally:
        trusting.close()


def test_a_name_cant_forge_a_line_of_the_log(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    client = rig.client()
    rig.begin("silentes", drawing="phone")
    client.post(f"{API}/pairing", json={"name": "x\r\ngame 1: Seat 2 was freed\u202e\x1b[2J {seat}"})
    eventually(lambda: rig.ask(lambda: rig.box.shown.knock))
    rig.passed += 2.1
    rig.ask(lambda: rig.box.on_signal(LongPress(Button.CONFIRM)))
    assert client.get(f"{API}/pairing").json()["status"] == "admitted"
    with caplog.at_level(logging.INFO):
        assert client.post(f"{API}/seats/0", json={"pin": "1234"}).status_code == 200
    (line,) = [one.getMessage() for one in caplog.records if "taken" in one.getMessage()]
    assert line.isprintable()
    assert line.endswith("x  game 1: Seat 2 was freed  [2J {seat}.")


def test_wishes_for_a_seat_are_few(rig: Rig) -> None:
    rig.begin("silentes", drawing="phone")
    phone, other = rig.paired(), rig.paired()
    got = [phone.post(f"{API}/seats/1/wish") for _ in range(5)]
    assert [one.status_code for one in got] == [200, 200, 200, 429, 429]
    assert int(got[-1].headers["retry-after"]) > 60
    assert other.post(f"{API}/seats/1/wish").status_code == 200
    assert phone.post(f"{API}/seats/7/wish").status_code == 404
