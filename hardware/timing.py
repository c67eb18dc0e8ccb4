"""The one place that says how bright a lamp is at a time, and when that changes next. Pure."""

from __future__ import annotations

import math

from msgspec import Struct, structs

from hardware.flourishes import Flourish
from hardware.panel import ALL_PARTS, DARK, Glow, PanelFrame, Parts

# Never more than three flashes a second: faster is a danger to people with photosensitive epilepsy.
FAST_SECONDS = 0.4
SLOW_SECONDS = 1.2
PULSE_SECONDS = 2.4
PULSE_STEP_SECONDS = 0.05
# Levels are shares of a lamp's light: twice the level is twice the current.
DIM_LEVEL = 0.12
GAMMA = 2.2
"""Light is perceived brightness to this power; with it a pulse looks even."""
# A pulse goes from a quarter to nearly full perceived brightness.
PULSE_LOW, PULSE_HIGH = 0.25, 0.98

_STEP_SECONDS = {Glow.FAST: FAST_SECONDS / 2, Glow.SLOW: SLOW_SECONDS / 2, Glow.PULSE: PULSE_STEP_SECONDS}
_STEADY = {Glow.OFF: 0.0, Glow.ON: 1.0, Glow.DIM: DIM_LEVEL}
# Without it a time that lies on a boundary could round to just before it, and never get past.
_NUDGE = 1e-6


def level(glow: Glow, now: float) -> float:
    """How bright a lamp is, 0 to 1. All lamps of a kind keep step, since they share the time.

    >>> [level(Glow.SLOW, now) for now in (0.0, 0.59, 0.6, 1.2)]
    [1.0, 1.0, 0.0, 1.0]
    """
    if glow in _STEADY:
        return _STEADY[glow]
    step = _step(glow, now)
    if glow is Glow.PULSE:
        phase = step * PULSE_STEP_SECONDS / PULSE_SECONDS
        swell = (1 - math.cos(2 * math.pi * phase)) / 2
        return float(round((PULSE_LOW + (PULSE_HIGH - PULSE_LOW) * swell) ** GAMMA, 3))
    return float(step % 2 == 0)


def next_change(glow: Glow, now: float) -> float:
    """When the lamp changes next; infinity if it's steady."""
    if glow in _STEADY:
        return math.inf
    return (_step(glow, now) + 1) * _STEP_SECONDS[glow]


def _step(glow: Glow, now: float) -> int:
    return math.floor(now / _STEP_SECONDS[glow] + _NUDGE)


class Animation(Struct, frozen=True):
    """What is on show: a frame whose rhythm began at some time, and perhaps a flourish over it."""

    frame: PanelFrame = DARK
    frame_begun: float = 0.0
    flourish: Flourish | None = None
    flourish_begun: float = 0.0

    def with_frame(self, frame: PanelFrame, now: float) -> Animation:
        """The animation with another frame.

        What begins to blink begins bright, so that it's seen at once; what goes on blinking keeps step.
        """
        before, after = dict(ALL_PARTS.glows(self.frame)), dict(ALL_PARTS.glows(frame))
        keeps_step = frame.loop == self.frame.loop and all(
            glow in _STEADY or before[lamp] is glow for lamp, glow in after.items()
        )
        return structs.replace(self, frame=frame, frame_begun=self.frame_begun if keeps_step else now)

    def at(self, now: float) -> tuple[Animation, PanelFrame, float]:
        """The animation without what has ended, the frame to see now, and when another frame comes."""
        frame, next_at = self._keyframe(now)
        if self.flourish is None:
            return self, frame, next_at
        ends = self.flourish_begun
        for beat in self.flourish.beats:
            ends += beat.seconds
            if now < ends - _NUDGE:
                return self, beat.layer.over(frame), min(ends, next_at)
        return structs.replace(self, flourish=None), frame, next_at

    def _keyframe(self, now: float) -> tuple[PanelFrame, float]:
        """What a frame shows now, where it shows several things in turns, and when the next one comes."""
        if not self.frame.loop:
            return self.frame, math.inf
        whole = sum(beat.seconds for beat in self.frame.loop)
        ends = self.frame_begun + math.floor((now - self.frame_begun + _NUDGE) / whole) * whole
        keyframes = self.frame.keyframes
        for seconds, shown in keyframes:
            ends += seconds
            if now < ends - _NUDGE:
                return shown, ends
        return keyframes[0][1], ends


def levels(frame: PanelFrame, parts: Parts, now: float) -> tuple[dict[str, float], float]:
    """How bright each lamp that exists is, and when one of them changes next; the rhythm began at 0."""
    glows = dict(parts.glows(frame))
    due = min((next_change(glow, now) for glow in set(glows.values())), default=math.inf)
    return {lamp: level(glow, now) for lamp, glow in glows.items()}, due
