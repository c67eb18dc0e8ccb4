"""Which devices are missing. Each degrades alone and is shown for a moment."""

from __future__ import annotations

from collections.abc import Callable

from companion.session.events import EventBus, Faulted
from companion.session.timed import Timed
from companion.table.sight import Sharpness
from companion.text import Text

# Seconds for which a fault is shown when it comes up, and when somebody asks.
FAULT_SECONDS = 4.0
# With these faults the box doesn't see the table.
BLINDING = frozenset({"no-camera", "no-eye"})
# One of the parts of the panel.
NO_PART = "no-part"
# The fault that is shown with how sharp the picture is.
BLURRED = "blurred"


class Faults:
    """The faults there are. `blinded` is called when the box loses sight of the table, `changed` after each change."""

    def __init__(
        self,
        bus: EventBus,
        clock: Callable[[], float],
        blinded: Callable[[], None],
        changed: Callable[[], None],
    ):
        self.active: frozenset[str] = frozenset()
        self.has_camera = False
        self.sharpness: Sharpness | None = None
        self.broken: Text | None = None
        self._bus = bus
        self._blinded = blinded
        self._changed = changed
        self._shown: Timed[str] = Timed(clock, FAULT_SECONDS)

    def report(self, name: str, is_active: bool, about: Text | None = None) -> None:
        """Note that a device is missing, or is back; `about` tells which part of the panel it is."""
        if name == NO_PART:
            self.broken = about if is_active else None
        if name == "no-camera":
            self.has_camera = not is_active
        if is_active == (name in self.active):
            return
        if is_active:
            self.active |= {name}
            if name in BLINDING:
                self._blinded()
            self._shown.show(name)
        else:
            self.active -= {name}
        if name == BLURRED and is_active:
            self.sharpness = None
        self._bus.publish(Faulted(name, is_active))
        self._changed()

    def on_sharpness(self, sharpness: Sharpness) -> None:
        """Note how sharp the lens is. While that changes somebody turns it, and it stays shown."""
        if sharpness == self.sharpness:
            return
        if self.sharpness is not None:
            self._shown.show(BLURRED)
        self.sharpness = sharpness
        self._changed()

    def remind(self) -> None:
        """Show one of the faults again."""
        if self.active:
            self._shown.show(min(self.active))

    @property
    def shown(self) -> str:
        """The fault to show now, or nothing."""
        return self._shown.value or ""

    @property
    def due(self) -> float | None:
        """When the fault isn't shown any more; None once that was seen to."""
        return self._shown.due

    def expire(self) -> None:
        """See to what has had its time."""
        self._shown.expire()
