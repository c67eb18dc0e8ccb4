"""Similo: characters are alike as far as they share traits; a clue is as good as what it sets apart."""

from __future__ import annotations

from functools import cache

from companion.games.cards import HIDDEN
from companion.games.game import Move
from companion.games.similo import records as r
from companion.games.similo.records import State

# What anybody would say of a character at a glance. A deck of one's own has none: its bots guess.
TRAITS = {
    "aladdin": "east hero human magic male poor young",
    "alice": "britain child dream female hero human",
    "big-bad-wolf": "animal male villain",
    "captain-hook": "adult britain human male sea villain weapon",
    "cheshire-cat": "animal britain dream magic",
    "cinderella": "female hero human poor princess young",
    "dorothy": "child dream female hero human",
    "evil-queen": "adult female human magic royal villain",
    "evil-stepmother": "adult female human villain",
    "fairy-godmother": "adult female hero magic",
    "fox-and-the-cat": "animal group poor villain",
    "genie": "east magic male",
    "giant": "adult big male villain",
    "hunter": "adult human male weapon",
    "jack": "britain child hero human male poor",
    "fire-eater": "adult big human male villain",
    "king-arthur": "adult britain hero human male royal weapon",
    "little-mermaid": "female magic princess royal sea young",
    "little-red-riding-hood": "child female hero human",
    "mad-hatter": "adult britain dream human male",
    "peter-pan": "britain child hero human magic male",
    "pinocchio": "child magic male",
    "prince-charming": "hero human male royal young",
    "puss-in-boots": "animal hero male weapon",
    "queen-of-hearts": "adult britain dream female human royal villain",
    "robin-hood": "adult britain hero human male poor weapon",
    "sea-witch": "adult female magic sea villain",
    "snow-white": "female hero human princess royal young",
    "three-little-pigs": "animal group hero",
    "tinker-bell": "britain female magic small",
    "tin-woodman": "hero magic male weapon",
    "wicked-witch-of-the-west": "adult female magic villain",
    "abraham-lincoln": "adult america hero human leader male modern",
    "alexander-the-great": "antique human leader male royal weapon young",
    "anne-bonny": "britain female human sea villain weapon young",
    "bessie-coleman": "america female hero human modern young",
    "boudica": "antique britain female human leader royal weapon",
    "catherine-the-great": "adult female human leader royal",
    "charles-darwin": "adult britain human male science sea",
    "cleopatra": "antique east female human leader royal",
    "confucius": "adult antique east human male science",
    "elisabeth-of-bavaria": "female human royal young",
    "frederick-douglass": "america hero human male modern",
    "gaius-julius-caesar": "adult antique human leader male weapon",
    "genghis-khan": "adult east human leader male weapon",
    "hypatia": "antique female human science",
    "isaac-newton": "adult britain human male science",
    "joan-of-arc": "female hero human weapon young",
    "katsushika-hokusai": "adult art east human male sea",
    "leonardo-da-vinci": "adult art human male science",
    "ludwig-van-beethoven": "adult art human male",
    "marie-antoinette": "female human royal young",
    "marie-curie": "adult female human modern science",
    "mary-shelley": "art britain female human young",
    "montezuma": "america human leader male royal",
    "napoleon-bonaparte": "human leader male royal weapon",
    "pocahontas": "america female human princess young",
    "queen-elizabeth-i": "adult britain female human leader royal",
    "salah-ad-din": "east hero human leader male weapon",
    "sitting-bull": "america human leader male weapon",
    "tutankhamun": "antique child east human male royal young",
    "vincent-van-gogh": "adult art human male poor",
    "virginia-woolf": "art britain female human modern",
    "william-shakespeare": "adult art britain human male",
}


def worth(view: State, move: Move) -> float:
    """What a player thinks of a move: the clue giver knows the secret, a guesser has only the clues."""
    match move:
        case r.GiveClue(card, way) if view.secret != HIDDEN:
            return sets_apart(view, card, way)
        case r.Remove(cards) | r.Vote(cards):
            return -sum(fit(view, card) for card in cards)
        case r.Announce(count):
            return -abs(count - len(view.characters_left) / 3)
        case _:
            return 0.0


def sets_apart(view: State, card: str, way: str) -> float:
    """How much better the secret fits this clue than the other characters do."""
    sign = -1.0 if way == "different" else 1.0
    others = [one for one in view.characters_left if one != view.secret]
    mean = sum(likeness(card, one) for one in others) / max(1, len(others))
    return sign * (likeness(card, view.secret) - mean)


def fit(view: State, card: str) -> float:
    """How well a character fits all clues so far."""
    return sum((-1.0 if clue.way == "different" else 1.0) * likeness(clue.card, card) for clue in view.clues)


@cache
def likeness(one: str, other: str) -> float:
    """The share of traits that two characters have in common.

    >>> likeness("snow-white", "cinderella") > likeness("snow-white", "big-bad-wolf")
    True
    """
    mine, theirs = set(TRAITS.get(one, "").split()), set(TRAITS.get(other, "").split())
    return len(mine & theirs) / max(1, len(mine | theirs))
