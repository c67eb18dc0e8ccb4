"""The configuration: a small TOML file that a person writes. What's wrong in it is reported; the rest still holds.

The first of these that exists is read: the file that HUSH_CONFIG names, hush.toml in the user's configuration folder,
/etc/hush/hush.toml. What a section means is its room's business; here are only the file and its plain values.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.games.text import N_, Text, raw
from companion.locale import LANGUAGES

BACKENDS = ("auto", "simulated", "pi")
PLAIN = {"language": LANGUAGES, "backend": BACKENDS}
SECTIONS = ("panel", "sound", "camera", "games", "web")
KEYS = (*PLAIN, "state", *SECTIONS)


class Config(Struct, frozen=True):
    """What the file says; None and empty where it says nothing."""

    language: str | None = None
    backend: str = "auto"
    state: str | None = None
    sections: dict[str, dict[str, Any]] = {}
    path: Path | None = None
    text: str = ""

    def section(self, name: str) -> dict[str, Any]:
        """A section's keys and values."""
        return self.sections.get(name, {})

    def line(self, *keys: str) -> int:
        """The line on which a key stands, for complaints; 0 if it can't be told."""
        return find_line(self.text, *keys)


def places(environment: Mapping[str, str] = os.environ) -> list[Path]:
    """Where a configuration may lie, best first."""
    if environment.get("HUSH_CONFIG"):
        return [Path(environment["HUSH_CONFIG"])]
    home = environment.get("XDG_CONFIG_HOME") or str(Path(environment.get("HOME", "/")) / ".config")
    return [Path(home) / "hush" / "hush.toml", Path("/etc/hush/hush.toml")]


def state_folder(config: Config, environment: Mapping[str, str] = os.environ) -> Path:
    """Where games are kept: as configured, as the service says, or in the user's own folder."""
    if config.state:
        return Path(config.state).expanduser()
    if environment.get("STATE_DIRECTORY"):
        return Path(environment["STATE_DIRECTORY"].split(":")[0])
    home = environment.get("XDG_STATE_HOME") or str(Path(environment.get("HOME", "/")) / ".local/state")
    return Path(home) / "hush"


def load(environment: Mapping[str, str] = os.environ) -> tuple[Config, list[Text]]:
    """The configuration and a list of complaints about it."""
    path = next((place for place in places(environment) if place.is_file()), None)
    if path is None:
        return Config(), []
    try:
        return read(path.read_text(encoding="utf-8"), path)
    except (OSError, UnicodeError, tomllib.TOMLDecodeError) as error:
        return Config(path=path), [Text(N_("{path} can't be read: {error}"), {"path": str(path), "error": raw(error)})]


def read(text: str, path: Path) -> tuple[Config, list[Text]]:
    """A configuration's text, and a list of complaints about it. Raises `TOMLDecodeError`."""
    written = tomllib.loads(text)
    complaints = []
    values: dict[str, Any] = {}
    for key, value in written.items():
        problem = wrong(key, value)
        if problem is None:
            values[key] = value
        else:
            complaints.append(
                Text(
                    N_("{path}, line {line}: {problem}"),
                    {"path": str(path), "line": find_line(text, key), "problem": problem},
                )
            )
    sections = {name: values.pop(name) for name in SECTIONS if name in values}
    return Config(**values, sections=sections, path=path, text=text), complaints


def wrong(key: str, value: Any) -> Text | None:
    """What is wrong with a key at the top of the file, if anything."""
    if key not in KEYS:
        return Text(N_("there is no key {key}. There are: {known}."), {"key": key, "known": ", ".join(KEYS)})
    if key in PLAIN and value not in PLAIN[key]:
        allowed = ", ".join(PLAIN[key])
        return Text(
            N_("{key} can't be {value}. Allowed: {allowed}."), {"key": key, "value": repr(value), "allowed": allowed}
        )
    if key in SECTIONS and not isinstance(value, dict):
        return Text(N_("{key} is a section: write [{key}] and its keys below."), {"key": key})
    if key == "state" and not isinstance(value, str):
        return Text(N_("{key} is a folder's path, in quotes."), {"key": key})
    return None


def find_line(text: str, *keys: str) -> int:
    """The line of a key, inside its section where one is given.

    >>> find_line('language = "nl"\\n[sound]\\nvolume = 3', "sound", "volume")
    3
    """
    *sections, key = keys
    inside = not sections
    for number, line in enumerate(text.splitlines(), start=1):
        head = re.match(r"\s*\[([^\]]+)\]", line)
        if head:
            inside = head[1].strip() == ".".join(sections)
            if head[1].strip() == ".".join(keys) or (not sections and head[1].split(".")[0].strip() == key):
                return number
        elif inside and re.match(rf"""\s*["']?{re.escape(key)}["']?\s*[.=]""", line):
            return number
    return 0
