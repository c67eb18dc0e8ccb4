"""What people say about the cards on the table: names, and cards of no account. A person beats the camera."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.session.arming import Arming
from companion.session.game_observer import GameObserver
from companion.table.doubt import Doubt, FaceName
from companion.table.fingerprints import is_same_fingerprint
from companion.table.same_card import INSTEAD_MM, SAME_SPOT_MM, distance_mm, is_partly_over, is_same_card_unmoved
from companion.table.sight import Seen, Sight


class Amendment(Struct, frozen=True):
    """A person's word about one card on the table: what the eye takes it for, where it lies, what it really is."""

    seen: Seen
    card: str
    face: str = ""

    def is_about(self, card: Seen) -> bool:
        """Whether it's the card that was meant, in the same place."""
        return is_same_card_unmoved(self.seen, card)

    def under(self, came: Sequence[Seen], lying: Sequence[Seen]) -> Amendment | None:
        """The same about a card that looks otherwise because another came to lie over a part of it."""
        if not any(is_partly_over(card, self.seen) for card in came):
            return None
        here = (card for card in lying if not card.card and distance_mm(card, self.seen) < INSTEAD_MM)
        seen = next(here, None)
        return None if seen is None else replace(self, seen=seen)


def newly_lying(before: Sight, now: Sight) -> list[Seen]:
    """The cards of a sight that lay nowhere near in the one before."""
    lain = (*before.cards, *before.strangers)
    return [card for card in (*now.cards, *now.strangers) if all(distance_mm(card, one) > INSTEAD_MM for one in lain)]


def amended(card: Seen, amendments: Sequence[Amendment]) -> Seen:
    """A card as people have it: a person beats the camera."""
    said = next((one for one in amendments if one.is_about(card)), None)
    if said is None:
        return card
    return replace(
        card, card=said.card, face=said.face, confidence=1.0, maybe=(), has_way=card.has_way and bool(card.card)
    )


class Corrections(GameObserver):
    """What the eye saw last, what people have said about it, and which card the box asks about.

    `asked` grows with each other card that comes into question.
    """

    def __init__(self, arming: Arming):
        self.doubt: Doubt | None = None
        self.asked = 0
        self._arming = arming
        self._forget()

    def _forget(self) -> None:
        self.raw = Sight()
        self.amendments: tuple[Amendment, ...] = ()
        self._dismissed: tuple[Seen, ...] = ()
        self._read: tuple[Seen, ...] = ()

    def on_new_game(self) -> None:
        """Forget what was said: it was about the cards of another game."""
        self._forget()

    def on_question_over(self) -> None:
        """Forget the card in question: it was for the question before."""
        self.doubt = None

    def ask_about(self, doubt: Doubt | None) -> None:
        """Ask about another unnamed card, or none; ✔ is held off, since the person looked at the last one."""
        is_same = doubt is self.doubt if doubt is None else doubt.is_about(self.doubt)
        if not is_same:
            self._arming.disarm()
            self.asked += 1
        self.doubt = doubt

    def dismiss_doubt(self) -> Sight:
        """Leave the card in question out of account."""
        assert self.doubt is not None
        seen, self.doubt = self.doubt.seen, None
        return self.dismiss_card(seen)

    def name_doubt(self, name: FaceName) -> Sight:
        """Name the card in question."""
        assert self.doubt is not None
        at, self.doubt = self.at(self.doubt.seen), None
        return self.amend(at, name.card, name.face)

    @property
    def cards_on_table(self) -> tuple[Seen, ...]:
        """Every card of the last settled sight as the eye has it, those without a name last."""
        return (*self.raw.cards, *self.raw.strangers)

    @property
    def cards(self) -> tuple[Seen, ...]:
        """The same cards, in the same order, as people have them."""
        return tuple(amended(card, self.amendments) for card in self.cards_on_table)

    @property
    def sight(self) -> Sight:
        """The last settled sight with corrections: named strangers are cards, dismissed ones are left out."""
        cards, known = self.cards, len(self.raw.cards)
        named = tuple(card for card in cards[known:] if card.card)
        strangers = (card for card in cards[known:] if not card.card and not self._is_dismissed(card))
        return Sight(
            (*cards[:known], *named),
            strangers=tuple(replace(card, was=self._was(card)) for card in strangers),
            tokens=self.raw.tokens,
        )

    def on_sight(self, sight: Sight) -> Sight:
        """A new sight, as people have it; what was said about a card is forgotten once it's gone."""
        if sight.is_unsettled:
            return sight
        came = newly_lying(self.raw, sight)
        self.raw = sight
        held = (
            one if any(map(one.is_about, self.cards_on_table)) else one.under(came, self.cards_on_table)
            for one in self.amendments
        )
        self.amendments = tuple(one for one in held if one is not None)
        self._dismissed = tuple(
            one for one in self._dismissed if any(is_same_card_unmoved(one, card) for card in sight.strangers)
        )
        read = tuple(card for card in self.cards if card.card)
        names = {card.card for card in read}
        kept = (one for one in self._read if one.card not in names)
        self._read = (
            *read,
            *(one for one in kept if any(distance_mm(one, card) < SAME_SPOT_MM for card in sight.strangers)),
        )
        return self.sight

    def dismiss_card(self, stranger: Seen) -> Sight:
        """Somebody says that a card without a name is of no account, until something changes there."""
        self._dismissed = (*self._dismissed, stranger)
        return self.sight

    def _is_dismissed(self, stranger: Seen) -> bool:
        return any(is_same_card_unmoved(one, stranger) for one in self._dismissed)

    def _was(self, stranger: Seen) -> str:
        """What was read where a stranger lies, if it looks as it did then."""
        lain = (
            one
            for one in self._read
            if distance_mm(one, stranger) < SAME_SPOT_MM and is_same_fingerprint(one.fingerprint, stranger.fingerprint)
        )
        there = {card.card for card in self.cards}
        found = sorted((one for one in lain if one.card not in there), key=lambda one: distance_mm(one, stranger))
        return found[0].card if found else ""

    def at(self, seen: Seen) -> int:
        """The number of a lying card. Raises `LookupError`."""
        found = (at for at, one in enumerate(self.cards_on_table) if (one.x, one.y) == (seen.x, seen.y))
        at = next(found, None)
        if at is None:
            raise LookupError(f"no card lies at {seen.x:.0f}, {seen.y:.0f}")
        return at

    def amend(self, at: int, card: str, face: str = "") -> Sight:
        """Somebody says what one of the lying cards really is. Raises `LookupError`."""
        seen = self.cards_on_table[at]
        others = tuple(one for one in self.amendments if not one.is_about(seen))
        is_as_read = (card, face) == (seen.card, seen.face)
        self.amendments = others if is_as_read else (*others, Amendment(seen, card, face))
        return self.sight
