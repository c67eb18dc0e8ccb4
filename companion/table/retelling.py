"""“What now?” in light: the last move and the pending question, part by part, slowly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.game import Move, Over
from companion.table.chooser import options_layer
from companion.table.host import Host
from companion.text import N_
from hardware import lights
from hardware.flourishes import Flourish
from hardware.panel import DARK, SUITS, Beat

PART_SECONDS = 1.2
PAUSE = Beat(0.4, DARK.layer)
MEANING = N_("What now? The last thing understood, step by step; a pause; then whose turn it is and the question.")


def retold(host: Host[Any], public: Any, last: tuple[Any, Move] | None) -> Flourish:
    """The last move with the state it was made in, as everybody may know it, and the question that stands now."""
    beats = [] if last is None else [PAUSE, *path_beats(host, *last)]
    standing = host.frame(public)
    keyframes = [Beat(min(seconds, 2 * PART_SECONDS), shown.layer) for seconds, shown in standing.keyframes]
    asked = [] if isinstance(host.game.pending(public), Over) else host.question_sign(public).beats
    signs = [Beat(beat.seconds, beat.layer.over(standing.keyframes[0][1]).layer) for beat in asked]
    return Flourish("what-now", MEANING, (*beats, PAUSE, *keyframes, *signs))


def path_beats(host: Host[Any], state: Any, move: Move) -> Iterator[Beat]:
    """A move as it would be picked: its verb, then what it's about, each step alone."""
    suits: list[str] = []
    for pick in host.path(state, move):
        suits += [lamp for lamp in pick.lamps if lamp in SUITS]
        yield Beat(PART_SECONDS, lights.compose(options_layer([pick], pick, suits)).layer)
