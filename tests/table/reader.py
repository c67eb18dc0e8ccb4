"""Somebody who has the printed card and looks at the panel, and knows nothing of the game."""

from __future__ import annotations

import re

from hardware.panel import PanelFrame
from hardware.signs import SIGN
from tests.table.sign_patterns import PATTERNS, STANDING_PATTERNS

SEVERAL = 5
"""A light that runs is seen in so many places at least."""


def read(frame: PanelFrame) -> set[str]:
    """Every sign that the panel may show, by what is seen of it over time."""
    seen = list(dict.fromkeys(str(shown) for _, shown in frame.keyframes))
    found = {name for name in SIGN if is_shown(name, seen)}
    if not found and all(map(is_standing, seen)):
        return {"turn"}
    return found


def is_standing(drawing: str) -> bool:
    """Whether it's what stands between questions: a meter, seats, a count, a drawn card."""
    return matches(STANDING_PATTERNS, drawing)


def is_shown(name: str, seen: list[str]) -> bool:
    """Whether a sign is seen, and nothing else but what stands there."""
    patterns, also = PATTERNS[name]
    own = [one for one in seen if matches(patterns, one)]
    told = [one for one in own if not is_standing(one)]
    rest = [one for one in seen if one not in own and not is_standing(one)]
    least = SEVERAL if name == "turn-up" else 1
    return len(told) >= least and all(matches(also, one) for one in rest)


def matches(looks: tuple[str, ...], drawing: str) -> bool:
    """Whether a drawing looks like one of these."""
    return any(re.fullmatch(look, drawing) for look in looks)
