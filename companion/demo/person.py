"""A person without a plan: plays whole games by any legal moves, through camera and buttons alone, and errs at times.

Tests and benchmarks play so; the demo has a script (`ScriptPlayer`). What the box should make of it is worked out
beside it, so that every step can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.demo.box_user import DemoStep
from companion.demo.clumsy import Clumsy
from companion.demo.words import sentences
from companion.games.game import Decide, Move, Over
from companion.games.notation import write_move
from companion.table.proposing import shared_moves
from companion.table.scenes import mid_move, scene
from companion.text import in_a_row
from hardware.panel import Button
from vision.simulated import Scene

SERIES = {"grid", "map", "remap"}
"""Questions that several cards answer at once."""
FEW_ANSWERS = 4
"""Among so few answers a person looks for one that doesn't end the game."""


class RandomPerson(Clumsy):
    """Plays one game of a session at random."""

    _made = 0

    def table(self) -> Scene:
        """The table as the box should have it."""
        return scene(self.game.name, self.expected)

    @property
    def is_done(self) -> bool:
        """Whether the game is over."""
        return isinstance(self.game.pending(self.expected), Over)

    def play_on(self, most: int = 2000) -> Iterator[DemoStep]:
        """Play to the end; yields what is done."""
        self._made = self.played.number
        self.lay_table(self.table())
        for _ in range(most):
            self.grant()  # what the box draws may end the game
            self._made, self.expected = self.played.number, self.played.state
            if self.is_done:
                return
            yield from self.err()
            yield from self._move()

    # Moves

    def _move(self) -> Iterator[DemoStep]:
        moves = self._choose()
        after, told = self.expected, []
        for move in moves:
            before = after
            after, events = self.game.apply(before, move)
            told += sentences(self.host, before, move, events)
        self.lay_table(mid_move(self.game.name, self.expected, moves[-1], self._steady(after)))
        yield DemoStep("hand", in_a_row(told[:3]), self.frame)
        self._make(moves)
        self.report.moves += len(moves)
        self.compare(after in self.played.states[self._made :] and after, after)
        # What goes without saying, and what the box does by itself, has followed.
        self.expected = self.played.state
        self.lay_table(self.table())

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
            self.wait(window.seconds)
        else:
            self.report.picked += 1
            for move in moves:
                self.pick(move)

    def _followed(self, moves: tuple[Move, ...]) -> bool:
        """Take what the box has understood, if it's what was done; where it asks for a difference, pick an answer."""
        while found := [one for one in self.session.shown.proposal.explanations if one.moves[: len(moves)] == moves]:
            proposal = self.session.shown.proposal
            if proposal.accepted_moves:
                self.press(Button.CONFIRM)
                return True
            shared = shared_moves(proposal.explanations)
            longer = [one for one in found if len(one.moves) > shared]
            if not longer:
                return False
            self.press(Button.RIGHT)
            self.pick_in_chooser(self.rng.choice(longer).moves[shared])
            if not self.session.shown.proposal.explanations:
                return True
        return False

    def _named(self, moves: tuple[Move, ...]) -> bool:
        """Name the cards that the box asks about, and wave away what is no move; whether that made the moves."""
        before = self.played.number
        self.name_cards()
        if self.played.number == before and self.session.shown.chooser is not None:
            self._followed(moves)  # the name alone left a choice
        return self.played.number > before

    def _peek(self) -> None:
        """Look at what is for one player's eyes: ✔ shows it, ✔ hides it."""
        if self.peeked != self._made and self.host.peek(self.expected) is not None:
            self.press(Button.CONFIRM, Button.CONFIRM)
            self.peeked = self._made

    def _choose(self) -> tuple[Move, ...]:
        """Any legal move but a mishap, as the box asks for it; a whole grid at once where one is laid."""
        step = self.game.pending(self.expected)
        legal = [move for move in self.game.legal(self.expected) if not isinstance(move, self.game.mishaps)]
        asked = set(self.host.answerable(self.expected))
        legal = [move for move in legal if move in asked] or legal
        if not isinstance(step, Decide) and not isinstance(step, Over) and step.ask in SERIES:
            return self._series(step.ask, legal)
        if len(legal) <= FEW_ANSWERS and self.rng.random() < 0.8:
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
        while (move := self.host.forced_move(state)) is not None:
            state, _ = self.game.apply(state, move)
        return state
