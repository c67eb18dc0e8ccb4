"""The configuration of the running box: what is right holds, what is wrong is reported with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.settings.effective import Settings, effective_settings
from companion.settings.file import load, state_folder
from companion.text import Text


def settled(tmp_path: Path, text: str) -> tuple[Settings, list[str]]:
    """Settings from a file, and the complaints about it in English."""
    file = tmp_path / "hush.toml"
    file.write_text(text)
    config, first = load({"HUSH_CONFIG": str(file)})
    settings, more = effective_settings(config, "en")
    complaints: list[Text] = [*first, *more]
    return settings, [str(complaint) for complaint in complaints]


def test_without_a_file_a_pc_has_the_simulated_table(tmp_path: Path) -> None:
    config, complaints = load({"HUSH_CONFIG": str(tmp_path / "none.toml")})
    settings, more = effective_settings(config, "en")
    assert (settings.backend, settings.camera.device, settings.sound.backend) == ("simulated", "none", "simulated")
    assert complaints == more == []


def test_a_pi_names_its_backend(tmp_path: Path) -> None:
    settings, complaints = settled(tmp_path, 'backend = "pi"\n')
    assert (settings.backend, settings.camera.device, settings.sound.backend) == ("pi", "pi", "real")
    assert complaints == []


@pytest.mark.parametrize(
    ("text", "line", "hint"),
    [
        ('colour = "red"\n', 1, "There are: language"),
        ('\nbackend = "toaster"\n', 2, "auto, simulated, pi"),
        ("sound = 3\n", 1, "[sound]"),
        ("[sound]\nvolume = 'loud'\n", 2, "Allowed: numbers from 0 to 1"),
        ("[sound]\nvolume = 9\n", 2, "volume can't be 9. Allowed: numbers from 0 to 1."),
        ("[sound]\ncues = 1\n", 2, "true, false"),
        ("[sound]\nbass = 3\n", 2, "volume"),
        ("[panel]\nbar = [5, 6]\nred = 99\n", 3, "GPIO 99"),
        ("[panel]\nsun = 5\nmoon = 5\n", 1, "used twice"),
        ("[camera]\nlens = 3\n", 2, "device"),
        ("[camera]\ndevice = 3\n", 2, "usb:1"),
        ("[games.poker]\nx = 1\n", 1, "silencio"),
        ("[games.silencio]\nunlit = 'maybe'\n", 2, "none, large, small, all"),
        ("state = 3\n", 1, "path"),
    ],
)
def test_a_mistake_is_reported_with_its_line_and_the_way_out(tmp_path: Path, text: str, line: int, hint: str) -> None:
    _, complaints = settled(tmp_path, text)
    assert len(complaints) == 1
    assert f"line {line}:" in complaints[0]
    assert hint in complaints[0]


def test_what_is_right_holds_beside_what_is_wrong(tmp_path: Path) -> None:
    text = "[sound]\nvolume = 0.2\nbed = true\n[games.silencio]\ntavern = true\nunlit = 'maybe'\n"
    settings, complaints = settled(tmp_path, text)
    assert settings.sound.volume == 0.2
    assert settings.games["silencio"] == {"tavern": True}
    assert len(complaints) == 2


def test_every_value_says_where_it_came_from(tmp_path: Path) -> None:
    file = tmp_path / "hush.toml"
    file.write_text("[sound]\nvolume = 0.2\n")
    config, _ = load({"HUSH_CONFIG": str(file)})
    settings, _ = effective_settings(config, "nl")
    rows = {key: (value, origin) for key, value, origin in settings.rows()}
    assert rows["sound.volume"] == ("0.2", str(file))
    assert rows["sound.cues"] == ("True", "default")
    assert rows["language"] == ("nl", "locale")


def test_pins_that_cannot_be_used_are_not_said_to_come_from_the_file(tmp_path: Path) -> None:
    file = tmp_path / "hush.toml"
    for text, origin in (("red = 99", "default"), ("red = 5", str(file))):
        file.write_text(f"[panel]\n{text}\n")
        config, _ = load({"HUSH_CONFIG": str(file)})
        rows = effective_settings(config, "en")[0].rows()
        assert {source for key, _, source in rows if key.startswith("panel.")} == {origin}


def test_games_are_kept_where_the_service_says(tmp_path: Path) -> None:
    config, _ = load({"HUSH_CONFIG": "/nowhere"})
    assert state_folder(config, {"STATE_DIRECTORY": str(tmp_path)}) == tmp_path
    assert state_folder(config, {"HOME": "/home/ada"}) == Path("/home/ada/.local/state/hush")
