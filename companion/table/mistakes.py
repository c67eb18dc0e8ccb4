"""Tables that the rules refuse: cards laid as people lay them by mistake, in the phases where that can happen.

Pure: a state in, scenes by the kind of mistake out. `companion.demo.person` lays them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from companion.games.cards import Card
from companion.games.cisza import CISZA
from companion.games.cisza.records import RESOURCES, NoiseOnly
from companion.games.cisza.records import Play as PlayResource
from companion.games.cisza.records import State as Cisza
from companion.games.game import Game, IllegalMove, Move, Show
from companion.games.silencio import SILENCIO
from companion.games.silencio.records import COLOURS, RANK_OF, ROW_OF, Play
from companion.games.silencio.records import State as Silencio
from companion.games.silencio.sight import tops
from companion.games.silentes import SILENTES
from companion.games.silentes.happenings import Hide
from companion.games.silentes.records import HUNT, OMENS
from companion.games.silentes.records import State as Silentes
from companion.games.similo import SIMILO
from companion.games.similo.records import Clue, GiveClue
from companion.games.similo.records import State as Similo
from companion.games.text import N_
from companion.table.scenes import scene, zone_of
from vision.simulated import LaidCard, Scene
from vision.zones import load_layout

WRONG_CARD, WRONG_WAY, WRONG_ROW, TWO, TOO_MANY = (
    "wrong card",
    "wrong way round",
    "wrong row",
    "two at once",
    "too many",
)
TOLD = {
    WRONG_CARD: N_("lays a card that the rules refuse"),
    WRONG_WAY: N_("lays a card the wrong way round"),
    WRONG_ROW: N_("lays a card in a row that isn't its own"),
    TWO: N_("lays two cards at once"),
    TOO_MANY: N_("takes one card too many away"),
}
# Two cards in one place lie so far apart, in millimetres: both can be read, and both lie in the zone.
BESIDE = 60.0

Tables = dict[str, Scene]


def refused_tables(game: str, state: Any, rng: random.Random) -> Tables:
    """What somebody may lay now that the box must refuse with a reason, by the kind of mistake."""
    return WRONG[game](state, rng)


def silencio(state: Silencio, rng: random.Random) -> Tables:
    """A card that isn't allowed, the wrong side up, in another row, or two of them."""
    if state.phase != "turn" or not state.hands[state.turn]:
        return {}
    allowed = [card for card in state.unseen if is_allowed(SILENCIO, state, Play(card))]
    others = [card for card in state.unseen if card not in allowed]
    found: Tables = {}
    if others:
        found[WRONG_CARD] = scene("silencio", in_row(state, rng.choice(others)))
    if allowed:
        card = rng.choice(allowed)
        found[WRONG_WAY] = scene("silencio", in_row(state, card, is_turned=True))
        row = rng.choice([row for row in range(len(COLOURS)) if row != ROW_OF[card]])
        found[WRONG_ROW] = scene("silencio", in_row(state, card, row=row))
    rows = {ROW_OF[card]: card for card in allowed}
    if len(rows) > 1:
        first, second = list(rows.values())[:2]
        found[TWO] = scene("silencio", in_row(in_row(state, first), second))
    return found


def in_row(state: Silencio, card: Card, row: int | None = None, is_turned: bool = False) -> Silencio:
    """The state with a card laid in a row, its own unless another is named, with the right or the wrong side up."""
    at = ROW_OF[card] if row is None else row
    is_dark = RANK_OF[card] == tops(state)[ROW_OF[card]] + 1
    rows = tuple((*cards, card) if number == at else cards for number, cards in enumerate(state.rows))
    return replace(state, rows=rows, dark=(*state.dark, card) if is_dark != is_turned else state.dark)


def similo(state: Similo, rng: random.Random) -> Tables:
    """A clue that belongs to the grid, two clues, or one character too many taken off."""
    if state.phase == "clue":
        legal = sorted({move.card for move in SIMILO.legal(state) if isinstance(move, GiveClue)})
        card = rng.choice(state.characters_left)
        found = {WRONG_CARD: scene("similo", with_clues(off(state, card), card))}
        if len(legal) > 1:
            found[TWO] = scene("similo", with_clues(state, *rng.sample(legal, 2)))
        return found
    if state.phase == "remove" and len(state.characters_left) > state.count:
        return {TOO_MANY: scene("similo", off(state, *rng.sample(state.characters_left, state.count + 1)))}
    return {}


def off(state: Similo, *cards: Card) -> Similo:
    """The state with characters taken off the grid."""
    left = tuple(card for card in state.characters_left if card not in cards)
    return replace(state, characters_left=left, removed=(*state.removed, *cards))


def with_clues(state: Similo, *cards: Card) -> Similo:
    """The state with more clues, upright."""
    return replace(state, clues=(*state.clues, *(Clue(card, "similar") for card in cards)))


def silentes(state: Silentes, rng: random.Random) -> Tables:
    """A card of the wrong deck turned up, two turned up, or one that hides nobody here."""
    table = scene("silentes", state)
    if state.phase == "hide":
        others = [card for card in state.unseen if not is_allowed(SILENTES, state, Hide(card))]
        return {WRONG_CARD: with_cards(table, "silentes", "played", [rng.choice(others)], 0.85)} if others else {}
    if state.phase not in ("hunt", "omen") or state.options.drawing != "table":
        return {}
    right = [move.card for move in SILENTES.legal(state) if isinstance(move, Show)]
    other = rng.choice([card for card in (OMENS if state.phase == "hunt" else HUNT) if card not in state.map])
    found = {WRONG_CARD: with_cards(table, "silentes", state.phase, [other])}
    if len(right) > 1:
        found[TWO] = with_cards(table, "silentes", state.phase, rng.sample(right, 2))
    return found


def cisza(state: Cisza, rng: random.Random) -> Tables:
    """A resource card that has nothing to do, or two on the play spot."""
    if state.phase != "turn":
        return {}
    legal = CISZA.legal(state)
    table = scene("cisza", state)
    idle = [card for card in RESOURCES if PlayResource(card) not in legal and NoiseOnly(card) not in legal]
    found = {WRONG_CARD: with_cards(table, "cisza", "play", [rng.choice(idle)])} if idle else {}
    playable = [card for card in RESOURCES if PlayResource(card) in legal]
    if len(playable) > 1:
        found[TWO] = with_cards(table, "cisza", "play", rng.sample(playable, 2))
    return found


def with_cards(table: Scene, game: str, name: str, cards: Sequence[Card], share: float = 0.5) -> Scene:
    """A table with cards side by side in a zone, at a share of its width, in place of what lay there."""
    zone = zone_of(load_layout(game), name)
    x, y = zone.x + zone.width * share, zone.y + zone.height / 2
    kept = tuple(card for card in table.cards if not zone.holds(card.x, card.y) or abs(card.x - x) > zone.height / 2)
    shift = -BESIDE * (len(cards) - 1) / 2
    laid = (LaidCard(card, x + shift + BESIDE * at, y) for at, card in enumerate(cards))
    return replace(table, cards=(*kept, *laid))


def is_allowed(game: Game[Any], state: Any, move: Move) -> bool:
    """Whether the rules accept a move."""
    try:
        game.apply(state, move)
    except IllegalMove:
        return False
    return True


WRONG: dict[str, Callable[[Any, random.Random], Tables]] = {
    "silencio": silencio,
    "similo": similo,
    "silentes": silentes,
    "cisza": cisza,
}
