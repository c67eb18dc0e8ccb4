"""What `companion run` does: opens the ports by configuration, joins them to the box, closes them whatever happens."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import os
import socket
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

import segno
import typer
from msgspec import Struct

from companion.catalogue import _, current
from companion.commands.devices import own_camera, own_display, own_panel
from companion.console import tell as say
from companion.journal import BrokenJournal, Journal
from companion.outputs import Output
from companion.outputs.address_guide import Guide
from companion.outputs.log import LogOutput
from companion.outputs.own_network import OwnNetwork
from companion.outputs.page import PageOutput
from companion.outputs.panel import PanelOutput
from companion.outputs.panel_frame import frame_of_sign
from companion.outputs.sound import SoundOutput
from companion.outputs.text_line import TextLine
from companion.service import disk, logs
from companion.service.address import address_of, current_address, spoken
from companion.service.keeper import NO_PANEL, Keeper
from companion.service.lock import AlreadyRunning, FolderLock
from companion.service.network import current_standing
from companion.service.power import power_down
from companion.service.starts import SAFE_MODE, Mode, Starts, in_mode
from companion.session.events import Began, SwitchedOff
from companion.session.faults import NO_PART
from companion.session.lesson_memory import LessonMemory
from companion.session.loop import Runner, now
from companion.session.session import Session
from companion.settings.effective import Settings
from companion.settings.sections import WebSettings
from companion.table.hosts import HOSTS
from companion.table.watcher import Watcher
from companion.table.worker import tell_of_dead_threads
from companion.text import N_
from companion.web.app import Serving, bind
from companion.web.page_service import PageService
from companion.web.records import SettingRow
from companion.web.settings_file import SettingsFile
from companion.web.words import ADDRESS, NO_PAGE, PORT_TAKEN
from hardware.display import SilentDisplay
from hardware.panel import Panel
from hardware.silent import NullPanel
from hardware.terminal import TerminalPanel
from sounds.box import SoundBox
from sounds.guard import SilenceGuard

# Seconds that a thread may work while another one waits.
SWITCH_SECONDS = 0.0005
# A part that takes longer than this to close is named in the log.
SLOW_CLOSE_SECONDS = 2.0
SAFELY = N_("The box starts in safe mode: without camera and sound, with the page.")
TAKEN = N_(
    "Hush runs already with the games in {folder}. Stop that one first (the service: sudo systemctl stop hush), or "
    'give this one a folder of its own in its configuration: state = "…"'
)


class GameRequest(Struct, frozen=True):
    """What is to be played: a game and what was chosen for it; none goes on with the last one.

    In mid-play the first table that the camera sees is taken as it lies. Of a game that is known nothing is explained.
    """

    game: str | None = None
    chosen: dict[str, Any] = {}
    is_mid_play: bool = False
    is_known: bool = False


def serve(settings: Settings, request: GameRequest, web: WebSettings | None = None) -> None:
    """Run the box until it's stopped, unless another one runs on its folder already."""
    logs.set_up()
    tell_of_dead_threads()
    switch_threads_often()
    try:
        lock = FolderLock(settings.folder)
    except AlreadyRunning as taken:
        warn(_(TAKEN, folder=taken.folder))
        raise typer.Exit(1) from None
    starts = Starts(settings.folder)
    mode = starts.count_start()
    if mode is not Mode.USUAL:
        warn(_(SAFELY))
        settings = in_mode(settings, mode)
        web = settings.web
    try:
        play(settings, request, web, starts, is_safe=mode is not Mode.USUAL)
    finally:
        lock.release()


def play(settings: Settings, request: GameRequest, web: WebSettings | None, starts: Starts, is_safe: bool) -> None:
    """Open everything, serve, and close everything; the folder is ours meanwhile."""
    journal = open_journal(settings)
    bound = None if web is None else open_page(web)
    where = page_address(web, bound)
    panel = own_panel(settings, warn)
    panel.show(frame_of_sign("starting"))
    display = own_display(settings, panel)
    sound = SoundBox(SilenceGuard(), settings.sound, settings.folder / "speech", tell=lambda notice: warn(str(notice)))
    session = Session(HOSTS, journal, now, confirm=settings.config.confirm, groups=LessonMemory(settings.folder))
    network = current_standing(now)
    line = TextLine(display, current.say, where, now, network)
    own_network = OwnNetwork(panel, lambda: network().is_open, now)
    guide = Guide(sound, current.say, where, spoken, panel if isinstance(display, SilentDisplay) else None)
    for output in (*outputs(panel, sound), line, guide, own_network):
        output.attach(session.bus)
    lacking = frozenset({NO_PANEL} if isinstance(panel, NullPanel) else ())
    keeper = Keeper(session.bus, settings.folder, lacking=lacking, has_record=journal is not None)

    def tick() -> None:
        keeper.tick()
        line.tick()
        own_network.tick()
        starts.tick()
        broken = panel.fault or display.fault
        session.on_fault(NO_PART, broken is not None, broken)

    runner = Runner(session, panel, tick)
    switch_off = power_down(runner.stop)
    session.bus.subscribe(SwitchedOff, lambda event: panel.show(frame_of_sign("safe")))
    session.bus.subscribe(SwitchedOff, lambda event: switch_off())
    watcher = open_watcher(settings, runner, session)
    page = None if bound is None else open_service(settings, bound, session, runner, watcher)

    def begin() -> None:
        begin_game(session, settings, request)
        session.on_fault(SAFE_MODE, is_safe)
        if page is not None:
            page.start()
        spare_what_stays()

    try:
        asyncio.run(runner.run(begin))
        starts.went_well()
    finally:
        close(
            {"lights": panel.close, "words": line.close, "sound": sound.close, "backup": keeper.stop},
            journal, keeper, watcher, page,
        )  # fmt: skip
    if watcher is not None and watcher.is_busy():
        leave()


def close(
    own: dict[str, Callable[[], None]],
    journal: Journal | None,
    keeper: Keeper,
    watcher: Watcher | None,
    page: Serving | None,
) -> None:
    """Tell all parts at once; then close first what players see and what must be kept, last what is only waited for."""
    for part in (keeper, watcher, page):
        if part is not None:
            part.stopping()
    close_each(
        {
            **own,
            "record": None if journal is None else journal.close,
            "page": None if page is None else page.stop,
            "camera": None if watcher is None else watcher.stop,
        }
    )


def open_service(
    settings: Settings, bound: socket.socket, session: Session, runner: Runner, watcher: Watcher | None
) -> Serving:
    """The page's server, which hears of the session from now on."""
    rows = tuple(SettingRow(*row) for row in settings.rows())
    service = PageService(
        session, runner, runner.panel, settings.web, settings.folder, settings.games, rows, current.language,
        is_simulated=settings.backend == "simulated" and settings.camera.device == "none",
        camera=watcher, settings_file=SettingsFile(settings.config), tell=lambda text: warn(current.say(text)),
        update_address=settings.update.address,
    )  # fmt: skip
    PageOutput(service.owner.changed, service.owner.flourished).attach(session.bus)
    return Serving(service, bound)


def begin_game(session: Session, settings: Settings, request: GameRequest) -> None:
    """Begin the game that was asked for; without one, go on with the last or show the menu."""
    if request.game is None:
        session.wake()
        if (complaint := session.shown.complaint) is not None:
            warn(current.say(complaint))
    else:
        host = HOSTS[request.game]
        usual = {**host.box_defaults, **host.at_table, **settings.games.get(request.game, {})}
        session.start(request.game, {**usual, **request.chosen}, is_known=request.is_known)
    if request.is_mid_play:
        session.believe_first_sight()


def outputs(panel: Panel, sound: SoundBox) -> list[Output]:
    """What tells people what happens, but for the text line, and for the page, which comes with its server."""
    found: list[Output] = [PanelOutput(panel), SoundOutput(sound, current.say)]
    # A terminal that is the panel has the text line under it, and no room for a log.
    return found if isinstance(panel, TerminalPanel) else [*found, LogOutput(current.say)]


def switch_threads_often() -> None:
    """Let threads take turns often: with Python's own five milliseconds a busy one kept the game waiting for 200."""
    sys.setswitchinterval(SWITCH_SECONDS)


def spare_what_stays() -> None:
    """Leave all that exists now out of later collections: going through it would hold up a press for a while."""
    gc.collect()
    gc.freeze()


def close_each(parts: dict[str, Callable[[], None] | None]) -> None:
    """Close what there is, one after the other, whatever becomes of the others; and log what took long."""
    for name, close in parts.items():
        if close is None:
            continue
        begin = now()
        try:
            close()
        except Exception:
            logs.log.exception("%s: can't be closed", name)
        took = now() - begin
        if took > SLOW_CLOSE_SECONDS:
            logs.log.warning("%s: took %.1f s to close", name, took, extra={"fields": {"hush_closed": name}})


def leave() -> NoReturn:
    """End the process here: Python kills threads as it ends, and one inside OpenCV takes all down with an abort."""
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def open_page(web: WebSettings) -> socket.socket | None:
    """The page's socket, with its address said; without one the game still goes on."""
    if not web.enabled:
        return None
    try:
        bound = bind(web.host, web.port)
    except OSError as error:
        is_taken = error.errno == errno.EADDRINUSE
        warn(_(PORT_TAKEN if is_taken else NO_PAGE, port=web.port, error=error.strerror))
        return None
    address = address_of(web, bound.getsockname()[1])
    say(_(ADDRESS, address=address), err=False)
    if sys.stdout.isatty():
        segno.make(address, error="l").terminal(sys.stdout, compact=True)
    return bound


def page_address(web: WebSettings | None, bound: socket.socket | None) -> Callable[[], str]:
    """What tells the page's address; nothing without a page."""
    if web is None or bound is None:
        return str
    return current_address(partial(address_of, web, bound.getsockname()[1]), now)


def open_watcher(settings: Settings, runner: Runner, session: Session) -> Watcher | None:
    """The camera's thread, if there is to be a camera; everything it finds is posted into the box's loop."""
    camera = own_camera(settings)
    if camera is None:
        return None
    watcher = Watcher(
        camera,
        on_sight=lambda sight: runner.post(lambda: session.on_sight(sight)),
        on_fault=lambda name, is_there: runner.post(lambda: session.on_fault(name, is_there)),
        complain=lambda text: warn(current.say(text)),
        folder=settings.folder,
        on_sharpness=lambda sharpness: runner.post(lambda: session.on_sharpness(sharpness)),
    )
    session.bus.subscribe(Began, lambda event: watcher.watch(event.game, event.options))
    watcher.start()
    return watcher


def open_journal(settings: Settings) -> Journal | None:
    """The journal; without one the game still goes on, and the panel says that it isn't saved."""
    path = settings.folder / "hush.db"
    try:
        try:
            journal, broken = Journal.open_or_set_aside(path)
        except BrokenJournal:
            if not disk.release_reserve(settings.folder):
                raise
            journal, broken = Journal.open_or_set_aside(path)
    except (BrokenJournal, OSError) as error:
        warn(str(error))
        return None
    if broken is not None:
        warn(current.say(broken.reason))
    return journal


def warn(text: str) -> None:
    """Something a person should know: in the service's journal, else on stderr."""
    if logs.is_journalled():
        logs.log.warning(text)
        return
    say(text, typer.colors.YELLOW)
