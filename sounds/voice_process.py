"""The voice's own process: sentences come in as lines of JSON, WAV files go out. It makes no sound itself.

pyttsx3 with espeak-ng hangs on some machines; out here it can be killed without harm.
"""

from __future__ import annotations

import faulthandler
import os
import sys
import wave
from pathlib import Path
from typing import Any

import msgspec

ENGINE_TRIES = 3


class VoiceOrder(msgspec.Struct, frozen=True):
    """A sentence to be written to a file."""

    text: str
    voice: str
    rate: int
    path: str
    limit: float


class VoiceAnswer(msgspec.Struct, frozen=True):
    """What became of it; an empty problem is success."""

    path: str
    problem: str = ""


def write(engine: Any, order: VoiceOrder) -> bool:
    """Write the sentence; whether the file holds any sound."""
    engine.setProperty("voice", order.voice)
    engine.setProperty("rate", order.rate)
    # On a busy machine pyttsx3 now and then ends too early and leaves a file without a single sample.
    for _ in range(ENGINE_TRIES):
        engine.save_to_file(order.text, order.path)
        engine.runAndWait()
        if Path(order.path).is_file():
            with wave.open(order.path, "rb") as file:
                if file.getnframes():
                    return True
    return False


def main() -> int:
    """Serve orders until the pipe closes."""
    # pyttsx3 prints to stdout; the answers need a pipe of their own.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    import pyttsx3

    engine = pyttsx3.init("espeak")
    for line in sys.stdin.buffer:
        order = msgspec.json.decode(line, type=VoiceOrder)
        # If the parent is gone by the time we hang, nobody would end us.
        faulthandler.dump_traceback_later(order.limit * 2, exit=True)
        try:
            problem = "" if write(engine, order) else "nothing was written"
        except Exception as error:
            problem = str(error) or type(error).__name__
        faulthandler.cancel_dump_traceback_later()
        answers.write(msgspec.json.encode(VoiceAnswer(order.path, problem)) + b"\n")
        answers.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
