"""Why nothing explains a table: the rule that the nearest step breaks, or where table and game part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import structs

from companion.games.game import IllegalMove, Move
from companion.table.comparing import Comparison
from companion.table.difference import Difference
from companion.table.host import Host
from companion.table.proposal import Explanation, Mismatch, Proposal
from companion.text import N_, Text

PARTED = "parted"
VAGUE = frozenset({"not_now"})
"""Refusals that name no rule."""
WORDS = {
    "missing": N_("{card} should lie here and doesn't: {zone}."),
    "extra": N_("{card} lies here, and no rule explains it: {zone}."),
    "turned": N_("{card} lies the wrong way round: {zone}."),
    "flipped": N_("{card} shows the wrong side: {zone}."),
    "unnamed": N_("A card lies here that the box can't name: {zone}."),
}


def refused_step(
    host: Host[Any], state: Any, differences: Sequence[Difference], comparison: Comparison
) -> Proposal | None:
    """The step that the table shows, with the rule that refuses it; None where no single step comes near the table."""
    vague: Proposal | None = None
    for one, move in attempts(host, state, differences):
        where = Mismatch(one.zone, one.card, one.what)
        try:
            after, _ = host.game.apply(state, move)
        except IllegalMove as refused:
            found = Proposal(complaint=refused.reason, code=refused.code, where=where)
            if refused.code not in VAGUE:
                return found
            vague = vague or found
        else:
            laid = host.table.layout(after)
            left = comparison.match(one.zone, laid[one.zone]).differences
            is_turned = any(other.card == one.card and other.what in ("turned", "flipped") for other in left)
            if not is_turned and left.count(one) < differences.count(one):
                continue  # this step is as the table has it; something else isn't
            wrong = host.table.misplaced(after, one.card, one.zone, laid)
            if wrong is not None:
                return Proposal(complaint=wrong[1], code=wrong[0], where=where)
    return vague


def attempts(host: Host[Any], state: Any, differences: Sequence[Difference]) -> Iterator[tuple[Difference, Move]]:
    """What people may have tried: the moves that are asked for now, with the cards that lie or lack there."""
    asked: dict[type[Move], Move] = {}
    for move in host.game.conceivable(state):
        asked.setdefault(type(move), move)
    gone = tuple(one for one in differences if one.what == "missing")
    for one in differences:
        for kind in host.table.tries.get(one.zone, ()):
            if kind not in asked:
                continue
            move = asked[kind]
            fields = {field.name for field in structs.fields(kind)}
            if "cards" in fields and one.what == "missing":
                yield one, structs.replace(move, cards=tuple(other.card for other in gone))
            elif "card" in fields and one.what in ("extra", "turned"):
                yield one, structs.replace(move, card=one.card)


def parting(host: Host[Any], differences: Sequence[Difference], nearest: Explanation | None) -> Proposal:
    """Where table and game part: the first card that nothing explains."""
    one = next((one for one in differences if one.what != "missing"), differences[0])
    name = host.game.card(one.card) if one.card else Text(N_("a card"))
    reason = Text(WORDS[one.what], {"card": name, "zone": host.table.zone_name(one.zone)})
    return Proposal(complaint=reason, code=PARTED, where=Mismatch(one.zone, one.card, one.what), nearest=nearest)
