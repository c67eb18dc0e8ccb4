"""Silentes on paper: how the zones of its mat and its tokens look, and the cards with omens and provisions."""

from __future__ import annotations

from companion.games.silentes import words
from companion.games.silentes.records import SUITS
from companion.kits.silentes.art import roman
from companion.kits.silentes.tabletop import PLAYED, PLAYERS, SHELTERS, SilentesTable
from companion.text import N_
from vision.art.mats import ZoneArt
from vision.art.pieces import TokenArt
from vision.art.reference import Chapter, Row, Section

WORDS = SilentesTable.zones
RUIN, HUNT, OMEN, FIND = (96, 88, 100), (150, 50, 50), (96, 60, 130), (60, 110, 80)
PLAYER = (N_("player 1"), N_("player 2"))
PILE = ((45.0, 73.0),)

MAT = {
    **{
        zone: ZoneArt(
            WORDS[zone], RUIN, number=cell, cards=((55.0, 79.0),),
            tokens=((116.0, 30.0, PLAYER[0]), (116.0, 77.0, PLAYER[1])),
        )
        for cell, zone in enumerate(SHELTERS, 1)
    },
    **{
        zone: ZoneArt(
            WORDS[zone], FIND, number=seat, cards=((80.0, 93.0),), tokens=((180.0, 93.0, N_("search or distract")),),
            notes=((80.0, 26.0, N_("silence card")),),
        )
        for seat, zone in enumerate(PLAYED, 1)
    },
    "hunt": ZoneArt(WORDS["hunt"], HUNT, cards=PILE),
    "omen": ZoneArt(WORDS["omen"], OMEN, cards=PILE),
    "hunt-deck": ZoneArt(N_("hunt deck"), HUNT, cards=PILE),
    "provisions": ZoneArt(WORDS["provisions"], FIND, cards=PILE),
    "discard-1": ZoneArt(WORDS["discard-1"], RUIN),
    "discard-2": ZoneArt(WORDS["discard-2"], RUIN),
}  # fmt: skip

TOKEN_WORDS = {
    **{name: TokenArt(words) for name, words in zip(PLAYERS, PLAYER, strict=True)},
    "search": TokenArt(N_("search")),
    "distract-wands": TokenArt(N_("distract"), "wands"),
    "distract-cups": TokenArt(N_("distract"), "cups"),
    "distract-swords": TokenArt(N_("distract"), "swords"),
    "distract-pentacles": TokenArt(N_("distract"), "pentacles"),
}
ACTIONS = Section(
    N_("One action each round"),
    (
        Row(
            (),
            N_("Move and hide"),
            N_("Go to a shelter beside yours and lay a card of its suit. Its value is your silence."),
        ),
        Row((), N_("Entrench"), N_("Stay. Your silence is half of the card that you hid behind in the round before.")),
        Row((), N_("Search"), N_("Stay, with silence 0, and draw a provision.")),
        Row(
            (),
            N_("Distract"),
            N_("Stay, with silence 0, discard a card and name a suit: a hunt of that suit is called off."),
        ),
    ),
    is_wide=True,
)
OMENS = tuple(
    Row((f"{roman(number)}.",), name, words.RULES[f"major-{number:02}"]) for number, name in enumerate(words.MAJORS)
)


def provisions(suit: str) -> Section:
    """The three provisions of a suit."""
    cards = (f"{suit}-{rank:02}" for rank in (1, 2, 3))
    rows = (Row((str(at),), words.ITEMS[card], words.RULES[card]) for at, card in enumerate(cards, 1))
    return Section(words.SUIT_NAMES[suit], tuple(rows), sign=suit)


AIDS = (
    # Two parts stand side by side.
    Chapter(
        N_("Silentes: omens"),
        (Section(N_("A King as the hunt brings an omen"), OMENS[:11]), Section(N_("It holds at once"), OMENS[11:])),
    ),
    Chapter(N_("Silentes: actions and provisions"), (ACTIONS, *map(provisions, SUITS))),
)
