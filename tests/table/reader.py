"""Somebody who has the printed card and looks at the panel, and knows nothing of the game."""

from __future__ import annotations

import re

from hardware.panel import PanelFrame
from hardware.signs import SIGN, STANDING_PATTERNS, Sign

SEVERAL = 5
"""A light that runs is seen in so many places at least."""


def read(frame: PanelFrame) -> set[str]:
    """Every sign that the panel may show, by what is seen of it over time."""
    seen = list(dict.fromkeys(str(shown) for _, shown in frame.keyframes))
    found = {sign.name for sign in SIGN.values() if is_shown(sign, seen)}
    if not found and all(map(is_standing, seen)):
        return {"turn"}
    return found


def is_standing(drawing: str) -> bool:
    """Whether it's what stands between questions: a meter, seats, a count, a drawn card."""
    return matches(STANDING_PATTERNS, drawing)


def is_shown(sign: Sign, seen: list[str]) -> bool:
    """Whether a sign is seen, and nothing else but what stands there."""
    own = [one for one in seen if matches(sign.patterns, one)]
    told = [one for one in own if not is_standing(one)]
    rest = [one for one in seen if one not in own and not is_standing(one)]
    least = SEVERAL if sign.name == "turn-up" else 1
    return len(told) >= least and all(matches(sign.also, one) for one in rest)


def matches(looks: tuple[str, ...], drawing: str) -> bool:
    """Whether a drawing looks like one of these."""
    return any(re.fullmatch(look, drawing) for look in looks)
