"""What the page remembers: on disk, or in memory where the disk can't be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.text import Text
from companion.web.keys import Keys, claim_with


def test_without_a_disk_phones_are_let_in_until_the_next_start(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.write_text("in the folder's place")
    told: list[Text] = []
    keys = Keys(folder / "page.json", told.append)
    phone = keys.admit("a phone")
    keys.claim(claim_with(1, 0, phone.id, "1234"))
    assert keys.known(keys.cookie(phone)) == phone
    assert keys.claims(1)[0].device == phone.id
    assert str(folder / "page.json") in str(told[0])
    assert len(told) == 1, "once, not for every phone"
    assert Keys(folder / "page.json").known(keys.cookie(phone)) is None


def test_once_the_disk_is_back_everything_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.write_text("in the folder's place")
    keys = Keys(folder / "page.json")
    first = keys.admit("first")
    assert not keys.is_kept
    folder.unlink()
    second = keys.admit("second")
    assert keys.is_kept
    again = Keys(folder / "page.json")
    assert again.known(keys.cookie(first)) == first
    assert again.known(keys.cookie(second)) == second


@pytest.mark.parametrize("content", [b"", b"{}", b'{"key": "no hex"}', b'{"key": ""}', b"\xff\xfe", b"[1]"])
def test_a_spoilt_file_lets_nobody_in_and_phones_pair_again(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "page.json"
    path.write_bytes(content)
    keys = Keys(path)
    assert keys.devices == ()
    phone = keys.admit("a phone")
    assert Keys(path).known(keys.cookie(phone)) == phone


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
    keys = Keys(path)
    phone = keys.known(COOKIE)
    assert phone is not None
    assert phone.name == "Ada's phone"
    assert keys.cookie(phone) != COOKIE
    assert keys.known(keys.cookie(phone)) == phone
    assert keys.forget(phone.id)
    assert keys.known(COOKIE) is None
    assert keys.known(keys.cookie(phone)) is None


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
    keys = Keys(path)
    assert keys.known(cookie) is None
    own = keys.cookie(keys.admit("another"))
    assert keys.known(own) is not None
    assert keys.known(f"{PHONE}.{own.partition('.')[2]}") is None


def test_a_cookie_of_another_box_is_nobodys(tmp_path: Path) -> None:
    (tmp_path / "page.json").write_bytes(KEPT)
    other = Keys(tmp_path / "other.json")
    assert Keys(tmp_path / "page.json").known(other.cookie(other.admit("a phone"))) is None
    assert other.known(COOKIE) is None
