"""docs/dev/walk.md: the modules it walks through are there, and none is visited twice."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_module_of_the_walk_is_there_and_none_is_visited_twice() -> None:
    text = (ROOT / "docs/dev/walk.md").read_text(encoding="utf-8")
    visited = re.findall(r"^\| \d+ \| `([^`]+)` \|", text, flags=re.MULTILINE)
    assert len(visited) > 10
    assert len(visited) == len(set(visited))
    assert [path for path in re.findall(r"`(\w+/[\w/]+\.py)`", text) if not (ROOT / path).is_file()] == []
