"""The text form of single values: encoders and decoders that follow from the types of records, and moves as text."""

from __future__ import annotations

import re
import types
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct, structs

EMPTY = "-"
WORD = re.compile(r"[A-Za-z0-9?][A-Za-z0-9?_.'*!-]*")

Encode = Callable[[Any], str]
Decode = Callable[[str], Any]


def write_move(move: Struct) -> str:
    """A move as text: its verb, then its fields; fields with a default by name and only where they differ.

    >>> from companion.games.game import Show
    >>> write_move(Show("r7"))
    'show r7'
    """
    words = [str(move.__struct_config__.tag)]
    for name, default, encode, _ in field_codecs(type(move)):
        value = getattr(move, name)
        if default is NODEFAULT:
            words.append(encode(value))
        elif value != default:
            words.append(f"{name}={encode(value)}")
    return " ".join(words)


@cache
def field_codecs(record: Any) -> tuple[tuple[str, Any, Encode, Decode], ...]:
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
