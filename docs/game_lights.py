"""`python -m docs.game_lights`: writes docs/game-lights.md, what the panel shows for every question and event."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.bots.policy import at_random
from companion.bots.simulator import decide
from companion.games.game import BadOptions, Over, option_table
from companion.table.host import Host
from companion.table.hosts import HOSTS
from hardware.panel import PanelFrame

FILE = Path(__file__).parent / "game-lights.md"
HEAD = """# What the panel shows in each game

Written by `python -m docs.game_lights` from the hosts of the games; a test fails when it's out of date. A drawing is
the bar, then red blue yellow green, then sun and moon: `.` off, `-` dim, `#` on, `o` slow blink, `*` fast blink, `~`
pulse. It's an example from a random game: seats, noise and counts differ from table to table. The patterns themselves
are explained in [lights.md](lights.md). Whatever is asked, ◀ ▶ open the chooser with every legal answer, one light an
option; long ✔ shows the question again, and ✖ takes the last move back where it doesn't mean “no”.
"""
MOST_GAMES = 60


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


def questions(host: Host[Any]) -> dict[str, Any]:
    """A state for every question that comes up in random games at the table, with all kinds of options."""
    game = host.game
    found: dict[str, Any] = {}
    for number in range(MOST_GAMES):
        rng = random.Random(f"{game.name} lights {number}")
        state = game.new(any_table(game, rng))
        for _ in range(500):
            step = game.pending(state)
            if isinstance(step, Over):
                break
            found.setdefault(step.ask, state)
            state, _events = game.apply(state, decide(game, state, at_random, rng))
    return found


def any_table(game: Any, rng: random.Random) -> Any:
    """Options for a physical table, drawn at random."""
    while True:
        chosen = {
            option.name: rng.choice(option.allowed)
            for option in option_table(game.options_type)
            if option.allowed and rng.random() < 0.3
        }
        chosen |= {"driver": "table"} if "driver" in game.options_type.__struct_fields__ else {}
        try:
            return game.options(**chosen)
        except BadOptions:
            continue


if __name__ == "__main__":
    FILE.write_text(page())
