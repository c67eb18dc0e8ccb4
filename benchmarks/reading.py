"""A game as somebody reads it who knows only what the box tells: every question with its lesson and what can be picked.

`python -m benchmarks.reading silencio --language nl`. A bot presses what a group at the table would. It knows no hidden
card, so `--prefer safe` lets a secret of Similo live, and `--prefer fresh` lets nobody hold the card that hunts.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from companion.bots.policy import sensible
from companion.bots.simulator import decide
from companion.catalogue import Catalogue
from companion.games.codec import write_move
from companion.kits import NAMES
from companion.outputs.text_line import words
from companion.session.lesson_memory import LessonMemory
from companion.session.session import Session
from companion.table.chooser import Node
from companion.table.hosts import HOSTS
from companion.text import LANGUAGES
from hardware.button_signals import Press
from hardware.panel import Button

MAX_READ_MOVES = 400
"""Moves after which a game is left."""


def pages(name: str, chosen: dict[str, Any], language: str, seed: int, prefer: Sequence[str] = ()) -> Iterator[str]:
    """What the text line says and the buttons offer, question by question, and what was picked."""
    rng, say = random.Random(seed), Catalogue(language).say
    box = Session(HOSTS, None, lambda: 0.0, rng, groups=LessonMemory())
    box.start(name, {**HOSTS[name].at_table, **HOSTS[name].box_defaults, **chosen}, seed=None)
    for number in range(MAX_READ_MOVES):
        running = box.shown.running
        assert running is not None
        yield f"\n{number}. " + "\n   ".join(say(text) for text in words(replace(box.shown, fault="")))
        if box.shown.tells_goal_first:
            box.on_signal(Press(Button.CONFIRM))
            yield "   > ✔\n   " + "\n   ".join(say(text) for text in words(replace(box.shown, fault="")))
        if running.is_over:
            return
        state = running.history.state
        offered = HOSTS[name].options(running.public_state)
        yield "   [" + " | ".join(say(node.pick.label) + below(node) for node in offered) + "]"
        move = decide(running.host.game, state, sensible, rng)
        move = next((one for one in running.host.game.legal(state) if write_move(one) in prefer), move)
        yield f"   > {write_move(move)}"
        box.do(move)


def below(node: Node) -> str:
    """How many options are behind one."""
    return f" ({len(node.branches)})" if node.branches else ""


def option(text: str) -> tuple[str, Any]:
    """An option of the game as the command line has it."""
    name, _, value = text.partition("=")
    return name, {"true": True, "false": False}.get(value, int(value) if value.isdigit() else value)


def main() -> None:
    """Read a game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=NAMES)
    parser.add_argument("options", nargs="*", type=option, metavar="OPTION=VALUE")
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--prefer", action="append", default=[], metavar="MOVE")
    given = parser.parse_intermixed_args()
    for page in pages(given.game, dict(given.options), given.language, given.seed, given.prefer):
        print(page)


if __name__ == "__main__":
    main()
