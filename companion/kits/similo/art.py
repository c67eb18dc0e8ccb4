"""The print-and-play decks for Similo: each character has an ornament of its own, a name and a few words.

They have no portraits: a drawn face that fits no name would be a clue that misleads.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.similo.characters import FABLES, HISTORY
from companion.kits.similo.characters import ABOUT
from vision.art.canvas import Canvas, Colour, around, mixed
from vision.art.kit import CardArt, Drawing, Translate, seeded
from vision.art.patterns import lattice, rosette

SIZE = (63.0, 88.0)
PALETTES: tuple[tuple[Colour, Colour, Colour], ...] = (
    ((36, 78, 120), (232, 196, 108), (190, 70, 58)), ((60, 104, 82), (240, 224, 180), (206, 122, 60)),
    ((112, 54, 98), (236, 202, 160), (70, 130, 140)), ((150, 66, 46), (244, 226, 190), (50, 96, 110)),
    ((44, 60, 90), (214, 170, 110), (120, 150, 96)), ((90, 80, 50), (232, 214, 170), (150, 60, 90)),
)  # fmt: skip


def fables(translate: Translate = str) -> list[CardArt]:
    """The deck of fables."""
    return _deck(FABLES, translate)


def history(translate: Translate = str) -> list[CardArt]:
    """The deck of history."""
    return _deck(HISTORY, translate)


def _deck(characters: Mapping[str, str], translate: Translate) -> list[CardArt]:
    return [
        CardArt(card, "", name, _character(name, translate(name), translate(ABOUT[card])), 1)
        for card, name in characters.items()
    ]


def _character(seed: str, name: str, about: str) -> Drawing:
    def draw(canvas: Canvas) -> None:
        random = seeded(f"similo {seed}")
        ground, light, accent = PALETTES[int(random.integers(len(PALETTES)))]
        canvas.shade(mixed(ground, (255, 255, 255), 0.15), ground, 0, canvas.height)
        # Nothing is shared but the place of the words: ornaments differ in place, window and petals.
        x, y = 31.5 + float(random.uniform(-8, 8)), 27 + float(random.uniform(-5, 5))
        glow = [ground, mixed(ground, light, 0.35), mixed(ground, accent, 0.6)]
        rosette(canvas, float(random.uniform(10, 53)), float(random.uniform(12, 48)), 46, glow, random)
        paper = mixed(light, (255, 255, 255), 0.45)
        corners, angle = ((4, 45), (4, 0), (6, 0), (8, 22.5), (40, 0), (5, 0), (6, 30))[int(random.integers(7))]
        canvas.shape(around(x, y, 20 if corners > 4 else 24, corners, angle), paper, light, 1.2)
        rosette(canvas, x, y, float(random.uniform(13, 17)), [accent, light, ground, paper], random)
        for corner in range(2):
            rosette(canvas, 7 + 49 * corner, 7, 5, [accent, light, ground], random)
        canvas.box(3, 49, 57, 36, (252, 246, 232), accent, 0.7, 2)
        canvas.fitted(6, 51, name, (8.6, 4.5), (44, 34, 34), 51, 19.5, "Bold")
        canvas.path([(22, 71.5), (41, 71.5)], accent, 0.5)
        canvas.fitted(6, 72.5, about, (4.2, 2.8), (70, 58, 54), 51, 11.5, "It")
        canvas.box(0.7, 0.7, 61.6, 86.6, None, light, 1.1, 2.5)

    return draw


def fables_back(canvas: Canvas) -> None:
    """The back of the deck of fables."""
    lattice(canvas, "disc", (36, 84, 80), (72, 124, 118), (244, 214, 140))


def history_back(canvas: Canvas) -> None:
    """The back of the deck of history."""
    lattice(canvas, "disc", (110, 48, 44), (150, 88, 78), (240, 216, 170))
