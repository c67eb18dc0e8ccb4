"""A camera in a process of its own: one that hangs in its driver is killed, and nothing else notices."""

from __future__ import annotations

import math
import mmap
import os
import subprocess
import sys
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec
import numpy as np

from companion.text import N_
from vision.cameras.orders import Answer, Order
from vision.cameras.port import Frame, SensorCrop
from vision.errors import CameraError, CameraHung
from vision.geometry import Picture

# Loading Picamera2 takes as long as a machine is slow, starting a sensor up to its first frame some seconds; any other
# frame never takes long.
LOADING, OPENING, HUNG, CLOSING = 120.0, 20.0, 6.0, 1.0
HOME = Path(__file__).resolve().parent.parent.parent


class ProcessCamera:
    """A camera by its name, `pi` or `usb:1`; `process` is the one that holds the device, while it's open."""

    def __init__(self, name: str, opening: float = OPENING, hung: float = HUNG):
        self.name = name
        self.opening, self.hung = opening, hung
        self.process: subprocess.Popen[bytes] | None = None
        self._line: Connection | None = None
        self._memory = -1
        self._has_seen = False

    def open(self) -> None:
        """Start the process and the camera in it."""
        self.close()
        try:
            self._start()
            self._ask(Order("load", LOADING))
            self._ask(Order("open", self.opening))
        except OSError as error:
            raise CameraError(N_("camera {name} can't be started: {error}"), name=self.name, error=error) from None
        except CameraError:
            self.close()
            raise

    def _start(self) -> None:
        here, there = Pipe()
        memory = os.memfd_create("frames")
        paths = [str(HOME), *filter(None, [os.environ.get("PYTHONPATH")])]
        self._line, self._memory, self._has_seen = here, memory, False
        self.process = subprocess.Popen(
            [sys.executable, "-m", "vision.cameras.camera_process", self.name, str(there.fileno()), str(memory)],
            stdin=subprocess.DEVNULL,
            pass_fds=(there.fileno(), memory),
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        )
        there.close()

    def read(self) -> Frame:
        """The next frame."""
        answer = self._ask(Order("read", self.hung if self._has_seen else self.opening))
        self._has_seen = True
        picture, *small = self._pictures(answer.shapes)
        return Frame(picture, answer.time, small[0] if small else None)

    def aim(self, part: SensorCrop) -> None:
        """Look more closely at a part, if the camera can."""
        self._ask(Order("aim", self.hung, part))

    def close(self) -> None:
        """End the process: kindly, and if that doesn't help, at once."""
        process, self.process = self.process, None
        line, self._line = self._line, None
        if process is not None and line is not None:
            try:
                line.send_bytes(msgspec.json.encode(Order("close", CLOSING)))
                process.wait(CLOSING)
            except (OSError, subprocess.TimeoutExpired):
                end(process)
        memory, self._memory = self._memory, -1
        if memory >= 0:
            os.close(memory)

    def _ask(self, order: Order) -> Answer:
        process, line = self.process, self._line
        if process is None or line is None:
            raise CameraError(N_("camera {name} gives no pictures any more"), name=self.name)
        try:
            line.send_bytes(msgspec.json.encode(order))
            if not line.poll(order.limit):
                end(process)
                raise CameraHung(
                    N_("camera {name} hasn't answered for {seconds} s"), name=self.name, seconds=round(order.limit)
                )
            answer = msgspec.json.decode(line.recv_bytes(), type=Answer)
        except (EOFError, OSError):
            raise CameraError(N_("the process of camera {name} has ended"), name=self.name) from None
        if answer.problem:
            raise CameraError(answer.problem, **answer.values)
        return answer

    def _pictures(self, shapes: tuple[tuple[int, ...], ...]) -> list[Picture]:
        """Copies of what lies in the shared memory: the process overwrites it with the next frame."""
        pictures: list[Picture] = []
        start = 0
        with mmap.mmap(self._memory, 0, prot=mmap.PROT_READ) as memory:
            for shape in shapes:
                size = math.prod(shape)
                pictures.append(np.frombuffer(memory, np.uint8, size, start).reshape(shape).copy())
                start += size
        return pictures


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and bury it; one that the kernel holds fast is left to the kernel."""
    process.kill()
    try:
        process.wait(CLOSING)
    except subprocess.TimeoutExpired:
        return
