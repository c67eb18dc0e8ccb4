"""What does this card do? Asked with the ask token on an open card, or by a tap: name, effects, what it would do now.

It uses only what its reader may know: open cards, and for a seat its own hand too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from companion.games.game import Game, IllegalMove, Move, Over
from companion.kits import KITS
from companion.table.host import Host
from companion.table.knowledge import heard, is_private
from companion.table.sight import Sight
from companion.table.tabletop import ASK, ON_CARD_MM, mentioned
from companion.text import N_, Text

NOTHING_NOW = Text(N_("Nothing can be done with it now."))
NOW = N_("Now: {what}")
OR = N_("{one} Or: {other}")
FACE_DOWN = Text(N_("This card doesn't lie open: look it up on your own phone."))
MAX_USES_TOLD = 3
"""At most this many uses of a card are told."""


class CardInWords(Struct, frozen=True):
    """A card in words: its name, what it does, and what it would do now."""

    name: Text
    does: Text | None
    now: Text


def card_asked_about(host: Host[Any], public: Any, sight: Sight | None) -> CardInWords | Text | None:
    """The open card on which the ask token lies; a sentence where it isn't open, nothing where none is asked about."""
    token = None if sight is None else next((one for one in sight.tokens if one.name == ASK), None)
    if sight is None or token is None or sight.is_unsettled:
        return None
    near = [(math.hypot(card.x - token.x, card.y - token.y), card) for card in (*sight.cards, *sight.strangers)]
    distance, nearest = min(near, key=lambda one: one[0], default=(math.inf, None))
    if nearest is None or distance > ON_CARD_MM:
        return None
    card = nearest.card or nearest.was
    return card_in_words(host, public, card) if card and is_face_up(host, public, card) else FACE_DOWN


def is_face_up(host: Host[Any], public: Any, card: str) -> bool:
    """Whether a card lies open on the table for everybody."""
    name = host.table.layout_name(card)
    return any(one.card in (card, name) for pieces in host.table.layout(public).values() for one in pieces)


def card_in_words(host: Host[Any], view: Any, card: str, seat: int | None = None) -> CardInWords:
    """A card in words for a reader of a view: what it would do now is told of open cards, and of the reader's own."""
    kit, game = KITS[host.game.name], host.game
    rules_name = kit.on_page.rules_name_of(card)
    name = kit.thing(card) or game.card(rules_name)
    step = game.pending(view)
    is_own = seat is not None and not isinstance(step, Over) and step.seat == seat and is_private(game, view)
    moves: Sequence[Move] = ()
    if is_own:
        moves = game.legal(view)
    elif is_face_up(host, game.view(view, None), card):
        moves = game.conceivable(game.view(view, None))
    page, public = kit.on_page, game.view(view, None)

    def is_about(move: Move) -> bool:
        """Whether a move names the card, is meant by a tap on it, or concerns it."""
        named = {*mentioned(move), *page.targets(view, move), *page.concerns(public, move)}
        return bool({card, rules_name} & named)

    does = page.does(view.options, card) or page.good_for(view.options, card)
    return CardInWords(name, does, moves_in_words(game, view if is_own else public, list(filter(is_about, moves))))


def moves_in_words(game: Game[Any], view: Any, moves: Sequence[Move]) -> Text:
    """What some moves would do, in words that everybody could hear."""
    by_text: dict[str, Text] = {}
    for move in moves[: 2 * MAX_USES_TOLD]:
        try:
            _, events = game.apply(view, move)
        except IllegalMove:
            continue
        if events:
            first = game.tell(heard(events, None)[0])
            by_text.setdefault(str(first), first)
    ways = [*by_text.values()][:MAX_USES_TOLD]
    if not ways:
        return NOTHING_NOW
    what = ways[-1]
    for one in reversed(ways[:-1]):
        what = Text(OR, {"one": one, "other": what})
    return Text(NOW, {"what": what})
