"""The configuration made usable: which panel, sound and camera, with complaints where a section makes no sense."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion.config import Config, state_folder
from companion.games import GAMES
from companion.games.game import BadOptions, option_table
from companion.games.text import N_, Text, raw
from hardware.pinout import DEFAULT, Pinout, from_config
from hardware.text import PanelError
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
        folder=state_folder(config),
        pinout=_pinout(config, complaints),
        sound=_sound(config, sound_default, complaints),
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


def _pinout(config: Config, complaints: list[Text]) -> Pinout:
    section = config.section("panel")
    if not section:
        return DEFAULT
    try:
        return from_config(section)
    except PanelError as error:
        _complain(config, complaints, raw(error), "panel")
        return DEFAULT


def _sound(config: Config, default: SoundSettings, complaints: list[Text]) -> SoundSettings:
    values = msgspec.to_builtins(default)
    for key, value in config.section("sound").items():
        try:
            if key not in values:
                known = ", ".join(values)
                raise msgspec.ValidationError(f"there is no key {key}. There are: {known}")
            msgspec.convert({**values, key: value}, SoundSettings)
        except msgspec.ValidationError as error:
            _complain(config, complaints, raw(error), "sound", key)
        else:
            values[key] = value
    return msgspec.convert(values, SoundSettings)


def _camera(config: Config, default: str, complaints: list[Text]) -> str:
    """The camera by name."""
    chosen = default
    for key, value in config.section("camera").items():
        if key != "device":
            problem = Text(N_("there is no key {key}. There are: {known}."), {"key": key, "known": "device"})
            _complain(config, complaints, problem, "camera", key)
        elif not isinstance(value, str):
            problem = Text(
                N_("device can't be {value}. Allowed: {allowed}."), {"value": repr(value), "allowed": CAMERAS}
            )
            _complain(config, complaints, problem, "camera", key)
        else:
            chosen = value
    return chosen


def _games(config: Config, complaints: list[Text]) -> dict[str, dict[str, Any]]:
    """The options a table always plays with, by game."""
    chosen: dict[str, dict[str, Any]] = {}
    for name, options in config.section("games").items():
        if name not in GAMES or not isinstance(options, Mapping):
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
        rows.append((f"panel.{key}", str(value), file if config.section("panel") else "default"))
    for name, game in GAMES.items():
        for option in option_table(game.options_type):
            if option.name in settings.games.get(name, {}):
                rows.append((f"games.{name}.{option.name}", str(settings.games[name][option.name]), file))
    return rows


def origin(config: Config, section: str, key: str, value: Any) -> str:
    """Where an effective value came from; what the file says doesn't count where it couldn't be used."""
    says = config.section(section)
    return str(config.path) if key in says and says[key] == value else "default"
