"""The panel on the page: the frame as JSON out, button contacts in. How it travels is the page's business."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from hardware import timing
from hardware.flourishes import Flourish
from hardware.hands import LONG
from hardware.metronome import LitPanel
from hardware.panel import ALL_PARTS, DARK, SHAPES, Button, PanelFrame, Parts


def frame_as_json(
    frame: PanelFrame,
    parts: Parts = ALL_PARTS,
    flourish: Flourish | None = None,
    confirm: float = LONG[Button.CONFIRM],
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
        "rhythm": {"slow": timing.SLOW, "fast": timing.FAST, "pulse": timing.PULSE, "dim": timing.DIM},
        "holds": {Button.CONFIRM: confirm, Button.BACK: LONG[Button.BACK]},
        "frame": str(frame),
        "reading": frame.reading,
        "line": line,
    }
    if frame.loop:
        said["loop"] = [{"seconds": seconds, "lamps": dict(parts.glows(moment))} for seconds, moment in frame.moments]
        said["lamps"] = said["loop"][0]["lamps"]
    if flourish is not None:
        said["flourish"] = {
            "name": flourish.name,
            "beats": [
                {"seconds": beat.seconds, "lamps": dict(parts.glows(beat.layer.over(frame.moments[0][1])))}
                for beat in flourish.beats
            ],
        }
    return msgspec.json.encode(said)


class Contact(msgspec.Struct, frozen=True):
    """What the page says when a button on it goes down or up."""

    button: Button
    down: bool


class PagePanel(LitPanel):
    """The page's twin. `send` gets JSON at once when the frame changes or a flourish begins."""

    def __init__(
        self,
        send: Callable[[bytes], None],
        parts: Parts = ALL_PARTS,
        clock: Callable[[], float] | None = None,
    ):
        super().__init__(parts, clock)
        self._drawn = Parts(bar=0, lamps=(), buttons=())
        self._send = send
        self.start()

    def show(self, frame: PanelFrame) -> None:
        """Send the frame, if it's another one."""
        changed = frame != self._scene.frame and not self._closed
        super().show(frame)
        if changed:
            self._safely(self._send, frame_as_json(frame, self.parts))

    def flourish(self, flourish: Flourish) -> None:
        """Send the flourish with its beats; the page plays them and returns to the frame."""
        super().flourish(flourish)
        if not self._closed:
            self._safely(self._send, frame_as_json(self._scene.frame, self.parts, flourish))

    def heard(self, message: bytes) -> None:
        """A button message from the page. Raises `msgspec.ValidationError` for anything else."""
        contact = msgspec.json.decode(message, type=Contact)
        self.contact(contact.button, contact.down)

    def _draw(self, bright: dict[str, float]) -> None:
        """The page animates by itself, from the rhythm it was sent."""

    def _leave(self) -> None:
        self._safely(self._send, frame_as_json(DARK, self.parts))
