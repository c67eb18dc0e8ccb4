"""A box that teaches its group, and what it tells them."""

from __future__ import annotations

from typing import Any

from companion.kits import KITS
from companion.outputs.text_line import words
from companion.session.events import Spoken
from companion.session.lesson_memory import LessonMemory
from companion.session.session import Session
from companion.table.sight import Seen, Sight, ZonedToken
from tests.table.fingers import Bench


class Taught(Bench):
    """A bench whose group is taught."""

    def woken(self) -> Session:
        box = super().woken()
        box._teaching._groups = LessonMemory(self.folder)
        self.spoken: list[str] = []
        box.bus.subscribe(Spoken, lambda event: self.spoken.append(str(event.text)))
        return box

    @property
    def told(self) -> list[str]:
        return [one.key for one in self.box.shown.lessons if not one.is_shown_on]

    @property
    def shown_on(self) -> list[str]:
        return [one.key for one in self.box.shown.lessons if one.is_shown_on]


def begin_silencio(bench: Taught, **options: Any) -> None:
    bench.box.start("silencio", {"players": 2, "driver": "table", **options})


def to_first_turn(bench: Taught) -> None:
    begin_silencio(bench)
    for move in ("show b5", "show g7", "start 0", "pass_on ?"):
        bench.box.do(move)


def said(bench: Bench) -> list[str]:
    return [str(text) for text in words(bench.box.shown)]


def sight_of(game: str, laid: list[Any], *more: Seen, tokens: tuple[ZonedToken, ...] = ()) -> Sight:
    layout = KITS[game].layout
    cards = (one for one in laid if not one.card.startswith("marker"))
    seen = (Seen(one.card, layout.zone_at(one.x, one.y), one.turn, one.face, one.x, one.y) for one in cards)
    return Sight((*seen, *more), tokens=tokens)
