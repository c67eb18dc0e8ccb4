"""The print-and-play tarot for Silentes: 22 arcana, and four suits whose pips can be counted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from companion.games.silentes import SILENTES
from vision.art.canvas import Canvas, Colour, around, mixed
from vision.art.kit import CardArt, Drawing, Translate, seeded
from vision.art.patterns import lattice, pip_places, ridges, rosette, suit_shape
from vision.art.people import bust, someone

SIZE = (70.0, 120.0)
SUITS: dict[str, tuple[Colour, Colour]] = {
    "wands": ((190, 120, 52), (110, 44, 24)),
    "cups": ((70, 130, 170), (20, 52, 92)),
    "swords": ((170, 178, 190), (52, 52, 72)),
    "pentacles": ((226, 180, 62), (76, 84, 30)),
}
COURTS = {11: "cap", 12: "helm", 13: "crown", 14: "crown"}
HATS = {
    0: "feather",
    1: "witch",
    2: "hood",
    3: "laurel",
    4: "crown",
    5: "turban",
    7: "helm",
    9: "hood",
    11: "cap",
}
PAPER: Colour = (248, 240, 222)
PALE: Colour = (250, 244, 226)

Emblem = Callable[[Canvas, Colour, Colour, Colour], None]


def cards(translate: Translate = str) -> list[CardArt]:
    """All 78 cards."""

    def made(card: str, draw: Callable[[str], Drawing]) -> CardArt:
        name = SILENTES.card(card)
        return CardArt(card, "", str(name), draw(name.render(translate)), 1)

    majors = [made(f"major-{number:02}", partial(_major, number)) for number in range(22)]
    return majors + [made(f"{suit}-{rank:02}", partial(_minor, suit, rank)) for suit in SUITS for rank in range(1, 15)]


def back(canvas: Canvas) -> None:
    """The back of all cards: stars of a night without a sound."""
    lattice(canvas, "star", (44, 26, 58), (86, 56, 104), (226, 190, 120))


def roman(number: int) -> str:
    """Roman numerals, 0 as itself."""
    text = ""
    for value, sign in ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        while number >= value:
            text, number = text + sign, number - value
    return text or "0"


def _frame(canvas: Canvas, head: str, title: str, ink: Colour) -> None:
    canvas.box(1, 1, 68, 118, None, ink, 0.8, 3)
    canvas.box(24, 2.2, 22, 10, PAPER, ink, 0.6, 2)
    canvas.text(35, 7.2, head, 7.4, ink, widest=19, weight="Bold")
    canvas.box(5, 106.5, 60, 10.5, PAPER, ink, 0.6, 2)
    # Small and soft, so that a card looks alike in all languages.
    canvas.text(35, 111.8, title, 5, mixed(ink, PAPER, 0.3), widest=56, weight="Regular")


def _minor(suit: str, rank: int, title: str) -> Drawing:
    def draw(canvas: Canvas) -> None:
        random = seeded(f"tarot {suit} {rank}")
        ink, deep = SUITS[suit]
        canvas.shade(mixed(ink, (255, 255, 255), 0.7), mixed(deep, (255, 255, 255), 0.55), 0, 120)
        rosette(canvas, 35, 58, 52, [mixed(ink, PAPER, 0.75), mixed(deep, PAPER, 0.72), PAPER], random)
        if rank > 10:
            who = someone(random, COURTS[rank], rank == 13 or bool(random.random() < 0.4), rank == 14)
            x, y = 35 + float(random.uniform(-6, 6)), 50 + float(random.uniform(-4, 8))
            canvas.shape(around(x, y + 4, 30, (40, 6, 8, 5)[list(SUITS).index(suit)]), PAPER, deep, 0.8)
            bust(canvas, x, y, float(random.uniform(8.5, 11.5)), who, random)
            suit_shape(canvas, suit, 13, 92, 8, ink, deep)
            suit_shape(canvas, suit, 57, 92, 8, ink, deep)
        else:
            size = {1: 22.0, 2: 13.0, 3: 11.0}.get(rank, 9.0 if rank < 7 else 7.6)
            for x, y in pip_places(rank, 8, 15, 54, 90):
                suit_shape(canvas, suit, x, y, size * 0.85, ink, deep)
        _frame(canvas, str(rank), title, deep)

    return draw


def _major(number: int, name: str) -> Drawing:
    def draw(canvas: Canvas) -> None:
        random = seeded(f"tarot major {number}")
        hue = [(54, 42, 92), (120, 40, 48), (26, 74, 92), (52, 84, 52), (130, 84, 30)][number % 5]
        ink: Colour = (hue[0], hue[1], hue[2])
        gold: Colour = (232, 192, 90)
        canvas.shade(ink, mixed(ink, (250, 220, 180), 0.55), 0, 120)
        for _ in range(40):
            x, y = float(random.uniform(3, 67)), float(random.uniform(14, 70))
            canvas.shape(around(x, y, float(random.uniform(0.4, 1.1)), 4, 0, 0.3), (244, 236, 200))
        ridges(canvas, 74, 118, (mixed(ink, gold, 0.35), mixed(ink, (0, 0, 0), 0.4)), random, 4)
        rosette(canvas, 35, 48, 31, [mixed(ink, gold, 0.5), gold, mixed(ink, (255, 255, 255), 0.75), ink], random)
        if number in EMBLEMS:
            EMBLEMS[number](canvas, ink, gold, mixed(ink, (0, 0, 0), 0.4))
        if number in HATS:
            bust(canvas, 35, 52, 9, someone(random, HATS[number], number in (2, 3)), random)
        for n, (x, y) in enumerate(pip_places(min(14, number) or 1, 10, 90, 50, 15)):
            canvas.shape(around(x, y, 1.7, 5 if n % 2 else 4, 0, 0.5), gold, mixed(ink, (0, 0, 0), 0.5), 0.25)
        _frame(canvas, roman(number), name, mixed(ink, (0, 0, 0), 0.35))

    return draw


def _lovers(canvas: Canvas, ink: Colour, gold: Colour, dark: Colour) -> None:
    for x, tint in ((27, (206, 90, 90)), (43, (90, 120, 190))):
        canvas.disc(x, 46, 9, tint, dark, 0.7)


def _strength(canvas: Canvas, ink: Colour, gold: Colour, dark: Colour) -> None:
    canvas.shape(around(35, 48, 22, 14, 0, 0.75), (206, 140, 60), dark, 0.7)
    canvas.disc(35, 48, 12, (236, 188, 110), dark, 0.7)
    for x in (31, 39):
        canvas.disc(x, 46, 1.6, dark)


def _wheel(canvas: Canvas, ink: Colour, gold: Colour, dark: Colour) -> None:
    for n in range(8):
        canvas.path([(35, 48), around(35, 48, 24, 8)[n]], dark, 1.4)
    canvas.disc(35, 48, 24, None, dark, 2)
    canvas.disc(35, 48, 6, gold, dark, 0.8)


def _hanged_man(canvas: Canvas, ink: Colour, gold: Colour, dark: Colour) -> None:
    canvas.path([(35, 20), (35, 40)], PALE, 1.6)
    canvas.shape(around(35, 54, 15, 3, 180), (90, 140, 170), dark, 0.8)
    canvas.disc(35, 74, 5, (240, 206, 170), dark, 0.6)


def _death(canvas: Canvas, ink: Colour, gold: Colour, dark: Colour) -> None:
    canvas.path([(20, 80), (48, 22)], (120, 84, 50), 2)
    canvas.shape([(48, 22), (26, 20), (16, 34), (30, 27), (46, 30)], (210, 214, 224), dark, 0.7)


def _temperance(canvas: Canvas, ink: Colour, gold: Colour, dark: Colour) -> None:
    for x, y in ((22, 36), (48, 60)):
        suit_shape(canvas, "cups", x, y, 9, gold, dark)
    canvas.path([(26, 36), (44, 54)], (110, 170, 210), 2.2)


def _devil(canvas: Canvas, ink: Colour, gold: Colour, dark: Colour) -> None:
    canvas.shape(around(35, 50, 24, 5, 180, 0.4), (150, 40, 44), dark, 0.9)


def _tower(canvas: Canvas, ink: Colour, gold: Colour, dark: Colour) -> None:
    canvas.box(26, 28, 18, 52, (150, 146, 150), dark, 0.8)
    canvas.shape([(48, 14), (36, 34), (42, 34), (30, 56), (52, 30), (44, 30)], gold, dark, 0.6)


def _star(canvas: Canvas, ink: Colour, gold: Colour, dark: Colour) -> None:
    canvas.shape(around(35, 46, 26, 8, 0, 0.42), gold, dark, 0.8)


def _moon(canvas: Canvas, ink: Colour, gold: Colour, dark: Colour) -> None:
    canvas.disc(35, 46, 20, (236, 232, 210), dark, 0.8)
    canvas.disc(43, 42, 17, mixed(ink, (255, 255, 255), 0.25))


def _sun(canvas: Canvas, ink: Colour, gold: Colour, dark: Colour) -> None:
    canvas.shape(around(35, 46, 28, 16, 0, 0.66), (246, 200, 60), dark, 0.7)
    canvas.disc(35, 46, 14, (255, 226, 120), dark, 0.8)


def _judgement(canvas: Canvas, ink: Colour, gold: Colour, dark: Colour) -> None:
    canvas.shape([(16, 66), (46, 30), (54, 24), (52, 36)], gold, dark, 0.8)


def _world(canvas: Canvas, ink: Colour, gold: Colour, dark: Colour) -> None:
    canvas.disc(35, 48, 25, None, (90, 150, 90), 4, 1.25)
    canvas.shape(around(35, 48, 12, 6, 0, 0.5), PALE, dark, 0.7)


# The arcana that are things rather than persons.
EMBLEMS: dict[int, Emblem] = {
    6: _lovers,
    8: _strength,
    10: _wheel,
    12: _hanged_man,
    13: _death,
    14: _temperance,
    15: _devil,
    16: _tower,
    17: _star,
    18: _moon,
    19: _sun,
    20: _judgement,
    21: _world,
}
