"""The camera's thread: what it can't make use of is a visible fault, never a hand that isn't there."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import cast

import numpy as np

from companion.table.hosts import HOSTS
from companion.table.scenes import scene
from companion.table.sight import Sight
from companion.table.twin import Twin
from companion.table.watcher import Watcher
from vision.cameras.port import Frame
from vision.cameras.supervised import Health, SupervisedCamera
from vision.geometry import Picture


class StillCamera:
    """A camera that shows one picture until it's given another."""

    health = Health.GOOD

    def __init__(self, picture: Picture):
        self.picture = picture

    def start(self) -> None:
        """Nothing to open."""

    def stop(self) -> None:
        """Nothing to close."""

    def latest(self) -> Frame:
        return Frame(self.picture, time.monotonic())


def wait_for(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_table_without_markers_is_a_fault_until_they_are_in_sight() -> None:
    game = HOSTS["similo"].game
    options = game.options(players=2, driver="table")
    twin = Twin("similo", options)
    camera = StillCamera(np.full((768, 1024, 3), 200, np.uint8))
    sights: list[Sight] = []
    faults: list[tuple[str, bool]] = []
    said: list[str] = []
    watcher = Watcher(
        cast(SupervisedCamera, camera),
        sights.append,
        lambda name, is_there: faults.append((name, is_there)),
        lambda text: said.append(str(text)),
    )
    watcher.watch("similo", options)
    watcher.start()
    try:
        wait_for(lambda: faults == [("no-markers", True)])
        assert sights == []
        assert "corner markers" in said[0]
        camera.picture = twin.photograph(scene("similo", game.new(options)))
        wait_for(lambda: bool(sights) and not sights[-1].is_busy)
        assert faults == [("no-markers", True), ("no-markers", False)]
    finally:
        watcher.stop()
