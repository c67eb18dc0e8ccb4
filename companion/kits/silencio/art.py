"""The print-and-play deck for Silencio: four landscapes, ranks 2 to 13, shrines, tavern, start card."""

from __future__ import annotations

import math

import numpy as np

from companion.text import N_
from vision.art.canvas import Canvas, Colour, Spot, around, mixed
from vision.art.kit import CardArt, Drawing, Translate, seeded
from vision.art.patterns import DEEP, INKS, lattice, pip_places, ridges, rosette, suit_shape

SIZE = (63.0, 88.0)
NAMES = {"r": "red", "b": "blue", "y": "yellow", "g": "green"}
NIGHT: Colour = (30, 28, 58)
PAPER: Colour = (252, 248, 238)
START, OPEN, CLOSED = N_("start"), N_("open"), N_("closed")


def cards(translate: Translate = str) -> list[CardArt]:
    """All cards of the deck."""
    made = [
        CardArt(f"{suit}{rank}", "", f"{NAMES[suit].title()} {rank}", _journey(suit, rank), 1)
        for suit in INKS
        for rank in range(2, 14)
    ]
    for name, suit in (("large", ""), ("red", "r"), ("blue", "b"), ("yellow", "y"), ("green", "g")):
        for face in ("lit", "unlit"):
            title = f"{name.title()} shrine"
            made.append(CardArt(f"shrine-{name}", face, title, _shrine(suit, face == "lit"), 1))
    for face, word in (("closed", CLOSED), ("open", OPEN)):
        made.append(CardArt("tavern", face, "Tavern", _tavern(face == "open", translate(word)), 1))
    made.append(CardArt("start", "", "Start", _start(translate(START)), 1))
    return made


def back(canvas: Canvas) -> None:
    """The back of the journey cards: suns and moons, the same either way up."""
    lattice(canvas, "sun", NIGHT, (66, 60, 106), (240, 206, 110))


def _journey(suit: str, rank: int) -> Drawing:
    def draw(canvas: Canvas) -> None:
        random = seeded(f"silencio {suit}{rank}")
        ink, deep = INKS[suit], DEEP[suit]
        _half(canvas, suit, rank, False, random)
        canvas.turn()
        _half(canvas, suit, rank, True, random)
        canvas.turn()
        _pips(canvas, suit, rank)
        for _ in range(2):
            canvas.box(1.6, 1.6, 13.5, 19, (252, 248, 238), deep, 0.5, 2)
            canvas.text(8.3, 7, str(rank), 10, deep, widest=11, weight="Bold")
            suit_shape(canvas, suit, 8.3, 15.6, 3.6, ink, deep)
            canvas.turn()
        canvas.box(0.6, 0.6, canvas.width - 1.2, canvas.height - 1.2, None, deep, 0.8, 2.5)

    return draw


def _half(canvas: Canvas, suit: str, rank: int, dark: bool, random: np.random.Generator) -> None:
    """The upper half: day with a sun, or night with a moon; the landscape of the colour below it."""
    ink, deep, half = INKS[suit], DEEP[suit], canvas.height / 2
    sky = (mixed(ink, (255, 255, 255), 0.72), (255, 250, 236)) if not dark else (NIGHT, mixed(deep, NIGHT, 0.4))
    canvas.shade(sky[0], sky[1], 0, half)
    x, y = canvas.width * float(random.uniform(0.5, 0.82)), half * float(random.uniform(0.2, 0.4))
    if dark:
        for _ in range(26):
            sx, sy = float(random.uniform(2, canvas.width - 2)), float(random.uniform(1, half * 0.7))
            canvas.shape(around(sx, sy, float(random.uniform(0.3, 0.9)), 4, 0, 0.35), (236, 232, 200))
        canvas.disc(x, y, 5.4, (232, 228, 206))
        canvas.disc(x + 2.2, y - 1, 4.6, mixed(NIGHT, deep, 0.1))
    else:
        canvas.shape(around(x, y, 7.4, 12, float(random.uniform(0, 30)), 0.7), mixed(ink, (255, 220, 90), 0.6))
        canvas.disc(x, y, 4.6, (255, 236, 150), mixed(ink, (120, 70, 0), 0.4), 0.4)
    near, far = (
        (deep, mixed(ink, (255, 255, 255), 0.45))
        if not dark
        else (mixed(deep, (0, 0, 0), 0.5), mixed(deep, NIGHT, 0.5))
    )
    ridges(canvas, half * 0.42, half, (far, near), random)
    for _ in range(6 + rank // 3):
        px, py = float(random.uniform(3, canvas.width - 3)), float(random.uniform(half * 0.62, half * 0.97))
        _growth(
            canvas,
            suit,
            px,
            py,
            float(random.uniform(3, 7.5)),
            mixed(ink if not dark else deep, (0, 0, 0), 0.35),
            random,
        )


def _growth(
    canvas: Canvas, suit: str, x: float, y: float, size: float, ink: Colour, random: np.random.Generator
) -> None:
    """What stands in a landscape: cones of lava, reeds, flat-topped trees, firs."""
    light = mixed(ink, (255, 255, 255), 0.3)
    if suit == "r":
        canvas.shape(
            [
                (x - size, y),
                (x - size * 0.25, y - size * 1.2),
                (x + size * 0.25, y - size * 1.2),
                (x + size, y),
            ],
            ink,
        )
        canvas.shape(
            [(x - size * 0.25, y - size * 1.2), (x, y - size * 0.5), (x + size * 0.25, y - size * 1.2)],
            (255, 150, 60),
        )
    elif suit == "b":
        for n in range(-2, 3):
            canvas.path(
                [(x + n * size * 0.2, y), (x + n * size * 0.34, y - size * float(random.uniform(0.9, 1.5)))],
                ink,
                0.5,
            )
        canvas.disc(x, y, size * 0.9, light, ink, 0.3, 0.22)
    elif suit == "y":
        canvas.path([(x, y), (x + size * 0.1, y - size)], ink, size * 0.16)
        canvas.disc(x, y - size, size * 0.95, light, ink, 0.35, 0.33)
    else:
        for n in range(3):
            top = y - size * (0.5 + 0.45 * n)
            wide = size * (0.62 - 0.14 * n)
            canvas.shape(
                [(x - wide, top), (x, top - size * 0.7), (x + wide, top)],
                mixed(ink, light, 0.3 * n),
                ink,
                0.2,
            )
        canvas.path([(x, y), (x, y - size * 0.5)], ink, size * 0.14)


def _pips(canvas: Canvas, suit: str, rank: int) -> None:
    """As many shapes as the rank, on a band across the middle."""
    ink, deep, middle = INKS[suit], DEEP[suit], canvas.height / 2
    canvas.box(8, middle - 13, canvas.width - 16, 26, PAPER, deep, 0.6, 3)
    size = 3.6 if rank <= 6 else 2.7
    for x, y in pip_places(rank, 9, middle - 12, canvas.width - 18, 24):
        suit_shape(canvas, suit, x, y, size * (0.8 if rank > 10 else 1), ink, deep)


def _shrine(suit: str, lit: bool) -> Drawing:
    def draw(canvas: Canvas) -> None:
        random = seeded(f"silencio shrine {suit} {lit}")
        ink = INKS.get(suit, (150, 116, 60))
        deep = DEEP.get(suit, (70, 50, 24))
        dusk = (mixed(NIGHT, ink, 0.25), mixed(deep, ink, 0.3))
        sky = (mixed(ink, (255, 255, 255), 0.4), (255, 246, 214)) if lit else dusk
        canvas.shade(sky[0], sky[1], 0, canvas.height)
        ridges(canvas, 52, 88, (mixed(ink, sky[1], 0.5), deep), random, 3)
        if not lit:
            # Sparks of its suit in the night air: dark shrines would look alike from afar.
            for n in range(18):
                kind = suit or list(INKS)[n % 4]
                x, y = 31.5 + (1 if n % 2 else -1) * random.uniform(10, 29), random.uniform(4, 84)
                suit_shape(
                    canvas, kind, float(x), float(y), float(random.uniform(2.2, 4.6)), mixed(ink, PAPER, 0.45), deep
                )
        glow: Colour = (255, 224, 110) if lit else (70, 74, 92)
        if lit:
            canvas.shape(around(31.5, 34, 25, 16, 0, 0.62), mixed(glow, (255, 255, 255), 0.4))
        stone = (226, 220, 204) if lit else (158, 160, 176)
        # Each shrine is built in its own way: so many columns, so steep a roof.
        columns, peak = {"r": (3, 14), "b": (4, 22), "y": (5, 18), "g": (2, 26)}.get(suit, (6, 16))
        for n in range(columns):
            canvas.box(9 + (45 - 6) * n / (columns - 1), 36, 6, 30, stone, (50, 46, 50), 0.9)
        canvas.shape([(6, 36), (31.5, peak), (57, 36)], stone, (50, 46, 50), 1.0)
        canvas.box(5, 66, 53, 6, stone, (50, 46, 50), 1.0)
        rosette(canvas, 31.5, 51, 13, [ink, glow, mixed(deep, glow, 0.3)], random)
        kinds = [suit] if suit else list(INKS)
        for n, kind in enumerate(kinds):
            x = 31.5 + (n - (len(kinds) - 1) / 2) * 13
            for y, size in ((10.5, 7.5 if suit else 5.0), (78.5, 7.0 if suit else 3.8)):
                # On a dark card, a shape of paper is read from farther than a shape of ink.
                if not lit:
                    canvas.disc(x, y, size * 1.22, PAPER, deep, 0.5)
                suit_shape(canvas, kind, x, y, size if lit else size * 0.8, INKS[kind], deep)
        if not lit:
            canvas.path([(22, 42), (41, 60)], (210, 206, 220), 1.2)
            canvas.path([(41, 42), (22, 60)], (210, 206, 220), 1.2)
        canvas.box(0.6, 0.6, 61.8, 86.8, None, deep, 1.0, 2.5)

    return draw


def _tavern(is_open: bool, word: str) -> Drawing:
    def draw(canvas: Canvas) -> None:
        random = seeded(f"silencio tavern {is_open}")
        wall = (206, 160, 104) if is_open else (138, 130, 142)
        canvas.shade((252, 214, 150) if is_open else NIGHT, (255, 244, 220) if is_open else (64, 60, 92), 0, 88)
        ridges(
            canvas,
            50,
            70,
            ((180, 130, 90), (110, 74, 50)) if is_open else ((60, 56, 84), (36, 32, 52)),
            random,
            2,
        )
        canvas.box(9, 34, 45, 42, wall, (48, 34, 26), 0.8)
        canvas.shape([(4, 36), (31.5, 12), (59, 36)], (140, 58, 44) if is_open else (92, 66, 82), (48, 34, 26), 0.8)
        for x in (14, 40):
            canvas.box(x, 42, 9, 10, (255, 226, 120) if is_open else (40, 42, 66), (48, 34, 26), 0.7)
            canvas.path([(x + 4.5, 42), (x + 4.5, 52)], (48, 34, 26), 0.6)
        if is_open:
            canvas.box(25, 54, 13, 22, (255, 240, 190), (48, 34, 26), 0.8)
            canvas.shape([(25, 54), (18, 57), (18, 79), (25, 76)], (124, 78, 44), (48, 34, 26), 0.6)
        else:
            canvas.box(25, 54, 13, 22, (84, 54, 40), (48, 34, 26), 0.8)
            canvas.path([(23, 58), (40, 72)], (170, 140, 100), 2)
            canvas.path([(40, 58), (23, 72)], (170, 140, 100), 2)
        rosette(canvas, 31.5, 27, 6, [(230, 180, 70), (150, 50, 40), (250, 240, 210)], random)
        canvas.text(31.5, 82, word.upper(), 6, (70, 40, 20) if is_open else (220, 214, 230), widest=56, weight="Bold")
        canvas.box(0.6, 0.6, 61.8, 86.8, None, (70, 44, 26), 1.0, 2.5)

    return draw


def _start(word: str) -> Drawing:
    def draw(canvas: Canvas) -> None:
        random = seeded("silencio start")
        canvas.shade((250, 240, 214), (214, 226, 220), 0, 88)
        rosette(canvas, 31.5, 40, 27, [INKS["b"], (248, 240, 220), INKS["g"], INKS["y"], INKS["r"]], random)
        spots: list[Spot] = [(31.5 + 9 * math.sin(a), 40 - 9 * math.cos(a)) for a in (0, 2.3, 3.98)]
        canvas.shape(spots, (250, 246, 236), (50, 40, 40), 0.8)
        canvas.text(31.5, 79, word.upper(), 9, (60, 44, 40), widest=56, weight="Bold")
        canvas.box(0.6, 0.6, 61.8, 86.8, None, (60, 44, 40), 1.0, 2.5)

    return draw
