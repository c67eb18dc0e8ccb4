"""A lens that bends the picture is learnt from a printed board, kept, and taken out of the table's millimetres."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from companion.cli import make_app
from companion.commands.given import Given
from vision.calibration import BOARD, Calibration, calibrate_lens, load_lens, save_lens
from vision.errors import VisionError
from vision.geometry import Picture, map_points
from vision.pictures import write_picture
from vision.simulated import LaidCard, Look, PinholeCamera, Scene, render
from vision.simulated.render import bulge_points

BULGE = -0.12
SIDES = ((0, 0), (25, 0), (25, 90), (30, 200), (20, 300), (35, 45))


@pytest.fixture(scope="module")
def pictures() -> list[Picture]:
    board = cv2.cvtColor(BOARD.generateImage((800, 1100), marginSize=20), cv2.COLOR_GRAY2BGR)
    looks = {("board", ""): Look(board, 300, 412)}
    return [
        render(
            Scene((LaidCard("board", 300 + 20 * n, 225 - 8 * n, 31 * n),)), looks,
            PinholeCamera(tilt=tilt, around=around, bulge=BULGE), seed=n,
        ).picture
        for n, (tilt, around) in enumerate(SIDES)
    ]  # fmt: skip


def test_a_bent_table_is_straight_again(pictures: list[Picture]) -> None:
    lens = calibrate_lens(pictures)
    assert lens.error < 1.5
    camera = PinholeCamera(tilt=20, bulge=BULGE)
    table = np.array([[x, y] for x in (20, 160, 300, 440, 580) for y in (20, 120, 225, 330, 430)], float)
    straight = map_points(camera.matrix(Scene()), table)
    seen = bulge_points(straight, camera)

    def worst(known: bool) -> float:
        corners = np.array([[0, 0], [600, 0], [600, 450], [0, 450]], float)
        markers = bulge_points(map_points(camera.matrix(Scene()), corners), camera)
        spots = lens.undistorted(markers) if known else markers
        to_table = cv2.getPerspectiveTransform(spots.astype(np.float32), corners.astype(np.float32))
        found = Calibration(to_table, markers, lens if known else None).table_points(seen)
        return float(np.linalg.norm(found - table, axis=1).max())

    assert worst(known=True) < 3 < worst(known=False)


def test_too_few_pictures_are_refused(pictures: list[Picture]) -> None:
    with pytest.raises(VisionError, match="four or more"):
        calibrate_lens(pictures[:3])


def test_pictures_of_different_sizes_are_refused(pictures: list[Picture]) -> None:
    with pytest.raises(VisionError, match="differ in size"):
        calibrate_lens([*pictures, pictures[0][:-10]])


def test_a_lens_is_kept(pictures: list[Picture], tmp_path: Path) -> None:
    lens = calibrate_lens(pictures)
    save_lens(lens, tmp_path / "state" / "lens.json")
    assert load_lens(tmp_path / "state" / "lens.json") == lens
    assert load_lens(tmp_path / "nothing.json") is None
    (tmp_path / "torn.json").write_bytes(b"{")
    with pytest.raises(VisionError, match="can't be read"):
        load_lens(tmp_path / "torn.json")


def test_the_command_learns_a_lens(pictures: list[Picture], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    for number, picture in enumerate(pictures):
        write_picture(tmp_path / f"{number}.png", picture)
    result = CliRunner().invoke(make_app(Given()), ["camera", "--lens", str(tmp_path)])
    assert result.exit_code == 0, result.output
    lens = load_lens(tmp_path / "state" / "lens.json")
    assert lens is not None
    assert math.isclose(lens.matrix[0][0], lens.matrix[1][1], rel_tol=0.05)
