"""No test waits for a while and a hope: it would fail on a busy machine, and once it's run again it would pass."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.patience import eventually

HERE = Path(__file__).parent
# The rig is no part of the suite, a stand-in plays a sensor, pictures for the docs are taken by hand.
APART = ("rig", "vision/stand_in", "web/screenshots.py", "patience.py")
OWN_CLOCKS = {"rig", "bench", "self"}
"""Whose time passes only when the test lets it."""
WAITS = {"wait", "join", "poll", "result", "communicate", "wait_for"}
GENEROUS = 60.0


def hopes(source: str) -> Iterator[str]:
    """What in a file sleeps, or gives up on something after less than a generous time."""
    for call in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)):
        if not isinstance(call.func, ast.Attribute):
            continue
        name, of = call.func.attr, ast.unparse(call.func.value)
        if (of, name) == ("time", "sleep"):
            yield f"line {call.lineno}: time.sleep; wait with tests.patience.eventually for what should happen"
        limits = [word.value for word in call.keywords if word.arg == "timeout"]
        limits += call.args[:1] if name in WAITS and of.split(".")[0] not in OWN_CLOCKS else []
        for limit in limits:
            if isinstance(limit, ast.Constant) and isinstance(limit.value, int | float) and limit.value < GENEROUS:
                yield f"line {call.lineno}: {name} gives up after {limit.value} s; tests.patience.PATIENCE is generous"


def files() -> list[Path]:
    return [path for path in sorted(HERE.rglob("*.py")) if not path.relative_to(HERE).as_posix().startswith(APART)]


def test_no_test_sleeps_or_gives_up_early() -> None:
    found = [f"{path.relative_to(HERE)}, {hope}" for path in files() for hope in hopes(path.read_text("utf-8"))]
    assert found == []


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("time.sleep(0.3)", 1),
        ("stopped.wait(5)", 1),
        ("process.communicate(timeout=10)", 1),
        ("stopped.wait(PATIENCE)", 0),
        ("rig.wait(0.1)", 0),
        ("thread.join()", 0),
        ("', '.join(words)", 0),
    ],
)
def test_hopes_are_found(source: str, count: int) -> None:
    assert len(list(hopes(source))) == count


def test_what_never_comes_is_a_failure_with_its_reason_and_what_comes_is_returned() -> None:
    with pytest.raises(AssertionError, match="no ping"):
        eventually(lambda: None, seconds=0.0, why="no ping")
    answers = iter([0, "", "found"])
    assert eventually(lambda: next(answers)) == "found"
