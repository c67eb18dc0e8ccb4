"""Plays a story on the service: presses lines, shows pictures to the sensor, and waits for lamps and journal each time.

It goes on only when the box has answered, so that no press is lost on a slow machine; one that stays without any answer
is made again, and counted. One whose move is in the journal was heard, and isn't: there only the lamps are late.
"""

from __future__ import annotations

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import cv2
from machine import LAMPS, STATE, camera_process, check, lit, press, said_since, wait

from hardware.panel import Button

STORIES = Path("/rig-share/stories")
SENSOR = (1920, 1080)
ANSWER, AGAIN, TRIES, BLINK, STEADY = 600.0, 60.0, 4, 3.0, 0.5
DRIVER = Path("/sys/bus/platform/drivers/vimc")


def kept() -> tuple[str, list[str], str]:
    """The last game in the journal: its name, its moves, how it ended."""
    try:
        with closing(sqlite3.connect(f"file:{STATE}/hush.db?mode=ro", uri=True)) as journal:
            row = journal.execute("SELECT id, game, reason FROM games ORDER BY id DESC LIMIT 1").fetchone()
            if row is None:
                return "", [], ""
            moves = journal.execute("SELECT text FROM steps WHERE game = ? ORDER BY number", row[:1]).fetchall()
    except sqlite3.Error:
        return "", [], ""
    return row[1], [move for (move,) in moves], row[2] or ""


def show(picture: Path) -> None:
    """Lay a picture before the sensor; it stretches its 16:9 to the 4:3 that is asked of it."""
    cv2.resize(cv2.imread(str(picture)), SENSOR, interpolation=cv2.INTER_LINEAR).tofile("/run/frame.bgr")
    Path("/sys/module/vimc/parameters/frame").write_text("/run/frame.bgr")


def glimpse(seconds: float = BLINK) -> str:
    """The lamps as they are seen for a while."""
    looks = [lit()]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.05)
        looks.append(lit())
    always, ever = set.intersection(*looks), set.union(*looks)
    return f"lit {sorted(always)}, at times {sorted(ever - always)}"


class Playback:
    """A story and how far it has been told; `at` survives a reboot in a file."""

    def __init__(self, name: str):
        self.story: dict[str, Any] = json.loads((STORIES / f"{name}.json").read_text())
        self.beats: list[dict[str, Any]] = self.story["beats"]
        self._mark = Path(f"/var/lib/rig/{name}.at")
        self.at = int(self._mark.read_text()) if self._mark.exists() else 0
        self.again = 0
        self.problem = ""

    def play(self, until: int | None = None) -> bool:
        """Tell the story up to a beat, or to its end; whether the box answered each time as it should."""
        for number in range(self.at, len(self.beats) if until is None else until):
            beat, since = self.beats[number], time.monotonic()
            answered = self._tell(beat, self.beats[number - 1] if number else {})
            if "show" in beat:
                print(f"     {beat['show']}: {time.monotonic() - since:.0f} s", flush=True)
            if not answered:
                self.problem = f"beat {number} {beat}: lit {sorted(lit())}, kept {kept()[1]}"
                return False
            self.at = number + 1
            self._mark.write_text(str(self.at))
        return True

    def after_move(self, number: int) -> int:
        """The first beat from here on before which a move has just been made: a restart forgets half a choice."""
        counts = [beat.get("steps", 0) for beat in self.beats]
        return next(at + 1 for at in range(max(1, number), len(counts)) if counts[at] > counts[at - 1])

    def is_kept(self) -> bool:
        """Whether the journal holds exactly the moves of the story so far."""
        moves = kept()[1]
        return moves == self.story["moves"][: len(moves)] and len(moves) == self.beats[self.at - 1].get("steps", 0)

    def is_shown(self) -> bool:
        """Whether the lamps are those of the last beat."""
        return self._answer(self.beats[self.at - 1], 60)

    def is_whole(self) -> bool:
        """Whether the whole game is in the journal, and ended as it should."""
        return kept() == (self.story["game"], self.story["moves"], self.story["ending"])

    def __str__(self) -> str:
        done = f"{self.at} of {len(self.beats)} beats, {len(kept()[1])} moves, {kept()[2] or 'not over'}"
        return f"{done}, presses made again: {self.again} {self.problem}"

    def _tell(self, beat: dict[str, Any], before: dict[str, Any]) -> bool:
        if "cable" in beat:
            return cable(beat["cable"]) and self._answer(beat, ANSWER)
        if "show" in beat:
            show(STORIES / beat["show"])
        if "press" not in beat:
            return self._answer(beat, ANSWER)
        for _ in range(TRIES):
            time.sleep(0.4)
            press(Button(beat["press"]))
            if self._answer(beat, AGAIN, before):
                return True
            print(f"     {beat['press']} without an answer for {AGAIN:.0f} s, beat {self.at}: {glimpse()}", flush=True)
            if self._is_made(beat, before):
                return self._answer(beat, ANSWER, before)
            self.again += 1
        return False

    def _is_made(self, beat: dict[str, Any], before: dict[str, Any]) -> bool:
        """Whether the move that a beat makes is in the journal."""
        steps = beat.get("steps", 0)
        return steps > before.get("steps", 0) and kept()[1] == self.story["moves"][:steps]

    def _answer(self, beat: dict[str, Any], seconds: float, before: dict[str, Any] | None = None) -> bool:
        """Whether the box comes to show a beat's lamps, and to keep its steps.

        After a picture for as long as a blink takes, and with every blinking lamp seen lit: between two blinks of
        something else the same lamps are dark. After a press for a moment. A dim lamp is lit now and then, on a slow
        machine for long: so each must be seen dark, or it may be the one that shines; and if some were off `before`
        the press, one must be seen lit, or all may be as it was. Where lamps only go out, it takes as long as a blink.
        """
        on, off, moving = (set(beat.get(which, ())) for which in ("on", "off", "moving"))
        dim, steps = set(LAMPS) - on - off - moving, beat.get("steps", 0)
        was_on, was_off = (set((before or {}).get(which, ())) for which in ("on", "off"))
        new = dim & was_off
        is_alike = was_on <= on and not on & was_off and not new
        must_move = moving if "show" in beat else set()
        lasting = BLINK if "show" in beat or is_alike else STEADY
        was_lit: set[str] = set()
        was_dark: set[str] = set()
        since = time.monotonic()

        def agrees() -> bool:
            nonlocal since
            shining, now = lit(), time.monotonic()
            if not on <= shining or off & shining:
                since = now
                was_lit.clear()
                was_dark.clear()
                return False
            was_lit.update(shining)
            was_dark.update(dim - shining)
            is_shown = now - since >= lasting and was_lit >= must_move and was_dark >= dim
            is_shown = is_shown and (not new or bool(new & was_lit))
            return is_shown and (not steps or kept()[1] == self.story["moves"][:steps])

        return bool(wait(agrees, seconds))


def cable(way: str) -> bool:
    """Pull the camera's cable or put it back: the sensor's driver loses its device, or gets it again."""
    since = time.time()
    if way == "out":
        (DRIVER / "unbind").write_text("vimc.0")
        told = wait(lambda: "fault: no-camera" in said_since(since), 60)
        return check("cable out: told", told, f"after {time.time() - since:.0f} s: {said_since(since)[-200:]!r}")
    (DRIVER / "bind").write_text("vimc.0")
    told = wait(lambda: "fault is over: no-camera" in said_since(since), 180)
    return check("cable in: it sees again", told, f"after {time.time() - since:.0f} s, process {camera_process()}")
