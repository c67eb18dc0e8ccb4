"""The configuration file as the page may change it: a few harmless keys, checked by the code that reads the file.

What decides who is trusted, where the page is served, what is wired where or which files are opened isn't among them:
that takes somebody who can write the file.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from companion.catalogue import choose_language
from companion.files import write_whole
from companion.settings.effective import effective_settings
from companion.settings.every import every
from companion.settings.file import Config, config_paths, load, read
from companion.settings.schema import Setting, refused
from companion.text import N_, Text, raw
from companion.web.desk import Refused
from companion.web.pictures.model import Say
from companion.web.records import SettingForm

LOCKED = Text(N_("This can't be set from a phone: change it in the configuration file on the box."))
BROKEN = N_("{path} can't be understood: {error}. It was left as it is; repair it on the box.")
READ_ONLY = N_("{path} can't be written: {error}. Nothing was changed.")
KEYS = {key: setting for key, setting in every().items() if setting.marks.on_page}


class SettingsFile:
    """The file, read anew for every question, so that what somebody wrote by hand is never lost."""

    def __init__(self, started: Config | None = None, environment: Mapping[str, str] = os.environ):
        self._environment = environment
        self._started = values(load(environment)[0] if started is None else started)
        self._lock = threading.Lock()

    def forms(self, say: Say) -> tuple[SettingForm, ...]:
        """Everything that can be set, as the file has it now."""
        config, _ = load(self._environment)
        now, written = values(config), config.written
        return tuple(
            SettingForm(
                key, say(one.text), group(one), now[key], one.choices, one.lowest, one.highest,
                key in written, one.marks.needs_restart and now[key] != self._started[key],
            )
            for key, one in KEYS.items()
        )  # fmt: skip

    def change(self, name: str, value: Any) -> Config:
        """Write one key, None takes it out; the configuration that then holds. Raises `Refused` and loses nothing."""
        setting = KEYS.get(name)
        if setting is None:
            raise Refused(403, "not_settable", LOCKED)
        with self._lock:
            path = next(
                (one for one in config_paths(self._environment) if one.is_file()), config_paths(self._environment)[0]
            )
            try:
                before = path.read_text(encoding="utf-8") if path.is_file() else ""
                after = edited(before, name, value)
            except (OSError, UnicodeError, TOMLKitError, TypeError, ValueError) as error:
                raise Refused(409, "broken_file", Text(BROKEN, {"path": str(path), "error": raw(error)})) from None
            config, _ = read(after, path)
            if value is not None and not holds(config, name, value):
                raise Refused(422, "bad_value", refused(name, value, setting.allowed))
            try:
                write(path, after)
            except OSError as error:
                reason = Text(READ_ONLY, {"path": str(path), "error": raw(error.strerror or error)})
                raise Refused(503, "read_only", reason) from None
            return config


def holds(config: Config, key: str, value: Any) -> bool:
    """Whether the code that reads the file takes this value for this key."""
    got = values(config)[key]
    return bool(got == value) and isinstance(got, bool) == isinstance(value, bool)


def values(config: Config) -> dict[str, Any]:
    """What every setting comes to."""
    settings, _ = effective_settings(config, choose_language(config.language))
    return settings.values()


def group(setting: Setting) -> str:
    """Where the page lists a setting: with its game, or with the box."""
    room, _, game = setting.section.partition(".")
    return game if room == "games" else "box"


def edited(text: str, key: str, value: Any) -> str:
    """The file's text with one key changed; comments, order and whatever else stands there stay."""
    document = tomlkit.parse(text)
    table: Any = document
    *sections, name = key.split(".")
    for section in sections:
        if section not in table:
            if value is None:
                return text
            table[section] = tomlkit.table(is_super_table=section == "games")
        table = table[section]
    if value is None:
        table.pop(name, None)
    else:
        table[name] = value
    return tomlkit.dumps(document)


def write(path: Path, text: str) -> None:
    """Put a new text in a file's place, whole or not at all. Raises `OSError`."""
    target = path.resolve()
    write_whole(target, text.encode(), target.stat().st_mode & 0o777 if target.is_file() else 0o644)
