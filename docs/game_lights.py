"""`python -m docs.game_lights`: writes docs/game-lights.md, what the panel shows for every question and event."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.table.host import Host
from companion.table.hosts import HOSTS
from companion.table.panel_legend import numbered, place_rows
from companion.table.sample_states import questions
from hardware.panel import PanelFrame
from hardware.signs import SIGN

FILE = Path(__file__).parent / "game-lights.md"
HEAD = """# What the panel shows in each game

Written by `python -m docs.game_lights` from the hosts of the games; a test fails when it's out of date. A drawing is
the bar, then red blue yellow green, then sun and moon: `.` off, `-` dim, `#` on, `o` slow blink, `*` fast blink, `~`
pulse. It's an example from a random game: seats, noise and counts differ from table to table. The signs are explained
in [lights.md](lights.md); a sign takes turns with what stands on the panel. Whatever is asked, ▶ lights the first
answer and ◀ the last, each at its own light; ✔ takes it, ✖ goes back one step, long ✔ tells the last move and the
question again. What ends a game is picked and then held for two seconds. What has gone wrong (somebody spoke, nobody
could agree) is in the menu.

A card that the camera sees but can't name is asked about where a card would be a move now: both ends and the middle of
the bar blink. ◀ ▶ show what it can be, the likely cards first: the light of its suit and of its rank on the bar, or of
its number. ✔ takes the shown one, ✖ leaves it until something changes there.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(line for name in HOSTS for line in chapter(name, HOSTS[name]))])


def chapter(name: str, host: Host[Any]) -> Iterator[str]:
    """One game's questions and events."""
    yield f"## {name.capitalize()}\n"
    yield "| light | what it does |\n| --- | --- |"
    for row in place_rows(host, str):
        yield f"| {' '.join(row.drawings) or 'then'} | {row.title} |"
    for title, cards in host.numbers.items():
        yield f"| {title.rstrip('.')} | {numbered(host, cards, str)} |"
    yield "\n| question | sign | panel | sound |\n| --- | --- | --- | --- |"
    asked = dict(sorted(questions(host).items()))
    for ask, state in asked.items():
        sound = "silent" if host.is_silent(state) else "allowed"
        text = str(host.game.question(state)).replace("|", "/")
        sign = host.question_sign(state)
        yield f"| **{ask}** {text} | {SIGN[sign.sign].title} | {drawings(host, state)} | {sound} |"
    yield "\n| event | flourish | sound | spoken |\n| --- | --- | --- | --- |"
    for kind in host.game.sentences:
        cue = host.cues.get(kind)
        if cue is not None:
            spoken = "yes" if cue.is_spoken else "–"
            yield f"| {kind.__name__} | {cue.flourish or '–'} | {cue.sound or '–'} | {spoken} |"
    yield ""


def still(host: Host[Any], state: Any) -> PanelFrame:
    """What stands on the panel, without what takes turns with it."""
    return host.frame(state).keyframes[-1][1]


def drawings(host: Host[Any], state: Any) -> str:
    """What stands on the panel, and a moment of the sign."""
    beats = host.question_sign(state).beats
    frame = still(host, state)
    seen = [str(frame), *(str(beat.layer.over(frame)) for beat in beats[len(beats) // 2 :][:1])]
    return " then ".join(f"`{drawing}`" for drawing in dict.fromkeys(seen))


if __name__ == "__main__":
    FILE.write_text(page())
