"""The calibration view: the live picture with its markers, and in words what is well and what to do."""

from __future__ import annotations

from companion.table.eye import Snapshot
from companion.text import N_, Text, Value
from companion.web.eyes.records import Calibrated, MarkerSpot
from companion.web.eyes.table_camera import as_address
from companion.web.pictures.model import Say
from companion.web.records import Check
from vision.quality import BRIGHT_LEVEL, DARK_LEVEL, Quality, is_blurred, quality_of

# Where each marker belongs, for the page to show a missing one: upper left, then clockwise.
CORNERS = ((0.06, 0.08), (0.94, 0.08), (0.94, 0.92), (0.06, 0.92))


def calibrated(snapshot: Snapshot, say: Say) -> Calibrated:
    """A picture judged; slow, so it belongs in a thread."""
    height, width = snapshot.picture.shape[:2]
    quality = quality_of(snapshot.picture)
    checks = (
        _markers(quality, say), _place(snapshot, quality, say), _sharpness(quality, say), _light(quality, say)
    )  # fmt: skip
    spots = tuple(_spot(number, quality, width, height) for number in range(4))
    is_well = all(check.is_well for check in checks)
    sharpness = None if quality.sharpness is None else round(quality.sharpness)
    return Calibrated(as_address(snapshot.picture), width, height, spots, is_well, checks, sharpness)


def _spot(number: int, quality: Quality, width: int, height: int) -> MarkerSpot:
    if number not in quality.markers:
        return MarkerSpot(number, False, *CORNERS[number])
    x, y = quality.markers[number]
    return MarkerSpot(number, True, round(float(x) / width, 4), round(float(y) / height, 4))


def _check(name: str, is_well: bool, says: Text, fix: str, say: Say) -> Check:
    return Check(say(Text(name)), is_well, say(says), "" if is_well else say(Text(fix)))


def _markers(quality: Quality, say: Say) -> Check:
    missing = [str(number) for number in range(4) if number not in quality.markers]
    says = Text(N_("Corner markers that aren't seen: {missing}."), {"missing": ", ".join(missing)})
    fix = N_("Lay all four into the picture, flat and unglared; 0 is the upper left, then clockwise.")
    seen = Text(N_("All four corner markers are seen."))
    return _check(N_("markers"), not missing, says if missing else seen, fix, say)


def _place(snapshot: Snapshot, quality: Quality, say: Say) -> Check:
    if snapshot.calibration is None:
        says = Text(N_("The box hasn't measured this table yet; it does when a game runs and it sees the markers."))
        return Check(say(Text(N_("place"))), len(quality.markers) == 4, say(says))
    has_moved = snapshot.calibration.has_moved(snapshot.picture)
    says = Text(N_("The camera or a marker has moved.") if has_moved else N_("Nothing has moved since the start."))
    return _check(N_("place"), not has_moved, says, N_("Press “Measure anew” once everything stands still."), say)


def _sharpness(quality: Quality, say: Say) -> Check:
    if quality.sharpness is None:
        says = Text(N_("Too little lies on the table to tell how sharp the picture is."))
        return _check(N_("sharpness"), True, says, "", say)
    is_sharp = not is_blurred(quality.sharpness, bool(quality.markers))
    template = (
        N_("The picture is sharp: {value} of 100.") if is_sharp else N_("The picture is blurred: {value} of 100.")
    )
    says = Text(template, {"value": round(quality.sharpness)})
    return _check(N_("sharpness"), is_sharp, says, N_("Clean the lens and turn it until the bar is longest."), say)


def _light(quality: Quality, say: Say) -> Check:
    value: dict[str, Value] = {"light": round(quality.light)}
    if quality.light < DARK_LEVEL:
        return _check(
            N_("light"), False, Text(N_("The table is too dark: {light} of 255."), value), N_("Turn on a lamp."), say
        )
    if quality.light > BRIGHT_LEVEL:
        says = Text(N_("The picture is too bright: {light} of 255."), value)
        return _check(N_("light"), False, says, N_("Turn a lamp away from the table."), say)
    return _check(N_("light"), True, Text(N_("The light is good: {light} of 255."), value), "", say)
