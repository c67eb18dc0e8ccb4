"""Compares a place with the few faces that may lie there: all by one network, the likeliest by another.

That second one is asked in decks of near-twins alone.

What the other cards tell of lamp and camera (`CameraEvidence`) is undone before.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TypeVar

import cv2
import numpy as np
from msgspec import Struct

from vision import cells, comparison, detail, identity, ink, upright
from vision.comparison import ColourTransform, ComparedPlace, FaceComparison, FacePlanes
from vision.fitting import FaceFit
from vision.geometry import Array, Mask
from vision.identity import FaceHypothesis, PreparedPicture
from vision.index import Index
from vision.tuning import COMPARISON, DETAIL, IDENTITY, INK

Input = TypeVar("Input")


class PlaceComparison(Struct, frozen=True):
    """A place compared with some faces; `log_odds` are the detail network's in a deck of near-twins.

    In a deck of paintings they are the comparison's.
    """

    faces: dict[FaceHypothesis, FaceComparison]
    log_odds: dict[FaceHypothesis, float]

    @property
    def winner(self) -> FaceHypothesis:
        """The likeliest of them."""
        return max(self.log_odds, key=lambda hypothesis: self.log_odds[hypothesis])


class PreparedPlace(Struct, frozen=True):
    """A face at a place, and the place as the comparison sees it.

    `compared_at` gives the place half-turned, or as it is. `distances` tells how unlike it the thumbnails of all faces
    are, both ways up: (way up, face).
    """

    fit: FaceFit
    compared_at: Callable[[bool], ComparedPlace]
    distances: Callable[[], Array]

    @property
    def upright(self) -> ComparedPlace:
        """The place as the comparison sees it, the way up in which the face was found."""
        return self.compared_at(False)


def prepared_place(
    index: Index, picture: PreparedPicture, fit: FaceFit, before: PreparedPlace | None = None
) -> PreparedPlace:
    """The place where a face lies, made ready; it may be the one `before`, with another face."""
    if before is not None and _is_same_place(before.fit, fit) and index.has_near_twins:
        return PreparedPlace(fit, before.compared_at, before.distances)
    observed = comparison.compared_place(*_shown_planes(index, picture, fit))
    distances = functools.cache(lambda: _thumbnail_distances(index, observed))
    return PreparedPlace(fit, _both_ways_up(observed, comparison.half_turned), distances)


def _is_same_place(one: FaceFit, other: FaceFit) -> bool:
    return np.array_equal(one.template_pose, other.template_pose) and np.array_equal(one.covered, other.covered)


def compare(
    index: Index, picture: PreparedPicture, place: PreparedPlace, likelihood: identity.Likelihood | None = None
) -> PlaceComparison:
    """A place compared with a face, with its rivals, and with all faces whose thumbnails look alike."""
    faces = _compared_faces(index, picture, place, likelihood)
    found = PlaceComparison(faces, {hypothesis: _log_odds_after_ink(each) for hypothesis, each in faces.items()})
    if index.has_paintings:
        return found
    return PlaceComparison(faces, _in_detail(index, picture, place, faces))


def far_likelier_face(index: Index, place: PreparedPlace) -> FaceHypothesis | None:
    """The face most like a place by its thumbnail, if the card that was found there is too unlike it to be true."""
    distances, fitted_card = place.distances(), index.faces[place.fit.face].card
    nearest = identity.nearest(index, distances, 1)[0]
    is_far = distances[0, place.fit.face] > COMPARISON.max_distance_ratio * distances.min()
    return nearest if is_far and index.faces[nearest.face].card != fitted_card else None


def _thumbnail_distances(index: Index, place: ComparedPlace) -> Array:
    """How unlike a place the thumbnails of all faces are, upright and half-turned: (way up, face)."""
    observed, shown = comparison.thumbnail_vectors(place.on_grid[None])[0], place.shown
    faces, squares = index.thumbnails.reshape(len(index.thumbnails), -1), index.squared_thumbnails
    return np.stack(
        [
            comparison.distances(observed, faces, squares, shown),
            comparison.distances(observed[::-1, ::-1], faces, squares, shown[::-1, ::-1]),
        ]
    )


def _in_detail(
    index: Index, picture: PreparedPicture, place: PreparedPlace, faces: dict[FaceHypothesis, FaceComparison]
) -> dict[FaceHypothesis, float]:
    """The log-odds of the few likeliest faces, in detail."""
    shown, height = place.upright.shown, detail.height_of(index.aspect)
    pixels = cv2.resize(shown, (detail.DETAIL_WIDTH, height), interpolation=cv2.INTER_NEAREST) > 0.5
    planes = _upright_planes(index, picture, place.fit, pixels)
    place_at = _both_ways_up(detail.detailed_place(planes, shown), detail.half_turned)
    log_odds = {hypothesis: _log_odds_after_ink(each) for hypothesis, each in faces.items()}
    likeliest = sorted(log_odds, key=lambda h: -log_odds[h])[: DETAIL.max_faces]
    best = likeliest[0]
    likeliest = [h for h in likeliest if log_odds[h] >= log_odds[best] - DETAIL.max_gap_nats]
    blur_px = detail.best_blur_px(
        place_at(best.is_half_turned), index.detailed[best.face], faces[best].features.alignment
    )
    return {
        h: detail.detail_log_odds(place_at(h.is_half_turned), index.detailed[h.face], blur_px, faces[h])
        - _ink_penalty(faces[h])
        for h in likeliest
    }


def _log_odds_after_ink(compared: FaceComparison) -> float:
    """The comparison's log-odds in nats, less what speaks against another ink."""
    return compared.log_odds - _ink_penalty(compared)


def _ink_penalty(compared: FaceComparison) -> float:
    """What speaks against a face in another ink, in nats."""
    return INK.other_ink_penalty_nats * compared.hue_shift.is_another


def _compared_faces(
    index: Index, picture: PreparedPicture, place: PreparedPlace, likelihood: identity.Likelihood | None
) -> dict[FaceHypothesis, FaceComparison]:
    """What the comparison says of each face that may lie at a place; a painting's `likelihood` tells its rivals."""
    fit, upright_place = place.fit, place.upright
    own = index.face_planes.face(fit.face)
    transform = comparison.colour_transform(upright_place, own)
    blur_number = comparison.best_blur_number(upright_place, own, transform)
    found: dict[FaceHypothesis, FaceComparison] = {}

    def add(hypothesis: FaceHypothesis, transform: ColourTransform | None = None) -> None:
        if hypothesis not in found:
            observed, face = place.compared_at(hypothesis.is_half_turned), index.face_planes.face(hypothesis.face)
            features = comparison.features_of(
                observed, face, blur_number, picture.camera_colours is not None, transform
            )
            hues, is_camera_known = index.ink_hues, picture.camera_colours is not None
            hue_shift = ink.hue_shift(
                observed.on_grid, face.on_grid, observed.shown, hues[hypothesis.face], hues, is_camera_known
            )
            found[hypothesis] = FaceComparison(features, comparison.comparison_log_odds(observed, features), hue_shift)

    add(FaceHypothesis(fit.face, False), transform)
    if likelihood is not None:
        for rival in likelihood.rivals[:2]:
            add(rival.hypothesis)
        return found
    distances = place.distances()
    nearest = min(float(distances.min()), float(distances[0, fit.face]))
    ranked = identity.nearest(index, distances, COMPARISON.max_faces)
    for hypothesis in ranked:
        if distances[int(hypothesis.is_half_turned), hypothesis.face] <= COMPARISON.max_distance_ratio * nearest:
            add(hypothesis)
    # The true face's thumbnail may be less alike than that of a near-twin.
    winner = max(found, key=lambda hypothesis: _log_odds_after_ink(found[hypothesis]))
    for number in index.nearest_faces[winner.face].tolist()[: IDENTITY.max_relatives]:
        if distances[int(winner.is_half_turned), number] <= 2 * COMPARISON.max_distance_ratio * nearest:
            add(FaceHypothesis(number, winner.is_half_turned))
    return found


def _both_ways_up(place: Input, half_turned: Callable[[Input], Input]) -> Callable[[bool], Input]:
    """A place; and half-turned, which is made when it's first asked for, and that is seldom."""
    return functools.cache(lambda is_half_turned: half_turned(place) if is_half_turned else place)


def _shown_planes(index: Index, picture: PreparedPicture, fit: FaceFit) -> tuple[Array, Array]:
    """A place cut out for the comparison, and the share of each cell of the grid that is shown to it.

    Of a deck of near-twins that is all that nothing known covers, whether it agrees with the face or not. Of a painting
    it's only what agrees: the rest may be under something unknown.
    """
    fine = index.fine
    rows, columns = index.face_planes.grid
    height = rows * comparison.COMPARISON_CELL
    region = ~fit.covered
    if index.has_paintings:
        region = region & cells.filled_visible_region(fit.visible, fine)
    fine_shown = region.reshape(fine.rows, fine.columns).astype(np.float32)
    shown = cv2.resize(fine_shown, (columns, rows), interpolation=cv2.INTER_LINEAR)
    pixels_shown = cv2.resize(shown, (comparison.COMPARISON_WIDTH, height), interpolation=cv2.INTER_NEAREST)
    return _upright_planes(index, picture, fit, pixels_shown > 0.5), shown


def _upright_planes(index: Index, picture: PreparedPicture, fit: FaceFit, pixels_shown: Mask) -> Array:
    """A place cut out upright, as large as the mask of the pixels shown, with what is known of the camera undone."""
    height, width = pixels_shown.shape
    zoom = np.diag([index.fine.width / width, index.fine.height / height, 1])
    planes = upright.planes_of(upright.cut(picture.colours, fit.template_pose @ zoom, (width, height)), pixels_shown)
    return planes if picture.camera_colours is None else comparison.undo_camera_chroma(planes, picture.camera_colours)


class CameraEvidence(Struct, frozen=True):
    """What a named card tells of lamp and camera: its place as it is, its face, and its normal equations."""

    place: ComparedPlace
    face: FacePlanes
    normal_equations: Array

    def chroma_error(self, camera: Array) -> float:
        """By how much its ink differs from its face's, once the camera is undone."""
        observed = comparison.undo_camera_chroma(self.place.on_grid, camera)
        return comparison.chroma_error(observed, self.face.on_grid, self.place.shown)


def camera_evidence(index: Index, picture: PreparedPicture, fit: FaceFit) -> CameraEvidence:
    """What a face at a place tells of lamp and camera."""
    bare = PreparedPicture(picture.levels, picture.colours)
    place, face = comparison.place_on_grid(*_shown_planes(index, bare, fit)), index.face_planes.face(fit.face)
    return CameraEvidence(place, face, comparison.chroma_sums(place, face))
