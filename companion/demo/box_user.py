"""Somebody's hands at a box: they lay the table under its camera and press its buttons, calmly.

They know what lies there and what they want; what the box makes of it they see on its panel.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from companion.outputs.panel_frame import frame_of
from companion.play import History
from companion.session.session import Session
from companion.table.chooser import Node, first_gestures_to
from companion.table.doubt import Doubt, FaceName
from companion.table.host import Host
from companion.table.scenes import least_moved
from companion.table.simulated_table import SimulatedTable
from companion.text import Text
from hardware.button_signals import END_HOLD_SECONDS, HeldToEnd, Holding, LongPress, Press
from hardware.panel import Button, PanelFrame
from vision.simulated import Scene

CALM_SECONDS = 0.6
"""Seconds a calm person leaves between two presses."""
STUBBORN = 12
"""So often somebody presses ✖ before giving up; the box never has that much to take back."""


class DemoStep(Struct, frozen=True):
    """Something a person did and what the panel showed then; a mistake comes with what the box said about it."""

    kind: str
    text: Text
    frame: PanelFrame
    answer: Text | None = None


class PlayReport(Struct):
    """What came of it. `refusals` are tables that the rules refuse, `explained` those the box gave a reason for."""

    moves: int = 0
    seen: int = 0
    asked: int = 0
    picked: int = 0
    named: int = 0
    presses: int = 0
    refusals: int = 0
    explained: int = 0
    wrong: int = 0
    mistakes: Counter[str] = field(default_factory=Counter)


class BoxUser:
    """Somebody at one box. Without a simulated table there is no camera, and everything goes by buttons."""

    def __init__(
        self,
        session: Session,
        simulated: SimulatedTable | None,
        rng: random.Random,
        pause: Callable[[float], None] = lambda seconds: None,
        touch: Callable[[Button], None] | None = None,
        press_long: Callable[[Button], None] | None = None,
        hold_confirm: Callable[[], None] | None = None,
    ):
        self.session = session
        self.simulated = simulated
        self.rng = rng
        self.pause = pause
        self.touch = touch or (lambda button: self.session.on_signal(Press(button)))
        self.press_long = press_long or (lambda button: self.session.on_signal(LongPress(button)))
        self.hold_confirm = hold_confirm or self._hold_confirm
        running = session.shown.running
        assert running is not None
        self.host: Host[Any] = running.host
        self.game = self.host.game
        self.report = PlayReport()
        self.laid = Scene()
        self.camera_back: float | None = None
        """When the camera is there again; None while it is."""

    @property
    def played(self) -> History:
        """What the box has of the game."""
        running = self.session.shown.running
        assert running is not None
        return running.history

    @property
    def frame(self) -> PanelFrame:
        """What the panel shows."""
        return frame_of(self.session.shown)

    @property
    def has_camera(self) -> bool:
        """Whether the box sees the table now."""
        return self.simulated is not None and self.camera_back is None

    # Cards

    def lay_table(self, table: Scene) -> None:
        """Lay the table as in a scene and let the box look, if its camera is there."""
        self.wait(CALM_SECONDS)
        if self.camera_back is not None and self.session.clock() >= self.camera_back:
            self.camera_back = None
            self.session.on_fault("no-camera", False)
        self.laid = least_moved(self.game.name, self.laid, table)
        if self.simulated is not None and self.camera_back is None:
            for sight in self.simulated.watch(self.laid):
                self.session.on_sight(sight)
            self._let_think()

    def _let_think(self) -> None:
        """Whatever is due by now is done, as by the loop that owns a box: a long search goes on in slices."""
        while (due := self.session.due) is not None and due <= self.session.clock():
            self.session.tick()

    def wait(self, seconds: float) -> None:
        """Let time pass, for the box too."""
        self.pause(seconds)
        self.session.tick()

    # Buttons

    def press(self, *buttons: Button) -> None:
        """Press buttons, calmly."""
        for button in buttons:
            self.wait(CALM_SECONDS)
            self.report.presses += 1
            self.touch(button)
        self.grant()

    def grant(self) -> None:
        """Hold ✔ where the box waits for it."""
        if self.session.shown.hold is not None:
            self.wait(CALM_SECONDS)
            self.report.presses += 1
            self.hold_confirm()

    def _hold_confirm(self) -> None:
        """Hold ✔ until what is final is done."""
        self.session.on_signal(Holding(Button.CONFIRM))
        self.pause(END_HOLD_SECONDS)
        self.session.on_signal(HeldToEnd(Button.CONFIRM))

    def pick(self, wanted: Any) -> None:
        """Reach a move with ◀ ▶ ✔ alone, past whatever the box proposes or asks about."""
        for _ in range(STUBBORN):
            shown = self.session.shown
            if shown.chooser is not None and path_to(shown.chooser.nodes, wanted):
                break
            is_free = shown.chooser is None and not shown.proposal.explanations
            is_open = is_free and (shown.doubt, shown.complaint) == (None, None)
            self.press(self._nearer_end(wanted) if is_open else Button.BACK)
        self.pick_in_chooser(wanted)

    def _nearer_end(self, wanted: Any) -> Button:
        """▶ lights the first option, ◀ the last."""
        running = self.session.shown.running
        assert running is not None
        way = first_gestures_to(self.host.options(running.public_state), wanted)
        return way[0].button if way else Button.RIGHT

    def pick_in_chooser(self, wanted: Any) -> None:
        """Go to a value of the open chooser and take it."""
        chooser = self.session.shown.chooser
        way = path_to(chooser.nodes, wanted) if chooser is not None else []
        assert way, f"{wanted} can't be picked"
        for index in way:
            assert chooser is not None
            right, left = ((by * (index - chooser.at)) % len(chooser.level) for by in (1, -1))
            self.press(*[Button.RIGHT] * right if right <= left else [Button.LEFT] * left, Button.CONFIRM)
            chooser = self.session.shown.chooser

    def name_cards(self) -> None:
        """Name the cards that the box asks about, and wave away what it can do without."""
        before = self.played.number
        while self.session.shown.doubt is not None and self.played.number == before:
            name = self._lying_at(self.session.shown.doubt)
            if name is None:
                self.press(Button.BACK)
                continue
            self.report.named += 1
            self.press(Button.RIGHT)
            self.pick_in_chooser(name)

    def _lying_at(self, doubt: Doubt) -> FaceName | None:
        """What the card in question really is, where that is one of the answers."""
        near = min(self.laid.cards, key=lambda card: math.hypot(card.x - doubt.seen.x, card.y - doubt.seen.y))
        return next((name for name in doubt.names if name.card == self.host.table.layout_name(near.card)), None)


def path_to(nodes: tuple[Node, ...], wanted: Any) -> list[int]:
    """The indices that lead to a value in a tree of options."""
    found = ((index, node) for index, node in enumerate(nodes) if node.leads_to(wanted))
    index, node = next(found, (0, None))
    return [] if node is None else [index, *path_to(node.branches, wanted)]
