"""The simulated table under people's fingers: the page sends a scene, the simulated camera photographs it, the real eye
reads it, and the box gets what it would get from a real table. A thread does the seeing and owns the eye; the box is
only posted to."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.session.session import Session
from companion.table.eye import Snapshot
from companion.table.host import Host
from companion.table.scenes import corner_markers, scene
from companion.table.sight import Sight
from companion.table.simulated_table import SimulatedTable
from companion.table.worker import ErrorGuard
from companion.text import N_, Text
from companion.web.desk import NO_GAME, Refused
from companion.web.eyes.recognised import card_name
from companion.web.eyes.table_camera import THUMBNAIL_PIXELS, jpeg, shrunk
from companion.web.owner import OwnerProxy
from companion.web.pictures.model import Say
from companion.web.simulated_records import LaidOut, SimulatedCard, SimulatedCardPlace, Simulation
from companion.web.things import named_zones
from vision.pictures import read_picture
from vision.simulated import LaidCard, Scene

MARKER = "marker-"
NO_TABLE = Text(N_("There is no simulated table here: this box has a real one."))


class Making(Struct, frozen=True):
    """A game whose table isn't made yet."""

    key: tuple[Any, ...]
    game: str
    options: Any

    def made(self) -> SimulatedTable:
        """The table, with its deck read."""
        return SimulatedTable(self.game, self.options)


class SceneRequest(Struct, frozen=True):
    """A scene to be looked at, of one game."""

    key: tuple[Any, ...]
    cards: tuple[LaidCard, ...]
    is_anew: bool = False
    """Whether the corner markers are to be looked for anew."""


class Tryout:
    """The table's cards, as the game in `showing` has them, and the thread that looks at them."""

    def __init__(self, owner: OwnerProxy, hosts: Mapping[str, Host[Any]], changed: Callable[[], None]):
        self.showing = owner.showing
        self._owner = owner
        self._hosts = hosts
        self._changed = changed
        self.cards: tuple[LaidCard, ...] = ()
        # Numbers grow over a restart too, so that a page that slept never takes an old scene for a new one.
        self._number = int(time.time() * 1000)
        self.making = asyncio.Lock()
        self._key: tuple[Any, ...] = ()
        self._simulated: tuple[tuple[Any, ...], SimulatedTable] | None = None
        self._wanted: SceneRequest | None = None
        self._seen: tuple[tuple[Any, ...], Snapshot] | None = None
        self._guard = ErrorGuard("tryout", self._fails)
        self._wake = threading.Condition()
        self._is_closed = False
        self._thread: threading.Thread | None = None

    # What the page's loop calls

    def shown(self, say: Say) -> Simulation:
        """The table, its zones, and every card there is."""
        simulated = self._current()
        layout, deck = simulated.eye.layout, simulated.eye.deck
        rules = self._hosts[self._key[0]].game
        return Simulation(
            layout.width,
            layout.height,
            deck.width,
            deck.height,
            named_zones(self._key[0], say),
            tuple(
                SimulatedCard(number, face.card, face.face, say(card_name(rules, face.card)))
                for number, face in enumerate(deck.faces)
            ),
            self.laid_out,
        )

    @property
    def laid_out(self) -> LaidOut:
        """What lies on the table, bottom first."""
        cards = tuple(SimulatedCardPlace(one.card, one.x, one.y, one.turn, one.face) for one in self.cards)
        return LaidOut(self._number, cards)

    def lay(self, laid: tuple[SimulatedCardPlace, ...]) -> None:
        """People have moved cards."""
        simulated = self._current()
        known = {(face.card, face.face) for face in simulated.eye.deck.faces}
        if any((one.card, one.face) not in known for one in laid):
            raise Refused(422, "no_such_card", Text(N_("That card isn't in the deck of this game.")))
        self._put(tuple(LaidCard(one.card, one.x, one.y, one.angle, one.face) for one in laid))

    def tidy(self) -> None:
        """Lay the table as the box believes it to be."""
        self._current()
        self._put(self._from_state())

    def face(self, number: int) -> Path:
        """Where a card's picture lies."""
        faces = self._current().eye.deck.faces
        if not 0 <= number < len(faces):
            raise Refused(404, "no_such_card", Text(N_("There is no such card.")))
        return faces[number].pictures[0]

    def snapshot(self) -> Snapshot | None:
        """What the camera saw last."""
        seen = self._seen
        return seen[1] if seen is not None and seen[0] == self._key else None

    def recalibrate(self) -> None:
        """Look for the corner markers anew."""
        if self._simulated is not None:
            self._look(is_anew=True)

    def renew(self) -> None:
        """The simulated table has the cards that Hush draws, whatever was enrolled."""

    def close(self) -> None:
        """Stop looking."""
        with self._wake:
            self._is_closed = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join(10)

    def lacks(self) -> Making | None:
        """What must be made before the table can be used: reading a deck is too slow for the page's loop."""
        running = self.showing.shown.running
        if running is None:
            raise Refused(409, "no_game", NO_GAME)
        key = (running.host.game.name, running.sitting)
        if self._simulated is not None and self._simulated[0] == key:
            return None
        return Making(key, running.host.game.name, running.public_state.options)

    def install(self, key: tuple[Any, ...], simulated: SimulatedTable) -> None:
        """The table of a game is made; another game's is cleared away."""
        if self._simulated is None or self._simulated[0] != key:
            self._key = key
            self._simulated = (key, simulated)
            self._put(self._from_state())

    def _put(self, cards: tuple[LaidCard, ...]) -> None:
        self.cards = cards
        self._number += 1
        self._look()
        self._changed()

    def _current(self) -> SimulatedTable:
        if self.lacks() is not None or self._simulated is None:
            raise Refused(409, "no_game", NO_GAME)
        return self._simulated[1]

    def _from_state(self) -> tuple[LaidCard, ...]:
        running = self.showing.shown.running
        assert running is not None
        laid = scene(running.host.game.name, running.public_state).cards
        return tuple(card for card in laid if not card.card.startswith(MARKER))

    def _look(self, is_anew: bool = False) -> None:
        self._owner.post(lambda session: session.on_fault("no-camera", is_active=False))
        with self._wake:
            # What was asked for before and not done yet isn't forgotten over the newer scene.
            is_anew = is_anew or (self._wanted is not None and self._wanted.is_anew)
            self._wanted = SceneRequest(self._key, self.cards, is_anew)
            self._wake.notify_all()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="tryout", daemon=True)
            self._thread.start()

    # The thread that sees

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._is_closed or self._wanted is not None)
                if self._is_closed:
                    return
                wanted, self._wanted = self._wanted, None
                simulated = self._simulated
            if wanted is None or simulated is None or simulated[0] != wanted.key:
                continue
            if not self._guard.does(partial(self._see, simulated[1], wanted)):
                self._wait(wanted)

    def _wait(self, wanted: SceneRequest) -> None:
        """Look at the same scene again after a pause, unless people have moved cards since."""
        with self._wake:
            if self._wanted is None:
                self._wanted = wanted
            self._wake.wait_for(lambda: self._is_closed, self._guard.grow())

    def _see(self, simulated: SimulatedTable, wanted: SceneRequest) -> bool:
        # An eye that failed is made anew: whatever it has come to believe may be what made it fail.
        if self._guard.is_failing:
            simulated.restart()
        if wanted.is_anew:
            simulated.eye.recalibrate()
        layout = simulated.eye.layout
        cards = (*corner_markers(layout), *wanted.cards)
        sight = simulated.watch(Scene(cards, layout.width, layout.height))[-1]
        if simulated.picture is not None:
            self._seen = wanted.key, Snapshot(simulated.picture, layout, simulated.eye.calibration)
        self._owner.post(lambda session: self._tell(session, sight, wanted.key))
        return True

    def _fails(self, is_failing: bool) -> None:
        self._owner.post(lambda session: session.on_fault("no-eye", is_failing))

    @staticmethod
    def _tell(session: Session, sight: Sight, key: tuple[Any, ...]) -> None:
        # A sight of a game that is over by now means nothing to the next one.
        running = session.shown.running
        if running is not None and (running.host.game.name, running.sitting) == key:
            session.on_sight(sight)


@lru_cache(maxsize=256)
def thumbnail(path: Path) -> bytes:
    """A card's picture, small; every phone wants every one of them."""
    return jpeg(shrunk(read_picture(path), THUMBNAIL_PIXELS))
