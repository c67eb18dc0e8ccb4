"""`python -m tests.web.photo_game`: a whole game on a box without a camera, every card by a slanted photo and ✔.

It takes a few minutes, mostly to render the photos, so it's a script and not a test.
"""

from __future__ import annotations

import logging
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

from companion.games.game import Move, Over, Show
from companion.games.silencio import records as r
from companion.games.silencio.knowledge import tops
from companion.kits import KITS
from companion.table.scenes import mid_move
from tests.patience import eventually
from tests.web.photographer import BY_HAND, Photographer
from tests.web.rig import Rig, running
from tests.web.test_api import API
from vision.simulated import PinholeCamera

GAME = "silencio"
# From both sides of the table, near and far.
SLANTS = tuple(
    PinholeCamera(BY_HAND.width, BY_HAND.height, tilt=tilt, around=around, fill=0.8)
    for tilt, around in ((32.0, 0.0), (22.0, 180.0), (38.0, 6.0), (28.0, 354.0))
)


def best(state: r.State, moves: list[Move]) -> list[Move]:
    """Cards that climb least, so that the game lasts."""
    beat = tops(state)
    return sorted(moves, key=lambda one: r.RANK_OF[getattr(one, "card")] - beat[r.ROW_OF[getattr(one, "card")]])  # noqa: B009


def press(phone: httpx.Client, button: str) -> None:
    now = phone.get(f"{API}/state").json()["moment"]
    phone.post(f"{API}/press", json={"button": button, "moment": now}).raise_for_status()


def photograph(rig: Rig, phone: httpx.Client, taker: Photographer, before: Any, moves: list[Move], seed: int) -> float:
    """Lay the cards of some moves, send a photo, and confirm what the box makes of it; seconds until it was read."""
    rules = rig.box.hosts[GAME].game
    state = before
    for move in moves:
        now, state = mid_move(GAME, state, move, rules.apply(state, move)[0]), rules.apply(state, move)[0]
    taker.camera = SLANTS[seed % len(SLANTS)]
    photo = taker.taken(list(now.cards), seed)
    number = rig.ask(lambda: rig.history.number)
    began = time.perf_counter()
    answer = phone.post(f"{API}/photo", content=photo, headers={"content-type": "application/octet-stream"})
    took = time.perf_counter() - began
    assert answer.status_code == 200, answer.json()
    found = eventually(lambda: rig.ask(lambda: rig.box.shown.proposal.explanations), 20, f"not followed: {moves}")
    assert all(set(one.moves[: len(moves)]) == set(moves) for one in found), (moves, found)
    if len(found) > 1:
        press(phone, "right")
    press(phone, "confirm")
    eventually(lambda: rig.ask(lambda: rig.history.number) > number, 20, "✔ took nothing")
    return took


def play(rig: Rig, seed: int) -> tuple[int, list[float]]:
    """A whole game; how many cards came by photos, and how long each was read."""
    rig.begin(GAME, players=2)
    phone = rig.paired()
    rules = rig.box.hosts[GAME].game
    taker = Photographer(KITS[GAME], rig.ask(lambda: rig.history.state).options)
    cards, times = 0, []
    for step in range(200):
        state = rig.ask(lambda: rig.history.state)
        if isinstance(rules.pending(state), Over):
            return cards, times
        legal = [move for move in rules.legal(state) if not isinstance(move, rules.mishaps)]
        laid = best(state, [move for move in legal if isinstance(move, Show | r.Play)])
        if laid:
            moves = laid[:2] if isinstance(laid[0], Show) else laid[:1]
            times.append(
                photograph(rig, phone, taker, rig.ask(lambda: rig.box.shown.running.public_state), moves, seed + step)
            )  # type: ignore[union-attr]
            cards += len(moves)
            print(f"{step:3}: {', '.join(map(str, moves))}: read in {times[-1]:.1f} s", flush=True)
        else:
            done = next((move for move in legal if isinstance(move, r.Skip | r.Done | r.Pass)), legal[0])
            rig.ask(lambda done=done: rig.box.do(done))  # type: ignore[misc]
    raise AssertionError("the game never ended")


def main() -> None:
    """Play and print."""
    logging.disable(logging.INFO)
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as rig:
        cards, times = play(rig, random.Random(1).randrange(100))
        reason = rig.ask(lambda: rig.history.pending.reason)  # type: ignore[union-attr]
        print(
            f"over ({reason}): {cards} cards by {len(times)} photos, read in {sum(times) / len(times):.1f} s on average"
        )


if __name__ == "__main__":
    main()
