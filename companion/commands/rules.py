"""Commands around the rules: simulate, replay, engine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from companion.catalogue import _
from companion.console import tell
from companion.kits import NAMES, game_called
from companion.text import N_


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command(help=_(SIMULATE, game=NAMES[0]))(simulate)
    app.command(help=_(REPLAY))(replay)
    app.command(help=_(ENGINE))(engine)


NONE_YET = N_("No finished game yet: `companion run` plays one.")
SIMULATE = N_(
    "Let bots play whole games and show what comes out.\n\nWithout a game, all are shown: one game to watch, "
    "then the results of many.\n\nExamples:\n\n  companion simulate\n\n  companion simulate {game} --games 1000 "
    "--players 4 --jobs 2\n\n  companion simulate {game} --option players=3"
)
REPLAY = N_(
    "Step through a recorded game and show the table after each move.\n\nGAME is the number of a finished game, as "
    "`companion stats` shows it, the last one if left out; or a game exported as JSON lines; or another journal (then "
    "--game picks one, the latest by default). In a terminal Enter goes on, b goes back, q ends."
)
ENGINE = N_(
    "Answer questions about the rules, one JSON object a line in and one out, for other programs.\n\nTry: "
    'echo \'{"cmd": "games"}\' | companion engine\n\ndocs/engine-protocol.md describes all commands.'
)


def simulate(
    game: Annotated[
        str | None, typer.Argument(help=_(N_("one of {games}; all if left out"), games=", ".join(NAMES)))
    ] = None,
    games: Annotated[int, typer.Option(min=1, help=_(N_("how many games to play")))] = 200,
    players: Annotated[int | None, typer.Option(help=_(N_("how many players")))] = None,
    seed: Annotated[int, typer.Option(help=_(N_("the same seed gives the same games")))] = 1,
    policy: Annotated[str, typer.Option(help=_(N_("how the bots play: sensible or random")))] = "sensible",
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="NAME=VALUE", help=_(N_("a rule option, name=value; may be repeated"))),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help=_(N_("how many processes to use")))] = 1,
    watch: Annotated[
        bool | None, typer.Option("--watch/--no-watch", help=_(N_("show one whole game first, move by move")))
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help=_(N_("print the results as JSON")))] = False,
) -> None:
    """Let bots play whole games."""
    from companion.bots.policy import POLICIES
    from companion.commands.simulation import run, wanted_options
    from companion.games import GAMES

    names = NAMES if game is None else (known_game(game),)
    if policy not in POLICIES:
        fail(_(N_("There is no policy {name}. There are: {known}."), name=policy, known=", ".join(POLICIES)))
    for name in names:
        chosen = wanted_options(GAMES[name], players, option or [])
        shown = (game is None or games == 1) if watch is None else watch
        run(
            name, chosen, games=games, seed=seed, policy=policy, jobs=jobs, watch=shown and not as_json, as_json=as_json
        )


def replay(
    context: typer.Context,
    what: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help=_(N_("a game's number, an exported game, or another journal"))),
    ] = None,
    game: Annotated[int | None, typer.Option(help=_(N_("which game of a journal; the latest if left out")))] = None,
    seat: Annotated[int | None, typer.Option(help=_(N_("show only what this player may see, counted from 1")))] = None,
    step: Annotated[bool | None, typer.Option(help=_(N_("wait for a key after each move")))] = None,
) -> None:
    """Step through a recorded game."""
    from companion.commands.record import own_journal
    from companion.commands.replaying import load, own, step_through

    is_own = what is None or (what.isdigit() and not Path(what).exists())
    if is_own:
        play = own(own_journal(context), game if what is None else int(what))
    else:
        play = load(Path(what or ""), game)
    step_through(play, seat, sys.stdin.isatty() if step is None else step)


def engine() -> None:
    """Answer engine requests until the input ends."""
    from companion.engine import serve

    for answer in serve(sys.stdin.buffer):
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()


def known_game(name: str) -> str:
    """The game that somebody named on the command line; ends with a sentence where there is none."""
    game = game_called(name)
    if game not in NAMES:
        fail(_(N_("There is no game {game}. There are: {known}."), game=name, known=", ".join(NAMES)))
    return game


def fail(reason: str) -> Any:
    """End with a sentence on stderr and the exit code for a wrong call."""
    tell(reason, typer.colors.RED)
    raise typer.Exit(2)
