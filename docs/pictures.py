"""`python -m docs.pictures`: the manual's pictures of a first game and of the camera's place, from our own code.

Each picture of the game is what the simulated camera sees, and below it what the panel shows then: the real eye reads
the table and the real session answers.
"""

from __future__ import annotations

import io
import os
import random
import re
import subprocess
import tempfile
from pathlib import Path

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from rich.console import Console

from companion.games import GAMES
from companion.games.notation import read_move, read_state
from companion.outputs.panel_frame import frame_of
from companion.session.session import Session
from companion.table.hosts import HOSTS
from companion.table.scenes import mid_move, scene
from companion.table.simulated_table import SimulatedTable
from hardware.canvas import Circle, Polyline, Shape, Words, as_svg, box, write_png
from hardware.panel import Glow, PanelFrame, Parts
from hardware.panel_drawing import BACKGROUND, SIZE, draw_panel
from hardware.terminal import TerminalPanel, shade
from vision.geometry import Picture
from vision.simulated import PinholeCamera
from vision.simulated.scene import Scene

IMAGES = Path(__file__).parent / "images"
GAME = "silencio"
PICTURE_WIDTH = 720
BRIGHT = {Glow.OFF: 0.0, Glow.DIM: 0.3, Glow.ON: 1.0, Glow.SLOW: 0.8, Glow.FAST: 0.9, Glow.PULSE: 0.7}


class TableShot(Struct, frozen=True):
    """A moment of the first game: a table, and the move that somebody just made with a card, if any."""

    name: str
    state: str
    move: str = ""
    instead: str = ""
    """The card that is laid in place of the move's, against the rules."""


BEGUN = "silencio players=2 driver=table deck=14 oracle=y8,g4"
SHOTS = (
    TableShot(
        "oracle",
        "silencio players=2 driver=table phase=oracle deck=15 oracle=y8 hands=?,?,?,?,?,?/?,?,?,?,?,? to_reveal=1",
    ),
    TableShot("start", f"{BEGUN} phase=start started=no hands=?,?,?,?,?,?/?,?,?,?,?,?"),
    TableShot("turn", f"{BEGUN} hands=?,?,?,?,?,?/?,?,?,?,?,?"),
    TableShot("light", f"{BEGUN} hands=?,?,?,?,?,?/?,?,?,?,?,?", "play b4"),
    TableShot("dark", f"{BEGUN} turn=1 hands=?,?,?,?,?/?,?,?,?,?,? rows=-/b4/-/-", "play b5"),
    TableShot("refused", f"{BEGUN} hands=?,?,?,?,?/?,?,?,?,? rows=r6/b4/-/-", "play r8", instead="r3"),
)


def shoot(shot: TableShot) -> Picture:
    """The table and the panel at this moment."""
    seen, frame, _said = moment_of(shot)
    if shot.move:  # what was just laid, from nearer
        seen = np.asarray(seen[: seen.shape[0] * 3 // 4, : seen.shape[1] * 3 // 4], np.uint8)
    seen = np.asarray(cv2.resize(seen, (PICTURE_WIDTH, PICTURE_WIDTH * 3 // 4), interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(np.vstack([seen, drawn(frame, Parts())]), np.uint8)


def moment_of(shot: TableShot) -> tuple[Picture, PanelFrame, str]:
    """What the camera sees at this moment, what the panel shows, and the same in words."""
    game = GAMES[GAME]
    state = read_state(game, shot.state)
    passed = [0.0]
    session = Session(HOSTS, None, lambda: passed[0], random.Random(1))
    session.start_at(GAME, state)
    simulated = SimulatedTable(GAME, state.options, PinholeCamera(1280, 960, fill=0.97), table="wood")
    look(session, simulated, scene(GAME, state), passed)
    table = scene(GAME, state)
    if shot.move:
        move = read_move(game, shot.move)
        table = mid_move(GAME, state, move, game.apply(state, move)[0])
        if shot.instead:
            played = shot.move.split()[-1]
            table = replace(
                table,
                cards=tuple(replace(one, card=shot.instead) if one.card == played else one for one in table.cards),
            )
    look(session, simulated, table, passed)
    shown = session.shown
    return simulated.photograph(table), frame_of(shown), str(shown.question)


def look(session: Session, simulated: SimulatedTable, table: Scene, passed: list[float]) -> None:
    """Let the box look at a table, and think."""
    for sight in simulated.watch(table):
        passed[0] += 1.0
        session.tick()
        session.on_sight(sight)
    while (due := session.due) is not None and due <= passed[0]:
        session.tick()


def drawn(frame: PanelFrame, parts: Parts) -> Picture:
    """The panel as wide as the table; of what it shows in turns, the sign."""
    still = frame.keyframes[0][1]
    shapes = draw_panel({lamp: BRIGHT[glow] for lamp, glow in parts.glows(still)}, parts)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "face.png"
        write_png(shapes, SIZE, BACKGROUND, path)
        picture = cv2.imread(str(path))
    assert picture is not None
    size = (PICTURE_WIDTH, SIZE[1] * PICTURE_WIDTH // SIZE[0])
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def window_twin(path: Path) -> None:
    """The panel in a window, at the moment of a picture above it."""
    import pygame

    from hardware.window import WindowPanel

    seen, frame, said = moment_of(next(shot for shot in SHOTS if shot.name == "light"))
    panel = WindowPanel(clock=lambda: 0.0)
    panel.show(frame)
    panel.show_table(np.ascontiguousarray(seen[:, :, ::-1]), said)
    panel.step()
    assert panel.surface is not None
    pygame.image.save(panel.surface, path)
    panel.close()


def terminal_twin(path: Path) -> None:
    """The panel in a terminal, at the same moment; `rsvg-convert` makes a picture of it (Debian: librsvg2-bin)."""
    _seen, frame, said = moment_of(next(shot for shot in SHOTS if shot.name == "light"))
    console = Console(record=True, width=80, file=io.StringIO(), force_terminal=True)
    panel = TerminalPanel(clock=lambda: 0.0, console=Console(file=io.StringIO()), keys=None)
    panel.caption(said)
    glows = panel.parts.glows(frame.keyframes[0][1])
    console.print(panel.drawn_panel({lamp: shade(BRIGHT[glow]) for lamp, glow in glows}))
    panel.close()
    # Rich asks for a font from the net; any with box lines will do, if as wide as that one.
    drawn = re.sub(r"@font-face \{.*?\}", "", console.export_svg(title="companion run"), flags=re.DOTALL)
    for rich_has, we_want in (
        ("Fira Code", "DejaVu Sans Mono"),
        ("font-size: 20px", "font-size: 20.27px"),
        ("<text ", '<text xml:space="preserve" '),
    ):
        drawn = drawn.replace(rich_has, we_want)
    subprocess.run(["rsvg-convert", "--output", str(path)], input=drawn.encode(), check=True)


def camera_place() -> str:
    """The table from the side: 1 the camera, 2 its height, 3 the markers, 4 the lamp, 5 the box."""
    ink, pale, light = "#3c3a45", "#b9b6c4", "#d89b2b"
    lines = (
        (ink, 8, (60, 400), (60, 40), (375, 40)),
        (pale, 2, (150, 300), (375, 58), (600, 300)),
        (ink, 8, (140, 314), (140, 400)),
        (ink, 8, (660, 314), (660, 400)),
        (pale, 3, (440, 62), (440, 296)),
        (pale, 3, (432, 74), (440, 60), (448, 74)),
        (pale, 3, (432, 284), (440, 298), (448, 284)),
        (light, 3, (716, 128), (660, 210)),
        (light, 3, (710, 118), (620, 175)),
    )
    boxes = (
        (351, 40, 48, 18, ink),
        (110, 300, 580, 14, "#a4713f"),
        (150, 294, 36, 6, ink),
        (564, 294, 36, 6, ink),
        (300, 296, 30, 4, "#5aa2ff"),
        (350, 296, 30, 4, "#ff5252"),
        (618, 280, 64, 20, "#1c1b22"),
    )
    places = ((375, 20), (466, 180), (168, 276), (730, 70), (650, 264))
    shapes: list[Shape] = [Polyline(tuple(points), colour, width) for colour, width, *points in lines]
    shapes += [box(*one) for one in boxes]
    shapes.append(Circle((730, 110), 22, light))
    shapes += [Words(at, str(number), 24, ink, "middle") for number, at in enumerate(places, 1)]
    return as_svg(shapes, (800, 420), "#ffffff")


def main() -> None:
    """Make all pictures."""
    (IMAGES / "camera-place.svg").write_text(camera_place(), encoding="utf-8")
    for shot in SHOTS:
        path = IMAGES / f"first-{shot.name}.jpg"
        cv2.imwrite(str(path), shoot(shot), [cv2.IMWRITE_JPEG_QUALITY, 82])
        print(path.name)
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    window_twin(IMAGES / "window-twin.png")
    terminal_twin(IMAGES / "terminal-twin.png")


if __name__ == "__main__":
    main()
