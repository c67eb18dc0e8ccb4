"""One line of text for any state and any move, both ways. The format is described in docs/notation.md.

It follows from the record types, so a game gets its notation by defining its records.
"""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec import NODEFAULT, Struct, structs

from companion.games.codec import field_codecs, write_move
from companion.games.game import BadState, Game, IllegalMove, Move
from companion.text import N_, Text

__all__ = ["read_move", "read_state", "write_move", "write_state"]

S = TypeVar("S", bound=Struct)


def read_move(game: Game[S], text: str) -> Move:
    """The move that a text stands for. Raises `IllegalMove` with code `unreadable` for anything else."""
    verb, *words = text.split() or [""]
    kinds = {str(kind.__struct_config__.tag): kind for kind in game.moves}
    if verb not in kinds:
        raise IllegalMove(
            "unreadable",
            Text(
                N_("“{text}” isn't a move: {game} knows {verbs}."),
                {"text": text, "game": game.name, "verbs": ", ".join(kinds)},
            ),
        )
    kind = kinds[verb]
    fields = field_codecs(kind)
    positional = [field for field in fields if field[1] is NODEFAULT]
    named = {field[0]: field for field in fields if field[1] is not NODEFAULT}
    values: dict[str, Any] = {}
    try:
        plain = [word for word in words if "=" not in word]
        if len(plain) != len(positional):
            raise ValueError
        for (name, _, _, decode), word in zip(positional, plain, strict=True):
            values[name] = decode(word)
        for word in words:
            name, equals, value = word.partition("=")
            if equals:
                values[name] = named[name][3](value)
    except (ValueError, KeyError):
        usage = " ".join([verb, *(f[0].upper() for f in positional), *(f"[{name}=…]" for name in named)])
        raise IllegalMove(
            "unreadable",
            Text(N_("“{text}” isn't a move. Write it as: {usage}"), {"text": text, "usage": usage}),
        ) from None
    return kind(**values)


def write_state(game: Game[S], state: S) -> str:
    """A state as one line: the game, then `field=value` wherever it isn't at its default."""
    words = [game.name]
    records: tuple[Any, ...] = (getattr(state, "options"), state)  # noqa: B009 - every State has them
    for record in records:
        words += [
            f"{name}={encode(value)}"
            for name, default, encode, _ in field_codecs(record.__class__)
            if name != "options"
            and name not in _derived(record.__class__)
            and (value := getattr(record, name)) != default
            and not _is_bare(value)
        ]
    return " ".join(words)


def read_state(game: Game[S], text: str) -> S:
    """The state that a line stands for; what isn't written has its default. Raises `BadState`."""
    name, *words = text.split() or [""]
    if name != game.name:
        raise BadState(
            "unreadable",
            Text(N_("The line must start with {game}, not “{name}”."), {"game": game.name, "name": name}),
        )
    written: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key in written:
            raise BadState("unreadable", Text(N_("“{word}” isn't field=value, or comes twice."), {"word": word}))
        written[key] = value
    chosen = _read_fields(game.options_type, written)
    options = game.options(**chosen)
    fields = _read_fields(game.state_type, written)
    if written:
        known = [field.name for field in (*structs.fields(game.options_type), *structs.fields(game.state_type))]
        raise BadState(
            "unknown_field",
            Text(
                N_("{game} has no field {name}. It has: {known}."),
                {"game": game.name, "name": ", ".join(written), "known": ", ".join(known)},
            ),
        )
    return game.settle(game.state_type(options=options, **fields))


def _read_fields(record: type[Struct], written: dict[str, str]) -> dict[str, Any]:
    values = {}
    for name, _, _, decode in field_codecs(record):
        if name in written and name != "options":
            text = written.pop(name)
            try:
                values[name] = decode(text)
            except ValueError:
                raise BadState(
                    "unreadable", Text(N_("{name} can't be “{value}”."), {"name": name, "value": text})
                ) from None
    return values


def _is_bare(value: Any) -> bool:
    """Whether a value is empty zones and nothing else, such as the hands of a table without cards."""
    return isinstance(value, tuple) and bool(value) and not any(value) and isinstance(value[0], tuple)


def _derived(record: type[Struct]) -> tuple[str, ...]:
    return getattr(record, "derived", ())
