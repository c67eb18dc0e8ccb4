"""What the panel shows of a box: what comes first where several things could be shown. It changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.game import Over
from companion.table.host import Host
from hardware import lights
from hardware.lights import PATTERNS, compose
from hardware.panel import BAR, DARK, Layer, PanelFrame

if TYPE_CHECKING:
    from companion.table.box import Box


def frame_of(box: Box, is_open: bool = False) -> PanelFrame:
    """The whole panel; an open one is without what is for one player's eyes alone."""
    if box.countdown is not None:
        return compose(lights.countdown(box.countdown), on=DARK)
    if box.play is None or box.host is None:
        return compose(box.chooser.layer(box.panel.parts.bar or BAR)) if box.chooser else PATTERNS["idle"].frame
    state, over = box.public, box.play.pending
    if isinstance(over, Over) and box.chooser is None:
        return box.host.ending(state, over)
    standing = box.host.frame(state) if not isinstance(over, Over) else DARK
    secret = box.host.peek(box.play.state) if box.is_peeking and not is_open else None
    return top_layer(box, box.host, state, secret).over(standing)


def top_layer(box: Box, host: Host[Any], state: Any, secret: Layer | None) -> Layer:
    """What lies over the game's own lights."""
    if box.chooser is not None:
        return box.chooser.layer(box.panel.parts.bar or BAR)
    if secret is not None:
        return secret
    if box.refusal is not None:
        return box.refusal
    if box.fault_shown:
        return PATTERNS[box.fault_shown].layer
    if box.sight is not None and box.sight.is_busy:
        return PATTERNS["hand"].layer
    if box.doubt is not None:
        return PATTERNS["doubt"].layer
    if box.proposal.clear:
        return host.shown(state, box.proposal.clear[-1])
    return host.asking(state, box.sight)
