"""Busts: simple drawn persons who differ in face, hair, headgear and dress. Nobody in particular."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from vision.art.canvas import Canvas, Colour, around, mixed

Random = np.random.Generator
SKINS: tuple[Colour, ...] = ((246, 214, 188), (226, 180, 140), (190, 136, 96), (140, 92, 62), (98, 64, 46))
HAIRS: tuple[Colour, ...] = (
    (40, 30, 26), (92, 58, 34), (150, 96, 48), (214, 176, 96), (176, 70, 40), (206, 206, 206), (24, 24, 40),
)  # fmt: skip
DRESSES: tuple[Colour, ...] = (
    (166, 52, 46), (40, 84, 140), (54, 112, 74), (196, 150, 50), (104, 62, 128), (70, 74, 82), (206, 110, 60),
    (40, 128, 134),
)  # fmt: skip
INK: Colour = (34, 28, 30)
GOLD: Colour = (222, 178, 60)


class Person(Struct, frozen=True):
    """What a bust looks like; for the hats see `HEADGEAR`."""

    skin: Colour
    hair: Colour
    dress: Colour
    hat: str = "none"
    long_hair: bool = False
    beard: bool = False
    glasses: bool = False
    face: float = 1.0


def someone(random: Random, hat: str = "none", long_hair: bool | None = None, beard: bool | None = None) -> Person:
    """A person by chance, with what is given kept."""
    return Person(
        SKINS[int(random.integers(len(SKINS)))],
        HAIRS[int(random.integers(len(HAIRS)))],
        DRESSES[int(random.integers(len(DRESSES)))],
        hat,
        bool(random.random() < 0.5) if long_hair is None else long_hair,
        bool(random.random() < 0.25) if beard is None else beard,
        bool(random.random() < 0.15),
        float(random.uniform(1.08, 1.3)),
    )


def bust(canvas: Canvas, x: float, y: float, size: float, who: Person, random: Random, dead: bool = False) -> None:
    """Draw a person from the chest up; `size` is half the head's width, (x, y) its middle."""
    skin = mixed(who.skin, (118, 158, 92), 0.75) if dead else who.skin
    line = INK
    if who.long_hair and who.hat != "hood":
        canvas.disc(x, y + size * 0.45, size * 1.32, who.hair, line, 0.4, 1.35)
    _shoulders(canvas, x, y, size, who, random, dead)
    canvas.box(x - size * 0.36, y + size * 0.7, size * 0.72, size * 0.8, mixed(skin, (0, 0, 0), 0.14))
    if who.hat == "hood":
        canvas.disc(x, y + size * 0.1, size * 1.45, who.dress, line, 0.4, 1.2)
    canvas.disc(x, y, size, skin, line, 0.4, who.face)
    if who.hat != "hood":
        _fringe(canvas, x, y, size, who, random)
    if who.beard:
        canvas.shape(
            [(x - size * 0.85, y + size * 0.3), (x + size * 0.85, y + size * 0.3),
             (x + size * 0.5, y + size * 1.3), (x, y + size * 1.75), (x - size * 0.5, y + size * 1.3)],
            who.hair, line, 0.35,
        )  # fmt: skip
    _features(canvas, x, y, size, who, random, dead)
    if who.hat in HEADGEAR:
        HEADGEAR[who.hat](canvas, x, y - size * who.face * 0.62, size, who)


def _shoulders(canvas: Canvas, x: float, y: float, size: float, who: Person, random: Random, dead: bool) -> None:
    wide, top = size * 2.1, y + size * 1.35
    body = [
        (x - wide, y + size * 4.2), (x - wide * 0.92, top + size * 0.7), (x - wide * 0.42, top),
        (x + wide * 0.42, top), (x + wide * 0.92, top + size * 0.7), (x + wide, y + size * 4.2),
    ]  # fmt: skip
    dress = mixed(who.dress, (90, 96, 84), 0.5) if dead else who.dress
    canvas.shape(body, dress, INK, 0.45)
    trim = mixed(dress, (255, 240, 200), 0.55)
    style = int(random.integers(4))
    if style == 0:
        canvas.shape([(x - size * 0.7, top), (x, top + size * 1.5), (x + size * 0.7, top)], trim, INK, 0.35)
    elif style == 1:
        for n in range(4):
            canvas.disc(x, top + size * (0.5 + 0.55 * n), size * 0.15, trim, INK, 0.25)
    elif style == 2:
        for n in range(-3, 4):
            canvas.path([(x + n * size * 0.55, top + size * 0.5), (x + n * size * 0.62, y + size * 4.2)], trim, 0.5)
    else:
        canvas.path([(x - wide * 0.5, top), (x + wide * 0.6, y + size * 4)], trim, size * 0.35)
    if dead:
        for _ in range(4):
            tear = x + float(random.uniform(-1.4, 1.4)) * size
            canvas.shape(
                [
                    (tear, top + size * 1.1),
                    (tear + size * 0.3, top + size * 1.9),
                    (tear - size * 0.1, top + size * 1.7),
                ],
                mixed(dress, (0, 0, 0), 0.6),
            )


def _fringe(canvas: Canvas, x: float, y: float, size: float, who: Person, random: Random) -> None:
    top = y - size * who.face
    drop = float(random.uniform(0.25, 0.6))
    part = float(random.uniform(-0.5, 0.5))
    left = [
        (x - size * 1.04, y - size * 0.05),
        (x - size * 0.95, top + size * 0.3),
        (x - size * 0.4, top - size * 0.12),
    ]
    right = [
        (x + size * 0.4, top - size * 0.12),
        (x + size * 0.95, top + size * 0.3),
        (x + size * 1.04, y - size * 0.05),
    ]
    canvas.shape(
        [*left, *right, (x + size * 0.75, y - size * drop), (x + size * part, top + size * 0.42),
         (x - size * 0.75, y - size * drop)],
        who.hair, INK, 0.35,
    )  # fmt: skip


def _features(canvas: Canvas, x: float, y: float, size: float, who: Person, random: Random, dead: bool) -> None:
    apart, level = size * float(random.uniform(0.34, 0.44)), y + size * float(random.uniform(-0.08, 0.08))
    for side in (-1, 1):
        if dead:
            canvas.disc(x + side * apart, level, size * 0.2, (236, 228, 120), INK, 0.3)
            canvas.disc(x + side * apart, level, size * 0.07, INK)
        else:
            canvas.disc(x + side * apart, level, size * 0.16, (255, 255, 255), INK, 0.25, 0.75)
            canvas.disc(x + side * apart, level, size * 0.08, mixed(who.hair, (30, 60, 90), 0.5))
        canvas.path(
            [(x + side * (apart - size * 0.2), level - size * 0.28),
             (x + side * (apart + size * 0.2), level - size * float(random.uniform(0.2, 0.36)))],
            mixed(who.hair, INK, 0.4), size * 0.09,
        )  # fmt: skip
        if who.glasses and not dead:
            canvas.disc(x + side * apart, level, size * 0.28, None, INK, 0.35)
    nose = float(random.uniform(0.25, 0.4))
    canvas.path(
        [
            (x, level + size * 0.06),
            (x - size * 0.1, level + size * nose),
            (x + size * 0.07, level + size * nose),
        ],
        mixed(who.skin, INK, 0.45),
        0.4,
    )
    mouth = y + size * 0.62
    if dead:
        canvas.box(x - size * 0.35, mouth - size * 0.1, size * 0.7, size * 0.26, (60, 20, 20), INK, 0.3)
        for n in range(4):
            canvas.box(
                x - size * 0.3 + n * size * 0.16,
                mouth - size * 0.09,
                size * 0.09,
                size * 0.12,
                (240, 236, 210),
            )
    else:
        curve = float(random.uniform(-0.05, 0.12))
        canvas.path(
            [(x - size * 0.28, mouth), (x, mouth + size * curve), (x + size * 0.28, mouth)],
            (150, 52, 48),
            size * 0.1,
        )


def _crown(canvas: Canvas, x: float, y: float, size: float, who: Person) -> None:
    spots = [(x - size, y)]
    for n in range(5):
        spots += [
            (x - size + size * 0.5 * n, y - size * 0.95),
            (x - size + size * (0.5 * n + 0.25), y - size * 0.35),
        ]
    canvas.shape([*spots[:-1], (x + size, y)], GOLD, INK, 0.4)
    for n in range(3):
        canvas.disc(x + (n - 1) * size * 0.55, y - size * 0.18, size * 0.12, (180, 40, 50), INK, 0.2)


def _witch(canvas: Canvas, x: float, y: float, size: float, who: Person) -> None:
    dark = mixed(who.dress, (0, 0, 0), 0.45)
    canvas.shape([(x - size * 0.8, y), (x + size * 0.25, y - size * 2.1), (x + size * 0.8, y)], dark, INK, 0.4)
    canvas.disc(x, y, size * 1.5, dark, INK, 0.4, 0.22)
    canvas.box(x - size * 0.72, y - size * 0.45, size * 1.44, size * 0.25, GOLD)


def _wide(canvas: Canvas, x: float, y: float, size: float, who: Person) -> None:
    dark = mixed(who.dress, (0, 0, 0), 0.45)
    canvas.disc(x, y - size * 0.35, size * 0.85, dark, INK, 0.4, 0.8)
    canvas.disc(x, y, size * 1.55, dark, INK, 0.4, 0.24)
    if who.hat == "feather":
        spots = [
            (x + size * 0.5 + size * 0.9 * t, y - size * (0.4 + 1.3 * math.sin(t * 1.6))) for t in np.linspace(0, 1, 9)
        ]
        canvas.path([(float(a), float(b)) for a, b in spots], (235, 225, 200), size * 0.22)


def _top(canvas: Canvas, x: float, y: float, size: float, who: Person) -> None:
    dark = mixed(who.dress, (0, 0, 0), 0.45)
    canvas.box(x - size * 0.78, y - size * 1.5, size * 1.56, size * 1.5, dark, INK, 0.4)
    canvas.box(x - size * 0.78, y - size * 0.42, size * 1.56, size * 0.3, GOLD)
    canvas.disc(x, y, size * 1.3, dark, INK, 0.4, 0.18)


def _cap(canvas: Canvas, x: float, y: float, size: float, who: Person) -> None:
    dark = mixed(who.dress, (0, 0, 0), 0.45)
    canvas.disc(x, y - size * 0.1, size * 1.02, who.dress, INK, 0.4, 0.62)
    canvas.box(x - size * 0.1, y - size * 0.05, size * 1.5, size * 0.2, dark, INK, 0.3)


def _helm(canvas: Canvas, x: float, y: float, size: float, who: Person) -> None:
    canvas.shape(
        [
            (x - size * 1.1, y + size * 0.4),
            (x - size * 0.9, y - size * 0.7),
            (x, y - size * 1.1),
            (x + size * 0.9, y - size * 0.7),
            (x + size * 1.1, y + size * 0.4),
            (x + size * 0.75, y + size * 0.1),
            (x - size * 0.75, y + size * 0.1),
        ],
        (168, 176, 186),
        INK,
        0.4,
    )
    canvas.box(x - size * 0.12, y - size * 1.7, size * 0.24, size * 0.7, (180, 40, 46), INK, 0.3)


def _turban(canvas: Canvas, x: float, y: float, size: float, who: Person) -> None:
    for n in range(3):
        canvas.disc(
            x,
            y - size * 0.3 * n,
            size * (1.12 - 0.14 * n),
            mixed((244, 238, 224), who.dress, 0.25 * n),
            INK,
            0.35,
            0.4,
        )
    canvas.disc(x, y - size * 0.35, size * 0.16, (180, 40, 50), INK, 0.25)


def _laurel(canvas: Canvas, x: float, y: float, size: float, who: Person) -> None:
    for n in range(-4, 5):
        canvas.shape(
            around(x + n * size * 0.25, y - size * (0.25 - abs(n) * 0.02), size * 0.24, 4, n * 14, 0.5),
            (80, 140, 70),
        )


HEADGEAR = {
    "crown": _crown,
    "witch": _witch,
    "wide": _wide,
    "feather": _wide,
    "top": _top,
    "cap": _cap,
    "helm": _helm,
    "turban": _turban,
    "laurel": _laurel,
}
