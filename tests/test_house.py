"""What holds for the source as a whole: nothing is defined twice, nothing is too long to be read."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
ROOMS = ("companion", "vision", "hardware", "sounds")


def modules() -> Iterator[Path]:
    for room in ROOMS:
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
