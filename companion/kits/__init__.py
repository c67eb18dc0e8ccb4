"""The games that Hush comes with, one line each: the only list of them in the house.

`companion/games/NAME` has a game's rules, `companion/kits/NAME` everything else that it brings, joined in its `kit.py`.
A kit is imported when somebody first asks for it, so that this module can be imported from anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.kits.kit import Kit

NAMES = (
    "silencio",
    "similo",
    "silentes",
    "cisza",
)


def game_called(name: str) -> str:
    """The game that a person names, however they write it; a name of no game is left as it is.

    >>> game_called("Similo"), game_called("chess")
    ('similo', 'chess')
    """
    return name.casefold() if name.casefold() in NAMES else name


class Kits(Mapping[str, "Kit"]):
    """The kits by the names of their games, in the order in which the menu has them."""

    def __getitem__(self, name: str) -> Kit:
        if name not in NAMES:
            raise KeyError(name)
        return _load(name)

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


@cache
def _load(name: str) -> Kit:
    kit: Kit = import_module(f"companion.kits.{name}.kit").KIT
    return kit


KITS = Kits()
