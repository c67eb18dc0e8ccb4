"""What holds for the source as a whole: nothing is defined twice, nothing is too long to be read."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("companion", "vision", "hardware", "sounds")
# What has to be readable.
FOLDERS = (*ROOMS, "tests", "benchmarks", "systemd", "docs")
LONGEST_FUNCTION = 60
LONGEST_MODULE = 500
# Two games may each have a number of the same name.
GAMES = "companion/games/"


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


def numbers(path: Path) -> Iterator[tuple[str, float]]:
    """The numbers that a module gives a name, each with its value."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts, strict=True))
            for name, value in pairs:
                if isinstance(name, ast.Name) and is_number(value):
                    yield name.id.lstrip("_"), float(eval(ast.unparse(value)))


def is_number(value: ast.expr) -> bool:
    """Whether it's a number, or made of numbers alone."""
    if isinstance(value, ast.BinOp):
        return is_number(value.left) and is_number(value.right)
    if isinstance(value, ast.UnaryOp):
        return is_number(value.operand)
    return isinstance(value, ast.Constant) and type(value.value) in (int, float)


def ambiguous(paths: Iterable[Path], root: Path = ROOT) -> dict[str, dict[str, float]]:
    """The names that are one number in one module, and another number in another one."""
    found: dict[str, dict[str, float]] = {}
    for path in paths:
        for name, value in numbers(path):
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


def classes(path: Path) -> Iterator[str]:
    """The classes that a module defines."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            yield node.name.lstrip("_")


def shared_names(paths: Iterable[Path], root: Path = ROOT) -> dict[str, list[str]]:
    """The names that several modules give to a class of theirs."""
    found: dict[str, list[str]] = {}
    for path in paths:
        for name in classes(path):
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
