"""`companion lessons`: what was told of each game, and forgetting it."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from companion.cli import make_app
from companion.commands.given import Given
from companion.kits import NAMES
from companion.session.lesson_memory import LessonMemory
from companion.settings.file import Config
from companion.table.lessons import Moment, ToldLessons, course_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    groups = LessonMemory(tmp_path)
    groups.save("silencio", ToldLessons(told={"play": Moment(1, 3)}, shown=("shrine", "swap")))
    groups.save("cisza", ToldLessons(is_known=True))
    return tmp_path


def lessons(folder: Path, *arguments: str) -> tuple[int, str]:
    said = CliRunner().invoke(make_app(Given(Config(state=str(folder)))), ["lessons", *arguments])
    return said.exit_code, said.output


def test_what_was_told_is_shown_for_each_game(folder: Path) -> None:
    code, said = lessons(folder)
    assert code == 0
    assert [line.split(":")[0].lower() for line in said.splitlines()] == [*NAMES]
    every = len(course_of("silencio").all)
    assert f"Silencio: told 1 of {every}, known without being told 2." in said
    assert "Cisza: you know it, nothing is told." in said
    assert lessons(folder, "silencio")[1].splitlines() == said.splitlines()[:1]


def test_reset_forgets_one_game_or_all(folder: Path) -> None:
    assert lessons(folder, "reset", "Cisza")[0] == 0
    assert not LessonMemory(folder).of("cisza").is_known
    assert LessonMemory(folder).of("silencio").told
    assert lessons(folder, "reset")[0] == 0
    assert LessonMemory(folder).of("silencio") == ToldLessons()


@pytest.mark.parametrize("arguments", [("chess",), ("reset", "chess"), ("forget", "cisza")])
def test_what_does_not_exist_is_said_and_changes_nothing(folder: Path, arguments: tuple[str, ...]) -> None:
    assert lessons(folder, *arguments)[0] != 0
    assert LessonMemory(folder).of("cisza").is_known
