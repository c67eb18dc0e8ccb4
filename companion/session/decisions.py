"""Does what people decided: a picked option, a proposal, the table as it lies. What is final waits for a hold of ✔."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from companion.games.game import BadState, IllegalMove, Move
from companion.session.arming import Arming
from companion.session.believing import Believing
from companion.session.events import EventBus, Flourished, Sounded
from companion.session.follow import Follow
from companion.session.game_session import GameSession
from companion.session.holds import HeldAction, Holds
from companion.session.panel_chooser import PanelChooser
from companion.session.remarks import Remarks
from companion.session.teaching import Teaching
from companion.table.chooser import path_label
from companion.table.doubt import FaceName
from companion.table.menu import ENTRIES, REDO, MenuAct, MishapReport, NewGame, Resume
from companion.table.offers import NearestMoves
from companion.table.proposal import Explanation
from companion.table.state_from_table import Answered
from companion.text import Text
from hardware import flourishes


class Decisions:
    """Does what was decided, by a button or on a phone. `redraw` is called after each change that can be seen."""

    def __init__(
        self,
        game: GameSession,
        follow: Follow,
        remarks: Remarks,
        believing: Believing,
        arming: Arming,
        teaching: Teaching,
        panel_chooser: PanelChooser,
        bus: EventBus,
        redraw: Callable[[], None],
    ):
        self.holds = Holds(arming)
        self._game = game
        self._follow = follow
        self._remarks = remarks
        self._believing = believing
        self._arming = arming
        self._teaching = teaching
        self._panel_chooser = panel_chooser
        self._bus = bus
        self._redraw = redraw

    # The chooser and the menu

    def close_question(self) -> None:
        """Close the chooser and forget what waits for a hold: both were for the question before."""
        self._panel_chooser.close()
        self.holds.cancel()

    def show_menu(self) -> None:
        """Open the menu on the panel."""
        self.holds.cancel()
        self._panel_chooser.open_menu()
        self._redraw()

    def open_chooser(self) -> None:
        """Open the chooser for the pending question; the menu where the game is over."""
        if self._game.is_over:
            self.show_menu()
        elif not self.request_hold_to_end():
            self._panel_chooser.open_question()

    def carry_out(self, value: Any) -> None:
        """Do what an option stands for."""
        match value:
            case NewGame(name, chosen):
                self._leave_game(lambda: self._game.start(name, chosen))
            case Resume(game_id):
                self._leave_game(lambda: self._resume(game_id))
            case MenuAct():
                self.close_question()
                self._act(value)
            case MishapReport(move):
                self.make(move)
            case Answered():
                self.believe(value)
            case NearestMoves():
                assert self._follow.proposal.nearest is not None
                self.make(*self._follow.proposal.nearest.moves)
            case FaceName():
                self._panel_chooser.show(None)
                self._name(value)
            case Explanation():
                self.make(*value.moves)
            case _ if value in self._follow.proposal.asked:
                self._follow.on_answer(value)
                self._take_answered()
            case _:
                self.make(value)

    def _take_answered(self) -> None:
        """Take what is left after an answer; ask on, or wait for ✔ if an unseen aside is possible."""
        proposal = self._follow.proposal
        if proposal.accepted_moves and not proposal.asides:
            self.make(*proposal.accepted_moves)
            return
        self._panel_chooser.show(None)
        if proposal.asked:
            self.open_chooser()
        self._redraw()

    def _name(self, name: FaceName) -> None:
        """Name the card that the box asked about; the same ✔ also makes the move, if only one is possible."""
        self._follow.name(name)
        self.explain_anew()
        self._take_answered()

    def _leave_game(self, act: Callable[[], object]) -> None:
        """Go to another game; one that runs and isn't over is left only by a hold."""
        assert self._panel_chooser.current is not None
        play = self._game.play
        if play is None or play.is_over or not play.notation:
            self.close_question()
            act()
        else:
            self._request_hold(self._panel_chooser.current.label, act)

    def _resume(self, game_id: int) -> None:
        if not self._game.resume(game_id):
            self._bus.publish(Flourished(flourishes.REFUSED))
            self.show_menu()

    def _act(self, act: MenuAct) -> None:
        """Do what an entry of the menu stands for."""
        if act.what == "redo" and self._game.would_end_again:
            self._request_hold(Text(ENTRIES[REDO]), self._game.redo)
            return
        match act.what:
            case "undo":
                self._game.undo()
            case "redo":
                self._game.redo()
            case "believe":
                self.believe()
            case "skip-lessons":
                self._teaching.skip()
            case "back":
                self.explain_anew()
        self._redraw()

    # Holds

    @property
    def hold_under_light(self) -> tuple[Text, HeldAction] | None:
        """What the option under the light would do, where it takes a hold."""
        chooser = self._panel_chooser.current
        if chooser is None or self._panel_chooser.is_menu or chooser.chosen.branches or not self._arming.is_ready:
            return None
        (_, host), move = self._game.playing(), chooser.chosen.value
        if not isinstance(move, Move) or move in self._follow.proposal.asked:
            return None
        if not host.takes_hold(self._game.public_state, (move,)):
            return None
        return chooser.label, lambda: self._make_without_hold(move)

    def _request_hold(self, label: Text, action: HeldAction) -> None:
        self.holds.request(label, action)
        self._redraw()

    def request_hold_to_end(self) -> bool:
        """If the box's own next move ends the game, ask for a hold. Returns whether it asked."""
        words = None if self._game.is_over else self._game.ending_words
        if words is not None:
            self._request_hold(words, self._game.finish)
        return words is not None

    def complete_hold(self) -> None:
        """Do what waited for a hold of ✔."""
        action = self.holds.complete()
        if action is not None:
            self.close_question()
            action()

    # Moves and refusals

    def make(self, *moves: Move) -> None:
        """Make moves that a person confirmed; what ends the game waits for a hold."""
        _, host = self._game.playing()
        if not host.takes_hold(self._game.public_state, moves):
            self._make_without_hold(*moves)
            return
        chooser, paths = self._panel_chooser.current, (host.path(self._game.public_state, move) for move in moves)
        label = path_label(chain.from_iterable(paths)) if chooser is None else chooser.label
        self._request_hold(label, lambda: self._make_without_hold(*moves))

    def _make_without_hold(self, *moves: Move) -> None:
        """Make moves, also final ones; a refusal is shown and changes nothing."""
        self._panel_chooser.close()
        # What happens then may have a flourish of its own, which takes its place.
        self._bus.publish(Flourished(flourishes.ACCEPTED))
        try:
            self._game.follow(moves)
        except IllegalMove as refusal:
            self.refuse(refusal)

    def make_unconfirmed(self, moves: Sequence[Move]) -> None:
        """Make the moves that a still table shows, without ✔."""
        if moves and self._panel_chooser.current is None and not self.holds:
            self.make(*moves)

    def refuse(self, refusal: IllegalMove) -> None:
        """Show why something can't be done."""
        _, host = self._game.playing()
        self._remarks.complain(refusal.reason, host.refusal_pattern(refusal.code), refusal.code)
        self._bus.publish(Flourished(flourishes.REFUSED))
        self._bus.publish(Sounded("refused"))
        self._redraw()

    # The table

    def explain_anew(self) -> None:
        """Explain the table anew, unless the menu is open."""
        if self._game.is_running and not self._panel_chooser.is_menu:
            self._follow.explain()
            self._redraw()

    def believe(self, answer: Answered | None = None) -> None:
        """Take the table as it lies, once all that no camera sees is answered; ✖ takes it back."""
        self._panel_chooser.close()
        try:
            self._panel_chooser.show(
                self._believing.first_question() if answer is None else self._believing.on_answer(answer)
            )
            if self._panel_chooser.current is None:
                self._believing.believe()
        except BadState as bad:
            self.refuse(IllegalMove(bad.code, bad.reason))
        self._redraw()
