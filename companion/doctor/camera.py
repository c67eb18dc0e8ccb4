"""Checks of the eye: library, sensor, light, sharpness, markers, decks. The camera runs in a process that may hang."""

from __future__ import annotations

import zipfile

import msgspec
import numpy as np
from msgspec import Struct

from companion.doctor.finding import Finding, fault, ok, unknown, warning
from companion.doctor.system import System
from companion.text import N_
from vision.decks.cache import cache_folder
from vision.quality import BRIGHT_LEVEL, DARK_LEVEL, is_blurred

CAMERA_SECONDS = 40.0
# How the process that takes a picture ends when the camera doesn't answer it.
CAMERA_HANGS_CODE = 3
CORNER_MARKERS = {0, 1, 2, 3}


class PictureFacts(Struct, frozen=True):
    """What one picture of the table is like."""

    width: int
    height: int
    light: float
    sharpness: float | None
    markers: tuple[int, ...]


def camera(system: System) -> list[Finding]:
    """All checks that need a picture, from one picture."""
    name = system.settings.camera.device
    if name == "none":
        return [ok("camera", N_("No camera is wanted: play goes by buttons."))]
    if name == "pi":
        ran = system.run([system.python, "-c", "import picamera2"], CAMERA_SECONDS)
        if ran.code is None:
            return [unknown("camera")]
        if ran.code != 0:
            return [
                fault(
                    "camera",
                    N_("picamera2 can't be loaded: {reason}"),
                    N_("Install it: sudo apt-get install python3-picamera2; then install Hush again."),
                    reason=ran.last or "?",
                )
            ]
    taken = system.run([system.python, "-m", "companion.doctor.picture_process", name], CAMERA_SECONDS)
    # While the service holds the camera, one that doesn't answer the doctor may be well, and the machine slow.
    if taken.code != 0 and system.is_served:
        return [as_the_service_sees(system.service_status)]
    if taken.code in (None, CAMERA_HANGS_CODE):
        return [
            fault(
                "camera", N_("The camera hangs."), N_("Switch the Pi off and on; if it stays, change the ribbon cable.")
            )
        ]
    if taken.code != 0:
        return [
            fault(
                "camera",
                N_("There is no picture: {reason}"),
                N_("Check both ends of the ribbon cable, then: rpicam-hello --list-cameras"),
                reason=taken.last or "?",
            )
        ]
    return judge(msgspec.json.decode(taken.last, type=PictureFacts))


BY_THE_SERVICE = {
    "no-camera": fault(
        "camera",
        N_("The service runs, but its camera gives no pictures."),
        N_("Check both ends of the ribbon cable; see why: journalctl -u hush"),
    ),
    "no-eye": fault(
        "camera",
        N_("The service gets pictures, but can't read them."),
        N_("It tries again by itself; see why: journalctl -u hush"),
    ),
    "no-markers": warning(
        "markers",
        N_("The service sees the table, but not its corner markers."),
        N_("Lay all four into the picture, flat and unglared; 0 is the upper left, then clockwise."),
    ),
    "blurred": warning(
        "sharpness",
        N_("The service sees the table, but its picture is blurred."),
        N_("Clean the lens and turn it until the sharpness is highest; the panel's bar shows it."),
    ),
}
"""What the faults of the running service mean, the worst first."""


def as_the_service_sees(status: str) -> Finding:
    """The camera while the service holds it."""
    held = ok("camera", N_("The service may hold the camera; stop it for a closer look."))
    return next((finding for name, finding in BY_THE_SERVICE.items() if name in status), held)


def judge(picture: PictureFacts) -> list[Finding]:
    """What one picture tells."""
    size = f"{picture.width} × {picture.height}"
    return [ok("camera", N_("The camera gives pictures of {size}."), size=size), *judged(picture)]


def judged(picture: PictureFacts) -> list[Finding]:
    """Light, sharpness and markers."""
    if picture.light < DARK_LEVEL:
        light = warning(
            "light", N_("The table is too dark: {light} of 255."), N_("Turn on a lamp."), light=round(picture.light)
        )
    elif picture.light > BRIGHT_LEVEL:
        light = warning(
            "light",
            N_("The picture is too bright: {light} of 255."),
            N_("Turn a lamp away from the table."),
            light=round(picture.light),
        )
    else:
        light = ok("light", N_("The light is good: {light} of 255."), light=round(picture.light))
    if picture.sharpness is None:
        sharp = ok("sharpness", N_("Too little lies on the table to tell how sharp the picture is."))
    elif is_blurred(picture.sharpness, bool(picture.markers)):
        sharp = warning(
            "sharpness",
            N_("The picture is blurred: {value} of 100."),
            N_("Clean the lens and turn it until the sharpness is highest: companion camera shows it."),
            value=round(picture.sharpness),
        )
    else:
        sharp = ok("sharpness", N_("The picture is sharp: {value} of 100."), value=round(picture.sharpness))
    missing = sorted(CORNER_MARKERS - set(picture.markers))
    if missing:
        markers = warning(
            "markers",
            N_("Corner markers that aren't seen: {missing}."),
            N_("Lay all four into the picture, flat and unglared; 0 is the upper left, then clockwise."),
            missing=", ".join(map(str, missing)),
        )
    else:
        markers = ok("markers", N_("All four corner markers are seen."))
    return [light, sharp, markers]


def decks(system: System) -> Finding:
    """Whether what was learnt from the decks can be read; it's learnt when a game first needs it."""
    folders = (system.root / "var/cache/hush", cache_folder())
    indexes = sorted({path for folder in folders if folder.is_dir() for path in folder.rglob("*index*.npz")})
    for path in indexes:
        try:
            with np.load(path, allow_pickle=False) as file:
                file["about"]
        except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
            return warning(
                "decks",
                N_("What was learnt from a deck can't be read: {path}: {reason}"),
                N_("Delete that file; the deck is learnt again."),
                path=str(path),
                reason=str(error),
            )
    return ok("decks", N_("Decks learnt: {count}."), count=len(indexes))
