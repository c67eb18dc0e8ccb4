"""What a panel shows of a situation: what comes first where several things could be shown. It changes nothing."""

from __future__ import annotations

from companion.games.game import Over
from companion.session.faults import BLURRED
from companion.session.situation import Running, Situation
from hardware import lights
from hardware.lights import PATTERNS, compose
from hardware.panel import BAR, DARK, Layer, PanelFrame


def frame_of(shown: Situation, lamps: int = BAR, is_open: bool = False) -> PanelFrame:
    """The whole panel, whose bar has so many lamps; an open one is without what is for one player's eyes alone."""
    # Without a bar there is a page, which draws a whole one.
    lamps = lamps or BAR
    if shown.countdown is not None:
        return compose(lights.countdown(shown.countdown), on=DARK)
    running = shown.running
    if running is None:
        return compose(shown.chooser.layer(lamps)) if shown.chooser else PATTERNS["idle"].frame
    over = running.pending
    if isinstance(over, Over) and shown.chooser is None:
        return running.host.ending(running.public, over)
    standing = running.host.frame(running.public) if not isinstance(over, Over) else DARK
    return top_layer(shown, running, lamps, is_open).over(standing)


def top_layer(shown: Situation, running: Running, lamps: int, is_open: bool) -> Layer:
    """What lies over the game's own lights."""
    if shown.chooser is not None:
        return shown.chooser.layer(lamps)
    if shown.secret is not None and not is_open:
        return shown.secret
    if shown.refusal is not None:
        return shown.refusal
    if shown.fault == BLURRED and shown.lens is not None:
        return lights.lens(shown.lens.now, shown.lens.best)
    if shown.fault:
        return PATTERNS[shown.fault].layer
    if shown.sight is not None and shown.sight.is_busy:
        return PATTERNS["hand"].layer
    if shown.doubt is not None:
        return PATTERNS["doubt"].layer
    if shown.proposal.clear:
        return running.host.shown(running.public, shown.proposal.clear[-1])
    return running.host.asking(running.public, shown.sight)
