"""A game in progress: its states, its moves, undo and redo. Who keeps it on disk is told of each step first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from companion.games.game import Event, Game, IllegalMove, Move, Over, Step
from companion.games.notation import read_move, write_move

Kind = Literal["move", "undo", "redo"]
Keep = Callable[[Kind, str], None]


class NothingToUndo(LookupError):
    """There is no move to take back, or none to repeat."""


class Play:
    """One game from its first move to now.

    >>> from companion.games import GAMES
    >>> game = GAMES["silencio"]
    >>> play = Play(game, game.new(game.options(players=2, driver="table")))
    >>> play.do("show r4"), play.undo(), play.redo()
    ((OracleShown(card='r4'),), 'show r4', 'show r4')

    `keep` is called with each step before it takes effect, so that a record is on disk before anybody sees
    the result; if it fails, the step hasn't happened.
    """

    def __init__(self, game: Game[Any], start: Any, keep: Keep | None = None):
        self.game = game
        self.keep = keep
        self._states = [start]
        self._moves: list[str] = []
        self._undone: list[str] = []

    def copy(self) -> Play:
        """The same game at the same place; what is done to one of them doesn't touch the other."""
        same = Play(self.game, self._states[0], self.keep)
        same._states, same._moves, same._undone = list(self._states), list(self._moves), list(self._undone)
        return same

    @property
    def state(self) -> Any:
        """The state now."""
        return self._states[-1]

    @property
    def number(self) -> int:
        """How many moves led here. A confirmation names it, so that a late one can't confirm something else."""
        return len(self._moves)

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that led here, in notation."""
        return tuple(self._moves)

    @property
    def undone(self) -> tuple[str, ...]:
        """The moves that `redo` would repeat, next one last."""
        return tuple(self._undone)

    @property
    def pending(self) -> Step:
        """Whose move it is."""
        return self.game.pending(self.state)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return isinstance(self.pending, Over)

    def state_at(self, number: int) -> Any:
        """The state after that many moves."""
        return self._states[number]

    def do(self, move: Move | str) -> tuple[Event, ...]:
        """Make a move. Raises `IllegalMove` and changes nothing if the rules refuse it."""
        if isinstance(move, str):
            move = read_move(self.game, move)
        state, events = self.game.apply(self.state, move)
        text = write_move(move)
        self._note("move", text)
        self._states.append(state)
        self._moves.append(text)
        self._undone.clear()
        return events

    def undo(self) -> str:
        """Take the last move back; returns it."""
        if not self._moves:
            raise NothingToUndo
        self._note("undo", self._moves[-1])
        self._states.pop()
        self._undone.append(self._moves.pop())
        return self._undone[-1]

    def redo(self) -> str:
        """Repeat the move that was taken back last; returns it."""
        if not self._undone:
            raise NothingToUndo
        text = self._undone[-1]
        state, _ = self.game.apply(self.state, read_move(self.game, text))
        self._note("redo", text)
        self._states.append(state)
        self._moves.append(self._undone.pop())
        return text

    def repeat(self, kind: Kind, text: str) -> None:
        """Repeat a step from a record, without keeping it again."""
        keep, self.keep = self.keep, None
        try:
            if kind == "move":
                self.do(text)
            elif kind == "undo":
                self.undo()
            else:
                self.redo()
        finally:
            self.keep = keep

    def _note(self, kind: Kind, text: str) -> None:
        if self.keep is not None:
            self.keep(kind, text)


def replace_move(play: Play, at: int, move: Move | str) -> tuple[str, ...]:
    """Put another move in the place of move number `at` and repeat what still fits; returns what doesn't.

    Later moves are repeated up to the first that the rules refuse. Raises `IllegalMove` and leaves everything as it
    was if the new move itself is refused, `LookupError` if there is no such move.
    """
    if not 1 <= at <= play.number:
        raise LookupError(at)
    if isinstance(move, str):
        move = read_move(play.game, move)
    play.game.apply(play.state_at(at - 1), move)
    later = list(play.moves[at:])
    while play.number >= at:
        play.undo()
    play.do(move)
    while later:
        try:
            play.do(later[0])
        except IllegalMove:
            break
        later.pop(0)
    return tuple(later)
