"""What the page remembers: on disk, or in memory where the disk can't be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.text import Text
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
