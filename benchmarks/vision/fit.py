"""`python -m benchmarks.vision.fit`: from what on a place shows an enrolled card at all, for vision/fitted.py.

The whole eye reads generated pictures: families of number and symbol cards, and scenes of illustrated decks, rows and
fans and poor light among them, half of each deck enrolled. Every verdict on the way is an example: right where that card lies
there. A logistic regression weighs what speaks for an enrolled card. What is checked are other families. No photo takes
part.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from benchmarks.vision import families, scenes
from benchmarks.vision.scenes import Faces, Shot
from vision import confidence, fitted
from vision.geometry import Points, overlap
from vision.identity import Verdict
from vision.learning import build_index
from vision.recognise import Recogniser
from vision.tuning import IDENTITY

TARGET = Path(fitted.__file__)
# Half the cards of a family are strangers of its own design here; on a table they are rare. Each counts as much as this.
STRANGER = 0.1
# A verdict is about the card that lies in the same place by this much.
SAME_PLACE = 0.75


class Example(Struct, frozen=True):
    """What spoke for a card at a place, and whether it was right."""

    source: str
    is_right: bool
    odds: float
    evidence: tuple[float, ...]


class Collector:
    """Reads pictures with some cards enrolled, and keeps what there was to decide."""

    def __init__(self, source: str, enrolled: Faces):
        self.source = source
        self.verdicts: list[Verdict] = []
        self.recogniser = Recogniser(build_index(enrolled), self.verdicts.append)
        self.enrolled = {card for card, _face, _picture in enrolled}

    def examples(self, shots: Iterable[Shot]) -> list[Example]:
        """All verdicts on some pictures with the truth about them."""
        found: list[Example] = []
        for shot in shots:
            self.verdicts.clear()
            self.recogniser.read(shot.picture)
            for verdict in self.verdicts:
                if confidence.is_piece_of_a_card(verdict):
                    found.append(Example(self.source, self._is_right(verdict, shot), verdict.odds, verdict.evidence))
        return found

    def _is_right(self, verdict: Verdict, shot: Shot) -> bool:
        index = self.recogniser.index
        face, corners = index.faces[verdict.judged.face], verdict.judged.corners(index)
        return any(
            (card.card, card.face) == (face.card, face.face) and overlap(card.corners, corners) > SAME_PLACE
            for card in shot.cards
            if card.card in self.enrolled
        )


def of_families(kinds: Iterable[str], seeds: Iterable[int], count: int) -> list[Example]:
    """Verdicts on families, with half of each deck enrolled, and with all of it."""
    found: list[Example] = []
    for seed in seeds:
        for kind in kinds:
            faces = families.deck(kind, seed)
            for part in (faces[::2], faces):
                random = np.random.default_rng([9, seed])
                collector = Collector(f"{kind}/{seed}", families.photographed(part, random) if seed % 2 else part)
                found += collector.examples(families.shots(faces, collector.enrolled, count, seed))
        print(f"families, seed {seed}: {len(found)} verdicts", flush=True)
    return found


def of_scenes(count: int, seed: int) -> list[Example]:
    """Verdicts on generated scenes of the decks that aren't families."""
    found: list[Example] = []
    for title, enrolled, shown, strangers in scenes.decks():
        collector = Collector(title, enrolled[::2])
        for kind in scenes.KINDS:
            found += collector.examples(scenes.generated(kind, shown, strangers, scenes.size_of(title), count, seed))
        print(f"{title}: {len(found)} verdicts so far", flush=True)
    return found


def regression(known: Points, right: Points, given: Points, weigh: Points, hold: float) -> Points:
    """Logistic regression by Newton's method on top of given log-odds, large weights held back a little."""
    scale = known.std(axis=0)
    scale[scale < 1e-9] = 1
    rows, weights = known / scale, np.zeros(known.shape[1])
    for _ in range(60):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights + given, -40, 40)))
        curve = (rows * (weigh * chance * (1 - chance))[:, None]).T @ rows + hold * np.eye(len(weights))
        weights += np.linalg.solve(curve, rows.T @ (weigh * (right - chance)) - hold * weights)
    return np.asarray(weights / scale)


def chances(examples: list[Example], weights: Points) -> Points:
    """How likely each example is right."""
    known = np.array([example.evidence for example in examples]) @ weights
    odds = np.array([example.odds for example in examples])
    return np.asarray(1 / (1 + np.exp(-np.clip(odds + IDENTITY.enrolled + known, -40, 40))))


def fit(made: list[Example], drawn: list[Example]) -> Points:
    """How much each kind of evidence weighs for an enrolled card, from families and from scenes."""
    examples = [*made, *drawn]
    known = np.array([example.evidence for example in examples])
    right = np.array([float(example.is_right) for example in examples])
    given = np.array([example.odds for example in examples]) + IDENTITY.enrolled
    weigh = np.ones(len(right))
    weigh[: len(made)] = np.where(right[: len(made)] > 0, 1.0, STRANGER)
    return regression(known, right, given, weigh, 1.0)


def report(title: str, examples: list[Example], weights: Points) -> None:
    """How many enrolled cards and others a threshold lets through."""
    right = np.array([example.is_right for example in examples])
    chance = chances(examples, weights)
    for least in (0.5, 0.8, 0.9, 0.95, 0.98):
        named = chance >= least
        print(f"{title}: from {least}: {named[right].mean():.1%} of {right.sum()} right ones, "
              f"{named[~right].sum()} of {(~right).sum()} others")  # fmt: skip


def written(weights: Points) -> str:
    """The generated module."""
    listed = ", ".join(f"{value:.3f}" for value in weights)
    return (
        '"""Weights of the eye\'s decision: made by `python -m benchmarks.vision.fit`, not to be changed by hand."""'
        "\n\n# For each value of `identity.evidence`.\n"
        f"UNLIKE = ({listed})\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=1, help="generated scenes of each kind and deck")
    parser.add_argument("--shots", type=int, default=2, help="pictures of each deck of a family")
    parser.add_argument("--seeds", type=int, default=5, help="decks of each family")
    parser.add_argument("--keep", type=Path, help="a file to keep the examples in, or to read them from")
    parser.add_argument("--write", action="store_true", help="write vision/fitted.py")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.keep and options.keep.is_file():
        made, drawn, checked = msgspec.json.decode(options.keep.read_bytes(), type=tuple[list[Example], ...])
    else:
        drawn = of_scenes(options.scenes, 40)
        made = of_families(families.FITTED, range(1, 1 + options.seeds), options.shots)
        checked = of_families(families.CHECKED, range(1, 3), options.shots)
        if options.keep:
            options.keep.write_bytes(msgspec.json.encode((made, drawn, checked)))
    weights = fit(made, drawn)
    for title, examples in (("fitted families", made), ("scenes", drawn), ("checked families", checked)):
        report(title, examples, weights)
    if options.write:
        TARGET.write_text(written(weights), encoding="utf-8")
    else:
        print(written(weights))


if __name__ == "__main__":
    main()
