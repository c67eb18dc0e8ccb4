"""What `companion run` does: opens the ports by configuration, joins them to the box, closes them whatever happens."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import typer

from companion.catalogue import current
from companion.games.text import Text
from companion.journal import BrokenJournal, Journal
from companion.service import disk, logs
from companion.service.keeper import Keeper
from companion.service.power import power_down
from companion.service.waking import wake
from companion.table.box import Box, Line
from companion.table.hosts import HOSTS
from companion.table.runner import Runner, now
from companion.table.settings import Settings
from companion.table.watcher import Watcher
from hardware.panel import Panel
from hardware.silent import SilentPanel
from hardware.simulated import SimulatedPanel
from hardware.terminal import TerminalPanel
from hardware.text import PanelError
from sounds.box import SoundBox
from sounds.guard import SilenceGuard


def serve(settings: Settings, game: str | None, chosen: dict[str, Any]) -> None:
    """Run the box until it's stopped."""
    logs.set_up()
    journal = open_journal(settings)
    panel = open_panel(settings)
    sound = SoundBox(SilenceGuard(), settings.sound, settings.folder / "speech", tell=lambda notice: warn(str(notice)))
    box = Box(HOSTS, panel, sound, journal, now, translate=current.say, tell=tell_on(panel))
    keeper = Keeper(box, settings.folder)
    runner = Runner(box, panel, keeper.beat)
    box.shut_down = power_down(runner.stop)
    box.drawn = lambda: caption(panel, box)
    watcher = open_watcher(settings, runner, box)

    def begin() -> None:
        if game is None:
            complaint = wake(box)
            if complaint is not None:
                warn(current.say(complaint))
        else:
            table = {"driver": "table"} if "driver" in HOSTS[game].game.options_type.__struct_fields__ else {}
            box.start(game, {**table, **settings.games.get(game, {}), **chosen})

    try:
        asyncio.run(runner.run(begin))
    finally:
        keeper.stop()
        if watcher is not None:
            watcher.stop()
        panel.close()
        sound.close()
        if journal is not None:
            journal.close()


def open_watcher(settings: Settings, runner: Runner, box: Box) -> Watcher | None:
    """The camera's thread, if there is to be a camera; everything it finds is posted into the box's loop."""
    if settings.camera == "none":
        return None
    from vision.cameras import SupervisedCamera, open_camera

    watcher = Watcher(
        SupervisedCamera(open_camera(settings.camera)),
        on_sight=lambda sight: runner.post(lambda: box.on_sight(sight)),
        on_fault=lambda name, is_there: runner.post(lambda: box.on_fault(name, is_there)),
        complain=lambda text: warn(current.say(text)),
    )
    box.began = watcher.watch
    watcher.start()
    return watcher


def open_journal(settings: Settings) -> Journal | None:
    """The journal; without one the game still goes on, and the panel says that it isn't saved."""
    path = settings.folder / "hush.db"
    try:
        try:
            journal, broken = Journal.open_or_set_aside(path)
        except BrokenJournal:
            if not disk.give_up(settings.folder):
                raise
            journal, broken = Journal.open_or_set_aside(path)
    except (BrokenJournal, OSError) as error:
        warn(str(error))
        return None
    if broken is not None:
        warn(current.say(broken.reason))
    return journal


def open_panel(settings: Settings) -> Panel:
    """The panel of this machine: the pins on a Pi, else the terminal, else one in memory."""
    if settings.backend == "pi":
        from hardware.gpio import GpioPanel

        try:
            return GpioPanel(settings.pinout)
        except PanelError as error:
            # A missing device is a visible fault and stops nothing else: the page can still play.
            warn(current.say(Text(error.notice.template, dict(error.notice.values))))  # type: ignore[arg-type]
            return SilentPanel()
    if sys.stdin.isatty() and sys.stdout.isatty():
        return TerminalPanel(settings.pinout.parts, translate=current.translate)
    return SimulatedPanel(settings.pinout.parts)


def tell_on(panel: Panel) -> Any:
    """Log lines go to the output, or to the service's journal, unless the terminal is the panel."""
    is_service = logs.is_journalled()

    def tell(line: Line) -> None:
        if isinstance(panel, TerminalPanel):
            return
        for text in line.told:
            said = current.say(text)
            if is_service:
                logs.log.info(said, extra={"fields": {"hush_number": line.number, "hush_move": line.move}})
            else:
                typer.echo(f"{line.number}: {said}")

    return tell


def caption(panel: Panel, box: Box) -> None:
    """Words under the panel, where it has room for them."""
    if isinstance(panel, TerminalPanel):
        parts = [box.complaint, box.question, box.offered]
        panel.caption("\n".join(current.say(part) for part in parts if part is not None))


def warn(text: str) -> None:
    """Something a person should know: in the service's journal, else on stderr."""
    if logs.is_journalled():
        logs.log.warning(text)
        return
    typer.secho(text, err=True, fg=typer.colors.YELLOW)
