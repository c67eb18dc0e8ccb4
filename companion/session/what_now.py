"""A long ✔ asks “what now?”: the last thing understood and the pending question, again in light and in words."""

from __future__ import annotations

from companion.session.corrections import Corrections
from companion.session.events import AskedAgain, EventBus, Flourished, Spoken
from companion.session.faults import Faults
from companion.session.game_session import GameSession
from companion.session.question_texts import CHOOSE_A_GAME, DOUBT
from companion.session.remarks import Remarks
from companion.table.retelling import retold


class WhatNow:
    """Tells things again to whoever has lost the thread."""

    def __init__(
        self, game: GameSession, corrections: Corrections, remarks: Remarks, faults: Faults, bus: EventBus
    ) -> None:
        self._game = game
        self._corrections = corrections
        self._remarks = remarks
        self._faults = faults
        self._bus = bus

    def tell_fault(self) -> None:
        """Show a fault anew that was put off: somebody asks again."""
        self._bus.publish(AskedAgain())
        self._remarks.darken()
        self._faults.remind()

    def say_last(self) -> None:
        """Say the last thing understood."""
        last = self._game.last_told
        if last is not None:
            self._remarks.note(last)
            self._bus.publish(Spoken(last))

    def say_question(self, *, is_menu: bool) -> None:
        """Say the pending question: the menu's, a card's name, or the game's."""
        question = CHOOSE_A_GAME if is_menu else self._game.question
        self._bus.publish(Spoken(question if self._corrections.doubt is None else DOUBT))

    def show_question(self, *, with_last: bool = False) -> None:
        """Show the pending question in light, slowly; first what was understood last."""
        play, host = self._game.playing()
        if play.is_over:
            return
        last = self._game.last_public if with_last else None
        self._bus.publish(Flourished(retold(host, self._game.public_state, last)))
