"""The buttons: what a press means now. What it decides is done by `decisions`."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.game import IllegalMove
from companion.session.answer_window import AnswerWindow
from companion.session.arming import Arming
from companion.session.corrections import Corrections
from companion.session.decisions import Decisions
from companion.session.events import EventBus, Flourished, SwitchedOff
from companion.session.faults import Faults
from companion.session.follow import Follow
from companion.session.game_observer import GameObserver
from companion.session.game_session import GameSession
from companion.session.panel_chooser import PanelChooser
from companion.session.peeking import Peeking
from companion.session.question_texts import NOTHING_CHOSEN, NOTHING_LAID
from companion.session.remarks import Remarks
from companion.session.teaching import Teaching
from companion.session.what_now import WhatNow
from companion.table.knowledge import NOT_YOURS
from companion.table.setup_progress import is_begun
from hardware import button_signals, flourishes
from hardware.panel import Button


class Controls(GameObserver):
    """What ◀ ▶ ✔ ✖ mean now. `redraw` is called after each change that can be seen."""

    def __init__(
        self,
        game: GameSession,
        follow: Follow,
        corrections: Corrections,
        remarks: Remarks,
        faults: Faults,
        arming: Arming,
        teaching: Teaching,
        panel_chooser: PanelChooser,
        decisions: Decisions,
        bus: EventBus,
        clock: Callable[[], float],
        redraw: Callable[[], None],
    ):
        self.countdown: int | None = None
        self.peeking = Peeking(game)
        self._game = game
        self._follow = follow
        self._corrections = corrections
        self._remarks = remarks
        self._arming = arming
        self._teaching = teaching
        self._panel_chooser = panel_chooser
        self._decisions = decisions
        self._holds = decisions.holds
        self._bus = bus
        self._redraw = redraw
        self._window = AnswerWindow(game, follow, teaching, clock)
        self._what_now = WhatNow(game, corrections, remarks, faults, bus)

    # How the game goes on

    def on_new_game(self) -> None:
        """Forget who has looked at a secret: it was another game's."""
        self.peeking.forget()

    def on_question_over(self) -> None:
        """Close the chooser: what was being picked was for the question before."""
        self._decisions.close_question()

    def on_question(self) -> None:
        """Start the time of a question that answers itself, and ask for a hold if the game would end."""
        self._window.restart()
        if self._decisions.request_hold_to_end():
            self._arming.disarm()

    def tick(self) -> None:
        """Answer a question whose window is over, unless the table answers it otherwise."""
        answer = self._window.tick()
        if answer is not None:
            self._arming.disarm()
            self._decisions.make(answer)

    @property
    def due(self) -> float | None:
        """When a question answers itself."""
        return self._window.due

    # Buttons

    def on_signal(self, signal: button_signals.Signal, *, is_present: bool = True) -> None:
        """Do what a button means now; a press on the page is by somebody who isn't present."""
        if not is_present:
            self._arming.release()
        if self._window.due is not None:
            self.on_question()
        match signal:
            case button_signals.Press(button):
                self._press(button)
            case button_signals.Run(button):
                self._arrow(-1 if button is Button.LEFT else 1, is_run=True)
            case button_signals.LongPress(Button.CONFIRM):
                if not self._holds:
                    self.what_now()
            case button_signals.LongPress(Button.BACK):
                self._decisions.show_menu()
            case button_signals.Holding():
                self._holds.on_holding(self._decisions.hold_under_light)
                self._redraw()
            case button_signals.LetGo():
                self._holds.let_go()
                self._redraw()
            case button_signals.HeldToEnd():
                self._decisions.complete_hold()
            case button_signals.Countdown(left):
                self.countdown = left
                self._redraw()
            case button_signals.CountdownStopped():
                self.countdown = None
                self._redraw()
            case button_signals.Shutdown():
                self._bus.publish(SwitchedOff())

    def _press(self, button: Button) -> None:
        if self._game.is_private and self._panel_chooser.current is None:
            self._decisions.refuse(IllegalMove("private", NOT_YOURS))
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
        is_open = self._panel_chooser.current is not None
        if self._holds or (self._game.is_private and not is_open):
            return
        if is_open:
            self._panel_chooser.step(by, is_run=is_run)
        else:
            self._decisions.open_chooser()
            if by < 0 and not self._panel_chooser.is_menu:
                self._panel_chooser.step(-1)
        self._redraw()

    def _confirm(self) -> None:
        chooser = self._panel_chooser.current
        if not self._arming.is_ready or self._holds:
            self._redraw()
        elif chooser is not None and (deeper := chooser.enter()) is not None:
            self._panel_chooser.show(deeper)
            self._redraw()
        elif chooser is not None:
            self._decisions.carry_out(chooser.chosen.value)
        elif self._game.is_over:
            self._decisions.show_menu()
        elif self._decisions.request_hold_to_end():
            return
        elif self.peeking.on_confirm():
            self._redraw()
        else:
            self._answer()

    def _answer(self) -> None:
        """Take the proposal, as ✔ does without a chooser; if nothing is proposed, tell what to do."""
        self._follow.search_to_end()
        if self._follow.proposal.accepted_moves:
            self._decisions.make(*self._follow.proposal.accepted_moves)
            return
        if not self._teaching.read_on():
            self._remarks.note(NOTHING_CHOSEN if self._follow.sight is None else NOTHING_LAID)
        self._redraw()
        self._what_now.show_question()

    def _back(self) -> None:
        """Go back one step, as ✖ does; it never decides anything."""
        chooser = self._panel_chooser.current
        if self._holds:
            self._holds.cancel()
            self._redraw()
        elif chooser is not None and (above := chooser.leave()) is not None:
            self._panel_chooser.show(above)
            self._redraw()
        elif chooser is not None and not self._panel_chooser.is_naming:
            if self._game.is_running:
                self._panel_chooser.close()
                self._follow.explain()
            self._redraw()
        elif self._game.is_running:
            self._dismiss_or_undo()

    def _dismiss_or_undo(self) -> None:
        """Drop, as ✖ does without a chooser, a doubt or else a proposal or a complaint; undo if there is none."""
        proposal = self._follow.proposal
        if self._corrections.doubt is not None and (self._remarks.complaint is None or self._panel_chooser.is_naming):
            self._follow.dismiss_card()
            self._panel_chooser.show(None)
            self._decisions.explain_anew()
        elif proposal.explanations or self._remarks.complaint is not None:
            self._follow.dismiss_proposal()
            self._remarks.withdraw_complaint()
            self._redraw()
        elif not self._game.undo():
            self._bus.publish(Flourished(flourishes.REFUSED))

    def what_now(self) -> None:
        """Tell the last thing understood and the pending question again: in light part by part, and in words."""
        if self._game.is_running:
            _, host = self._game.playing()
            self._teaching.see(is_begun=is_begun(host, self._game.public_state, self._follow.sight))
        self._what_now.tell_fault()
        if not self._game.is_running:
            self._decisions.show_menu()
            return
        is_menu = self._panel_chooser.is_menu
        if not is_menu:
            self._what_now.say_last()
        self._what_now.say_question(is_menu=is_menu)
        self._redraw()
        if not is_menu:
            self._what_now.show_question(with_last=True)
