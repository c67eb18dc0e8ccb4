"""The hosts of the four games."""

from __future__ import annotations

from typing import Any

from companion.table.host import Host
from companion.table.hosts.cisza import CiszaHost
from companion.table.hosts.silencio import SilencioHost
from companion.table.hosts.silentes import SilentesHost
from companion.table.hosts.similo import SimiloHost

HOSTS: dict[str, Host[Any]] = {
    host.game.name: host for host in (SilencioHost(), SimiloHost(), SilentesHost(), CiszaHost())
}
