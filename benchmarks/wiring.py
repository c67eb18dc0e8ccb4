"""A session joined to a panel and a sound box in memory, for whoever plays whole games without a box."""

from __future__ import annotations

import random
from collections.abc import Callable

from companion.journal import Journal
from companion.outputs.panel import PanelOutput
from companion.outputs.sound import SoundOutput
from companion.session.session import Session
from companion.table.hosts import HOSTS
from hardware.animation_loop import LitPanel
from sounds.box import SoundBox


def wired(
    journal: Journal | None, clock: Callable[[], float], rng: random.Random, panel: LitPanel, sound: SoundBox
) -> Session:
    """A session whose lights and sounds go to these."""
    session = Session(HOSTS, journal, clock, rng)
    for output in (PanelOutput(panel), SoundOutput(sound)):
        output.attach(session.bus)
    return session
