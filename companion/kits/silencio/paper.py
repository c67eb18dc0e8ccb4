"""Silencio on paper: how the zones of its mat look, and the card that tells what colours do."""

from __future__ import annotations

from companion.games.silencio.records import Start
from companion.kits.silencio.host import VERBS
from companion.kits.silencio.tabletop import NUMBERS, SilencioTable
from companion.text import N_
from vision.art.mats import ZoneArt
from vision.art.patterns import INKS
from vision.art.reference import Chapter, Row, Section

COLOURS = {"red": "r", "blue": "b", "yellow": "y", "green": "g"}
STONE, INN, NIGHT = (150, 116, 60), (150, 84, 60), (70, 66, 120)
WORDS = SilencioTable.zones
ONE = ((37.5, 50.0),)

MAT = {
    **{
        name: ZoneArt(
            WORDS[name],
            INKS[key],
            key,
            cards=((36.0, 50.0),),
            notes=((520.0, 3.6, N_("from the shrine to the right")),),
        )
        for name, key in COLOURS.items()
    },
    "shrine-large": ZoneArt(WORDS["shrine-large"], STONE, cards=ONE),
    "tavern": ZoneArt(WORDS["tavern"], INN, cards=ONE),
    "start": ZoneArt(N_("start card"), STONE, cards=ONE),
    **{zone: ZoneArt(VERBS[Start], STONE, number=seat) for seat, zone in enumerate(NUMBERS, 1)},
    "oracle": ZoneArt(WORDS["oracle"], NIGHT, cards=tuple((36.0 + 72.0 * n, 50.0) for n in range(4))),
    "deck": ZoneArt(N_("deck"), NIGHT, cards=ONE),
    "open": ZoneArt(WORDS["open"], NIGHT, cards=tuple((47.5, 52.0 + 92.0 * n) for n in range(3))),
}

SIDES = Section(
    N_("Which effect?"),
    (
        Row(
            ("sun",),
            N_("The card leaves out a number: light"),
            N_("Lay it light side up. You may use its light effect or leave it."),
        ),
        Row(
            ("moon",),
            N_("The card is the very next number: dark"),
            N_("Lay it dark side up. Its dark effect must be carried out, unless it was your last card."),
        ),
    ),
    is_wide=True,
)


def colour(sign: str, title: str, light: str, dark: str) -> Section:
    """What a colour does by day and by night."""
    return Section(title, (Row(("sun",), "", light), Row(("moon",), "", dark)), is_wide=True, sign=sign)


EFFECTS = (
    colour(
        "red",
        N_("Red"),
        N_("If the next card played were dark, its effect is left out."),
        N_("If the next card played were light, its effect is left out."),
    ),
    colour(
        "blue",
        N_("Blue"),
        N_("Take the last card of a row that isn't blue into your hand. Shrines stay."),
        N_("Give a card of the Oracle to another player. The deck fills the gap."),
    ),
    colour(
        "yellow",
        N_("Yellow"),
        N_("Lay one of your cards open before you. It stays yours, but whoever likes may play it."),
        N_("Whoever plays next draws from their hidden cards blind. One that doesn't fit goes back, and they choose."),
    ),
    colour(
        "green",
        N_("Green"),
        N_(
            "Choose anyone, yourself too. That player swaps a card with somebody, or with the Oracle, or sends the "
            "whole Oracle out of the game for new cards from the deck."
        ),
        N_("The next card played must be green; who has none passes. The highest green card doesn't do this."),
    ),
)
SHRINES = Section(
    N_("Shrines and tavern"),
    (
        Row(
            (),
            N_("Shrines"),
            N_(
                "Turn one over at the start or the end of your turn for its light effect; the large one has the effect "
                "of any colour. One a turn, and not in a turn in which you pass."
            ),
        ),
        Row(
            (),
            N_("Tavern"),
            N_(
                "The third dark effect opens it. At the start or the end of your turn you may close it and say how "
                "many of your cards you can't play, in which colour you have only high cards, or which colour should "
                "be left alone."
            ),
        ),
    ),
    is_wide=True,
)
AIDS = (Chapter(N_("Silencio: effects"), (SIDES, *EFFECTS, SHRINES)),)
