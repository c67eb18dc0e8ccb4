"""What somebody at the table did, in plain words that everybody may read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.game import Event, Move, Reveal
from companion.table.host import Host
from companion.text import N_, Text


def sentences(host: Host[Any], before: Any, move: Move, events: Sequence[Event]) -> list[Text]:
    """A move by what came of it; one that nothing comes of yet by its own words."""
    told = [host.game.tell(event.heard_by(None)) for event in events]
    return told or [in_words(host, host.game.view(before, None), move)]


def in_words(host: Host[Any], state: Any, move: Move) -> Text:
    """A move by its verb and what it's about, with whoever makes it."""
    labels = [pick.label for pick in host.path(state, move)]
    what = Text(" ".join(f"{{w{at}}}" for at in range(len(labels))), {f"w{at}": one for at, one in enumerate(labels)})
    step = host.game.pending(state)
    seat = getattr(step, "seat", None)
    if seat is None or isinstance(step, Reveal):
        return what
    return Text(N_("Player {seat}: {what}."), {"seat": seat + 1, "what": what})
