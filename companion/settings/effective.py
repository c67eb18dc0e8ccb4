"""The configuration made usable: which panel, sound and camera, with complaints where a section makes no sense."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, structs

from companion.games import GAMES
from companion.games.game import BadOptions
from companion.kits import NAMES, game_called
from companion.settings.every import BY_SECTION, every
from companion.settings.file import Config, blocks, state_folder
from companion.settings.schema import unknown_key
from companion.settings.sections import CameraSettings, UpdateSettings, WebSettings
from companion.text import N_, Text, raw
from hardware.errors import PanelError, WiringError
from hardware.outfit import DisplaySettings, Outfit, usual_pins
from hardware.pinout import DEFAULT, Pinout, from_config
from hardware.pixels import Strip
from sounds.box import SoundSettings

T = TypeVar("T", bound=Struct)


class Settings(Struct, frozen=True):
    """Everything the running box needs to know, and the file that it's from."""

    backend: str
    folder: Path
    pinout: Pinout = DEFAULT
    strip: Strip = Strip()
    display: DisplaySettings = DisplaySettings()
    sound: SoundSettings = SoundSettings()
    camera: CameraSettings = CameraSettings("none")
    games: dict[str, dict[str, Any]] = {}
    web: WebSettings = WebSettings()
    update: UpdateSettings = UpdateSettings()
    language: str = "en"
    config: Config = Config()

    @property
    def outfit(self) -> Outfit:
        """Everything the panel is made of."""
        return Outfit(self.pinout, self.strip, self.display)

    def values(self) -> dict[str, Any]:
        """What every setting comes to, by key."""
        found: dict[str, Any] = {
            "language": self.language,
            "backend": self.backend,
            "confirm": self.config.confirm,
            "state": str(self.folder),
        }
        records = {"camera": self.camera, "sound": self.sound, "panel": self.pinout, "web": self.web}
        records |= {"strip": self.strip, "display": self.display, "update": self.update}
        for section, record in records.items():
            found |= {f"{section}.{name}": value for name, value in msgspec.to_builtins(record).items()}
        for game, options in self.games.items():
            found |= {f"games.{game}.{name}": value for name, value in options.items()}
        return {key: found.get(key, setting.default) for key, setting in every().items()}

    def rows(self) -> list[tuple[str, str, str]]:
        """Every value with where it came from: key, value, origin. Options of games are there if they're written."""
        return [
            (key, str(value), origin)
            for key, value in self.values().items()
            if (origin := self.origin(key, value)) != "default" or not key.startswith("games.")
        ]

    def origin(self, key: str, value: Any) -> str:
        """Where a value came from; what the file says doesn't count where it couldn't be used."""
        written, file = self.config.written, str(self.config.path)
        if key == "language":
            return file if self.config.language else "locale"
        if key == "state":
            return file if self.config.state else "default"
        if key.startswith("panel."):
            # Pins are taken together or not at all: what isn't named isn't there.
            section = self.config.section("panel")
            default = usual_pins(self.strip)
            return file if section and wiring_error(section, default) is None else "default"
        if key.startswith("games."):
            _, game, option = key.split(".")
            return file if option in self.games.get(game, {}) else "default"
        # A list of the file is a tuple of the settings.
        same = list(value) if isinstance(value, tuple) else value
        return file if key in written and written[key] == same else "default"


def is_pi() -> bool:
    """Whether this machine says it's a Raspberry Pi."""
    model = Path("/proc/device-tree/model")
    return model.is_file() and b"Raspberry Pi" in model.read_bytes()


def effective_settings(config: Config, language: str) -> tuple[Settings, list[Text]]:
    """Settings from the configuration; a section that can't be used is reported and its defaults hold."""
    complaints: list[Text] = []
    # On a Pi the service names its backend; everywhere else the simulated table is the sensible thing.
    backend = "simulated" if config.backend == "auto" else config.backend
    known = {"backend": backend, "language": language}
    outfit = outfit_of(config, known, complaints)
    settings = Settings(
        backend=backend,
        folder=_folder(config, complaints),
        pinout=outfit.pinout,
        strip=outfit.strip,
        display=outfit.display,
        sound=filled(config, "sound", SoundSettings(), known, complaints),
        camera=filled(config, "camera", CameraSettings(), known, complaints),
        games=_games(config, complaints),
        web=filled(config, "web", WebSettings(), known, complaints),
        update=filled(config, "update", UpdateSettings(), known, complaints),
        language=language,
        config=config,
    )
    return settings, complaints


def filled(config: Config, section: str, default: T, known: Mapping[str, Any], complaints: list[Text]) -> T:
    """The settings of a section; a key that can't be used is reported with what is allowed, and its default holds.

    `known` are the values at the top of the file, on which some defaults depend.
    """
    settings = BY_SECTION[section]
    values = structs.asdict(default)
    for name, setting in settings.items():
        if setting.marks.off_pi is not None and known["backend"] != "pi":
            values[name] = setting.marks.off_pi
        elif setting.marks.follows:
            values[name] = known[setting.marks.follows]
    for key, value in config.section(section).items():
        problem = settings[key].problem_with(value) if key in settings else unknown_key(key, tuple(settings))
        if problem is None:
            values[key] = value
        else:
            _complain(config, complaints, problem, section, key)
    return msgspec.convert(values, type(default))


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


def outfit_of(config: Config, known: Mapping[str, Any], complaints: list[Text]) -> Outfit:
    """Everything the panel is made of. What can't be wired is told; the pins come first, so that a game can go on."""
    strip, display = _strip(config, known, complaints), filled(config, "display", DisplaySettings(), known, complaints)
    pinout = _pinout(config, usual_pins(strip), complaints)
    found = Outfit(pinout)
    for section, value in (("strip", strip), ("display", display)):
        try:
            found = structs.replace(found, **{section: value})
        except WiringError as error:
            _complain(config, complaints, error.notice, section)
    return found


def _strip(config: Config, known: Mapping[str, Any], complaints: list[Text]) -> Strip:
    """The strip; one whose parts don't fit together is told, and has its usual layout."""
    try:
        return filled(config, "strip", Strip(), known, complaints)
    except msgspec.ValidationError as error:
        problem = error.__cause__.notice if isinstance(error.__cause__, PanelError) else raw(error)
        _complain(config, complaints, problem, "strip")
    device = config.section("strip").get("device", "none")
    return Strip() if BY_SECTION["strip"]["device"].problem_with(device) else Strip(device)


def _pinout(config: Config, default: Pinout, complaints: list[Text]) -> Pinout:
    section = config.section("panel")
    error = wiring_error(section, default)
    if error is None:
        return from_config(section, default)
    at = next((key for key, value in section.items() if wiring_error({key: value}, default) is not None), None)
    _complain(config, complaints, error.notice, "panel", *([] if at is None else [at]))
    return default


def wiring_error(section: Mapping[str, Any], default: Pinout = DEFAULT) -> PanelError | None:
    """What is wrong with the pins of a section, if anything."""
    try:
        from_config(section, default)
    except PanelError as error:
        return error
    return None


def _games(config: Config, complaints: list[Text]) -> dict[str, dict[str, Any]]:
    """The options a table always plays with, by game."""
    chosen: dict[str, dict[str, Any]] = {}
    for written, options in config.section("games").items():
        name = game_called(written)
        if name in GAMES and not isinstance(options, Mapping):
            problem = Text(N_("{key} is a section: write [{key}] and its keys below."), {"key": f"games.{written}"})
            _complain(config, complaints, problem, "games", written)
            continue
        if name not in GAMES:
            known = ", ".join(NAMES)
            problem = Text(N_("there is no game {game}. There are: {known}."), {"game": written, "known": known})
            _complain(config, complaints, problem, "games", written)
            continue
        chosen[name] = {}
        for key, value in options.items():
            try:
                GAMES[name].options(**{key: value})
            except BadOptions as error:
                _complain(config, complaints, error.reason, "games", written, key)
            else:
                chosen[name][key] = value
    return chosen
