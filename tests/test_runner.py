"""`python3 -m tests` tells the truth: what failed has failed, and isn't tried until it passes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from companion import bootstrap
from tests import __main__ as runner


def named(program: str, *arguments: str) -> str:
    """A program with its verb, where it has one."""
    return " ".join([program, *(word for word in arguments[:1] if word.isalpha())])


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The programs that were run; each fails the first time and would pass a second time."""
    called: list[str] = []

    def call(command: list[Any]) -> int:
        called.append(named(Path(command[0]).name, *command[1:]))
        return 1 if called.count(called[-1]) == 1 else 0

    monkeypatch.setattr(runner.subprocess, "call", call)
    monkeypatch.setattr(bootstrap, "ensure", lambda extra: tmp_path / "python")
    for tool in ("ensure_voice", "ensure_browser", "ensure_picamera2"):
        monkeypatch.setattr(bootstrap, tool, lambda: True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    return called


def test_a_failure_fails_and_nothing_is_tried_again(
    calls: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["tests"])
    assert runner.main() == 1
    assert sorted(calls) == sorted(named(*command) for command in runner.CHECKS.values()), "each once, none left out"
    assert "FAILED: lint, format, types, walls, tests" in capsys.readouterr().err


def test_arguments_go_to_pytest_and_its_answer_comes_back(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["tests", "-k", "shrine"])
    assert runner.main() == 1
    assert calls == ["pytest"]
