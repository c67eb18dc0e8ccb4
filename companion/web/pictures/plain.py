"""Any game's table from its records alone: every field that holds cards becomes a zone."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from companion.text import N_
from companion.web.pictures.model import DrawingTools, PictureZone, TablePicture

NOT_ON_THE_TABLE = frozenset({"unseen", "known", "reason", "phase", "options"})


def picture(tools: DrawingTools, state: Any) -> TablePicture:
    """Zones in the order of the record."""
    zones: list[PictureZone] = []
    for field in structs.fields(type(state)):
        if field.name in NOT_ON_THE_TABLE or field.name in getattr(type(state), "derived", ()):
            continue
        value = getattr(state, field.name)
        if not isinstance(value, tuple) or not value:
            continue
        if all(isinstance(part, str) for part in value):
            zones.append(PictureZone(field.name, tools.term(field.name), tools.cards(value)))
        elif all(isinstance(part, tuple) and all(isinstance(one, str) for one in part) for part in value):
            for seat, cards in enumerate(value):
                label = tools.text(N_("{what}, player {seat}"), what=tools.term(field.name), seat=seat + 1)
                zones.append(PictureZone(f"{field.name}{seat}", label, tools.cards(cards), seat=seat))
    return TablePicture(tuple(zones))
