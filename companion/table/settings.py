"""The configuration made usable: which panel, sound and camera, with complaints where a section makes no sense."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import msgspec.inspect
from msgspec import Struct

from companion.config import Config, blocks, shown, state_folder
from companion.games import GAMES
from companion.games.game import BadOptions, option_table
from companion.text import N_, Text, raw
from hardware.errors import PanelError
from hardware.pinout import DEFAULT, Pinout, from_config
from sounds.box import SoundSettings

CAMERAS = Text(N_("pi, usb, usb:1, a file or folder of pictures, or none"))


class Settings(Struct, frozen=True):
    """Everything the running box needs to know."""

    backend: str
    folder: Path
    pinout: Pinout = DEFAULT
    sound: SoundSettings = SoundSettings()
    camera: str = "none"
    games: dict[str, dict[str, Any]] = {}


def is_pi() -> bool:
    """Whether this machine says it's a Raspberry Pi."""
    model = Path("/proc/device-tree/model")
    return model.is_file() and b"Raspberry Pi" in model.read_bytes()


def settle(config: Config, language: str) -> tuple[Settings, list[Text]]:
    """Settings from the configuration; a section that can't be used is reported and its defaults hold."""
    complaints: list[Text] = []
    # On a Pi the service names its backend; everywhere else the simulated table is the sensible thing.
    backend = "simulated" if config.backend == "auto" else config.backend
    sound_default = SoundSettings(backend="real" if backend == "pi" else "simulated", language=language)  # type: ignore[arg-type]
    settings = Settings(
        backend=backend,
        folder=_folder(config, complaints),
        pinout=_pinout(config, complaints),
        sound=filled(config, "sound", sound_default, complaints),
        camera=_camera(config, "pi" if backend == "pi" else "none", complaints),
        games=_games(config, complaints),
    )
    return settings, complaints


def _complain(config: Config, complaints: list[Text], problem: Text, *keys: str) -> None:
    complaints.append(
        Text(
            N_("{path}, line {line}: {problem}"),
            {"path": str(config.path), "line": config.line(*keys), "problem": problem},
        )
    )


def _folder(config: Config, complaints: list[Text]) -> Path:
    """Where games are kept. What is in the way is told, and stays: the box then plays without keeping games."""
    folder = state_folder(config)
    blocked = blocks(folder)
    if blocked is not None:
        problem = Text(N_("{path} is no folder: games aren't kept."), {"path": str(blocked)})
        if config.state:
            _complain(config, complaints, problem, "state")
        else:
            complaints.append(problem)
    return folder


def _pinout(config: Config, complaints: list[Text]) -> Pinout:
    section = config.section("panel")
    error = _wiring_error(section)
    if error is None:
        return from_config(section) if section else DEFAULT
    at = next((key for key, value in section.items() if _wiring_error({key: value}) is not None), None)
    _complain(config, complaints, error.notice, "panel", *([] if at is None else [at]))
    return DEFAULT


def _wiring_error(section: Mapping[str, Any]) -> PanelError | None:
    """What is wrong with the pins of a section, if anything."""
    try:
        from_config(section)
    except PanelError as error:
        return error
    return None


T = TypeVar("T", bound=Struct)


def filled(config: Config, section: str, default: T, complaints: list[Text]) -> T:
    """The settings of a section; a key that can't be used is reported with what is allowed, and its default holds."""
    kind = type(default)
    values = msgspec.to_builtins(default)
    kinds = {field.name: field.type for field in msgspec.inspect.type_info(kind).fields}  # type: ignore[attr-defined]
    for key, value in config.section(section).items():
        if key not in values:
            problem = Text(N_("there is no key {key}. There are: {known}."), {"key": key, "known": ", ".join(values)})
            _complain(config, complaints, problem, section, key)
            continue
        try:
            msgspec.convert({**values, key: value}, kind)
        except msgspec.ValidationError:
            said: dict[str, Any] = {"key": key, "value": shown(value), "allowed": allowed(kinds[key])}
            problem = Text(N_("{key} can't be {value}. Allowed: {allowed}."), said)
            _complain(config, complaints, problem, section, key)
        else:
            values[key] = value
    return msgspec.convert(values, kind)


def allowed(kind: Any) -> Text:
    """What a setting may be, in words."""
    match kind:
        case msgspec.inspect.LiteralType(values=values):
            return raw(", ".join(map(str, values)))
        case msgspec.inspect.BoolType():
            return raw("true, false")
        case msgspec.inspect.IntType(ge=low, le=high) | msgspec.inspect.FloatType(ge=low, le=high):
            return Text(N_("numbers from {low} to {high}"), {"low": f"{low:g}", "high": f"{high:g}"})
        case msgspec.inspect.StrType():
            return Text(N_("a text in quotes"))
        case _:
            return Text(N_("a list of texts in quotes"))


def _camera(config: Config, default: str, complaints: list[Text]) -> str:
    """The camera by name."""
    chosen = default
    for key, value in config.section("camera").items():
        if key != "device":
            problem = Text(N_("there is no key {key}. There are: {known}."), {"key": key, "known": "device"})
            _complain(config, complaints, problem, "camera", key)
        elif not isinstance(value, str):
            problem = Text(
                N_("device can't be {value}. Allowed: {allowed}."), {"value": shown(value), "allowed": CAMERAS}
            )
            _complain(config, complaints, problem, "camera", key)
        else:
            chosen = value
    return chosen


def _games(config: Config, complaints: list[Text]) -> dict[str, dict[str, Any]]:
    """The options a table always plays with, by game."""
    chosen: dict[str, dict[str, Any]] = {}
    for name, options in config.section("games").items():
        if name in GAMES and not isinstance(options, Mapping):
            problem = Text(N_("{key} is a section: write [{key}] and its keys below."), {"key": f"games.{name}"})
            _complain(config, complaints, problem, "games", name)
            continue
        if name not in GAMES:
            known = ", ".join(GAMES)
            problem = Text(N_("there is no game {game}. There are: {known}."), {"game": name, "known": known})
            _complain(config, complaints, problem, "games", name)
            continue
        chosen[name] = {}
        for key, value in options.items():
            try:
                GAMES[name].options(**{key: value})
            except BadOptions as error:
                _complain(config, complaints, error.reason, "games", name, key)
            else:
                chosen[name][key] = value
    return chosen


def described(settings: Settings, config: Config, language: str) -> list[tuple[str, str, str]]:
    """Every effective value with where it came from: key, value, origin."""
    file = str(config.path) if config.path else ""
    rows = [
        ("language", language, file if config.language else "locale"),
        ("backend", settings.backend, file if config.backend != "auto" else "default"),
        ("camera.device", settings.camera, origin(config, "camera", "device", settings.camera)),
        ("state", str(settings.folder), file if config.state else "default"),
    ]
    for key, value in msgspec.to_builtins(settings.sound).items():
        rows.append((f"sound.{key}", str(value), origin(config, "sound", key, value)))
    for key, value in msgspec.to_builtins(settings.pinout).items():
        is_written = bool(config.section("panel")) and _wiring_error(config.section("panel")) is None
        rows.append((f"panel.{key}", str(value), file if is_written else "default"))
    for name, game in GAMES.items():
        for option in option_table(game.options_type):
            if option.name in settings.games.get(name, {}):
                rows.append((f"games.{name}.{option.name}", str(settings.games[name][option.name]), file))
    return rows


def origin(config: Config, section: str, key: str, value: Any) -> str:
    """Where an effective value came from; what the file says doesn't count where it couldn't be used."""
    says = config.section(section)
    return str(config.path) if key in says and says[key] == value else "default"
