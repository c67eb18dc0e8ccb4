"""Mistakes of a simulated table: what somebody does wrong with the cards, and puts right again."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from benchmarks.presses.hand import Hand, corner
from companion.games.game import Move
from vision.simulated import LaidCard

Act = Callable[[], None]
Mistake = tuple[str, Act, bool]


def mistaken(game: str, state: Any, turn: list[tuple[Any, Move, Any]], hand: Hand, rng: random.Random) -> Mistake:
    """A mistake that can be made now: its kind, what the hand does, and whether the box owes a reason."""
    found: list[Mistake] = [
        ("bumped", lambda: hand.cards.update(hand.nudged()), False),
        ("idle ✔", lambda: None, False),
    ]
    movable = [key for key, card in hand.cards.items() if not card.card.startswith(("shrine", "city", "token"))]
    if movable:
        gone = rng.choice(movable)
        found.append(("lifted", lambda: drop(hand, gone), False))
    found += BY_GAME.get(game, nothing)(state, hand, rng)
    return rng.choice(found)


def drop(hand: Hand, key: str) -> None:
    """Take a card off the table."""
    del hand.cards[key]


def put(hand: Hand, card: LaidCard) -> None:
    """Lay a card that the script knows nothing of."""
    hand.cards["mistake"] = card
    hand.identities["mistake"] = 9999 + len(hand.cards)


def nothing(state: Any, hand: Hand, rng: random.Random) -> list[Mistake]:
    """No mistakes of its own."""
    return []


def silencio(state: Any, hand: Hand, rng: random.Random) -> list[Mistake]:
    """A card that doesn't climb, in another row, or the wrong way round."""
    if state.phase != "turn" or "?" not in state.hands[state.turn] or state.markers:
        return []
    letters = {"r": "red", "b": "blue", "y": "yellow", "g": "green"}
    rows = dict(zip(letters.values(), state.rows, strict=True))
    found: list[Mistake] = []
    low: list[tuple[str, str, bool]] = []
    fits: list[tuple[str, str, bool]] = []
    for card in state.unseen:
        row = rows[letters[card[0]]]
        top = int(row[-1][1:]) if row else 1
        (low if int(card[1:]) < top else fits).append((card, letters[card[0]], int(card[1:]) == top + 1))

    def laid(card: str, colour: str, turn: float) -> Act:
        x, y = corner("silencio", colour)
        return lambda: put(hand, LaidCard(card, x + 34 + 39 * (len(rows[colour]) + 1), y + 50, turn))

    if low:
        card, colour, _ = rng.choice(low)
        found.append(("too low", laid(card, colour, 0.0), True))
    if fits:
        card, colour, is_dark = rng.choice(fits)
        found.append(("wrong side", laid(card, colour, 0.0 if is_dark else 180.0), True))
        other = rng.choice([one for one in rows if one != colour])
        found.append(("wrong row", laid(card, other, 180.0 if is_dark else 0.0), True))
    return found


def similo(state: Any, hand: Hand, rng: random.Random) -> list[Mistake]:
    """A character of the grid as a clue, or one too many taken off."""
    here = [key for key in hand.cards if key.endswith("@grid")]
    if state.phase == "clue":
        key = rng.choice(here)
        x, y = corner("similo", "clues")

        def clue() -> None:
            card = hand.cards.pop(key)
            put(hand, replace(card, x=x + 48 + 90 * len(state.clues), y=y + 55))

        return [("grid card as a clue", clue, True)]
    if state.phase == "remove" and len(here) > state.count + 1:
        gone = rng.sample(here, state.count + 1)

        def take_off() -> None:
            for key in gone:
                drop(hand, key)

        return [("too many gone", take_off, True)]
    return []


def cisza(state: Any, hand: Hand, rng: random.Random) -> list[Mistake]:
    """A weapon without anybody to hit."""
    if state.phase != "turn" or state.mode != "none" or state.zombies[state.turn]:
        return []
    x, y = corner("cisza", "play")
    shot = rng.choice(("axe", "revolver"))

    def shoot() -> None:
        put(hand, LaidCard(shot, x + 200, y + 52))

    return [("nothing to shoot", shoot, False)]  # it may be meant as a discard


BY_GAME: dict[str, Callable[[Any, Hand, random.Random], list[Mistake]]] = {
    "silencio": silencio,
    "similo": similo,
    "cisza": cisza,
}
