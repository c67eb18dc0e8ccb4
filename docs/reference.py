"""`python -m docs.reference`: writes docs/games.md, the options, moves and fields of every game, from the code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, structs

from companion.games import GAMES
from companion.games.game import Game, option_table
from companion.kits import NAMES

FILE = Path(__file__).parent / "games.md"
HEAD = """# The games: options, moves, fields

Written by `python -m docs.reference` from the code; a test fails when it's out of date. The notation itself is
described in [notation.md](notation.md), the rulings in [rulings.md](rulings.md).
"""


def reference() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(line for name in NAMES for line in chapter(GAMES[name]))])


def chapter(game: Game[Any]) -> Iterator[str]:
    """One game's part of the page."""
    yield f"## {game.name.capitalize()}\n"
    yield "| option | default | allowed | ruling | |\n| --- | --- | --- | --- | --- |"
    for option in option_table(game.options_type):
        allowed = ", ".join(word(value) for value in option.allowed) or "card ids"
        yield f"| `{option.name}` | {word(option.default) or '-'} | {allowed} | {option.ruling} | {option.text} |"
    yield "\n| move | |\n| --- | --- |"
    for kind in game.moves:
        yield f"| `{usage(kind)}` | {first_line(kind)} |"
    yield "\n| field of a state | what it holds | default |\n| --- | --- | --- |"
    hints = get_type_hints(game.state_type)
    for field in structs.fields(game.state_type):
        if field.name != "options" and field.name not in game.state_type.derived:
            yield f"| `{field.name}` | {kind_of(hints[field.name])} | {word(field.default) or '-'} |"
    yield ""


def usage(kind: Any) -> str:
    """How a move is written."""
    words = [str(kind.__struct_config__.tag)]
    for field in structs.fields(kind):
        words.append(field.name.upper() if field.default is NODEFAULT else f"[{field.name}=…]")
    return " ".join(words)


def first_line(kind: Any) -> str:
    """The first line of a docstring, fit for a table."""
    return str(kind.__doc__).splitlines()[0].replace("|", "\\|")


def kind_of(hint: Any) -> str:
    """A type in words."""
    if get_origin(hint) is tuple:
        return several(get_args(hint)[0])
    if get_args(hint):
        kinds = [value for value in get_args(hint) if value is not NoneType]
        choices = (kind_of(value) if isinstance(value, type) else word(value) for value in kinds)
        return " or ".join(sorted(choices))
    names = {int: "number", bool: "yes or no", str: "word"}
    if hint in names:
        return names[hint]
    return ":".join(field.name for field in structs.fields(hint)) if hasattr(hint, "__struct_fields__") else str(hint)


def several(inner: Any) -> str:
    """Several of a type, in words."""
    if get_origin(inner) is tuple:
        return f"lists of {several(get_args(inner)[0])}"
    if inner in (int, str):
        return f"{kind_of(inner)}s"
    return f"any of {kind_of(inner).replace(' or ', ', ')}" if get_args(inner) else f"pairs of {kind_of(inner)}"


def word(value: Any) -> str:
    """A value as the notation writes it."""
    if isinstance(value, tuple):
        parts = [word(part) for part in value]
        return "/".join(part or "-" for part in parts) if value and isinstance(value[0], tuple) else ",".join(parts)
    return {True: "yes", False: "no", None: "-"}[value] if value is None or isinstance(value, bool) else str(value)


if __name__ == "__main__":
    FILE.write_text(reference())
