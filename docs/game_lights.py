"""`python -m docs.game_lights`: writes docs/game-lights.md, what the panel shows for every question and event."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.kits import KITS
from companion.table.chooser import Chooser
from companion.table.explain import explain
from companion.table.host import Host
from companion.table.hosts import HOSTS
from companion.table.questions import questions
from companion.table.sight import Doubt, Seen, Sight
from hardware.lights import PATTERNS
from hardware.panel import PanelFrame

FILE = Path(__file__).parent / "game-lights.md"
HEAD = """# What the panel shows in each game

Written by `python -m docs.game_lights` from the hosts of the games; a test fails when it's out of date. A drawing is
the bar, then red blue yellow green, then sun and moon: `.` off, `-` dim, `#` on, `o` slow blink, `*` fast blink, `~`
pulse. It's an example from a random game: seats, noise and counts differ from table to table. The patterns themselves
are explained in [lights.md](lights.md). Whatever is asked, ◀ ▶ open the chooser with every legal answer, one light an
option; long ✔ shows the question again, and ✖ takes the last move back where it doesn't mean “no”.

A card that the camera sees but can't name is asked about where a card would be a move now: both ends and the middle of
the bar blink. ◀ ▶ show what it can be, the likely cards first: the light of its suit and of its rank on the bar, or of
its place among the cards that it can be. ✔ takes the shown one, ✖ leaves it until something changes there.
"""
MANY = 16
"""So many cards fill any zone."""


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(line for name in HOSTS for line in chapter(name, HOSTS[name]))])


def chapter(name: str, host: Host[Any]) -> Iterator[str]:
    """One game's questions and events."""
    yield f"## {name.capitalize()}\n"
    yield "| question | panel | ✔ | ✖ | sound |\n| --- | --- | --- | --- | --- |"
    asked = dict(sorted(questions(host).items()))
    for ask, state in asked.items():
        buttons = host.buttons(state)
        sound = "silent" if host.is_silent(state) else "allowed"
        confirm = buttons.confirm.__struct_config__.tag if buttons.confirm else "the proposal, or the chooser"
        back = buttons.back.__struct_config__.tag if buttons.back else "undo"
        text = str(host.game.question(state)).replace("|", "/")
        yield f"| **{ask}** {text} | `{shown(host, state)}` | {confirm} | {back} | {sound} |"
    yield "\n| a card without a name | where | asked | being named |\n| --- | --- | --- | --- |"
    for ask, state in asked.items():
        for zone, doubt in doubts(host, state):
            named = Chooser(host.names(doubt)).layer().over(host.frame(state))
            yield f"| **{ask}** | {zone} | `{PATTERNS['doubt'].layer.over(host.frame(state))}` | `{named}` |"
    yield "\n| event | flourish | sound | spoken |\n| --- | --- | --- | --- |"
    for kind in host.game.sentences:
        cue = host.cues.get(kind)
        if cue is not None:
            spoken = "yes" if cue.is_spoken else "–"
            yield f"| {kind.__name__} | {cue.flourish or '–'} | {cue.sound or '–'} | {spoken} |"
    yield ""


def shown(host: Host[Any], state: Any) -> PanelFrame:
    """The panel with the pending question, nothing picked and nothing seen."""
    return host.asking(state, None).over(host.frame(state))


def doubts(host: Host[Any], state: Any) -> Iterator[tuple[str, Doubt]]:
    """Where a card without a name is asked about now, zone by zone."""
    for zone in KITS[host.game.name].layout.zone:
        strangers = tuple(Seen("", zone=zone.name, x=float(at)) for at in range(MANY))
        found = explain(host, state, Sight(strangers=strangers)).doubt
        if found is not None:
            yield zone.name, found


if __name__ == "__main__":
    FILE.write_text(page())
