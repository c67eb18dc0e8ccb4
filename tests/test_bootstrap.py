"""Set-up on machines that lack things: a way out each time, never an ImportError."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion import bootstrap


class Machine:
    """A machine as set-up sees it: what loads, what may be installed, what was asked of pip."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, loads: bool, may_apt: bool, headless_helps: bool = True):
        self.loads = loads
        self.headless_helps = headless_helps
        self.apt: list[str] = []
        self.pip: list[tuple[str, ...]] = []

        def apt_install(*packages: str) -> bool:
            self.apt += packages
            self.loads = self.loads or may_apt
            return may_apt

        def pip(*arguments: str) -> int:
            self.pip.append(arguments)
            if "headless" in arguments[-1]:
                self.loads = self.headless_helps
            return 0

        monkeypatch.setattr(bootstrap, "runs", lambda python, code: self.loads)
        monkeypatch.setattr(bootstrap, "apt_install", apt_install)
        monkeypatch.setattr(bootstrap, "pip", pip)
        monkeypatch.setattr(bootstrap, "environment_python", lambda: Path(sys.executable))


def test_an_opencv_that_loads_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, loads=True, may_apt=True)
    bootstrap.mend_opencv()
    assert (machine.apt, machine.pip) == ([], [])


def test_without_libgl_the_library_is_installed_where_that_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, loads=False, may_apt=True)
    bootstrap.mend_opencv()
    assert machine.apt == ["libgl1", "libglib2.0-0"]
    assert machine.pip == []


def test_without_libgl_and_rights_the_headless_wheel_of_the_same_version_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    machine = Machine(monkeypatch, loads=False, may_apt=False)
    bootstrap.mend_opencv()
    version = subprocess.check_output(
        [sys.executable, "-c", "import importlib.metadata as m; print(m.version('opencv-python'))"], text=True
    ).strip()
    assert ("uninstall", "--yes", "opencv-python") in machine.pip
    assert machine.pip[-1][-1] == f"opencv-python-headless=={version}"


def test_where_nothing_helps_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Machine(monkeypatch, loads=False, may_apt=False, headless_helps=False)
    with pytest.raises(SystemExit):
        bootstrap.mend_opencv()
    assert "sudo apt-get install libgl1" in capsys.readouterr().err


def test_an_old_python_is_told_which_one_to_use(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 9, 2))
    with pytest.raises(SystemExit):
        bootstrap.ensure()
    assert "3.11" in capsys.readouterr().err


def test_a_python_without_venv_gets_a_clear_message(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "python3"
    broken.write_text("#!/bin/sh\necho 'ensurepip is not available' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(bootstrap.sys, "executable", str(broken))
    monkeypatch.setattr(bootstrap, "ENVIRONMENT", tmp_path / "venv")
    monkeypatch.setattr(bootstrap, "apt_install", lambda *packages: False)
    with pytest.raises(SystemExit):
        bootstrap.make_environment()
    message = capsys.readouterr().err
    assert "python3-venv" in message
    assert "ensurepip is not available" in message
    assert not (tmp_path / "venv").exists()


def test_nobody_is_asked_for_a_password(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tools = {"apt-get": "exit 0", "sudo": "exit 1"}
    for name, body in tools.items():
        tool = tmp_path / name
        tool.write_text(f"#!/bin/sh\n{body}\n")
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert bootstrap.apt_install("libgl1") is False
    (tmp_path / "sudo").write_text("#!/bin/sh\nexit 0\n")
    assert bootstrap.apt_install("libgl1") is True
