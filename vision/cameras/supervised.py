"""Watches over a camera: reads it in its own thread, notices when it hangs, vanishes or turns black."""

from __future__ import annotations

import enum
import threading
import time

from vision.cameras.port import Camera, Frame
from vision.errors import N_, CameraError, VisionError

# Without a frame for so long a camera hangs.
HUNG = 3.0
# A picture with less light than this, everywhere, is a closed shutter or a dead sensor.
BLACK = 4.0
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0


class Health(enum.Enum):
    """How a camera is."""

    STARTING = "starting"
    GOOD = "good"
    BLACK = "black"
    HUNG = "hung"
    GONE = "gone"


class SupervisedCamera:
    """A camera that never blocks: `latest` gives the newest frame at once, `health` tells how it is."""

    def __init__(self, camera: Camera, patience: float = HUNG, first_pause: float = FIRST_PAUSE):
        self.camera = camera
        self.patience, self.first_pause = patience, first_pause
        self.problem: VisionError | None = None
        self._frame: Frame | None = None
        self._alive = time.monotonic()
        self._state = Health.STARTING
        self._stop = threading.Event()
        self._worker: threading.Thread | None = None
        self._generation = 0
        self._lock = threading.Lock()

    def start(self) -> None:
        """Begin to read, in the background."""
        self._stop.clear()
        self._launch()

    def _launch(self) -> None:
        with self._lock:
            self._generation += 1
            self._alive = time.monotonic()
            self._worker = threading.Thread(
                target=self._run, args=(self._generation,), name=f"camera {self.camera.name}", daemon=True
            )
            self._worker.start()

    def _is_current(self, generation: int) -> bool:
        return generation == self._generation and not self._stop.is_set()

    def _run(self, generation: int) -> None:
        pause = self.first_pause
        while self._is_current(generation):
            try:
                self.camera.open()
                while self._is_current(generation):
                    frame = self.camera.read()
                    if not self._is_current(generation):
                        return
                    dark = float(frame.picture.max()) < BLACK * 4 and float(frame.picture.mean()) < BLACK
                    self._frame, self._alive = frame, time.monotonic()
                    self._state = Health.BLACK if dark else Health.GOOD
                    self.problem = (
                        CameraError(N_("camera {name} sees only black"), name=self.camera.name) if dark else None
                    )
                    pause = self.first_pause
            except VisionError as error:
                self.problem, self._state = error, Health.GONE
                self._alive = time.monotonic()
            finally:
                if generation == self._generation:
                    self.camera.close()
            self._stop.wait(pause)
            self._alive = time.monotonic()
            pause = min(pause * 2, LONGEST_PAUSE)

    @property
    def health(self) -> Health:
        """How the camera is, now; a hanging one is left behind and opened anew."""
        if self._worker is not None and not self._stop.is_set():
            waited = time.monotonic() - self._alive
            # While it's pausing before another try it's gone, not hung.
            if self._state is not Health.GONE and waited > self.patience:
                self._state = Health.HUNG
                self.problem = CameraError(
                    N_("camera {name} hasn't answered for {seconds} s"),
                    name=self.camera.name,
                    seconds=round(waited),
                )
                self._launch()
        return self._state

    def latest(self) -> Frame | None:
        """The newest frame, or none if there isn't a good one; never waits."""
        return self._frame if self.health is Health.GOOD else None

    def stop(self) -> None:
        """End; a reader that hangs in its driver is left to itself."""
        self._stop.set()
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.join(timeout=1.0)
