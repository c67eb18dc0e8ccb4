"""The true game behind the demo: what people hold and do, decided by bots that see only what their seat sees.

The box knows none of it: it has the same rules, but hands that are hidden from it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.bots.policy import sensible
from companion.bots.simulator import decide
from companion.games.cards import HIDDEN
from companion.games.game import Deal, Event, IllegalMove, Move, Over, Reveal
from companion.games.notation import write_move
from companion.table.host import Host

MAX_ACTS = 2000


class Act(Struct, frozen=True):
    """One move of the true game, with the table before and after it as everybody sees it."""

    move: Move
    before: Any
    after: Any
    events: tuple[Event, ...]
    is_dealt: bool
    """Whether it only gives somebody a card that nobody else sees: a box that can't see hands may not ask for it."""

    def is_meant_by(self, move: Move) -> bool:
        """Whether the box's move is this one, as far as the box can know it."""
        return move in (self.move, with_hidden_card(self.move))


def write_script(host: Host[Any], options: Any, rng: random.Random) -> tuple[Act, ...]:
    """A whole game of sensible players with real cards, at a table with these options."""
    game = host.game
    dealt = {name: value for name, value in game.dealt_by_box.items() if hasattr(options, name)}
    state = game.new(replace(options, **dealt))
    acts: list[Act] = []
    coming: list[Move] = []
    while not isinstance(step := game.pending(state), Over) and len(acts) < MAX_ACTS:
        coming = coming or together(host, state, rng)
        move = coming.pop(0)
        after, events = game.apply(state, move)
        before, now = (replace(game.view(one, None), options=options) for one in (state, after))
        is_dealt = isinstance(step, Reveal) and (step.seat is not None or isinstance(move, Deal))
        acts.append(Act(move, before, now, tuple(event.heard_by(None) for event in events), is_dealt))
        state = after
    return tuple(windows_closed_at_once(host, acts))


def windows_closed_at_once(host: Host[Any], acts: Sequence[Act]) -> list[Act]:
    """The same acts; where a window at the table closes for all at once, those who let it pass do so in one act."""
    found: list[Act] = []
    for act in acts:
        window, last = host.window(act.before), found[-1] if found else act
        before = host.window(last.before)
        if window is None or before is None or before == window or not (act.move == last.move == window.move):
            found.append(act)
        else:
            found[-1] = replace(act, move=before.move, before=last.before)
    return found


def together(host: Host[Any], state: Any, rng: random.Random) -> list[Move]:
    """The next move, or those that are one happening: sorted where their order makes no difference."""
    game = host.game
    first, made = game.pending(state), [decide(game, state, sensible, rng)]
    after, _ = game.apply(state, made[0])
    is_one = (isinstance(first, Reveal) and first.seat is None) or getattr(first, "ask", "") in host.table.unordered
    while is_one and game.pending(after) == first:
        made.append(decide(game, after, sensible, rng))
        after, _ = game.apply(after, made[-1])
    in_order, now = sorted(made, key=write_move), state
    try:
        for move in in_order:
            now, _ = game.apply(now, move)
    except IllegalMove:
        return made
    return in_order if now == after else made


def with_hidden_card(move: Move) -> Move:
    """A move with a card that nobody shows."""
    return replace(move, **{name: HIDDEN for name in move.__struct_fields__ if name == "card"})
