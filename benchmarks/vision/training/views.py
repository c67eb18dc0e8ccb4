"""A card as a camera sees it, and as it is enrolled: upright pictures of the size that `vision.detail` compares.

A view has what a table and a camera add: lamps, shades, reflections, blur, noise, sharpening, a camera's own colours,
JPEG, things that lie on top, and a pose a little off. Lengths are shares of the card's width and blur is in pixels;
light is 1 where the camera has its brightest.
"""

from __future__ import annotations

import cv2
import numpy as np
from msgspec import Struct

from benchmarks.vision.families import Development, developed
from benchmarks.vision.training import Random
from vision import comparison
from vision.colours import LINEAR, gamma_coded
from vision.detail import DETAIL_WIDTH
from vision.geometry import Array, Mask, Picture, rectangle

# How wide a card is in the picture, in pixels; narrow ones are as frequent as wide ones by octaves.
MIN_VIEW_WIDTH_PX, MAX_VIEW_WIDTH_PX = 66, 230
# How far corners are off: of a scan, a reference photo, a card on a table, and a pose that is found well or badly.
SCANNED, PHOTOGRAPHED, PRINTED, FOUND, FOUND_BADLY = 0.001, 0.007, 0.002, 0.006, 0.014
# How much the light's colour differs from one place of a table to another.
LAMP_SPREAD = 0.04
# How far parts of a card lie elsewhere than on its reference: of most cards, bent a little, and of another printing.
BENT, PRINTED_OTHERWISE = 0.005, 0.014
BENDS = (4, 5)
# A picture shrunk by more than this is blurred first.
SHRUNK = 1.6
# Webcams and phones that turn, mix and bend colours more than others: how many, and how much more.
ODD_CAMERAS, ODD_STRENGTH = 0.3, 2.5
# How much of another colour's light a sensor takes for its own, or takes away from it.
MIXED_LIGHT = 0.07


class View(Struct, frozen=True):
    """An upright picture of a card, and where the card itself is known to show."""

    patch: Picture
    shows: Mask


class ColourResponse(Struct, frozen=True):
    """How a camera mixes blue, green and red light, of which grey stays grey, and how it develops a picture."""

    mixing: Array
    development: Development


class Cover(Struct, frozen=True):
    """A known card that lies on another one and hides a share of it."""

    face: Picture
    share: float


def small(picture: Picture, interpolation: int = cv2.INTER_AREA) -> Picture:
    """An upright picture as large as `vision.comparison` compares it."""
    size = (comparison.COMPARISON_WIDTH, len(picture) * comparison.COMPARISON_WIDTH // DETAIL_WIDTH)
    return np.asarray(cv2.resize(picture, size, interpolation=interpolation))


def camera_of(random: Random, strength: float = 1.0) -> ColourResponse:
    """A camera by chance; a smaller strength is a better one."""
    strength *= ODD_STRENGTH if random.random() < ODD_CAMERAS else 1.0
    mixing: Array = random.normal(0, MIXED_LIGHT * strength, (3, 3)) * (1 - np.eye(3))
    mixing += np.diag(1 - mixing.sum(axis=1))
    return ColourResponse(mixing.astype(np.float32), development(random, strength))


def development(random: Random, strength: float = 1.0) -> Development:
    """How a camera develops a picture, by chance; a smaller strength is a better camera."""
    warm, green = random.normal(0, 0.1 * strength), random.normal(0, 0.03 * strength)
    saturation = float(np.exp(random.normal(0.05, 0.24 * strength)))
    once = float(random.normal(0, 8 * strength)), float(random.uniform(0, 2 * np.pi))
    twice = float(random.normal(0, 7 * strength)), float(random.uniform(0, 2 * np.pi))
    gamma = float(np.exp(random.normal(0, 0.2 * strength)))
    return Development(
        (float(np.exp(-warm)), float(np.exp(green)), float(np.exp(warm))), saturation, (*once, *twice), gamma
    )


def lamp_of(random: Random) -> Array:
    """How much blue, green and red light a lamp gives: most are white to warm, and some are candles."""
    warm = max(0, random.normal(0.05, 0.25)) if random.random() < 0.85 else random.uniform(0.4, 1.1)
    colour: Array = np.array([np.exp(-1.2 * warm), np.exp(-0.35 * warm), 1], np.float32)
    return colour * np.float32(random.uniform(0.45, 1.1))


def reference(random: Random, face: Picture, height: int, camera: ColourResponse | None) -> Picture:
    """A reference picture as it's enrolled: a photo by a camera, or a clean scan without one."""
    if camera is None:
        return _printed(random, face, DETAIL_WIDTH, height, SCANNED, np.full(3, 255))
    picture = _printed(random, face, DETAIL_WIDTH, height, PHOTOGRAPHED, random.integers(20, 240, 3))
    soft = random.uniform(0, 0.9)
    if soft > 0.25:
        picture = cv2.GaussianBlur(picture, (0, 0), soft)
    light: Array = _shaded(random, LINEAR[picture]) @ camera.mixing.T * np.float32(random.uniform(0.45, 1))
    if random.random() < 0.15:
        light = light + np.float32(0.3) * _reflection(random, *light.shape[:2])[..., None]
    curved = gamma_coded(np.clip(light, 0, 1))
    return developed(developed(np.asarray(curved * 255, np.uint8), camera.development), development(random, 0.35))


def view(
    random: Random, face: Picture, height: int, camera: ColourResponse, lamp: Array, cover: Cover | None = None,
    pose_error: float = 0.0,
) -> View:  # fmt: skip
    """A card as a camera sees it, cut out where it was found; `pose_error` is how far all of it may be shifted."""
    wide = int(np.exp(random.uniform(np.log(MIN_VIEW_WIDTH_PX), np.log(MAX_VIEW_WIDTH_PX))))
    tall = max(8, round(wide * height / DETAIL_WIDTH))
    table = random.integers(10, 245, 3)
    light = _lit(random, LINEAR[_bent(random, _printed(random, face, wide, tall, PRINTED, table))], lamp)
    picture = developed(_exposed(random, np.maximum(light @ camera.mixing.T, 0)), camera.development)
    shows: Mask = np.ones((tall, wide), bool)
    if cover is not None:
        picture, shows = _covered(random, picture, cover)
    if random.random() < 0.02:
        _put_something_on(random, picture)
    quality = int(random.integers(50, 96))
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    picture = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR))
    return _cut(random, picture, shows, height, pose_error, table)


def _printed(random: Random, face: Picture, wide: int, tall: int, pose_error: float, beside: Array) -> Picture:
    """A face at another size, its corners and all of it a little off; `beside` is the colour around it."""
    own_tall, own_wide = face.shape[:2]
    corners = rectangle(own_wide, own_tall) + random.normal(0, pose_error * own_wide, (4, 2))
    corners = corners + 0.7 * random.normal(0, pose_error * own_wide, 2)
    light = _warped(LINEAR[face], corners, wide, tall, LINEAR[np.asarray(beside, int)])
    return np.asarray(gamma_coded(light) * 255 + 0.5, np.uint8)


def _bent(random: Random, picture: Picture) -> Picture:
    """A card whose parts lie a little elsewhere, each its own way."""
    tall, wide = picture.shape[:2]
    reach = random.uniform(0, PRINTED_OTHERWISE if random.random() < 0.25 else BENT) * wide
    bends = random.normal(0, reach, (*BENDS[::-1], 2)).astype(np.float32)
    x, y = cv2.split(cv2.resize(bends, (wide, tall), interpolation=cv2.INTER_CUBIC))
    right, down = x + np.arange(wide, dtype=np.float32), y + np.arange(tall, dtype=np.float32)[:, None]
    return np.asarray(cv2.remap(picture, right, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _warped(picture: Picture, corners: Array, wide: int, tall: int, beside: Array) -> Picture:
    """What lies between four corners, upright."""
    shrunk = picture.shape[1] / wide
    source = cv2.GaussianBlur(picture, (0, 0), 0.35 * shrunk) if shrunk > SHRUNK else picture
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), rectangle(wide, tall).astype(np.float32))
    colour = [float(value) for value in beside]
    return np.asarray(cv2.warpPerspective(source, matrix, (wide, tall), borderValue=colour))


def _along(angle: float, tall: int, wide: int) -> Array:
    """How far each pixel lies in a direction, from the middle of the card."""
    y, x = np.mgrid[0:tall, 0:wide].astype(np.float32)
    return np.asarray(np.cos(angle) * (x / wide - 0.5) + np.sin(angle) * (y / tall - 0.5), np.float32)


def _lit(random: Random, light: Array, lamp: Array) -> Array:
    """What a card sends to the camera, in linear light: shaded, lit, with reflections and flare."""
    tall, wide = light.shape[:2]
    light = _shaded(random, light)
    if random.random() < 0.12:
        edge = _along(random.uniform(0, 2 * np.pi), tall, wide) - random.uniform(-0.4, 0.4)
        depth = random.uniform(0.2, 0.6)
        light = light * (1 - depth / (1 + np.exp(-edge * random.uniform(10, 60))))[..., None]
    # Some cards are too bright for the sensor.
    bright = random.uniform(0.6, 1.1) if random.random() < 0.7 else random.uniform(1.1, 2.4)
    light = light * lamp * np.float32(bright)
    if random.random() < 0.25:
        for _ in range(1 if random.random() < 0.7 else 2):
            light = light + _reflection(random, tall, wide)[..., None]
    if random.random() < 0.25:
        light = light + _sheen(random, tall, wide)[..., None]
    if random.random() < 0.3:
        light = light + np.float32(random.uniform(0, 0.04))
    return np.asarray(light, np.float32)


def _sheen(random: Random, tall: int, wide: int) -> Array:
    """The faint, broad reflection of a lamp on smooth paper, which shows on dark cards."""
    x, y, reach = random.uniform(-0.2, 1.2) * wide, random.uniform(-0.2, 1.2) * tall, random.uniform(0.2, 1.2) * wide
    down, right = np.mgrid[0:tall, 0:wide].astype(np.float32)
    bright = np.exp(random.uniform(np.log(0.01), np.log(0.3)))
    return np.asarray(bright * np.exp(-((right - x) ** 2 + (down - y) ** 2) / (2 * reach**2)), np.float32)


def _shaded(random: Random, light: Array) -> Array:
    """Light that mostly falls off across a card."""
    if random.random() < 0.3:
        return light
    slope = _along(random.uniform(0, 2 * np.pi), *light.shape[:2])
    return np.asarray(light * (1 - random.uniform(0, 0.55) * (0.5 + slope))[..., None], np.float32)


def _reflection(random: Random, tall: int, wide: int) -> Array:
    """A lamp's reflection: long in one direction, narrow in the other."""
    x, y, angle = random.uniform(0, wide), random.uniform(0, tall), random.uniform(0, np.pi)
    length, breadth = random.uniform(0.1, 1) * wide, random.uniform(0.03, 0.16) * wide
    down, right = np.mgrid[0:tall, 0:wide].astype(np.float32)
    along = np.cos(angle) * (right - x) + np.sin(angle) * (down - y)
    aside = -np.sin(angle) * (right - x) + np.cos(angle) * (down - y)
    # A brighter one hides what tells two cards apart.
    bright = random.uniform(0.1, 0.7)
    return np.asarray(bright * np.exp(-0.5 * ((along / length) ** 2 + (aside / breadth) ** 2)), np.float32)


def _exposed(random: Random, light: Array) -> Picture:
    """Linear light as a sensor gives it: soft, cut off, with noise, and sharpened by some cameras."""
    blur = random.uniform(0.2, 1.3) if random.random() < 0.75 else random.uniform(1.2, 2.2)
    soft = np.clip(cv2.GaussianBlur(light, (0, 0), blur), 0, 1)
    curved = gamma_coded(soft)
    noise = random.uniform(0.5, 4) if random.random() < 0.8 else random.uniform(3, 9)
    if random.random() < 0.4:
        contrast = random.uniform(0, 0.8)
        curved = (1 - contrast) * curved + contrast * curved * curved * (3 - 2 * curved)
    picture = (curved * 255 + random.normal(0, noise, curved.shape)).astype(np.float32)
    if random.random() < 0.15:
        # Webcams smooth noise away, and thin lines with it.
        smooth = cv2.bilateralFilter(np.clip(picture, 0, 255), 5, random.uniform(10, 40), 1.5)
        picture = np.asarray(smooth, np.float32)
    if random.random() < 0.4:
        picture = picture + np.float32(random.uniform(0.3, 1.5)) * (picture - cv2.GaussianBlur(picture, (0, 0), 1.2))
    return np.clip(picture, 0, 255).astype(np.uint8)


def _covered(random: Random, picture: Picture, cover: Cover) -> tuple[Picture, Mask]:
    """A card with another one over one side, and where it shows; mostly the cover's rim isn't taken to show."""
    tall, wide = picture.shape[:2]
    depth = _along(random.integers(4) * np.pi / 2 + random.normal(0, 0.15), tall, wide)
    hidden = depth > np.quantile(depth, 1 - cover.share)
    shift = (int(random.integers(wide)), int(random.integers(tall)))
    over = np.roll(cv2.resize(cover.face, (wide, tall)), shift, (1, 0)) * random.uniform(0.5, 1)
    known = cv2.dilate(hidden.astype(np.uint8), np.ones((3, 3), np.uint8)) if random.random() < 0.8 else hidden
    return np.where(hidden[..., None], np.clip(over, 0, 255).astype(np.uint8), picture), known == 0


def _put_something_on(random: Random, picture: Picture) -> None:
    """Something unknown and small that lies on a card: a die, a crumb."""
    tall, wide = picture.shape[:2]
    middle = (int(random.uniform(0, wide)), int(random.uniform(0, tall)))
    radii = (int(random.uniform(0.03, 0.1) * wide), int(random.uniform(0.03, 0.1) * wide))
    angle, colour = random.uniform(0, 180), [int(value) for value in random.integers(0, 255, 3)]
    cv2.ellipse(picture, middle, radii, angle, 0, 360, colour, -1)


def _cut(random: Random, picture: Picture, shows: Mask, height: int, pose_error: float, table: Array) -> View:
    """A card cut out of a picture where it was found."""
    tall, wide = picture.shape[:2]
    found = FOUND if random.random() < 0.8 else FOUND_BADLY
    corners = (
        rectangle(wide, tall)
        + random.normal(0, found * wide, (4, 2))
        + random.uniform(-pose_error, pose_error, 2) * wide
    )
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), rectangle(DETAIL_WIDTH, height).astype(np.float32))
    mask = cv2.warpPerspective(
        shows.astype(np.uint8), matrix, (DETAIL_WIDTH, height), flags=cv2.INTER_NEAREST, borderValue=[1.0]
    )
    return View(_warped(picture, corners, DETAIL_WIDTH, height, table), mask > 0)
