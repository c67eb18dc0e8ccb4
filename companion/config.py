"""The configuration: a small TOML file that a person writes. What's wrong in it is reported; the rest still holds.

The first of these that exists is read: the file that HUSH_CONFIG names, hush.toml in the user's configuration folder,
/etc/hush/hush.toml.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from companion.games.text import N_, Text, raw
from companion.locale import LANGUAGES


class Config(Struct, frozen=True):
    """What the file says; None where it says nothing."""

    language: str | None = None


def places(environment: Mapping[str, str] = os.environ) -> list[Path]:
    """Where a configuration may lie, best first."""
    if environment.get("HUSH_CONFIG"):
        return [Path(environment["HUSH_CONFIG"])]
    home = environment.get("XDG_CONFIG_HOME") or str(Path(environment.get("HOME", "/")) / ".config")
    return [Path(home) / "hush" / "hush.toml", Path("/etc/hush/hush.toml")]


def load(environment: Mapping[str, str] = os.environ) -> tuple[Config, list[Text]]:
    """The configuration and a list of complaints about it."""
    path = next((place for place in places(environment) if place.is_file()), None)
    if path is None:
        return Config(), []
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeError, tomllib.TOMLDecodeError) as error:
        return Config(), [Text(N_("{path} can't be read: {error}"), {"path": str(path), "error": raw(error)})]
    complaints = [
        Text(
            N_("{path}: there is no key {key}. There is: {known}."),
            {"path": str(path), "key": key, "known": "language"},
        )
        for key in written
        if key != "language"
    ]
    language = written.get("language")
    if language is not None and language not in LANGUAGES:
        complaints.append(
            Text(
                N_("{path}: language can't be {value}. Allowed: {allowed}."),
                {"path": str(path), "value": repr(language), "allowed": ", ".join(LANGUAGES)},
            )
        )
        language = None
    return Config(language=language), complaints
