"""A state of a game for every question the box asks, for what is told about questions: lights, the reference card."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from companion.bots.policy import at_random
from companion.bots.simulator import decide
from companion.games.game import BadOptions, Decide, Over, Reveal, option_table
from companion.games.notation import read_state
from companion.kits import KITS
from companion.table.host import Host
from companion.table.knowledge import keeps_hands

GAMES = 60
MOVES = 500


def questions(host: Host[Any]) -> dict[str, Any]:
    """A state for every question."""
    found: dict[str, Any] = {}
    for step, state in asked(host):
        # Real cards on the table are the rule; where the box deals, there's nothing for the camera.
        if step.ask not in found or (keeps_hands(host.game, found[step.ask]) and not keeps_hands(host.game, state)):
            found[step.ask] = state
    return found


def asked(host: Host[Any]) -> Iterator[tuple[Decide | Reveal, Any]]:
    """Whatever is asked in random games at the table, with all kinds of options, and the state it's asked in."""
    game = host.game
    for number in range(GAMES):
        rng = random.Random(f"{game.name} lights {number}")
        state = game.new(any_table(game, rng))
        for _ in range(MOVES):
            step = game.pending(state)
            if isinstance(step, Over):
                break
            yield step, state
            state, _events = game.apply(state, decide(game, state, at_random, rng))
    for text in KITS[game.name].rare:
        state = read_state(game, text)
        step = game.pending(state)
        assert not isinstance(step, Over)
        yield step, state


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
