"""`python -m benchmarks.vision.fit`: the eye's weights, from generated pictures, for vision/fitted_weights.py.

Decks of some families, at the poses where their cards lie, half of each enrolled and the other half strangers of the
same design; and posteriors on generated scenes of other decks, rows and fans and poor light among them, with half of
each deck enrolled. What is checked are other families (`families.CHECKED`). No photo takes part.
"""

from __future__ import annotations

import argparse
import functools
from collections.abc import Iterable
from pathlib import Path

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from benchmarks.vision import families, scenes
from benchmarks.vision.scenes import Lying, Shot
from vision import cells, colours, confidence, features, fitted_weights, identity, posterior
from vision.fitting import FaceFit, fit_face, refine
from vision.geometry import Points, homography_to_quad
from vision.identity import Likelihood
from vision.index import Index
from vision.learning import build_index
from vision.recognise import Recogniser

TARGET = Path(fitted_weights.__file__)
# Corners are found within this much of a card's width.
CORNER_ERROR_WIDTHS = 0.006
# Half the cards of a family are strangers of its own design; on a table they are rare. Each counts as much as this, and
# each example from the scenes, which are more like a table, as much as that.
STRANGER, SCENE = 0.25, 2.0
# A true face that is behind by more than so many nats was looked at where it doesn't lie.
WRONG_POSE_NATS = 2.5


class FitExample(Struct, frozen=True):
    """What was known of a place, and the truth about it."""

    source: str
    is_right: bool
    evidence: tuple[float, ...]
    rivals: tuple[tuple[float, float, float], ...]  # evidence for the true face against each other


def _example(source: str, index: Index, likelihood: Likelihood, card: str, face: str, is_right: bool) -> FitExample:
    rivals: list[tuple[float, float, float]] = []
    for rival in likelihood.rivals:
        other = index.faces[rival.hypothesis.face]
        if is_right:
            rivals.append(rival.evidence)
        elif card and (other.card, other.face) == (card, face):
            drawing, colour, lamp = rival.evidence
            rivals.append((-drawing, -colour, -lamp))
    return FitExample(source, is_right, confidence.regression_features(likelihood), tuple(rivals))


def of_families(kinds: Iterable[str], seeds: Iterable[int], count: int) -> list[FitExample]:
    """Places where whole cards lie, decided there."""
    found: list[FitExample] = []
    for seed in seeds:
        for kind in kinds:
            faces, random = families.deck(kind, seed), np.random.default_rng([9, seed])
            enrolled = faces[::2]
            index = build_index(families.photographed(enrolled, random) if seed % 2 else enrolled)
            names = {card for card, _face, _picture in enrolled}
            for shot in families.shots(faces, names, count, seed):
                levels = cells.levels_of(features.luminance(shot.picture))
                place = identity.PreparedPicture(levels, colours.ColourPyramid(shot.picture))
                for card in shot.cards:
                    if card.visible > 0.97:
                        likelihood = _likelihood_of(index, place, card, random)
                        named = index.faces[likelihood.fit.face].card
                        found.append(_example(f"{kind}/{seed}", index, likelihood, card.card, "", named == card.card))
        print(f"families, seed {seed}: {len(found)} places", flush=True)
    return found


def _likelihood_of(
    index: Index, place: identity.PreparedPicture, card: Lying, random: np.random.Generator
) -> Likelihood:
    """Which face seems to lie where a card lies."""
    fine = index.fine
    wide = float(np.linalg.norm(card.corners[0] - card.corners[1]))
    template_pose = homography_to_quad(
        card.corners + random.normal(0, CORNER_ERROR_WIDTHS * wide, (4, 2)), fine.width, fine.height
    )
    any_face = fit_face(index, place.levels, 0, template_pose)
    alike = cells.masked_correlation(any_face.blocks, fine, np.ones(len(any_face.visible), np.float32))[0]
    fit = fit_face(index, place.levels, int(alike.argmax()), template_pose)
    return identity.likelihood_of(index, place, refine(index, place.levels, fit, any_face.covered))


def _lying(index: Index, fit: FaceFit, shot: Shot) -> tuple[Lying | None, bool]:
    """The card that lies where a face was judged, and whether it's that card, that way up."""
    face, corners = index.faces[fit.face], fit.corners(index)
    for card in shot.cards:
        diagonal = float(np.linalg.norm(card.corners[0] - card.corners[2]))
        away = [float(np.linalg.norm(card.corners - np.roll(corners, turn, axis=0), axis=1).mean()) for turn in (0, 2)]
        if min(away[: 1 + face.either_way]) < 0.1 * diagonal:
            return card, (card.card, card.face) == (face.card, face.face)
    return None, False


def of_scenes(count: int, seed: int) -> list[FitExample]:
    """Verdicts on generated scenes of the decks that aren't families."""
    found: list[FitExample] = []
    for title, enrolled, shown, strangers in scenes.decks():
        half = {card for card, _face, _picture in enrolled[::2]}
        heard: list[posterior.Posterior] = []
        recogniser = Recogniser(build_index([f for f in enrolled if f[0] in half]), heard.append)
        for kind in scenes.KINDS:
            for shot in scenes.generated(kind, shown, strangers, scenes.size_of(title), count, seed):
                heard.clear()
                recogniser.read(shot.picture)
                for likelihood in (each.likelihood for each in heard):
                    if likelihood is None or not confidence.is_piece_of_a_card(likelihood):
                        continue
                    card, is_right = _lying(recogniser.index, likelihood.fit, shot)
                    name, face = (card.card, card.face) if card is not None and card.card in half else ("", "")
                    source = f"{title}/{kind}"
                    found.append(_example(source, recogniser.index, likelihood, name, face, is_right and bool(name)))
        print(f"{title}: {len(found)} posteriors so far", flush=True)
    return found


def regression(known: Points, right: Points, weigh: Points, hold: float) -> Points:
    """Logistic regression by Newton's method, large weights held back a little."""
    scale = known.std(axis=0)
    scale[scale < 1e-9] = 1
    rows, weights = known / scale, np.zeros(known.shape[1])
    for _ in range(40):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -40, 40)))
        curve = (rows * (weigh * chance * (1 - chance))[:, None]).T @ rows + hold * np.eye(len(weights))
        weights += np.linalg.solve(curve, rows.T @ (weigh * (right - chance)) - hold * weights)
    return np.asarray(weights / scale)


def fit_rivals(examples: list[FitExample]) -> Points:
    """How much drawing, colour and lamp weigh between two faces, so that their sum is a log-odds."""
    known = np.array([rival for example in examples for rival in example.rivals])
    for _ in range(2):
        right = np.repeat([1.0, 0.0], len(known))
        weights = regression(np.concatenate([known, -known]), right, np.ones(2 * len(known)), 0.5)
        # A few are about a pose that is wrong, where no weight is right.
        known = known[known @ weights > -WRONG_POSE_NATS]
    return weights


def fit_enrolled(made: list[FitExample], drawn: list[FitExample]) -> Points:
    """How much each kind of evidence weighs for an enrolled face."""
    known = np.array([example.evidence for example in [*made, *drawn]])
    right = np.array([float(example.is_right) for example in [*made, *drawn]])
    weigh = np.full(len(right), SCENE)
    weigh[: len(made)] = np.where(right[: len(made)] > 0, 1.0, STRANGER)
    return regression(known, right, weigh, 0.5)


def written(rival: Points, enrolled: Points) -> str:
    """The generated module."""

    def listed(values: Points) -> str:
        return ", ".join(f"{value:.3f}" for value in values)

    return (
        '"""Weights of the eye\'s decision: made by `python -m benchmarks.vision.fit`, not to be changed by hand."""'
        "\n\n"
        "# For drawing, colour and lamp between two faces: their sum is a log-odds in nats.\n"
        f"RIVAL = ({listed(rival)})\n"
        "# For each value of `confidence.regression_features`.\n"
        f"ENROLLED = (\n    {listed(enrolled)},\n)  # fmt: skip\n"
    )


def report(title: str, examples: list[FitExample], enrolled: Points) -> None:
    """How many enrolled cards and strangers a threshold lets through."""
    known = np.array([example.evidence for example in examples])
    right = np.array([example.is_right for example in examples])
    chance = 1 / (1 + np.exp(-known @ enrolled))
    for least in (0.5, 0.7, 0.8, 0.9, 0.95):
        named = chance >= least
        print(f"{title}: from {least}: {named[right].mean():.1%} of {right.sum()} enrolled, "
              f"{named[~right].mean():.1%} of {(~right).sum()} others")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=1, help="generated scenes of each kind and deck")
    parser.add_argument("--shots", type=int, default=3, help="pictures of each deck of a family")
    parser.add_argument("--seeds", type=int, default=6, help="decks of each family")
    parser.add_argument("--keep", type=Path, help="a file to keep the examples in, or to read them from")
    parser.add_argument("--write", action="store_true", help="write vision/fitted_weights.py")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.keep and options.keep.is_file():
        made, drawn, checked = msgspec.json.decode(options.keep.read_bytes(), type=tuple[list[FitExample], ...])
    else:
        seeds = functools.partial(range, 1)
        made = of_families(families.FITTED, seeds(1 + options.seeds), options.shots)
        checked = of_families(families.CHECKED, seeds(3), options.shots)
        drawn = of_scenes(options.scenes, 40)
        if options.keep:
            options.keep.write_bytes(msgspec.json.encode((made, drawn, checked)))
    # Of scenes, a pose may be wrong: then the true face has no lead, whatever is seen.
    rival, enrolled = fit_rivals(made), fit_enrolled(made, drawn)
    for title, examples in (("fitted families", made), ("scenes", drawn), ("checked families", checked)):
        report(title, examples, enrolled)
    if options.write:
        TARGET.write_text(written(rival, enrolled), encoding="utf-8")
    else:
        print(written(rival, enrolled))


if __name__ == "__main__":
    main()
