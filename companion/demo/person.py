"""The demo hand: a scripted person who plays whole games through camera and buttons alone, and now and then errs.

The person knows the rules but not the box: it lays cards, looks at the lights and presses buttons. What the box should
make of it is worked out beside it, so that every step can be compared.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from companion.games.game import Decide, Move, Over
from companion.games.notation import write_move
from companion.outputs.front import frame_of
from companion.play import History
from companion.session.session import Session
from companion.table.chooser import Node
from companion.table.explain import shared_moves
from companion.table.host import Host
from companion.table.knowledge import told as known
from companion.table.menu import Act
from companion.table.mistakes import TOLD, refused_tables
from companion.table.scenes import least_moved, moment, scene
from companion.table.sight import Doubt, Name
from companion.table.twin import Twin
from companion.text import N_, Text, raw
from hardware.hands import KEPT, Holding, Kept, LongPress, Press
from hardware.panel import Button, PanelFrame
from vision.simulated import Scene

CALM = 0.6
"""Seconds a calm person leaves between two presses."""
CAMERA_AWAY = 20.0
SERIES = {"grid", "map", "remap"}
"""Questions that several cards answer at once."""
FEW = 4
"""Among so few answers a person looks for one that doesn't end the game."""
SLIPS, ODDITIES = 0.4, 0.08
"""How likely a mistake is before a move that can go wrong by the rules, and before any other."""


class Step(Struct, frozen=True):
    """Something the person did and what the panel showed then; a mistake comes with what the box said about it."""

    kind: str
    text: Text
    frame: PanelFrame
    answer: Text | None = None


class Report(Struct):
    """What came of it. `refusals` are tables that the rules refuse, `explained` those the box gave a reason for."""

    moves: int = 0
    seen: int = 0
    picked: int = 0
    named: int = 0
    refusals: int = 0
    explained: int = 0
    wrong: int = 0
    mistakes: Counter[str] = field(default_factory=Counter)


class Person:
    """Plays one game of a session.

    Without a twin there is no camera, and everything goes by buttons. `lasting` is the chance before each move that the
    camera breaks for good.
    """

    def __init__(
        self,
        session: Session,
        twin: Twin | None,
        rng: random.Random,
        mistakes: int = 0,
        pause: Callable[[float], None] = lambda seconds: None,
        power_cut: Callable[[], Session] | None = None,
        touch: Callable[[Button], None] | None = None,
        hold: Callable[[Button], None] | None = None,
        keep: Callable[[], None] | None = None,
        lasting: float = 0.0,
    ):
        self.session = session
        self.twin = twin
        self.rng = rng
        self.pause = pause
        self.power_cut = power_cut
        self.touch = touch or (lambda button: self.session.on_signal(Press(button)))
        self.hold = hold or (lambda button: self.session.on_signal(LongPress(button)))
        self.keep = keep or self._kept
        self.lasting = lasting
        running = session.shown.running
        assert running is not None
        self.host: Host[Any] = running.host
        self.game = self.host.game
        self.expected = running.history.state
        self.report = Report()
        self._laid = Scene()
        self._made = running.history.number
        self._errors = mistakes
        self._camera_back: float | None = None
        self._peeked = -1

    @property
    def played(self) -> History:
        """What the box has of the game."""
        running = self.session.shown.running
        assert running is not None
        return running.history

    @property
    def frame(self) -> PanelFrame:
        """What the panel shows."""
        return frame_of(self.session.shown)

    @property
    def is_done(self) -> bool:
        """Whether the game is over."""
        return isinstance(self.game.pending(self.expected), Over)

    @property
    def has_camera(self) -> bool:
        """Whether the box sees the table now."""
        return self.twin is not None and self._camera_back is None

    def play_on(self, most: int = 2000) -> Iterator[Step]:
        """Play to the end; yields what is done."""
        self._show(self._table())
        for _ in range(most):
            if self.is_done:
                return
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
        yield Step("hand", in_a_row(told[:3] or [raw(known(self.game, self.expected, moves[-1]))]), self.frame)
        self._make(moves)
        self.report.moves += len(moves)
        if after not in self.played.states[self._made :]:
            self.report.wrong += 1
            raise AssertionError(f"the box is at {self.played.state}, the table at {after}")
        # What goes without saying, and what the box does by itself, has followed.
        self._made, self.expected = self.played.number, self.played.state
        self._show(self._table())

    def _make(self, moves: tuple[Move, ...]) -> None:
        """Confirm what the box proposes, let a window close, or reach the moves with the buttons."""
        self._peek()
        window = self.host.window(self.expected)
        if self.session.shown.is_private:
            for move in moves:  # on the page of the seat, where its hand is
                self.session.do(move)
            return
        if self._named(moves):
            return
        if self._followed(moves):
            self.report.seen += 1
        elif window is not None and moves == (window.move,) and self.rng.random() < 0.5:
            self._wait(window.seconds)
        else:
            self.report.picked += 1
            for move in moves:
                self.pick(move)

    def _followed(self, moves: tuple[Move, ...]) -> bool:
        """Take what the box has understood, if it's what was done; where it asks for a difference, pick an answer."""
        while found := [one for one in self.session.shown.proposal.found if one.moves[: len(moves)] == moves]:
            proposal = self.session.shown.proposal
            if proposal.clear:
                self.press(Button.CONFIRM)
                if self.session.shown.hold is not None:
                    self._kept()
                return True
            wanted = self.rng.choice(found)
            self.press(Button.RIGHT)
            self._choose_node(wanted.moves[shared_moves(proposal.found)])
            if not self.session.shown.proposal.found:
                return True
        return False

    def _named(self, moves: tuple[Move, ...]) -> bool:
        """Name the cards that the box asks about, and wave away what is no move; whether that made the moves."""
        before = self.played.number
        while self.session.shown.doubt is not None and self.played.number == before:
            name = self._lying_at(self.session.shown.doubt)
            if name is None:
                self.press(Button.BACK)
                continue
            self.report.named += 1
            self.press(Button.RIGHT)
            self._choose_node(name)
        if self.played.number == before and self.session.shown.chooser is not None:
            self._followed(moves)  # the name alone left a choice
        return self.played.number > before

    def _lying_at(self, doubt: Doubt) -> Name | None:
        """What the card in question really is, where that is one of the answers."""
        near = min(self._laid.cards, key=lambda card: math.hypot(card.x - doubt.seen.x, card.y - doubt.seen.y))
        return next((name for name in doubt.names if name.card == self.host.table.called(near.card)), None)

    def _peek(self) -> None:
        """Look at what is for one player's eyes: ✔ shows it, ✔ hides it."""
        if self._peeked != self._made and self.host.peek(self.expected) is not None:
            self.press(Button.CONFIRM, Button.CONFIRM)
            self._peeked = self._made

    def _choose(self) -> tuple[Move, ...]:
        """Any legal move but a mishap, as the box asks for it; a whole grid at once where one is laid."""
        step = self.game.pending(self.expected)
        legal = [move for move in self.game.legal(self.expected) if not isinstance(move, self.game.mishaps)]
        asked = set(self.host.answerable(self.expected))
        legal = [move for move in legal if move in asked] or legal
        if not isinstance(step, Decide) and not isinstance(step, Over) and step.ask in SERIES:
            return self._series(step.ask, legal)
        if len(legal) <= FEW and self.rng.random() < 0.8:
            legal = [move for move in legal if not self._ends(move)] or legal
        # A pass or a question declined tells little; people mostly do something.
        eager = [move for move in legal if getattr(move, "card", None) is not None]
        return (self.rng.choice(eager if eager and self.rng.random() < 0.7 else legal),)

    def _ends(self, move: Move) -> bool:
        """Whether a move ends the game, at once or with whatever comes next."""
        after, _ = self.game.apply(self.expected, move)
        if legal := self.game.legal(after):
            after, _ = self.game.apply(after, legal[0])
        return isinstance(self.game.pending(after), Over)

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
        """A state after what the box does without a choice."""
        while (move := self.host.by_itself(state)) is not None:
            state, _ = self.game.apply(state, move)
        return state

    def _compare(self) -> None:
        if self.played.state != self.expected:
            self.report.wrong += 1
            raise AssertionError(f"the box is at {self.played.state}, the table at {self.expected}")

    # Hands

    def _show(self, table: Scene) -> None:
        """Lay the table as in a scene and let the box look, if its camera is there."""
        self._wait(CALM)
        if self._camera_back is not None and self.session.clock() >= self._camera_back:
            self._camera_back = None
            self.session.on_fault("no-camera", False)
        self._laid = least_moved(self.game.name, self._laid, table)
        if self.twin is not None and self._camera_back is None:
            for sight in self.twin.watch(self._laid):
                self.session.on_sight(sight)
            self._let_think()

    def _let_think(self) -> None:
        """Whatever is due by now is done, as by the loop that owns a box: a long search goes on in slices."""
        while (due := self.session.due) is not None and due <= self.session.clock():
            self.session.tick()

    def _wait(self, seconds: float) -> None:
        """Let time pass, for the box too."""
        self.pause(seconds)
        self.session.tick()

    def press(self, *buttons: Button) -> None:
        """Press buttons, calmly."""
        for button in buttons:
            self._wait(CALM)
            self.touch(button)
        if self.session.shown.hold is not None:
            self._wait(CALM)
            self.keep()

    def _kept(self) -> None:
        """Hold ✔ for two seconds."""
        self.session.on_signal(Holding(Button.CONFIRM))
        self.pause(KEPT)
        self.session.on_signal(Kept(Button.CONFIRM))

    def pick(self, wanted: Any) -> None:
        """Reach a move with ◀ ▶ ✔ alone, past whatever the box proposes."""
        while self.session.shown.doubt is not None:
            self.press(Button.BACK)
        if self.session.shown.proposal.clear or self.session.shown.complaint is not None:
            self.press(Button.BACK)
        if self.session.shown.chooser is None:
            self.press(Button.RIGHT)
        assert self.session.shown.chooser is not None
        if not route(self.session.shown.chooser.nodes, wanted):  # the chooser holds only what the eye proposed
            self.press(Button.BACK, Button.BACK, Button.RIGHT)
        self._choose_node(wanted)

    def _choose_node(self, wanted: Any) -> None:
        """Go to a value of the open chooser and take it."""
        chooser = self.session.shown.chooser
        assert chooser is not None
        for index in route(chooser.nodes, wanted):
            assert chooser is not None
            steps = index - chooser.at
            self.press(*[Button.RIGHT if steps > 0 else Button.LEFT] * abs(steps), Button.CONFIRM)
            chooser = self.session.shown.chooser

    # Mistakes

    def _err(self) -> Iterator[Step]:
        """Now and then make one of the mistakes people make, and put it right."""
        if self.has_camera and self.rng.random() < self.lasting:
            yield self._unplugged(for_good=True)
        if not self._errors:
            return
        tables = refused_tables(self.game.name, self.expected, self.rng) if self.has_camera else {}
        if tables and self.rng.random() < SLIPS:
            made: Step | None = self._laid_wrongly(*self.rng.choice(list(tables.items())))
        elif self.rng.random() < ODDITIES:
            made = self.rng.choice(self._oddities())()
        else:
            return
        if made is not None:
            self._errors -= 1
            yield made
            self._compare()

    def _oddities(self) -> list[Callable[[], Step | None]]:
        """Mishaps that have nothing to do with the rules."""
        found: list[Callable[[], Step | None]] = [self._changes_mind]
        if self.power_cut is not None:
            found.append(self._power_cut)
        if self.has_camera:
            found += [self._hand_left, self._bumped, self._taken_and_put_back, self._lamp_out, self._unplugged]
        return found

    def _mistake(self, kind: str, text: str) -> Step:
        self.report.mistakes[kind] += 1
        return Step("mistake", Text(text), self.frame, self.session.shown.complaint)

    def _table(self) -> Scene:
        return scene(self.game.name, self.expected)

    def _laid_wrongly(self, kind: str, table: Scene) -> Step:
        """Lay something that the rules refuse, see whether the box says why, and put it right again."""
        self._show(table)
        is_explained = self.session.shown.complaint is not None
        # What can't be read can't be refused either: it's asked about.
        self.report.refusals += is_explained or not self._is_unread()
        self.report.explained += is_explained
        made = self._mistake(kind, TOLD[kind])
        self._show(self._table())
        return made

    def _is_unread(self) -> bool:
        """Whether something lies there that an eye with doubts can't name."""
        assert self.twin is not None
        has_doubts = self.twin.doubts is not None and any(not seen.card for seen in self.session.recognised.read)
        return has_doubts or self.session.shown.doubt is not None

    def _hand_left(self) -> Step:
        table = self._table()
        self._show(replace(table, hands=((table.width / 2, table.height / 2),)))
        self._show(table)
        return self._mistake("hand left", N_("leaves a hand over the table"))

    def _bumped(self) -> Step:
        table = self._table()
        nudged = tuple(
            card
            if card.card.startswith("marker-")
            else replace(card, x=card.x + self.rng.uniform(-3, 3), y=card.y + self.rng.uniform(-3, 3))
            for card in table.cards
        )
        self._show(replace(table, cards=nudged))
        self._show(table)
        return self._mistake("bumped", N_("bumps into the table"))

    def _taken_and_put_back(self) -> Step | None:
        table = self._table()
        cards = [card for card in table.cards if not card.card.startswith(("marker-", "shrine-"))]
        if not cards:
            return None
        gone = self.rng.choice(cards)
        self._show(replace(table, cards=tuple(card for card in table.cards if card is not gone)))
        self._show(table)
        return self._mistake("put back", N_("takes a card up and puts it back"))

    def _lamp_out(self) -> Step:
        assert self.twin is not None
        for share in (0.5, 1.0):
            self.twin.light(share)
            self._show(self._table())
        return self._mistake("lamp out", N_("turns a lamp off, and on again"))

    def _unplugged(self, for_good: bool = False) -> Step:
        self._camera_back = float("inf") if for_good else self.session.clock() + CAMERA_AWAY
        self.session.on_fault("no-camera", True)
        if for_good:
            return self._mistake("camera broken", N_("breaks the camera: from now on there are only buttons"))
        return self._mistake("camera unplugged", N_("pulls the camera's cable"))

    def _power_cut(self) -> Step:
        assert self.power_cut is not None
        self.session = self.power_cut()
        self._peeked = -1
        if self.twin is not None:
            self.twin.restart()
        if not self.has_camera and self.twin is not None:
            self.session.on_fault("no-camera", True)
        self._show(self._table())
        return self._mistake("power cut", N_("pulls the plug, and puts it back"))

    def _changes_mind(self) -> Step | None:
        """Take the last move back with the menu, and repeat it."""
        if not self.played.moves:
            return None
        for act in ("undo", "redo"):
            self._wait(CALM)
            self.hold(Button.BACK)
            self._choose_node(Act(act))
        self._peeked = -1
        self._show(self._table())
        return self._mistake("undo and redo", N_("takes a move back and repeats it"))


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
