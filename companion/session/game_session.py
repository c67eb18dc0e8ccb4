"""The game on the table: its play, its record on disk, and what the box draws for it.

Nothing outside hears of a move before it is in the record.
"""

from __future__ import annotations

import logging
import random
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from companion.chance import reveal
from companion.games.game import Event, IllegalMove, Move, Over, Reveal
from companion.games.notation import read_move
from companion.journal import Journal
from companion.play import BELIEVED, NothingToUndo, Play, replace_move
from companion.session.events import Began, EventBus, Flourished, Sounded, SoundRule, Spoken, Told
from companion.session.faults import Faults
from companion.session.game_observer import GameObserver
from companion.session.news import News
from companion.session.question_texts import GONE_ON, KEPT, TAKEN_BACK, TAKEN_BACK_THIS, cannot_go_on
from companion.session.recorder import Recorder
from companion.session.remarks import Remarks
from companion.session.situation import Running
from companion.table.host import Cue, Host
from companion.table.knowledge import heard, is_private, knows, public_notation
from companion.table.menu import Unfinished
from companion.text import Text, in_a_row
from hardware import flourishes

# A game whose own moves never end is broken; this many in a row are more than any game makes.
MAX_OWN_MOVES = 1000
# Seconds after which a record that couldn't be written is tried again.
RECORD_RETRY_SECONDS = 5.0
NO_RECORD = "no-record"
log = logging.getLogger(__name__)
T = TypeVar("T")


class GameSession:
    """One game after another at one table. `hosts` are the games one can play."""

    def __init__(
        self,
        hosts: Mapping[str, Host[Any]],
        journal: Journal | None,
        bus: EventBus,
        faults: Faults,
        remarks: Remarks,
        rng: random.Random | None = None,
    ):
        self.hosts = hosts
        self.play: Play | None = None
        self.host: Host[Any] | None = None
        self._journal = journal
        self._bus = bus
        self._faults = faults
        self._remarks = remarks
        self._rng = rng or random.SystemRandom()
        self._recorder: Recorder | None = None
        self.observers: tuple[GameObserver, ...] = ()
        self._sitting = 0
        self._public_view: tuple[Any, Any] = (None, None)
        # What the box drew in a state: after an undo the same cards come again.
        self._drawn: dict[Any, Move] = {}
        self._last_told: Text | None = None
        self._news = News()
        self.ending: Move | None = None
        """The box's own move that would end the game: it waits until somebody holds ✔."""

    # Beginning and going on

    def wake(self) -> bool:
        """Go on with an unfinished game exactly where it was; whether there is one that can."""
        running = self._from_record(lambda journal: journal.running(), None)
        return running is not None and self.resume(running.id)

    def start(self, name: str, chosen: dict[str, Any], seed: int | None = None) -> None:
        """Begin a game."""
        game = self.hosts[name].game
        self.start_at(name, game.new(game.options(**chosen)), seed)

    def start_at(self, name: str, state: Any, seed: int | None = None) -> None:
        """Begin a game from any state, such as a scenario written by hand; one that isn't over is kept, and told of."""
        is_left = self._from_record(lambda journal: journal.has_running_steps(), False)
        host = self.hosts[name]
        play = Play(host.game, state)
        self._sit_down(host, play, Recorder(self._journal, play, seed=seed), KEPT if is_left else None)

    def resume(self, game_id: int) -> bool:
        """Go on with a game of the record. One that can't be read stays there, and the complaint says why."""
        assert self._journal is not None
        try:
            entry = self._journal.entry(game_id)
            host, play = self.hosts[entry.game], self._journal.replay(game_id)
        except Exception as error:  # damage can look like anything, and one game must not end the box
            log.warning("game %d can't be resumed", game_id, exc_info=True)
            self._remarks.complain(cannot_go_on(game_id, error))
            return False
        self._sit_down(host, play, Recorder(self._journal, play, game=game_id, seed=entry.seed))
        return True

    def _sit_down(self, host: Host[Any], play: Play, recorder: Recorder, notice: Text | None = None) -> None:
        self.host, self.play, self._recorder = host, play, recorder
        self._last_told = None
        self._sitting += 1
        self._drawn = {}
        for observer in self.observers:
            observer.on_new_game()
        self._bus.publish(Began(host.game.name, play.state.options))
        self._after_moves(notice=notice)

    @property
    def unfinished(self) -> tuple[Unfinished, ...]:
        """The games that can go on, beside the one that runs."""
        running = self._recorder.game if self._recorder is not None else None
        found: list[Unfinished] = self._from_record(
            lambda journal: [Unfinished(one.id, one.game, journal.length(one.id)) for one in journal.unfinished()], []
        )
        return tuple(one for one in found if one.game_id != running and one.game in self.hosts)

    # Moves

    def do(self, move: Move | str, number: int | None = None) -> tuple[Event, ...]:
        """Make a move on somebody's behalf; with a number it counts only for that state. Raises `IllegalMove`."""
        play, host = self.playing()
        if number is not None and number != play.number:
            raise IllegalMove("stale_state", GONE_ON, host.game.legal(play.state))
        events = play.do(move)
        self._after_moves(events)
        return events

    def follow(self, moves: Sequence[Move]) -> None:
        """Make the moves of one explanation, all or none: one act in the record, which one undo takes back.

        Raises `IllegalMove` and changes nothing if the rules refuse one of them.
        """
        play, _ = self.playing()
        self._after_moves(*play.do_all(moves))

    def believe(self, state: Any) -> None:
        """Go on from a state that was read from the table: a step of its own kind, which undo takes back."""
        play, _ = self.playing()
        play.believe(state, "table")
        self._last_told = BELIEVED
        self._bus.publish(Flourished(flourishes.ACCEPTED))
        self._bus.publish(Told(play.number, "believe", (BELIEVED,)))
        self._after_moves(notice=BELIEVED)

    def undo(self) -> bool:
        """Take back the last decision, with what nature and the box did after it."""
        play, host = self.playing()
        try:
            with play.together():
                play.undo()
                while play.notation and is_the_boxes_move(host, play.state):
                    play.undo()
        except NothingToUndo:
            return False
        self._after_history(flourishes.UNDONE, is_undone=True)
        return True

    def redo(self) -> bool:
        """Repeat what was taken back last."""
        play, host = self.playing()
        try:
            with play.together():
                play.redo()
                while play.undone and is_the_boxes_move(host, play.state):
                    play.redo()
        except NothingToUndo:
            return False
        self._after_history(flourishes.ACCEPTED)
        return True

    @property
    def would_end_again(self) -> bool:
        """Whether repeating what was taken back last ends the game."""
        play, host = self.playing()
        state = play.state
        for step in reversed(play.history.undone):
            if state is not play.state and not (step.is_joined or is_the_boxes_move(host, state)):
                break
            try:
                state, _ = host.game.apply(state, read_move(host.game, step.text))
            except ValueError:
                break
        return state is not play.state and isinstance(host.game.pending(state), Over)

    def correct(self, at: int, move: Move | str) -> tuple[str, ...]:
        """Put another move in the place of an earlier one; returns the later moves that no longer fit.

        Raises `IllegalMove` and changes nothing if the rules refuse the new move there.
        """
        play, _ = self.playing()
        dropped = replace_move(play, at, move)
        self._bus.publish(Flourished(flourishes.ACCEPTED))
        self._after_moves()
        return dropped

    def _after_moves(self, *told: tuple[Event, ...], notice: Text | None = None) -> None:
        """Tell moves that were made, let the box make those that are its own, then put the next question."""
        play, _ = self.playing()
        self._close_question()
        self._news.clear()
        if notice is not None:
            self._remarks.note(notice)
        for number, events in enumerate(told, play.number - len(told) + 1):
            self._announce(events, number)
        for _ in range(MAX_OWN_MOVES):
            if play.is_over:
                break
            move = self._own_move()
            if move is None or self._ends(move):
                break
            self._announce(play.do(move), play.number)
        self._put_question()

    def _own_move(self) -> Move | None:
        """What the box does now without asking: a move without a choice, or a draw."""
        play, host = self.playing()
        move = host.forced_move(play.state)
        if move is None and box_draws(host, play.state):
            move = self._drawn.get(play.state) or reveal(host.game, play.state, self._rng)
            self._drawn[play.state] = move
        return move

    def _ends(self, move: Move) -> bool:
        play, host = self.playing()
        after, _ = host.game.apply(play.state, move)
        return isinstance(host.game.pending(after), Over)

    @property
    def ending_words(self) -> Text | None:
        """What the ending that waits would be told as: that it's one, and then what leads to it."""
        play, host = self.playing()
        if self.ending is None:
            return None
        _, events = host.game.apply(play.state, self.ending)
        said = [host.game.tell(event) for event in heard(events, None)]
        return in_a_row((said[-1], *said[:-1])) if said else None

    def finish(self) -> None:
        """Make the move that ends the game, where one waits."""
        if self.ending is not None:
            self.do(self.ending)

    def _after_history(self, flourish: flourishes.Flourish, *, is_undone: bool = False) -> None:
        self._close_question()
        self._last_told = self._taken_back() if is_undone else None
        for observer in self.observers if is_undone else ():
            observer.on_undo()
        self._bus.publish(Flourished(flourish))
        self._bus.publish(Sounded("undone"))
        self._put_question()

    def _taken_back(self) -> Text:
        """What the decision was told as that has just been taken back."""
        play, host = self.playing()
        step = play.history.undone[-1]
        if step.kind != "move":
            return TAKEN_BACK
        _, events = host.game.apply(play.state, read_move(host.game, step.text))
        said = [host.game.tell(event) for event in heard(events, None)]
        return Text(TAKEN_BACK_THIS, {"what": said[0]}) if said else TAKEN_BACK

    def _close_question(self) -> None:
        for observer in self.observers:
            observer.on_question_over()

    def _put_question(self) -> None:
        """Put the next question: to the record, the sounds, and all who go along."""
        play, host = self.playing()
        move = None if play.is_over else self._own_move()
        self.ending = move if move is not None and self._ends(move) else None
        if self._recorder is not None:
            self._recorder.note_result()
            self._faults.report(NO_RECORD, self._recorder.is_failing)
        self._bus.publish(SoundRule(host.is_silent(self.public_state)))
        for observer in self.observers:
            observer.on_question()

    def _announce(self, events: tuple[Event, ...], number: int) -> None:
        if not events:
            return
        play, host = self.playing()
        told_of = heard(events, None)
        move = public_notation(host.game, play.state_at(number - 1), read_move(host.game, play.notation[number - 1]))
        said = tuple(host.game.tell(one) for one in told_of)
        self._bus.publish(Told(number, move, said))
        kinds = {type(one) for one in told_of}
        for event, text in zip(told_of, said, strict=True):
            cue = host.cue(event)
            if host.echoes.get(type(event)) not in kinds:
                self._news.add(text, is_weighty=cue.is_spoken)
                self._last_told = text
            self._cue(cue, text)

    def _cue(self, cue: Cue, text: Text) -> None:
        if cue.flourish:
            self._bus.publish(Flourished(getattr(flourishes, cue.flourish.upper())))
        if cue.sound:
            self._bus.publish(Sounded(cue.sound))
        if cue.is_spoken:
            self._bus.publish(Spoken(text))

    # The record

    def _from_record(self, read: Callable[[Journal], T], otherwise: T) -> T:
        """What the record says; a disk that can't be read is a fault and stops nothing."""
        if self._journal is None:
            return otherwise
        try:
            return read(self._journal)
        except sqlite3.Error:
            log.warning("the record can't be read", exc_info=True)
            self._faults.report(NO_RECORD, True)
            return otherwise

    def retry_record(self) -> None:
        """Try again to write what couldn't be written."""
        if self._recorder is not None and self._recorder.is_failing:
            self._recorder.retry()
            self._faults.report(NO_RECORD, self._recorder.is_failing)

    @property
    def waits_for_the_disk(self) -> bool:
        """Whether something is still to be written to a record that there is."""
        return self._recorder is not None and self._recorder.is_failing and self._journal is not None

    @property
    def record(self) -> Path | None:
        """Where the record lies, if there is one."""
        return None if self._journal is None else self._journal.path

    # What it is now

    def playing(self) -> tuple[Play, Host[Any]]:
        """The running game. Raises `RuntimeError` where there is none."""
        if self.play is None or self.host is None:
            raise RuntimeError("no game runs")
        return self.play, self.host

    @property
    def number_in_record(self) -> int:
        """The game's number in the record; 0 where it has none."""
        return 0 if self._recorder is None else self._recorder.game or 0

    @property
    def is_running(self) -> bool:
        """Whether there is a game on the table, over or not."""
        return self.play is not None

    @property
    def is_over(self) -> bool:
        """Whether there is no game that goes on."""
        return self.play is None or self.play.is_over

    @property
    def public_state(self) -> Any:
        """The running game as everybody may see it: whatever the box shows, offers and asks is made of this."""
        play, host = self.playing()
        if self._public_view[0] is not play.state:
            self._public_view = (play.state, host.game.view(play.state, None))
        return self._public_view[1]

    @property
    def told(self) -> Text | None:
        """What happened since the question before, in words that everybody may read; of much, what weighs most."""
        return self._news.all if self._news.ends_with(self._last_told) else self._last_told

    @property
    def weighty(self) -> Text | None:
        """What of it stays before people while they pick an answer."""
        return self._news.weighty if self._news.ends_with(self._last_told) else None

    @property
    def last_told(self) -> Text | None:
        """What happened last, in words that everybody may read."""
        return self._last_told

    @property
    def last_public(self) -> tuple[Any, Move] | None:
        """The last move and the state it was made in, if everybody may know it."""
        play, host = self.playing()
        if not play.steps or play.steps[-1].kind == "believe":
            return None
        before, move = play.state_at(play.number - 1), read_move(host.game, play.notation[-1])
        return (host.game.view(before, None), move) if knows(host.game, before, move, None) else None

    @property
    def is_private(self) -> bool:
        """Whether only the phone of the seat that is asked may answer: the box dealt its hand."""
        return self.host is not None and is_private(self.host.game, self.public_state)

    @property
    def question(self) -> Text:
        """The game's question in words."""
        _, host = self.playing()
        return host.game.question(self.public_state)

    @property
    def running(self) -> Running | None:
        """The running game as a value."""
        if self.play is None or self.host is None:
            return None
        number = None if self._recorder is None else self._recorder.game
        return Running(self._sitting, self.host, self.play.history, self.public_state, number)


def box_draws(host: Host[Any], state: Any) -> bool:
    """Whether a card is to be revealed that the box draws itself."""
    return isinstance(host.game.pending(state), Reveal) and host.draws(state)


def is_the_boxes_move(host: Host[Any], state: Any) -> bool:
    """Whether the box moves next, and nobody is asked."""
    return host.forced_move(state) is not None or box_draws(host, state)
