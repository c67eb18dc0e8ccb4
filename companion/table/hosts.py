"""The hosts of all games, from their kits."""

from __future__ import annotations

from typing import Any

from companion.kits import KITS
from companion.table.host import Host

HOSTS: dict[str, Host[Any]] = {name: kit.host for name, kit in KITS.items()}
