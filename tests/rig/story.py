"""`python -m tests.rig.story FOLDER`: makes what is played in the rig, on a simulated box at native speed.

A story is a list of beats: a picture for the sensor or a press, and what must come of it: lamps that shine or are dark,
and how many steps the journal has. Whoever plays it back waits for these, so a slow machine needs only more time.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.demo.person import RandomPerson
from companion.games.game import Over
from companion.kits import KITS
from companion.table.hosts import HOSTS
from companion.table.menu import NewGame
from companion.table.sight import Sight
from companion.table.simulated_table import SimulatedTable
from hardware.panel import Button, Glow
from tests.table.fingers import Bench
from vision.pictures import write_picture
from vision.simulated import PinholeCamera, Scene

PLAYERS = 2
MAX_MOVES = 2000
UNPLUGGED = (4, 7)
"""Before which moves of a game under the camera its cable is pulled and put back."""


class Beat(Struct, frozen=True, omit_defaults=True):
    """One thing that is done at the table, and what the box shows and has kept afterwards.

    A press, a picture for the sensor, or the camera's cable pulled `out` or put `in`; nothing means waiting.
    """

    press: str = ""
    show: str = ""
    cable: str = ""
    on: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    moving: tuple[str, ...] = ()
    steps: int = 0


class Story(Struct, frozen=True):
    """A game from the menu to its end."""

    game: str
    beats: tuple[Beat, ...]
    moves: tuple[str, ...]
    ending: str


class Recorded(Bench):
    """A bench that writes down what is done to it; what comes of a beat is looked at before the next one."""

    def __init__(self, folder: Path):
        super().__init__(folder)
        self.beats: list[Beat] = []
        self.done: dict[str, str] = {}
        self.box.wake()

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.look()
            self.done = {"press": button.value}
            super().press(button)

    def show(self, picture: str) -> None:
        self.look()
        self.done = {"show": picture}

    def look(self) -> None:
        """Note what came of the last beat."""
        if not self.done:
            return
        glows = dict(self.panel.parts.glows(self.frame))
        on, off = (tuple(name for name, shown in glows.items() if shown is glow) for glow in (Glow.ON, Glow.OFF))
        kept = 0 if self.box.shown.running is None else len(self.history.notation)
        # A dim lamp is mostly dark, so nothing is said of it.
        moving = tuple(name for name, shown in glows.items() if shown not in (Glow.ON, Glow.OFF, Glow.DIM))
        self.beats.append(Beat(**self.done, on=on, off=off, moving=moving, steps=kept))
        self.done = {}

    def begin(self, name: str, variant: str) -> None:
        """Choose a game from the menu."""
        chosen = next(options for key, _, options in KITS[name].variants if key == variant)
        self.pick(NewGame(name, {"players": PLAYERS, **HOSTS[name].at_table, **chosen}))

    def told(self, name: str) -> Story:
        self.look()
        play = self.history
        ending = str(play.pending.reason) if isinstance(play.pending, Over) else ""
        moves = [step.text for step in self.journal.steps(self.journal.games()[-1].id)]
        return Story(name, tuple(self.beats), tuple(moves), ending)


def by_buttons(bench: Recorded, name: str, variant: str, seed: int) -> Story:
    """A whole game with the four buttons alone; a window that nobody uses closes by itself."""
    rng = random.Random(seed)
    bench.begin(name, variant)
    for _ in range(MAX_MOVES):
        play, host = bench.history, HOSTS[name]
        if play.is_over:
            break
        if host.window(play.state) is not None:
            bench.look()
            bench.done = {"press": ""}
            bench.wait(60.0)
            continue
        legal = [move for move in host.game.legal(play.state) if not isinstance(move, host.game.mishaps)]
        bench.make(rng.choice(legal))
    return bench.told(name)


class Watched(SimulatedTable):
    """A table whose pictures are kept, under a camera with a cable."""

    def __init__(self, bench: Recorded, folder: Path):
        self.game = bench.history.game.name
        super().__init__(self.game, bench.history.state.options, PinholeCamera(1280, 960, fill=0.97))
        self.bench, self.folder = bench, folder
        self.is_plugged = True
        self._kept: list[Scene] = []

    def watch(self, scene: Scene) -> list[Sight]:
        if scene not in self._kept:
            self._kept.append(scene)
            write_picture(self.folder / self._name(scene), self.photograph(scene))
        self.bench.show(self._name(scene))
        self._shown = scene
        return super().watch(scene) if self.is_plugged else []

    def plug(self, is_plugged: bool) -> None:
        """Pull the cable or put it back; the camera then sees what lies there."""
        self.is_plugged = is_plugged
        self.bench.look()
        self.bench.done = {"cable": "in" if is_plugged else "out"}
        self.bench.box.on_fault("no-camera", not is_plugged)
        self.bench.wait(60.0)
        for sight in super().watch(self._shown) if is_plugged else []:
            self.bench.box.on_sight(sight)

    def _name(self, scene: Scene) -> str:
        return f"{self.game}-{self._kept.index(scene):03}.png"


def by_camera(bench: Recorded, name: str, variant: str, seed: int, folder: Path) -> Story:
    """A whole game under the camera, confirmed with the buttons; for a while its cable is out."""
    bench.begin(name, variant)
    twin = Watched(bench, folder)
    person = RandomPerson(bench.box, twin, random.Random(seed), touch=lambda button: bench.press(button))
    for number, _step in enumerate(person.play_on()):
        if number in UNPLUGGED:
            twin.plug(number != UNPLUGGED[0])
    return bench.told(name)


def shortest(tell: Callable[[int], Story], seeds: range) -> Story:
    """The story with the fewest beats."""
    return min((tell(seed) for seed in seeds), key=lambda story: len(story.beats))


def main(folder: Path) -> None:
    """Write all stories, and the pictures of those with a camera."""
    folder.mkdir(parents=True, exist_ok=True)

    def told(tell: Callable[[Recorded], Story]) -> Story:
        with tempfile.TemporaryDirectory() as scratch:
            bench = Recorded(Path(scratch))
            try:
                return tell(bench)
            finally:
                bench.close()

    for name, variant in (("silencio", "standard"), ("similo", "standard"), ("silentes", "table"), ("cisza", "hard")):
        story = shortest(
            lambda seed, name=name, variant=variant: told(lambda bench: by_buttons(bench, name, variant, seed)),
            range(60),
        )
        (folder / f"{name}.json").write_bytes(msgspec.json.encode(story))
        print(f"{name}: {len(story.beats)} beats, {len(story.moves)} moves, {story.ending}")
    for name, seed in (("similo", 7), ("silencio", 1)):
        story = told(lambda bench, name=name, seed=seed: by_camera(bench, name, "standard", seed, folder))
        (folder / f"{name}-camera.json").write_bytes(msgspec.json.encode(story))
        print(f"{name} by camera: {len(story.beats)} beats, {len(story.moves)} moves, {story.ending}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
