"""What holds for the source as a whole: nothing is defined twice, nothing is too long to be read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.source import FOLDERS, ROOT, modules, source

LONGEST_FUNCTION = 60
LONGEST_MODULE = 500
# Two games may each have a number of the same name.
GAMES = "companion/games/"


def test_there_is_one_mark_for_texts_and_one_kind_of_sentence() -> None:
    functions = [(path.relative_to(ROOT).as_posix(), one) for path in modules() for one in source(path).functions]
    assert [path for path, one in functions if one.name == "N_"] == ["companion/text.py"]
    renders = {path for path, one in functions if one.name.lstrip("_") == "render" and "translate" in one.arguments}
    assert renders == {"companion/text.py"}


@pytest.mark.parametrize("room", FOLDERS)
def test_no_function_needs_a_scroll(room: str) -> None:
    functions = [(path.relative_to(ROOT), one) for path in modules(room) for one in source(path).functions]
    assert [f"{path}: {one.name}: {one.lines}" for path, one in functions if one.lines > LONGEST_FUNCTION] == []


@pytest.mark.parametrize("room", FOLDERS)
def test_no_module_is_too_long_for_one_topic(room: str) -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in modules(room)
    }
    assert {path: length for path, length in lengths.items() if length > LONGEST_MODULE} == {}


def ambiguous(paths: Iterable[Path], root: Path = ROOT) -> dict[str, dict[str, float]]:
    """The names that are one number in one module, and another number in another one."""
    found: dict[str, dict[str, float]] = {}
    for path in paths:
        for name, value in source(path).numbers:
            found.setdefault(name, {})[path.relative_to(root).as_posix()] = value
    return {name: where for name, where in found.items() if len(set(where.values())) > 1}


def test_no_number_has_the_name_of_another_one() -> None:
    """Two games may have a hand size each."""
    found = ambiguous(modules(*(room for room in FOLDERS if room != "tests")))
    apart = {name: where for name, where in found.items() if not all(path.startswith(GAMES) for path in where)}
    assert apart == {}


def test_a_name_for_two_numbers_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("PACE, RATE = 0.5, 3 * 1024\nKIND = 'a'\n")
    (tmp_path / "two.py").write_text("_PACE: float = -2.0\nRATE = 3072\nKIND = 'b'\n")
    assert ambiguous(tmp_path.iterdir(), tmp_path) == {"PACE": {"one.py": 0.5, "two.py": -2.0}}


def shared_names(paths: Iterable[Path], root: Path = ROOT) -> dict[str, list[str]]:
    """The names that several modules give to a class of theirs."""
    found: dict[str, list[str]] = {}
    for path in paths:
        for name in source(path).classes:
            found.setdefault(name, []).append(path.relative_to(root).as_posix())
    return {name: sorted(where) for name, where in found.items() if len(where) > 1}


def test_no_class_has_the_name_of_another_one() -> None:
    """The moves and events of a game are words of its own."""
    found = shared_names(modules(*(room for room in FOLDERS if room != "tests")))
    apart = {name: [path for path in where if not path.startswith(GAMES)] for name, where in found.items()}
    assert {name: where for name, where in apart.items() if len(where) > 1} == {}


def test_a_name_for_two_classes_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("class Report: ...\nclass Tally: ...\n")
    (tmp_path / "two.py").write_text("class _Report: ...\n")
    assert shared_names(tmp_path.iterdir(), tmp_path) == {"Report": ["one.py", "two.py"]}
