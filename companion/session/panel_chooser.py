"""The chooser that stands open on the panel: the menu, the name of a card, or the options of the pending question."""

from __future__ import annotations

from companion.games.game import Move
from companion.session.corrections import Corrections
from companion.session.follow import Follow
from companion.session.game_session import GameSession
from companion.session.teaching import Teaching
from companion.table.chooser import Chooser, Pick
from companion.table.doubt import FaceName
from companion.table.menu import menu
from companion.table.offers import WAYS_OUT, alternatives
from companion.table.refusing import PARTED


class PanelChooser:
    """What is being picked on the panel, if anything, and whether that is an entry of the menu."""

    def __init__(self, game: GameSession, follow: Follow, corrections: Corrections, teaching: Teaching):
        self.is_menu = False
        self._game = game
        self._follow = follow
        self._corrections = corrections
        self._teaching = teaching
        self._chooser: Chooser | None = None
        self._about = 0

    @property
    def current(self) -> Chooser | None:
        """What is being picked; the name of a card only while the box still asks about that card."""
        if self.is_naming and self._about != self._corrections.asked:
            self._chooser = None
        return self._chooser

    @property
    def is_naming(self) -> bool:
        """Whether the name of a card is being picked."""
        return self._chooser is not None and self._chooser.picks(FaceName)

    def close(self) -> None:
        """Close the chooser: nothing is being picked."""
        self._chooser, self.is_menu = None, False

    def show(self, chooser: Chooser | None) -> None:
        """Show another step of what is being picked, or nothing."""
        self._chooser = chooser

    def step(self, by: int, *, is_run: bool = False) -> None:
        """Light the option to the left or right; a held arrow runs."""
        if self._chooser is not None:
            self._chooser = self._chooser.run(by) if is_run else self._chooser.step(by)

    def open_menu(self) -> None:
        """Open the menu."""
        self._chooser = menu(
            self._game.hosts,
            running=self._game.is_running,
            unfinished=self._game.unfinished,
            reports=self._reports(),
            is_taught=self._game.is_running and not self._teaching.is_known,
            can_believe=not self._game.is_over and not self._game.is_private and self._follow.sight is not None,
        )
        self.is_menu = True

    def _reports(self) -> list[tuple[tuple[Pick, ...], Move]]:
        """What can have gone wrong, where a game goes on and its players may answer on the panel."""
        if self._game.is_over or self._game.is_private:
            return []
        _, host = self._game.playing()
        public = self._game.public_state
        return [(tuple(host.path(public, move)), move) for move in host.reports(public)]

    def open_question(self) -> None:
        """Open what the box asks now: a card's name, which explanation is right, or the question of the game."""
        _, host = self._game.playing()
        self._follow.search_to_end()
        public, proposal, doubt = self._game.public_state, self._follow.proposal, self._corrections.doubt
        if doubt is not None:
            self._chooser, self._about = Chooser(host.names(doubt)), self._corrections.asked
        elif proposal.asked:
            self._chooser = Chooser(host.options(proposal.asked_state, proposal.asked))
        elif proposal.without_turn_end is not None or proposal.asides:
            self._chooser = Chooser(alternatives(host, public, proposal))
        elif proposal.code == PARTED:
            self._chooser = Chooser(WAYS_OUT[proposal.nearest is None :])
        elif nodes := host.options(public):
            self._chooser = Chooser(nodes)
