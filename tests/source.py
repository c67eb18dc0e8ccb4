"""What the modules of the house define, by their syntax: each is parsed once, however many tests ask."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
ROOMS = ("companion", "vision", "hardware", "sounds")
# What has to be readable.
FOLDERS = (*ROOMS, "tests", "benchmarks", "systemd", "docs")


class Function(NamedTuple):
    """A function or method, by what can be read of it."""

    name: str
    lines: int
    arguments: tuple[str, ...]


class Source(NamedTuple):
    """What a module defines. `classes` and `numbers` are those of the module itself, without a leading underscore."""

    functions: tuple[Function, ...]
    classes: tuple[str, ...]
    methods: frozenset[tuple[str, str]]
    numbers: tuple[tuple[str, float], ...]
    names: frozenset[str]


def modules(*rooms: str) -> Iterator[Path]:
    for room in rooms or ROOMS:
        yield from sorted((ROOT / room).rglob("*.py"))


@cache
def source(path: Path) -> Source:
    """What a module defines, its own name among the names."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions, methods, names = [], set(), {path.stem}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = tuple(argument.arg for argument in node.args.args)
            functions.append(Function(node.name, (node.end_lineno or 0) - node.lineno + 1, arguments))
            names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            methods |= {(node.name, one.name) for one in node.body if isinstance(one, ast.FunctionDef)}
            methods |= {(node.name, one.name) for one in node.body if isinstance(one, ast.AsyncFunctionDef)}
            names.add(node.name)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.id if isinstance(node, ast.Name) else node.attr)
    classes = tuple(node.name.lstrip("_") for node in tree.body if isinstance(node, ast.ClassDef))
    return Source(tuple(functions), classes, frozenset(methods), tuple(numbers(tree)), frozenset(names))


def numbers(tree: ast.Module) -> Iterator[tuple[str, float]]:
    """The numbers that a module gives a name, each with its value."""
    for node in tree.body:
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
