"""The demo hand: a scripted person who plays whole games through camera and buttons alone, and now and then errs.

The person knows the rules but not the box: it lays cards, looks at the lights and presses buttons. What the box should
make of it is worked out beside it, so that every step can be compared.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.games.game import Decide, Move, Over
from companion.games.notation import write_move
from companion.games.silencio import records as silencio
from companion.games.text import N_, Text, raw
from companion.table.box import Box
from companion.table.chooser import Node
from companion.table.host import Host
from companion.table.scenes import moment, scene
from companion.table.twin import Twin
from hardware.hands import Press
from hardware.panel import Button
from vision.simulated import Scene

CALM = 0.6
"""Seconds a calm person leaves between two presses."""
CAMERA_AWAY = 20.0
SERIES = {"grid", "map", "remap"}
"""Questions that several cards answer at once."""


class Step(Struct, frozen=True):
    """Something the person did, for the commentary."""

    kind: str
    text: Text


class Report(Struct):
    """What came of it."""

    moves: int = 0
    seen: int = 0
    picked: int = 0
    mistakes: int = 0
    explained: int = 0
    wrong: int = 0


class Person:
    """Plays one game on a box."""

    def __init__(
        self,
        box: Box,
        twin: Twin,
        rng: random.Random,
        mistakes: int = 0,
        pause: Callable[[float], None] = lambda seconds: None,
        power_cut: Callable[[], Box] | None = None,
        touch: Callable[[Button], None] | None = None,
    ):
        assert box.play is not None
        assert box.host is not None
        self.box = box
        self.twin = twin
        self.rng = rng
        self.pause = pause
        self.power_cut = power_cut
        self.touch = touch or (lambda button: self.box.on_signal(Press(button)))
        self.host: Host[Any] = box.host
        self.game = self.host.game
        self.expected = box.play.state
        self.report = Report()
        self._errors = mistakes
        self._camera_back: float | None = None

    @property
    def is_done(self) -> bool:
        """Whether the game is over."""
        return isinstance(self.game.pending(self.expected), Over)

    def play_on(self, most: int = 2000) -> Iterator[Step]:
        """Play to the end; yields what is done."""
        self._show(self._table())
        for _ in range(most):
            if self.is_done:
                return
            if self._errors and self.rng.random() < 0.25:
                yield from self._err()
            yield from self._move()

    # Moves

    def _move(self) -> Iterator[Step]:
        moves = self._choose()
        after, told = self.expected, []
        for move in moves:
            after, events = self.game.apply(after, move)
            told += [self.game.tell(event.heard_by(None)) for event in events]
        self._show(moment(self.game.name, self.expected, moves[-1], self._steady(after)))
        yield Step("hand", in_a_row(told[:3] or [raw(self.host.told(write_move(moves[-1])))]))
        if self.box.proposal.clear == moves:
            self.report.seen += 1
            self.press(Button.CONFIRM)
        else:
            self.report.picked += 1
            for move in moves:
                self.pick(move)
        self.expected = self._steady(after)
        self.report.moves += len(moves)
        self._compare()
        self._show(scene(self.game.name, self.expected))

    def _choose(self) -> tuple[Move, ...]:
        """Any legal move but a mishap; a whole grid at once where one is laid."""
        step = self.game.pending(self.expected)
        legal = [move for move in self.game.legal(self.expected) if not isinstance(move, self.game.mishaps)]
        if not isinstance(step, Decide) and not isinstance(step, Over) and step.ask in SERIES:
            return self._series(step.ask, legal)
        # A pass or a question declined tells little; people mostly do something.
        eager = [move for move in legal if getattr(move, "card", None) is not None]
        return (self.rng.choice(eager if eager and self.rng.random() < 0.7 else legal),)

    def _series(self, ask: str, legal: Sequence[Move]) -> tuple[Move, ...]:
        moves: list[Move] = []
        state = self.expected
        for move in self.rng.sample(list(legal), len(legal)):
            step = self.game.pending(state)
            if isinstance(step, Over) or step.ask != ask:
                break
            state, _ = self.game.apply(state, move)
            moves.append(move)
        return tuple(sorted(moves, key=write_move)) if ask == "grid" else tuple(moves)

    def _steady(self, state: Any) -> Any:
        """A state after what the box does by itself."""
        while (move := self.host.by_itself(state)) is not None:
            state, _ = self.game.apply(state, move)
        return state

    def _compare(self) -> None:
        assert self.box.play is not None
        if self.box.play.state != self.expected:
            self.report.wrong += 1
            raise AssertionError(f"the box is at {self.box.play.state}, the table at {self.expected}")

    # Hands

    def _show(self, table: Scene) -> None:
        """Lay the table as in a scene and let the box look, if its camera is there."""
        if self._camera_back is not None:
            self.pause(CALM)
            if self.box.clock() < self._camera_back:
                return
            self._camera_back = None
            self.box.on_fault("no-camera", False)
        for sight in self.twin.watch(table):
            self.box.on_sight(sight)
        self.pause(CALM)

    def press(self, *buttons: Button) -> None:
        """Press buttons, calmly."""
        for button in buttons:
            self.pause(CALM)
            self.touch(button)

    def pick(self, wanted: Any) -> None:
        """Reach a move with ◀ ▶ ✔ alone, past whatever the box proposes."""
        if self.box.proposal.clear or self.box.complaint is not None:
            self.press(Button.BACK)
        if self.box.chooser is None:
            self.press(Button.RIGHT)
        assert self.box.chooser is not None
        way = route(self.box.chooser.nodes, wanted)
        if not way:  # the chooser holds only what the eye proposed
            self.press(Button.BACK, Button.BACK, Button.RIGHT)
            way = route(self.box.chooser.nodes, wanted)
        for index in way:
            chooser = self.box.chooser
            assert chooser is not None
            steps = index - chooser.at
            self.press(*[Button.RIGHT if steps > 0 else Button.LEFT] * abs(steps), Button.CONFIRM)

    # Mistakes

    def _err(self) -> Iterator[Step]:
        """Make one of the mistakes people make, and put it right."""
        errors = [self._hand_left, self._bumped, self._taken_and_put_back, self._unplugged]
        if self.power_cut is not None:
            errors.append(self._power_cut)
        if isinstance(self.expected, silencio.State) and self.expected.phase == "turn":
            errors += [self._illegal_card, self._wrong_way_round, self._two_at_once]
        made = self.rng.choice(errors)()
        if made is not None:
            self._errors -= 1
            self.report.mistakes += 1
            yield made
            self._compare()

    def _table(self) -> Scene:
        return scene(self.game.name, self.expected)

    def _show_wrong(self, table: Scene) -> None:
        """Show something wrong, count whether the box explained it, and put it right again."""
        self._show(table)
        self.report.explained += self.box.complaint is not None
        self._show(self._table())

    def _hand_left(self) -> Step | None:
        table = self._table()
        for sight in self.twin.watch(replace(table, hands=((table.width / 2, table.height / 2),))):
            self.box.on_sight(sight)
        self.pause(CALM)
        self._show(table)
        return Step("mistake", Text(N_("leaves a hand over the table")))

    def _bumped(self) -> Step | None:
        table = self._table()
        nudged = tuple(
            card
            if card.card.startswith("marker-")
            else replace(card, x=card.x + self.rng.uniform(-3, 3), y=card.y + self.rng.uniform(-3, 3))
            for card in table.cards
        )
        self._show(replace(table, cards=nudged))
        self._show(table)
        return Step("mistake", Text(N_("bumps into the table")))

    def _taken_and_put_back(self) -> Step | None:
        table = self._table()
        cards = [card for card in table.cards if not card.card.startswith(("marker-", "shrine-"))]
        if not cards:
            return None
        gone = self.rng.choice(cards)
        self._show(replace(table, cards=tuple(card for card in table.cards if card is not gone)))
        self._show(table)
        return Step("mistake", Text(N_("takes a card up and puts it back")))

    def _unplugged(self) -> Step | None:
        if self._camera_back is not None:
            return None
        self._camera_back = self.box.clock() + CAMERA_AWAY
        self.box.on_fault("no-camera", True)
        return Step("mistake", Text(N_("pulls the camera's cable")))

    def _power_cut(self) -> Step | None:
        assert self.power_cut is not None
        self.box = self.power_cut()
        return Step("mistake", Text(N_("pulls the plug, and puts it back")))

    def _laid_wrongly(self, cards: Sequence[str], turned: bool = False) -> Scene | None:
        """The table with cards laid in their rows, as the rules would have them or the other way round."""
        state = self.expected
        for card in cards:
            row = silencio.ROW_OF[card]
            dark = silencio.RANK_OF[card] == self._top(row) + 1
            rows = tuple((*cells, card) if at == row else cells for at, cells in enumerate(state.rows))
            state = replace(state, rows=rows, dark=(*state.dark, card) if dark != turned else state.dark)
        return scene(self.game.name, state)

    def _top(self, row: int) -> int:
        cards = self.expected.rows[row]
        return silencio.RANK_OF[cards[-1]] if cards else 1

    def _hidden(self, climbs: bool) -> list[str]:
        """Cards that could come from a hand and climb, or don't."""
        return [
            card
            for card in self.expected.unseen
            if (silencio.RANK_OF[card] > self._top(silencio.ROW_OF[card])) == climbs
        ]

    def _illegal_card(self) -> Step | None:
        cards = self._hidden(climbs=False)
        if not cards or not self.expected.hands[self.expected.turn]:
            return None
        wrong = self._laid_wrongly([self.rng.choice(cards)])
        assert wrong is not None
        self._show_wrong(wrong)
        return Step("mistake", Text(N_("lays a card that doesn't climb")))

    def _wrong_way_round(self) -> Step | None:
        legal = {move.card for move in self.game.legal(self.expected) if isinstance(move, silencio.Play)}
        cards = [card for card in self._hidden(climbs=True) if card in legal]
        if not cards:
            return None
        wrong = self._laid_wrongly([self.rng.choice(cards)], turned=True)
        assert wrong is not None
        self._show_wrong(wrong)
        return Step("mistake", Text(N_("lays a card the wrong way round")))

    def _two_at_once(self) -> Step | None:
        rows: dict[int, str] = {}
        for card in self._hidden(climbs=True):
            rows.setdefault(silencio.ROW_OF[card], card)
        if len(rows) < 2:
            return None
        wrong = self._laid_wrongly(list(rows.values())[:2])
        assert wrong is not None
        self._show_wrong(wrong)
        return Step("mistake", Text(N_("lays two cards at once")))


def in_a_row(sentences: Sequence[Text]) -> Text:
    """Several sentences as one text."""
    names = [f"s{number}" for number in range(len(sentences))]
    return Text(" ".join(f"{{{name}}}" for name in names), dict(zip(names, sentences, strict=True)))


def route(nodes: tuple[Node, ...], wanted: Any) -> list[int]:
    """The indices that lead to a value in a tree of options."""
    for index, node in enumerate(nodes):
        if node.branches:
            below = route(node.branches, wanted)
            if below:
                return [index, *below]
        elif node.value == wanted:
            return [index]
    return []
