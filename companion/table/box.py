"""The running box: buttons and sights in, moves into the rules, lights and sounds out.

One owner calls it, one call at a time; it has no thread and no clock of its own. `due` says when it next wants to be
woken. Nothing lights up before the move behind it is in the journal.
"""

from __future__ import annotations

import logging
import random
import sqlite3
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec import Struct

from companion.bots.nature import reveal
from companion.games.game import Event, IllegalMove, Move, Reveal
from companion.games.notation import read_move, write_move
from companion.games.text import N_, Text
from companion.journal import Journal
from companion.play import NothingToUndo, Play, replace_move
from companion.table.chooser import Chooser
from companion.table.front import frame_of
from companion.table.host import Cue, Host
from companion.table.knowledge import NOT_YOURS, heard, is_private, told
from companion.table.menu import Act, NewGame, Resume, Unfinished, menu
from companion.table.recorder import Recorder
from companion.table.sight import NOTHING, Doubt, Name, Proposal, Sight, Witness
from companion.table.visitor import EVERY, Visitor
from hardware import flourishes
from hardware.hands import Countdown, CountdownStopped, LongPress, Press, Shutdown, Signal
from hardware.panel import Button, Layer, Panel, PanelFrame
from sounds.box import SoundBox

# A ✔ this soon after the question changed by itself was meant for the old one.
SETTLING = 0.3
REFUSAL_SECONDS = 4.0
FAULT_SECONDS = 4.0
MOST_BY_ITSELF = 1000
KEPT = Text(N_("The game before isn't over: it's kept, and the menu goes on with it."))
# Faults without which the box would see the table: what was seen last says nothing once one of them is there.
BLINDING = frozenset({"no-camera", "no-eye"})
DOUBT = Text(N_("There lies a card that the box can't name. ◀ ▶ show what it can be, ✔ names it, ✖ leaves it."))
log = logging.getLogger(__name__)
T = TypeVar("T")


class Line(Struct, frozen=True):
    """One line of the log: the move it belongs to and what happened, as the shared page may know it."""

    number: int
    move: str
    told: tuple[Text, ...]


class Box:
    """The box beside the game.

    `tell` gets each new log line, `translate` turns texts into the table's language for the voice.
    """

    def __init__(
        self,
        hosts: Mapping[str, Host[Any]],
        panel: Panel,
        sound: SoundBox,
        journal: Journal | None,
        clock: Callable[[], float],
        rng: random.Random | None = None,
        translate: Callable[[Text], str] = str,
        tell: Callable[[Line], None] | None = None,
        shut_down: Callable[[], None] | None = None,
    ):
        self.hosts = hosts
        self.panel = panel
        self.sound = sound
        self.journal = journal
        self.clock = clock
        self.rng = rng or random.SystemRandom()
        self.translate = translate
        self.tell = tell
        self.shut_down = shut_down
        self.drawn: Callable[[], None] | None = None
        self.began: Callable[[str, Any], None] | None = None
        self.host: Host[Any] | None = None
        self.play: Play | None = None
        self.recorder: Recorder | None = None
        self.chooser: Chooser | None = None
        self.is_menu = False
        self.proposal: Proposal = NOTHING
        self.doubt: Doubt | None = None
        self.sight: Sight | None = None
        self.witness = Witness()
        self.complaint: Text | None = None
        self.notice: Text | None = None
        self.has_camera = False
        self.log: list[Line] = []
        self.faults: set[str] = set()
        self.visitor: Visitor | None = None
        self._sign_again = 0.0
        self._dismissed: Proposal | None = None
        self.refusal: Layer | None = None
        self._refusal_ends = 0.0
        self._armed = 0.0
        self._window_ends: float | None = None
        self.fault_shown = ""
        self._fault_ends = 0.0
        self.countdown: int | None = None
        self.is_peeking = False
        self._peeked = -1
        self._seen: tuple[Any, Any] = (None, None)
        self.sound.silence()

    # Starting and resuming

    def open(self) -> None:
        """Wake up: go on with an unfinished game exactly where it was, else show the menu."""
        running = self._from_record(lambda journal: journal.running(), None)
        if running is None or not self.resume(running.id):
            self.show_menu()

    def start(self, name: str, chosen: dict[str, Any], seed: int | None = None) -> None:
        """Begin a game."""
        game = self.hosts[name].game
        self.begin(name, game.new(game.options(**chosen)), seed)

    def begin(self, name: str, state: Any, seed: int | None = None) -> None:
        """Begin a game from any state, such as a scenario written by hand; one that isn't over is kept, and told of."""
        is_left = self._from_record(lambda journal: journal.has_running_steps(), False)
        self.host = self.hosts[name]
        self.play = Play(self.host.game, state)
        self.recorder = Recorder(self.journal, self.play, seed=seed)
        self._begin()
        if is_left:
            self.notice = KEPT
            self._draw()

    def resume(self, number: int) -> bool:
        """Go on with a game of the journal. One that can't be read stays there, and the complaint says why."""
        assert self.journal is not None
        try:
            entry = self.journal.entry(number)
            host, play = self.hosts[entry.game], self.journal.replay(number)
        except Exception as error:  # damage can look like anything, and one game must not end the box
            log.warning("game %d can't be resumed", number, exc_info=True)
            self.complaint = Text(N_("Game {number} can't be gone on with and stays in the record: {reason}"),
                                  {"number": number, "reason": str(error)})  # fmt: skip
            return False
        self.host, self.play = host, play
        self.recorder = Recorder(self.journal, play, game=number, seed=entry.seed)
        self._begin()
        return True

    @property
    def unfinished(self) -> tuple[Unfinished, ...]:
        """The games that can go on, beside the one that runs."""
        running = self.recorder.game if self.recorder is not None else None
        found: list[Unfinished] = self._from_record(
            lambda journal: [Unfinished(one.id, one.game, journal.length(one.id)) for one in journal.unfinished()], []
        )
        return tuple(one for one in found if one.number != running and one.game in self.hosts)

    def _from_record(self, read: Callable[[Journal], T], otherwise: T) -> T:
        """What the record says; a disk that can't be read is a fault and stops nothing."""
        if self.journal is None:
            return otherwise
        try:
            return read(self.journal)
        except sqlite3.Error:
            log.warning("the record can't be read", exc_info=True)
            self.on_fault("no-record", True)
            return otherwise

    def _begin(self) -> None:
        play, host = self._playing()
        self.log.clear()
        self.sight, self.witness = None, Witness()
        if self.began is not None:
            self.began(host.game.name, play.state.options)
        self._settle(())

    def show_menu(self) -> None:
        """The menu on the panel."""
        self.chooser = menu(self.hosts, running=self.play is not None, unfinished=self.unfinished)
        self.is_menu = True
        self._draw()

    # What comes in

    def on_signal(self, signal: Signal, *, is_present: bool = True) -> None:
        """A button was pressed, held, or both arrows were; only somebody present can grant a visitor's wish."""
        if is_present and signal == LongPress(Button.CONFIRM) and self._welcome():
            return
        if not is_present:
            # A press from afar names the question it saw: it can't have been meant for an older one.
            self._armed = 0.0
        if self._window_ends is not None:
            self._open_window()
        if isinstance(signal, Press) and self.is_private and self.chooser is None:
            self.refuse(IllegalMove("private", NOT_YOURS))
            return
        match signal:
            case Press(Button.LEFT):
                self._arrow(-1)
            case Press(Button.RIGHT):
                self._arrow(1)
            case Press(Button.CONFIRM):
                self._confirm()
            case Press(Button.BACK):
                self._back()
            case LongPress(Button.CONFIRM):
                self.what_now()
            case LongPress(Button.BACK):
                self.show_menu()
            case Countdown(left):
                self.countdown = left
                self._draw()
            case CountdownStopped():
                self.countdown = None
                self._draw()
            case Shutdown():
                if self.shut_down is not None:
                    self.shut_down()

    def receive(self, visitor: Visitor | None) -> None:
        """Somebody comes to the door, or has gone."""
        self.visitor = visitor
        self._sign_again = self.clock()
        self._mind_the_door()
        self._draw()

    def _mind_the_door(self) -> None:
        """Show the visitor's sign now and then; one whose time is over is passed by."""
        now, visitor = self.clock(), self.visitor
        if visitor is not None and now >= visitor.ends:
            self.visitor = None
            visitor.pass_by()
        elif visitor is not None and now >= self._sign_again:
            self._sign_again = now + EVERY
            self.panel.flourish(visitor.sign)

    def _welcome(self) -> bool:
        """✔ was held: grant the visitor's wish, if that can have been meant."""
        visitor = self.visitor
        if visitor is None or not visitor.is_granted_by_a_hold(self.clock()):
            return False
        self.visitor = None
        self.panel.flourish(flourishes.ACCEPTED)
        visitor.grant()
        self._draw()
        return True

    def on_sight(self, sight: Sight) -> None:
        """The eye has a settled view of the table, or sees a hand."""
        self.sight = self.witness.take(sight)
        self._judge()

    def amend(self, at: int, card: str, face: str = "") -> None:
        """A person says what a lying card really is, before ✔; the table is judged anew. Raises `LookupError`."""
        self.sight, self._dismissed = self.witness.amend(at, card, face), None
        self._judge()

    def _judge(self) -> None:
        if self.play is None or self.host is None or self.is_menu:
            return
        self._look()
        self._draw()

    def on_fault(self, name: str, is_there: bool) -> None:
        """A device is missing, or is back. Each degrades alone and is shown for a moment."""
        if name == "no-camera":
            self.has_camera = not is_there
        if is_there == (name in self.faults):
            return
        if is_there:
            self.faults.add(name)
            if name in BLINDING:
                # What was seen last says nothing about a table that goes on changing.
                self.sight, self.proposal, self._dismissed = None, NOTHING, None
                self._ask_about(None)
            self.fault_shown, self._fault_ends = name, self.clock() + FAULT_SECONDS
        else:
            self.faults.discard(name)
        self._draw()

    def do(self, move: Move | str, number: int | None = None) -> tuple[Event, ...]:
        """Make a move on somebody's behalf; with a number it counts only for that state. Raises `IllegalMove`."""
        play, host = self._playing()
        if number is not None and number != play.number:
            raise IllegalMove("stale_state", Text(N_("The game has gone on since.")), host.game.legal(play.state))
        events = play.do(move)
        self._settle(events)
        return events

    def undo(self) -> bool:
        """Take back the last decision, with what nature and the box did after it."""
        play, host = self._playing()
        try:
            with play.together():
                play.undo()
                while play.moves and (host.by_itself(play.state) is not None or self._box_draws()):
                    play.undo()
        except NothingToUndo:
            return False
        self._after_history(flourishes.UNDONE)
        return True

    def redo(self) -> bool:
        """Repeat what was taken back last."""
        play, host = self._playing()
        try:
            with play.together():
                play.redo()
                while play.undone and (host.by_itself(play.state) is not None or self._box_draws()):
                    play.redo()
        except NothingToUndo:
            return False
        self._after_history(flourishes.ACCEPTED)
        return True

    def correct(self, at: int, move: Move | str) -> tuple[str, ...]:
        """Put another move in the place of an earlier one; returns the later moves that no longer fit.

        Raises `IllegalMove` and changes nothing if the rules refuse the new move there.
        """
        play, _ = self._playing()
        dropped = replace_move(play, at, move)
        self.log = [line for line in self.log if line.number < at]
        self.panel.flourish(flourishes.ACCEPTED)
        self._settle(())
        return dropped

    def tick(self) -> None:
        """Time has passed: windows close, patterns end, what couldn't be written is tried again."""
        now = self.clock()
        if self._window_ends is not None and now >= self._window_ends:
            self._close_window()
        self._mind_the_door()
        if self.recorder is not None and self.recorder.is_failing:
            self.recorder.retry()
            self.on_fault("no-record", self.recorder.is_failing)
        self._draw()

    @property
    def due(self) -> float | None:
        """When `tick` wants to be called next; None while nothing changes by itself."""
        times: list[float | None] = [self._window_ends]
        if self.refusal is not None:
            times.append(self._refusal_ends)
        if self.fault_shown:
            times.append(self._fault_ends)
        if self.visitor is not None:
            times += [self.visitor.ends, self._sign_again]
        if self.recorder is not None and self.recorder.is_failing and self.recorder.journal is not None:
            times.append(self.clock() + 5.0)
        known = [time for time in times if time is not None]
        return min(known) if known else None

    # Buttons

    def _arrow(self, by: int) -> None:
        if self.chooser is None:
            self._open_chooser()
        else:
            self.chooser = self.chooser.step(by)
        self._draw()

    def _confirm(self) -> None:
        if self.clock() < self._armed:
            self._draw()
            return
        if self.chooser is not None:
            self._pick(self.chooser)
            return
        if self.play is None or self.host is None or self.play.is_over:
            self.show_menu()
            return
        if self._peeking():
            return
        move = self._confirmed_move()
        if self.proposal.clear:
            self._try(*self.proposal.clear)
        elif move is not None and self.doubt is None:
            self._try(move)
        else:
            self._open_chooser()
            self._draw()

    def _confirmed_move(self) -> Move | None:
        """What ✔ does at once: the proposal, a plain yes, or the only thing that can be done."""
        _, host = self._playing()
        if self.proposal.moves:
            return None
        if (yes := host.buttons(self.public).confirm) is not None:
            return yes
        legal = [move for move in host.game.conceivable(self.public) if not isinstance(move, host.game.mishaps)]
        return legal[0] if len(legal) == 1 else None

    def _back(self) -> None:
        if self.chooser is not None and (above := self.chooser.leave()) is not None:
            self.chooser = above
            self._draw()
            return
        if self.chooser is not None and not self._is_naming:
            if self.play is not None:
                self.chooser, self.is_menu = None, False
                self._look()
            self._draw()
            return
        if self.play is None or self.host is None:
            return
        if self.doubt is not None and (self.complaint is None or self._is_naming):
            self.sight = self.witness.wave(self.doubt.seen)
            self.chooser, self.doubt = None, None
            self._judge()
            return
        if self.proposal.moves or self.proposal.series or self.complaint is not None:
            self._dismissed = self.proposal
            self.proposal, self.complaint, self.refusal = NOTHING, None, None
            self._draw()
            return
        no = self.host.buttons(self.public).back
        if no is not None:
            self._try(no)
        elif not self.undo():
            self.panel.flourish(flourishes.REFUSED)

    def _pick(self, chooser: Chooser) -> None:
        deeper = chooser.enter()
        if deeper is not None:
            self.chooser = deeper
            self._draw()
            return
        value, was_menu = chooser.chosen.value, self.is_menu
        self.chooser, self.is_menu = None, False
        match value:
            case NewGame(name, chosen) if was_menu:
                self.start(name, chosen)
            case Act(what) if was_menu:
                self._act(what)
            case Resume(number) if was_menu:
                if not self.resume(number):
                    self.panel.flourish(flourishes.REFUSED)
                    self.show_menu()
            case Name():
                self._name(value)
            case _:
                self._try(value)

    def _act(self, what: str) -> None:
        if what == "undo":
            self.undo()
        elif what == "redo":
            self.redo()
        else:
            self._judge()
        self._draw()

    def _open_chooser(self) -> None:
        if self.play is None or self.host is None or self.play.is_over:
            self.show_menu()
            return
        if self.doubt is not None:
            self.chooser = Chooser(self.host.names(self.doubt))
        elif len(self.proposal.moves) > 1:
            self.chooser = Chooser(tuple(self.host.choices(self.public, self.proposal.moves)))
        else:
            self.chooser = Chooser(self.host.options(self.public))

    @property
    def _is_naming(self) -> bool:
        """Whether the chooser is about the name of a card."""
        return self.chooser is not None and isinstance(self.chooser.first, Name)

    def _name(self, name: Name) -> None:
        """Somebody has named the card that the box asked about; ✔ meant the move too, where it can mean only one."""
        assert self.doubt is not None
        at, self.doubt = self.witness.at(self.doubt.seen), None
        self.amend(at, name.card, name.face)
        if len(self.proposal.moves) == 1:
            self._try(*self.proposal.moves)
        elif self.proposal.moves:
            self._open_chooser()
            self._draw()

    def _ask_about(self, doubt: Doubt | None) -> None:
        """Another card without a name is in question, or none is; who was naming the last one must look again."""
        is_same = doubt is self.doubt if doubt is None else doubt.is_about(self.doubt)
        if not is_same:
            self._armed = self.clock() + SETTLING
            self.chooser = None if self._is_naming else self.chooser
        self.doubt = doubt

    # Moves

    def _try(self, *moves: Move) -> None:
        """Make moves that a person confirmed; a refusal is shown and changes nothing."""
        try:
            for move in moves:
                self.do(move)
        except IllegalMove as refusal:
            self.refuse(refusal)

    def _peeking(self) -> bool:
        """One player alone is shown something: ✔ shows it, ✔ hides it for good."""
        play, host = self._playing()
        if self._peeked == play.number or host.peek(play.state) is None:
            return False
        if self.is_peeking:
            self._peeked = play.number
        self.is_peeking = not self.is_peeking
        self._draw()
        return True

    def refuse(self, refusal: IllegalMove) -> None:
        """Show why something can't be done."""
        _, host = self._playing()
        self.complaint = refusal.reason
        self.refusal, self._refusal_ends = host.refusal(refusal.code), self.clock() + REFUSAL_SECONDS
        self.panel.flourish(flourishes.REFUSED)
        self._cue(Cue(sound="refused"))
        self._draw()

    def _settle(self, events: tuple[Event, ...]) -> None:
        """After a move: tell it, let the box do what is its own, then ask the next question."""
        play, host = self._playing()
        self.is_menu, self.chooser = False, None
        self.proposal, self.complaint, self.refusal, self._dismissed = NOTHING, None, None, None
        self.doubt, self.notice = None, None
        self._announce(events)
        for _ in range(MOST_BY_ITSELF):
            if play.is_over:
                break
            move = host.by_itself(play.state)
            if move is None and self._box_draws():
                move = reveal(host.game, play.state, self.rng)
            if move is None:
                break
            self._announce(play.do(move))
        self._ask()

    def _box_draws(self) -> bool:
        play, host = self._playing()
        return isinstance(play.pending, Reveal) and host.draws(play.state)

    def _ask(self) -> None:
        """The next question stands: silence, windows, record, and another look at the table."""
        _, host = self._playing()
        if self.recorder is not None:
            self.recorder.note_result()
            self.on_fault("no-record", self.recorder.is_failing)
        if host.is_silent(self.public):
            self.sound.silence()
        else:
            self.sound.allow()
        self._open_window()
        if self.sight is not None:
            self._look()
        self._draw()

    def _open_window(self) -> None:
        """A question that answers itself has its time from now; whoever presses a button gets all of it again."""
        play, host = self._playing()
        window = None if play.is_over else host.window(self.public)
        self._window_ends = None if window is None else self.clock() + window.seconds

    def _close_window(self) -> None:
        _, host = self._playing()
        window = host.window(self.public)
        self._window_ends = None
        if window is not None:
            self._armed = self.clock() + SETTLING
            self._try(window.move)

    def _after_history(self, flourish: flourishes.Flourish) -> None:
        play, _ = self._playing()
        self.log = [line for line in self.log if line.number <= play.number]
        self.is_menu, self.chooser = False, None
        self.proposal, self.complaint, self.refusal, self._dismissed = NOTHING, None, None, None
        self.doubt = None
        self.panel.flourish(flourish)
        self._cue(Cue(sound="undone"))
        self._ask()

    def _look(self) -> None:
        """Ask the host what the table means now."""
        play, host = self._playing()
        if self.sight is None or self.sight.is_busy or play.is_over or self.is_private:
            return
        before = self.proposal
        found = host.propose(self.public, self.sight)
        self._ask_about(host.doubt(self.public, self.sight) if found == NOTHING else None)
        if found == self._dismissed:
            return
        self._dismissed = None
        self.proposal = found
        if found != before:
            self._armed = self.clock() + SETTLING
            if found.complaint is not None:
                self.complaint = found.complaint
                self.refusal, self._refusal_ends = host.refusal(found.code), self.clock() + REFUSAL_SECONDS
            elif self.complaint is not None:
                self.complaint, self.refusal = None, None

    # What goes out

    def _announce(self, events: tuple[Event, ...]) -> None:
        play, host = self._playing()
        if not events:
            return
        told_of = heard(events, None)
        move = told(host.game, play.state_at(play.number - 1), read_move(host.game, play.moves[-1]))
        line = Line(play.number, move, tuple(host.game.tell(one) for one in told_of))
        self.log.append(line)
        if self.tell is not None:
            self.tell(line)
        for event in told_of:
            self._cue(host.cue(event), host.game.tell(event))

    def _cue(self, cue: Cue, text: Text | None = None) -> None:
        if cue.flourish:
            self.panel.flourish(getattr(flourishes, cue.flourish.upper()))
        if cue.sound:
            self.sound.cue(cue.sound)
        if cue.is_spoken and text is not None:
            self.sound.say(self.translate(text))

    def what_now(self) -> None:
        """Show and say the pending question again."""
        self.refusal = None
        if self.faults:
            self.fault_shown, self._fault_ends = sorted(self.faults)[0], self.clock() + FAULT_SECONDS
        if self.play is None:
            self.show_menu()
            return
        self.sound.say(self.translate(self.question if self.doubt is None else DOUBT))
        self._draw()

    @property
    def question(self) -> Text:
        """The pending question in words."""
        if self.is_menu or self.play is None or self.host is None:
            return Text(N_("Choose a game."))
        return self.host.game.question(self.public)

    @property
    def public(self) -> Any:
        """The running game as everybody may see it: whatever the box shows, offers and asks is made of this."""
        play, host = self._playing()
        if self._seen[0] is not play.state:
            self._seen = (play.state, host.game.view(play.state, None))
        return self._seen[1]

    @property
    def is_private(self) -> bool:
        """Whether only the phone of the seat that is asked may answer: the box dealt its hand."""
        return self.play is not None and self.host is not None and is_private(self.host.game, self.public)

    @property
    def remark(self) -> Text | None:
        """What the box has to say: a complaint, that a card has no name, or a notice."""
        if self.complaint is not None:
            return self.complaint
        return DOUBT if self.doubt is not None else self.notice

    @property
    def offered(self) -> Text | None:
        """What ✔ would do now, in words."""
        if self.chooser is not None:
            return self.chooser.label
        if self.proposal.clear:
            return Text(N_("{move}?"), {"move": ", ".join(write_move(move) for move in self.proposal.clear)})
        return None

    @property
    def frame(self) -> PanelFrame:
        """What the panel shows now."""
        return frame_of(self)

    @property
    def open_frame(self) -> PanelFrame:
        """What the panel shows now, without what is for one player's eyes alone: for twins that everybody sees."""
        return frame_of(self, is_open=True)

    def _draw(self) -> None:
        now = self.clock()
        if self.refusal is not None and now >= self._refusal_ends:
            self.refusal = None
        if self.fault_shown and now >= self._fault_ends:
            self.fault_shown = ""
        self.panel.show(self.frame)
        if self.drawn is not None:
            self.drawn()

    def _playing(self) -> tuple[Play, Host[Any]]:
        if self.play is None or self.host is None:
            raise RuntimeError("no game runs")
        return self.play, self.host
