"""The buttons: what a press means now, the chooser and the menu, and questions that answer themselves after a while."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from companion.games.game import IllegalMove, Move
from companion.session.arming import Arming
from companion.session.attendant import Attendant
from companion.session.corrections import Corrections
from companion.session.events import Events, Flourished, Sounded, Spoken, SwitchedOff
from companion.session.faults import Faults
from companion.session.follow import Follow
from companion.session.game_session import GameSession
from companion.session.questions import CHOOSE_A_GAME, DOUBT
from companion.session.remarks import Remarks
from companion.table.chooser import Chooser, Node, Pick
from companion.table.knowledge import NOT_YOURS
from companion.table.menu import Act, NewGame, Resume, menu
from companion.table.sight import Name
from companion.text import N_, Text
from hardware import flourishes
from hardware.hands import Countdown, CountdownStopped, LongPress, Press, Shutdown, Signal
from hardware.panel import Button, Layer


class Whole(Struct, frozen=True):
    """All of what was understood is taken, or only what shows: the player isn't done yet."""

    is_open: bool


ALL_OR_OPEN = (
    Node(Pick("whole", Text(N_("all of it"))), value=Whole(False)),
    Node(Pick("open", Text(N_("not done yet"))), value=Whole(True)),
)


class Controls(Attendant):
    """What is picked with ◀ ▶ ✔ ✖. `draw` is called after each change that can be seen."""

    def __init__(
        self,
        game: GameSession,
        follow: Follow,
        corrections: Corrections,
        remarks: Remarks,
        faults: Faults,
        arming: Arming,
        events: Events,
        clock: Callable[[], float],
        draw: Callable[[], None],
    ):
        self.is_menu = False
        self.countdown: int | None = None
        self.is_peeking = False
        self._game = game
        self._follow = follow
        self._corrections = corrections
        self._remarks = remarks
        self._faults = faults
        self._arming = arming
        self._events = events
        self._clock = clock
        self._draw = draw
        self._chooser: Chooser | None = None
        self._about = 0
        self._peeked = -1
        self._window_ends: float | None = None

    # How the game goes on

    def begin(self) -> None:
        """Nobody has looked at a secret of this game yet."""
        self.is_peeking, self._peeked = False, -1

    def drop(self) -> None:
        """What was being picked was for the question before."""
        self._chooser, self.is_menu = None, False

    def ask(self) -> None:
        """A question that answers itself has its time from now; whoever presses a button gets all of it again."""
        _, host = self._game.playing()
        window = None if self._game.is_over else host.window(self._game.public)
        self._window_ends = None if window is None else self._clock() + window.seconds

    def tick(self) -> None:
        """Time has passed: a question whose window is over answers itself."""
        if self._window_ends is None or self._clock() < self._window_ends:
            return
        _, host = self._game.playing()
        window = host.window(self._game.public)
        self._window_ends = None
        if window is not None:
            self._arming.hold_off()
            self._try(window.move)

    @property
    def due(self) -> float | None:
        """When a question answers itself."""
        return self._window_ends

    @property
    def chooser(self) -> Chooser | None:
        """What is being picked; the name of a card only while the box still asks about that card."""
        if self._is_naming and self._about != self._corrections.asked:
            self._chooser = None
        return self._chooser

    @property
    def _is_naming(self) -> bool:
        """Whether the chooser is about the name of a card."""
        return self._chooser is not None and isinstance(self._chooser.first, Name)

    @property
    def secret(self) -> Layer | None:
        """What one player alone is being shown."""
        if not self.is_peeking or not self._game.is_running:
            return None
        play, host = self._game.playing()
        return host.peek(play.state)

    # Buttons

    def on_signal(self, signal: Signal, *, is_present: bool = True) -> None:
        """A button was pressed, held, or both arrows were; a press on the page is by somebody who isn't present."""
        if not is_present:
            self._arming.release()
        if self._window_ends is not None:
            self.ask()
        if isinstance(signal, Press):
            self._press(signal.button)
            return
        match signal:
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
                self._events.publish(SwitchedOff())

    def _press(self, button: Button) -> None:
        if self._game.is_private and self.chooser is None:
            self.refuse(IllegalMove("private", NOT_YOURS))
            return
        match button:
            case Button.LEFT:
                self._arrow(-1)
            case Button.RIGHT:
                self._arrow(1)
            case Button.CONFIRM:
                self._confirm()
            case Button.BACK:
                self._back()

    def _arrow(self, by: int) -> None:
        if self.chooser is None:
            self._open_chooser()
        else:
            self._chooser = self.chooser.step(by)
        self._draw()

    def _confirm(self) -> None:
        if not self._arming.is_ready:
            self._draw()
        elif self.chooser is not None:
            self._pick(self.chooser)
        elif self._game.is_over:
            self.show_menu()
        elif not self._peeks():
            self._answer()

    def _answer(self) -> None:
        """✔ without a chooser: what is clear is done at once, else the chooser opens."""
        self._follow.finish()
        move = self._confirmed_move()
        if self._follow.proposal.clear:
            self._try(*self._follow.proposal.clear)
        elif move is not None and self._corrections.doubt is None:
            self._try(move)
        else:
            self._open_chooser()
            self._draw()

    def _confirmed_move(self) -> Move | None:
        """What ✔ does at once where nothing is proposed: a plain yes, or the only thing that can be done."""
        _, host = self._game.playing()
        if self._follow.proposal.moves:
            return None
        if (yes := host.buttons(self._game.public).confirm) is not None:
            return yes
        legal = [move for move in host.game.conceivable(self._game.public) if not isinstance(move, host.game.mishaps)]
        return legal[0] if len(legal) == 1 else None

    def _back(self) -> None:
        chooser = self.chooser
        if chooser is not None and (above := chooser.leave()) is not None:
            self._chooser = above
            self._draw()
        elif chooser is not None and not self._is_naming:
            if self._game.is_running:
                self._chooser, self.is_menu = None, False
                self._follow.look()
            self._draw()
        elif self._game.is_running:
            self._decline()

    def _decline(self) -> None:
        """✖ with nothing to leave: no to the card in question, to what the eye proposes, to the question; else undo."""
        _, host = self._game.playing()
        proposal = self._follow.proposal
        if self._corrections.doubt is not None and (self._remarks.complaint is None or self._is_naming):
            self._follow.wave()
            self._chooser = None
            self.judge()
        elif proposal.found or self._remarks.complaint is not None:
            self._follow.dismiss()
            self._remarks.take_back()
            self._draw()
        elif (no := host.buttons(self._game.public).back) is not None:
            self._try(no)
        elif not self._game.undo():
            self._events.publish(Flourished(flourishes.REFUSED))

    def judge(self) -> None:
        """Another table, or another word about it: see what it means, unless the menu is open."""
        if self._game.is_running and not self.is_menu:
            self._follow.look()
            self._draw()

    # The chooser and the menu

    def show_menu(self) -> None:
        """The menu on the panel."""
        self._chooser = menu(self._game.hosts, running=self._game.is_running, unfinished=self._game.unfinished)
        self.is_menu = True
        self._draw()

    def _open_chooser(self) -> None:
        if self._game.is_over:
            self.show_menu()
            return
        _, host = self._game.playing()
        self._follow.finish()
        public, proposal, doubt = self._game.public, self._follow.proposal, self._corrections.doubt
        if doubt is not None:
            self._chooser, self._about = Chooser(host.names(doubt)), self._corrections.asked
        elif proposal.asked:
            self._chooser = Chooser(tuple(host.choices(proposal.at, proposal.asked)))
        elif proposal.open is not None:
            self._chooser = Chooser(ALL_OR_OPEN)
        else:
            self._chooser = Chooser(host.options(public))

    def _pick(self, chooser: Chooser) -> None:
        deeper = chooser.enter()
        if deeper is not None:
            self._chooser = deeper
            self._draw()
            return
        value, was_menu = chooser.chosen.value, self.is_menu
        self._chooser, self.is_menu = None, False
        match value:
            case NewGame(name, chosen) if was_menu:
                self._game.start(name, chosen)
            case Act(what) if was_menu:
                self._act(what)
            case Resume(number) if was_menu:
                if not self._game.resume(number):
                    self._events.publish(Flourished(flourishes.REFUSED))
                    self.show_menu()
            case Name():
                self._name(value)
            case Whole(is_open):
                found = self._follow.proposal.open if is_open else None
                self._try(*(self._follow.proposal.clear if found is None else found.moves))
            case _ if value in self._follow.proposal.asked:
                self._answer_difference(value)
            case _:
                self._try(value)

    def _answer_difference(self, move: Move) -> None:
        """One of several explanations was picked by the move in which they differ."""
        self._follow.narrow(move)
        if self._follow.proposal.clear:
            self._try(*self._follow.proposal.clear)
        else:
            self._open_chooser()
            self._draw()

    def _act(self, what: str) -> None:
        if what == "undo":
            self._game.undo()
        elif what == "redo":
            self._game.redo()
        else:
            self.judge()
        self._draw()

    def _name(self, name: Name) -> None:
        """Somebody has named the card that the box asked about; ✔ meant the move too, where it can mean only one."""
        self._follow.name(name)
        self.judge()
        if self._follow.proposal.clear:
            self._try(*self._follow.proposal.clear)
        elif self._follow.proposal.asked:
            self._open_chooser()
            self._draw()

    # What comes of it

    def _try(self, *moves: Move) -> None:
        """Make moves that a person confirmed; a refusal is shown and changes nothing."""
        try:
            self._game.follow(moves)
        except IllegalMove as refusal:
            self.refuse(refusal)

    def follow(self, moves: Sequence[Move]) -> None:
        """What a still table shows is done without ✔."""
        if moves and self.chooser is None:
            self._try(*moves)

    def refuse(self, refusal: IllegalMove) -> None:
        """Show why something can't be done."""
        _, host = self._game.playing()
        self._remarks.complain(refusal.reason, host.refusal(refusal.code))
        self._events.publish(Flourished(flourishes.REFUSED))
        self._events.publish(Sounded("refused"))
        self._draw()

    def _peeks(self) -> bool:
        """One player alone is shown something: ✔ shows it, ✔ hides it for good."""
        play, host = self._game.playing()
        if self._peeked == play.number or host.peek(play.state) is None:
            return False
        if self.is_peeking:
            self._peeked = play.number
        self.is_peeking = not self.is_peeking
        self._draw()
        return True

    def what_now(self) -> None:
        """Show and say the pending question again."""
        self._remarks.darken()
        self._faults.remind()
        if not self._game.is_running:
            self.show_menu()
            return
        question = CHOOSE_A_GAME if self.is_menu else self._game.question
        self._events.publish(Spoken(question if self._corrections.doubt is None else DOUBT))
        self._draw()
