"""The menu on the panel: which game, how many players, which variant; resume, undo, redo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from companion.games.game import option_table
from companion.kits import KITS
from companion.table.chooser import Chooser, Pick, tree
from companion.table.host import Host
from companion.text import N_, Text, raw

# As many as the bar's first page has lights; the page shows all.
MOST_UNFINISHED = 9


class NewGame(Struct, frozen=True):
    """Start this game with these options."""

    game: str
    chosen: dict[str, Any]


class Act(Struct, frozen=True):
    """Do something with the game that runs, or the last one."""

    what: Literal["back", "undo", "redo"]


class Resume(Struct, frozen=True):
    """Go on with a game of the record."""

    number: int


class Unfinished(Struct, frozen=True):
    """A game that can go on: its number in the record, which one it is, how far it came."""

    number: int
    game: str
    steps: int

    @property
    def label(self) -> Text:
        """The game in words."""
        return Text(N_("{game}, {steps} steps"), {"game": raw(self.game.capitalize()), "steps": self.steps})


def menu(hosts: Mapping[str, Host[Any]], *, running: bool, unfinished: Sequence[Unfinished] = ()) -> Chooser:
    """Everything the menu offers now; `unfinished` are the games beside the one that runs."""
    entries: list[tuple[tuple[Pick, ...], Any]] = []
    if running:
        entries += [
            ((Pick("back", Text(N_("back to the game"))),), Act("back")),
            ((Pick("undo", Text(N_("take a move back"))),), Act("undo")),
            ((Pick("redo", Text(N_("repeat a move"))),), Act("redo")),
        ]
    resume = Pick("resume", Text(N_("go on with a game")))
    entries += [
        ((resume, Pick(str(one.number), one.label)), Resume(one.number)) for one in unfinished[:MOST_UNFINISHED]
    ]
    for name, host in hosts.items():
        entries += new_games(name, host)
    return Chooser(tree(entries))


def new_games(name: str, host: Host[Any]) -> Iterator[tuple[tuple[Pick, ...], NewGame]]:
    """A game with every number of players and every variant of the panel's menu."""
    options = {option.name: option for option in option_table(host.game.options_type)}
    for players in options["players"].allowed:
        for key, label, chosen in KITS[name].variants:
            steps = (Pick(name, raw(name.capitalize())), Pick(str(players), raw(players)), Pick(key, Text(label)))
            yield steps, NewGame(name, {"players": players, **host.at_table, **chosen})
