"""Why a move is refused: a stable code and a sentence that names what was tried."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.cards import HIDDEN, Card
from companion.games.game import Deal, Game, IllegalMove, Move, Show
from companion.games.silentes import moves as m
from companion.games.silentes.knowledge import hand_candidates, provision_candidates
from companion.games.silentes.legal import FITS
from companion.games.silentes.map import NEIGHBOURS
from companion.games.silentes.records import (
    ALL_CARDS,
    CELLS,
    HOLE,
    IS_HUNT,
    IS_OMEN,
    IS_PROVISION,
    SUITS,
    State,
)
from companion.text import N_

Refuse = Callable[..., IllegalMove]
# What is said of a card that can't be here, unless it can be told where it lies.
ELSEWHERE = (
    N_("{card} lies elsewhere: it can't be here as well."),
    N_("{card} has been seen already: it can't come again."),
)


def why_not(game: Game[State], state: State, move: Move) -> IllegalMove | None:
    """The reason why a move isn't legal now; None if no question asks for it."""

    def no(code: str, template: str, **values: Any) -> IllegalMove:
        if template in ELSEWHERE:
            return game.misread(state, values["card"], template)
        return game.refuse(state, code, template, **values)

    phases, explain = ASKED_IN.get(type(move), ((), None))
    if isinstance(move, m.Use):
        return why_not_use(state, move, no)
    if explain is None or state.phase not in phases:
        return None
    reason: IllegalMove = explain(state, move, no)
    return reason


def unread(state: State, card: Card, no: Refuse) -> IllegalMove:
    """A card that can't be there: no such card, or seen elsewhere (G-11)."""
    return no("misread", ELSEWHERE[0], card=card)


def why_not_come(state: State, move: Show | Deal | m.Ghost, no: Refuse) -> IllegalMove:
    """A card that nature can't bring."""
    card = move.card
    if card == HIDDEN and state.options.drawing == "phone":
        return no("face_needed", N_("The box deals here: the card must be named."))
    if card not in ALL_CARDS and card != HIDDEN:
        return unread(state, card, no)
    if isinstance(move, m.Ghost):
        return no("no_ghost", N_("{card} isn't a ghost in the paper deck."), card=card)
    deck: frozenset[Card] = IS_HUNT
    if state.phase in ("search", "reward", "justice", "gift"):
        deck = IS_PROVISION
    elif state.phase in ("omen", "peek_omens"):
        deck = IS_OMEN
    if card not in deck and card != HIDDEN:
        return no("misread", N_("{card} can't come from this deck."), card=card)
    asks_deal = state.phase in ("deal", "refill", "aid_draw", "search", "reward", "justice", "peek_omens")
    if asks_deal != isinstance(move, Deal):
        return no("not_now", N_("Cards are dealt to hands and shown on the table; this is the other case."))
    if asks_deal and state.options.drawing != "phone" and state.phase in ("refill", "aid_draw"):
        return no("stays_hidden", N_("A card drawn to a hand stays hidden from the box."))
    if card in state.unseen or card in state.unseen_omens or card in state.unseen_provisions:
        return no("misread", N_("{card} isn't the next card: that one is known."), card=card)
    return no("misread", ELSEWHERE[1], card=card)


def why_not_shelter(state: State, move: Any, no: Refuse) -> IllegalMove:
    """A place that isn't a shelter, or not one for this."""
    cell = move.cell
    if cell not in CELLS:
        return no("no_such_shelter", N_("There is no shelter {cell}."), cell=cell)
    if state.map[cell] == HOLE:
        return no("hole", N_("There is no shelter left at {cell}."), cell=cell)
    if isinstance(move, m.Ruin):
        return no("not_highest", N_("The shelter at {cell} isn't the highest."), cell=cell)
    seat = state.turn if state.phase == "action" else state.asked
    if state.tokens[seat] == cell:
        return no("same_shelter", N_("Shelter {cell} is where the token stands: it must move."), cell=cell)
    if state.phase == "flee":
        return no("not_nearest", N_("Shelter {cell} isn't the nearest one."), cell=cell)
    here = state.tokens[seat]
    if "any_shelter" not in state.tools and (here < 0 or cell not in NEIGHBOURS[here]):
        return no("not_adjacent", N_("Shelter {cell} isn't beside the token."), cell=cell)
    return no(
        "no_hide_card",
        N_("No card in hand can hide a player in shelter {cell}: it takes the suit of {card}."),
        cell=cell,
        card=state.map[cell],
    )


def why_not_hide(state: State, move: m.Hide, no: Refuse) -> IllegalMove:
    """A card that can't be the silence card."""
    card, seat = move.card, state.turn
    if card in IS_PROVISION:
        return no("not_a_hunt_card", N_("{card} is a provision: nobody can hide behind it."), card=card)
    if card not in hand_candidates(state, seat):
        return why_not_held(state, card, no)
    return no("wrong_suit", N_("{card} hasn't the suit of this shelter."), card=card)


def why_not_held(state: State, card: Card, no: Refuse) -> IllegalMove:
    """A card that isn't in the hand it should come from."""
    somewhere = (state.unseen, state.unseen_provisions, *state.hands, *state.provisions)
    if any(card in zone for zone in somewhere):
        return no("not_held", N_("{card} isn't in that hand."), card=card)
    return unread(state, card, no)


def why_not_discard(state: State, move: m.Discard, no: Refuse) -> IllegalMove:
    """A card that can't be discarded."""
    if state.phase == "penance" and move.card not in IS_PROVISION:
        return no("not_a_provision", N_("{card} isn't a provision."), card=move.card)
    return why_not_held(state, move.card, no)


def why_not_use(state: State, move: m.Use, no: Refuse) -> IllegalMove:
    """A provision that can't be played now (STE-90)."""
    card = move.card
    if card not in ALL_CARDS:
        return unread(state, card, no)
    if card not in IS_PROVISION:
        return no("not_a_provision", N_("{card} isn't a provision."), card=card)
    if "devil" in state.effects:
        return no("devil", N_("{card} can't be played: the Devil forbids provisions."), card=card)
    if card not in FITS.get(state.phase, ()):
        return no("wrong_moment", N_("{card} doesn't fit this moment."), card=card)
    seat = state.turn if state.phase == "action" else state.asked
    if card not in provision_candidates(state, seat):
        return why_not_held(state, card, no)
    if state.tools:
        return no("must_move", N_("A tool for moving was played: the player must move and hide now."))
    return no("no_use", N_("{card} could do nothing here."), card=card)


def why_not_act(state: State, move: Move, no: Refuse) -> IllegalMove:
    """An action that isn't possible."""
    if isinstance(move, m.Distract) and move.suit not in SUITS:
        return no("no_such_suit", N_("There is no suit {suit}."), suit=move.suit)
    if state.tools:
        return no("must_move", N_("A tool for moving was played: the player must move and hide now."))
    if isinstance(move, m.Entrench):
        return no("nothing_to_entrench", N_("Entrenching takes the card played in the previous round, still in hand."))
    if isinstance(move, m.Search):
        return no("no_provisions", N_("There are no provisions left to find."))
    if isinstance(move, m.Distract):
        return no("empty_hand", N_("A distraction costs a card, and this hand is empty."))
    return no("can_act", N_("A pass isn't allowed while an action is possible."))


def why_not_take(state: State, move: m.Take, no: Refuse) -> IllegalMove:
    """A card that can't come back from a pile."""
    if move.card not in ALL_CARDS:
        return unread(state, move.card, no)
    if move.card in state.piles[state.asked]:
        return no("itself", N_("{card} can't fetch itself."), card=move.card)
    return no("not_in_pile", N_("{card} isn't in that player's pile."), card=move.card)


def why_not_put(state: State, move: m.Put, no: Refuse) -> IllegalMove:
    """A card that wasn't looked at."""
    return no("not_looked_at", N_("{card} isn't one of the cards to put in order."), card=move.card)


def why_not_give(state: State, move: m.Give, no: Refuse) -> IllegalMove:
    """A provision that can't be given."""
    if state.options.drawing != "phone":
        return no("stays_hidden", N_("A provision given away stays hidden from the box."))
    return no("not_held", N_("{card} isn't in that hand."), card=move.card)


def why_not_divert(state: State, move: m.Divert, no: Refuse) -> IllegalMove:
    """A suit that isn't beside the mirror (STE-98)."""
    return no("not_around", N_("No shelter of {suit} is beside the mirror, or it's the hunted suit."), suit=move.suit)


def why_not_seat(state: State, move: Any, no: Refuse) -> IllegalMove:
    """A player who isn't there."""
    return no("no_such_seat", N_("There is no player {seat}."), seat=move.seat)


def why_not_coin(state: State, move: m.Coin, no: Refuse) -> IllegalMove:
    """A coin has two sides."""
    return no("no_such_side", N_("A coin falls heads or tails, not {side}."), side=move.side)


SHOWN = ("map", "hunt", "gift", "peek", "remap", "omen")
DEALT = ("deal", "refill", "aid_draw", "search", "reward", "justice", "peek_omens")
ASKED_IN: dict[type[Move], tuple[tuple[str, ...], Any]] = {
    Show: ((*SHOWN, *DEALT), why_not_come),
    Deal: ((*SHOWN, *DEALT), why_not_come),
    m.Ghost: (("refill", "aid_draw", "remap"), why_not_come),
    m.Coin: (("coin",), why_not_coin),
    m.First: (("first",), why_not_seat),
    m.Share: (("share",), why_not_seat),
    m.Blame: (("blame",), why_not_seat),
    m.Place: (("place",), why_not_shelter),
    m.Go: (("action", "ride", "flee"), why_not_shelter),
    m.Lay: (("barrier", "lay_mirror"), why_not_shelter),
    m.Ruin: (("tower",), why_not_shelter),
    m.Hide: (("hide",), why_not_hide),
    m.Discard: (("throw", "penance", "aid_discard"), why_not_discard),
    m.Entrench: (("action",), why_not_act),
    m.Search: (("action",), why_not_act),
    m.Distract: (("action",), why_not_act),
    m.Pass: (("action",), why_not_act),
    m.Take: (("recover", "star"), why_not_take),
    m.Put: (("order", "order_omens"), why_not_put),
    m.Give: (("trade",), why_not_give),
    m.Divert: (("mirror",), why_not_divert),
}
