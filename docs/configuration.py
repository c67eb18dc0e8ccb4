"""`python -m docs.configuration`: writes docs/configuration.md, the table of all settings, from their schema."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.settings.every import every
from companion.settings.file import SECTIONS
from companion.settings.schema import Setting

FILE = Path(__file__).parent / "configuration.md"
HEAD = """# The configuration

Written by `python -m docs.configuration` from the schema of the settings; a test fails when it's out of date.

Hush needs no configuration: every setting has a default. To change one, write a file `hush.toml`, such as

```toml
language = "nl"

[sound]
volume = 0.4

[games.silencio]
players = 3
```

and start the box again. The first of these files that exists is read: the one that `HUSH_CONFIG` names,
`~/.config/hush/hush.toml`, `/etc/hush/hush.toml` (where the installer puts it). `companion config` shows every value
that holds and where it comes from. A key or value that can't be used is told with its line when the box starts and by
`companion doctor`; its default holds instead, and everything else in the file holds.

A setting with ✔ under *page* can be changed on [the page](web.md) from a paired phone, too. One with ✔ under *restart*
holds once the box is started again (`sudo systemctl restart hush`); the options of a game hold for the next game.
"""
TITLES = {
    "": "The box: at the top of the file",
    "camera": "The camera: `[camera]`",
    "sound": "Sound: `[sound]`",
    "panel": "The panel's wiring: `[panel]`",
    "strip": "A strip of pixels: `[strip]`",
    "display": "A text display: `[display]`",
    "games": "The games: `[games.NAME]`",
    "web": "The page: `[web]`",
    "update": "Newer versions: `[update]`",
}
NOTES = {
    "panel": "If any pin is named, only the named parts exist; else the panel is that of [wiring.md](wiring.md): the "
    "plain one, or the four buttons of the easy one where there is a strip.",
    "strip": 'With `device = "spidev0.0"` the lights are pixels of a strip ([wiring.md](wiring.md#the-easy-panel)).',
    "display": 'With `chip = "ssd1306"` the box has a text line ([panel.md](panel.md#the-text-line)).',
    "update": "There is no server with releases yet, so there is no default. A paired phone can have the box download "
    "from this address and from no other; what comes is taken only if it's signed ([service.md](service.md)).",
    "games": "[games.md](games.md) has the ruling for every option.",
}
UNSET = {"language": "that of the locale", "state": "`~/.local/state/hush`; as a service `/var/lib/hush`"}


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(line for section in ("", *SECTIONS) for line in chapter(section))])


def chapter(section: str) -> Iterator[str]:
    """One section's table."""
    yield f"## {TITLES[section]}\n"
    if section in NOTES:
        yield f"{NOTES[section]}\n"
    yield "| key | what it is | default | allowed | page | restart |\n| --- | --- | --- | --- | --- | --- |"
    for setting in every().values():
        if setting.section.partition(".")[0] == section:
            yield row(setting)
    yield ""


def row(setting: Setting) -> str:
    """One setting's line."""
    marks = setting.marks
    page, restart = ("✔" if mark else "" for mark in (marks.on_page, marks.needs_restart))
    cells = (f"`{setting.key}`", str(setting.text), default(setting), str(setting.allowed), page, restart)
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def default(setting: Setting) -> str:
    """What holds where the file says nothing."""
    marks = setting.marks
    if marks.follows:
        return f"that of `{marks.follows}`"
    if marks.off_pi is not None:
        return f'{toml(setting.default)} with `backend = "pi"`, else {toml(marks.off_pi)}'
    return UNSET.get(setting.key) or toml(setting.default)


def toml(value: Any) -> str:
    """A value as a person writes it in the file; a dash for none."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, tuple | list | frozenset):
        return f"`[{', '.join(toml(one).strip('`') for one in value)}]`"
    return f'`"{value}"`' if isinstance(value, str) else f"`{value}`"


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
