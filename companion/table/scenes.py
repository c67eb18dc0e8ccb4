"""What lies on the simulated table: a scene of cards for any state of any game. Pure; nothing is drawn here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from companion.games.cards import HIDDEN
from companion.games.cisza.records import NoiseOnly, Play
from companion.games.cisza.records import State as Cisza
from companion.games.game import Move, Show
from companion.games.silencio.records import COLOURS, SHRINES
from companion.games.silencio.records import State as Silencio
from companion.games.silentes.records import HOLE
from companion.games.silentes.records import State as Silentes
from companion.games.similo.records import State as Similo
from companion.table.hosts.cisza import KIND_OF, SURVIVOR
from vision.calibration import MARKER_SIDE
from vision.simulated import LaidCard, Scene
from vision.zones import Layout, Zone, load_layout

ROW_PITCH = 40.0


def scene(game: str, state: Any) -> Scene:
    """The table of a game as people would have laid it, with a marker in each corner."""
    layout = load_layout(game)
    cards = [*markers(layout), *SCENES[game](layout, state)]
    return Scene(tuple(cards), layout.width, layout.height)


def moment(game: str, before: Any, move: Move, after: Any) -> Scene:
    """The table while a move is made: a card that goes elsewhere at once is seen where it was turned or played."""
    if game == "cisza" and isinstance(move, Show) and move.card != "horde":
        return scene(game, replace(before, top=move.card))
    if game == "cisza" and isinstance(move, Play | NoiseOnly):
        return scene(game, replace(before, card=move.card))
    return scene(game, after)


def markers(layout: Layout) -> list[LaidCard]:
    """The four corner markers, as little cards."""
    near, right, low = MARKER_SIDE / 2, layout.width - MARKER_SIDE / 2, layout.height - MARKER_SIDE / 2
    spots = ((near, near), (right, near), (right, low), (near, low))
    return [LaidCard(f"marker-{number}", x, y) for number, (x, y) in enumerate(spots)]


def zone_of(layout: Layout, name: str) -> Zone:
    """A zone by its name."""
    return next(zone for zone in layout.zone if zone.name == name)


def spread(zone: Zone, count: int, pitch: float, inset: float = 36.0) -> list[tuple[float, float]]:
    """Places along a zone, closer together where there are many."""
    step = min(pitch, (zone.width - 2 * inset) / max(1, count - 1))
    return [(zone.x + inset + number * step, zone.y + zone.height / 2) for number in range(count)]


def silencio(layout: Layout, state: Silencio) -> list[LaidCard]:
    """Rows climbing from their shrines, the Oracle, open cards, tavern."""
    cards = []
    for row, colour in enumerate(COLOURS):
        zone = zone_of(layout, colour)
        places = spread(zone, len(state.rows[row]) + 1, ROW_PITCH)
        face = "lit" if colour in state.lit else "unlit"
        cards.append(LaidCard(f"shrine-{colour}", *places[0], face=face))
        for name, place in zip(state.rows[row], places[1:], strict=True):
            cards.append(LaidCard(name, *place, turn=180.0 if name in state.dark else 0.0))
    large = spread(zone_of(layout, "shrine-large"), 1, 0)[0]
    cards.append(LaidCard("shrine-large", *large, face="lit" if SHRINES[0] in state.lit else "unlit"))
    if state.options.tavern:
        place = spread(zone_of(layout, "tavern"), 1, 0)[0]
        cards.append(LaidCard("tavern", *place, face="open" if state.tavern_open else "closed"))
    cards += laid(state.oracle, spread(zone_of(layout, "oracle"), len(state.oracle), 72.0))
    opened = [card for held in state.open for card in held]
    zone = zone_of(layout, "open")
    step = min(92.0, (zone.height - 90) / max(1, len(opened) - 1))
    cards += laid(opened, [(zone.x + zone.width / 2, zone.y + 45 + number * step) for number in range(len(opened))])
    return cards


def laid(names: Sequence[str], places: Sequence[tuple[float, float]]) -> list[LaidCard]:
    """Cards upright in their places."""
    return [LaidCard(name, *place) for name, place in zip(names, places, strict=True) if name != HIDDEN]


def similo(layout: Layout, state: Similo) -> list[LaidCard]:
    """The grid, each character in its place for good, and the clues in a row."""
    everyone = sorted((*state.characters_left, *state.removed, *state.taken))
    zone = zone_of(layout, "grid")
    rows = max(1, -(-len(everyone) // 4))
    down = min(95.0, (zone.height - 90) / max(1, rows - 1))
    cards = [
        LaidCard(name, zone.x + 36 + 74 * (at % 4), zone.y + 46 + down * (at // 4))
        for at, name in enumerate(everyone)
        if name in state.characters_left
    ]
    places = spread(zone_of(layout, "clues"), len(state.clues), 92.0, 46.0)
    for clue, place in zip(state.clues, places, strict=True):
        cards.append(LaidCard(clue.card, *place, turn=90.0 if clue.way == "different" else 0.0))
    return cards


def silentes(layout: Layout, state: Silentes) -> list[LaidCard]:
    """Eight shelters, the silence cards below them, the hunt and the last omen."""
    zone = zone_of(layout, "shelters")
    cards = [
        LaidCard(name, zone.x + 65 + 138 * (cell % 4), zone.y + 72 + 145 * (cell // 4))
        for cell, name in enumerate(state.map)
        if name not in (HOLE, HIDDEN)
    ]
    played = zone_of(layout, "played")
    for seat, cards_played in enumerate(state.played):
        if cards_played:
            cards += laid(cards_played[:1], [(played.x + 80 + 200 * seat, played.y + 90)])
    for name, pile in (("hunt", state.hunt or state.gone[-1:]), ("omen", state.omens[-1:])):
        if pile and state.options.drawing == "table":
            cards += laid(pile[:1], spread(zone_of(layout, name), 1, 0, 45.0))
    return cards


def cisza(layout: Layout, state: Cisza) -> list[LaidCard]:
    """The city's top card, the card being played, and the shelters with survivors and zombies."""
    spare = {kind: [card for card, own in KIND_OF.items() if own == kind] for kind in set(KIND_OF.values())}
    cards = []
    for seat in range(state.options.players):
        zone = zone_of(layout, f"shelter-{seat + 1}")
        upper = Zone("", zone.x, zone.y, zone.width, 90.0)
        lower = Zone("", zone.x, zone.y + 90, zone.width, 90.0)
        for kind, place in zip(state.zombies[seat], spread(upper, len(state.zombies[seat]), 66.0), strict=True):
            cards.append(LaidCard(spare[kind].pop(), *place, face="zombie"))
        row = [*(f"barrier {card}" for card in state.barriers[seat]), *["survivor"] * state.survivors[seat]]
        for name, place in zip(row, spread(lower, len(row), 66.0), strict=True):
            if name == "survivor":
                cards.append(LaidCard(SURVIVOR, *place, face="survivor"))
            else:
                cards.append(LaidCard(name.removeprefix("barrier "), *place))
    if state.city:
        card, face = (SURVIVOR, "survivor") if state.top == "none" else (spare[state.top].pop(), "zombie")
        cards.append(LaidCard(card, *spread(zone_of(layout, "city"), 1, 0)[0], face=face))
    if state.card != "none":
        cards.append(LaidCard(state.card, *spread(zone_of(layout, "play"), 1, 0)[0]))
    return cards


def least_moved(before: Scene, now: Scene) -> Scene:
    """A table of Cisza on which every zombie that can stay where it was does so.

    A state counts zombies but doesn't tell one card of a kind from another; a hand moves only those it must.
    """
    free = {card.card: card for card in before.cards if card.card in KIND_OF}
    names: dict[int, str] = {}
    for number, card in enumerate(now.cards):
        stays = (old.card for old in free.values() if (old.x, old.y) == (card.x, card.y))
        name = next((name for name in stays if is_alike(name, card)), None)
        if name is not None:
            names[number] = name
            del free[name]
    for number, card in enumerate(now.cards):
        if card.card in KIND_OF and number not in names:
            fits = (name for name in (*free, *KIND_OF) if is_alike(name, card))
            names[number] = next(name for name in fits if name not in names.values())
    cards = (replace(card, card=names.get(number, card.card)) for number, card in enumerate(now.cards))
    return replace(now, cards=tuple(cards))


def is_alike(name: str, card: LaidCard) -> bool:
    """Whether a zombie may lie in another's place: only one of the same kind."""
    return card.card in KIND_OF and KIND_OF[name] == KIND_OF[card.card]


SCENES: dict[str, Callable[[Layout, Any], list[LaidCard]]] = {
    "silencio": silencio,
    "similo": similo,
    "silentes": silentes,
    "cisza": cisza,
}
