"""Examples for the comparison: how a view of a card differs from each of a few enrolled faces, and which it shows.

Faces enrolled together are near-twins of one deck. What is seen is one of them, or a stranger: a card of the same deck
that isn't among them, of another deck, or one of them elsewhere than meant or the other way up.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from msgspec import Struct

from benchmarks.vision.training import Random, views
from benchmarks.vision.training.decks import Deck
from benchmarks.vision.training.views import Cover, View
from vision import comparison, detail, upright
from vision.geometry import Array, Mask, Picture

CANDIDATES, VIEWS = 6, 8
# Of pictures as wide as `vision.detail` has them.
HEIGHTS = (156, 168, 168, 180, 204)
ROWS = max(HEIGHTS) * comparison.COMPARISON_WIDTH // detail.DETAIL_WIDTH // comparison.COMPARISON_CELL
COLUMNS = comparison.COMPARISON_WIDTH // comparison.COMPARISON_CELL
# Faces are compared at this size, in CIELAB of 8 bits, to know which are near-twins.
SMALL = (32, 44)
# Faces with a smaller mean squared difference look the same.
SAME = 1.0
# By how much a face differs at most from itself turned: below the first it has no way up; between the other two that is
# in doubt, and it isn't shown turned.
EITHER_WAY, SURELY, SURELY_NOT = 25.0, 8.0, 40.0
HIDDEN_LEAST, HIDDEN_MOST = 0.1, 0.7
# The most that half precision is trusted with.
LARGEST = 60000


class Shares(Struct, frozen=True):
    """Shares of views of an enrolled face, of a stranger of the same deck, and of one of another deck.

    The rest shows an enrolled face elsewhere than meant, or turned. `covered` is the share of all views.
    """

    enrolled: float
    relative: float
    foreign: float
    covered: float


SHARES = Shares(0.60, 0.25, 0.05, 0.35)


class Known(Struct, frozen=True):
    """A deck to make examples of, and which of its faces are alike."""

    enrolled: Deck
    lying: Deck  # the same cards as they lie on the table: the same pictures, or of another printing
    unlike: Array  # (face, face), by colour
    undrawn: Array  # (face, face), by drawing: the smaller, the more alike
    turned: Array  # by how much each differs from itself turned


class Example(Struct, frozen=True):
    """A view beside each candidate."""

    maps: Array  # (candidate, map, row, column)
    summary: Array  # (candidate, number)
    shows: Array  # (row, column)
    truth: int  # the candidate it shows; their number where none
    repeated: Mask  # candidates that are none, for the deck has too few


class ExampleTable(Struct, frozen=True):
    """What is enrolled and seen at once: one deck, one camera and lamp."""

    references: list[Picture]
    seen: list[View]
    truths: list[int]
    repeated: Mask


class PreparedView(Struct, frozen=True):
    """A view made ready, which candidate it shows, and how the camera changes colours, if other cards tell."""

    view: View
    place: comparison.ComparisonInput
    truth: int
    camera_colours: Array | None


def known(enrolled: Deck, lying: Deck | None = None) -> Known:
    """A deck, and which of its faces are alike."""
    flat, other_way = _in_lab(enrolled), _in_lab([_turned(face) for face in enrolled])
    square = (flat**2).sum(axis=1)
    unlike = (square[:, None] + square - 2 * flat @ flat.T) / (SMALL[0] * SMALL[1])
    light = [cv2.cvtColor(_small(face), cv2.COLOR_BGR2GRAY).astype(np.float32) for face in enrolled]
    drawn = np.stack([(one - cv2.blur(one, (13, 13))).ravel() for one in light])
    drawn /= drawn.std(axis=1, keepdims=True) + 4
    return Known(enrolled, lying or enrolled, unlike, -(drawn @ drawn.T), np.abs(flat - other_way).max(axis=1))


def _small(face: Picture) -> Picture:
    return np.asarray(cv2.resize(face, SMALL, interpolation=cv2.INTER_AREA))


def _in_lab(faces: Deck) -> Array:
    soft = [cv2.GaussianBlur(_small(face), (0, 0), 0.8) for face in faces]
    return np.stack([cv2.cvtColor(one, cv2.COLOR_BGR2Lab).astype(np.float32).ravel() for one in soft])


def _turned(face: Picture) -> Picture:
    return np.ascontiguousarray(face[::-1, ::-1])


def _near_twins(random: Random, deck: Known, seed: int) -> list[int]:
    """All faces of a deck, one first, then by turns those like it in colour and in drawing."""
    count = len(deck.enrolled)
    orders = [np.argsort(table[seed] + random.uniform(0, 1e-3, count)) for table in (deck.unlike, deck.undrawn)]
    if random.random() >= 0.5:
        orders.reverse()
    return list(dict.fromkeys([seed, *(int(face) for pair in zip(*orders, strict=True) for face in pair)]))


def _candidates(random: Random, deck: Known, near: list[int]) -> list[int]:
    """Near-twins, and some others; no two look the same, but that one stands there twice where there are too few."""
    count, picked = len(near), near[:1]

    def is_new(face: int) -> bool:
        return face not in picked and min(deck.unlike[face][one] for one in picked) >= SAME

    for face in [*near[1 : 1 + 2 * CANDIDATES], *(int(face) for face in random.permutation(count))]:
        if len(picked) >= CANDIDATES:
            break
        if not is_new(face):
            continue
        if random.random() < 0.25 and len(picked) > 2:
            other = int(random.integers(count))
            face = other if is_new(other) else face
        picked.append(face)
    while len(picked) < CANDIDATES:
        picked.append(picked[random.integers(len(picked))])
    return picked


def table(random: Random, pool: list[Known], height: int, shares: Shares = SHARES) -> ExampleTable:
    """Candidates of a deck by chance and views of them and of strangers."""
    deck = pool[random.integers(len(pool))]
    near = _near_twins(random, deck, int(random.integers(len(deck.enrolled))))
    picked = _candidates(random, deck, near)
    enrolling = views.camera_of(random) if random.random() < 0.5 else None
    taken = {face: views.reference(random, deck.enrolled[face], height, enrolling) for face in dict.fromkeys(picked)}
    strangers = [face for face in near if face not in taken and deck.unlike[face][list(taken)].min() >= SAME]
    camera, lamp = views.camera_of(random), views.lamp_of(random)
    seen, truths = [], []
    for _ in range(VIEWS):
        kind, cover = random.random(), None
        if random.random() < shares.covered:
            over = deck.enrolled[random.integers(len(deck.enrolled))]
            cover = Cover(over, float(random.uniform(HIDDEN_LEAST, HIDDEN_MOST)))
        if kind < shares.enrolled or not strangers:
            face = picked[random.integers(CANDIDATES)]
            shown, truth = deck.lying[face], picked.index(face)
        elif kind < shares.enrolled + shares.relative:
            shown = deck.lying[strangers[min(len(strangers) - 1, int(random.exponential(4)))]]
            truth = CANDIDATES
        elif kind < shares.enrolled + shares.relative + shares.foreign:
            shown, truth = _foreign(random, pool, deck), CANDIDATES
        else:
            shown, truth = _misplaced(random, deck, picked)
        pose_error = 0.012 if random.random() < 0.3 else 0.0
        here = lamp * np.exp(random.normal(0, views.LAMP_SPREAD, 3)).astype(np.float32)
        seen.append(views.view(random, shown, height, camera, here, cover, pose_error))
        truths.append(truth)
    repeated = np.array([picked.index(face) != place for place, face in enumerate(picked)])
    return ExampleTable([taken[face] for face in picked], seen, truths, repeated)


def _foreign(random: Random, pool: list[Known], deck: Known) -> Picture:
    """A face of any deck, as large as this one's."""
    other = pool[random.integers(len(pool))].enrolled
    tall, wide = deck.enrolled[0].shape[:2]
    return np.asarray(cv2.resize(other[random.integers(len(other))], (wide, tall)))


def _misplaced(random: Random, deck: Known, picked: list[int]) -> tuple[Picture, int]:
    """An enrolled face turned, which is no stranger where it has no way up, or elsewhere than meant."""
    face = picked[random.integers(CANDIDATES)]
    picture, differs = deck.lying[face], deck.turned[face]
    if random.random() < 0.4:
        if SURELY < differs < SURELY_NOT:
            return picture, picked.index(face)
        return _turned(picture), picked.index(face) if differs < EITHER_WAY else CANDIDATES
    tall, wide = picture.shape[:2]
    far, near = random.uniform(0.12, 0.4, 2) * wide * random.choice([-1, 1], 2)
    # Symbols in a row are found a step aside, with the card that they're on.
    near *= random.random() < 0.5
    across, down = (far, near) if random.random() < 0.5 else (near, far)
    moved = np.array([[1, 0, across], [0, 1, down]])
    # Another card's paper may lie there, or a table as white as that.
    is_paper = random.random() < 0.5
    beside = np.median(picture.reshape(-1, 3), axis=0) if is_paper else random.integers(10, 240, 3)
    return np.asarray(cv2.warpAffine(picture, moved, (wide, tall), borderValue=beside.tolist())), CANDIDATES


def _well_seen(random: Random, places: list[comparison.ComparisonInput], truths: list[int]) -> list[int]:
    """A few views of enrolled faces that show well."""
    found = [n for n, truth in enumerate(truths) if truth < CANDIDATES and places[n].shows.mean() > 0.6]
    random.shuffle(found)
    return found[: int(random.integers(1, VIEWS))]


def faces_of(laid: ExampleTable) -> list[comparison.FacePlanes]:
    """The candidates as the comparison has them."""
    size = views.small(laid.references[0]).shape[1::-1]
    return [
        comparison.face_of(upright.of_face(picture, (size[0], size[1]))) for picture in laid.references[:CANDIDATES]
    ]


def seen(random: Random, laid: ExampleTable, faces: list[comparison.FacePlanes]) -> Iterator[PreparedView]:
    """Each view as the comparison has it; in half of all tables colours are told by the cards that are known."""
    planes = [upright.planes_of(*_small_view(one)) for one in laid.seen]
    grid = (COLUMNS, len(planes[0]) // comparison.COMPARISON_CELL)
    shows = [cv2.resize(one.shows.astype(np.float32), grid, interpolation=cv2.INTER_AREA) for one in laid.seen]
    places = [comparison.input_of(full, part) for full, part in zip(planes, shows, strict=True)]
    camera_cards = _well_seen(random, places, laid.truths) if random.random() < 0.5 else []
    sums = [comparison.chroma_sums(places[n], faces[laid.truths[n]]) for n in camera_cards]
    camera = comparison.camera_chroma(sums) if camera_cards else None
    for n, (view, place, truth) in enumerate(zip(laid.seen, places, laid.truths, strict=True)):
        # By the cards that told it, a camera is known better than by others.
        if camera is None or n in camera_cards:
            yield PreparedView(view, place, truth, None)
        else:
            undone = comparison.input_of(comparison.undo_camera_chroma(planes[n], camera), shows[n])
            yield PreparedView(view, undone, truth, camera)


def _small_view(view: View) -> tuple[Picture, Mask]:
    return views.small(view.patch), views.small(view.shows.astype(np.uint8), cv2.INTER_NEAREST) > 0


def compared(random: Random, laid: ExampleTable) -> Iterator[Example]:
    """Each view beside each candidate."""
    faces = faces_of(laid)
    for one in seen(random, laid, faces):
        other = one.truth == CANDIDATES or random.random() < 0.5
        blur = comparison.blur_of(one.place, faces[random.integers(CANDIDATES)] if other else faces[one.truth])
        yield example(one.place, faces, blur, one.camera_colours is not None, one.truth, laid.repeated)


def example(
    place: comparison.ComparisonInput,
    faces: list[comparison.FacePlanes],
    blur: int,
    is_camera_known: bool,
    truth: int,
    repeated: Mask,
) -> Example:
    """A place beside faces, on grids that are all as high as the highest."""
    found = [comparison.features_of(place, face, blur, is_camera_known) for face in faces]
    rows = len(place.shows)
    maps = np.zeros((len(faces), len(found[0].maps), ROWS, COLUMNS), np.float16)
    maps[:, :, :rows] = np.minimum([one.maps for one in found], LARGEST)
    shows = np.zeros((ROWS, COLUMNS), np.float16)
    shows[:rows] = place.shows
    return Example(maps, np.stack([one.summary for one in found]), shows, truth, repeated)
