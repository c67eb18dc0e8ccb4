"""What lies open on the table in a state that everybody may see, in millimetres, and what of it changed last."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from companion.kits import KITS
from companion.play import History
from companion.text import Text
from companion.web.pictures.model import NamedZone, Say, Thing
from vision.zones import Layout

UNMOVED_DEGREES = 45.0


def named_zones(game: str, say: Say) -> tuple[NamedZone, ...]:
    """The zones of a game's table with what people call them; one without a name has none."""
    kit = KITS[game]
    names = kit.host.table.zones
    return tuple(
        NamedZone(
            one.name, say(Text(names[one.name])) if one.name in names else "", one.x, one.y, one.width, one.height
        )
        for one in layout_of(game).zone
    )


@cache
def layout_of(game: str) -> Layout:
    """A game's table, read from its file once."""
    return KITS[game].layout


@lru_cache(maxsize=16)
def things(game: str, public: Any) -> tuple[Thing, ...]:
    """Everything that lies open on the table in a state that everybody may see."""
    kit, layout = KITS[game], layout_of(game)
    lay = kit.on_page.board or kit.scene
    found = []
    for one in lay(layout, public):
        means = kit.on_page.rules_name_of(one.card)
        found.append(
            Thing(
                one.card,
                round(one.x, 1),
                round(one.y, 1),
                one.turn,
                one.face,
                layout.zone_at(one.x, one.y),
                "" if means == one.card else means,
            )
        )
    return tuple(found)


def changed(history: History, public: Any) -> tuple[int, ...]:
    """What the last act has laid, moved or turned: the places of these things among all that lie there now."""
    steps = history.steps
    if not steps:
        return ()
    first = max(at for at in range(len(steps)) if at == 0 or not steps[at].is_joined)
    name = history.game.name
    left = list(things(name, history.game.view(history.states[first], None)))
    found = []
    for at, thing in enumerate(things(name, public)):
        same = next((one for one in left if is_unmoved(one, thing)), None)
        if same is None:
            found.append(at)
        else:
            left.remove(same)
    return tuple(found)


def is_unmoved(before: Thing, now: Thing) -> bool:
    """Whether a card still lies there as it did; one that was only pushed along in its zone counts as left alone."""
    turned_by = abs((before.angle - now.angle + 180) % 360 - 180)
    return turned_by <= UNMOVED_DEGREES and (before.card, before.face, before.zone) == (now.card, now.face, now.zone)
