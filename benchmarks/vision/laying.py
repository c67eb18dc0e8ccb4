"""`python -m benchmarks.vision.laying`: rows and fans laid card by card under a camera that is out of focus.

Each of 18 steps lays one card over the last, with a hand in the picture meanwhile and fresh noise in every frame.
Counted is what the tracker tells: cards told as laid by their name, other names, and events that didn't happen.
"""

from __future__ import annotations

import argparse
import itertools
import math
import time
from collections import Counter
from collections.abc import Iterator

import cv2
import numpy as np
from msgspec import Struct

from benchmarks.vision import scenes
from benchmarks.vision.films import Film
from benchmarks.vision.scenes import DATA, Faces
from vision.geometry import turn_between, turn_of
from vision.learning import build_index
from vision.reading import Reader
from vision.recognise import Recogniser
from vision.simulated import Conditions, LaidCard, Look, PinholeCamera, Scene
from vision.simulated.things import TABLES
from vision.tracking import CardChange, Tracker

STEPS = 18
# Still frames after each card: a second and a half.
FRAMES = 8
SOFT = Conditions(blur=1.8, jpeg=60)


class Laying(Struct, frozen=True):
    """Cards in the order in which they're laid, and the camera that sees them."""

    cards: tuple[LaidCard, ...]
    camera: PinholeCamera
    conditions: Conditions
    table: str
    seed: int


class Counted(Struct):
    """What a tracker told of layings."""

    laid: int = 0
    named: int = 0
    at_once: int = 0
    wrong: int = 0
    turned: int = 0
    at_the_end: int = 0
    false: Counter[str] = Counter()
    seconds: float = 0.0

    def add(self, other: Counted) -> None:
        """Take in another one's numbers."""
        for name in ("laid", "named", "at_once", "wrong", "turned", "at_the_end", "false", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def layings(
    keys: list[tuple[str, str]], size: tuple[float, float], kind: str, seed: int, conditions: Conditions = SOFT
) -> Laying:
    """A laying by chance: cards 105 to 140 pixels wide, each hides 50 to 70 % of the last, a third upside down."""
    random = np.random.default_rng([seed, kind == "fans"])
    # One side of each card: an event tells the card, not its side.
    sides = {keys[n][0]: keys[n] for n in random.permutation(len(keys))}
    chosen = list(sides.values())[:STEPS]
    pixels = float(random.uniform(105, 140))
    fill = pixels / (1280 / 600 * size[0])
    light = float(random.uniform(0.7, 1.05))
    cards = [
        LaidCard(card, x, y, turn + 180 * (random.random() < 1 / 3), face)
        for (card, face), (x, y, turn) in zip(chosen, _places(kind, size, random), strict=True)
    ]
    camera = PinholeCamera(
        tilt=float(random.uniform(0, 15)), around=float(random.uniform(-40, 40)), bulge=-0.03, fill=fill
    )
    table = TABLES[int(random.integers(len(TABLES)))]
    return Laying(
        tuple(cards),
        camera,
        Conditions(
            light, float(random.uniform(0, 0.4)), conditions.shade, conditions.glare, conditions.blur, 0.0,
            conditions.noise, conditions.jpeg, conditions.shadow,
        ),
        table,
        seed,
    )  # fmt: skip


def _places(kind: str, size: tuple[float, float], random: np.random.Generator) -> Iterator[tuple[float, float, float]]:
    wide, tall = size
    if kind == "rows":
        for row in range(2):
            step = wide * float(random.uniform(0.3, 0.5))
            for k in range(STEPS // 2):
                y = 225 + (row - 0.5) * (tall + 30)
                x = 300 + (k - STEPS / 4 + 0.5) * step
                yield x, y + float(random.uniform(-3, 3)), float(random.uniform(-3, 3))
        return
    for x, y in ((165.0, 130.0), (435.0, 130.0), (300.0, 330.0)):
        apart = wide * float(random.uniform(0.3, 0.5))
        reach = tall * 1.1
        angle = math.degrees(apart / reach)
        for k in range(STEPS // 3):
            a = (k - STEPS / 6 + 0.5) * angle + float(random.uniform(-2, 2))
            yield x + math.sin(math.radians(a)) * reach, y + reach * (1 - math.cos(math.radians(a))), a


def follow(laying: Laying, looks: dict[tuple[str, str], Look], recogniser: Recogniser, talk: bool = False) -> Counted:
    """Lay the cards one by one before a tracker."""
    film = Film(looks, laying.camera, laying.conditions, laying.table, laying.seed)
    tracker, counted = Tracker(Reader(recogniser)), Counted(false=Counter())
    turns = [turn_of(corners) for corners in film.corners(Scene(laying.cards))]
    for frame in film.frames(Scene(), 4):
        tracker.look(frame)
    placed: set[str] = set()
    for step, card in enumerate(laying.cards, start=1):
        lying, events, spent = Scene(laying.cards[:step]), [], 0.0
        hand = Scene(lying.cards, hands=((card.x, card.y),))
        shown = itertools.chain(film.frames(hand, 2), film.frames(lying, FRAMES))
        for frame in shown:
            begin = time.process_time()
            view, happened = tracker.look(frame)
            spent += time.process_time() - begin
            events += list(happened)
        counted.seconds += spent
        counted.laid += 1
        counted.at_once += any(e.change is CardChange.PLACED and e.card == card.card for e in events)
        for event in events:
            true = next((n for n, laid in enumerate(lying.cards) if laid.card == event.card), None)
            if event.change is CardChange.PLACED and true is not None and event.card not in placed:
                placed.add(event.card)
                counted.named += 1
                after = event.after
                if after is not None and not after.either_way:
                    counted.turned += turn_between(after.turn, turns[true]) > 45
            elif event.change is CardChange.PLACED and true is None:
                counted.wrong += 1
            else:
                counted.false[event.change.value] += 1
            if talk:
                print(f"    {step:2} {card.card:12} {event.change.value} {event.card}")
        if talk and not events:
            print(f"    {step:2} {card.card:12} nothing; unknown: {[n for u in view.unknown for n in u.names]}")
    counted.at_the_end = sum(any(c.card == laid.card for c in view.cards) for laid in laying.cards)
    return counted


def decks() -> Iterator[tuple[str, Faces, Faces, tuple[float, float]]]:
    """Each deck as its name, what is enrolled, what is laid, and its size."""
    for name in ("silencio", "tarot"):
        faces = scenes.own_faces(name)
        yield name, faces, faces, scenes.size_of(name)
    scans = DATA / "decks"
    if not scans.is_dir():
        print(f"another printing: skipped, no {scans}")
        return
    enrolled, shown = (scenes.faces_of(scans / f"rws-{which}") for which in ("roses-lilies-1909", "pam-a-sacredtexts"))
    yield "other printing", enrolled, shown, (70.0, 120.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 3), help="from, up to")
    parser.add_argument("--only", nargs="*", default=[], help="decks")
    parser.add_argument("--kinds", nargs="*", default=["rows", "fans"])
    parser.add_argument("--talk", action="store_true", help="print what is told at each step")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    whole = Counted(false=Counter())
    for name, enrolled, shown, size in decks():
        if options.only and name not in options.only:
            continue
        recogniser, looks = Recogniser(build_index(enrolled)), scenes.looks_of(shown, size)
        for kind in options.kinds:
            together = Counted(false=Counter())
            for seed in range(*options.seeds):
                counted = follow(layings(list(looks), size, kind, seed), looks, recogniser, options.talk)
                show(f"  {name}: {kind} {seed}", counted)
                together.add(counted)
            show(f"{name}: {kind}", together)
            whole.add(together)
    show("all", whole)


def show(title: str, counted: Counted) -> None:
    false_events = ", ".join(f"{count} {change}" for change, count in sorted(counted.false.items())) or "none"
    print(
        f"{title:<28}{counted.named:3} of {counted.laid:<4} told as laid ({counted.at_once} at once),"
        f" {counted.wrong} wrong, {counted.turned} turned wrong,"
        f" {counted.at_the_end} known at the end; false events: {false_events};"
        f" {counted.seconds / max(1, counted.laid):.2f} s a card",
        flush=True,
    )


if __name__ == "__main__":
    main()
