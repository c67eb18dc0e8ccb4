"""`python -m docs.panel_pictures`: the easy panel and its text line as pictures, made by the code that drives them.

The lights are read from the bytes for the strip, the words from luma's own display in memory.
"""

from __future__ import annotations

import sys
from pathlib import Path

from luma.core.device import dummy
from PIL import Image, ImageDraw

from companion.catalogue import Catalogue
from companion.outputs.text_line import BUTTONS, COUNTDOWN, FIXES, SAFE
from companion.session.question_texts import CHOOSE_A_GAME
from companion.text import LANGUAGES, Text, raw
from hardware.canvas import Circle, Polygon, Polyline
from hardware.display import Message, pages
from hardware.lights import PATTERNS
from hardware.outfit import EASY_PANEL
from hardware.panel import PanelFrame
from hardware.pixels import Colour, budget, painted
from hardware.plate import plate
from hardware.timing import GAMMA, levels

IMAGES = Path(__file__).parent / "images"
ADDRESS = "http://192.168.1.23:8080/"
SCALE, FINER_BY = 4, 3
"""Pixels for each millimetre, and how many times finer it's drawn."""
BOARD, HOLE, CAP, PRINT, GLASS, LIT = "#26252c", "#0d0d10", "#5b5866", "#a8a5b3", "#05070c", "#bfe6ff"


def seen(pixel: Colour, brightness: float) -> Colour:
    """The colour of a pixel on a screen, which takes numbers as the eye does and not as light."""
    return tuple(round(255 * min(1.0, value / (255 * brightness)) ** (1 / GAMMA)) for value in pixel[:3])


def front(frame: PanelFrame, message: Message) -> Image.Image:
    """The easy panel from the front, with these lights and these words."""
    made, strip = plate(EASY_PANEL), EASY_PANEL.strip
    by = SCALE * FINER_BY
    bright, _ = levels(frame, strip.parts, 0.0)
    pixels = painted(strip, bright)
    picture = Image.new("RGB", (round(made.size[0] * by), round(made.size[1] * by)), BOARD)
    pen = ImageDraw.Draw(picture)
    for shape in made.prints:
        if isinstance(shape, Polygon | Polyline):
            points = [(x * by, y * by) for x, y in shape.points]
            if isinstance(shape, Polygon):
                pen.polygon(points, fill=PRINT)
            else:
                pen.line(points, fill=PRINT, width=round(0.6 * by))
    lamps = dict(strip.lamps())
    for name, hole in made.holes.items():
        fill: str | Colour = CAP
        if name in lamps:
            pixel = pixels[lamps[name] - 1]
            fill = seen(pixel, budget(strip).brightness) if any(pixel) else HOLE
        if isinstance(hole, Circle):
            (x, y), radius = hole.centre, hole.radius
            pen.ellipse([v * by for v in (x - radius, y - radius, x + radius, y + radius)], fill=fill, outline=PRINT)
        else:
            pen.polygon([(x * by, y * by) for x, y in hole.points], fill=fill, outline=PRINT)
    window = made.holes["display"]
    assert isinstance(window, Polygon)
    (left, top), (right, bottom) = window.points[0], window.points[2]
    size = round((right - left) * by), round((bottom - top) * by)
    picture.paste(glass(message, (128, 64)).resize(size), (round(left * by), round(top * by)))
    return picture.resize((picture.width // FINER_BY, picture.height // FINER_BY), Image.Resampling.LANCZOS)


def glass(message: Message, size: tuple[int, int], page: int = 0) -> Image.Image:
    """What a display shows, as luma's own display in memory has it."""
    device = dummy(width=size[0], height=size[1], mode="1")
    device.display(pages(message, size)[page].picture)
    picture = Image.new("RGB", size, GLASS)
    picture.paste(LIT, (0, 0), device.image.convert("L"))
    return picture


def easy_panel() -> Image.Image:
    """Three moments of a game, one below the other."""
    moments = (
        ("#--------...... #### ..", ("✔ Silencio", "Choose a game.", str(BUTTONS))),
        ("o.............o .#.. #.", ("✔ Player 2 plays blue 7, light side up.", "Player 2 plays a card.")),
        ("**............. .... ..", ("blue 3 doesn't climb over blue 7.", "Player 2 plays a card.")),
    )
    fronts = [front(PanelFrame.parse(lights), Message(words)) for lights, words in moments]
    width, height = fronts[0].size
    picture = Image.new("RGB", (width + 40, (height + 20) * len(fronts) + 20), "#ffffff")
    for number, one in enumerate(fronts):
        picture.paste(one, (20, 20 + number * (height + 20)))
    return picture


def text_line() -> Image.Image:
    """The text line on both displays: four languages, the address with its code, a fault, and the last word."""
    tongues = {language: Catalogue(language).say for language in LANGUAGES}
    refused = Text(PATTERNS["refused-climb"].meaning)
    messages = [Message((say(refused), say(Text(PATTERNS["green-next"].meaning)))) for say in tongues.values()]
    messages += [Message((), ADDRESS), Message((tongues["nl"](Text(COUNTDOWN, {"left": 3})),))]
    messages += [Message((tongues["pl"](CHOOSE_A_GAME), tongues["pl"](BUTTONS)))]
    messages += [Message((tongues["es"](Text(PATTERNS["no-camera"].meaning)), tongues["es"](Text(FIXES["no-camera"]))))]
    messages += [Message((tongues["en"](SAFE),)), Message((str(raw("✔ blue › 7")),))]
    columns, by = 2, 3
    gap = 14
    rows = len(messages)
    picture = Image.new("RGB", (columns * (128 * by + gap) + gap, rows * (64 * by + gap) + gap), "#ffffff")
    for row, message in enumerate(messages):
        for column, size in enumerate(((128, 64), (128, 32))):
            shown = glass(message, size).resize((size[0] * by, size[1] * by), Image.Resampling.NEAREST)
            picture.paste(shown, (gap + column * (128 * by + gap), gap + row * (64 * by + gap)))
    return picture


def main(folder: Path = IMAGES) -> int:
    """Write the pictures."""
    for name, picture in (
        ("easy-panel", easy_panel()),
        ("text-line", text_line()),
    ):
        picture.save(folder / f"{name}.png", optimize=True)
        print(f"written: {name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
