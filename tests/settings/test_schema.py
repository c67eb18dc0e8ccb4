"""One schema: a setting is one field with its sentence, and file, command line, page, docs and doctor go by it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import pytest
from msgspec import Meta, Struct

from companion.catalogue import Catalogue
from companion.settings.effective import effective_settings
from companion.settings.every import BY_SECTION, every
from companion.settings.file import SECTIONS, load
from companion.settings.schema import Setting, settings_in
from companion.text import LANGUAGES

OF_THE_BOX = [setting for setting in every().values() if not setting.key.startswith("games.")]

ONE_ENTRY = """
import json, sys
from typing import Annotated
from msgspec import Meta
import sounds.box

class WithBass(sounds.box.SoundSettings, frozen=True):
    bass: Annotated[int, Meta(ge=0, le=10, description="how deep it sounds", extra={"on_page": True})] = 3

sounds.box.SoundSettings = WithBass

from companion.cli import make_app
from companion.commands.given import Given
from companion.doctor.machine import configuration
from companion.doctor.system import System
from companion.settings.file import load
from companion.settings.effective import effective_settings
from companion.web.settings_file import SettingsFile
from docs.configuration import page

book = SettingsFile()
book.change("sound.bass", 7)
config, _ = load()
settings, complaints = effective_settings(config, "en")
found = {
    "file": settings.sound.bass,
    "form": [[f.value, f.lowest, f.highest, f.is_waiting] for f in book.forms(str) if f.key == "sound.bass"],
    "docs": [line for line in page().splitlines() if "sound.bass" in line],
}
config.path.write_text("[sound]\\nbass = 11\\n")
config, _ = load()
settings, complaints = effective_settings(config, "en")
found["told"] = [str(one) for one in complaints]
found["doctor"] = str(configuration(System(settings, tuple(complaints))).said)
print(json.dumps(found))
make_app(Given(config))(["config"])
"""


def test_a_new_setting_is_one_entry(tmp_path: Path) -> None:
    """A field more in the sound's record, and nothing else: the rest of the house knows it."""
    file = tmp_path / "hush.toml"
    environment = {"HUSH_CONFIG": str(file), "HOME": str(tmp_path), "COLUMNS": "200", "PATH": "", "LANG": "C.UTF-8"}
    root = Path(__file__).parent.parent.parent
    done = subprocess.run(
        [sys.executable, "-c", ONE_ENTRY], cwd=root, env=environment, capture_output=True, text=True, check=True
    )
    first, *shown = done.stdout.splitlines()
    found = json.loads(first)
    complaint = f"{file}, line 2: bass can't be 11. Allowed: numbers from 0 to 10."
    assert found == {
        "file": 7,
        "form": [[7, 0, 10, True]],
        "docs": ["| `sound.bass` | how deep it sounds | `3` | numbers from 0 to 10 | ✔ | ✔ |"],
        "told": [complaint],
        "doctor": found["doctor"],
    }
    assert complaint in found["doctor"]
    assert complaint in done.stderr
    (row,) = [line for line in shown if "sound.bass" in line]
    assert [cell.strip() for cell in row.split("│")[1:4]] == ["sound.bass", "3", "default"]


def test_every_section_of_the_file_is_in_the_schema() -> None:
    assert {setting.section.partition(".")[0] for setting in every().values()} == {"", *SECTIONS}
    assert set(SECTIONS) == {*BY_SECTION, "games"} - {""}


@pytest.mark.parametrize("setting", OF_THE_BOX, ids=lambda setting: setting.key)
def test_a_setting_takes_its_default_its_choices_and_its_limits_and_nothing_strange(setting: Setting) -> None:
    limits = (one for one in (setting.lowest, setting.highest) if one is not None)
    for value in (setting.default, setting.marks.off_pi, *setting.choices, *limits):
        assert value is None or setting.problem_with(value) is None
    refusal = setting.problem_with({"a": "table"})
    assert refusal is not None
    assert str(refusal) == f"{setting.name} can't be {{'a': 'table'}}. Allowed: {setting.allowed}."


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_setting_has_its_sentence_in_every_language(language: str) -> None:
    catalogue = Catalogue(language)
    for setting in every().values():
        assert str(setting.text)
        assert catalogue.say(setting.text) != str(setting.text), setting.key


def test_a_setting_without_a_sentence_or_with_an_unknown_mark_is_refused() -> None:
    class Mute(Struct, frozen=True):
        tone: int = 3

    class Marked(Struct, frozen=True):
        tone: Annotated[int, Meta(description="the tone", extra={"on_paper": True})] = 3

    with pytest.raises(TypeError, match=r"Mute\.tone is a setting without a sentence"):
        settings_in(Mute())
    with pytest.raises(TypeError, match="on_paper"):
        settings_in(Marked())


def test_a_list_in_the_file_is_said_to_come_from_the_file(tmp_path: Path) -> None:
    file = tmp_path / "hush.toml"
    file.write_text('[web]\nnames = ["table.local"]\n')
    settings, _ = effective_settings(load({"HUSH_CONFIG": str(file)})[0], "en")
    assert ("web.names", "('table.local',)", str(file)) in settings.rows()
