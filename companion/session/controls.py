"""The buttons: what a press means now, the chooser and the menu, and questions that answer themselves after a while."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.games.game import BadState, IllegalMove, Move
from companion.session.arming import Arming
from companion.session.believing import Believing
from companion.session.corrections import Corrections
from companion.session.events import AskedAgain, Events, Flourished, Sounded, Spoken, SwitchedOff
from companion.session.faults import Faults
from companion.session.follow import Follow
from companion.session.game_observer import GameObserver
from companion.session.game_session import GameSession
from companion.session.holds import HeldAction, Holds
from companion.session.question_texts import CHOOSE_A_GAME, DOUBT, NOTHING_CHOSEN, NOTHING_LAID
from companion.session.remarks import Remarks
from companion.session.situation import Hold
from companion.session.teaching import Teaching
from companion.table.believing import Answered
from companion.table.chooser import Chooser, Pick, path_label
from companion.table.doubt import FaceName
from companion.table.knowledge import NOT_YOURS
from companion.table.menu import ENTRIES, REDO, Act, NewGame, Report, Resume, menu
from companion.table.offers import WAYS_OUT, Nearest, alternatives
from companion.table.proposal import Explanation
from companion.table.refusing import PARTED
from companion.table.retelling import retold
from companion.text import Text
from hardware import button_signals, flourishes
from hardware.panel import Button, Layer


class Controls(GameObserver):
    """What is picked with ◀ ▶ ✔ ✖. `draw` is called after each change that can be seen."""

    def __init__(
        self,
        game: GameSession,
        follow: Follow,
        corrections: Corrections,
        remarks: Remarks,
        faults: Faults,
        believing: Believing,
        arming: Arming,
        teaching: Teaching,
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
        self._believing = believing
        self._arming = arming
        self._teaching = teaching
        self._events = events
        self._clock = clock
        self._draw = draw
        self._chooser: Chooser | None = None
        self._about, self._peeked = 0, -1
        self._window_ends: float | None = None
        self._holds = Holds(arming)

    # How the game goes on

    def begin(self) -> None:
        """Nobody has looked at a secret of this game yet."""
        self.is_peeking, self._peeked = False, -1

    def drop(self) -> None:
        """What was being picked was for the question before."""
        self._chooser, self.is_menu = None, False
        self._holds.drop()

    def ask(self) -> None:
        """Start the time of a question that answers itself; every press of a button starts it again."""
        _, host = self._game.playing()
        window = None if self._game.is_over else host.window(self._game.public)
        self._window_ends = None if window is None else self._clock() + window.seconds
        if self._ask_ending():
            self._arming.hold_off()

    def tick(self) -> None:
        """Time has passed: a question whose window is over answers itself, unless the table answers it otherwise."""
        if self._window_ends is None or self._clock() < self._window_ends:
            return
        window, self._window_ends = self._game.playing()[1].window(self._game.public), None
        is_waiting = window is not None and window.waits_for_learners and self._teaching.has_taught
        if window is not None and (self._follow.has_more or is_waiting):
            self._window_ends = self._clock() + window.seconds
        elif window is not None:
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
        return self._chooser is not None and isinstance(self._chooser.first, FaceName)

    @property
    def secret(self) -> Layer | None:
        """What one player alone is being shown."""
        if not self.is_peeking or not self._game.is_running:
            return None
        play, host = self._game.playing()
        return host.peek(play.state)

    @property
    def hold(self) -> Hold | None:
        """What waits for two seconds of ✔."""
        return self._holds.shown

    # Buttons

    def on_signal(self, signal: button_signals.Signal, *, is_present: bool = True) -> None:
        """A button was pressed, held, or both arrows were; a press on the page is by somebody who isn't present."""
        if not is_present:
            self._arming.release()
        if self._window_ends is not None:
            self.ask()
        match signal:
            case button_signals.Press(button):
                self._press(button)
            case button_signals.Run(button):
                self._arrow(-1 if button is Button.LEFT else 1, is_run=True)
            case button_signals.LongPress(Button.CONFIRM):
                if not self._holds:
                    self.what_now()
            case button_signals.LongPress(Button.BACK):
                self.show_menu()
            case button_signals.Holding():
                self._holds.on_holding(self._lit)
                self._draw()
            case button_signals.LetGo():
                self._holds.let_go()
                self._draw()
            case button_signals.HeldToEnd():
                self._hold_done()
            case button_signals.Countdown(left):
                self.countdown = left
                self._draw()
            case button_signals.CountdownStopped():
                self.countdown = None
                self._draw()
            case button_signals.Shutdown():
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

    def _arrow(self, by: int, *, is_run: bool = False) -> None:
        """An option to the left or right; the first press lights the first option, or the last."""
        if self._holds or (self._game.is_private and self.chooser is None):
            return
        chooser = self.chooser
        if chooser is not None:
            self._chooser = chooser.run(by) if is_run else chooser.step(by)
        else:
            self._open_chooser()
            if by < 0 and self._chooser is not None and not self.is_menu:
                self._chooser = self._chooser.step(-1)
        self._draw()

    def _confirm(self) -> None:
        if not self._arming.is_ready or self._holds:
            self._draw()
        elif self.chooser is not None:
            self._pick(self.chooser)
        elif self._game.is_over:
            self.show_menu()
        elif not self._ask_ending() and not self._peeks():
            self._answer()

    def _answer(self) -> None:
        """✔ without a chooser takes the proposal and decides nothing else; then it's told what to do."""
        self._follow.finish()
        if self._follow.proposal.clear_moves:
            self._try(*self._follow.proposal.clear_moves)
            return
        self._remarks.note(NOTHING_CHOSEN if self._follow.sight is None else NOTHING_LAID)
        self._draw()
        self._tell_question()

    def _back(self) -> None:
        """✖ goes back one step, and never decides anything."""
        chooser = self.chooser
        if self._holds:
            self._holds.drop()
            self._draw()
        elif chooser is not None and (above := chooser.leave()) is not None:
            self._chooser = above
            self._draw()
        elif chooser is not None and not self._is_naming:
            if self._game.is_running:
                self._chooser, self.is_menu = None, False
                self._follow.explain()
            self._draw()
        elif self._game.is_running:
            self._take_back()

    def _take_back(self) -> None:
        """✖ with nothing to leave: the card in question, what the eye proposes, a complaint; else the last step."""
        proposal = self._follow.proposal
        if self._corrections.doubt is not None and (self._remarks.complaint is None or self._is_naming):
            self._follow.wave()
            self._chooser = None
            self.judge()
        elif proposal.found or self._remarks.complaint is not None:
            self._follow.dismiss()
            self._remarks.take_back()
            self._draw()
        elif not self._game.undo():
            self._events.publish(Flourished(flourishes.REFUSED))

    def judge(self) -> None:
        """The table or a correction changed: explain it anew, unless the menu is open."""
        if self._game.is_running and not self.is_menu:
            self._follow.explain()
            self._draw()

    # The chooser and the menu

    def show_menu(self) -> None:
        """The menu on the panel."""
        self._holds.drop()
        self._chooser = menu(
            self._game.hosts,
            running=self._game.is_running,
            unfinished=self._game.unfinished,
            reports=self._reports(),
            is_taught=self._game.is_running and not self._teaching.is_known,
            can_believe=not self._game.is_over and not self._game.is_private and self._follow.sight is not None,
        )
        self.is_menu = True
        self._draw()

    def _reports(self) -> list[tuple[tuple[Pick, ...], Move]]:
        """What can have gone wrong, where a game goes on and its players may answer on the panel."""
        if self._game.is_over or self._game.is_private:
            return []
        _, host = self._game.playing()
        public = self._game.public
        return [(tuple(host.path(public, move)), move) for move in host.reports(public)]

    def _open_chooser(self) -> None:
        if self._game.is_over:
            self.show_menu()
            return
        if self._ask_ending():
            return
        _, host = self._game.playing()
        self._follow.finish()
        public, proposal, doubt = self._game.public, self._follow.proposal, self._corrections.doubt
        if doubt is not None:
            self._chooser, self._about = Chooser(host.names(doubt)), self._corrections.asked
        elif proposal.asked:
            self._chooser = Chooser(host.options(proposal.at, proposal.asked))
        elif proposal.without_end is not None or proposal.hidden:
            self._chooser = Chooser(alternatives(host, public, proposal))
        elif proposal.code == PARTED:
            self._chooser = Chooser(WAYS_OUT[proposal.nearest is None :])
        elif nodes := host.options(public):
            self._chooser = Chooser(nodes)

    def _pick(self, chooser: Chooser) -> None:
        deeper = chooser.enter()
        if deeper is not None:
            self._chooser = deeper
            self._draw()
            return
        self.choose(chooser.chosen.value)

    def choose(self, value: Any) -> None:
        """Do what an option stands for."""
        match value:
            case NewGame(name, chosen):
                self._leave_game(lambda: self._game.start(name, chosen))
            case Resume(number):
                self._leave_game(lambda: self._resume(number))
            case Act(what):
                self.drop()
                self._act(what)
            case Report(move):
                self._try(move)
            case Answered():
                self.believe(value)
            case Nearest():
                assert self._follow.proposal.nearest is not None
                self._try(*self._follow.proposal.nearest.moves)
            case FaceName():
                self._chooser = None
                self._name(value)
            case Explanation():
                self._try(*value.moves)
            case _ if value in self._follow.proposal.asked:
                self._answer_difference(value)
            case _:
                self._try(value)

    def _answer_difference(self, move: Move) -> None:
        """One of several explanations was picked by the move in which they differ."""
        self._follow.narrow(move)
        self._take_answered()

    def _take_answered(self) -> None:
        """Take what is left after an answer; ask on, or wait for ✔ where more may have been done that nobody sees."""
        proposal = self._follow.proposal
        if proposal.clear_moves and not proposal.hidden:
            self._try(*proposal.clear_moves)
            return
        self._chooser = None
        if proposal.asked:
            self._open_chooser()
        self._draw()

    def _leave_game(self, act: Callable[[], object]) -> None:
        """Another game: one that runs and isn't over is left only by a hold."""
        assert self._chooser is not None
        play = self._game.play
        if play is None or play.is_over or not play.moves:
            self.drop()
            act()
        else:
            self._ask_hold(self._chooser.label, act)

    def _resume(self, number: int) -> None:
        if not self._game.resume(number):
            self._events.publish(Flourished(flourishes.REFUSED))
            self.show_menu()

    # Holds

    @property
    def _lit(self) -> tuple[Text, HeldAction] | None:
        """What the option under the light would do, where it takes a hold."""
        chooser = self.chooser
        if chooser is None or self.is_menu or chooser.chosen.branches or not self._arming.is_ready:
            return None
        (_, host), move = self._game.playing(), chooser.chosen.value
        is_own = isinstance(move, Move) and move not in self._follow.proposal.asked
        return (chooser.label, lambda: self._do(move)) if is_own and host.is_held(self._game.public, (move,)) else None

    def _ask_hold(self, label: Text, action: HeldAction) -> None:
        self._holds.ask(label, action)
        self._draw()

    def _ask_ending(self) -> bool:
        """What the box would do next ends the game: it waits for a hold; whether that is so."""
        words = None if self._game.is_over else self._game.last_words
        if words is not None:
            self._ask_hold(words, self._game.finish)
        return words is not None

    def _hold_done(self) -> None:
        """✔ was held for two seconds."""
        action = self._holds.complete()
        if action is not None:
            self.drop()
            action()

    def _act(self, what: str) -> None:
        if what == "undo":
            self._game.undo()
        elif what == "believe":
            self.believe()
        elif what == "know":
            self._teaching.skip()
        elif what == "redo" and self._game.would_end_again:
            self._ask_hold(Text(ENTRIES[REDO]), self._game.redo)
            return
        elif what == "redo":
            self._game.redo()
        else:
            self.judge()
        self._draw()

    def believe(self, answer: Answered | None = None) -> None:
        """Take the table as it lies, once all that no camera sees is answered; ✖ takes it back."""
        self._chooser, self.is_menu = None, False
        try:
            self._chooser = self._believing.first_question() if answer is None else self._believing.on_answer(answer)
            if self._chooser is None:
                self._believing.believe()
        except BadState as bad:
            self.refuse(IllegalMove(bad.code, bad.reason))
        self._draw()

    def _name(self, name: FaceName) -> None:
        """Somebody has named the card that the box asked about; ✔ meant the move too, where it can mean only one."""
        self._follow.name(name)
        self.judge()
        self._take_answered()

    # What comes of it

    def _try(self, *moves: Move) -> None:
        """Make moves that a person confirmed; what ends the game waits for a hold."""
        _, host = self._game.playing()
        if host.is_held(self._game.public, moves):
            label = self._chooser.label if self._chooser is not None else self._words(moves)
            self._ask_hold(label, lambda: self._do(*moves))
        else:
            self._do(*moves)

    def _words(self, moves: Sequence[Move]) -> Text:
        _, host = self._game.playing()
        return path_label(pick for move in moves for pick in host.path(self._game.public, move))

    def _do(self, *moves: Move) -> None:
        """Make moves; a refusal is shown and changes nothing."""
        self._chooser, self.is_menu = None, False
        # What happens then may have a flourish of its own, which takes its place.
        self._events.publish(Flourished(flourishes.ACCEPTED))
        try:
            self._game.follow(moves)
        except IllegalMove as refusal:
            self.refuse(refusal)

    def follow(self, moves: Sequence[Move]) -> None:
        """What a still table shows is done without ✔."""
        if moves and self.chooser is None and not self._holds:
            self._try(*moves)

    def refuse(self, refusal: IllegalMove) -> None:
        """Show why something can't be done."""
        _, host = self._game.playing()
        self._remarks.complain(refusal.reason, host.refusal(refusal.code), refusal.code)
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
        """Tell the last thing understood and the pending question again: in light part by part, and in words."""
        self._events.publish(AskedAgain())
        self._remarks.darken()
        self._faults.remind()
        if not self._game.is_running:
            self.show_menu()
            return
        last = self._game.last_told
        if last is not None and not self.is_menu:
            self._remarks.note(last)
            self._events.publish(Spoken(last))
        question = CHOOSE_A_GAME if self.is_menu else self._game.question
        self._events.publish(Spoken(question if self._corrections.doubt is None else DOUBT))
        self._draw()
        if not self.is_menu:
            self._tell_question(with_last=True)

    def _tell_question(self, *, with_last: bool = False) -> None:
        """The pending question in light, slowly; first what was understood last."""
        play, host = self._game.playing()
        if play.is_over:
            return
        last = self._game.last_public if with_last else None
        self._events.publish(Flourished(retold(host, self._game.public, last)))
