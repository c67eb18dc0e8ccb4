"""What the table means: each settled sight is explained by the rules, and a proposal or a complaint comes of it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any, Literal

from msgspec.structs import replace

from companion.games.game import Move
from companion.session.arming import Arming
from companion.session.corrections import Corrections
from companion.session.game_observer import GameObserver
from companion.session.game_session import GameSession
from companion.session.remarks import Remarks
from companion.table.comparing import KnownDifferences, differences_of, each_once
from companion.table.doubt import FaceName
from companion.table.explain import SearchResult, TableSearch, end_of_turn
from companion.table.proposal import NOTHING, Explanation, Proposal
from companion.table.proposing import Trail, proposal_after
from companion.table.same_card import COVERING_MM, distance_mm, is_same_card, with_covered
from companion.table.sight import Seen, Sight
from companion.table.tabletop import TURN, Tabletop

Confirm = Literal["always", "doubt"]

STATES_AT_ONCE = 800
"""States that a search looks at before a press may come in between: some hundredths of a second."""
PASSED_ON_MM = 100.0
"""Millimetres by which the turn token moves at least when it's passed on."""
STILL_SECONDS = 1.5
"""Seconds for which a table must stay as it is before it's followed without ✔."""


class Follow(GameObserver):
    """The sight that counts now, as people have it, and what it may mean."""

    def __init__(
        self,
        game: GameSession,
        corrections: Corrections,
        remarks: Remarks,
        arming: Arming,
        clock: Callable[[], float],
        confirm: Confirm = "always",
    ):
        self.sight: Sight | None = None
        self.proposal: Proposal = NOTHING
        self.confirm = confirm
        self._game = game
        self._corrections = corrections
        self._remarks = remarks
        self._arming = arming
        self._clock = clock
        self._search: TableSearch | None = None
        self._follows_at: float | None = None
        self._number = 0
        self._forget()

    def _forget(self) -> None:
        self.sight = None
        self._dismissed_sight: Sight | None = None
        self._needs_confirm = False
        self._known_differences: dict[int, KnownDifferences | None] = {}
        # The sight when the question came up, less what has gone since.
        self._sight_before: Sight | None = None
        self._last_sight = Sight()
        self._trail: Trail = ()

    # How the game goes on

    def on_new_game(self) -> None:
        """Forget the last table: another game's says nothing about this one."""
        self._forget()

    def on_question_over(self) -> None:
        """Forget the proposal: it was for the question before."""
        self._drop_proposal()

    def on_undo(self) -> None:
        """Propose nothing of what was taken back until the table changes, and then only with ✔."""
        self._wait_for_change()

    def dismiss_proposal(self) -> None:
        """Drop the proposal; it doesn't come back before the table changes."""
        self._drop_proposal()
        self._wait_for_change()

    def _drop_proposal(self) -> None:
        self.proposal, self._dismissed_sight, self._search, self._follows_at = NOTHING, None, None, None
        self._trail = ()

    def _wait_for_change(self) -> None:
        self._dismissed_sight, self._needs_confirm = self.sight, True

    def on_question(self) -> None:
        """Explain the table anew: it may answer the next question already."""
        play, host = self._game.playing()
        self._drop_impossible_covered(host.table)
        if play.number > max(self._known_differences, default=-1):
            self._sight_before, self._needs_confirm = self.sight, False
            self._known_differences[play.number] = self._differences_now()
        self._known_differences = {
            number: known for number, known in self._known_differences.items() if number <= play.number
        }
        if self.sight is not None:
            self.explain()

    def _drop_impossible_covered(self, table: Tabletop[Any]) -> None:
        """Forget covered cards that the game doesn't have there."""
        laid = {(zone, one.card) for zone, pieces in table.layout(self._game.public_state).items() for one in pieces}
        lying = table.watched(Sight(self._last_sight.covered))
        covered = tuple(seen for zone, seen in lying if (zone, table.layout_name(seen.card)) in laid)
        self._last_sight = replace(self._last_sight, covered=covered)
        if self.sight is not None:
            self.sight = replace(self.sight, covered=covered)

    # What is seen

    def forget_sight(self) -> None:
        """Forget the last sight: the camera is gone, and the table may change unseen."""
        self.sight = None
        self._drop_proposal()
        self._corrections.ask_about(None)

    def on_sight(self, sight: Sight) -> None:
        """Note a settled table as people have it; while a hand is in the picture nothing else is done."""
        if self._game.play is not None and not sight.is_unsettled:
            _, host = self._game.playing()
            sight = each_once(host.table, host.table.layout(self._game.public_state), sight)
        self.sight = self._corrections.on_sight(sight)
        if sight.is_unsettled:
            return
        self._last_sight = self.sight = with_covered(self._last_sight, self.sight)
        if self._game.play is None:
            return
        if self._sight_before is None and self._game.play.number:
            self._sight_before = self.sight
        elif self._sight_before is not None:
            self._sight_before = self._lying_since_before(self._sight_before, self.sight)

    def _lying_since_before(self, old: Sight, now: Sight) -> Sight:
        """The earlier sight without cards of heaps that were taken up since: one that is laid there again is new."""
        _, host = self._game.playing()
        table, laid = host.table, host.table.layout(self._game.public_state)
        lying = (*now.cards, *now.strangers)

        def is_there(card: Seen) -> bool:
            if card.zone not in table.heaps or any(is_same_card(card, one) for one in lying):
                return True
            name = table.layout_name(card.card)
            may_be_under = not name or table.copies(name) > 1 or any(one.card == name for one in laid[card.zone])
            return may_be_under and any(distance_mm(card, one) < COVERING_MM for one in lying)

        return replace(old, cards=tuple(filter(is_there, old.cards)), strangers=tuple(filter(is_there, old.strangers)))

    def amend(self, at: int, card: str, face: str = "") -> None:
        """Name a lying card as a person does. Raises `LookupError`."""
        self._amended(self._corrections.amend(at, card, face))

    def name(self, name: FaceName) -> None:
        """Name the card that the box asked about, and explain the table with it at once."""
        self._amended(self._corrections.name_doubt(name))
        self.explain()
        self.search_to_end()

    def dismiss_card(self) -> None:
        """Leave the card in question out of account."""
        self._amended(self._corrections.dismiss_doubt())

    def _amended(self, sight: Sight) -> None:
        """Follow the same table with what people have said about it."""
        self._last_sight = self.sight = replace(sight, covered=self._last_sight.covered)
        self._dismissed_sight = None

    # What it means

    def explain(self) -> None:
        """Ask the rules what the table means now."""
        play, host = self._game.playing()
        if self.sight is None or self.sight.is_unsettled or play.is_over or self._game.is_private:
            return
        if self._dismissed_sight is not None and is_unchanged(self._dismissed_sight, self.sight):
            return
        self._dismissed_sight = None
        known, now = self._known_differences.get(play.number), self._differences_now() or Counter()
        if known is None:
            # What was never seen can't be missed: it may lie where the camera doesn't look.
            known = Counter({key: count for key, count in now.items() if key.what == "missing"})
        # Differences that players fixed are known no more: if they come back, they mean a move.
        self._known_differences[play.number] = known = known & now
        self._search = TableSearch(host, self._game.public_state, self.sight, known, self._sight_before, self._trail)
        self.search_on()

    def _differences_now(self) -> KnownDifferences | None:
        """By what the table differs from the state; None where nothing is seen."""
        _, host = self._game.playing()
        if self.sight is None or self.sight.is_unsettled:
            return None
        return differences_of(host.table, self._game.public_state, self.sight, self._sight_before)

    def search_on(self) -> None:
        """Search for a moment; propose what comes out."""
        if self._search is not None and self._search.run(STATES_AT_ONCE):
            found, self._search = self._search.result, None
            assert found is not None
            self._on_result(found)

    def search_to_end(self) -> None:
        """Search to the end: somebody waits for it."""
        while self._search is not None:
            self.search_on()

    def _on_result(self, found: SearchResult) -> None:
        self._corrections.ask_about(found.doubt)
        if found.trail or (found.proposal, found.doubt) == (NOTHING, None):
            self._trail = found.trail
        before, proposal = self.proposal, found.proposal
        if proposal == NOTHING and found.doubt is None and self._is_turn_token_moved:
            proposal = self._ended()
        if proposal == replace(before, number=0):
            return
        self._number += 1
        self.proposal = replace(proposal, number=self._number)
        self._arming.disarm()
        self._follows_at = self._clock() + STILL_SECONDS if self.unconfirmed_explanation is not None else None
        if proposal.complaint is not None:
            _, host = self._game.playing()
            self._remarks.complain(proposal.complaint, host.refusal_pattern(proposal.code), proposal.code)
        elif self._remarks.complaint is not None:
            self._remarks.withdraw_complaint()

    def _ended(self) -> Proposal:
        """The turn token went on, and nothing else has happened: the turn is over."""
        _, host = self._game.playing()
        assert self.sight is not None
        return end_of_turn(host, self._game.public_state, self.sight)

    def on_answer(self, move: Move) -> None:
        """Keep the explanations that fit an answer to what they differ in."""
        _, host = self._game.playing()
        self._number += 1
        self.proposal = replace(
            proposal_after(host.game, self._game.public_state, self.proposal, move), number=self._number
        )

    @property
    def delays_answer(self) -> bool:
        """Whether somebody reaches over the table, or it shows what nobody has said ✔ to yet."""
        is_unsettled = self.sight is not None and self.sight.is_unsettled
        says = self.proposal.explanations or self.proposal.complaint or self._search or self._corrections.doubt
        return is_unsettled or bool(says)

    # Without a word

    @property
    def unconfirmed_explanation(self) -> Explanation | None:
        """The explanation that is taken without ✔ once the table is still.

        It never ends a turn, unless the turn token was passed on.
        """
        if self.confirm != "doubt" or self._needs_confirm or not self.proposal.accepted_moves:
            return None
        whole = self.proposal.explanations[0]
        found = whole if self._is_turn_token_moved else self.proposal.without_turn_end or whole
        may_be_taken = found.is_sure and not found.ends_game and (found.steps or self._is_turn_token_moved)
        return found if may_be_taken and (self._is_turn_token_moved or not found.ends_turn) else None

    @property
    def _is_turn_token_moved(self) -> bool:
        """Whether the turn token lies elsewhere than when this question came up."""
        before, now = (
            None if sight is None else next((token for token in sight.tokens if token.name == TURN), None)
            for sight in (self._sight_before, self.sight)
        )
        return before is not None and now is not None and math.hypot(now.x - before.x, now.y - before.y) > PASSED_ON_MM

    def tick(self) -> tuple[Move, ...]:
        """Time has passed: search on, and follow a still table; returns the moves that are to be made."""
        self.search_on()
        if self._follows_at is None or self._clock() < self._follows_at:
            return ()
        found, self._follows_at = self.unconfirmed_explanation, None
        return () if found is None else found.moves

    @property
    def due(self) -> float | None:
        """When something is to be done next: at once while a search goes on."""
        return self._clock() if self._search is not None else self._follows_at


def is_unchanged(one: Sight, other: Sight) -> bool:
    """Whether two sights are of a table on which nobody has done anything."""
    return lying(one) == lying(other)


def lying(sight: Sight) -> list[tuple[str, str, str, bool]]:
    """What lies where and how, whatever the eye's last millimetre."""
    cards = (*sight.cards, *sight.strangers)
    tokens = [(token.zone, token.name, "token", False) for token in sight.tokens]
    ways = ((card.zone, card.card or card.was, card.face, card.has_way and card.is_upside_down) for card in cards)
    return sorted([*tokens, *ways])
