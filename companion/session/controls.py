"""The buttons: what a press means now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.games.game import BadState, IllegalMove, Move
from companion.session.answer_window import AnswerWindow
from companion.session.arming import Arming
from companion.session.believing import Believing
from companion.session.choosing import Choosing
from companion.session.corrections import Corrections
from companion.session.events import EventBus, Flourished, Sounded, SwitchedOff
from companion.session.faults import Faults
from companion.session.follow import Follow
from companion.session.game_observer import GameObserver
from companion.session.game_session import GameSession
from companion.session.holds import HeldAction, Holds
from companion.session.peeking import Peeking
from companion.session.question_texts import NOTHING_CHOSEN, NOTHING_LAID
from companion.session.remarks import Remarks
from companion.session.situation import Hold
from companion.session.teaching import Teaching
from companion.session.what_now import WhatNow
from companion.table.believing import Answered
from companion.table.chooser import Chooser, path_label
from companion.table.doubt import FaceName
from companion.table.knowledge import NOT_YOURS
from companion.table.menu import ENTRIES, REDO, MenuAct, MishapReport, NewGame, Resume
from companion.table.offers import Nearest
from companion.table.proposal import Explanation
from companion.table.setup_progress import is_begun
from companion.text import Text
from hardware import button_signals, flourishes
from hardware.panel import Button


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
        bus: EventBus,
        clock: Callable[[], float],
        draw: Callable[[], None],
    ):
        self.countdown: int | None = None
        self.peeking = Peeking(game)
        self._game = game
        self._follow = follow
        self._corrections = corrections
        self._remarks = remarks
        self._believing = believing
        self._arming = arming
        self._teaching = teaching
        self._bus = bus
        self._draw = draw
        self._choosing = Choosing(game, follow, corrections, teaching)
        self._window = AnswerWindow(game, follow, teaching, clock)
        self._what_now = WhatNow(game, corrections, remarks, faults, bus)
        self._holds = Holds(arming)

    # How the game goes on

    def begin(self) -> None:
        """Forget who has looked at a secret: it was another game's."""
        self.peeking.begin()

    def drop(self) -> None:
        """Close the chooser: what was being picked was for the question before."""
        self._choosing.close()
        self._holds.drop()

    def ask(self) -> None:
        """Start the time of a question that answers itself; every press of a button starts it again."""
        self._window.restart()
        if self._ask_ending():
            self._arming.hold_off()

    def tick(self) -> None:
        """Answer a question whose window is over, unless the table answers it otherwise."""
        answer = self._window.tick()
        if answer is not None:
            self._arming.hold_off()
            self._try(answer)

    @property
    def due(self) -> float | None:
        """When a question answers itself."""
        return self._window.due

    @property
    def chooser(self) -> Chooser | None:
        """What is being picked."""
        return self._choosing.chooser

    @property
    def is_menu(self) -> bool:
        """Whether that is an entry of the menu."""
        return self._choosing.is_menu

    @property
    def hold(self) -> Hold | None:
        """What waits for a hold of ✔."""
        return self._holds.shown

    # Buttons

    def on_signal(self, signal: button_signals.Signal, *, is_present: bool = True) -> None:
        """Do what a button means now; a press on the page is by somebody who isn't present."""
        if not is_present:
            self._arming.release()
        if self._window.due is not None:
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
                self._bus.publish(SwitchedOff())

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
        """Light the option to the left or right; the first press lights the first option, or the last."""
        if self._holds or (self._game.is_private and self.chooser is None):
            return
        if self.chooser is not None:
            self._choosing.step(by, is_run=is_run)
        else:
            self._open_chooser()
            if by < 0 and not self.is_menu:
                self._choosing.step(-1)
        self._draw()

    def _confirm(self) -> None:
        if not self._arming.is_ready or self._holds:
            self._draw()
        elif self.chooser is not None:
            self._pick(self.chooser)
        elif self._game.is_over:
            self.show_menu()
        elif self._ask_ending():
            return
        elif self.peeking.on_confirm():
            self._draw()
        else:
            self._answer()

    def _answer(self) -> None:
        """Take the proposal, as ✔ does without a chooser; where there is none, tell what to do."""
        self._follow.search_to_end()
        if self._follow.proposal.clear_moves:
            self._try(*self._follow.proposal.clear_moves)
            return
        if not self._teaching.read_on():
            self._remarks.note(NOTHING_CHOSEN if self._follow.sight is None else NOTHING_LAID)
        self._draw()
        self._what_now.show_question()

    def _back(self) -> None:
        """Go back one step, as ✖ does; it never decides anything."""
        chooser = self.chooser
        if self._holds:
            self._holds.drop()
            self._draw()
        elif chooser is not None and (above := chooser.leave()) is not None:
            self._choosing.show(above)
            self._draw()
        elif chooser is not None and not self._choosing.is_naming:
            if self._game.is_running:
                self._choosing.close()
                self._follow.explain()
            self._draw()
        elif self._game.is_running:
            self._take_back()

    def _take_back(self) -> None:
        """Take back what ✖ finds without a chooser: a card in question, a proposal, a complaint, or the last step."""
        proposal = self._follow.proposal
        if self._corrections.doubt is not None and (self._remarks.complaint is None or self._choosing.is_naming):
            self._follow.dismiss_card()
            self._choosing.show(None)
            self.judge()
        elif proposal.found or self._remarks.complaint is not None:
            self._follow.dismiss_proposal()
            self._remarks.take_back()
            self._draw()
        elif not self._game.undo():
            self._bus.publish(Flourished(flourishes.REFUSED))

    def judge(self) -> None:
        """Explain the table anew, unless the menu is open."""
        if self._game.is_running and not self.is_menu:
            self._follow.explain()
            self._draw()

    # The chooser and the menu

    def show_menu(self) -> None:
        """Open the menu on the panel."""
        self._holds.drop()
        self._choosing.open_menu()
        self._draw()

    def _open_chooser(self) -> None:
        if self._game.is_over:
            self.show_menu()
            return
        if not self._ask_ending():
            self._choosing.open_question()

    def _pick(self, chooser: Chooser) -> None:
        deeper = chooser.enter()
        if deeper is not None:
            self._choosing.show(deeper)
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
            case MenuAct(what):
                self.drop()
                self._act(what)
            case MishapReport(move):
                self._try(move)
            case Answered():
                self.believe(value)
            case Nearest():
                assert self._follow.proposal.nearest is not None
                self._try(*self._follow.proposal.nearest.moves)
            case FaceName():
                self._choosing.show(None)
                self._name(value)
            case Explanation():
                self._try(*value.moves)
            case _ if value in self._follow.proposal.asked:
                self._answer_difference(value)
            case _:
                self._try(value)

    def _answer_difference(self, move: Move) -> None:
        """Keep the explanations with this move, in which they differ, and take what is left."""
        self._follow.narrow(move)
        self._take_answered()

    def _take_answered(self) -> None:
        """Take what is left after an answer; ask on, or wait for ✔ where more may have been done that nobody sees."""
        proposal = self._follow.proposal
        if proposal.clear_moves and not proposal.asides:
            self._try(*proposal.clear_moves)
            return
        self._choosing.show(None)
        if proposal.asked:
            self._open_chooser()
        self._draw()

    def _leave_game(self, act: Callable[[], object]) -> None:
        """Go to another game; one that runs and isn't over is left only by a hold."""
        assert self.chooser is not None
        play = self._game.play
        if play is None or play.is_over or not play.moves:
            self.drop()
            act()
        else:
            self._ask_hold(self.chooser.label, act)

    def _resume(self, number: int) -> None:
        if not self._game.resume(number):
            self._bus.publish(Flourished(flourishes.REFUSED))
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
        if not is_own or not host.takes_hold(self._game.public, (move,)):
            return None
        return chooser.label, lambda: self._do(move)

    def _ask_hold(self, label: Text, action: HeldAction) -> None:
        self._holds.ask(label, action)
        self._draw()

    def _ask_ending(self) -> bool:
        """Wait for a hold where what the box would do next ends the game; whether that is so."""
        words = None if self._game.is_over else self._game.last_words
        if words is not None:
            self._ask_hold(words, self._game.finish)
        return words is not None

    def _hold_done(self) -> None:
        """Do what waited for a hold of ✔."""
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
        self._choosing.close()
        try:
            self._choosing.show(
                self._believing.first_question() if answer is None else self._believing.on_answer(answer)
            )
            if self.chooser is None:
                self._believing.believe()
        except BadState as bad:
            self.refuse(IllegalMove(bad.code, bad.reason))
        self._draw()

    def _name(self, name: FaceName) -> None:
        """Name the card that the box asked about; ✔ meant the move too, where it can mean only one."""
        self._follow.name(name)
        self.judge()
        self._take_answered()

    # What comes of it

    def _try(self, *moves: Move) -> None:
        """Make moves that a person confirmed; what ends the game waits for a hold."""
        _, host = self._game.playing()
        if host.takes_hold(self._game.public, moves):
            label = self.chooser.label if self.chooser is not None else self._words(moves)
            self._ask_hold(label, lambda: self._do(*moves))
        else:
            self._do(*moves)

    def _words(self, moves: Sequence[Move]) -> Text:
        _, host = self._game.playing()
        return path_label(pick for move in moves for pick in host.path(self._game.public, move))

    def _do(self, *moves: Move) -> None:
        """Make moves; a refusal is shown and changes nothing."""
        self._choosing.close()
        # What happens then may have a flourish of its own, which takes its place.
        self._bus.publish(Flourished(flourishes.ACCEPTED))
        try:
            self._game.follow(moves)
        except IllegalMove as refusal:
            self.refuse(refusal)

    def follow(self, moves: Sequence[Move]) -> None:
        """Make the moves that a still table shows, without ✔."""
        if moves and self.chooser is None and not self._holds:
            self._try(*moves)

    def refuse(self, refusal: IllegalMove) -> None:
        """Show why something can't be done."""
        _, host = self._game.playing()
        self._remarks.complain(refusal.reason, host.refusal(refusal.code), refusal.code)
        self._bus.publish(Flourished(flourishes.REFUSED))
        self._bus.publish(Sounded("refused"))
        self._draw()

    def what_now(self) -> None:
        """Tell the last thing understood and the pending question again: in light part by part, and in words."""
        if self._game.is_running:
            _, host = self._game.playing()
            self._teaching.see(is_begun=is_begun(host, self._game.public, self._follow.sight))
        self._what_now.tell_fault()
        if not self._game.is_running:
            self.show_menu()
            return
        if not self.is_menu:
            self._what_now.say_last()
        self._what_now.say_question(is_menu=self.is_menu)
        self._draw()
        if not self.is_menu:
            self._what_now.show_question(with_last=True)
