"""Cisza: the city as a clock, and each shelter with its survivors, barriers, zombies and hand."""

from __future__ import annotations

from companion.games.cisza import CISZA
from companion.games.cisza.records import CITY_SIZE, Assign, Kill, KillTop, Options, Send, State, UseBarrier
from companion.games.cisza.words import RULES
from companion.games.game import Move, Show
from companion.kits.cisza.tabletop import KIND_OF
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

ZOMBIES: dict[str, Tone] = {"regular": "green", "strong": "red", "fast": "yellow", "horde": "violet"}


def drawn_card(tools: DrawingTools, card: str) -> DrawnCard:
    """A zombie by its kind, else a resource."""
    if card in ZOMBIES:
        return tools.card(card, tone=ZOMBIES[card], shape="skull")
    return tools.card(card, tone="" if card == "?" else "grey")


def shelter(tools: DrawingTools, state: State, seat: int) -> list[PictureZone]:
    """One player's shelter and hand."""
    people = [DrawnCard("survivor", tools.text(N_("survivor")), tone="white", shape="person")] * state.survivors[seat]
    walls = [tools.card(card, tone="blue", shape="wall") for card in state.barriers[seat]]
    dead = [drawn_card(tools, card) for card in state.zombies[seat]]
    label = tools.text(N_("shelter, player {seat}"), seat=seat + 1)
    is_out = seat in state.out
    note = tools.text(N_("fallen")) if is_out else ""
    zones = [PictureZone(f"shelter-{seat}", label, (*people, *walls, *dead), "row", seat, note=note)]
    if not is_out:
        hand = tuple(drawn_card(tools, card) for card in state.hands[seat])
        zones.append(
            PictureZone(f"hand-{seat}", tools.text(N_("hand, player {seat}"), seat=seat + 1), hand, "fan", seat)
        )
    return zones


def picture(tools: DrawingTools, state: State) -> TablePicture:
    """The table."""
    zones: list[PictureZone] = []
    for seat in range(state.options.players):
        zones += shelter(tools, state, seat)
    skull: Shape = "skull"
    if state.top != "none":
        top = DrawnCard(state.top, tools.term(state.top), tone=ZOMBIES.get(state.top, "grey"), shape=skull)
        zones.insert(0, PictureZone("top", tools.text(N_("on the city deck")), (top,), "row"))
    zones.append(PictureZone("stock", tools.text(N_("resources")), (), "pile", count=state.stock))
    notes = (tools.text(N_("The final attack is on.")),) if state.final else ()
    return TablePicture(tuple(zones), (Meter("city", tools.text(N_("city deck")), state.city, CITY_SIZE),), notes)


def rules_name_of(card: str) -> str:
    """A city card with its zombie up is a zombie of its kind."""
    return KIND_OF.get(card, card)


def targets(state: State, move: Move) -> tuple[str, ...]:
    """A zombie or a barrier in its shelter, a shelter for its player."""
    own = f"shelter-{state.turn + 1}"
    match move:
        case Show():
            return (f"deck:{move.card}",)
        case KillTop():
            return (f"{state.top}@city",)
        case Kill() | Send():
            return (f"{move.zombie}@{own}",)
        case UseBarrier():
            return (f"{move.card}@{own if move.seat < 0 else f'shelter-{move.seat + 1}'}",)
        case Assign():
            return (f"shelter-{move.seat + 1}", f"seat-{move.seat + 1}")
    seat = getattr(move, "seat", -1)
    return (*named_targets(state, move), *((f"shelter-{seat + 1}",) if seat >= 0 else ()))


def does(options: Options, card: str) -> Text | None:
    """What a zombie or a resource does."""
    return CISZA.rule(rules_name_of(card)) if rules_name_of(card) in RULES else None


ON_PAGE = OnPage(rules_name_of=rules_name_of, targets=targets, does=does)
