"""One line of text for any state and any move, both ways. The format is described in docs/notation.md.

It follows from the record types, so a game gets its notation by defining its records.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct, structs

from companion.games.game import BadState, Game, IllegalMove, Move
from companion.text import N_, Text, raw

EMPTY = "-"
WORD = re.compile(r"[A-Za-z0-9?][A-Za-z0-9?_.'*!-]*")

S = TypeVar("S", bound=Struct)
Encode = Callable[[Any], str]
Decode = Callable[[str], Any]


def write_move(move: Move) -> str:
    """A move as text: its verb, then its fields; fields with a default by name and only where they differ.

    >>> from companion.games.game import Show
    >>> write_move(Show("r7"))
    'show r7'
    """
    words = [str(move.__struct_config__.tag)]
    for name, default, encode, _ in _fields(type(move)):
        value = getattr(move, name)
        if default is NODEFAULT:
            words.append(encode(value))
        elif value != default:
            words.append(f"{name}={encode(value)}")
    return " ".join(words)


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
    fields = _fields(kind)
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


def not_now(game: Game[S], state: S, move: Move) -> IllegalMove:
    """The refusal of a move that no question asks for now."""
    return game.refuse(
        state,
        "not_now",
        N_("“{move}” isn't asked for now. {question}"),
        move=raw(write_move(move)),
        question=game.question(state),
    )


def write_state(game: Game[S], state: S) -> str:
    """A state as one line: the game, then `field=value` wherever it isn't at its default."""
    words = [game.name]
    records: tuple[Any, ...] = (getattr(state, "options"), state)  # noqa: B009 - every State has them
    for record in records:
        words += [
            f"{name}={encode(value)}"
            for name, default, encode, _ in _fields(record.__class__)
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
    for name, _, _, decode in _fields(record):
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


@cache
def _fields(record: Any) -> tuple[tuple[str, Any, Encode, Decode], ...]:
    """Name, default, encoder and decoder of each field."""
    hints = get_type_hints(record, include_extras=True)
    return tuple(
        (field.name, field.default, *(codec(hints[field.name]) if field.name != "options" else (str, str)))
        for field in structs.fields(record)
    )


def codec(hint: Any, inside_record: bool = False) -> tuple[Encode, Decode]:
    """Encoder and decoder for a type: scalars, tuples, records, unions of tagged records."""
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    if hint is bool:
        return (lambda flag: "yes" if flag else "no"), _one_of({"yes": True, "no": False})
    if hint is int:
        return str, int
    if hint is str:
        return str, _word
    if get_origin(hint) is Literal:
        return str, _one_of({str(value): value for value in get_args(hint)})
    if get_origin(hint) is tuple:
        return _tuple_codec(get_args(hint)[0], inside_record)
    if get_origin(hint) in (Union, types.UnionType):
        return _union_codec(list(get_args(hint)))
    if isinstance(hint, type) and issubclass(hint, Struct):
        return _record_codec(hint)
    raise TypeError(f"no notation for {hint!r}")


def _tuple_codec(item: Any, inside_record: bool) -> tuple[Encode, Decode]:
    encode, decode = codec(item, inside_record)
    separator = "/" if get_origin(item) is tuple else "+" if inside_record else ","

    def write(values: tuple[Any, ...]) -> str:
        return separator.join(map(encode, values)) or EMPTY

    def read(text: str) -> tuple[Any, ...]:
        return () if text == EMPTY else tuple(map(decode, text.split(separator)))

    return write, read


def _record_codec(record: type[Struct]) -> tuple[Encode, Decode]:
    hints = get_type_hints(record, include_extras=True)
    codecs = [(field.name, *codec(hints[field.name], inside_record=True)) for field in structs.fields(record)]
    tag = record.__struct_config__.tag
    head = [str(tag)] if tag is not None else []

    def write(value: Struct) -> str:
        return ":".join([*head, *(encode(getattr(value, name)) for name, encode, _ in codecs)])

    def read(text: str) -> Struct:
        parts = text.split(":")
        if parts[: len(head)] != head or len(parts) != len(head) + len(codecs):
            raise ValueError(text)
        return record(**{n: decode(p) for (n, _, decode), p in zip(codecs, parts[len(head) :], strict=True)})

    return write, read


def _union_codec(parts: list[Any]) -> tuple[Encode, Decode]:
    optional = type(None) in parts
    others = [part for part in parts if part is not type(None)]
    codecs = {part: codec(part) for part in others}

    def write(value: Any) -> str:
        return EMPTY if value is None else codecs[type(value) if len(others) > 1 else others[0]][0](value)

    def read(text: str) -> Any:
        if optional and text == EMPTY:
            return None
        for part in others:
            tag = part.__struct_config__.tag if len(others) > 1 else None
            if tag is None or text.split(":")[0] == tag:
                return codecs[part][1](text)
        raise ValueError(text)

    return write, read


def _one_of(values: dict[str, Any]) -> Decode:
    def read(text: str) -> Any:
        if text not in values:
            raise ValueError(text)
        return values[text]

    return read


def _word(text: str) -> str:
    if not WORD.fullmatch(text):
        raise ValueError(text)
    return text
