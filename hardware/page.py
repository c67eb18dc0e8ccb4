"""The panel as the page draws it, in JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from hardware import timing
from hardware.button_signals import END_HOLD_SECONDS, LONG_PRESS_SECONDS
from hardware.flourishes import Flourish
from hardware.panel import ALL_PARTS, SHAPES, Button, PanelFrame, Parts


def frame_as_json(
    frame: PanelFrame,
    parts: Parts = ALL_PARTS,
    flourish: Flourish | None = None,
    confirm: float = LONG_PRESS_SECONDS[Button.CONFIRM],
    line: Sequence[str] = (),
) -> bytes:
    """Everything a page needs to draw the panel and keep its rhythm by itself.

    `confirm` is how long ✔ is held now, `line` what the panel's text line says.

    >>> import json
    >>> said = json.loads(frame_as_json(PanelFrame.parse("#.............. .... .~")))
    >>> said["lamps"]["bar1"], said["lamps"]["moon"], said["shapes"]["moon"], said["rhythm"]["pulse"]
    ('on', 'pulse', 'crescent', 2.4)
    """
    said: dict[str, Any] = {
        "lamps": dict(parts.glows(frame)),
        "shapes": {lamp: SHAPES[lamp] for lamp in parts.lamps},
        "buttons": {button: button.symbol for button in parts.buttons},
        "rhythm": {
            "slow": timing.SLOW_SECONDS,
            "fast": timing.FAST_SECONDS,
            "pulse": timing.PULSE_SECONDS,
            "dim": timing.DIM_LEVEL,
        },
        "holds": {
            Button.CONFIRM: confirm,
            Button.BACK: LONG_PRESS_SECONDS[Button.BACK],
            "end": END_HOLD_SECONDS,
        },
        "frame": str(frame),
        "reading": frame.bar_kind,
        "line": line,
    }
    if frame.loop:
        said["loop"] = [{"seconds": seconds, "lamps": dict(parts.glows(shown))} for seconds, shown in frame.keyframes]
        said["lamps"] = said["loop"][0]["lamps"]
    if flourish is not None:
        said["flourish"] = {
            "name": flourish.name,
            "beats": [
                {"seconds": beat.seconds, "lamps": dict(parts.glows(beat.layer.over(frame.keyframes[0][1])))}
                for beat in flourish.beats
            ],
        }
    return msgspec.json.encode(said)
