"""`companion demo`: people play a whole game on the simulated table, through camera and buttons alone."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from companion.catalogue import _, current
from companion.commands.rules import fail, known_game
from companion.kits import NAMES
from companion.text import LANGUAGES, N_

DEMO = N_(
    "Watch a whole game on the simulated table: people lay rendered cards under a simulated camera and press buttons; "
    "the box follows with its lights.\n\nIt needs no Pi, no screen and no sound. The table is drawn beside the panel, "
    "with the names of what the box has read. Now and then somebody makes a mistake or the camera can't name a card, "
    "and the box has to cope. Ctrl-C ends it. Where the output is no terminal, there is a line for each thing that "
    "happens."
)
TONGUES = ", ".join(LANGUAGES)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(help=_(DEMO))(demo)


def demo(
    game: Annotated[str, typer.Argument(help=_(N_("one of {games}"), games=", ".join(NAMES)))] = NAMES[0],
    seed: Annotated[int, typer.Option(help=_(N_("the same seed gives the same game")))] = 1,
    players: Annotated[int | None, typer.Option(help=_(N_("how many players; the fewest if left out")))] = None,
    speed: Annotated[
        float, typer.Option(min=0.1, help=_(N_("how many times faster; at 1 a game takes a minute or two")))
    ] = 1.0,
    mistakes: Annotated[int, typer.Option(min=0, help=_(N_("how many mistakes people make")))] = 4,
    doubts: Annotated[
        float, typer.Option(min=0, max=1, help=_(N_("share of the cards that the camera can't name, 0 to 1")))
    ] = 0.03,
    language: Annotated[
        str | None,
        typer.Option(help=_(N_("the language of the demo, such as {languages}"), languages=TONGUES)),
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help=_(N_("a line for each thing, no picture")))] = False,
) -> None:
    """Watch a whole game on the simulated table."""
    from companion.commands.simulation import wanted_options
    from companion.demo.show import DemoWish, watch
    from companion.table.hosts import HOSTS

    game = known_game(game)
    if language is not None and language not in LANGUAGES:
        fail(_(N_("There is no language {language}. There are: {known}."), language=language, known=TONGUES))
    if language is not None:
        current.speak(language)
    chosen = wanted_options(HOSTS[game].game, players, [])
    with tempfile.TemporaryDirectory() as folder:
        watch(DemoWish(game, chosen, seed, speed, mistakes, doubts, plain), Path(folder))
