"""Broken configurations: each is told with its line, and the rest still holds.

`python -m benchmarks.broken_configurations` starts the real box with each of them.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.broken_configurations.cases import CASES, Case
from companion.settings.effective import effective_settings
from companion.settings.file import Config, find_line, load, state_folder


def test_there_are_many_kinds() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 50


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_broken_configuration_is_told_and_the_rest_holds(tmp_path: Path, case: Case) -> None:
    if case.prepare is not None:
        case.prepare(tmp_path)
    path = tmp_path / "hush.toml"
    path.write_bytes(case.content(tmp_path))
    config, unread = load({"HUSH_CONFIG": str(path), "HOME": str(tmp_path)})
    settings, unusable = effective_settings(config, "en")
    said = [str(text) for text in (*unread, *unusable)]
    assert settings.rows()
    assert all(len(one) < 600 for one in said), "a sentence, not the file"
    if case.line:
        assert [one for one in said if one.startswith(f"{path}, line {case.line}: ")], said
    elif case.line is None:
        assert said == []
    elif not config.text:
        assert [one for one in said if one.startswith(f"{path} can't be read: ")], said


@pytest.mark.parametrize("state", ["games", "", "~nobodyx/y", "/tmp/a\\u0000b", f"/tmp/{'x' * 300}", "/a" * 2500])
def test_a_state_folder_that_cant_be_leaves_the_default(tmp_path: Path, state: str) -> None:
    path = tmp_path / "hush.toml"
    path.write_text(f'state = "{state}"\n', encoding="utf-8")
    environment = {"HUSH_CONFIG": str(path), "HOME": str(tmp_path)}
    config, complaints = load(environment)
    assert state_folder(config, environment) == tmp_path / ".local/state/hush"
    assert len(complaints) == 1


def test_what_stands_in_the_folders_place_stays_and_is_told(tmp_path: Path) -> None:
    """The default would be another record: rather none than two."""
    (tmp_path / "stick").symlink_to(tmp_path / "not-plugged-in")
    settings, complaints = effective_settings(Config(state=str(tmp_path / "stick" / "hush")), "en")
    assert settings.folder == tmp_path / "stick" / "hush"
    assert "stick is no folder: games aren't kept." in str(complaints[0])


def test_a_configuration_that_is_no_file_is_told_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/zero")):
        config, complaints = load({"HUSH_CONFIG": str(path)})
        assert config == Config(path=path)
        assert str(path) in str(complaints[0])
    assert load({"HUSH_CONFIG": str(tmp_path / "none")}) == (Config(), [])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[web]\nport = 1\n[sound]\nvolume = 3", 4),
        ("web.port = 1\nsound.volume = 3", 2),
        ("sound = {volume = 3}", 1),
        ('["sound"]\n"volume" = 3', 2),
        ("[sound]", 1),
        ("volume = 3", 0),
    ],
)
def test_the_line_of_a_key_however_it_is_written(text: str, line: int) -> None:
    assert find_line(text, "sound", "volume") == line
