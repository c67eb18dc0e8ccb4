"""`python -m benchmarks.vision.clips`: what still frames tell together, beside what the first of them tells alone.

Clips of generated decks in poor light and focus, half of each deck enrolled, the rest strangers of the same design. Of
every place where the first frame is in doubt, names at 0.98 and above are counted: for one frame, for frames as if each
were a witness of its own, and for frames as they count. `--fit` looks for the share of the error that repeats.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import cv2
import numpy as np
from msgspec import Struct

from benchmarks.vision import families
from benchmarks.vision.films import Film
from vision import evidence
from vision.detections import Detections
from vision.evidence import NOT_ENROLLED, FrameEvidence
from vision.geometry import overlap
from vision.learning import build_index
from vision.reading import Reader
from vision.recognise import Recogniser
from vision.simulated import Conditions, LaidCard, Look, PinholeCamera, Scene
from vision.simulated.things import TABLES
from vision.tuning import EVIDENCE

FRAMES = 8
SURE = 0.98


class ClipPlace(Struct, frozen=True):
    """A place that the first frame was in doubt of, and the card that lies there; none for a stranger."""

    card: str
    frames: tuple[dict[str, float], ...]


def clips(kind: str, seed: int, count: int) -> Iterator[ClipPlace]:
    """The doubtful places of clips of one deck."""
    faces = families.deck(kind, seed)
    enrolled = faces[::2]
    names = {card for card, _face, _picture in enrolled}
    taught = families.photographed(enrolled, np.random.default_rng([9, seed])) if seed % 2 else enrolled
    recogniser = Recogniser(build_index(taught))
    looks = {(card, face): Look(picture, *families.SIZE) for card, face, picture in faces}
    for number in range(count):
        random = np.random.default_rng([seed, number, 18])
        scene = Scene(tuple(_laid(list(looks), random)))
        film = Film(looks, *_pose_for(random), TABLES[int(random.integers(len(TABLES)))], seed * 100 + number)
        corners = film.corners(scene)
        first, *later = film.frames(scene, FRAMES)
        reader = Reader(recogniser)
        for found in _doubtful(reader.read(first)):
            near = [overlap(where, found.seen.corners) for where in corners]
            if max(near) < 0.7:
                continue
            card = scene.cards[int(np.argmax(near))].card
            for frame in later:
                found = found.with_frame(reader.again(frame, found.seen))
            yield ClipPlace(card if card in names else NOT_ENROLLED, tuple(dict(f) for f in found.frames))


def _doubtful(reading: Detections) -> Iterator[FrameEvidence]:
    for seen in reading.everything:
        found = evidence.from_first_frame(seen)
        if found.frames[0] and max(found.frames[0].values()) < SURE:
            yield found


def _laid(keys: list[tuple[str, str]], random: np.random.Generator) -> Iterator[LaidCard]:
    order = random.permutation(len(keys))
    for place in range(10):
        card, face = keys[order[place % len(order)]]
        x, y = 65 + place % 5 * 117 + random.uniform(-9, 9), 110 + place // 5 * 225 + random.uniform(-50, 50)
        yield LaidCard(card, float(x), float(y), float(random.uniform(0, 360)), face)


def _pose_for(random: np.random.Generator) -> tuple[PinholeCamera, Conditions]:
    camera = PinholeCamera(
        tilt=float(random.uniform(0, 25)), around=float(random.uniform(-40, 40)), bulge=-0.02,
        fill=float(random.uniform(0.8, 1.0)),
    )  # fmt: skip
    conditions = Conditions(
        light=float(random.uniform(0.3, 1.0)), warmth=float(max(0, random.normal(0.1, 0.25))),
        shade=float(random.uniform(0, 0.4)), glare=int(random.integers(3)), blur=float(random.uniform(0.8, 2.2)),
        noise=float(random.uniform(2, 5)), jpeg=int(random.integers(50, 90)),
    )  # fmt: skip
    return camera, conditions


def loss(places: list[ClipPlace], repeats: float) -> float:
    """How surprised somebody is by the truth who believes what the frames tell together: mean nats a place."""
    surprise = []
    for place in places:
        names = evidence.fuse(place.frames, repeats)
        truth = names.get(place.card, 0.0) if place.card else 1 - sum(names.values())
        surprise.append(-np.log(max(truth, EVIDENCE.min_probability)))
    return float(np.mean(surprise))


def show(title: str, places: list[ClipPlace], names_by_place: list[dict[str, float]]) -> None:
    sure = [(p, next(iter(n))) for p, n in zip(places, names_by_place, strict=True) if n and max(n.values()) >= SURE]
    right = sum(place.card == name for place, name in sure)
    strangers = sum(not place.card for place, _name in sure)
    print(
        f"{title:<44}{len(sure):5} names, {right:5} right ({right / max(1, len(sure)):.1%}), {strangers:3} strangers",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs=2, default=(200, 202), help="of the decks: from, up to")
    parser.add_argument("--clips", type=int, default=2, help="of each deck")
    parser.add_argument("--kinds", nargs="*", default=families.CHECKED)
    parser.add_argument("--fit", action="store_true", help="also look for the share of the error that repeats")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    places = [
        place for seed in range(*options.seeds) for kind in options.kinds for place in clips(kind, seed, options.clips)
    ]
    cards = sum(bool(place.card) for place in places)
    print(f"{len(places)} places in doubt, {cards} of enrolled cards, {FRAMES} frames each; names at {SURE} and above")
    show("the first frame", places, [evidence.fuse(p.frames[:1]) for p in places])
    show("frames as if each were a witness of its own", places, [evidence.fuse(p.frames, 0.0) for p in places])
    show(
        f"frames, {EVIDENCE.repeated_error_share:.0%} of the error repeats",
        places,
        [evidence.fuse(p.frames) for p in places],
    )
    if options.fit:
        for repeats in np.arange(0, 1.01, 0.1):
            print(f"  {repeats:.1f} repeats: {loss(places, float(repeats)):.4f} nats")


if __name__ == "__main__":
    main()
