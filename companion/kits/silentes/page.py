"""Silentes: the noise meter, the map of shelters with tokens, the hunt, omens, hands and provisions."""

from __future__ import annotations

from companion.games.cards import HIDDEN, Cards
from companion.games.game import Move
from companion.games.silentes.records import CELLS, HOLE, IS_RANKLESS, NOISE_LIMIT, RANK_OF, SUIT_OF, Options, State
from companion.games.silentes.words import RANK_LETTERS, RULES, TERMS
from companion.kits.silentes.scene import scene
from companion.table.scenes import zone_of
from companion.text import N_, Text
from companion.web.pictures.model import (
    DrawingTools,
    DrawnCard,
    Meter,
    OnPage,
    PictureZone,
    Shape,
    TablePicture,
    Tone,
    named_targets,
)
from vision.simulated import LaidCard
from vision.zones import Layout

TONES: dict[str, Tone] = {"wands": "red", "cups": "blue", "swords": "yellow", "pentacles": "green"}
SHAPES: dict[str, Shape] = {"wands": "triangle", "cups": "drop", "swords": "star", "pentacles": "square"}
HUNTS = N_("To hide behind: silence {value}. When it hunts: the zone of {suit}, and it hears {value}.")


def drawn_card(tools: DrawingTools, card: str, tokens: tuple[int, ...] = ()) -> DrawnCard:
    """A card with its suit's colour and shape; an omen is violet, a hole is gone."""
    if card == HIDDEN:
        return tools.card(card)
    if card == HOLE:
        return DrawnCard(HOLE, tools.term(HOLE), is_gone=True, tokens=tokens)
    if card in IS_RANKLESS:
        return tools.card(card, tone=TONES[SUIT_OF[card]], shape=SHAPES[SUIT_OF[card]], tokens=tokens)
    if card not in RANK_OF:
        return tools.card(card, sign=card.removeprefix("major-"), tone="violet", shape="star", tokens=tokens)
    suit, rank = SUIT_OF[card], RANK_OF[card]
    return tools.card(card, sign=RANK_LETTERS.get(rank, str(rank)), tone=TONES[suit], shape=SHAPES[suit], tokens=tokens)


def drawn_cards(tools: DrawingTools, cards: Cards) -> tuple[DrawnCard, ...]:
    """Cards side by side."""
    return tuple(drawn_card(tools, card) for card in cards)


def picture(tools: DrawingTools, state: State) -> TablePicture:
    """The table."""
    shelters = tuple(
        drawn_card(tools, card, tuple(seat for seat, at in enumerate(state.tokens) if at == cell))
        for cell, card in enumerate(state.map)
    )
    zones = [PictureZone("map", tools.text(N_("shelters")), shelters, "grid", columns=4)]
    zones.append(PictureZone("hunt", tools.text(N_("hunt")), drawn_cards(tools, state.hunt), "row"))
    zones.append(PictureZone("omens", tools.text(N_("omens")), drawn_cards(tools, state.omens), "row"))
    for seat in range(state.options.players):
        who = tools.text(N_("player {seat}"), seat=seat + 1)
        zones.append(PictureZone(f"hand-{seat}", who, drawn_cards(tools, state.hands[seat]), "fan", seat))
        if state.provisions[seat]:
            label = tools.text(N_("provisions, player {seat}"), seat=seat + 1)
            zones.append(
                PictureZone(f"provisions-{seat}", label, drawn_cards(tools, state.provisions[seat]), "row", seat)
            )
        if state.played[seat]:
            label = tools.text(N_("silence, player {seat}"), seat=seat + 1)
            zones.append(PictureZone(f"played-{seat}", label, drawn_cards(tools, state.played[seat]), "row", seat))
    zones.append(PictureZone("deck", tools.text(N_("hunt deck")), (), "pile", count=state.deck))
    notes = (tools.text(N_("Round {round}."), round=state.round),)
    return TablePicture(tuple(zones), (Meter("noise", tools.text(N_("noise")), state.noise, NOISE_LIMIT),), notes)


def board(layout: Layout, state: State) -> list[LaidCard]:
    """The table, with the hunt and the omens also where the box draws them, and the laid-out piles as they lie.

    Between two hunts none is shown: which one lies on top of those that are over, nobody has noted.
    """
    cards = [one for one in scene(layout, state) if layout.zone_at(one.x, one.y) not in ("hunt", "omen")]
    for name, pile in (("hunt", state.hunt), ("omen", state.omens[-1:])):
        zone = zone_of(layout, name)
        shown = [card for card in pile[:1] if card != HIDDEN]
        cards += [LaidCard(card, zone.x + zone.width / 2, zone.y + zone.height / 2) for card in shown]
    return cards


def targets(state: State, move: Move) -> tuple[str, ...]:
    """A shelter is tapped by its place."""
    cell = getattr(move, "cell", None)
    return named_targets(state, move) if cell is None else (f"shelter-{cell + 1}",)


def concerns(state: State, move: Move) -> tuple[str, ...]:
    """The card that is the shelter of a move."""
    cell = getattr(move, "cell", None)
    return () if cell is None or cell >= len(state.map) else (state.map[cell],)


def does(options: Options, card: str) -> Text | None:
    """What an omen or a provision does; a hunt card has only suit and rank."""
    return Text(RULES[card]) if card in RULES else None


def good_for(options: Options, card: str) -> Text | None:
    """What a hunt card is to who hides behind it, and to who is hunted."""
    if card not in RANK_OF or card in RULES or card in IS_RANKLESS:
        return None
    return Text(HUNTS, {"value": RANK_OF[card], "suit": Text(TERMS[SUIT_OF[card]])})


def progress(state: State) -> tuple[int, int] | None:
    """How many shelters are laid out."""
    return (len(state.map), len(CELLS)) if state.phase == "map" else None


ON_PAGE = OnPage(board=board, targets=targets, concerns=concerns, does=does, good_for=good_for, progress=progress)
