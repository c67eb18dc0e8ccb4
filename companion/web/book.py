"""The configuration file as the page may change it: a few harmless keys, checked by the code that reads the file.

What decides who is trusted, where the page is served, what is wired where or which files are opened isn't among them:
that takes somebody who can write the file.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import tomlkit
from msgspec import Struct
from tomlkit.exceptions import TOMLKitError

from companion.catalogue import choose_language
from companion.config import Config, load, places, read
from companion.games import GAMES
from companion.games.game import BadOptions, Game, option_table
from companion.games.text import N_, Text, raw
from companion.kits import NAMES
from companion.locale import LANGUAGES
from companion.table.settings import settle
from companion.web.desk import NOT_FOR_PEOPLE, Refused
from companion.web.pictures.model import Say
from companion.web.records import SettingForm

LOCKED = Text(N_("This can't be set from a phone: change it in the configuration file on the box."))
BROKEN = N_("{path} can't be understood: {error}. It was left as it is; repair it on the box.")
READ_ONLY = N_("{path} can't be written: {error}. Nothing was changed.")
SOUND = {
    "cues": N_("short sounds for what happens"),
    "speech": N_("a voice that says what happens"),
    "bed": N_("a quiet sound bed that follows the noise"),
    "volume": N_("volume, from 0 to 1"),
}


class Key(Struct, frozen=True):
    """A key that a phone may set: its sentence, and what it can be."""

    name: str
    text: Text
    group: str
    allowed: tuple[Any, ...] = ()
    lowest: float | None = None
    highest: float | None = None
    needs_restart: bool = True

    @property
    def parts(self) -> list[str]:
        """Its sections and its own name."""
        return self.name.split(".")

    @property
    def span(self) -> str:
        """What it can be, in words."""
        return ", ".join(str(one) for one in self.allowed) if self.allowed else f"{self.lowest} … {self.highest}"


def keys() -> Iterator[Key]:
    """Every key that a phone may set."""
    yield Key("language", Text(N_("language of the box itself")), "box", LANGUAGES)
    for name, text in SOUND.items():
        if name == "volume":
            yield Key(f"sound.{name}", Text(text), "box", (), 0.0, 1.0)
        else:
            yield Key(f"sound.{name}", Text(text), "box", (False, True))
    for game in NAMES:
        rules = GAMES[game]
        for option in option_table(rules.options_type):
            allowed = tuple(value for value in option.allowed if stands_alone(rules, option.name, value))
            if allowed and option.name not in NOT_FOR_PEOPLE:
                yield Key(f"games.{game}.{option.name}", option.text, game, allowed, needs_restart=False)


def stands_alone(rules: Game[Any], name: str, value: Any) -> bool:
    """Whether an option can have this value while all others have their defaults."""
    try:
        rules.options(**{name: value})
    except BadOptions:
        return False
    return True


KEYS = {key.name: key for key in keys()}


class Book:
    """The file, read anew for every question, so that what somebody wrote by hand is never lost."""

    def __init__(self, started: Config | None = None, environment: Mapping[str, str] = os.environ):
        self._environment = environment
        self._started = values(load(environment)[0] if started is None else started)
        self._lock = threading.Lock()

    def forms(self, say: Say) -> tuple[SettingForm, ...]:
        """Everything that can be set, as the file has it now."""
        config, _ = load(self._environment)
        now, written = values(config), set(written_keys(config))
        return tuple(
            SettingForm(
                key.name, say(key.text), key.group, now[key.name], key.allowed, key.lowest, key.highest,
                key.name in written, key.needs_restart and now[key.name] != self._started[key.name],
            )
            for key in KEYS.values()
        )  # fmt: skip

    def change(self, name: str, value: Any) -> Config:
        """Write one key, None takes it out; the configuration that then holds. Raises `Refused` and loses nothing."""
        key = KEYS.get(name)
        if key is None:
            raise Refused(403, "not_settable", LOCKED)
        with self._lock:
            path = next((one for one in places(self._environment) if one.is_file()), places(self._environment)[0])
            try:
                before = path.read_text(encoding="utf-8") if path.is_file() else ""
                after = edited(before, key, value)
            except (OSError, UnicodeError, TOMLKitError, TypeError, ValueError) as error:
                raise Refused(409, "broken_file", Text(BROKEN, {"path": str(path), "error": raw(error)})) from None
            config, _ = read(after, path)
            if value is not None and not holds(config, key, value):
                said: dict[str, Any] = {"key": name, "value": repr(value), "allowed": key.span}
                raise Refused(422, "bad_value", Text(N_("{key} can't be {value}. Allowed: {allowed}."), said))
            try:
                write(path, after)
            except OSError as error:
                reason = Text(READ_ONLY, {"path": str(path), "error": raw(error.strerror or error)})
                raise Refused(503, "read_only", reason) from None
            return config


def holds(config: Config, key: Key, value: Any) -> bool:
    """Whether the code that reads the file takes this value for this key."""
    got = values(config)[key.name]
    return bool(got == value) and isinstance(got, bool) == isinstance(value, bool)


def values(config: Config) -> dict[str, Any]:
    """What every settable key comes to."""
    language = choose_language(config.language)
    settings, _ = settle(config, language)
    sound = msgspec.to_builtins(settings.sound)
    found: dict[str, Any] = {"language": language}
    for name in KEYS:
        section, _, rest = name.partition(".")
        if section == "sound":
            found[name] = sound[rest]
        elif section == "games":
            game, _, option = rest.partition(".")
            found[name] = settings.games.get(game, {}).get(option, defaults(game)[option])
    return found


def defaults(game: str) -> dict[str, Any]:
    """A game's options as they are without a word in the file."""
    return {option.name: option.default for option in option_table(GAMES[game].options_type)}


def written_keys(config: Config) -> Iterator[str]:
    """The settable keys that stand in the file."""
    if config.language:
        yield "language"
    for name in config.section("sound"):
        yield f"sound.{name}"
    for game, options in config.section("games").items():
        yield from (f"games.{game}.{name}" for name in options)


def edited(text: str, key: Key, value: Any) -> str:
    """The file's text with one key changed; comments, order and whatever else stands there stay."""
    document = tomlkit.parse(text)
    place: Any = document
    *sections, name = key.parts
    for section in sections:
        if section not in place:
            if value is None:
                return text
            place[section] = tomlkit.table(is_super_table=section == "games")
        place = place[section]
    if value is None:
        place.pop(name, None)
    else:
        place[name] = value
    return tomlkit.dumps(document)


def write(path: Path, text: str) -> None:
    """Put a new text in a file's place, whole or not at all. Raises `OSError`."""
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, aside = tempfile.mkstemp(dir=target.parent, prefix=".hush-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(aside).chmod(target.stat().st_mode & 0o777 if target.is_file() else 0o644)
        Path(aside).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(aside).unlink()
        raise
