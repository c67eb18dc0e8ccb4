"""What the box's eye makes of a hand's table: the real eye on rendered frames, or a sight with noise, made at once."""

from __future__ import annotations

import random
from typing import Any, Protocol

from benchmarks.presses.hand import Hand
from companion.kits import KITS
from companion.table.scenes import corner_markers
from companion.table.sight import Seen, Sight, ZonedToken
from companion.table.simulated_table import SimulatedTable
from vision.simulated import Scene

DOUBTFUL = 0.004
"""How often a card that is laid can't be named; the real eye's share on clean pictures is smaller."""


class Eyes(Protocol):
    """Looks at a hand's table."""

    def see(self, hand: Hand) -> list[Sight]:
        """What is seen, frame by frame, until it has settled."""
        ...


class SeenEyes:
    """A sight of the cards as they lie, a millimetre off, with a doubtful name now and then."""

    def __init__(self, game: str, rng: random.Random):
        self.layout, self.rng, self.game = KITS[game].layout, rng, game
        self._doubts: dict[int, tuple[str, ...]] = {}

    def see(self, hand: Hand) -> list[Sight]:
        """One settled sight."""
        cards, strangers = [], []
        names = sorted({card.card for card in hand.cards.values()})
        tokens = []
        for key, card in hand.cards.items():
            if card.card.startswith("token-"):
                tokens.append(
                    ZonedToken(card.card.removeprefix("token-"), self.layout.zone_at(card.x, card.y), card.x, card.y)
                )
                continue
            identity = hand.identities.get(key, 0)
            if identity not in self._doubts:
                is_doubtful = self.rng.random() < DOUBTFUL and not card.face
                self._doubts[identity] = (card.card, self.rng.choice(names)) if is_doubtful else ()
            x, y = card.x + self.rng.uniform(-1, 1), card.y + self.rng.uniform(-1, 1)
            seen = Seen(
                card.card,
                self.layout.zone_at(x, y),
                card.turn + self.rng.uniform(-1, 1),
                card.face,
                x,
                y,
                identity=identity,
                laid=hand.laid.get(key, 0),
            )
            maybe = self._doubts[identity]
            if maybe and identity:
                strangers.append(
                    Seen("", seen.zone, seen.angle, "", x, y, 0.0, maybe, has_way=False, chances=(0.6, 0.3))
                )
            else:
                cards.append(seen)
        return [Sight(tuple(cards), strangers=tuple(strangers), tokens=tuple(tokens))]


class RealEyes:
    """Rendered frames through the very eye of the box. A table that nobody has touched isn't rendered again."""

    def __init__(self, game: str, options: Any, seed: int):
        self.simulated = SimulatedTable(game, options, seed=seed)
        self.layout = KITS[game].layout
        self._last: tuple[Scene, Sight] | None = None

    def see(self, hand: Hand) -> list[Sight]:
        """What the eye makes of a picture of the table, until it has settled."""
        scene = Scene((*corner_markers(self.layout), *hand.cards.values()), self.layout.width, self.layout.height)
        if self._last is not None and self._last[0] == scene:
            return [self._last[1]]
        sights = self.simulated.watch(scene)
        self._last = (scene, sights[-1])
        return sights
