"""The simulated table under people's fingers: the page sends a scene, the simulated camera photographs it, the real eye
reads it, and the box gets what it would get from a real table. A thread does the seeing; the box is only posted to."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from msgspec import Struct

from companion.games.text import N_, Text
from companion.table.box import Box
from companion.table.eye import Glance
from companion.table.runner import Runner
from companion.table.scenes import markers, scene
from companion.table.sight import Sight
from companion.table.twin import Twin
from companion.web.desk import NO_GAME, Refused
from companion.web.eyes.lookout import jpeg
from companion.web.eyes.recognised import card_name
from companion.web.pictures.model import Say
from companion.web.records import Laid, SimulatedCard, SimulatedZone, Simulation
from vision.pictures import read_picture
from vision.simulated import LaidCard, Scene

THUMBNAIL = 160
MARKER = "marker-"
NO_TABLE = Text(N_("There is no simulated table here: this box has a real one."))


class Making(Struct, frozen=True):
    """A game whose table isn't made yet."""

    key: tuple[Any, ...]
    game: str
    options: Any

    def made(self) -> Twin:
        """The table, with its deck read."""
        return Twin(self.game, self.options)


class Wanted(Struct, frozen=True):
    """A scene to be looked at, of one game."""

    key: tuple[Any, ...]
    cards: tuple[LaidCard, ...]


class Tryout:
    """The table's cards, and the thread that looks at them."""

    def __init__(self, box: Box, runner: Runner):
        self.box = box
        self.runner = runner
        self.changed: Callable[[], None] = lambda: None
        self.cards: tuple[LaidCard, ...] = ()
        self.making = asyncio.Lock()
        self._key: tuple[Any, ...] = ()
        self._twin: tuple[tuple[Any, ...], Twin] | None = None
        self._wanted: Wanted | None = None
        self._wake = threading.Condition()
        self._is_closed = False
        self._thread: threading.Thread | None = None

    # What the box's owner calls

    def shown(self, say: Say) -> Simulation:
        """The table, its zones, and every card there is."""
        twin = self._current()
        layout, deck = twin.eye.layout, twin.eye.deck
        rules = self.box.hosts[self._key[0]].game
        return Simulation(
            layout.width,
            layout.height,
            deck.width,
            deck.height,
            tuple(SimulatedZone(one.name, one.x, one.y, one.width, one.height) for one in layout.zone),
            tuple(
                SimulatedCard(number, face.card, face.face, say(card_name(rules, face.card)))
                for number, face in enumerate(deck.faces)
            ),
            self.laid,
        )

    @property
    def laid(self) -> tuple[Laid, ...]:
        """What lies on the table, bottom first."""
        return tuple(Laid(one.card, one.x, one.y, one.turn, one.face) for one in self.cards)

    def lay(self, laid: tuple[Laid, ...]) -> None:
        """People have moved cards."""
        twin = self._current()
        known = {(face.card, face.face) for face in twin.eye.deck.faces}
        if any((one.card, one.face) not in known for one in laid):
            raise Refused(422, "no_such_card", Text(N_("That card isn't in the deck of this game.")))
        self.cards = tuple(LaidCard(one.card, one.x, one.y, one.turn, one.face) for one in laid)
        self._look()

    def tidy(self) -> None:
        """Lay the table as the box believes it to be."""
        self._current()
        self.cards = self._from_state()
        self._look()

    def face(self, number: int) -> Path:
        """Where a card's picture lies."""
        faces = self._current().eye.deck.faces
        if not 0 <= number < len(faces):
            raise Refused(404, "no_such_card", Text(N_("There is no such card.")))
        return faces[number].pictures[0]

    def glance(self) -> Glance | None:
        """What the camera saw last."""
        twin = None if self._twin is None else self._twin[1]
        if twin is None or twin.picture is None:
            return None
        return Glance(twin.picture, twin.eye.layout, twin.eye.calibration)

    def recalibrate(self) -> None:
        """Look for the markers anew."""
        if self._twin is not None:
            self._twin[1].eye.recalibrate()
            self.runner.post(self._look)

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
        """What must be made before the table can be used: reading a deck is too slow for the box's owner."""
        play, host = self.box.play, self.box.host
        if play is None or host is None:
            raise Refused(409, "no_game", NO_GAME)
        key = (host.game.name, id(play))
        if self._twin is not None and self._twin[0] == key:
            return None
        return Making(key, host.game.name, play.state.options)

    def install(self, key: tuple[Any, ...], twin: Twin) -> None:
        """The table of a game is made; another game's is cleared away."""
        if self._twin is None or self._twin[0] != key:
            self._key = key
            self._twin = (key, twin)
            self.cards = self._from_state()
            self._look()

    def _current(self) -> Twin:
        if self.lacks() is not None or self._twin is None:
            raise Refused(409, "no_game", NO_GAME)
        return self._twin[1]

    def _from_state(self) -> tuple[LaidCard, ...]:
        assert self.box.play is not None
        rules = self.box.play.game
        laid = scene(rules.name, rules.view(self.box.play.state, None)).cards
        return tuple(card for card in laid if not card.card.startswith(MARKER))

    def _look(self) -> None:
        self.box.on_fault("no-camera", is_there=False)
        with self._wake:
            self._wanted = Wanted(self._key, self.cards)
            self._wake.notify_all()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="tryout", daemon=True)
            self._thread.start()
        self.changed()

    # The thread that sees

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._is_closed or self._wanted is not None)
                if self._is_closed:
                    return
                wanted, self._wanted = self._wanted, None
                twin = self._twin
            if wanted is not None and twin is not None and twin[0] == wanted.key:
                sight = self._see(twin[1], wanted)
                self.runner.post(lambda sight=sight, key=wanted.key: self._tell(sight, key))  # type: ignore[misc]

    def _see(self, twin: Twin, wanted: Wanted) -> Sight:
        layout = twin.eye.layout
        cards = (*markers(layout), *wanted.cards)
        return twin.watch(Scene(cards, layout.width, layout.height))[-1]

    def _tell(self, sight: Sight, key: tuple[Any, ...]) -> None:
        # A sight of a game that is over by now means nothing to the next one.
        if key == self._key and self.box.play is not None and id(self.box.play) == key[1]:
            self.box.on_sight(sight)


@lru_cache(maxsize=256)
def thumbnail(path: Path) -> bytes:
    """A card's picture, small; every phone wants every one of them."""
    picture = read_picture(path)
    height = round(THUMBNAIL * picture.shape[0] / picture.shape[1])
    return jpeg(np.asarray(cv2.resize(picture, (THUMBNAIL, height), interpolation=cv2.INTER_AREA), np.uint8))
