"""docs/dev/walk.md: the modules and methods it walks through are there, and no module is visited twice."""

from __future__ import annotations

import re

from tests.source import ROOT, modules, source


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
    methods = {method for path in modules("companion", "vision", "hardware") for method in source(path).methods}
    assert named - methods == set()
