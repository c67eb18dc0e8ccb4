"""The configuration: a small TOML file that a person writes. What's wrong in it is reported; the rest still holds.

The first of these that exists is read: the file that HUSH_CONFIG names, hush.toml in the user's configuration folder,
/etc/hush/hush.toml. What a section means is its room's business; here are only the file and its plain values.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import field

from companion.settings.schema import settings_in, unknown_key
from companion.settings.sections import BoxSettings
from companion.text import N_, Text, raw

SECTIONS = ("camera", "sound", "panel", "strip", "display", "games", "web", "update")
# Bytes that a configuration may have: a thousand times what anybody writes, and nothing to fill the memory with.
MAX_FILE_BYTES = 1024 * 1024
UNWRITTEN = BoxSettings()


class Config(BoxSettings, frozen=True):
    """What the file says; None, empty or the default where it says nothing."""

    sections: dict[str, dict[str, Any]] = field(default_factory=dict)
    path: Path | None = None
    text: str = ""

    def section(self, name: str) -> dict[str, Any]:
        """A section's keys and values."""
        return self.sections.get(name, {})

    @property
    def written(self) -> dict[str, Any]:
        """What stands in the file under every key, as in `games.NAME.players`, whether it can be used or not."""
        tops = ((key, getattr(self, key)) for key in BoxSettings.__struct_fields__)
        found = {key: value for key, value in tops if value != getattr(UNWRITTEN, key)}
        for section, values in self.sections.items():
            for key, value in values.items():
                found[f"{section}.{key}"] = value
                if isinstance(value, Mapping):
                    found |= {f"{section}.{key}.{name}": one for name, one in value.items()}
        return found

    def line(self, *keys: str) -> int:
        """The line on which a key stands, for complaints; 0 if it can't be told."""
        return find_line(self.text, *keys)


def config_paths(environment: Mapping[str, str] = os.environ) -> list[Path]:
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
    for path in config_paths(environment):
        try:
            return read(contents(path), path)
        except (FileNotFoundError, NotADirectoryError):
            continue
        # ValueError is what UTF-8, TOML and numbers of thousands of digits raise, RecursionError what lists within
        # lists within lists do.
        except (OSError, ValueError, RecursionError) as error:
            said: dict[str, Any] = {"path": str(path), "error": raw(error)}
            return Config(path=path), [Text(N_("{path} can't be read: {error}"), said)]
    return Config(), []


def contents(path: Path) -> str:
    """The text of a configuration. Raises `OSError` and `UnicodeError`, and never waits for a pipe."""
    about = path.stat()
    if not stat.S_ISREG(about.st_mode):
        raise OSError("it is no file")
    if about.st_size > MAX_FILE_BYTES:
        raise OSError(f"more than {MAX_FILE_BYTES} bytes")
    # Some editors begin a file with a mark that TOML doesn't know.
    return path.read_text(encoding="utf-8-sig")


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
    if key in SECTIONS:
        is_section = isinstance(value, dict)
        return None if is_section else Text(N_("{key} is a section: write [{key}] and its keys below."), {"key": key})
    own = settings_in(UNWRITTEN)
    return own[key].problem_with(value) if key in own else unknown_key(key, (*own, *SECTIONS))


def blocks(folder: Path) -> Path | None:
    """What stands in the place of a folder or of one above it: a file, a device, a link to nothing."""
    there = next((parent for parent in (folder, *folder.parents) if os.path.lexists(parent)), None)
    try:
        return there if there is not None and not there.is_dir() else None
    except OSError:  # a folder that only others may look into
        return None


def find_line(text: str, *keys: str) -> int:
    """The line of a key, or of the section or value that it's in; 0 if there is none.

    >>> find_line('language = "nl"\\n[sound]\\nvolume = 3', "sound", "volume")
    3
    >>> find_line('sound.volume = 3\\nweb = {port = 1}', "web", "port")
    2
    """
    section: list[str] = []
    nearest, known = 0, 0
    for number, line in enumerate(text.splitlines(), start=1):
        head = HEAD.match(line)
        if head:
            section = key_parts(head[1])
        key = None if head else KEY.match(line)
        if not head and not key:
            continue
        path = section if key is None else [*section, *key_parts(key[1])]
        if path[: len(keys)] == list(keys):
            return number
        if len(path) > known and path == list(keys[: len(path)]):
            nearest, known = number, len(path)
    return nearest


NAME = r"""(?:"[^"]*"|'[^']*'|[\w-]+)"""
DOTTED = rf"{NAME}(?:\s*\.\s*{NAME})*"
HEAD, KEY = re.compile(rf"\s*\[\[?\s*({DOTTED})\s*\]"), re.compile(rf"\s*({DOTTED})\s*=")


def key_parts(dotted: str) -> list[str]:
    """The names in a dotted key.

    >>> key_parts('games."some-game" .players')
    ['games', 'some-game', 'players']
    """
    return [name.strip("\"'") for name in re.findall(NAME, dotted)]
