"""docs/dev/walk.md: the modules and methods it walks through are there, and no module is visited twice."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_module_of_the_walk_is_there_and_none_is_visited_twice() -> None:
    text = (ROOT / "docs/dev/walk.md").read_text(encoding="utf-8")
    visited = re.findall(r"^\| \d+ \| `([^`]+)` \|", text, flags=re.MULTILINE)
    assert len(visited) > 10
    assert len(visited) == len(set(visited))
    assert [path for path in re.findall(r"`(\w+/[\w/]+\.py)`", text) if not (ROOT / path).is_file()] == []


def test_every_method_of_the_walk_is_one_of_its_class() -> None:
    text = (ROOT / "docs/dev/walk.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([A-Z]\w+)\.(\w+)`", text))
    assert len(named) > 5
    methods = {
        (node.name, one.name)
        for room in ("companion", "vision", "hardware")
        for path in (ROOT / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
        for one in node.body
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert named - methods == set()
