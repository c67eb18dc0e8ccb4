"""The page's server as one thing: the desk, the door, its memory and the open pages, all in the page's own loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import structs

from companion.catalogue import Catalogue
from companion.service.network import NetworkWish, Wifi, is_on_own_network
from companion.session.events import SwitchedOff
from companion.session.knocking import PendingKnock
from companion.session.loop import Runner
from companion.session.session import Session
from companion.session.situation import Situation
from companion.settings.effective import effective_settings
from companion.settings.file import Config
from companion.settings.sections import WebSettings
from companion.text import LANGUAGES, N_, Text
from companion.web.archive import Archive
from companion.web.desk import Desk, Refused
from companion.web.door import KNOCK_LIFE_SECONDS, KNOCK_SHOWN_SECONDS, Door, Knock
from companion.web.download import Download
from companion.web.eyes.art import Gallery
from companion.web.eyes.enrolling import Enrolling
from companion.web.eyes.photos import PhotoEye
from companion.web.eyes.recognised import Recognised
from companion.web.eyes.simulated_enrolment import EnrolBench
from companion.web.eyes.table_camera import TableCamera, newest_picture
from companion.web.gate import BUSY, Gate, SlowTasks
from companion.web.guard import TokenBuckets
from companion.web.hub import PING_SECONDS, Hub, Listener, StreamMessage, event
from companion.web.owner import ChangeDone, GoneOn, OwnerProxy, SessionChange, Showing
from companion.web.page_memory import Device, PageMemory
from companion.web.pictures.model import Say
from companion.web.presses import Presses
from companion.web.printing import Printer
from companion.web.records import PressButton, SettingRow, SharedState
from companion.web.settings_file import SettingsFile
from companion.web.simulated_table_page import Tryout
from companion.web.upkeep import Upkeep
from hardware.flourishes import Flourish
from hardware.panel import ALL_PARTS, Panel

log = logging.getLogger(__name__)
T = TypeVar("T")
# How long somebody waits for the box's owner, and how often a change is decided on anew because the box has gone on.
OWNER_SECONDS = 10.0
MAX_RETRIES = 20
# Guesses of a PIN: so many at once, then one a minute.
PIN_TRIES = 5
# Guesses of a code that lets a phone in: for each address, then one a minute; and of all, then two a minute.
CODES_AN_ADDRESS = 5
CODES_OF_ALL = 20
MAX_NOTICES = 12
WANTS_IN = N_("A phone knocks. If it shows the same lights as the panel, hold ✔ on the box to let it in.")
WANTS = N_("A phone wants this: {what}. If it shows the same lights as the panel, hold ✔ on the box to agree.")
ASKS = N_("A phone asks for seat {seat}. If it shows the same lights as the panel, hold ✔ on the box to free the seat.")
TAKEN = N_("Seat {seat} was taken: {phone}.")
LEFT = N_("Seat {seat} was left; its PIN holds.")


NO_SEAT = event("seat", b"null")


@cache
def catalogue(language: str) -> Catalogue:
    """The texts of a language."""
    return Catalogue(language)


class PageService:
    """What stands behind the API. It belongs to the page's loop; everything that touches the box goes to its owner."""

    def __init__(
        self,
        session: Session,
        runner: Runner,
        panel: Panel,
        settings: WebSettings,
        folder: Path,
        games: dict[str, dict[str, Any]] | None = None,
        rows: tuple[SettingRow, ...] = (),
        language: str = "en",
        is_simulated: bool = False,
        camera: TableCamera | None = None,
        settings_file: SettingsFile | None = None,
        tell: Callable[[Text], None] = lambda text: None,
        update_address: str = "",
    ):
        self.owner = OwnerProxy(session, runner)
        self.clock = session.clock
        self.panel = panel
        self.settings = settings
        self.folder = folder
        self.rows = rows
        self.settings_file = settings_file
        self.language = language
        self.memory = PageMemory(folder / "page.json", tell)
        self.hub = Hub()
        self.tryout = Tryout(self.owner, session.hosts, self._scene_changed) if is_simulated else None
        self.camera: TableCamera | None = self.tryout if camera is None else camera
        # A box without lights is drawn with all of them: the page is the only place where they are seen.
        parts = panel.parts if panel.parts.bar else ALL_PARTS
        self.desk = Desk(self.owner.showing, session.hosts, games, is_simulated, self.camera is not None, parts)
        self.recognised = Recognised(self.owner.showing)
        bench = EnrolBench() if is_simulated else None
        self.enrolling = Enrolling(folder, lambda: newest_picture(self.camera).picture, bench)
        self.gallery = Gallery(folder)
        self.photos = PhotoEye(folder)
        self.archive = Archive(session.record)
        self.upkeep = Upkeep(folder)
        self.download = Download(update_address, self.upkeep)
        self.wifi = Wifi()
        self.door = Door(self._show_knock, session.clock, parts)
        self.pins = TokenBuckets(PIN_TRIES, 1 / 60, session.clock)
        self.codes = TokenBuckets(CODES_AN_ADDRESS, 1 / 60, session.clock)
        self.all_codes = TokenBuckets(CODES_OF_ALL, 1 / 30, session.clock)
        self.presses = Presses()
        self.slow = SlowTasks()
        self.printer = Printer()
        self.uploads = Gate(1, most=2, each=1, retry_after=20)
        # One change at a time is with the owner, so that a press on the box never waits for more than one.
        self.changes = Gate(1, most=64, each=8, retry_after=1)
        self._notices: list[tuple[int, Text]] = []
        self._last: SharedState | None = None
        self._encoded: dict[str, bytes] = {}
        self._events: dict[str, StreamMessage] = {}
        self._is_stale = True
        self._preloaded_sitting = 0
        self._is_planned = False
        self.is_closed = False
        self._is_pinging = False
        self._waiting: set[asyncio.Future[Any]] = set()

    def connect(self) -> None:
        """The page's loop runs: from now on it hears of the box."""
        self.owner.connect(asyncio.get_running_loop(), self.on_showing, self.flourish)
        self._ping()

    def _ping(self) -> None:
        """Have the owner say that it lives; where it stands still nothing is said, and pages notice."""
        if self.is_closed:
            return
        if self.hub.listeners and not self._is_pinging:
            self._is_pinging = True
            self.owner.post(lambda session: self.owner.call_in_page(self._lives))
        asyncio.get_running_loop().call_later(PING_SECONDS, self._ping)

    def _lives(self) -> None:
        self._is_pinging = False
        self.hub.ping()

    def on_showing(self, showing: Showing) -> None:
        """The box has changed something."""
        self.desk.showing = self.recognised.showing = showing
        if self.tryout is not None:
            self.tryout.showing = showing
        self._preload_pictures(showing)
        self.mark_stale()

    def _preload_pictures(self, showing: Showing) -> None:
        """Have the cards of another table read before somebody asks for them."""
        running = showing.shown.running
        if running is None or running.sitting == self._preloaded_sitting:
            return
        self._preloaded_sitting = running.sitting
        self.slow.start(self.gallery.read, running.host.game.name, running.public_state.options)

    async def change(self, phone: str, decide: Callable[[], SessionChange[T]]) -> T:
        """Make a change that is decided on by what is on show now; its answer. Raises `Refused`."""
        return (await self.change_numbered(phone, decide)).answer

    async def change_numbered(self, phone: str, decide: Callable[[], SessionChange[T]]) -> ChangeDone[T]:
        """The same, with the number of what is on show after it. If the box goes on meanwhile, it's decided anew."""
        async with self.changes.enter(phone):
            try:
                async with asyncio.timeout(OWNER_SECONDS):
                    for _ in range(MAX_RETRIES):
                        try:
                            return await self._changed_by_owner(decide(), self.desk.showing.number)
                        except GoneOn:
                            continue
            except TimeoutError:
                pass
        raise Refused(503, "busy", BUSY)

    async def wait_for_owner(self) -> None:
        """Wait until the owner answers. Raises `Refused`."""
        try:
            async with asyncio.timeout(OWNER_SECONDS):
                await self._changed_by_owner(lambda session: None, None)
        except TimeoutError:
            raise Refused(503, "busy", BUSY) from None

    async def _changed_by_owner(self, change: SessionChange[T], number: int | None) -> ChangeDone[T]:
        if self.is_closed:
            raise Refused(503, "busy", BUSY)
        answer: asyncio.Future[ChangeDone[T]] = asyncio.get_running_loop().create_future()
        self._waiting.add(answer)
        ticket = self.owner.change(change, number, answer)
        try:
            return await answer
        finally:
            ticket.cancel()
            self._waiting.discard(answer)

    # What goes out

    def mark_stale(self) -> None:
        """Something that pages show has changed: tell them, once all that came with it is known."""
        self._is_stale = True
        if not self._is_planned:
            self._is_planned = True
            asyncio.get_running_loop().call_soon(self.publish)

    def publish(self) -> None:
        """Send the state to every page, if it's another one."""
        self._is_planned = False
        self._send_seen()
        # Nobody listens: the state is made when somebody asks for it.
        if self.hub.listeners:
            self.refresh()

    def refresh(self) -> None:
        """Make the state anew if something has changed, and send it to every page if it's another one."""
        if not self._is_stale:
            return
        self._is_stale = False
        # Made in the box's own language, which most phones have too: whether it's another one shows in any language.
        fresh = self.shared(catalogue(self.language).say)
        if fresh == self._last:
            return
        self.hub.moment += 1
        self._last = structs.replace(fresh, moment=self.hub.moment)
        self._encoded = {self.language: msgspec.json.encode(self._last)}
        self._events.clear()
        for listener in list(self.hub.listeners):
            self.hub.send(listener, self.state_event(listener.language))
            self._send_private(listener)

    def state_event(self, language: str) -> StreamMessage:
        """The shared state as a message, made once however many get it."""
        said = self.state(language)
        if language not in self._events:
            self._events[language] = event("state", said, self.hub.moment)
        return self._events[language]

    def state(self, language: str) -> bytes:
        """The shared state in a language, made once however many ask for it."""
        self._send_seen()
        self.refresh()
        if language not in self._encoded:
            self._encoded[language] = msgspec.json.encode(self.shared(catalogue(language).say))
        return self._encoded[language]

    def shared(self, say: Say) -> SharedState:
        """What everybody may see now."""
        game = self.desk.game_id
        notices = tuple(text for one, text in self._notices if one == game)
        names = () if game is None else self.memory.names(game)
        return self.desk.shared(say, self.hub.moment, self.taken(), notices, names)

    def _send_private(self, listener: Listener) -> None:
        seat = self.seat_of(listener.device)
        if seat is None:
            if listener.has_seat is not False:
                self.hub.send(listener, NO_SEAT)
        else:
            said = self.desk.private(seat, catalogue(listener.language).say, self.hub.moment)
            self.hub.send(listener, event("seat", msgspec.json.encode(said)))
        listener.has_seat = seat is not None

    def greet(self, listener: Listener, last: str) -> None:
        """A page opens or comes back: what it missed is in the state as it is now."""
        self._send_seen()
        self.refresh()
        if last != str(self.hub.moment):
            self.hub.send(listener, self.state_event(listener.language))
        if self.desk.showing.shown.running is not None:
            self.hub.send(listener, self.seen_event(listener.language))
        self._send_private(listener)

    def seen_event(self, language: str) -> StreamMessage:
        """The recognised table as a message."""
        return event("seen", msgspec.json.encode(self.recognised.table(catalogue(language).say)))

    def _send_seen(self) -> None:
        """Send the recognised table to every page, if it's another one."""
        if not self.recognised.refresh() or self.desk.showing.shown.running is None:
            return
        made = {language: self.seen_event(language) for language in {one.language for one in self.hub.listeners}}
        for listener in list(self.hub.listeners):
            self.hub.send(listener, made[listener.language])

    def flourish(self, shown: Situation, flourish: Flourish) -> None:
        """Have every page play a flourish."""
        if not self.hub.listeners:
            return
        said = event("flourish", self.desk.panel(shown, flourish))
        self.hub.broadcast(said)

    def _scene_changed(self) -> None:
        assert self.tryout is not None
        said = event("scene", msgspec.json.encode(self.tryout.laid_out))
        self.hub.broadcast(said)

    def close(self) -> None:
        """The box stops: nobody waits for an owner that is gone."""
        self.is_closed = True
        self.hub.close()
        self.archive.close()
        self.printer.close()
        self.slow.close()
        self.download.stop()
        for future in list(self._waiting):
            if not future.done():
                future.set_exception(Refused(503, "busy", BUSY))
        if self.tryout is not None:
            self.tryout.close()

    def say(self, language: str) -> Say:
        """What turns texts into a language."""
        return catalogue(language if language in LANGUAGES else self.language).say

    def play_by(self, config: Config) -> None:
        """New games begin with the options of this configuration."""
        self.desk.games = effective_settings(config, self.language)[0].games

    async def press(self, device: str, said: PressButton) -> None:
        """A button of the twin. A phone's press isn't late because of what its own earlier presses changed."""
        before = asked = None

        def decide() -> SessionChange[None]:
            nonlocal before, asked
            self.refresh()
            before, asked = self.hub.moment, self._asked()
            return self.desk.press(
                said.button, said.is_held, self.presses.moment_meant(device, said.moment, before), before
            )

        done = await self.change_numbered(device, decide)
        self.refresh()
        assert before is not None
        # If more has changed already, the row of this phone's own presses has ended.
        is_same = self.desk.showing.number == done.number and self._asked() == asked
        self.presses.note(device, before, self.hub.moment, is_same_question=is_same)

    def _asked(self) -> tuple[Any, ...]:
        """What question stands: a press for one is never a press for another."""
        shown = self.desk.showing.shown
        if shown.running is None:
            return (0, 0, shown.is_menu)
        return (shown.running.sitting, shown.running.history.number, shown.is_menu)

    # Seats

    def taken(self) -> tuple[int, ...]:
        """The seats of the running game that somebody claimed."""
        game = self.desk.game_id
        return () if game is None else tuple(sorted(self.memory.claims(game)))

    def seat_of(self, device: str) -> int | None:
        """Which seat of the running game a phone holds."""
        game = self.desk.game_id
        if game is None:
            return None
        return next((claim.seat for claim in self.memory.claims(game).values() if claim.device_id == device), None)

    def note(self, game: int | None, template: str, seat: int, **values: Any) -> None:
        """Who sits where is everybody's business: it goes into the log that pages show, and into the service's."""
        if game is None:
            return
        self._notices = [*self._notices, (game, Text(template, {"seat": seat + 1, **values}))][-MAX_NOTICES:]
        log.info("game %s: %s", game, template.format(seat=seat + 1, **values))
        self.mark_stale()

    # The door

    def _show_knock(self, knock: Knock | None) -> None:
        if knock is None:
            self.owner.post(lambda session: session.on_knock(None))
            return
        text = self._wish_in_words(knock)
        now = self.clock()
        ends = min(now + KNOCK_SHOWN_SECONDS, knock.since + KNOCK_LIFE_SECONDS)

        def receive(session: Session) -> None:
            # Nobody can compare a sign before it's there: its time begins when the owner comes to show it.
            late = session.clock() - now
            grant, pass_by = (
                partial(self.owner.call_in_page, self._grant, knock),
                partial(self.owner.call_in_page, self._pass, knock),
            )
            since, until = knock.shown_since + late, ends + late
            session.on_knock(PendingKnock(knock.flourish, text, grant, pass_by, since, until, knock.code))

        self.owner.post(receive)

    def _wish_in_words(self, knock: Knock) -> Text:
        if knock.wanted is None:
            return Text(WANTS_IN)
        if isinstance(knock.wanted, NetworkWish):
            return Text(WANTS, {"what": knock.wanted.label})
        if isinstance(knock.wanted, str):
            return Text(WANTS, {"what": self.upkeep.label(knock.wanted)})
        return Text(ASKS, {"seat": knock.wanted.seat + 1})

    def is_arriving(self, address: str) -> bool:
        """Whether this stranger may set up the Wi-Fi: on the box's own network, before any phone was paired."""
        return is_on_own_network(address) and not self.memory.devices and self.wifi.standing.is_open

    def act(self, knock: Knock) -> None:
        """Do what somebody beside the box has agreed to."""
        wanted = knock.wanted
        deed = "network" if isinstance(wanted, NetworkWish) else wanted
        log.info("%s: agreed to beside the box, asked for by %s", deed, knock.name)
        if deed == "power-off":
            self.owner.post(lambda session: session.bus.publish(SwitchedOff()))
            return
        try:
            if isinstance(wanted, NetworkWish):
                self.wifi.do(wanted)
            elif isinstance(wanted, str):
                self.upkeep.do(wanted)
        except OSError as error:
            log.warning("%s: can't be asked for: %s", deed, error.strerror)

    def _pass(self, knock: Knock) -> None:
        self.door.pass_by(knock.id)

    def _grant(self, knock: Knock) -> None:
        """Somebody held ✔ on the box: a phone may come in, or a seat is free again."""
        if self.door.grant(knock.id) is None or knock.wanted is None:
            return
        self.door.enter(knock.id)
        if isinstance(knock.wanted, str | NetworkWish):
            self.act(knock)
            return
        self.memory.free(knock.wanted.game, knock.wanted.seat)
        self.note(knock.wanted.game, N_("Seat {seat} was freed at the box."), knock.wanted.seat)

    def forget(self, device: Device) -> None:
        """A phone is sent away: its cookie and its open pages end; its seat keeps the PIN."""
        seat = self.seat_of(device.id)
        self.memory.forget(device.id)
        if seat is not None:
            self.note(self.desk.game_id, LEFT, seat)
        for listener in list(self.hub.listeners):
            if listener.device == device.id:
                self.hub.leave(listener)
        self.mark_stale()
