"""A phone comes in by a code, where there is no panel; and what guessers, thieves and latecomers get."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from companion.outputs.text_line import TextLine, words
from companion.service import pairing
from companion.service.pairing import fresh_code, issue, redeem
from companion.web.door import KNOCK_LIFE_SECONDS, WRONG_CODES_A_KNOCK
from hardware.display import SilentDisplay
from tests.patience import eventually
from tests.web.rig import Rig
from tests.web.test_api import API

DOOR = f"{API}/pairing"


@pytest.fixture
def untiring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is slowed down for asking much."""
    monkeypatch.setattr("companion.web.guard.TokenBuckets.allows", lambda self, caller: True)


def enter(phone: httpx.Client, code: str) -> httpx.Response:
    return phone.post(f"{DOOR}/code", json={"code": code, "name": "a phone"})


def is_in(phone: httpx.Client) -> bool:
    return phone.get(f"{API}/state").status_code == 200


def code_of(rig: Rig) -> str:
    """What the display beside the box shows now."""

    def look() -> str:
        knock = rig.box.shown.knock
        return "" if knock is None else knock.code

    assert eventually(lambda: rig.ask(look))
    return rig.ask(look)


def another_than(code: str) -> str:
    return f"{(int(code) + 1) % 10**8:08}"


def test_the_code_of_a_knock_lets_its_own_phone_in_once(rig: Rig) -> None:
    phone, thief = rig.client(), rig.client()
    phone.post(DOOR, json={"name": "Anna's phone"})
    code = code_of(rig)
    # Whoever overhears it has another browser, and so another knock.
    assert enter(thief, code).status_code == 403
    assert not is_in(thief)
    answer = enter(phone, f"{code[:4]} {code[4:]}")
    assert answer.json()["status"] == "admitted"
    assert is_in(phone)
    assert [one.name for one in rig.service.memory.devices] == ["Anna's phone"]
    assert enter(phone, code).status_code == 403
    assert eventually(lambda: rig.ask(lambda: rig.box.shown.knock is None))


def test_it_is_shown_beside_the_box_and_on_no_page(rig: Rig) -> None:
    friend, phone = rig.paired(), rig.client()
    said = phone.post(DOOR, json={"name": "x"})
    code = code_of(rig)
    spaced = pairing.in_groups(code)
    line = TextLine(SilentDisplay(), str)
    assert spaced in rig.ask(lambda: line.lines(rig.box.shown))
    assert spaced not in "".join(map(str, rig.ask(lambda: words(rig.box.shown))))
    for text in (said.text, phone.get(DOOR).text, friend.get(f"{API}/state").text, friend.get(f"{API}/health").text):
        assert code not in text
        assert spaced not in text


@pytest.mark.usefixtures("untiring")
def test_after_a_few_wrong_codes_the_right_one_is_wrong_too(rig: Rig) -> None:
    phone = rig.client()
    phone.post(DOOR, json={"name": "x"})
    code = code_of(rig)
    for _ in range(WRONG_CODES_A_KNOCK):
        assert enter(phone, another_than(code)).json()["code"] == "wrong_code"
    assert enter(phone, code).status_code == 403
    assert not is_in(phone)


def test_a_knock_that_is_over_has_no_code(rig: Rig) -> None:
    phone = rig.client()
    phone.post(DOOR, json={"name": "x"})
    code = code_of(rig)
    rig.passed += KNOCK_LIFE_SECONDS + 1
    assert enter(phone, code).status_code == 403


def test_guessing_is_slow_for_one_address_and_for_all(rig: Rig) -> None:
    code = issue(rig.folder)
    phone = rig.client()
    got = [enter(phone, another_than(code)) for _ in range(8)]
    assert [one.status_code for one in got] == [403] * 5 + [429] * 3
    assert int(got[-1].headers["retry-after"]) > 30
    # From however many addresses: in a day's worth of guesses at most two a minute are looked at.
    tries = 0
    for _ in range(0, 600, 10):
        rig.passed += 10
        tries += sum(rig.service.all_codes.allows("") for _try in range(50))
    assert tries <= 20 + 600 / 30


@pytest.mark.parametrize("typed", ["", "1", "12345678901234567890", "abcdefgh", "١٢٣٤٥٦٧٨", "12345678\n", "None"])
def test_what_is_no_code_is_wrong(rig: Rig, typed: str) -> None:
    answer = enter(rig.client(), typed)
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_code")


def test_the_code_made_on_the_box_lets_one_phone_in(rig: Rig) -> None:
    code = issue(rig.folder)
    assert code not in (rig.folder / pairing.FILE).read_text()
    assert (rig.folder / pairing.FILE).stat().st_mode & 0o777 == 0o600
    one, two = rig.client(), rig.client()
    assert enter(one, code).status_code == 200
    assert is_in(one)
    assert enter(two, code).status_code == 403
    assert not is_in(two)


@pytest.mark.usefixtures("untiring")
def test_of_many_with_the_same_code_one_comes_in(rig: Rig) -> None:
    code = issue(rig.folder)
    phones = [rig.client() for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda phone: enter(phone, code).status_code, phones))
    assert sorted(got) == [200] + [403] * 7
    assert sum(map(is_in, phones)) == 1


def test_a_new_code_ends_the_one_before_and_time_ends_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = issue(tmp_path), issue(tmp_path)
    assert not redeem(tmp_path, first)
    now = time.clock_gettime(time.CLOCK_BOOTTIME)
    monkeypatch.setattr(pairing, "_now", lambda: now + pairing.CODE_SECONDS - 5)
    assert redeem(tmp_path, second)
    third = issue(tmp_path)
    monkeypatch.setattr(pairing, "_now", lambda: now + 3 * pairing.CODE_SECONDS)
    assert not redeem(tmp_path, third)
    assert not (tmp_path / pairing.FILE).exists()
    # The clock begins anew with the machine, and so do codes.
    fourth = issue(tmp_path)
    monkeypatch.setattr(pairing, "boot_id", lambda: "another start")
    assert not redeem(tmp_path, fourth)


def test_a_damaged_file_lets_nobody_in(tmp_path: Path) -> None:
    (tmp_path / pairing.FILE).write_text("{")
    assert not redeem(tmp_path, fresh_code())


def test_a_seat_isnt_freed_by_a_code(rig: Rig) -> None:
    rig.begin("similo")
    phone = rig.paired()
    assert phone.post(f"{API}/seats/0/wish").status_code == 200
    assert eventually(lambda: rig.ask(lambda: rig.box.shown.knock is not None))
    assert rig.ask(lambda: rig.box.shown.knock.code) == ""
    assert enter(phone, "").status_code == 403
