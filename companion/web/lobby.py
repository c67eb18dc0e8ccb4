"""Open connections, bounded so that paired phones always have room.

Anybody on the network can open connections and say nothing. Those that haven't shown a phone's cookie are few for each
address and few in all; when there are more, the one that has been silent longest goes, never the one that comes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from starlette.types import Scope

CONNECTIONS_AN_ADDRESS = 16
STRANGERS = 160
CONNECTIONS_A_PHONE = 16


class Connection(Protocol):
    """A connection."""

    address: str

    @property
    def is_idle(self) -> bool:
        """Whether it's asking for nothing."""

    def cut(self) -> None:
        """End it at once."""


class Lobby:
    """Who is connected. `phone_of` tells a phone by its request, None for a stranger."""

    def __init__(self, phone_of: Callable[[Scope], str | None]):
        self._phone_of = phone_of
        # Oldest first; one that has asked for something since is young again.
        self._strangers: dict[Connection, str] = {}
        self._phones: dict[str, dict[Connection, None]] = {}

    def on_connect(self, connection: Connection) -> None:
        """Somebody connects, and has said nothing yet."""
        near = [one for one, address in self._strangers.items() if address == connection.address]
        if len(near) >= CONNECTIONS_AN_ADDRESS:
            self._cut(near[0])
        elif len(self._strangers) >= STRANGERS:
            self._cut(next(iter(self._strangers)))
        self._strangers[connection] = connection.address

    def on_request(self, connection: Connection, scope: Scope) -> None:
        """A whole request has come: now it's known whose connection this is."""
        phone = self._phone_of(scope)
        self.on_close(connection)
        if phone is None:
            self._strangers[connection] = connection.address
            return
        connections = self._phones.setdefault(phone, {})
        if len(connections) >= CONNECTIONS_A_PHONE:
            self._cut(next((one for one in connections if one.is_idle), next(iter(connections))))
        self._phones.setdefault(phone, {})[connection] = None

    def on_close(self, connection: Connection) -> None:
        """A connection has ended, or is counted anew."""
        self._strangers.pop(connection, None)
        for phone, connections in list(self._phones.items()):
            connections.pop(connection, None)
            if not connections:
                del self._phones[phone]

    def _cut(self, connection: Connection) -> None:
        self.on_close(connection)
        connection.cut()
