"""Every setting there is, section by section: what the page, `companion config` and docs/configuration.md go by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from companion.games import GAMES
from companion.games.game import BadOptions, Game, option_table
from companion.kits import NAMES
from companion.settings.schema import Marks, Setting, allowed, settings_in
from companion.settings.sections import BoxSettings, CameraSettings, UpdateSettings, WebSettings
from companion.text import Value
from hardware.outfit import DisplaySettings
from hardware.panel import SKY, SUITS, Button, button_name, lamp_name
from hardware.pinout import DEFAULT
from hardware.pixels import Strip
from sounds.box import SoundSettings

# What the physical table decides, not the people at it.
NOT_FOR_PEOPLE = ("driver",)


def part_of(pin: str) -> Mapping[str, Value]:
    """What the sentence of a pin needs: the name of the part that hangs on it."""
    if pin in (*SUITS, *SKY):
        return {"part": lamp_name(pin)}
    return {"part": button_name(Button(pin))} if pin in list(Button) else {}


BY_SECTION: dict[str, dict[str, Setting]] = {
    "": settings_in(BoxSettings()),
    "camera": settings_in(CameraSettings(), "camera"),
    "sound": settings_in(SoundSettings(), "sound"),
    "panel": settings_in(DEFAULT, "panel", part_of),
    "strip": settings_in(Strip(), "strip", part_of),
    "display": settings_in(DisplaySettings(), "display"),
    "web": settings_in(WebSettings(), "web"),
    "update": settings_in(UpdateSettings(), "update"),
}


@cache
def every() -> dict[str, Setting]:
    """Every setting by its key, in the order of the sections; the options of games before the page and updates."""
    last = ("web", "update")
    found = [setting for name, settings in BY_SECTION.items() if name not in last for setting in settings.values()]
    found += options()
    found += [setting for name in last for setting in BY_SECTION[name].values()]
    return {setting.key: setting for setting in found}


def options() -> Iterator[Setting]:
    """The options of every game, as its rules define them. They hold for the next game that begins."""
    for game in NAMES:
        rules = GAMES[game]
        for option in option_table(rules.options_type):
            choices = tuple(value for value in option.allowed if stands_alone(rules, option.name, value))
            is_listed = bool(choices) and option.name not in NOT_FOR_PEOPLE
            marks = Marks(on_page=is_listed, needs_restart=False)
            kind = bool if choices == (False, True) else tuple
            words = allowed(kind, choices)
            yield Setting(f"games.{game}.{option.name}", option.text, words, option.default, choices, marks=marks)


def stands_alone(rules: Game[Any], name: str, value: Any) -> bool:
    """Whether an option can have this value while all others have their defaults."""
    try:
        rules.options(**{name: value})
    except BadOptions:
        return False
    return True
