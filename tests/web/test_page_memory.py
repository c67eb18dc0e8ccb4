"""What the page remembers: on disk, or in memory where the disk can't be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.text import Text
from companion.web.page_memory import PageMemory, claim_with


def test_without_a_disk_phones_are_let_in_until_the_next_start(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.write_text("in the folder's place")
    told: list[Text] = []
    memory = PageMemory(folder / "page.json", told.append)
    phone = memory.admit("a phone")
    memory.claim(claim_with(1, 0, phone.id, "1234"))
    assert memory.known(memory.cookie(phone)) == phone
    assert memory.claims(1)[0].device_id == phone.id
    assert str(folder / "page.json") in str(told[0])
    assert len(told) == 1, "once, not for every phone"
    assert PageMemory(folder / "page.json").known(memory.cookie(phone)) is None


def test_once_the_disk_is_back_everything_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.write_text("in the folder's place")
    memory = PageMemory(folder / "page.json")
    first = memory.admit("first")
    assert not memory.is_kept
    folder.unlink()
    second = memory.admit("second")
    assert memory.is_kept
    again = PageMemory(folder / "page.json")
    assert again.known(memory.cookie(first)) == first
    assert again.known(memory.cookie(second)) == second


@pytest.mark.parametrize("content", [b"", b"{}", b'{"key": "no hex"}', b'{"key": ""}', b"\xff\xfe", b"[1]"])
def test_a_spoilt_file_lets_nobody_in_and_phones_pair_again(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "page.json"
    path.write_bytes(content)
    memory = PageMemory(path)
    assert memory.devices == ()
    phone = memory.admit("a phone")
    assert PageMemory(path).known(memory.cookie(phone)) == phone


# What 81ca099 kept about a phone, and the cookie it gave to it.
KEPT = (
    b'{"key":"83ecc9856b21616fd6f63db716e1a0f30ce8ee01866eeb9b350fb6f093ccc68c","devices":[{"id":'
    b'"3879e02e487d37b1fc9d64f144458a8d","name":"Ada\'s phone","since":"2026-11-17T20:31:55+00:00"}],"claims":[]}'
)
PHONE = "3879e02e487d37b1fc9d64f144458a8d"
COOKIE = f"{PHONE}.334c2bbecb26e3bef8420e2806c422b0ee8071a4cac693d8ce6dac11f39ff47d"


def test_a_phone_that_81ca099_let_in_is_still_known(tmp_path: Path) -> None:
    path = tmp_path / "page.json"
    path.write_bytes(KEPT)
    memory = PageMemory(path)
    phone = memory.known(COOKIE)
    assert phone is not None
    assert phone.name == "Ada's phone"
    assert memory.cookie(phone) != COOKIE
    assert memory.known(memory.cookie(phone)) == phone
    assert memory.forget(phone.id)
    assert memory.known(COOKIE) is None
    assert memory.known(memory.cookie(phone)) is None


@pytest.mark.parametrize(
    "cookie",
    [
        "", ".", PHONE, f"{PHONE}.", COOKIE[:-1], f"{COOKIE}0", COOKIE[:-1] + "e", COOKIE.upper(), f"{COOKIE}.{COOKIE}",
        COOKIE.replace("3879", "3878"), f"{PHONE}.\xff\xfe", f"{PHONE}.{'é' * 32}", f"{PHONE}.{'0' * 64}", f"{PHONE}.=",
        f"{PHONE}.{'A' * 43}", f"x|{COOKIE}",
    ],
)  # fmt: skip
def test_a_cookie_that_is_not_ours_is_nobodys(tmp_path: Path, cookie: str) -> None:
    path = tmp_path / "page.json"
    path.write_bytes(KEPT)
    memory = PageMemory(path)
    assert memory.known(cookie) is None
    own = memory.cookie(memory.admit("another"))
    assert memory.known(own) is not None
    assert memory.known(f"{PHONE}.{own.partition('.')[2]}") is None


def test_a_cookie_of_another_box_is_nobodys(tmp_path: Path) -> None:
    (tmp_path / "page.json").write_bytes(KEPT)
    other = PageMemory(tmp_path / "other.json")
    assert PageMemory(tmp_path / "page.json").known(other.cookie(other.admit("a phone"))) is None
    assert other.known(COOKIE) is None
