"""Taking the table as it lies: what no camera sees is asked with the chooser, one thing after the other."""

from __future__ import annotations

from companion.games.game import BadState
from companion.session.corrections import Corrections
from companion.session.game_observer import GameObserver
from companion.session.game_session import GameSession
from companion.table.chooser import Chooser
from companion.table.knowledge import keeps_hands
from companion.table.state_from_table import Answered, answer_nodes, in_zones, state_from_table
from companion.text import N_, Text

NO_SIGHT = Text(N_("The camera doesn't see a table now."))
NOT_HERE = Text(N_("The cards of this game exist only in the box."))


class Believing(GameObserver):
    """Takes the table as it lies, with what was answered so far about it."""

    def __init__(self, game: GameSession, corrections: Corrections):
        self._game = game
        self._corrections = corrections
        self._answers: dict[str, int] = {}

    def on_question_over(self) -> None:
        """Forget the answers: another question stands."""
        self._answers = {}

    def first_question(self) -> Chooser | None:
        """The first question; None where nothing must be asked. Raises `BadState` where there is nothing to read."""
        _, host = self._game.playing()
        if keeps_hands(host.game, self._game.public_state):
            raise BadState("not_read", NOT_HERE)
        if not self._corrections.cards_on_table:
            raise BadState("not_read", NO_SIGHT)
        self._answers = {}
        return self._next()

    def on_answer(self, answer: Answered) -> Chooser | None:
        """An answer; the next question, or None once all is answered."""
        self._answers[answer.key] = answer.answer
        return self._next()

    def _next(self) -> Chooser | None:
        _, host = self._game.playing()
        asked = host.table.questions(self._game.public_state, in_zones(host, self._corrections.sight))
        for one in asked:
            if one.key not in self._answers:
                options = answer_nodes(one)
                at = next(at for at, node in enumerate(options) if node.value.answer == one.likely)
                return Chooser(options, at=at)
        return None

    def believe(self) -> None:
        """Go on from the table as it lies. Raises `BadState` with what can't be, and changes nothing."""
        _, host = self._game.playing()
        self._game.believe(state_from_table(host, self._game.public_state, self._corrections.sight, self._answers))
