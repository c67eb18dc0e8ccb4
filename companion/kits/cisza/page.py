"""Cisza: the city as a clock, and each shelter with its survivors, barriers, zombies and hand."""

from __future__ import annotations

from companion.games.cisza.records import CITY_SIZE, State
from companion.text import N_
from companion.web.pictures.model import Face, Meter, Pencil, Picture, Shape, Tone, Zone

ZOMBIES: dict[str, Tone] = {"regular": "green", "strong": "red", "fast": "yellow", "horde": "violet"}


def face(pencil: Pencil, card: str) -> Face:
    """A zombie by its kind, else a resource."""
    if card in ZOMBIES:
        return pencil.face(card, tone=ZOMBIES[card], shape="skull")
    return pencil.face(card, tone="" if card == "?" else "grey")


def shelter(pencil: Pencil, state: State, seat: int) -> list[Zone]:
    """One player's shelter and hand."""
    people = [Face("survivor", pencil.text(N_("survivor")), tone="white", shape="person")] * state.survivors[seat]
    walls = [pencil.face(card, tone="blue", shape="wall") for card in state.barriers[seat]]
    dead = [face(pencil, card) for card in state.zombies[seat]]
    label = pencil.text(N_("shelter, player {seat}"), seat=seat + 1)
    is_out = seat in state.out
    note = pencil.text(N_("fallen")) if is_out else ""
    zones = [Zone(f"shelter-{seat}", label, (*people, *walls, *dead), "row", seat, seat == state.turn, note=note)]
    if not is_out:
        hand = tuple(face(pencil, card) for card in state.hands[seat])
        zones.append(Zone(f"hand-{seat}", pencil.text(N_("hand, player {seat}"), seat=seat + 1), hand, "fan", seat))
    return zones


def picture(pencil: Pencil, state: State) -> Picture:
    """The table."""
    zones: list[Zone] = []
    for seat in range(state.options.players):
        zones += shelter(pencil, state, seat)
    skull: Shape = "skull"
    if state.top != "none":
        top = Face(state.top, pencil.term(state.top), tone=ZOMBIES.get(state.top, "grey"), shape=skull)
        zones.insert(0, Zone("top", pencil.text(N_("on the city deck")), (top,), "row"))
    zones.append(Zone("stock", pencil.text(N_("resources")), (), "pile", count=state.stock))
    notes = (pencil.text(N_("The final attack is on.")),) if state.final else ()
    return Picture(tuple(zones), (Meter("city", pencil.text(N_("city deck")), state.city, CITY_SIZE),), notes)
