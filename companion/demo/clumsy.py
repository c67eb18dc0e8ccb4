"""Somebody who errs now and then, as people do: wrong cards, a hand left in view, a bumped table, a pulled plug."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from companion.demo.box_user import CALM_SECONDS, BoxUser, DemoStep
from companion.session.session import Session
from companion.table.menu import MenuAct
from companion.table.mistakes import TOLD, refused_tables
from companion.table.simulated_table import SimulatedTable
from companion.text import N_, Text
from hardware.panel import Button
from vision.simulated import Scene

CAMERA_AWAY_SECONDS = 20.0
SLIPS, ODDITIES = 0.4, 0.08
"""How likely a mistake is before a move that can go wrong by the rules, and before any other."""


class Clumsy(BoxUser, ABC):
    """Somebody who errs so often. `lasting` is the chance before each move that the camera breaks for good."""

    def __init__(
        self,
        session: Session,
        simulated: SimulatedTable | None,
        rng: random.Random,
        mistakes: int = 0,
        pause: Callable[[float], None] = lambda seconds: None,
        power_cut: Callable[[], Session] | None = None,
        touch: Callable[[Button], None] | None = None,
        press_long: Callable[[Button], None] | None = None,
        hold_confirm: Callable[[], None] | None = None,
        lasting: float = 0.0,
    ):
        super().__init__(session, simulated, rng, pause, touch, press_long, hold_confirm)
        self.power_cut = power_cut
        self.lasting = lasting
        self.expected = self.played.state
        """The game as the box should have it."""
        self.errors_left = mistakes
        self.peeked = -1

    @abstractmethod
    def table(self) -> Scene:
        """The table as it should lie now."""

    def err(self) -> Iterator[DemoStep]:
        """Now and then make one of the mistakes people make, and put it right."""
        if self.has_camera and self.rng.random() < self.lasting:
            yield self._unplugged(for_good=True)
        if not self.errors_left:
            return
        tables = refused_tables(self.game.name, self.expected, self.rng) if self.has_camera else {}
        if tables and self.rng.random() < SLIPS:
            made: DemoStep | None = self._laid_wrongly(*self.rng.choice(list(tables.items())))
        elif self.rng.random() < ODDITIES:
            made = self.rng.choice(self._oddities())()
        else:
            return
        if made is not None:
            self.errors_left -= 1
            yield made
            self.compare(self.played.state, self.expected)

    def compare(self, state: Any, expected: Any) -> None:
        """The box must be where the table is."""
        if state != expected:
            self.report.wrong += 1
            raise AssertionError(f"the box is at {state}, the table at {expected}")

    def _oddities(self) -> list[Callable[[], DemoStep | None]]:
        """Mishaps that have nothing to do with the rules."""
        found: list[Callable[[], DemoStep | None]] = [self._changes_mind]
        if self.power_cut is not None:
            found.append(self._power_cut)
        if self.has_camera:
            found += [self._hand_left, self._bumped, self._taken_and_put_back, self._lamp_out, self._unplugged]
        return found

    def _mistake(self, kind: str, text: str) -> DemoStep:
        self.report.mistakes[kind] += 1
        return DemoStep("mistake", Text(text), self.frame, self.session.shown.complaint)

    def _laid_wrongly(self, kind: str, table: Scene) -> DemoStep:
        """Lay something that the rules refuse, see whether the box says why, and put it right again."""
        self.lay_table(table)
        is_explained = self.session.shown.complaint is not None
        # What can't be read can't be refused either: it's asked about.
        self.report.refusals += is_explained or not self._is_unread()
        self.report.explained += is_explained
        made = self._mistake(kind, TOLD[kind])
        self.lay_table(self.table())
        return made

    def _is_unread(self) -> bool:
        """Whether something lies there that an eye with doubts can't name."""
        assert self.simulated is not None
        has_doubts = self.simulated.doubts is not None and any(not seen.card for seen in self.session.recognised.read)
        return has_doubts or self.session.shown.doubt is not None

    def _hand_left(self) -> DemoStep:
        table = self.table()
        self.lay_table(replace(table, hands=((table.width / 2, table.height / 2),)))
        self.lay_table(table)
        return self._mistake("hand left", N_("leaves a hand over the table"))

    def _bumped(self) -> DemoStep:
        table = self.table()
        nudged = tuple(
            card
            if card.card.startswith("marker-")
            else replace(card, x=card.x + self.rng.uniform(-3, 3), y=card.y + self.rng.uniform(-3, 3))
            for card in table.cards
        )
        self.lay_table(replace(table, cards=nudged))
        self.lay_table(table)
        return self._mistake("bumped", N_("bumps into the table"))

    def _taken_and_put_back(self) -> DemoStep | None:
        table = self.table()
        cards = [card for card in table.cards if not card.card.startswith(("marker-", "shrine-"))]
        if not cards:
            return None
        gone = self.rng.choice(cards)
        self.lay_table(replace(table, cards=tuple(card for card in table.cards if card is not gone)))
        self.lay_table(table)
        return self._mistake("put back", N_("takes a card up and puts it back"))

    def _lamp_out(self) -> DemoStep:
        assert self.simulated is not None
        for share in (0.5, 1.0):
            self.simulated.light(share)
            self.lay_table(self.table())
        return self._mistake("lamp out", N_("turns a lamp off, and on again"))

    def _unplugged(self, for_good: bool = False) -> DemoStep:
        self.camera_back = float("inf") if for_good else self.session.clock() + CAMERA_AWAY_SECONDS
        self.session.on_fault("no-camera", True)
        if for_good:
            return self._mistake("camera broken", N_("breaks the camera: from now on there are only buttons"))
        return self._mistake("camera unplugged", N_("pulls the camera's cable"))

    def _power_cut(self) -> DemoStep:
        assert self.power_cut is not None
        self.session = self.power_cut()
        self.peeked = -1
        if self.simulated is not None:
            self.simulated.restart()
        if not self.has_camera and self.simulated is not None:
            self.session.on_fault("no-camera", True)
        self.lay_table(self.table())
        return self._mistake("power cut", N_("pulls the plug, and puts it back"))

    def _changes_mind(self) -> DemoStep | None:
        """Take the last move back with the menu, and repeat it."""
        if not self.played.notation:
            return None
        for act in ("undo", "redo"):
            self.wait(CALM_SECONDS)
            self.press_long(Button.BACK)
            self.pick_in_chooser(MenuAct(act))
        self.peeked = -1
        self.lay_table(self.table())
        return self._mistake("undo and redo", N_("takes a move back and repeats it"))
