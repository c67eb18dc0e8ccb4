"""Settings changed from a phone: checked by the code that reads the file, written whole, nothing else touched."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import httpx
import pytest

from companion.web.desk import Refused
from companion.web.settings_file import KEYS, SettingsFile
from tests.web.rig import Rig
from tests.web.test_api import API

WRITTEN = """# my table
state = "/somewhere"   # not for phones
odd = 3

[sound]
# loud enough
volume = 0.4
[games.silencio]
players = 3
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "hush.toml"
    path.write_text(WRITTEN)
    return path


def settings_file(path: Path) -> SettingsFile:
    return SettingsFile(environment={"HUSH_CONFIG": str(path)})


def test_a_change_keeps_comments_order_and_unknown_keys(file: Path) -> None:
    file.chmod(0o640)
    config = settings_file(file).change("sound.volume", 0.9)
    assert file.read_text() == WRITTEN.replace("0.4", "0.9")
    assert config.section("sound") == {"volume": 0.9}
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [path.name for path in file.parent.iterdir()] == ["hush.toml"]


def test_new_sections_are_made_and_taking_out_brings_the_default_back(file: Path) -> None:
    mine = settings_file(file)
    mine.change("games.similo.players", 4)
    assert "[games.similo]\nplayers = 4" in file.read_text()
    mine.change("language", "nl")
    assert mine.change("language", None).language is None
    assert {form.key for form in mine.forms(str) if form.is_written} == {
        "sound.volume", "games.silencio.players", "games.similo.players",
    }  # fmt: skip


def test_a_box_without_a_file_gets_one(tmp_path: Path) -> None:
    path = tmp_path / "new" / "hush.toml"
    settings_file(path).change("sound.speech", False)
    assert path.read_text() == "[sound]\nspeech = false\n"


@pytest.mark.parametrize(
    ("key", "value", "allowed"),
    [
        ("sound.volume", 3, "numbers from 0 to 1"),
        ("sound.volume", "loud", "numbers from 0 to 1"),
        ("sound.volume", True, "numbers from 0 to 1"),
        ("sound.speech", 1, "true, false"),
        ("language", "tlh", "en, nl, es, pl"),
        ("games.silencio.players", 9, "2, 3, 4"),
        ("games.silencio.players", True, "2, 3, 4"),
    ],
)
def test_a_bad_value_is_refused_with_the_allowed_ones(file: Path, key: str, value: object, allowed: str) -> None:
    with pytest.raises(Refused) as refused:
        settings_file(file).change(key, value)
    assert (refused.value.status, refused.value.code) == (422, "bad_value")
    assert str(refused.value.reason).endswith(f"Allowed: {allowed}.")
    assert file.read_text() == WRITTEN


@pytest.mark.parametrize(
    "key",
    [
        "web.trust_loopback", "web.host", "web.port", "web.names", "backend", "panel.active_low", "camera.device",
        "state", "sound.backend", "games.silencio.driver", "nonsense", "", "games", "__class__",
    ],
)  # fmt: skip
def test_what_decides_trust_wiring_and_files_cant_be_set_from_a_phone(file: Path, key: str) -> None:
    with pytest.raises(Refused) as refused:
        settings_file(file).change(key, True)
    assert (refused.value.status, refused.value.code) == (403, "not_settable")
    assert file.read_text() == WRITTEN


@pytest.mark.parametrize("text", ["volume = = 3", "sound = 3\n", "\x00"])
def test_a_broken_file_is_left_as_it_is(tmp_path: Path, text: str) -> None:
    file = tmp_path / "hush.toml"
    file.write_text(text)
    with pytest.raises(Refused) as refused:
        settings_file(file).change("sound.volume", 0.5)
    assert (refused.value.status, refused.value.code) == (409, "broken_file")
    assert file.read_text() == text


def test_a_read_only_file_system_is_said_and_nothing_is_left_behind(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, os.strerror(30))

    monkeypatch.setattr("companion.files.os.open", refuse)
    with pytest.raises(Refused) as refused:
        settings_file(file).change("sound.volume", 0.5)
    assert (refused.value.status, refused.value.code) == (503, "read_only")
    assert "Read-only file system" in str(refused.value.reason)
    monkeypatch.undo()
    monkeypatch.setattr("companion.files.os.fsync", refuse)
    with pytest.raises(Refused):
        settings_file(file).change("sound.volume", 0.5)
    assert file.read_text() == WRITTEN
    assert [path.name for path in file.parent.iterdir()] == ["hush.toml"]


def test_every_settable_key_is_taken_with_each_of_its_values(tmp_path: Path) -> None:
    file = tmp_path / "hush.toml"
    mine = settings_file(file)
    for key in list(KEYS.values())[::4]:
        for value in key.choices or (key.lowest, key.highest):
            mine.change(key.key, value)
            assert {form.key: form.value for form in mine.forms(str)}[key.key] == value


def change(phone: httpx.Client, key: str, value: object) -> httpx.Response:
    return phone.post(f"{API}/settings", json={"key": key, "value": value})


def test_the_page_says_what_needs_a_restart_and_house_rules_hold_at_once(rig: Rig) -> None:
    phone = rig.paired()
    loud = change(phone, "sound.volume", 0.2)
    assert (loud.status_code, loud.json()["is_waiting"]) == (200, True)
    rule = change(phone, "games.silencio.players", 4)
    assert (rule.status_code, rule.json()["is_waiting"]) == (200, False)
    (players,) = [
        option["default"]
        for game in phone.get(f"{API}/rules").json()
        for option in game["options"]
        if (game["name"], option["name"]) == ("silencio", "players")
    ]
    assert players == 4
    assert phone.post(f"{API}/games", json={"game": "silencio", "instead_of": None}).status_code == 200
    assert phone.get(f"{API}/state").json()["players"] == 4
    rig.restart()
    forms = {form["key"]: form for form in phone.get(f"{API}/settings").json()["forms"]}
    assert (forms["sound.volume"]["value"], forms["sound.volume"]["is_waiting"]) == (0.2, False)


def test_a_refusal_is_a_sentence_in_the_phones_language(rig: Rig) -> None:
    said = rig.paired().post(f"{API}/settings?language=nl", json={"key": "web.host", "value": "0.0.0.0"})
    assert (said.status_code, said.json()["code"]) == (403, "not_settable")
    assert "telefoon" in said.json()["reason"]
    assert not (rig.folder / "hush.toml").exists()
