"""The camera looks at the table more closely once the markers are seen, and at the whole when they are lost."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from companion.games.notation import read_state
from companion.table.aim import COVERED_SECONDS, Aim, crop_around
from companion.table.hosts import HOSTS
from companion.table.scenes import scene
from companion.table.simulated_table import SimulatedTable
from vision.calibration import Calibration
from vision.cameras import SensorCrop
from vision.geometry import Picture

PICTURE = np.zeros((960, 1280, 3), np.uint8)


def calibration(*corners: tuple[float, float]) -> Calibration:
    return Calibration(np.eye(3), np.array(corners, np.float64))


SMALL = calibration((320, 240), (960, 240), (960, 720), (320, 720))


@pytest.mark.parametrize(
    ("seen", "part"),
    [
        (SMALL, SensorCrop(0.21, 0.21, 0.58)),
        (calibration((10, 10), (1270, 10), (1270, 950), (10, 950)), SensorCrop()),
        (calibration((0, 0), (640, 0), (640, 480), (0, 480)), SensorCrop(0.0, 0.0, 0.58)),
    ],
)
def test_the_part_holds_all_markers_in_the_pictures_proportions(seen: Calibration, part: SensorCrop) -> None:
    found = crop_around(seen, PICTURE)
    assert (found.left, found.top, found.size) == pytest.approx((part.left, part.top, part.size), abs=1e-9)


class Pointed:
    """Remembers where it was aimed."""

    def __init__(self) -> None:
        self.parts: list[SensorCrop] = []

    def aim(self, part: SensorCrop) -> None:
        self.parts.append(part)


def test_it_aims_once_and_lets_go_when_the_markers_stay_away() -> None:
    camera, now = Pointed(), [0.0]
    aim = Aim(camera, lambda: now[0])  # type: ignore[arg-type]
    aim.follow(None, PICTURE)
    aim.follow(SMALL, PICTURE)
    aim.follow(SMALL, PICTURE)
    assert len(camera.parts) == 1
    for now[0] in (1.0, COVERED_SECONDS - 1):
        aim.follow(None, PICTURE)
    aim.follow(SMALL, PICTURE)  # only a sleeve
    for now[0] in (100.0, 100.0 + COVERED_SECONDS, 101.0 + COVERED_SECONDS):
        aim.follow(None, PICTURE)
    assert camera.parts[1:] == [SensorCrop()]
    aim.follow(SMALL, PICTURE)
    assert len(camera.parts) == 3


def closer(picture: Picture, size: float = 0.8) -> Picture:
    """The middle of a picture, as large as the whole."""
    height, width = picture.shape[:2]
    y, x = round(height * (1 - size) / 2), round(width * (1 - size) / 2)
    return np.asarray(cv2.resize(picture[y : height - y, x : width - x], (width, height)), np.uint8)


def test_cards_stay_where_they_are_on_the_table_when_the_camera_looks_closer() -> None:
    game = HOSTS["silencio"].game
    state = read_state(game, "silencio players=2 driver=table hands=?,?/?,? rows=r4/b3/-/-")
    simulated = SimulatedTable("silencio", state.options)
    simulated.camera = replace(simulated.camera, width=1280, height=960, fill=0.75)
    picture = simulated.photograph(scene("silencio", state))

    def settled(shown: Picture) -> dict[str, tuple[float, float]]:
        for _ in range(12):
            sight = simulated.eye.look(shown)
        assert not sight.is_unsettled
        return {card.card: (card.x, card.y) for card in sight.cards}

    before, after = settled(picture), settled(closer(picture))
    assert {"r4", "b3"} <= set(before)
    assert before.keys() <= after.keys()
    for name, spot in before.items():
        assert after[name] == pytest.approx(spot, abs=2.0)
