"""`python -m benchmarks.vision`: precision, recall, turns, strangers and time, for us and two baselines."""

from __future__ import annotations

import argparse
import itertools
import math
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from benchmarks.vision import families, scenes, speed
from benchmarks.vision.baselines import ByHash, BySift, Named
from benchmarks.vision.scenes import DATA, KINDS, Faces, Shot
from vision.geometry import Picture, turn_between, turn_of
from vision.learning import build_index
from vision.recognise import Recogniser

# From here on a name is believed.
SURE = 0.98


class Reads(Protocol):
    """A recogniser under test."""

    name: str

    def read(self, picture: Picture) -> list[Named]:
        """Name the cards in a picture."""


class Ours:
    """The eye, behind the baselines' interface."""

    name = "Hush"

    def __init__(self, faces: Faces):
        self.recogniser = Recogniser(build_index(faces))

    def read(self, picture: Picture) -> list[Named]:
        """Name the cards in a picture."""
        found = self.recogniser.read(picture).cards
        return [Named(c.card, c.face, c.corners, c.confidence, c.either_way) for c in found]


class Tally(Struct):
    """What one recogniser did on one set."""

    given: int = 0
    right: int = 0
    strangers: int = 0
    turned_wrong: int = 0
    wanted: int = 0
    seen: int = 0
    milliseconds: list[float] = []
    sureness: list[tuple[float, bool]] = []


def score(tally: Tally, shot: Shot, named: list[Named]) -> None:
    taken: set[int] = set()
    for name in named:
        middle = name.corners.mean(axis=0)
        hit = None
        for number, card in enumerate(shot.cards):
            reach = 0.25 * float(np.linalg.norm(card.corners[0] - card.corners[2]))
            near = float(np.linalg.norm(card.corners.mean(axis=0) - middle)) < reach
            if number not in taken and near and (card.card, card.face) == (name.card, name.face):
                hit = number
                break
        tally.given += 1
        tally.sureness.append((name.confidence, hit is not None))
        if hit is None:
            point = (float(middle[0]), float(middle[1]))
            tally.strangers += any(
                not c.card and cv2.pointPolygonTest(c.corners.astype(np.float32), point, False) >= 0 for c in shot.cards
            )
            continue
        taken.add(hit)
        tally.right += 1
        turn = turn_between(turn_of(name.corners), turn_of(shot.cards[hit].corners), name.either_way)
        tally.turned_wrong += shot.cards[hit].has_way and turn > 45
    for number, card in enumerate(shot.cards):
        if card.card and card.must_be_seen:
            tally.wanted += 1
            tally.seen += number in taken


def run(readers: list[Reads], shots: Iterable[Shot]) -> list[Tally]:
    tallies = [Tally() for _ in readers]
    for shot in shots:
        for reader, tally in zip(readers, tallies, strict=True):
            start = time.process_time()
            named = reader.read(shot.picture)
            tally.milliseconds.append((time.process_time() - start) * 1000)
            score(tally, shot, named)
    return tallies


def show(title: str, readers: list[str], tallies: list[Tally]) -> None:
    for reader, tally in zip(readers, tallies, strict=True):
        precision = f"{tally.right / tally.given:7.1%}" if tally.given else "      –"
        recall = f"{tally.seen / tally.wanted:7.1%}" if tally.wanted else "      –"
        print(
            f"{title:<28}{reader:<16}{precision} ({tally.given - tally.right:2} wrong){recall}"
            f" of {tally.wanted:<5}{tally.turned_wrong:4} turned{tally.strangers:4} strangers"
            f"{np.median(tally.milliseconds):7.0f} ms",
            flush=True,
        )


def add(total: list[Tally], part: list[Tally]) -> None:
    for a, b in zip(total, part, strict=True):
        for field in ("given", "right", "strangers", "turned_wrong", "wanted", "seen"):
            setattr(a, field, getattr(a, field) + getattr(b, field))
        a.milliseconds.extend(b.milliseconds)
        a.sureness.extend(b.sureness)


def all_readers(faces: Faces, alone: bool) -> list[Reads]:
    ours: list[Reads] = [Ours(faces)]
    return ours if alone else [*ours, ByHash(faces), BySift(faces)]


def photo_sets(alone: bool) -> None:
    for title, deck, photos in (
        ("photos: tarot on granite", "decks/rws-roses-lilies-1909", "photos/tarot-majors-granite"),
        ("photos: playmat", "photos/trading-cards-playmat/deck", "photos/trading-cards-playmat"),
        ("photos: number cards", "photos/number-cards/deck", "photos/number-cards"),
    ):
        if not (DATA / photos).is_dir():
            print(f"{title}: skipped, no {DATA / photos}")
            continue
        readers = all_readers(scenes.faces_of(DATA / deck), alone)
        show(title, [r.name for r in readers], run(readers, scenes.photos(DATA / photos)))


def generated_sets(count: int, alone: bool, wanted: list[str]) -> list[Tally]:
    everything: list[Tally] = []
    for title, enrolled, shown, strangers in scenes.decks():
        if wanted and title not in wanted:
            continue
        readers = all_readers(enrolled, alone)
        for kind in KINDS:
            shots = scenes.generated(kind, shown, strangers, scenes.size_of(title), count)
            tallies = run(readers, shots)
            show(f"{title}: {kind}", [r.name for r in readers], tallies)
            everything = everything or [Tally() for _ in readers]
            add(everything, tallies)
    if everything:
        show("all generated", [r.name for r in readers], everything)
    return everything


def family_sets(
    count: int, seeds: range, alone: bool, kinds: Iterable[str], half: bool, keep: Path | None = None
) -> list[Tally]:
    """Decks in which one thing tells cards apart; `half` of each enrolled and the rest strangers, or all enrolled.

    A deck whose tallies lie in the folder `keep` isn't read again.
    """
    everything: list[Tally] = []
    for kind in kinds:
        together: list[Tally] = []
        for seed in seeds:
            names, tallies = _family(kind, seed, count, alone, half, keep)
            together = together or [Tally() for _ in tallies]
            add(together, tallies)
        show(f"{kind}: {'half' if half else 'all'} enrolled", names, together)
        everything = everything or [Tally() for _ in together]
        add(everything, together)
    if everything:
        show(f"families, {'half' if half else 'all'} enrolled", names, everything)
    return everything


def _family(
    kind: str, seed: int, count: int, alone: bool, half: bool, keep: Path | None
) -> tuple[list[str], list[Tally]]:
    """Who read one deck of a family, and what each did."""
    kept = keep / f"{kind}-{seed}-{'half' if half else 'all'}-{count}.json" if keep else None
    if kept and kept.is_file():
        return msgspec.json.decode(kept.read_bytes(), type=tuple[list[str], list[Tally]])
    faces = families.deck(kind, seed)
    enrolled = faces[::2] if half else faces
    cards = {card for card, _face, _picture in enrolled}
    # Every other deck is enrolled from photos.
    known = families.photographed(enrolled, np.random.default_rng([9, seed])) if seed % 2 else enrolled
    readers = all_readers(known, alone)
    done = [reader.name for reader in readers], run(readers, families.shots(faces, cards, count, seed))
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(msgspec.json.encode(done))
        print(f"  {kept.stem}: {done[1][0].given} names, {done[1][0].given - done[1][0].right} wrong", flush=True)
    return done


def calibration(tally: Tally) -> None:
    """Whether nine in ten of those at 0.9 are right."""
    print("confidence: given, share right")
    edges = (0.7, 0.8, 0.9, 0.95, 0.98, 0.995, 1.001)
    for low, high in itertools.pairwise(edges):
        inside = [right for sure, right in tally.sureness if low <= sure < high]
        if inside:
            print(f"  {low:.3f} to {min(high, 1):.3f}: {len(inside):5}  {np.mean(inside):.1%}")
    sure = [right for confidence, right in tally.sureness if confidence >= SURE]
    print(
        f"  from {SURE} on: {len(sure)} names, {len(sure) - sum(sure)} wrong; at least {at_least(sure):.2%} are right;"
        f" they cover {sum(sure) / max(1, tally.wanted):.1%} of {tally.wanted} cards"
    )


def at_least(hits: list[bool]) -> float:
    """The lower end of Wilson's 95 % interval of a share."""
    count, z = len(hits), 1.96
    if not count:
        return 0.0
    share = sum(hits) / count
    middle, reach = share + z * z / (2 * count), z * math.sqrt(share * (1 - share) / count + z * z / (4 * count**2))
    return (middle - reach) / (1 + z * z / count)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=2, help="generated scenes of each kind and deck")
    parser.add_argument("--alone", action="store_true", help="without the baselines")
    parser.add_argument(
        "--only", nargs="*", default=[], help="decks to generate scenes of; 'photos', 'speed', 'families'"
    )
    parser.add_argument("--seeds", type=int, nargs=2, default=(100, 103), help="of the families: from, up to")
    parser.add_argument(
        "--checked", action="store_true", help="of the families only those that no number was fitted on"
    )
    parser.add_argument("--keep", type=Path, help="of the families: a folder for what each deck came to, to go on from")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    parts = set(options.only)
    if not parts or "photos" in parts:
        photo_sets(options.alone)
    if not parts or "speed" in parts:
        speed.full_reads()
        speed.large_collection()
    if not parts or "families" in parts:
        seeds = range(*options.seeds)
        kinds = families.CHECKED if options.checked else families.KINDS
        found = [family_sets(options.scenes, seeds, options.alone, kinds, half, options.keep) for half in (False, True)]
        add(found[0], found[1])
        calibration(found[0][0])
    decks = [p for p in options.only if p not in ("photos", "speed", "families")]
    if not parts or decks:
        tallies = generated_sets(options.scenes, options.alone, decks)
        if tallies:
            calibration(tallies[0])


if __name__ == "__main__":
    main()
