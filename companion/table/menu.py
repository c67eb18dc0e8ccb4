"""The menu on the panel: what can be done with the game that runs, and new games; each entry has its own light."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from companion.games.game import Move, option_table
from companion.kits import KITS
from companion.table.chooser import Chooser, Pick, tree
from companion.table.host import Host
from companion.text import N_, Text, raw

# As many as the bar's first page has lights; the page shows all.
MAX_UNFINISHED = 9


class NewGame(Struct, frozen=True):
    """Start this game with these options."""

    game: str
    chosen: dict[str, Any]


class MenuAct(Struct, frozen=True):
    """Do something with the game that runs, or the last one."""

    what: Literal["back", "undo", "redo", "believe", "skip-lessons"]


class MishapReport(Struct, frozen=True):
    """Something has gone wrong at the table: a move that is no answer to the question."""

    move: Move


class Resume(Struct, frozen=True):
    """Go on with a game of the record."""

    game_id: int


class Unfinished(Struct, frozen=True):
    """A game that can go on: its number in the record, which one it is, how far it came."""

    game_id: int
    game: str
    steps: int

    @property
    def label(self) -> Text:
        """The game in words."""
        return Text(N_("{game}, {steps} steps"), {"game": raw(self.game.capitalize()), "steps": self.steps})


PLAYERS = N_("{count} players")
BACK, UNDO, REDO, RESUME, WRONG, KNOWN, GAMES = range(7)
"""The lights of the menu's entries, from 0; the games follow one another."""
ENTRIES = {
    BACK: N_("back to the game"),
    UNDO: N_("take a move back"),
    REDO: N_("repeat a move"),
    RESUME: N_("go on with a game"),
    WRONG: N_("something went wrong"),
    KNOWN: N_("we know this game"),
}


BELIEVE = Pick("believe", Text(N_("take the table as it lies")), (), 13, "menu")
"""Under what has gone wrong, on a light of its own between the verbs that stand there."""


def menu(
    hosts: Mapping[str, Host[Any]],
    *,
    running: bool,
    unfinished: Sequence[Unfinished] = (),
    reports: Iterable[tuple[tuple[Pick, ...], Move]] = (),
    is_taught: bool = False,
    can_believe: bool = False,
) -> Chooser:
    """Everything the menu offers now; `unfinished` are the games beside the one that runs.

    A table that a camera sees can be taken as it lies: a game in mid-play, or one that has parted from its table.
    """
    paths: list[tuple[tuple[Pick, ...], Any]] = []
    if running:
        paths += [
            ((entry(BACK),), MenuAct("back")),
            ((entry(UNDO),), MenuAct("undo")),
            ((entry(REDO),), MenuAct("redo")),
        ]
    for at, one in enumerate(unfinished[:MAX_UNFINISHED]):
        paths.append(((entry(RESUME), Pick(str(one.game_id), one.label, (), at, "menu")), Resume(one.game_id)))
    paths += [((entry(WRONG), *path), MishapReport(move)) for path, move in reports]
    if can_believe:
        paths.append(((entry(WRONG), BELIEVE), MenuAct("believe")))
    if is_taught:
        # Halfway round: from either end nothing is farther away than without it.
        paths.append(((entry(KNOWN),), MenuAct("skip-lessons")))
    for at, (name, host) in enumerate(hosts.items()):
        paths += new_games(name, host, GAMES + at)
    return Chooser(tree(paths))


def entry(place: int) -> Pick:
    """One of the menu's own entries."""
    return Pick(f"menu-{place}", Text(ENTRIES[place]), (), place, "menu")


def new_games(name: str, host: Host[Any], place: int) -> Iterator[tuple[tuple[Pick, ...], NewGame]]:
    """A game with every number of players and every variant of the panel's menu."""
    options = {option.name: option for option in option_table(host.game.options_type)}
    for players in options["players"].allowed:
        for at, (key, label, chosen) in enumerate(KITS[name].variants):
            steps = (
                Pick(name, raw(name.capitalize()), (), place, "menu"),
                Pick(str(players), Text(PLAYERS, {"count": players}), (), players - 1, "menu"),
                Pick(key, Text(label), (), at, "menu"),
            )
            yield steps, NewGame(name, {"players": players, **host.at_table, **chosen})
