"""The print-and-play deck for Cisza: 55 city cards with two sides, and the resources.

Nobody may know a city card's underside (CIS-01), so the survivors' side is the same picture on all of them: whatever
differed there would be learnt by who plays often.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from companion.games.cisza import CISZA
from companion.text import N_
from vision.art.canvas import Canvas, Colour, around, mixed
from vision.art.kit import CardArt, Drawing, Translate, seeded
from vision.art.patterns import lattice, rosette, skyline
from vision.art.people import bust, someone

SIZE = (63.0, 88.0)
CITY = "city"
ZOMBIES = ("regular",) * 23 + ("strong",) * 12 + ("fast",) * 18 + ("horde",) * 2
KINDS: dict[str, Colour] = {
    "regular": (110, 140, 80), "strong": (150, 70, 56), "fast": (70, 110, 160), "horde": (96, 56, 120),
}  # fmt: skip
# Copies, whether the card makes noise, its group.
RESOURCES: dict[str, tuple[int, bool, str]] = {
    "axe": (3, False, "weapon"), "revolver": (4, True, "weapon"), "shotgun": (6, True, "weapon"),
    "sniper": (2, False, "weapon"), "walkie": (4, False, "rescue"), "flare": (3, True, "rescue"),
    "megaphone": (4, True, "rescue"), "barricade": (4, False, "barrier"), "alarm": (2, True, "barrier"),
    "mines": (2, True, "barrier"), "sabotage": (2, True, "trick"), "eviction": (2, True, "trick"),
    "bribery": (2, False, "trick"), "sacrifice": (2, False, "trick"), "drone": (6, False, "trick"),
    "surprise": (7, False, "trick"),
}  # fmt: skip
GROUPS: dict[str, Colour] = {
    "weapon": (172, 60, 48), "rescue": (44, 120, 150), "barrier": (150, 112, 40), "trick": (110, 66, 136),
}  # fmt: skip
GROUP_NAMES = {
    "weapon": N_("weapon"), "rescue": N_("rescue"), "barrier": N_("barrier"), "trick": N_("trick"),
}  # fmt: skip
SURVIVOR = N_("survivor")
DARK: Colour = (30, 32, 38)
PAPER: Colour = (246, 240, 222)
STEEL: Colour = (176, 184, 194)
WOOD: Colour = (150, 100, 56)
# Where the thing on a resource card is drawn.
MIDDLE = (31.5, 42.0)

Thing = Callable[[Canvas, Colour], None]


def cards(translate: Translate = str) -> list[CardArt]:
    """All cards of the deck, city cards with both sides."""
    made = [CardArt(CITY, "survivor", "City", survivor(translate(SURVIVOR)), len(ZOMBIES))]
    for number, kind in enumerate(ZOMBIES, start=1):
        card, name = f"{CITY}-{number:02}", CISZA.term(kind).render(translate)
        draw = _zombie(number, kind, name, CISZA.rule(kind).render(translate))
        made.append(CardArt(card, "zombie", f"City {number}: {kind}", draw, 1, CITY))
    for name, (copies, _noisy, group) in RESOURCES.items():
        words = CISZA.card(name).render(translate), CISZA.rule(name).render(translate)
        draw = _resource(name, words, translate(GROUP_NAMES[group]))
        made.append(CardArt(name, "", name.title(), draw, copies))
    return made


def back(canvas: Canvas) -> None:
    """The back of the resource cards: windows of a dark city."""
    lattice(canvas, "square", (40, 46, 58), (74, 84, 104), (222, 178, 70))


def survivor(name: str, number: int = 1, tint: Colour = (176, 206, 226)) -> Drawing:
    """A survivor before a skyline; another number is another person."""

    def draw(canvas: Canvas) -> None:
        random = seeded(f"cisza survivor {number}")
        canvas.shade(tint, (252, 244, 226), 0, 60)
        skyline(canvas, 60, (96, 104, 122), (252, 226, 140), random)
        canvas.box(0, 59, 63, 29, mixed(tint, (90, 80, 70), 0.5))
        inks = [mixed(tint, (255, 255, 255), 0.5), mixed(tint, (60, 80, 110), 0.35), (250, 244, 230)]
        rosette(canvas, 31.5, 42, 22, inks, random)
        hats = ("none", "cap", "none", "hood", "wide", "none")
        x, y = 31.5 + float(random.uniform(-8, 8)), 38 + float(random.uniform(-5, 6))
        who = someone(random, hats[int(random.integers(len(hats)))])
        bust(canvas, x, y, float(random.uniform(7.6, 10.4)), who, random)
        canvas.box(4, 74, 55, 10, (250, 246, 236), DARK, 0.6, 2)
        canvas.text(31.5, 79, name.upper(), 5.6, DARK, widest=51, weight="Bold")
        canvas.box(0.7, 0.7, 61.6, 86.6, None, (250, 246, 236), 1.2, 2.5)

    return draw


def _zombie(number: int, kind: str, name: str, rule: str) -> Drawing:
    def draw(canvas: Canvas) -> None:
        random = seeded(f"cisza zombie {number}")
        ink = KINDS[kind]
        canvas.shade(mixed(ink, (12, 14, 20), 0.72), mixed(ink, (20, 20, 24), 0.35), 0, 88)
        skyline(canvas, 62, (34, 38, 46), mixed(ink, (255, 220, 120), 0.4), random)
        canvas.box(0, 61, 63, 27, mixed(ink, (0, 0, 0), 0.7))
        rosette(canvas, 31.5, 42, 21, [mixed(ink, DARK, 0.35), ink, mixed(ink, (230, 230, 180), 0.35)], random)
        if kind == "horde":
            for x, y in ((15.0, 44.0), (48.0, 44.0), (31.5, 38.0)):
                bust(canvas, x, y, 6.6, someone(random), random, dead=True)
        else:
            x, y = 31.5 + float(random.uniform(-8, 8)), 37 + float(random.uniform(-4, 5))
            size = float(random.uniform(7.6, 9.6)) * (1.2 if kind == "strong" else 1.0)
            bust(canvas, x, y, size, someone(random), random, dead=True)
        for x in (9.5, 53.5):
            canvas.disc(x, 10, 7.2, PAPER, DARK, 0.6)
            _kind_sign(canvas, kind, x, 10)
        # Zombies of a kind share ink and words; a large number tells them apart from afar.
        canvas.box(3, 70.5, 57, 15, PAPER, DARK, 0.6, 2)
        canvas.text(11.5, 78, str(number), 13, mixed(ink, DARK, 0.4), widest=14, weight="Black")
        canvas.text(20, 73.7, name.upper(), 3.6, mixed(ink, DARK, 0.6), "lm", 38, "Bold")
        canvas.fitted(20, 75.6, rule, (3, 2.4), DARK, 38.5, 9.4)
        canvas.box(0.7, 0.7, 61.6, 86.6, None, ink, 1.2, 2.5)

    return draw


def _kind_sign(canvas: Canvas, kind: str, x: float, y: float) -> None:
    ink = mixed(KINDS[kind], DARK, 0.25)
    if kind == "regular":
        canvas.disc(x, y, 3.6, ink)
    elif kind == "strong":
        canvas.shape(around(x, y, 5, 4, 45), ink)
        canvas.box(x - 1.2, y - 5.4, 2.4, 10.8, PAPER)
    elif kind == "fast":
        canvas.shape(
            [
                (x - 1, y - 5.4),
                (x + 3.4, y - 5.4),
                (x + 0.8, y - 1.2),
                (x + 3.6, y - 1.2),
                (x - 3, y + 5.8),
                (x - 0.4, y + 0.6),
                (x - 3, y + 0.6),
            ],
            ink,
        )
    else:
        for n in range(3):
            a = 2 * math.pi * n / 3
            canvas.disc(x + 2.7 * math.sin(a), y - 2.7 * math.cos(a), 2.2, ink)


def _resource(card: str, words: tuple[str, str], group_name: str) -> Drawing:
    (_copies, noisy, group), (name, rule) = RESOURCES[card], words

    def draw(canvas: Canvas) -> None:
        random = seeded(f"cisza {card}")
        ink = GROUPS[group]
        canvas.shade(mixed(ink, (255, 255, 255), 0.8), mixed(ink, (255, 255, 255), 0.5), 0, 88)
        inks = [mixed(ink, (255, 255, 255), 0.72), mixed(ink, (255, 250, 230), 0.5), (252, 246, 234)]
        rosette(canvas, 31.5, 42, 40, inks, random)
        canvas.disc(31.5, 42, 23, (252, 248, 240), ink, 1.4)
        THINGS[card](canvas, ink)
        canvas.box(3, 3, 57, 10.5, (252, 248, 240), ink, 0.8, 2)
        canvas.text(6, 8.3, name.upper(), 5.6, mixed(ink, DARK, 0.5), "lm", 41 if noisy else 51, "Bold")
        if noisy:
            _noise(canvas, 54.2, 8.3)
        canvas.box(3, 64.5, 57, 21, (252, 248, 240), ink, 0.8, 2)
        canvas.text(31.5, 67.9, group_name, 3, mixed(ink, DARK, 0.2), widest=51)
        canvas.fitted(5.5, 69.5, rule, (3.7, 2.5), DARK, 52, 15.2)
        canvas.box(0.7, 0.7, 61.6, 86.6, None, ink, 1.2, 2.5)

    return draw


def _noise(canvas: Canvas, x: float, y: float) -> None:
    """The sign of a card that makes noise: a loudspeaker with three waves."""
    canvas.shape([(x - 4.6, y - 1.2), (x - 3, y - 1.2), (x - 0.8, y - 3), (x - 0.8, y + 3), (x - 3, y + 1.2),
                  (x - 4.6, y + 1.2)], DARK)  # fmt: skip
    for n in range(3):
        canvas.arc(x - 0.8, y, 1.6 + 1.3 * n, (-42, 42), DARK, 0.7)


# The thing on each resource card, as a plain drawing.


def _axe(canvas: Canvas, ink: Colour) -> None:
    canvas.path([(22, 58), (40, 28)], WOOD, 3)
    canvas.shape([(34, 24), (50, 22), (52, 40), (41, 36)], STEEL, DARK, 0.7)


def _gun(name: str) -> Thing:
    """A firearm: the longer, the farther it carries."""

    def draw(canvas: Canvas, ink: Colour) -> None:
        x, y = MIDDLE
        long = {"revolver": 14.0, "shotgun": 22.0, "sniper": 26.0}[name]
        canvas.box(x - long * 0.6, y - 5, long * 1.35, 4, STEEL, DARK, 0.7)
        canvas.shape(
            [
                (x - long * 0.6, y - 5),
                (x - long * 0.25, y - 1),
                (x - long * 0.5, y + 12),
                (x - long * 0.85, y + 11),
            ],
            WOOD,
            DARK,
            0.7,
        )
        if name == "revolver":
            canvas.disc(x - 1, y - 1, 4.6, STEEL, DARK, 0.7)
        if name == "shotgun":
            canvas.box(x - 8, y - 1, 22, 3, WOOD, DARK, 0.6)
        if name == "sniper":
            canvas.box(x - 8, y - 9, 14, 4, DARK)
            canvas.path([(x + 12, y - 2), (x + 8, y + 12)], DARK, 1.2)

    return draw


def _walkie(canvas: Canvas, ink: Colour) -> None:
    x, y = MIDDLE
    canvas.box(x - 8, y - 10, 16, 28, (60, 70, 74), DARK, 0.8, 2)
    canvas.path([(x + 5, y - 10), (x + 5, y - 22)], DARK, 1.6)
    for n in range(5):
        canvas.path([(x - 5, y + 4 + 2.4 * n), (x + 5, y + 4 + 2.4 * n)], STEEL, 0.8)
    canvas.box(x - 5, y - 6, 10, 6, (150, 200, 150), DARK, 0.5)


def _flare(canvas: Canvas, ink: Colour) -> None:
    canvas.path([(24, 60), (34, 40)], (190, 50, 50), 4)
    canvas.shape(around(38, 31, 13, 10, 8, 0.45), (250, 170, 60), (190, 60, 40), 0.6)
    canvas.disc(38, 31, 4, (255, 240, 180))


def _megaphone(canvas: Canvas, ink: Colour) -> None:
    canvas.shape([(18, 38), (44, 24), (44, 58), (18, 46)], (206, 70, 56), DARK, 0.8)
    canvas.disc(44, 41, 4, (244, 226, 200), DARK, 0.7, 4.2)
    canvas.box(24, 46, 5, 12, DARK)


def _barricade(canvas: Canvas, ink: Colour) -> None:
    for n in range(4):
        canvas.box(14, 28 + n * 8, 35, 5.6, WOOD, DARK, 0.6)
    for px in (20, 41):
        canvas.box(px, 24, 4, 38, mixed(WOOD, DARK, 0.3), DARK, 0.6)


def _alarm(canvas: Canvas, ink: Colour) -> None:
    canvas.shape([(18, 54), (21, 32), (31.5, 24), (42, 32), (45, 54)], (226, 186, 70), DARK, 0.8)
    canvas.box(15, 53, 33, 4, mixed(ink, DARK, 0.2), DARK, 0.6)
    canvas.disc(31.5, 60, 3.4, DARK)


def _mines(canvas: Canvas, ink: Colour) -> None:
    for px, py in ((24, 46), (40, 38)):
        canvas.shape(around(px, py, 11, 8, 0, 0.72), (70, 76, 70), DARK, 0.7)
        canvas.disc(px, py, 4, (196, 60, 50), DARK, 0.6)


def _sabotage(canvas: Canvas, ink: Colour) -> None:
    canvas.path([(20, 58), (44, 26)], STEEL, 4)
    canvas.shape(around(45, 25, 7, 6), STEEL, DARK, 0.7)
    canvas.path([(18, 30), (46, 56)], (150, 40, 40), 3)


def _eviction(canvas: Canvas, ink: Colour) -> None:
    canvas.shape([(16, 42), (31.5, 26), (47, 42)], (160, 70, 56), DARK, 0.8)
    canvas.box(19, 42, 25, 17, (232, 214, 180), DARK, 0.8)
    canvas.shape([(36, 48), (52, 48), (52, 44), (59, 51), (52, 58), (52, 54), (36, 54)], ink, DARK, 0.6)


def _bribery(canvas: Canvas, ink: Colour) -> None:
    for n in range(3):
        canvas.box(15 + n * 4, 32 + n * 6, 26, 13, (120, 160, 110), DARK, 0.7, 1)
    canvas.disc(36, 50.5, 4.4, (230, 222, 180), DARK, 0.5)


def _sacrifice(canvas: Canvas, ink: Colour) -> None:
    canvas.disc(31.5, 30, 5.5, (240, 206, 170), DARK, 0.7)
    canvas.shape([(22, 60), (27, 36), (36, 36), (41, 60)], (200, 60, 56), DARK, 0.7)
    canvas.path([(18, 42), (45, 42)], (240, 206, 170), 3)


def _drone(canvas: Canvas, ink: Colour) -> None:
    for px, py in ((19, 32), (44, 32), (19, 52), (44, 52)):
        canvas.path([(31.5, 42), (px, py)], DARK, 1.8)
        canvas.disc(px, py, 6.4, (206, 214, 222), DARK, 0.7, 0.5)
    canvas.box(25, 37, 13, 10, (70, 76, 84), DARK, 0.8, 2)
    canvas.disc(31.5, 42, 3, (200, 60, 50), DARK, 0.5)


def _surprise(canvas: Canvas, ink: Colour) -> None:
    canvas.box(19, 38, 25, 20, (206, 90, 90), DARK, 0.8)
    canvas.box(17, 32, 29, 7, (226, 120, 110), DARK, 0.8)
    canvas.box(29, 32, 5, 26, (250, 226, 130))
    for side in (-1, 1):
        canvas.disc(31.5 + side * 5, 28, 5, None, (230, 190, 80), 1.6, 0.7)


THINGS: dict[str, Thing] = {
    "axe": _axe,
    "revolver": _gun("revolver"),
    "shotgun": _gun("shotgun"),
    "sniper": _gun("sniper"),
    "walkie": _walkie,
    "flare": _flare,
    "megaphone": _megaphone,
    "barricade": _barricade,
    "alarm": _alarm,
    "mines": _mines,
    "sabotage": _sabotage,
    "eviction": _eviction,
    "bribery": _bribery,
    "sacrifice": _sacrifice,
    "drone": _drone,
    "surprise": _surprise,
}
