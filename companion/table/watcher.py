"""The camera's threads: frames in, sights and faults out. They never block the box and outlive any error."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from companion.table.aim import Aim
from companion.table.eye import Eye, Snapshot
from companion.table.focus import FocusWatch
from companion.table.sight import Sharpness, Sight
from companion.table.worker import FIRST_PAUSE_SECONDS, Worker
from companion.text import Text
from vision.calibration import Calibration
from vision.cameras.port import Frame
from vision.cameras.supervised import Health, SupervisedCamera
from vision.errors import VisionError
from vision.zones import Layout

# Frames a second the eye looks at: a hand is slower, and a Pi has other things to do.
FRAMES_A_SECOND = 5.0
GONE_SECONDS = 1.0
"""Seconds a camera must be away before the box says so: a hiccup isn't a fault."""


class Watcher:
    """Watches the table of whatever game runs.

    `on_sight` and `on_fault` are called from the watcher's threads; whoever owns the box posts them into its loop.
    `folder` is where people's own decks are kept. The eye belongs to its thread alone: what others want of it is asked
    for, and done between two pictures. An eye that fails is the fault `no-eye`, and is made anew. While the picture is
    the fault `blurred`, `on_sharpness` is told how sharp it is.
    """

    def __init__(
        self,
        camera: SupervisedCamera,
        on_sight: Callable[[Sight], None],
        on_fault: Callable[[str, bool], None],
        complain: Callable[[Text], None],
        folder: Path | None = None,
        first_pause: float = FIRST_PAUSE_SECONDS,
        on_sharpness: Callable[[Sharpness], None] | None = None,
    ):
        self.camera = camera
        self.folder = folder
        self.on_sight = on_sight
        self.on_fault = on_fault
        self.complain = complain
        self.on_sharpness = on_sharpness
        self._aim = Aim(camera)
        self._asked: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._known: tuple[Layout, Calibration | None] | None = None
        self._failing: set[str] = set()
        self._lock = threading.Lock()
        # What follows belongs to the eye's thread.
        self._wanted: tuple[str, Any] | None = None
        self._eye: Eye | None = None
        self._last_sight: Sight | None = None
        self._misses_markers = False
        self._complained = ""
        self._focus = FocusWatch()
        # What follows belongs to the thread that minds the camera: reading a picture takes its time, and whether the
        # camera is there is told without waiting for that.
        self._lost_at: float | None = None
        self._is_lost = False
        self._said = ""
        self._workers = [
            Worker(name, step, 1 / FRAMES_A_SECOND, partial(self._fails, name), first_pause)
            for name, step in {"eye": self._see, "camera watch": self._mind}.items()
        ]

    def start(self) -> None:
        """Begin."""
        self.camera.start()
        for worker in self._workers:
            worker.start()

    def watch(self, game: str, options: Any) -> None:
        """This game is on the table from now on."""
        self._asked.put(partial(self._watch, (game, options)))

    def snapshot(self) -> Snapshot | None:
        """The newest picture, with what the eye knows of the table; None while the camera sees nothing."""
        frame, known = self.camera.latest(), self._known
        if frame is None:
            return None
        return Snapshot(frame.picture) if known is None else Snapshot(frame.picture, *known)

    def recalibrate(self) -> None:
        """Look for the markers anew."""
        self._asked.put(self._recalibrate)

    def renew(self) -> None:
        """A deck was enrolled: learn the cards of the table anew."""
        self._asked.put(self._forget)

    def stopping(self) -> None:
        """Look no further; waits for nothing."""
        for worker in self._workers:
            worker.stopping()
        self.camera.stopping()

    def stop(self) -> None:
        """End; a camera that hangs is left to itself."""
        self.stopping()
        for worker in self._workers:
            worker.join(2.0)
        self.camera.stop()

    def is_busy(self) -> bool:
        """Whether the eye is still at a picture, or learns a deck: it can't be interrupted in that."""
        return any(worker.is_alive for worker in self._workers)

    def _fails(self, name: str, is_failing: bool) -> None:
        """One of the threads begins to fail, or goes on; the fault lasts while either fails."""
        with self._lock:
            failing = self._failing | {name} if is_failing else self._failing - {name}
            if bool(failing) != bool(self._failing):
                self.on_fault("no-eye", bool(failing))
            self._failing = failing

    # What the eye's thread does

    def _watch(self, wanted: tuple[str, Any]) -> None:
        if wanted != self._wanted:
            self._wanted = wanted
            self._forget()
        self._repeat()

    def _recalibrate(self) -> None:
        if self._eye is not None:
            self._eye.recalibrate()

    def _forget(self) -> None:
        self._eye = None

    def _repeat(self) -> None:
        """Tell what is seen even if nothing has changed: the box has forgotten it."""
        self._last_sight = None

    def _see(self) -> bool:
        """Do what was asked for, then look at the newest picture; whether there was one."""
        while not self._asked.empty():
            self._asked.get()()
        frame = self.camera.latest()
        if frame is None or self._wanted is None:
            return False
        try:
            self._on_frame(frame)
        except Exception as error:
            # Whatever it has come to believe may be what made it fail.
            self._forget()
            self._repeat()
            if isinstance(error, VisionError):
                self._complain(error.text)
            raise
        self._complained = ""
        return True

    def _on_frame(self, frame: Frame) -> None:
        sight = self._sight_of(frame)
        eye = self._eye
        self._known = None if eye is None else (eye.layout, eye.calibration)
        self._aim.follow(None if eye is None else eye.calibration, frame.picture)
        self._mind_focus(frame)
        # Another game may have begun while the eye was at this picture: its table is read anew.
        if sight != self._last_sight and not self._misses_markers and self._asked.empty():
            self._last_sight = sight
            self.on_sight(sight)

    def _sight_of(self, frame: Frame) -> Sight:
        if self._eye is None:
            assert self._wanted is not None
            self._eye = Eye(*self._wanted, self.folder)
        before = self._eye.complaint
        sight = self._eye.look(frame.picture, frame.small)
        if self._eye.complaint is not None and self._eye.complaint != before:
            self.complain(self._eye.complaint)
        self._report_markers(self._eye.calibration is None)
        return sight

    def _complain(self, text: Text) -> None:
        """Say what the eye can't do; not again at each try."""
        if str(text) != self._complained:
            self._complained = str(text)
            self.complain(text)

    def _report_markers(self, misses_markers: bool) -> None:
        """Tell that zones can't be told, or can again."""
        if misses_markers != self._misses_markers:
            self._misses_markers = misses_markers
            self.on_fault("no-markers", misses_markers)

    def _mind_focus(self, frame: Frame) -> None:
        """Tell that the picture is blurred, and how sharp it is until it's sharp again."""
        was_blurred, before = self._focus.is_blurred, self._focus.sharpness
        self._focus.on_picture(frame.picture, not self._misses_markers)
        if self._focus.is_blurred != was_blurred:
            self.on_fault("blurred", self._focus.is_blurred)
        sharpness = self._focus.sharpness
        if self.on_sharpness is not None and sharpness is not None and sharpness != before:
            self.on_sharpness(sharpness)

    # What the thread does that minds the camera

    def _mind(self) -> bool:
        self._report(self.camera.latest() is not None)
        self._say(self.camera.problem)
        return True

    def _report(self, has_frame: bool) -> None:
        """Tell of a camera that is away, or back; a short gap is nobody's business."""
        if has_frame:
            self._lost_at = None
            if self._is_lost:
                self._is_lost = False
                self.on_fault("no-camera", False)
                self._asked.put(self._repeat)
            return
        now = time.monotonic()
        if self._lost_at is None:
            self._lost_at = now
        if not self._is_lost and now - self._lost_at > GONE_SECONDS and self.camera.health is not Health.STARTING:
            self._is_lost = True
            self.on_fault("no-camera", True)

    def _say(self, problem: VisionError | None) -> None:
        """Say what is wrong, once, even if the camera is replaced so soon that nobody misses it."""
        said = "" if problem is None else str(problem)
        if problem is not None and said != self._said:
            self.complain(problem.text)
        self._said = said
