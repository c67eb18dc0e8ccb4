"""A hand that lays a game's cards by code of its own, sloppily: it knows the rules' state and nothing of any layout.

Each thing that lies keeps its place until it must go elsewhere; what is laid lies a little askew.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.games.game import Move
from companion.kits import KITS
from vision.simulated import LaidCard

OFF_MM, ASKEW_DEGREES = 4.0, 4.0
"""Millimetres and degrees by which a card may lie off."""


class LaidSpot(Struct, frozen=True):
    """Where something should lie: what it is, a key by which it stays the same, and its place on the table."""

    key: str
    card: str
    x: float
    y: float
    turn: float = 0.0
    face: str = ""


class Hand:
    """Lays the tables of one game.

    `cards` is what lies, in the order in which it was laid, and `laid` the numbers of that; `meant` is where it should;
    `new` is what came since the box has looked, and `gone` what was taken up.
    """

    def __init__(self, game: str, rng: random.Random):
        self.game, self.rng = game, rng
        self.cards: dict[str, LaidCard] = {}
        self.identities: dict[str, int] = {}
        self.laid: dict[str, int] = {}
        self.meant: dict[str, LaidSpot] = {}
        self.new: frozenset[str] = frozenset()
        self.gone: frozenset[str] = frozenset()
        self._count = self._layings = 0
        self.memory: dict[str, Any] = {}

    def picture(self, before: Any, move: Move, after: Any) -> dict[str, LaidSpot]:
        """What would lie where after a move; nothing is touched."""
        memory = deepcopy(self.memory)
        try:
            return {spot.key: spot for spot in SPOTS[self.game](self, before, move, after)}
        finally:
            self.memory = memory

    def lay(self, before: Any, move: Move | None, after: Any) -> bool:
        """Make the table what it is after a move; whether anything was touched."""
        spots = {spot.key: spot for spot in SPOTS[self.game](self, before, move, after)}
        touched = False
        for key in [key for key in self.cards if key not in spots]:
            del self.cards[key], self.meant[key], self.identities[key]
            self.gone |= {key}
            touched = True
        for key, spot in spots.items():
            if self.meant.get(key) != spot:
                self._put(spot)
                touched = True
        return touched

    def _put(self, spot: LaidSpot) -> None:
        if spot.key not in self.identities:
            self._count += 1
            self.identities[spot.key] = self._count
        self._layings += 1
        self.laid[spot.key] = self._layings
        self.meant[spot.key] = spot
        self.new |= {spot.key}
        self.cards.pop(spot.key, None)
        self.cards[spot.key] = LaidCard(
            spot.card,
            spot.x + self.rng.uniform(-OFF_MM, OFF_MM),
            spot.y + self.rng.uniform(-OFF_MM, OFF_MM),
            (spot.turn + self.rng.uniform(-ASKEW_DEGREES, ASKEW_DEGREES)) % 360,
            spot.face,
        )

    def nudged(self) -> dict[str, LaidCard]:
        """The cards after somebody has bumped into the table."""
        off = {key: (self.rng.uniform(-3, 3), self.rng.uniform(-3, 3)) for key in self.cards}
        return {key: replace(card, x=card.x + off[key][0], y=card.y + off[key][1]) for key, card in self.cards.items()}

    def slot(self, zone: str, key: str) -> int:
        """A place in a zone that a card keeps: the first free one."""
        slots = self.memory.setdefault(zone, {})
        if key not in slots:
            slots[key] = next(number for number in range(99) if number not in slots.values())
        return int(slots[key])

    def row(self, zone: str, keys: Sequence[str], most: int = 3) -> list[str]:
        """Cards of a row in which each new one comes last, with gaps where some left; a long row has no gaps."""
        row = [key if key in keys else "" for key in self.memory.get(zone, [])]
        row += [key for key in keys if key not in row]
        while row and not row[-1]:
            row.pop()
        self.memory[zone] = [key for key in row if key] if len(row) > most else row
        return list(self.memory[zone])

    def free(self, zone: str, keys: set[str]) -> None:
        """Forget the places of what isn't in a zone any more."""
        slots = self.memory.setdefault(zone, {})
        for key in [key for key in slots if key not in keys]:
            del slots[key]


def corner(game: str, zone: str) -> tuple[float, float]:
    """The upper left corner of a zone of the mat."""
    found = next(one for one in KITS[game].layout.zone if one.name == zone)
    return found.x, found.y


def silencio(hand: Hand, before: Any, move: Move | None, after: Any) -> Iterator[LaidSpot]:
    """Rows to the right of their shrines; the Oracle, open cards; a card that is given on the number of who gets it."""
    if type(move).__name__ == "Give":
        x, y = corner("silencio", f"begins-{move.seat + 1}")  # type: ignore[union-attr]
        yield LaidSpot(f"{move.card}@given", move.card, x + 37, y + 25, 90.0)  # type: ignore[union-attr]
    for row, colour in enumerate(("red", "blue", "yellow", "green")):
        x, y = corner("silencio", colour)
        lit = "lit" if colour in after.lit else "unlit"
        yield LaidSpot(f"shrine-{colour}", f"shrine-{colour}", x + 34, y + 50, 0.0, lit)
        for at, card in enumerate(after.rows[row], 1):
            yield LaidSpot(f"{card}@row", card, x + 34 + 39 * at, y + 50, 180.0 if card in after.dark else 0.0)
    x, y = corner("silencio", "shrine-large")
    yield LaidSpot("large", "shrine-large", x + 37, y + 50, 0.0, "lit" if "large" in after.lit else "unlit")
    hand.free("oracle", set(after.oracle))
    x, y = corner("silencio", "oracle")
    for card in after.oracle:
        yield LaidSpot(f"{card}@oracle", card, x + 40 + 72 * hand.slot("oracle", card), y + 50)
    opened = [card for cards in after.open for card in cards]
    hand.free("open", set(opened))
    x, y = corner("silencio", "open")
    for card in opened:
        place = hand.slot("open", card)
        yield LaidSpot(f"{card}@open", card, x + 35 + 25 * (place % 2), y + 48 + 44 * place % 270)


def similo(hand: Hand, before: Any, move: Move | None, after: Any) -> Iterator[LaidSpot]:
    """The grid, each character in its place for good; clues from the left, upright or across."""
    x, y = corner("similo", "grid")
    rows = after.options.grid // 4
    for card in after.characters_left:
        place = hand.slot("grid", card)
        yield LaidSpot(f"{card}@grid", card, x + 38 + 74 * (place % 4), y + 48 + (190 / (rows - 1)) * (place // 4))
    x, y = corner("similo", "clues")
    for at, clue in enumerate(after.clues):
        pitch = 90 if len(after.clues) < 6 else 28
        turn = 90.0 if clue.way == "different" else 0.0
        yield LaidSpot(f"{clue.card}@clue{at}", clue.card, x + 48 + pitch * at, y + 55, turn)


KINDS = ("regular", "strong", "fast", "horde")
COUNTS = (23, 12, 18, 2)
MAX_SIDE_BY_SIDE = 3
"""Zombies and barriers that lie side by side in a shelter."""


def cisza(hand: Hand, before: Any, move: Move | None, after: Any) -> Iterator[LaidSpot]:
    """Shelters with people below, zombies and barriers above; what is played or killed lies open for a turn."""
    memory = hand.memory
    if "kind" not in memory:
        kinds = [kind for kind, count in zip(KINDS, COUNTS, strict=True) for _ in range(count)]
        memory["kind"] = {f"city-{at:02}": kind for at, kind in enumerate(kinds, 1)}
        memory["at"] = {}
        memory["played"], memory["discarded"], memory["number"], memory["stale"] = [], [], 0, False
    played = getattr(move, "card", "?") if type(move).__name__ in ("Play", "NoiseOnly", "Discard") else "?"
    came = Counter(after.discard) - Counter(before.discard)
    gone_barriers = [card for card in came if card in ("barricade", "alarm", "mines")]
    if memory["stale"] and (move is None or played != "?" or _zombies(before) != _zombies(after)):
        memory["played"], memory["discarded"], memory["stale"] = [], [], False
        memory["at"] = {name: at for name, at in memory["at"].items() if at != "discard"}
    memory["stale"] = memory["stale"] or after.turn != before.turn
    for card in [played, *gone_barriers] if played not in gone_barriers else [played]:
        if card != "?" and came[card]:
            memory["number"] += 1
            where = "played" if card == played and type(move).__name__ != "Discard" else "discarded"
            memory[where] = [*memory[where], (f"{card}#{memory['number']}", card)]
    if not after.discard:
        memory["discarded"] = []
    _move_zombies(memory, before, after)
    yield from _cisza_spots(hand, after)


def _zombies(state: Any) -> list[Counter[str]]:
    return [Counter(zombies) for zombies in state.zombies]


def _move_zombies(memory: dict[str, Any], before: Any, after: Any) -> None:
    """Move as few physical zombies as the state allows."""
    where: dict[str, Any] = memory["at"]
    wanted: Counter[tuple[Any, str]] = Counter()
    for seat, zombies in enumerate(after.zombies):
        wanted.update((seat, kind) for kind in zombies)
    if after.city and after.top != "none":
        wanted["city", after.top] += 1
    killed = Counter(dict(zip(KINDS, after.killed, strict=True))) - Counter(
        dict(zip(KINDS, before.killed, strict=True))
    )
    lying = Counter(memory["kind"][name] for name, at in where.items() if at == "discard")
    for kind in KINDS:
        wanted["discard", kind] = lying[kind] + killed[kind]
    loose = []
    for name, at in list(where.items()):
        if wanted[at, memory["kind"][name]] > 0:
            wanted[at, memory["kind"][name]] -= 1
        else:
            loose.append(name)
            del where[name]
    used = memory.setdefault("used", set())
    for (at, kind), count in wanted.items():
        for _ in range(count):
            name = next((one for one in loose if memory["kind"][one] == kind), "")
            if not name:
                spare = (one for one, own in memory["kind"].items() if own == kind and one not in used)
                name = next(spare, f"city-{1 + sum(COUNTS[: KINDS.index(kind)]):02}")
                used.add(name)
            else:
                loose.remove(name)
            where[name] = at


def _two_rows(hand: Hand, seat: int, barriers: int, people: int) -> tuple[list[str], list[str]]:
    """The zombies of a shelter beside its barriers, and those that lie beside its people, where more room is left."""
    mine = [name for name, at in hand.memory["at"].items() if at == seat]
    lain, below = hand.memory.get(f"above{seat}", []), hand.memory.get(f"below{seat}", [])
    above = [name for name in lain if name in mine]
    below = [name for name in below if name in mine]
    for name in mine:
        if name not in (*above, *below):
            crowd = len(above) + barriers
            (below if crowd > MAX_SIDE_BY_SIDE and len(below) + people < crowd else above).append(name)
    return hand.row(f"above{seat}", above), hand.row(f"below{seat}", below)


def _cisza_spots(hand: Hand, after: Any) -> Iterator[LaidSpot]:
    where = hand.memory["at"]
    for seat in range(after.options.players):
        x, y = corner("cisza", f"shelter-{seat + 1}")
        barriers, people = after.barriers[seat], after.survivors[seat]
        above, below = _two_rows(hand, seat, len(barriers), people)
        # Zombies from the left, barriers and people from the right; many are pushed together.
        pitch, closer = 173.0 / max(1, len(above) + len(barriers) - 1), 176.0 / max(1, len(below) + people - 1)
        for row, step, down in ((above, min(68.0, pitch), 46), (below, min(68.0, closer), 134)):
            for at, name in enumerate(row):
                if name:
                    yield LaidSpot(name, name, x + 36 + step * at, y + down, 0.0, "zombie")
        for at, card in enumerate(barriers):
            yield LaidSpot(f"b-{card}-{at}@{seat}", card, x + 209 - min(40.0, pitch) * at, y + 46)
        for at in range(people):
            yield LaidSpot(f"s{at}@{seat}", "city", x + 212 - min(40.0, closer) * at, y + 134, 0.0, "survivor")
    x, y = corner("cisza", "city")
    top = next((name for name, at in where.items() if at == "city"), None)
    if top is not None:
        yield LaidSpot(top, top, x + 40, y + 52, 0.0, "zombie")
    elif after.city:
        yield LaidSpot("deck", "city", x + 40, y + 52, 0.0, "survivor")
    x, y = corner("cisza", "play")
    for at, (key, card) in enumerate(hand.memory["played"]):
        yield LaidSpot(key, card, x + 40 + 80 * (at % 3), y + 48 + 8 * (at // 3))
    x, y = corner("cisza", "resource-discard")
    for at, (key, card) in enumerate(hand.memory["discarded"][-3:]):
        yield LaidSpot(key, card, x + 36 + 64 * at, y + 52)
    x, y = corner("cisza", "city-discard")
    for at, name in enumerate(name for name, at in where.items() if at == "discard"):
        yield LaidSpot(name, name, x + 40 + 80 * (at % 2), y + 48 + 4 * (at // 2), 0.0, "zombie")


def silentes(hand: Hand, before: Any, move: Move | None, after: Any) -> Iterator[LaidSpot]:
    """The map with the players' tokens, silence cards and tokens of what they do, piles with their last card on top."""
    for cell, card in enumerate(after.map):
        x, y = corner("silentes", f"shelter-{cell + 1}")
        if card not in ("hole", "?"):
            yield LaidSpot(f"{card}@map", card, x + 52, y + 75)
        for seat in (0, 1):
            if after.tokens[seat] == cell:
                yield LaidSpot(f"player-{seat + 1}", f"token-player-{seat + 1}", x + 112, y + 45 + 60 * seat)
    for card, thing in (("wands-02", after.barrier), ("swords-03", after.mirror)):
        if thing is not None:
            x, y = corner("silentes", f"shelter-{thing.cell + 1}")
            yield LaidSpot(f"{card}@shelter", card, x + 70, y + 82)
    if type(move).__name__ == "Distract":
        hand.memory[f"cry{before.turn}"] = getattr(move, "suit", "")
    for seat in (0, 1):
        x, y = corner("silentes", f"played-{seat + 1}")
        for card in after.played[seat]:
            yield LaidSpot(f"{card}@played", card, x + 70, y + 90)
        act = after.acts[seat]
        if act in ("search", "distract"):
            token = f"token-{act}" + (f"-{hand.memory[f'cry{seat}']}" if act == "distract" else "")
            yield LaidSpot(f"{token}@{seat}", token, x + 190, y + 90)
    piles = {"hunt": (*after.gone, *after.hunt), "omen": after.omens}
    piles |= {"provisions": after.drawn, "discard-1": after.piles[0], "discard-2": after.piles[1]}
    for zone, pile in piles.items():
        old = hand.memory.setdefault(zone, [])
        new = Counter(pile) - Counter(old)
        old[:] = [card for card in old if card in pile] + list(new.elements())
        x, y = corner("silentes", zone)
        for at, card in enumerate(old[-2:]):
            if after.options.drawing == "table" or zone.startswith("discard"):
                yield LaidSpot(f"{card}@{zone}", card, x + 45, y + (75 + 30 * at if zone.startswith("discard") else 70))


SPOTS = {"silencio": silencio, "similo": similo, "silentes": silentes, "cisza": cisza}
