"""The camera's threads: what it can't make use of is a visible fault, and told at once, whatever the eye does."""

from __future__ import annotations

import sys
import threading
from typing import Any, cast

import numpy as np
import pytest

from companion.table.hosts import HOSTS
from companion.table.scenes import scene
from companion.table.sight import Seen, Sight
from companion.table.simulated_table import SimulatedTable
from companion.table.watcher import Watcher
from companion.table.worker import tell_of_dead_threads
from tests.patience import PATIENCE, eventually, meanwhile
from vision.cameras import Frame, Health
from vision.cameras.supervised import SupervisedCamera
from vision.errors import CameraError, VisionError

PICTURE = np.full((8, 8, 3), 99, np.uint8)


class Still:
    """A camera whose frame the test sets."""

    def __init__(self, picture: Any = PICTURE) -> None:
        self.frame: Frame | None = Frame(picture, 0.0)
        self.health = Health.GOOD
        self.problem: VisionError | None = None
        self.asked = 0

    def start(self) -> None:
        """Nothing to start."""

    def stopping(self) -> None:
        """Nothing to stop."""

    def stop(self) -> None:
        """Nothing to stop."""

    def latest(self) -> Frame | None:
        self.asked += 1
        return self.frame

    def aim(self, part: object) -> None:
        """It looks where it looks."""

    def minded(self) -> None:
        """Wait until both of the watcher's threads have looked at the camera as it is now."""
        before = self.asked
        eventually(lambda: self.asked > before + 4)


def test_a_table_without_markers_is_a_fault_until_they_are_in_sight() -> None:
    game = HOSTS["similo"].game
    options = game.options(players=2, driver="table")
    simulated = SimulatedTable("similo", options)
    camera = Still(np.full((768, 1024, 3), 200, np.uint8))
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
        eventually(lambda: faults == [("no-markers", True)])
        assert sights == []
        assert "corner markers" in said[0]
        camera.frame = Frame(simulated.photograph(scene("similo", game.new(options))), 1.0)
        eventually(lambda: bool(sights) and not sights[-1].is_unsettled)
        assert faults == [("no-markers", True), ("no-markers", False)]
    finally:
        watcher.stop()


def test_a_camera_that_goes_is_told_while_the_eye_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.table.watcher.GONE_SECONDS", 0.0)
    camera, told, said = Still(), [], []
    looking, done = threading.Event(), threading.Event()

    def look(self: Watcher, picture: Any) -> Sight:
        looking.set()
        done.wait(PATIENCE)
        return Sight(is_unsettled=True)

    monkeypatch.setattr(Watcher, "_sight_of", look)
    watcher = Watcher(
        cast(SupervisedCamera, camera),
        on_sight=lambda sight: None,
        on_fault=lambda name, is_there: told.append((name, is_there)),
        complain=lambda text: said.append(str(text)),
    )
    watcher.watch("silencio", None)
    watcher.start()
    try:
        assert looking.wait(PATIENCE)
        camera.problem, camera.health, camera.frame = CameraError("the cable was pulled"), Health.GONE, None
        eventually(lambda: ("no-camera", True) in told)
        eventually(lambda: "the cable was pulled" in said)
        camera.problem, camera.health, camera.frame = None, Health.GOOD, Frame(PICTURE, 1.0)
        eventually(lambda: ("no-camera", False) in told)
        assert not done.is_set()
        watcher.stop()
        assert watcher.is_busy()
    finally:
        done.set()
        watcher.stop()
    assert not watcher.is_busy()


def test_what_was_seen_of_the_game_before_is_not_told_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a picture takes its time, and another game may begin meanwhile."""
    looking, done = threading.Event(), threading.Event()
    sights: list[Sight] = []

    def look(self: Watcher, frame: Frame) -> Sight:
        assert self._wanted is not None
        looking.set()
        assert done.wait(PATIENCE)
        return Sight((Seen(self._wanted[0], "row", 0, "", 0, 0),))

    monkeypatch.setattr(Watcher, "_sight_of", look)
    watcher = Watcher(cast(SupervisedCamera, Still()), sights.append, lambda name, is_there: None, lambda text: None)
    watcher.watch("silencio", None)
    watcher.start()
    try:
        assert looking.wait(PATIENCE)
        watcher.watch("similo", None)
        done.set()
        eventually(lambda: sights)
        assert [card.card for card in sights[0].cards] == ["similo"]
    finally:
        done.set()
        watcher.stop()


def test_a_camera_that_is_back_before_it_is_missed_is_still_spoken_of_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.table.watcher.GONE_SECONDS", 10 * PATIENCE)  # however busy the machine is
    camera, told, said = Still(), [], []
    watcher = Watcher(
        cast(SupervisedCamera, camera),
        on_sight=lambda sight: None,
        on_fault=lambda name, is_there: told.append((name, is_there)),
        complain=lambda text: said.append(str(text)),
    )
    watcher.start()
    try:
        camera.problem, camera.health, camera.frame = CameraError("it was killed"), Health.GONE, None
        eventually(lambda: said == ["it was killed"])
        camera.problem = CameraError("it was killed")
        camera.minded()
        camera.problem, camera.health, camera.frame = None, Health.GOOD, Frame(PICTURE, 1.0)
        camera.minded()
        assert (told, said) == ([], ["it was killed"])
    finally:
        watcher.stop()


# An eye that fails


class Trouble:
    """Fails where it's told to, until it's told not to; counts how often."""

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.count = 0

    def __call__(self) -> None:
        if self.error is not None:
            self.count += 1
            raise self.error


class Watched:
    """A watcher of one picture with what it tells, over an eye that may fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.trouble, self.eyes = Trouble(), 0
        watched = self

        class ShamEye:
            """Sees the same table in every picture."""

            layout: Any = "the layout"
            complaint = None

            def __init__(self, game: str, options: Any, folder: Any) -> None:
                watched.eyes += 1
                self.calibration: Any = "calibrated"

            def look(self, picture: Any, small: Any) -> Sight:
                watched.smalls.append(small)
                watched.trouble()
                return Sight(cards=())

            def recalibrate(self) -> None:
                self.calibration = None

        monkeypatch.setattr("companion.table.watcher.Eye", ShamEye)
        monkeypatch.setattr("companion.table.watcher.Aim.follow", lambda *_: None)
        self.camera = Still()
        self.smalls: list[Any] = []
        self.sights: list[Sight] = []
        self.faults: list[tuple[str, bool]] = []
        self.said: list[str] = []
        self.watcher = Watcher(
            cast(SupervisedCamera, self.camera),
            self.sights.append,
            lambda name, is_there: self.faults.append((name, is_there)),
            lambda text: self.said.append(str(text)),
            first_pause=0.01,
        )
        self.watcher.watch("silencio", None)


def tracebacks(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [str(record.exc_info[1]) for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("error", [np.linalg.LinAlgError("singular matrix"), VisionError("the deck is torn")])
def test_an_eye_that_fails_is_told_once_made_anew_and_sees_again(
    error: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    watched = Watched(monkeypatch)
    watched.watcher.start()
    try:
        eventually(lambda: watched.sights == [Sight()])
        assert watched.faults == []
        watched.trouble.error = error
        eventually(lambda: watched.trouble.count > 3)
        assert watched.faults == [("no-eye", True)]
        assert tracebacks(caplog) == [str(error)]
        assert watched.said == (["the deck is torn"] if isinstance(error, VisionError) else [])
        assert watched.eyes >= 3
        watched.trouble.error = None
        eventually(lambda: watched.faults == [("no-eye", True), ("no-eye", False)])
        # The box has forgotten what it saw: the same table is told again.
        assert watched.sights == [Sight(), Sight()]
        assert watched.watcher.is_busy()
    finally:
        watched.watcher.stop()


def test_pauses_grow_while_it_fails_and_a_picture_that_is_missing_ends_no_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watched = Watched(monkeypatch)
    watched.trouble.error = ZeroDivisionError()
    watched.watcher.start()
    try:
        eventually(lambda: watched.trouble.count >= 4)
        (eye,) = [one for one in watched.watcher._workers if one.guard.name == "eye"]
        assert eye.guard.pause >= 0.16
        watched.camera.frame = None
        watched.camera.minded()
        watched.trouble.error = None
        meanwhile(0.5)
        assert ("no-eye", False) not in watched.faults
    finally:
        watched.watcher.stop()


def test_the_thread_that_minds_the_camera_outlives_an_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    watched = Watched(monkeypatch)
    problem = cast(Any, Trouble())
    monkeypatch.setattr(Still, "problem", property(lambda _: problem(), lambda *_: None), raising=False)
    problem.error = RuntimeError("what camera?")
    watched.watcher.start()
    try:
        eventually(lambda: problem.count >= 2)
        assert watched.faults == [("no-eye", True)]
        assert tracebacks(caplog) == ["what camera?"]
        eventually(lambda: watched.sights == [Sight()])
        assert watched.faults == [("no-eye", True)], "the eye's good sight says nothing of the other thread"
        problem.error = None
        eventually(lambda: watched.faults == [("no-eye", True), ("no-eye", False)])
    finally:
        watched.watcher.stop()


def test_what_is_asked_of_the_eye_is_done_by_its_own_thread_between_two_pictures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watched = Watched(monkeypatch)
    sham = cast(Any, sys.modules["companion.table.watcher"]).Eye
    looking, go_on, during, doers = threading.Event(), threading.Event(), [], []

    def look(eye: Any, picture: Any, small: Any) -> Sight:
        looking.set()
        go_on.wait(PATIENCE)
        during.append(eye.calibration)
        return Sight()

    def recalibrate(eye: Any) -> None:
        doers.append(threading.current_thread().name)

    monkeypatch.setattr(sham, "look", look)
    monkeypatch.setattr(sham, "recalibrate", recalibrate)
    watched.watcher.start()
    try:
        assert looking.wait(PATIENCE)
        watched.watcher.recalibrate()
        assert doers == [], "it's used at this moment"
        watched.watcher.renew()
        watched.watcher.watch("similo", None)
        assert watched.eyes == 1
        go_on.set()
        eventually(lambda: watched.eyes == 2)
        assert doers == ["eye"]
        assert during[0] == "calibrated"
        snapshot = watched.watcher.snapshot()
        assert snapshot is not None
        assert snapshot.calibration == "calibrated"
    finally:
        go_on.set()
        watched.watcher.stop()


def test_a_thread_of_any_room_that_dies_is_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    tell_of_dead_threads()
    thread = threading.Thread(target=lambda: 1 // 0, name="forgotten")
    thread.start()
    thread.join()
    assert tracebacks(caplog) == ["integer division or modulo by zero"]
    assert "thread forgotten has ended" in caplog.text


def test_a_camera_that_raises_what_no_camera_should_is_gone_and_opened_anew(caplog: pytest.LogCaptureFixture) -> None:
    class Odd:
        name, opened, is_odd = "odd", 0, True

        def open(self) -> None:
            self.opened += 1

        def read(self) -> Frame:
            if self.is_odd:
                raise np.linalg.LinAlgError("singular")
            return Frame(PICTURE, 0.0)

        def close(self) -> None:
            if self.is_odd:
                raise ZeroDivisionError

    camera = Odd()
    supervised = SupervisedCamera(cast(Any, camera), first_pause=0.01)
    supervised.start()
    try:
        eventually(lambda: camera.opened > 2)
        assert "LinAlgError: singular" in str(supervised.problem)
        assert supervised.latest() is None
        assert tracebacks(caplog) == ["singular"]
        camera.is_odd = False
        eventually(lambda: supervised.latest() is not None)
    finally:
        supervised.stop()


def test_the_eye_gets_the_small_picture_of_the_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch)
    small = np.zeros((2, 2, 3), np.uint8)
    watched.camera.frame = Frame(PICTURE, 0.0, small)
    watched.watcher.start()
    try:
        eventually(lambda: bool(watched.smalls))
    finally:
        watched.watcher.stop()
    assert all(one is small for one in watched.smalls)
