"""A game in progress: its states, its steps, undo and redo. Who keeps it on disk is told of each step first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from msgspec import Struct

from companion.games.game import BadState, Event, Game, IllegalMove, Move, Over, Step
from companion.games.notation import read_move, read_state, write_move, write_state
from companion.text import N_, Text

Kind = Literal["move", "undo", "redo", "believe"]


class HistoryStep(Struct, frozen=True, gc=False):
    """One thing that was done: a move, a state that people say is so, or an undo or redo of these.

    `is_joined` means that it belongs to the step before it: both are undone and redone together. `reason` says why
    a state was believed.
    """

    kind: Kind
    text: str
    is_joined: bool = False
    reason: str = ""


BELIEVED = Text(N_("The table is taken as it lies."))
Keep = Callable[[Sequence[HistoryStep]], None]
Events = tuple[Event, ...]


class NothingToUndo(LookupError):
    """There is no move to take back, or none to repeat."""


class History(Struct, frozen=True):
    """A play as it was at one moment: every state from the first to the last, and the steps between them."""

    game: Game[Any]
    states: tuple[Any, ...]
    steps: tuple[HistoryStep, ...]
    undone: tuple[HistoryStep, ...] = ()

    @property
    def state(self) -> Any:
        """The last state."""
        return self.states[-1]

    @property
    def number(self) -> int:
        """How many steps led to it."""
        return len(self.steps)

    @property
    def notation(self) -> tuple[str, ...]:
        """The steps as text; a believed state stands as the state's own line."""
        return tuple(step.text for step in self.steps)

    @property
    def pending(self) -> Step:
        """Whose move it is."""
        return self.game.pending(self.state)

    @property
    def is_over(self) -> bool:
        """Whether the game had ended."""
        return isinstance(self.pending, Over)


class Play:
    """One game from its first move to now.

    >>> from companion.games import GAMES
    >>> game = GAMES["silencio"]
    >>> play = Play(game, game.new(game.options(players=2, driver="table")))
    >>> play.do("show r4"), play.undo(), play.redo()
    ((OracleShown(card='r4'),), ('show r4',), ('show r4',))

    An act is one or more steps that are written, undone and redone together. Whoever keeps the play is called with the
    steps of an act before anybody sees the result, so that a record is on disk first; if it raises, nothing has
    happened. The recorder raises nothing: what the disk can't take waits in memory.
    """

    def __init__(self, game: Game[Any], start: Any):
        self.game = game
        self._keep: Keep | None = None
        self._states = [start]
        self._done: list[HistoryStep] = []
        self._undone: list[HistoryStep] = []
        self._unkept: list[HistoryStep] | None = None

    def kept_by(self, keep: Keep) -> None:
        """Tell each act to the one who writes it down first. Raises `RuntimeError` if it has one already."""
        if self._keep is not None:
            raise RuntimeError("this play is kept already")
        self._keep = keep

    @property
    def history(self) -> History:
        """All of it as a value."""
        return History(self.game, tuple(self._states), tuple(self._done), tuple(self._undone))

    @property
    def state(self) -> Any:
        """The state now."""
        return self._states[-1]

    @property
    def number(self) -> int:
        """How many steps led here. A confirmation names it, so that a late one can't confirm something else."""
        return len(self._done)

    @property
    def steps(self) -> tuple[HistoryStep, ...]:
        """The steps that led here: moves, and states that were believed."""
        return tuple(self._done)

    @property
    def notation(self) -> tuple[str, ...]:
        """The steps that led here, as text; a believed state stands as the state's own line."""
        return tuple(step.text for step in self._done)

    @property
    def undone(self) -> tuple[str, ...]:
        """The steps that `redo` would repeat, next one last."""
        return tuple(step.text for step in self._undone)

    @property
    def pending(self) -> Step:
        """Whose move it is."""
        return self.game.pending(self.state)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return isinstance(self.pending, Over)

    def state_at(self, number: int) -> Any:
        """The state after that many steps."""
        return self._states[number]

    @contextmanager
    def together(self) -> Iterator[None]:
        """Everything done inside is kept in one go at the end; if that or anything inside fails, nothing happened."""
        if self._unkept is not None:
            yield
            return
        before = (list(self._states), list(self._done), list(self._undone))
        self._unkept = []
        try:
            yield
            if self._keep is not None and self._unkept:
                self._keep(tuple(self._unkept))
        except BaseException:
            self._states, self._done, self._undone = before
            raise
        finally:
            self._unkept = None

    def do(self, move: Move | str, *, is_joined: bool = False) -> tuple[Event, ...]:
        """Make a move. Raises `IllegalMove` and changes nothing if the rules refuse it."""
        if isinstance(move, str):
            move = read_move(self.game, move)
        state, events = self.game.apply(self.state, move)
        self._add(HistoryStep("move", write_move(move), is_joined), state)
        return events

    def do_all(self, moves: Sequence[Move | str]) -> tuple[tuple[Event, ...], ...]:
        """Make moves that belong together: all or none, and one `undo` takes all of them back."""
        with self.together():
            return tuple(self.do(move, is_joined=at > 0) for at, move in enumerate(moves))

    def believe(self, state: Any, reason: str) -> None:
        """Go on from a state that people say is so, because `reason`; it can be undone like a move.

        Raises `BadState` for one of another game or other options.
        """
        if type(state) is not type(self.state) or state.options != self.state.options:
            raise BadState("other_game", Text(N_("This state is of another game, or has other options.")))
        self._add(HistoryStep("believe", write_state(self.game, state), reason=reason), state)

    def undo(self) -> tuple[str, ...]:
        """Take the last step back, with those it is joined to; returns them, last one first."""
        if not self._done:
            raise NothingToUndo
        with self.together():
            taken = [self._undo_step()]
            while taken[-1].is_joined and self._done:
                taken.append(self._undo_step())
        return tuple(step.text for step in taken)

    def redo(self) -> tuple[str, ...]:
        """Repeat what `undo` took back last; returns it in its order."""
        if not self._undone:
            raise NothingToUndo
        with self.together():
            repeated = [self._redo_step()]
            while self._undone and self._undone[-1].is_joined:
                repeated.append(self._redo_step())
        return tuple(step.text for step in repeated)

    def undo_to(self, number: int) -> None:
        """Take back every step after so many, whatever it is joined to."""
        with self.together():
            while self.number > number:
                self._undo_step()

    def repeat(self, step: HistoryStep) -> None:
        """Do one step of a record; an undo or redo in a record is of one step alone."""
        if step.kind == "move":
            self.do(step.text, is_joined=step.is_joined)
        elif step.kind == "believe":
            self.believe(read_state(self.game, step.text), step.reason)
        elif step.kind == "undo":
            if not self._done:
                raise NothingToUndo
            self.undo_to(self.number - 1)
        elif not self._undone:
            raise NothingToUndo
        else:
            with self.together():
                self._redo_step()

    def _add(self, step: HistoryStep, state: Any) -> None:
        with self.together():
            self._note(step)
            self._states.append(state)
            self._done.append(step)
            self._undone.clear()

    def _undo_step(self) -> HistoryStep:
        step = self._done[-1]
        self._note(HistoryStep("undo", step.text))
        self._states.pop()
        self._undone.append(self._done.pop())
        return step

    def _redo_step(self) -> HistoryStep:
        step = self._undone[-1]
        if step.kind == "believe":
            state = read_state(self.game, step.text)
        else:
            state, _ = self.game.apply(self.state, read_move(self.game, step.text))
        self._note(HistoryStep("redo", step.text))
        self._states.append(state)
        self._done.append(self._undone.pop())
        return step

    def _note(self, step: HistoryStep) -> None:
        assert self._unkept is not None
        self._unkept.append(step)


def tell_step(history: History, number: int, heard: Callable[[Events], Events]) -> tuple[Text, ...]:
    """What step `number` did, in words; `heard` leaves out of its events what the reader may not know."""
    step = history.steps[number - 1]
    if step.kind == "believe":
        return (BELIEVED,)
    _, events = history.game.apply(history.states[number - 1], read_move(history.game, step.text))
    return tuple(history.game.tell(event) for event in heard(events))


def replace_move(play: Play, at: int, move: Move | str) -> tuple[str, ...]:
    """Put another move in the place of step number `at` and repeat what still fits; returns what doesn't.

    Later steps are repeated up to the first that the rules refuse. All of it is one act: it happens or it doesn't.
    Raises `IllegalMove` and leaves everything as it was if the new move itself is refused, `LookupError` if there is
    no such step.
    """
    if not 1 <= at <= play.number:
        raise LookupError(at)
    replaced, *later = play.steps[at - 1 :]
    with play.together():
        play.undo_to(at - 1)
        play.do(move, is_joined=replaced.is_joined)
        while later:
            try:
                play.repeat(later[0])
            except IllegalMove:
                break
            later.pop(0)
    return tuple(step.text for step in later)
