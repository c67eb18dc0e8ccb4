"""`companion demo`: a scripted person plays a whole game on the simulated table, through camera and buttons alone."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.catalogue import _, current
from companion.commands.rules import fail
from companion.games.text import N_
from companion.kits import KITS, NAMES

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text as Line

    from companion.demo.person import Person, Step
    from companion.session.session import Session
    from companion.table.twin import Twin
    from hardware.panel import PanelFrame

DEMO = N_(
    "Watch a whole game on the simulated table: a scripted person lays rendered cards under a simulated camera and "
    "presses buttons; the box follows with its lights.\n\nIt needs no Pi, no screen and no sound. Now and then the "
    "person makes a mistake or the camera can't name a card, and the box has to cope."
)
GLYPHS = {"off": "·", "on": "█", "dim": "▒", "slow": "▓", "fast": "▓", "pulse": "▓"}
LAMPS = (("▲", "red"), ("●", "dodger_blue1"), ("★", "yellow"), ("■", "green"), ("☀", "white"), ("☾", "magenta"))
EVERY = 8


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(help=_(DEMO))(demo)


def demo(
    game: Annotated[str, typer.Argument(help=_(N_("one of {games}"), games=", ".join(NAMES)))] = NAMES[0],
    seed: Annotated[int, typer.Option(help=_(N_("the same seed gives the same game")))] = 1,
    players: Annotated[int | None, typer.Option(help=_(N_("how many players")))] = None,
    speed: Annotated[float, typer.Option(min=0.1, help=_(N_("how many times faster than a calm person")))] = 6.0,
    mistakes: Annotated[int, typer.Option(min=0, help=_(N_("how many mistakes the person makes")))] = 4,
    doubts: Annotated[
        float, typer.Option(min=0, max=1, help=_(N_("share of the cards that the camera can't name, 0 to 1")))
    ] = 0.06,
) -> None:
    """Watch a whole game on the simulated table."""
    from rich.console import Console

    from companion.commands.simulation import wanted_options
    from companion.table.hosts import HOSTS

    console = Console()
    if game not in HOSTS:
        fail(_(N_("There is no game {game}. There are: {known}."), game=game, known=", ".join(HOSTS)))
    chosen = wanted_options(HOSTS[game].game, players, [])
    console.rule(f"[bold]Hush · {game.capitalize()}")
    console.print(_(N_("A person sits down, lays the markers and takes out the cards …")))
    with tempfile.TemporaryDirectory() as folder:
        watch(console, game, chosen, seed, speed, mistakes, doubts, Path(folder))


def watch(
    console: Console,
    game: str,
    chosen: dict[str, object],
    seed: int,
    speed: float,
    mistakes: int,
    doubts: float,
    folder: Path,
) -> None:
    """Play the game and comment on it."""
    import random

    from companion.demo.person import Person
    from companion.journal import Journal
    from companion.outputs.front import frame_of
    from companion.outputs.panel import PanelOutput
    from companion.outputs.sound import SoundOutput
    from companion.session.session import Session
    from companion.table.hosts import HOSTS
    from hardware.backends import open_panel
    from hardware.pinout import DEFAULT
    from sounds.box import SoundBox, SoundSettings
    from sounds.guard import SilenceGuard

    sound = SoundBox(SilenceGuard(), SoundSettings(backend="silent"), folder / "speech")
    passed = [0.0]
    panel = open_panel("simulated", DEFAULT, clock=lambda: passed[0])

    def pause(seconds: float) -> None:
        # A calm person's time, however fast the demo runs and however slow the machine is.
        passed[0] += seconds
        time.sleep(seconds / speed)

    def woken() -> Session:
        session = Session(HOSTS, Journal(folder / "hush.db"), lambda: passed[0], random.Random(seed))
        for output in (PanelOutput(panel), SoundOutput(sound)):
            output.attach(session.events)
        return session

    def power_cut() -> Session:
        (again := woken()).open()
        return again

    session = woken()
    session.start(game, {**HOSTS[game].at_table, **KITS[game].variants[0].options, **chosen})
    started = time.monotonic()
    running = session.shown.running
    assert running is not None
    console.print(panel_line(frame_of(session.shown)))
    with console.status(_(N_("The box learns the deck …"))):
        twin = table_of(game, running.public.options, doubts, seed)
    person = Person(session, twin, random.Random(seed), mistakes, pause, power_cut)
    comment_on_all(console, person)
    summary(console, person, time.monotonic() - started)
    panel.close()
    sound.close()


def table_of(game: str, options: Any, doubts: float, seed: int) -> Twin:
    """The simulated table of a game; its eye can't name a share of the cards."""
    from companion.table.eye import deck_names, table_deck
    from companion.table.twin import Twin, some_doubts

    deck = table_deck(deck_names(game, options))
    return Twin(game, options, doubts=some_doubts(deck, doubts, seed) if doubts else None)


def comment_on_all(console: Console, person: Person) -> None:
    """Play to the end; the table is shown now and then, and last."""
    for step in person.play_on():
        comment(console, person, step)
        if step.kind == "hand" and person.report.moves % EVERY == EVERY - 1:
            console.print(board(person))
    console.print(board(person))


def board(person: Person) -> RenderableType:
    """The table as the box has it."""
    from companion.draw import draw

    return draw(person.game, person.played.state)


def comment(console: Console, person: Person, step: Step) -> None:
    """The panel, what the person does, and what the box asks, or says about a mistake."""
    from rich.table import Table
    from rich.text import Text as Line

    shown = person.session.shown
    is_mistake = step.kind == "mistake"
    line = Line(f"{'✎' if is_mistake else '☞'} {current.say(step.text)}", style="yellow" if is_mistake else "bold")
    said = step.answer or shown.remark or shown.question
    line.append(f"  ({current.say(said)})", style="red" if step.answer else "dim")
    grid = Table.grid(padding=(0, 2))
    grid.add_row(panel_line(step.frame), line)
    console.print(grid)


def panel_line(frame: PanelFrame) -> Line:
    """The panel as a line of text: bar, suits, sun and moon."""
    from rich.text import Text as Line

    line = Line("".join(GLYPHS[glow.value] for glow in frame.bar), style="cyan")
    line.append(" ")
    for (shape, colour), glow in zip(LAMPS, (*frame.suits, *frame.sky), strict=True):
        line.append(shape if glow.value != "off" else "·", style=colour if glow.value != "off" else "dim")
    return line


def summary(console: Console, person: Person, seconds: float) -> None:
    """What came of it."""
    from rich.table import Table

    report = person.report
    table = Table(title=current.say(person.game.question(person.expected)), title_justify="left", show_header=False)
    rows = (
        (N_("moves"), report.moves),
        (N_("seen by the camera"), report.seen),
        (N_("picked with the buttons"), report.picked),
        (N_("cards named on the panel"), report.named),
        (N_("mistakes made"), report.mistakes.total()),
        (N_("refusals explained"), f"{report.explained} / {report.refusals}"),
        (N_("wrong states"), report.wrong),
        (N_("seconds"), round(seconds)),
    )
    for label, value in rows:
        table.add_row(_(label), str(value))
    console.print(table)
