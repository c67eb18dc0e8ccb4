"""`python -m benchmarks.vision.fit`: the weights of `vision.confidence`, from verdicts on generated scenes.

Half of each deck is enrolled; the other half, in the same frames, and another deck's cards, some with the same
drawn people, are strangers. No photo takes part.
"""

from __future__ import annotations

import argparse

import cv2
import numpy as np

from benchmarks.vision import scenes
from benchmarks.vision.scenes import KINDS, Faces, Lying
from vision import confidence
from vision.contest import Verdict
from vision.geometry import Points
from vision.learning import build_index
from vision.recognise import Recogniser
from vision.sight import Sight


class Recorder(Recogniser):
    """A recogniser that keeps what it had to decide about."""

    def __init__(self, faces: Faces):
        super().__init__(build_index(faces))
        self.verdicts: list[Verdict] = []

    def _accept(self, sight: Sight, verdict: Verdict) -> bool:
        self.verdicts.append(verdict)
        return super()._accept(sight, verdict)

    def is_right(self, verdict: Verdict, cards: tuple[Lying, ...]) -> bool:
        """Whether that card lies there, that way up."""
        face, corners = self.index.faces[verdict.judged.face], verdict.judged.corners(self.index)
        return any(
            (c.card, c.face) == (face.card, face.face)
            and np.linalg.norm(c.corners - corners, axis=1).mean() < 0.1 * np.linalg.norm(c.corners[0] - c.corners[2])
            for c in cards
        )


def collect(count: int, seed: int) -> tuple[Points, Points]:
    """What is known of each verdict, and whether it was right."""
    known, right = [], []
    history, fables = scenes.own_faces("history"), scenes.own_faces("fables")
    for title, enrolled, shown, strangers in [*scenes.decks(), ("history", history, history, fables)]:
        half = {card for card, _face, _picture in enrolled[::2]}
        recorder = Recorder([f for f in enrolled if f[0] in half])
        for kind in KINDS:
            for shot in scenes.generated(kind, shown, strangers, scenes.size_of(title), count, seed):
                recorder.verdicts.clear()
                recorder.read(shot.picture)
                possible = [v for v in recorder.verdicts if confidence.is_possible(v)]
                known += [confidence.evidence(v) for v in possible]
                right += [recorder.is_right(v, shot.cards) for v in possible]
        print(f"{title}: {sum(right)} right, {len(right) - sum(right)} wrong so far", flush=True)
    return np.array(known), np.array(right, float)


def fit(known: Points, right: Points) -> Points:
    """Logistic regression by Newton's method, both sides weighing the same, large weights held back a little."""
    weigh = np.where(right > 0, 0.5 / right.mean(), 0.5 / (1 - right.mean()))
    scale = known.std(axis=0) + 1e-9
    scale[-1] = 1
    rows, weights = known / scale, np.zeros(known.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-rows @ weights))
        curve = (rows * (weigh * chance * (1 - chance))[:, None]).T @ rows + 0.5 * np.eye(len(weights))
        weights += np.linalg.solve(curve, rows.T @ (weigh * (right - chance)) - 0.5 * weights)
    return np.asarray(weights / scale)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=3, help="generated scenes of each kind and deck")
    parser.add_argument("--seed", type=int, default=40, help="other than the benchmark's, which is 0")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    known, right = collect(options.scenes, options.seed)
    for name, weights in (("in use", np.array(confidence.WEIGHTS)), ("fitted", fit(known, right))):
        sure = 1 / (1 + np.exp(-known @ weights))
        named = sure >= confidence.NAMED
        print(f"{name}: {', '.join(f'{w:.2f}' for w in weights)}")
        print(f"  named {int(named.sum())}, of these wrong {int((named & (right == 0)).sum())}; right, not named "
              f"{int((~named & (right > 0)).sum())}")  # fmt: skip


if __name__ == "__main__":
    main()
