"""`python -m benchmarks.latency`: how soon the box answers, and what an idle table costs.

- button to LED: from a contact that has come up again (debounced: 20 ms of it is waiting) to the changed lamp;
- card to LED: work from the first still frame that shows a new card, at 1280x960 with 78 cards enrolled, to the changed
  lamp, with the share of each stage. The frames in between that must agree are waiting, not work, and are not counted;
- idle: CPU time of the eye over frames in which nothing changes, at the watcher's rate.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path

import numpy as np
from msgspec.structs import replace
from rich.console import Console
from rich.table import Table

from companion.games.game import Show
from companion.games.notation import read_state
from companion.journal import Journal
from companion.outputs.panel import PanelOutput
from companion.outputs.sound import SoundOutput
from companion.session.loop import now
from companion.session.session import Session
from companion.table.eye import to_sight
from companion.table.hosts import HOSTS
from companion.table.scenes import scene
from companion.table.simulated_table import SimulatedTable
from companion.table.watcher import FRAMES_A_SECOND
from hardware.panel import Button
from hardware.simulated import SimulatedPanel
from sounds.box import SoundBox, SoundSettings
from sounds.guard import SilenceGuard
from vision.simulated import PinholeCamera

TABLE = (
    "silentes drawing=table phase=hunt round=2 map=cups-05,swords-06,wands-07,pentacles-08,cups-09,swords-10,wands-11,"
    "pentacles-12 tokens=0,5 hands=?,?,?,?,?/?,?,?,?,?"
)


def percentiles(values: list[float]) -> list[str]:
    """p50, p95 and p99 in milliseconds."""
    return [f"{np.percentile(values, share) * 1000:.1f}" for share in (50, 95, 99)]


def button_to_led(session: Session, panel: SimulatedPanel, presses: int) -> list[float]:
    """Press ▶ in the menu and wait for another lamp to light up."""
    session.show_menu()
    panel.listen(lambda signal: session.on_signal(signal))
    waits = []
    for _ in range(presses):
        time.sleep(0.05)
        before = dict(panel.lit)
        panel.contact(Button.RIGHT, True)
        time.sleep(0.05)
        start = time.perf_counter()
        panel.contact(Button.RIGHT, False)
        while panel.lit == before and time.perf_counter() - start < 1:
            time.sleep(0.0002)
        waits.append(time.perf_counter() - start)
    return waits


def card_to_led(
    session: Session, panel: SimulatedPanel, simulated: SimulatedTable, cards: int
) -> dict[str, list[float]]:
    """Lay a hunt card, again and again another one, and time each stage until the lamp is set."""
    game = HOSTS["silentes"].game
    rng = random.Random(1)
    stages: dict[str, list[float]] = {"look": [], "understand": [], "light": [], "all": []}
    running = session.shown.running
    assert running is not None
    state = running.history.state
    bare = scene("silentes", state)
    unseen = [move.card for move in game.legal(state) if isinstance(move, Show)]
    for card in rng.sample(unseen, cards):
        for sight in simulated.watch(bare):
            session.on_sight(sight)
        picture = simulated.photograph(scene("silentes", replace(state, hunt=(card,))))
        simulated.eye.look(picture)  # the frame in which it still moves
        spent = {"look": 0.0, "understand": 0.0, "light": 0.0}
        for _ in range(8):
            start = time.perf_counter()
            simulated.eye.look(picture)
            spent["look"] += time.perf_counter() - start
            if simulated.eye.view.settled:
                break
        start = time.perf_counter()
        sight = to_sight(simulated.eye.view, simulated.eye.layout, simulated.eye.calibration)
        session.on_sight(sight)
        spent["understand"] += time.perf_counter() - start
        start = time.perf_counter()
        panel.step()
        spent["light"] += time.perf_counter() - start
        if session.shown.proposal.accepted_moves != (Show(card),):
            raise SystemExit(f"{card} wasn't recognised: {session.shown.proposal}")
        for name, seconds in spent.items():
            stages[name].append(seconds)
        stages["all"].append(sum(spent.values()))
    return stages


def idle(simulated: SimulatedTable, seconds: float) -> float:
    """The share of a core that watching an unchanged table takes."""
    picture = simulated.picture
    assert picture is not None
    frames = int(seconds * FRAMES_A_SECOND)
    start = time.process_time()
    for _ in range(frames):
        simulated.eye.look(picture)
    return (time.process_time() - start) / frames * FRAMES_A_SECOND


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presses", type=int, default=200)
    parser.add_argument("--cards", type=int, default=20)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        panel = SimulatedPanel()
        sound = SoundBox(SilenceGuard(), SoundSettings(backend="silent"), Path(folder) / "speech")
        session = Session(HOSTS, Journal(Path(folder) / "hush.db"), now)
        for output in (PanelOutput(panel), SoundOutput(sound)):
            output.attach(session.bus)
        presses = button_to_led(session, panel, arguments.presses)
        game = HOSTS["silentes"].game
        state = read_state(game, TABLE)
        session.start_at("silentes", state)
        simulated = SimulatedTable("silentes", state.options, PinholeCamera(1280, 960, fill=0.97))
        stages = card_to_led(session, panel, simulated, arguments.cards)
        cost = idle(simulated, 20)
        panel.close()
        sound.close()
    table = Table(title="Latency in milliseconds")
    for column in ("what", "p50", "p95", "p99", "target"):
        table.add_column(column, justify="right")
    table.add_row("button to LED", *percentiles(presses), "p99 < 50")
    table.add_row("card to LED", *percentiles(stages["all"]), "p95 < 250")
    for name in ("look", "understand", "light"):
        share = sum(stages[name]) / sum(stages["all"])
        table.add_row(f"  {name} ({share:.0%})", *percentiles(stages[name]), "")
    table.add_row("idle eye, share of a core", f"{cost:.1%}", "", "", "< 10 %")
    Console().print(table)


if __name__ == "__main__":
    main()
