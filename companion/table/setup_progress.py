"""Guided set-up and clean-up: what lies right before a game, what is missing, and what goes back where after it.

Pure: what everybody may know of the game and a sight of the table in, sentences and counts out.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec import Struct

from companion.games.game import Over
from companion.kits import KITS
from companion.table.host import Host
from companion.table.lessons import course_of
from companion.table.sight import Sight
from companion.text import N_, Text, in_a_row

RIGHT = N_("{done} of {of} lie right. Missing: {missing}.")
ALL_RIGHT = N_("All {of} lie right.")
NEXT = N_("Set up the table, next: {what}.")
READY = Text(N_("The table is set up: ✔ goes on."))
FIRST = N_("First set up the table as it's told here. Then: {question}")
BACK = N_("Clear the table, put away: {done} of {of}. {piles} Nothing has to be pressed; ✔ opens the menu.")
BACK_UNSEEN = N_("Clear the table. {piles} Nothing has to be pressed; ✔ opens the menu.")
PILE = N_("{pile}: {count}.")
PILE_UNSEEN = "{pile}."
ENTERED = N_("{done} of {of} are entered.")
MAX_MISSING_NAMED = 3
"""So many missing things are named: the next ones come when these lie there."""


class SetupProgress(Struct, frozen=True):
    """How far a set-up or a clean-up has come, in numbers and in words; nothing of nothing where nobody counts."""

    done: int
    of: int
    text: Text


def laid_out(host: Host[Any], public: Any, sight: Sight | None) -> SetupProgress | None:
    """How far the set-up has come; nothing where no camera sees it, or the game has begun."""
    places = course_of(host.game.name).lay_out(public)
    if not places or sight is None:
        return None
    done, missing = 0, []
    for place in places:
        lying = sight.lying(place.zone)
        there = sum(card in lying for card in place.cards) if place.cards else len(lying)
        done += min(place.of, there)
        if there < place.of:
            missing.append(place.what)
    of = sum(place.of for place in places)
    if not missing:
        return SetupProgress(of, of, Text(ALL_RIGHT, {"of": of}))
    named = tuple(missing[:MAX_MISSING_NAMED])
    return SetupProgress(done, of, Text(RIGHT, {"done": done, "of": of, "missing": named}))


def headline(host: Host[Any], public: Any, sight: Sight | None, *, is_told: bool, is_understood: bool = False) -> Text:
    """The question of a group that is taught: the first thing of the set-up that isn't done, as far as can be seen.

    `is_told` is whether the set-up is being told and nothing was done yet, `is_understood` whether ✔ takes what lies.
    """
    question = host.game.question(public)
    places = course_of(host.game.name).lay_out(public)
    if sight is not None:
        lying = {place.zone: len(sight.lying(place.zone)) for place in places}
        missing = (place.what for place in places if not place.is_asked and lying[place.zone] < place.of)
        if (what := next(missing, None)) is not None:
            return Text(NEXT, {"what": what})
        asked = [place for place in places if place.is_asked]
        if 0 < sum(lying[place.zone] >= place.of for place in asked) < len(asked):
            return Text(NEXT, {"what": next(place.what for place in asked if lying[place.zone] < place.of)})
        if is_understood and asked:
            return READY
        is_told = is_told and not any(lying.values())
    return Text(FIRST, {"question": question}) if is_told else question


def is_begun(host: Host[Any], public: Any, sight: Sight | None) -> bool:
    """Whether something of the set-up is seen to lie there."""
    places = course_of(host.game.name).lay_out(public)
    return sight is not None and any(sight.lying(place.zone) for place in places)


def entered(host: Host[Any], public: Any) -> Text | None:
    """How many cards of the set-up people have named with the buttons; nothing once the game has begun."""
    counted = KITS[host.game.name].on_page.progress(public)
    return None if counted is None else Text(ENTERED, {"done": counted[0], "of": counted[1]})


def put_away(host: Host[Any], public: Any, sight: Sight | None) -> SetupProgress | None:
    """How far the clean-up has come, pile by pile; without a camera only which piles there are."""
    if not isinstance(host.game.pending(public), Over):
        return None
    pile = course_of(host.game.name).pile
    # Of a heap only the uppermost card is sure to be seen.
    heaps, laid = host.table.heaps, host.table.layout(public)
    lain = [one.card for zone, pieces in laid.items() for one in (pieces[-1:] if zone in heaps else pieces)]
    lying = (
        lain if sight is None else [host.table.layout_name(card) for card in sight.lying(*zones_in_use(host, sight))]
    )
    before, now = (Counter(name for card in cards if (name := pile(public.options, card))) for cards in (lain, lying))
    if not now:
        return None
    if sight is None:  # nobody counts what was in hands or is away already
        named = tuple(Text(PILE_UNSEEN, {"pile": Text(name)}) for name in now)
        return SetupProgress(0, 0, Text(BACK_UNSEEN, {"piles": in_a_row(named)}))
    of = max(before.total(), now.total())
    done = of - now.total()
    piles = tuple(Text(PILE, {"pile": Text(name), "count": count}) for name, count in now.items())
    return SetupProgress(done, of, Text(BACK, {"done": done, "of": of, "piles": in_a_row(piles)}))


def zones_in_use(host: Host[Any], sight: Sight) -> set[str]:
    """Every zone in which something lies."""
    return {card.zone for card in (*sight.cards, *sight.strangers)}
