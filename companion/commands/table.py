"""Commands of the running box: run, config."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from companion.catalogue import _, current
from companion.commands.given import complain, effective
from companion.commands.rules import NONE_YET, fail, known_game
from companion.kits import NAMES
from companion.text import N_, Text
from companion.web.words import SERVE_HELP

if TYPE_CHECKING:
    from companion.commands.statistics import FinishedGame
    from companion.journal import Journal

MID_PLAY = N_("the game is in mid-play: the first table that the camera sees is taken as it lies")
KNOWN = N_("you know this game: nothing is explained")
RUN = N_(
    "Run the box: menu, game, lights and buttons.\n\nWithout a game an unfinished one goes on, or the menu comes up. "
    "In a terminal the panel is drawn there and keys act as buttons: ← → arrows, Enter for ✔, x for ✖, ? for "
    "“what now?”, h to hold ✔, m for the menu, s to shut down."
)
STATS = N_("Show what was played: games, wins, scores and length, as a table and a chart.")
AUDIT = N_(
    "What was against the rules in a game of hidden hands, once they lie open; information, never a penalty.\n\n"
    "Give each player's remaining cards, players separated by a slash: companion audit 3 r4,b5/g7/-"
)
EXPORT = N_("Write a recorded game as JSON lines, for keeping or for `companion replay`.")
CONFIG = N_("Show the effective configuration and where each value comes from.")


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command(help=_(RUN))(run)
    app.command(help=_(CONFIG))(config)
    app.command(help=_(STATS))(stats)
    app.command(help=_(EXPORT))(export)
    # Hands may begin with a player who has none left: a dash isn't an option here.
    app.command(help=_(AUDIT), context_settings={"ignore_unknown_options": True})(audit)


def run(
    context: typer.Context,
    game: Annotated[
        str | None, typer.Argument(help=_(N_("one of {games}; else the last one goes on"), games=", ".join(NAMES)))
    ] = None,
    players: Annotated[int | None, typer.Option(help=_(N_("how many players")))] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="NAME=VALUE", help=_(N_("a rule option, name=value; may be repeated"))),
    ] = None,
    page: Annotated[bool, typer.Option(help=_(SERVE_HELP))] = True,
    mid_play: Annotated[bool, typer.Option("--mid-play", help=_(MID_PLAY))] = False,
    known: Annotated[bool, typer.Option("--known", help=_(KNOWN))] = False,
) -> None:
    """Run the box."""
    from companion.commands.serving import GameRequest, serve
    from companion.commands.simulation import wanted_options
    from companion.table.hosts import HOSTS

    game = None if game is None else known_game(game)
    chosen = {} if game is None else wanted_options(HOSTS[game].game, players, option or [])
    settings = effective(context)
    if mid_play and game is None:
        fail(_(N_("Say which game lies on the table: `companion run GAME --mid-play`.")))
    if known and game is None:
        fail(_(N_("Say which game you know: `companion run GAME --known`.")))
    serve(settings, GameRequest(game, chosen, mid_play, known), settings.web if page else None)


def config(context: typer.Context) -> None:
    """Show the effective configuration."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text as RichText

    settings = effective(context)
    table = Table()
    for heading in (N_("key"), N_("value"), N_("from")):
        table.add_column(_(heading))
    for row in settings.rows():
        # As texts: square brackets in a path aren't Rich's markup.
        table.add_row(*map(RichText, row))
    Console().print(table)


def stats(context: typer.Context) -> None:
    """Show what was played."""
    from rich.console import Console

    from companion.commands.record import own_journal
    from companion.commands.statistics import chart, latest, table

    played = finished_games(own_journal(context))
    console = Console()
    if not played:
        console.print(_(NONE_YET))
        return
    console.print(table(played))
    console.print(chart(played))
    console.print(latest(played))


def export(
    context: typer.Context,
    number: Annotated[int, typer.Argument(help=_(N_("the game's number in the journal")))],
) -> None:
    """Write a recorded game as JSON lines."""
    from companion.commands.record import own_journal

    journal = own_journal(context)
    if journal is None or number not in [entry.id for entry in journal.games()]:
        fail(_(N_("There is no game {number} in the journal; `companion stats` shows which there are."), number=number))
        return
    for line in journal.export(number):
        typer.echo(line)


def audit(
    context: typer.Context,
    number: Annotated[int, typer.Argument(help=_(N_("the game's number in the journal")))],
    hands: Annotated[str, typer.Argument(help=_(N_("the cards left in each hand, such as r4,b5/g7/-")))],
) -> None:
    """What was against the rules."""
    from companion.commands.record import own_journal, resumed
    from companion.games.game import BadState, IllegalMove
    from companion.games.notation import read_move
    from companion.kits import KITS

    journal = own_journal(context)
    known = {} if journal is None else {entry.id: entry.game for entry in journal.games()}
    kit = KITS.get(known.get(number, ""))
    if journal is None or kit is None or kit.audit is None:
        unknown = N_(
            "There is no game {number} in the journal that can be audited; `companion stats` shows which there are."
        )
        fail(_(unknown, number=number))
        return
    play = resumed(journal, number)
    left = [tuple(card for card in hand.split(",") if card != "-") for hand in hands.split("/")]
    try:
        findings = kit.audit(play.state.options, [read_move(kit.game, move) for move in play.notation], left)
    except (BadState, IllegalMove) as error:
        fail(current.say(error.reason))
    for finding in findings:
        typer.echo(current.say(finding))
    if not findings:
        typer.echo(_(N_("Nothing was against the rules, as far as the cards can tell.")))


def finished_games(journal: Journal | None) -> list[FinishedGame]:
    """Every finished game in the journal; one that can't be read is told and left out."""
    from companion.commands.statistics import FinishedGame
    from companion.games import GAMES

    if journal is None:
        return []
    finished = journal.with_results(entry for entry in journal.games() if entry.ended is not None)
    lost = [str(entry.id) for entry in finished if entry.result is None or entry.game not in GAMES]
    if lost:
        complain([Text(N_("These games can't be read and aren't counted: {numbers}"), {"numbers": ", ".join(lost)})])
    return [
        FinishedGame(entry.id, entry.game, entry.started[:10], entry.result)
        for entry in finished
        if entry.result is not None and entry.game in GAMES
    ]
