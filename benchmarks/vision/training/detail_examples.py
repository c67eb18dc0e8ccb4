"""Examples for the network of `vision.detail`: a view beside the few candidates that the comparison finds likeliest."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.vision.training import Random, examples
from benchmarks.vision.training.examples import CANDIDATES, Example, ExampleTable, PreparedView, Shares
from vision import comparison, detail, ink, upright
from vision.comparison import FaceComparison, FacePlanes
from vision.detail import DetailedFace, DetailedPlace
from vision.geometry import Array
from vision.tuning import DETAIL

ROWS, COLUMNS = max(examples.HEIGHTS) // detail.DETAIL_CELL, detail.DETAIL_WIDTH // detail.DETAIL_CELL
SHARES = Shares(0.45, 0.36, 0.04, 0.35)
# Tables on which nothing is known of near-twins, and views of an enrolled face whose blur is that of the face itself.
ALONE, OWN_BLUR = 0.08, 0.7


def compared(random: Random, laid: ExampleTable) -> Iterator[Example]:
    """Each view beside its likeliest candidates; one whose true face isn't among them is left out."""
    faces, candidates = examples.faces_of(laid), np.flatnonzero(~laid.repeated).tolist()
    detailed = _detailed(laid, candidates, bool(random.random() < ALONE))
    for one in examples.seen(random, laid, faces):
        first = min(candidates, key=lambda n: float(np.abs(one.place.on_grid - faces[n].on_grid).mean()))
        is_own = one.truth < CANDIDATES and random.random() < OWN_BLUR
        comparisons = _compared_faces(
            one, faces, candidates, comparison.best_blur_number(one.place, faces[one.truth if is_own else first])
        )
        likeliest = sorted(candidates, key=lambda n: -comparisons[n].log_odds)[: DETAIL.max_faces]
        if one.truth in (*likeliest, CANDIDATES):
            truth = likeliest.index(one.truth) if one.truth < CANDIDATES else DETAIL.max_faces
            yield example(_place(one), [detailed[n] for n in likeliest], [comparisons[n] for n in likeliest], truth)


def _detailed(laid: ExampleTable, candidates: list[int], is_alone: bool) -> dict[int, DetailedFace]:
    """Candidates in detail, each other's near-twins."""
    planes = {n: upright.planes_of(laid.references[n]) for n in candidates}
    return {
        n: detail.face_of(own, [] if is_alone else [planes[other] for other in candidates if other != n])
        for n, own in planes.items()
    }


def _compared_faces(
    seen: PreparedView, faces: list[FacePlanes], candidates: list[int], blur: int
) -> dict[int, FaceComparison]:
    """What the comparison has of each candidate."""
    found = {n: comparison.features_of(seen.place, faces[n], blur, seen.camera_colours is not None) for n in candidates}
    inks = ink.of_faces(np.stack([faces[n].on_grid for n in candidates]))
    return {
        n: FaceComparison(
            features,
            comparison.comparison_log_odds(seen.place, features),
            ink.hue_shift(seen.place.on_grid, faces[n].on_grid, seen.place.shown, own, inks),
        )
        for (n, features), own in zip(found.items(), inks, strict=True)
    }


def _place(seen: PreparedView) -> DetailedPlace:
    planes = upright.planes_of(seen.view.patch, seen.view.visible)
    if seen.camera_colours is not None:
        planes = comparison.undo_camera_chroma(planes, seen.camera_colours)
    return detail.detailed_place(planes, seen.place.shown)


def example(place: DetailedPlace, faces: list[DetailedFace], comparisons: list[FaceComparison], truth: int) -> Example:
    """A place beside faces, likeliest first, on grids that are all as high as the highest."""
    blur_px = detail.best_blur_px(place, faces[0], comparisons[0].features.alignment)
    rows, count = len(place.shown), DETAIL.max_faces
    summaries = [detail.summary_of(each, blur_px) for each in comparisons]
    found = [
        detail.maps_of(place, face, blur_px, each.features.alignment)
        for face, each in zip(faces, comparisons, strict=True)
    ]
    maps: Array = np.zeros((count, len(found[0]), ROWS, COLUMNS), np.uint8)
    maps[: len(faces), :, :rows] = np.clip(np.sqrt(found) * detail.MAP_BYTE_SCALE + 0.5, 0, 255)
    summary = np.zeros((count, len(summaries[0])), np.float32)
    summary[: len(faces)] = summaries
    visible = np.zeros((ROWS, COLUMNS), np.float16)
    visible[:rows] = place.shown
    return Example(maps, summary, visible, truth, np.arange(count) >= len(faces))
