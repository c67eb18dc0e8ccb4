"""Watches over a camera: reads it in its own thread, notices when it hangs, vanishes or turns black."""

from __future__ import annotations

import enum
import logging
import threading
import time
from contextlib import suppress

from companion.text import N_
from vision.cameras.port import Aimable, Camera, Frame, SensorCrop
from vision.errors import CameraError, CameraHung, VisionError

# A picture with less light than this, everywhere, is a closed shutter or a dead sensor.
BLACK = 4.0
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
# Seconds between two frames: whoever looks at them is slower, and a Pi has other things to do.
PACE = 0.1
# A picture older than this says nothing of the table any more: a camera that hangs is missed before it is given up.
STALE = 4.0
# A pause that has grown is forgotten after so many good frames: a camera that dies at once isn't well again.
TRUSTED = 30

log = logging.getLogger(__name__)


class Health(enum.Enum):
    """How a camera is."""

    STARTING = "starting"
    GOOD = "good"
    BLACK = "black"
    HUNG = "hung"
    GONE = "gone"


class SupervisedCamera:
    """A camera that never blocks: `latest` gives the newest frame at once, `health` tells how it is.

    One that fails is closed and opened anew, after pauses that grow. The camera itself bounds how long it may take.
    """

    def __init__(self, camera: Camera, first_pause: float = FIRST_PAUSE):
        self.camera = camera
        self.first_pause = first_pause
        self.health = Health.STARTING
        self.problem: VisionError | None = None
        self._frame: Frame | None = None
        self._taken = 0.0
        self._logged = ""
        self._part: SensorCrop | None = None
        self._aimed: SensorCrop | None = None
        self._stop = threading.Event()
        self._worker: threading.Thread | None = None

    def start(self) -> None:
        """Begin to read, in the background."""
        self._stop.clear()
        self._worker = threading.Thread(target=self._run, name=f"camera {self.camera.name}", daemon=True)
        self._worker.start()

    def latest(self) -> Frame | None:
        """The newest frame, or none if there isn't a good one of late; never waits."""
        is_fresh = time.monotonic() - self._taken < STALE
        return self._frame if self.health is Health.GOOD and is_fresh else None

    def aim(self, part: SensorCrop) -> None:
        """Look more closely at a part of the whole picture from the next frame on, if the camera can."""
        self._part = part

    def stopping(self) -> None:
        """Read no further frame; waits for nothing."""
        self._stop.set()

    def stop(self) -> None:
        """End, and close the camera."""
        self.stopping()
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.join(timeout=1.0)
            if worker.is_alive():
                # It waits for a camera that doesn't answer: take that away from it.
                self.camera.close()
                worker.join(timeout=5.0)

    def _run(self) -> None:
        pause = self.first_pause
        while not self._stop.is_set():
            if self._watch() > TRUSTED:
                pause = self.first_pause
            self._stop.wait(pause)
            pause = min(pause * 2, LONGEST_PAUSE)

    def _watch(self) -> int:
        """Open the camera and read it until it fails or the box stops; how many frames came."""
        count = 0
        try:
            self.camera.open()
            self._aimed = None
            while not self._stop.wait(PACE):
                self._follow()
                self._take(self.camera.read())
                count += 1
        except Exception as error:
            self._fail(error)
        finally:
            # It's done with, and opened anew; what it says at parting is nobody's business.
            with suppress(Exception):
                self.camera.close()
        return count

    def _fail(self, error: Exception) -> None:
        """Tell what ended the camera; an error that no camera should raise is logged, with its traceback once."""
        self.health = Health.HUNG if isinstance(error, CameraHung) else Health.GONE
        if isinstance(error, VisionError):
            self.problem = error
            return
        name, reason = self.camera.name, f"{type(error).__name__}: {error}"
        if reason != self._logged:
            self._logged = reason
            log.error("camera %s: %s", name, reason, exc_info=error)
        self.problem = CameraError(N_("camera {name} has failed: {error}"), name=name, error=reason)

    def _follow(self) -> None:
        part = self._part
        if part is not None and part != self._aimed and isinstance(self.camera, Aimable):
            self._aimed = part
            self.camera.aim(part)

    def _take(self, frame: Frame) -> None:
        is_dark = float(frame.picture.max()) < BLACK * 4 and float(frame.picture.mean()) < BLACK
        self._frame, self._taken = frame, time.monotonic()
        self.problem = CameraError(N_("camera {name} sees only black"), name=self.camera.name) if is_dark else None
        self.health = Health.BLACK if is_dark else Health.GOOD
