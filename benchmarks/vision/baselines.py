"""Two recognisers as they're usually built, to be measured beside ours: by outline and hash, and by SIFT."""

from __future__ import annotations

import cv2
import numpy as np
from msgspec import Struct

from vision import quads
from vision.geometry import Picture, Points, area, homography_to_quad, is_convex, map_points, rectangle

Faces = list[tuple[str, str, Picture]]


class Named(Struct, frozen=True):
    """A card as a recogniser names it."""

    card: str
    face: str
    corners: Points
    confidence: float = 1.0
    either_way: bool = False


class ByHash:
    """Contours with four corners, squared up and compared by a perceptual hash, both ways up."""

    name = "contour + hash"

    def __init__(self, faces: Faces):
        self.faces = faces
        self.aspect = float(np.median([p.shape[0] / p.shape[1] for _c, _f, p in faces]))
        self.hashes = np.array([self._hash(p) for _c, _f, p in faces])

    @staticmethod
    def _hash(picture: Picture) -> Picture:
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        waves = cv2.dct(cv2.resize(grey, (32, 32), interpolation=cv2.INTER_AREA).astype(np.float32))[:12, :12]
        return np.asarray(waves > np.median(waves)).ravel()

    def read(self, picture: Picture) -> list[Named]:
        """Name the cards in a picture."""
        found = []
        height = round(200 * self.aspect)
        for corners in quads.find(picture, self.aspect, 45):
            best = (999, -1, corners)
            for turned in (corners, np.roll(corners, 2, axis=0)):
                inverse = np.linalg.inv(homography_to_quad(turned, 200, height))
                flat = cv2.warpPerspective(picture, inverse, (200, height))
                away = (self.hashes != self._hash(flat)).sum(axis=1)
                nearest = int(np.argmin(away))
                best = min(best, (int(away[nearest]), nearest, turned), key=lambda item: item[0])
            # A quarter of the bits: the usual limit.
            if best[0] <= 36:
                card, face, _picture = self.faces[best[1]]
                found.append(Named(card, face, best[2]))
        return found


class BySift:
    """SIFT, FLANN with the ratio test, one RANSAC homography for each card with enough matches."""

    name = "SIFT + FLANN"

    def __init__(self, faces: Faces):
        self.faces = faces
        # Unlimited features of a photo: a limit loses small cards.
        self.sift = cv2.SIFT.create()
        learner = cv2.SIFT.create(800)
        self.points, descriptors = [], []
        for _card, _face, picture in faces:
            points, described = learner.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None)
            self.points.append(np.array([p.pt for p in points], np.float32))
            descriptors.append(described)
        self.matcher = cv2.FlannBasedMatcher({"algorithm": 1, "trees": 4}, {"checks": 48})
        self.matcher.add(descriptors)
        self.matcher.train()

    def read(self, picture: Picture) -> list[Named]:
        """Name the cards in a picture."""
        points, described = self.sift.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None)
        if len(points) < 2:
            return []
        pairs: dict[int, list[tuple[int, int]]] = {}
        for match in self.matcher.knnMatch(described, k=2):
            if len(match) == 2 and match[0].distance < 0.75 * match[1].distance:
                pairs.setdefault(match[0].imgIdx, []).append((match[0].trainIdx, match[0].queryIdx))
        found = []
        for number, matched in pairs.items():
            if len(matched) < 10:
                continue
            source = np.array([self.points[number][a] for a, _b in matched], np.float32)
            target = np.array([points[b].pt for _a, b in matched], np.float32)
            matrix, inliers = cv2.findHomography(source, target, cv2.RANSAC, 4.0)
            if np.size(matrix) != 9 or int(inliers.sum()) < 10:
                continue
            card, face, reference = self.faces[number]
            corners = map_points(matrix, rectangle(reference.shape[1], reference.shape[0]))
            if is_convex(corners) and area(corners) > 1500:
                found.append(Named(card, face, corners))
        return found
