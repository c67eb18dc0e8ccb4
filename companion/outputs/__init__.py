"""What the box tells people: each output subscribes to the events of a session, and knows none of the others."""

from __future__ import annotations

from abc import ABC, abstractmethod

from companion.session.events import EventBus


class Output(ABC):
    """Something that shows, says or writes what happens."""

    @abstractmethod
    def attach(self, bus: EventBus) -> None:
        """Subscribe to what this output tells of."""
