"""What the table means: each settled sight is judged by the game's host, and a proposal or a complaint comes of it."""

from __future__ import annotations

from companion.session.arming import Arming
from companion.session.attendant import Attendant
from companion.session.corrections import Corrections
from companion.session.game_session import GameSession
from companion.session.remarks import Remarks
from companion.table.sight import NOTHING, Name, Proposal, Sight


class Follow(Attendant):
    """The sight that counts now, as people have it, and what it may mean."""

    def __init__(self, game: GameSession, corrections: Corrections, remarks: Remarks, arming: Arming):
        self.sight: Sight | None = None
        self.proposal: Proposal = NOTHING
        self._dismissed: Proposal | None = None
        self._game = game
        self._corrections = corrections
        self._remarks = remarks
        self._arming = arming

    def begin(self) -> None:
        """Another game's table says nothing about this one."""
        self.sight = None

    def drop(self) -> None:
        """What was proposed was for the question before."""
        self.proposal, self._dismissed = NOTHING, None

    def ask(self) -> None:
        """The table may answer the next question already."""
        if self.sight is not None:
            self.look()

    def blind(self) -> None:
        """What was seen last says nothing about a table that goes on changing unseen."""
        self.sight, self.proposal, self._dismissed = None, NOTHING, None
        self._corrections.ask_about(None)

    def take(self, sight: Sight) -> None:
        """The eye has a settled view of the table, or sees a hand."""
        self.sight = self._corrections.take(sight)

    def amend(self, at: int, card: str, face: str = "") -> None:
        """A person says what a lying card really is. Raises `LookupError`."""
        self.sight, self._dismissed = self._corrections.amend(at, card, face), None

    def name(self, name: Name) -> None:
        """Somebody has named the card that the box asked about."""
        self.sight, self._dismissed = self._corrections.name_doubt(name), None

    def wave(self) -> None:
        """Somebody says that the card in question is of no account."""
        self.sight = self._corrections.wave_doubt()

    def dismiss(self) -> None:
        """What is proposed isn't meant: it doesn't come back by itself."""
        self._dismissed = self.proposal
        self.proposal = NOTHING

    def look(self) -> None:
        """Ask the host what the table means now."""
        play, host = self._game.playing()
        if self.sight is None or self.sight.is_busy or play.is_over or self._game.is_private:
            return
        public = self._game.public
        found = host.propose(public, self.sight)
        self._corrections.ask_about(host.doubt(public, self.sight) if found == NOTHING else None)
        if found == self._dismissed:
            return
        before, self.proposal, self._dismissed = self.proposal, found, None
        if found == before:
            return
        self._arming.hold_off()
        if found.complaint is not None:
            self._remarks.complain(found.complaint, host.refusal(found.code))
        elif self._remarks.complaint is not None:
            self._remarks.take_back()
