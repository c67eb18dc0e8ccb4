"""What the doctor reports: to people, to programs, and for a bug report."""

from __future__ import annotations

import json
import os
import string
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.catalogue import Catalogue
from companion.doctor import CHECKS, NAMES, examine, machine
from companion.doctor.bundle import make_bundle, redactor
from companion.doctor.finding import Finding
from companion.doctor.system import CommandResult, System, run
from companion.locale.__main__ import collect, missing
from companion.settings.effective import Settings
from companion.settings.file import Config
from companion.text import LANGUAGES
from sounds.box import SoundSettings
from tests.service.doctored import FAULT, OK, WARNING, a_box, judged, with_programs


@pytest.fixture
def system(tmp_path: Path) -> System:
    return a_box(tmp_path)


# The report


def test_a_healthy_computer_gets_a_clean_bill(tmp_path: Path) -> None:
    system = System(Settings("simulated", tmp_path, sound=SoundSettings(backend="simulated", speech=False)))
    assert {finding.standing for finding in examine(system)} <= {OK, WARNING}


def test_a_check_that_fails_itself_is_told_and_others_go_on(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    def disk(system: System) -> Finding:
        raise PermissionError("nobody thought of this")

    monkeypatch.setattr("companion.doctor.CHECKS", (disk, machine.python))
    broken, well = examine(system)
    judged(broken, FAULT, "nobody thought of this")
    judged(well, OK)


def test_every_check_has_a_name_for_people() -> None:
    assert {check.__name__ for check in CHECKS} <= set(NAMES)


def doctor(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    settings = {**os.environ, "LANG": "C.UTF-8", "COLUMNS": "120", **environment}
    for name in ("LC_ALL", "LC_MESSAGES"):
        settings.pop(name, None)
    command = [sys.executable, "-m", "companion", "doctor", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=settings)


def test_the_command_speaks_to_people_to_programs_and_for_a_bug_report(tmp_path: Path) -> None:
    config = tmp_path / "hush.toml"
    config.write_text(f'backend = "pi"\nstate = "{tmp_path}"\n[sound]\nspeech = false\n')
    bundle = tmp_path / "bundle.zip"
    said = doctor("--json", "--bundle", str(bundle), HUSH_CONFIG=str(config))
    found = json.loads(said.stdout)
    assert said.returncode == (1 if any(one["standing"] == "fault" for one in found) else 0)
    assert {"python", "camera", "pins", "database", "service"} <= {one["name"] for one in found}
    assert all(one.get("fix") for one in found if one["standing"] != "ok")
    with zipfile.ZipFile(bundle) as archive:
        assert "doctor.json" in archive.namelist()
        assert not any(name.endswith(".db") for name in archive.namelist())
    shown = doctor(HUSH_CONFIG=str(config), LANG="nl_NL.UTF-8")
    assert "pinnen" in shown.stdout
    assert "→" in shown.stdout


def test_a_bundle_names_nobody(system: System, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.doctor.bundle.private_names", lambda system: ["raspberry-anna", "anna"])
    text = '[web]\nport = 8080\nhost = "anna.example"\n[mqtt]\nbroker = "10.1.2.3"\npassword = "hunter2"\n'
    said = "raspberry-anna hush: anna@example.org from 192.168.1.20 2001:db8::7 b8:27:eb:00:11:22"
    log = CommandResult(0, f"{said} /home/anna/x token=abc123\n")
    system = replace(with_programs(system, journalctl=log), settings=replace(system.settings, config=Config(text=text)))
    bundle = tmp_path / "bundle.zip"
    make_bundle(bundle, system, [], lambda finding: {})
    with zipfile.ZipFile(bundle) as archive:
        everything = "\n".join(archive.read(name).decode() for name in archive.namelist() if name != "versions.txt")
    for private in ("anna", "2001:db8", "hunter2", "10.1.2.3", "192.168.1.20", "b8:27", "abc123"):
        assert private not in everything
    assert "port = 8080" in everything


def test_redaction_leaves_ordinary_words_alone() -> None:
    text = "12: Player 1 plays blue 3, light side up. 03:58:59 hush.service"
    assert redactor(["box"])(text) == text


# The words


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_nothing_lacks_a_translation_and_every_value_is_kept(language: str) -> None:
    assert missing("service", language) == [], "run python -m companion.locale"
    catalogue = Catalogue(language)

    def fields(text: str) -> list[str]:
        return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name)

    for message in collect("service"):
        if message.id:
            assert fields(catalogue.translate(str(message.id))) == fields(str(message.id))


def test_a_program_that_hangs_or_isnt_there_is_survived(tmp_path: Path) -> None:
    assert run([str(tmp_path / "nothing")]) == CommandResult(None)
    assert run([sys.executable, "-c", "import time; time.sleep(600)"], 0.3).code is None
