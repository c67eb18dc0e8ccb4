"""Cisza on paper: how the zones of its mat look, and the card that tells how a turn goes."""

from __future__ import annotations

from companion.games.cisza import words
from companion.games.cisza.records import ZOMBIES
from companion.kits.cisza.tabletop import ZONES, CiszaTable
from companion.text import N_
from vision.art.mats import ZoneArt
from vision.art.reference import Chapter, Row, Section

WORDS = CiszaTable.zones
CITY, PLAY, DISCARD, SHELTER = (60, 80, 110), (150, 60, 50), (110, 104, 100), (60, 110, 90)
FAR = ("shelter-4", "shelter-5", "shelter-6")

MAT = {
    **{
        zone: ZoneArt(
            WORDS[zone], SHELTER, number=seat, turned=zone in FAR,
            notes=((180.0, 3.6, N_("zombies here")), (110.0, 176.4, N_("survivors and barriers here"))),
        )
        for seat, zone in enumerate(ZONES, 1)
    },
    "city": ZoneArt(WORDS["city"], CITY, cards=((40.0, 54.0),)),
    "play": ZoneArt(WORDS["play"], PLAY, cards=tuple((40.0 + 66.0 * n, 54.0) for n in range(3))),
    "city-discard": ZoneArt(WORDS["city-discard"], DISCARD),
    "resource-discard": ZoneArt(N_("resource discards"), DISCARD, cards=((40.0, 54.0),)),
}  # fmt: skip
TURN = Section(
    N_("Your turn"),
    (
        Row(
            ("1",),
            N_("Play or discard"),
            N_("As many cards as you like, but only one of the two. First a card's effect, then its noise."),
        ),
        Row(
            ("2",),
            N_("The attack"),
            N_(
                "Each zombie in your shelter kills a survivor, unless a barrier is used. Without survivors you are out."
            ),
        ),
        Row(("3",), N_("Draw"), N_("Up to three cards. Not any more in the final attack.")),
    ),
    is_wide=True,
)
NOISE = Section(
    N_("Noise"),
    (
        Row(
            (),
            N_("A survivor is on top of the city"),
            N_("Turn the card over: the zombie is alert and stays there."),
        ),
        Row((), N_("A zombie is on top of the city"), N_("It goes to the shelter that made the noise.")),
    ),
    is_wide=True,
)
KINDS = Section(
    N_("Zombies"), tuple(Row((), words.TERMS[kind], words.RULES[kind]) for kind in ZOMBIES), is_wide=True
)  # fmt: skip
END = Section(
    N_("The end"),
    (
        Row((), N_("One shelter is left"), N_("It has won.")),
        Row(
            (),
            N_("No survivor is left in the city"),
            N_("The final attack: nobody draws any more. When no zombie is left, most survivors win."),
        ),
    ),
    is_wide=True,
)
AIDS = (Chapter(N_("Cisza: a turn"), (TURN, NOISE, KINDS, END)),)
