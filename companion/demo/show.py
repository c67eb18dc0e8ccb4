"""The demo as people watch it: a written game is played at a simulated box, and told on a stage or line by line."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

from msgspec import Struct
from rich.console import Console
from rich.table import Table

from companion.catalogue import _, current
from companion.demo.box_user import DemoStep, PlayReport
from companion.demo.labels import labels
from companion.demo.player import ScriptPlayer
from companion.demo.script import write_script
from companion.demo.stage import Scenery, Stage
from companion.demo.terminal_picture import CameraView
from companion.games.game import Game, option_table
from companion.journal import Journal
from companion.kits import KITS
from companion.outputs.panel import PanelOutput
from companion.outputs.panel_frame import frame_of_sign, sign_of
from companion.session.session import Session
from companion.session.situation import Situation
from companion.table.eye import deck_names, table_deck
from companion.table.hosts import HOSTS
from companion.table.sight import Seen
from companion.table.simulated_table import SimulatedTable, some_doubts
from companion.text import N_
from hardware.backends import open_panel
from hardware.outfit import PLAIN_PANEL
from hardware.panel import Button
from hardware.signs import SIGN
from hardware.simulated import SimulatedPanel

FEW_ACTS = 45
"""A game with more acts than this is shown faster, so that none takes much longer than two minutes."""
DEMO_PACE = 2.0
"""How much faster than a calm person the demo is at speed 1."""
READING_SECONDS = 1.1
"""Seconds for which something that happened is left to be read."""
MAX_WAIT_SECONDS = 2.0
"""Nobody watches a pause of more seconds than this."""
TABLE = "felt"


class DemoWish(Struct, frozen=True):
    """What is to be shown."""

    game: str
    chosen: dict[str, Any]
    seed: int = 1
    speed: float = 1.0
    mistakes: int = 4
    doubts: float = 0.03
    is_plain: bool = False


class DemoShow:
    """One game on show. Time passes for the box as for a calm person; who watches waits less."""

    def __init__(self, wish: DemoWish, folder: Path, stage: Stage | None, console: Console, panel: SimulatedPanel):
        self.wish, self.folder, self.stage, self.console, self.panel = wish, folder, stage, console, panel
        self.now = 0.0
        self.host = HOSTS[wish.game]
        self.game = self.host.game
        fewest = {"players": min(players_of(self.game))}
        options = {**fewest, **self.host.at_table, **KITS[wish.game].variants[0].options, **wish.chosen}
        self.script = write_script(self.host, self.game.options(**options), random.Random(wish.seed))
        done = sum(not act.is_dealt for act in self.script)
        self.pace = DEMO_PACE * wish.speed * max(1.0, done / FEW_ACTS)
        self.session = self._woken()
        self.session.start(wish.game, options)
        self._read: tuple[Seen, ...] = ()
        self._before: tuple[Seen, ...] = ()

    def play(self) -> PlayReport:
        """Play the game to its end."""
        wish = self.wish
        running = self.session.shown.running
        assert running is not None
        options = running.public_state.options
        deck = table_deck(deck_names(wish.game, options))
        simulated = SimulatedTable(wish.game, options, table=TABLE, doubts=some_doubts(deck, wish.doubts, wish.seed))
        self.card_width = deck.width
        self.player = ScriptPlayer(
            self.session, simulated, random.Random(wish.seed), wish.mistakes, self.pause, self._power_cut
        )
        touch = self.player.touch
        self.player.touch = lambda button: self._touch(button, touch)
        for step in self.player.play_on(self.script):
            self.tell(step)
        self._show_stage()
        self.pause(MAX_WAIT_SECONDS)
        return self.player.report

    # Time and power

    def pause(self, seconds: float) -> None:
        """A calm person's time, however fast the demo runs and however slow the machine is."""
        self.now += seconds
        self._show_stage()
        time.sleep(min(seconds, MAX_WAIT_SECONDS) / self.pace)

    def _woken(self) -> Session:
        """The box after power came: with its record and its lights, and no game on the table yet."""
        session = Session(HOSTS, Journal(self.folder / "hush.db"), lambda: self.now, random.Random(self.wish.seed))
        PanelOutput(self.panel).attach(session.bus)
        return session

    def _power_cut(self) -> Session:
        self.session = self._woken()
        self.session.wake()
        return self.session

    def _touch(self, button: Button, touch: Any) -> None:
        if self.stage is not None:
            self.stage.press(button)
        touch(button)

    # What is seen of it

    def tell(self, step: DemoStep) -> None:
        """What somebody did, and what the box says about it."""
        is_mistake = step.kind == "mistake"
        text = current.say(step.text)
        said = _(N_("The box: {words}"), words=current.say(step.answer)) if step.answer is not None else ""
        if self.stage is None:
            sign = sign_title(self.session.shown)
            self.console.print(
                f"{'✎' if is_mistake else '☞'} {text}", style="yellow" if is_mistake else "", highlight=False
            )
            self.console.print(f"    {said or sign}", style="red" if said else "dim", highlight=False)
        else:
            self.stage.say(_(N_("Somebody {does}."), does=text) if is_mistake else text, step.kind)
            if said:
                self.stage.say(said, "refused")
        self.pause(READING_SECONDS * DEMO_PACE)

    def _show_stage(self) -> None:
        """Show the table, the question and the score as they are now."""
        if self.stage is None:
            return
        shown, report = self.session.shown, self.player.report
        self.stage.sign = sign_title(shown)
        self.stage.question = current.say(shown.remark or shown.offered or shown.question)
        self.stage.foot = score(report)
        simulated = self.player.simulated
        if simulated is None or simulated.picture is None:
            return
        if not self.player.has_camera:
            simulated.photograph(self.player.laid)  # who watches sees the table, though the box doesn't
        read, last = self.session.recognised.named, self.stage.scenery
        if last is not None and last.view.photo is simulated.picture and read == self._read:
            return
        if read != self._read:
            self._before, self._read = self._read, read
        found = labels(self.game, read, self._before, self.card_width)
        self.stage.scenery = Scenery(CameraView(simulated.picture, simulated.camera, self.player.laid), tuple(found))


def players_of(game: Game[Any]) -> tuple[int, ...]:
    """How many may play a game."""
    return next(option.allowed for option in option_table(game.options_type) if option.name == "players")


def sign_title(shown: Situation) -> str:
    """What the lights say, in words."""
    if shown.running is None or shown.is_menu:
        return _(SIGN["menu"].title)
    if shown.hold is not None:
        return _(SIGN["hold"].title)
    return _(SIGN[sign_of(shown, shown.running).sign].title) if not shown.running.is_over else ""


def score(report: PlayReport) -> str:
    """What came of it so far, in a line."""
    return _(
        N_("followed {seen} · asked {asked} · picked {picked} · refused {refused} · presses {presses} · Ctrl-C ends"),
        seen=report.seen,
        asked=report.asked + report.named,
        picked=report.picked,
        refused=report.explained,
        presses=report.presses,
    )


def watch(wish: DemoWish, folder: Path) -> None:
    """Show a game on the terminal, or line by line."""
    console = Console()
    title = f"Hush · {wish.game.capitalize()}"
    panel = open_panel("simulated", PLAIN_PANEL)
    assert isinstance(panel, SimulatedPanel)
    panel.show(frame_of_sign("starting"))
    started = time.monotonic()
    if wish.is_plain or not Stage.fits(console):
        console.print(f"[bold]{title}[/]")
        console.print(_(KITS[wish.game].about))
        console.print(_(N_("People sit down, lay the markers and take out the cards …")))
        show = DemoShow(wish, folder, None, console, panel)
        report = show.play()
    else:
        with Stage(console, panel, f"{title} · {_(KITS[wish.game].about)}") as stage:
            show = DemoShow(wish, folder, stage, console, panel)
            report = show.play()
    panel.close()
    summary(console, show, report, time.monotonic() - started)


def summary(console: Console, show: DemoShow, report: PlayReport, seconds: float) -> None:
    """What came of it."""
    running = show.session.shown.running
    assert running is not None
    console.print(current.say(show.game.question(running.public_state)), style="bold")
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    rows = (
        (N_("moves of the game"), report.moves),
        (N_("followed: ✔ took what the box had seen"), report.seen),
        (N_("asked: what no camera can see, or can't tell apart"), report.asked),
        (N_("cards that people named"), report.named),
        (N_("picked with the buttons alone"), report.picked),
        (N_("mistakes people made"), report.mistakes.total()),
        (N_("refused, each with its rule"), f"{report.explained} / {report.refusals}"),
        (N_("presses in all"), report.presses),
        (N_("wrong states"), report.wrong),
        (N_("seconds"), round(seconds)),
    )
    for label, value in rows:
        table.add_row(_(label), str(value))
    console.print(table)
