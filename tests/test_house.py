"""What holds for the source as a whole: nothing is defined twice, nothing is too long to be read."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("companion", "vision", "hardware", "sounds")
# What has to be readable.
FOLDERS = (*ROOMS, "tests", "benchmarks", "systemd", "docs")
LONGEST_FUNCTION = 60
LONGEST_MODULE = 500


def modules(*rooms: str) -> Iterator[Path]:
    for room in rooms or ROOMS:
        yield from sorted((ROOT / room).rglob("*.py"))


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_there_is_one_mark_for_texts_and_one_kind_of_sentence() -> None:
    assert [path for path in modules() if any(one.name == "N_" for one in functions(path))] == [
        ROOT / "companion/text.py"
    ]
    renders = [
        (path.relative_to(ROOT).as_posix(), one.name)
        for path in modules()
        for one in functions(path)
        if one.name in ("render", "_render") and "translate" in [argument.arg for argument in one.args.args]
    ]
    assert {path for path, _ in renders} == {"companion/text.py"}


@pytest.mark.parametrize("room", FOLDERS)
def test_no_function_needs_a_scroll(room: str) -> None:
    long = {
        f"{path.relative_to(ROOT)}: {one.name}": length
        for path in modules(room)
        for one in functions(path)
        if (length := (one.end_lineno or 0) - one.lineno + 1) > LONGEST_FUNCTION
    }
    assert long == {}


@pytest.mark.parametrize("room", FOLDERS)
def test_no_module_is_too_long_for_one_topic(room: str) -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in modules(room)
    }
    assert {path: length for path, length in lengths.items() if length > LONGEST_MODULE} == {}
