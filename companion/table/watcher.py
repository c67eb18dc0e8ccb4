"""The camera's thread: frames in, sights and faults out. It never blocks the box and outlives any camera."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.games.text import Text
from companion.table.aim import Aim
from companion.table.eye import Eye, Glance, as_text
from companion.table.sight import Sight
from vision.cameras.supervised import Health, SupervisedCamera
from vision.errors import VisionError

# Frames a second the eye looks at: a hand is slower, and a Pi has other things to do.
RATE = 5.0
LOST = 1.0
"""Seconds a camera must be away before the box says so: a hiccup isn't a fault."""


class Watcher:
    """Watches the table of whatever game runs.

    `on_sight` and `on_fault` are called from the watcher's thread; whoever owns the box posts them into its loop.
    `folder` is where people's own decks are kept.
    """

    def __init__(
        self,
        camera: SupervisedCamera,
        on_sight: Callable[[Sight], None],
        on_fault: Callable[[str, bool], None],
        complain: Callable[[Text], None],
        folder: Path | None = None,
    ):
        self.camera = camera
        self.folder = folder
        self.on_sight = on_sight
        self.on_fault = on_fault
        self.complain = complain
        self._aim = Aim(camera)
        self._wanted: tuple[str, Any] | None = None
        self._eye: Eye | None = None
        self._watched: tuple[str, Any] | None = None
        self._lost_at: float | None = None
        self._is_lost = False
        self._said = ""
        self._is_blind = False
        self._stop = threading.Event()
        # Reading a picture takes its time; whether the camera is there is told without waiting for that.
        self._threads = [
            threading.Thread(target=self._run, name="eye", daemon=True),
            threading.Thread(target=self._mind, name="camera watch", daemon=True),
        ]

    def start(self) -> None:
        """Begin."""
        self.camera.start()
        for thread in self._threads:
            thread.start()

    def watch(self, game: str, options: Any) -> None:
        """This game is on the table from now on."""
        self._wanted = (game, options)

    def glance(self) -> Glance | None:
        """The newest picture, with what the eye knows of the table; None while the camera sees nothing."""
        frame, eye = self.camera.latest(), self._eye
        if frame is None:
            return None
        return Glance(frame.picture) if eye is None else Glance(frame.picture, eye.layout, eye.calibration)

    def recalibrate(self) -> None:
        """Look for the markers anew."""
        if self._eye is not None:
            self._eye.recalibrate()

    def renew(self) -> None:
        """A deck was enrolled: learn the cards of the table anew."""
        self._watched = None

    def stopping(self) -> None:
        """Look no further; waits for nothing."""
        self._stop.set()
        self.camera.stopping()

    def stop(self) -> None:
        """End; a camera that hangs is left to itself."""
        self.stopping()
        for thread in self._threads:
            thread.join(timeout=2.0)
        self.camera.stop()

    def is_busy(self) -> bool:
        """Whether the eye is still at a picture, or learns a deck: it can't be interrupted in that."""
        return any(thread.is_alive() for thread in self._threads)

    def _run(self) -> None:
        last: Sight | None = None
        while not self._stop.wait(1 / RATE):
            frame = self.camera.latest()
            if frame is None or self._wanted is None:
                continue
            try:
                sight = self._look(frame.picture)
            except VisionError as error:
                self.complain(as_text(error))
                self._watched = None
                self._stop.wait(5.0)
                continue
            self._aim.follow(None if self._eye is None else self._eye.calibration, frame.picture)
            if sight != last and not self._is_blind:
                last = sight
                self.on_sight(sight)

    def _mind(self) -> None:
        while not self._stop.wait(1 / RATE):
            self._report(self.camera.latest() is not None)
            self._say(self.camera.problem)

    def _look(self, picture: Any) -> Sight:
        if self._eye is None or self._watched != self._wanted:
            assert self._wanted is not None
            self._eye, self._watched = Eye(*self._wanted, self.folder), self._wanted
        before = self._eye.complaint
        sight = self._eye.look(picture)
        if self._eye.complaint is not None and self._eye.complaint != before:
            self.complain(self._eye.complaint)
        self._report_markers(self._eye.calibration is None)
        return sight

    def _report_markers(self, is_blind: bool) -> None:
        """Tell that zones can't be told, or can again."""
        if is_blind != self._is_blind:
            self._is_blind = is_blind
            self.on_fault("no-markers", is_blind)

    def _report(self, has_frame: bool) -> None:
        """Tell of a camera that is away, or back; a short gap is nobody's business."""
        if has_frame:
            self._lost_at = None
            if self._is_lost:
                self._is_lost = False
                self.on_fault("no-camera", False)
            return
        now = time.monotonic()
        if self._lost_at is None:
            self._lost_at = now
        if not self._is_lost and now - self._lost_at > LOST and self.camera.health is not Health.STARTING:
            self._is_lost = True
            self.on_fault("no-camera", True)

    def _say(self, problem: VisionError | None) -> None:
        """Say what is wrong, once, even if the camera is replaced so soon that nobody misses it."""
        said = "" if problem is None else str(problem)
        if problem is not None and said != self._said:
            self.complain(as_text(problem))
        self._said = said
