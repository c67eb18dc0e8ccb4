"""Silentes: the noise meter, the map of shelters with tokens, the hunt, omens, hands and provisions."""

from __future__ import annotations

from companion.games.cards import HIDDEN
from companion.games.cards import Zone as Cards
from companion.games.game import Over
from companion.games.silentes.records import HOLE, LIMIT, RANK_OF, SUIT_OF, State
from companion.text import N_
from companion.web.pictures.model import Face, Meter, Pencil, Picture, Shape, Tone, Zone

TONES: dict[str, Tone] = {"wands": "red", "cups": "blue", "swords": "yellow", "pentacles": "green"}
SHAPES: dict[str, Shape] = {"wands": "triangle", "cups": "drop", "swords": "star", "pentacles": "square"}
RANKS = {1: "A", 11: "P", 12: "N", 13: "Q", 14: "K"}


def face(pencil: Pencil, card: str, tokens: tuple[int, ...] = ()) -> Face:
    """A card with its suit's colour and shape; an omen is violet, a hole is gone."""
    if card == HIDDEN:
        return pencil.face(card)
    if card == HOLE:
        return Face(HOLE, pencil.term(HOLE), is_gone=True, tokens=tokens)
    if card not in RANK_OF:
        return pencil.face(card, sign=card.removeprefix("major-"), tone="violet", shape="star", tokens=tokens)
    suit, rank = SUIT_OF[card], RANK_OF[card]
    return pencil.face(card, sign=RANKS.get(rank, str(rank)), tone=TONES[suit], shape=SHAPES[suit], tokens=tokens)


def faces(pencil: Pencil, cards: Cards) -> tuple[Face, ...]:
    """Cards side by side."""
    return tuple(face(pencil, card) for card in cards)


def picture(pencil: Pencil, state: State) -> Picture:
    """The table."""
    shelters = tuple(
        face(pencil, card, tuple(seat for seat, at in enumerate(state.tokens) if at == cell))
        for cell, card in enumerate(state.map)
    )
    zones = [Zone("map", pencil.text(N_("shelters")), shelters, "grid", columns=4)]
    zones.append(Zone("hunt", pencil.text(N_("hunt")), faces(pencil, state.hunt), "row"))
    zones.append(Zone("omens", pencil.text(N_("omens")), faces(pencil, state.omens), "row"))
    step = pencil.game.pending(state)
    turn = None if isinstance(step, Over) else step.seat
    for seat in range(state.options.players):
        who = pencil.text(N_("player {seat}"), seat=seat + 1)
        zones.append(Zone(f"hand-{seat}", who, faces(pencil, state.hands[seat]), "fan", seat, seat == turn))
        if state.provisions[seat]:
            label = pencil.text(N_("provisions, player {seat}"), seat=seat + 1)
            zones.append(Zone(f"provisions-{seat}", label, faces(pencil, state.provisions[seat]), "row", seat))
        if state.played[seat]:
            label = pencil.text(N_("silence, player {seat}"), seat=seat + 1)
            zones.append(Zone(f"played-{seat}", label, faces(pencil, state.played[seat]), "row", seat))
    zones.append(Zone("deck", pencil.text(N_("hunt deck")), (), "pile", count=state.deck))
    notes = (pencil.text(N_("Round {round}."), round=state.round),)
    return Picture(tuple(zones), (Meter("noise", pencil.text(N_("noise")), state.noise, LIMIT),), notes)
