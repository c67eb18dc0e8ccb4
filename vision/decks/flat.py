"""A photo of many equal cards, flattened: seen from straight above, with all cards of one size and upright."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
from msgspec import Struct

from vision.decks.reading_order import same_way_up
from vision.decks.tuning import SPREAD
from vision.geometry import Array, Counts, Picture, Points, area, map_points, rectangle
from vision.tuning import CARD

# The ways in which a picture changes: to the right, downwards.
WAYS = ((1, 0), (0, 1))
# Along how much of each side an edge is followed, so that round corners are left out, and at how many points.
ALONG = np.linspace(0.1, 0.9, 24)


class FlatPhoto(Struct, frozen=True):
    """The flattened photo, the map into it, the cards' height, and how much it changes across and down at each spot.

    A place in it is the middle of a card and its turn: x, y, radians.
    """

    picture: Picture
    matrix: Points
    height: float
    changes: Array  # (2, row, column): to the right and downwards

    def place_of(self, corners: Points) -> Points:
        """The place of an outline in the photo."""
        flat = map_points(self.matrix, corners)
        across = flat[1] + flat[2] - flat[0] - flat[3]
        return np.array([*flat.mean(axis=0), np.arctan2(across[1], across[0])])

    def corners_of(self, places: Points) -> Points:
        """The corners of cards at some places, in the flat photo: (place, corner, 2)."""
        cos, sin = np.cos(places[:, 2]), np.sin(places[:, 2])
        spin = np.stack([np.stack([cos, sin], axis=1), np.stack([-sin, cos], axis=1)], axis=1)
        box = rectangle(SPREAD.flat_card_width_px, self.height) - [SPREAD.flat_card_width_px / 2, self.height / 2]
        return np.asarray(box @ spin + places[:, None, :2])

    def outline_of(self, place: Points) -> Points:
        """The outline in the photo of a card at a place."""
        return map_points(np.linalg.inv(self.matrix), self.corners_of(place[None])[0])

    def is_card_shaped(self, corners: Points) -> bool:
        """Whether an outline in the photo has the size and the shape of all cards."""
        off = map_points(self.matrix, corners) - self.corners_of(self.place_of(corners)[None])[0]
        return bool(np.abs(off).max() < SPREAD.max_corner_error_widths * SPREAD.flat_card_width_px)

    def shows(self, place: Points) -> bool:
        """Whether a card at a place lies within the photo, but for a little."""
        x, y = np.moveaxis(np.rint(self.corners_of(place[None])[0] * 0.95 + place[:2] * 0.05).astype(int), -1, 0)
        height, width = self.picture.shape[:2]
        is_inside = (x >= 0).all() and (y >= 0).all() and (x < width).all() and (y < height).all()
        # What the photo doesn't show is black.
        return bool(is_inside) and bool(self.picture[y, x].any(axis=1).all())

    def edges_at(self, places: Points, most: float = np.inf) -> Array:
        """How strong the edges are along the top, right, bottom and left side of cards at some places.

        An edge counts as `most` at the most: what is drawn on a card may have stronger edges than the card.
        """
        corners = self.corners_of(places)
        along = np.roll(corners, -1, axis=1) - corners
        spots = corners[:, :, None] + ALONG[:, None] * along[:, :, None]
        x, y = _inside(spots, self.picture)
        is_upright = np.array([1, 0, 1, 0])[None, :, None]
        return np.asarray(np.minimum(self.changes[is_upright, y, x], most).mean(axis=2))

    def settled(self, place: Points, most: float) -> Points:
        """The place near the expected one where a card has the strongest edges all around."""
        for reach, askew, steps in (
            (SPREAD.max_stray_widths * SPREAD.flat_card_width_px, SPREAD.max_askew_degrees, 13),
            (SPREAD.max_stray_widths * SPREAD.flat_card_width_px / 6, SPREAD.max_askew_degrees / 4, 9),
        ):
            away = np.linspace(-reach, reach, steps)
            turns = np.radians(np.linspace(-askew, askew, 7))
            near = place + np.array(list(itertools.product(away, away, turns)))
            place = near[self.edges_at(near, most).mean(axis=1).argmax()]
        return place

    def colours_in(self, place: Points) -> tuple[Points, Array]:
        """Spots all over a card at a place, off its edge, and the colours there."""
        share = np.linspace(0.1, 0.9, 20)
        top_left, top_right, bottom_right, bottom_left = self.corners_of(place[None])[0]
        across, down = (grid.reshape(-1, 1) for grid in np.meshgrid(share, share))
        top, bottom = top_left + across * (top_right - top_left), bottom_left + across * (bottom_right - bottom_left)
        spots = top + down * (bottom - top)
        return spots, colours_at(self.picture, spots)


def flattened(picture: Picture, cards: list[Points], aspect: float) -> FlatPhoto | None:
    """Flatten a photo by some of its cards; None where they aren't all cards of one size on one table."""
    cards = same_way_up(cards)
    middles = np.array([corners.mean(axis=0) for corners in cards])
    centre = middles.mean(axis=0)
    # Seen from a side, the cube root of a card's area changes evenly across a photo.
    sizes = np.array([abs(area(corners)) for corners in cards]) ** (1 / 3)
    slope = np.linalg.lstsq(lifted(middles - centre), sizes / sizes.mean(), rcond=None)[0]
    if (lifted(np.concatenate(cards) - centre) @ slope < 1 / SPREAD.max_size_ratio).any():
        return None
    straight = np.array([[1, 0, 0], [0, 1, 0], [slope[1], slope[2], slope[0]]]) @ _moved(-centre)
    seen = np.array([map_points(straight, corners) for corners in cards])
    across = np.median((seen[:, 1] + seen[:, 2] - seen[:, 0] - seen[:, 3]) / 2, axis=0)
    down = np.median((seen[:, 3] + seen[:, 2] - seen[:, 0] - seen[:, 1]) / 2, axis=0)
    tall = float(np.linalg.norm(down) / np.linalg.norm(across))
    if not 1 / CARD.frontal_aspect_ratio < tall / aspect < CARD.frontal_aspect_ratio:
        return None
    long = SPREAD.flat_card_width_px * tall
    upright = np.eye(3)
    upright[:2, :2] = np.linalg.inv(np.column_stack([across / SPREAD.flat_card_width_px, down / long]))
    matrix = upright @ straight
    low, high = _reached(matrix, picture, np.concatenate(cards))
    width, height = np.ceil(high - low).astype(int).tolist()
    if width * height > SPREAD.max_flat_pixels:
        return None
    matrix = _moved(-low) @ matrix
    flat = np.asarray(cv2.warpPerspective(picture, matrix, (width, height), flags=cv2.INTER_LINEAR), np.uint8)
    soft = cv2.GaussianBlur(flat, (0, 0), 1.0)
    # Square roots, so that a strong edge drawn on a card doesn't outweigh four weak ones around it.
    changes = [np.sqrt(np.abs(cv2.Scharr(soft, cv2.CV_16S, *way)).max(axis=2), dtype=np.float32) for way in WAYS]
    return FlatPhoto(flat, matrix, long, np.stack(changes))


def _moved(away: Points) -> Points:
    """The matrix that moves points by as much."""
    return np.array([[1, 0, away[0]], [0, 1, away[1]], [0, 0, 1]])


def _reached(matrix: Points, picture: Picture, seen: Points) -> tuple[Points, Points]:
    """The upper left and the lower right of what is kept of a photo: the cards and what it shows around them."""
    height, width = picture.shape[:2]
    cards = map_points(matrix, seen)
    low, high = (
        cards.min(axis=0) - SPREAD.margin_widths * SPREAD.flat_card_width_px,
        cards.max(axis=0) + SPREAD.margin_widths * SPREAD.flat_card_width_px,
    )
    frame = rectangle(width, height)
    # Beyond the horizon there is no table.
    if (lifted(frame) @ matrix[2, [2, 0, 1]] > 0).all():
        corners = map_points(matrix, frame)
        low, high = np.maximum(low, corners.min(axis=0)), np.minimum(high, corners.max(axis=0))
    return low, high


def lifted(spots: Points) -> Points:
    """Points as (1, x, y), for what changes evenly across a plane."""
    return np.column_stack([np.ones(len(spots)), spots])


def colours_at(picture: Picture, spots: Points) -> Array:
    """The colours at some spots."""
    x, y = _inside(spots, picture)
    return np.asarray(picture[y, x], np.float64)


def _inside(spots: Points, picture: Picture) -> tuple[Counts, Counts]:
    """Pixels at some spots, at the picture's edge where they're outside."""
    height, width = picture.shape[:2]
    x, y = np.moveaxis(np.rint(spots).astype(int), -1, 0)
    return np.clip(x, 0, width - 1), np.clip(y, 0, height - 1)
