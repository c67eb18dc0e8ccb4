"""Similo on paper: how the zones of its mat look, and the card that tells how a game goes."""

from __future__ import annotations

from companion.kits.similo.tabletop import SimiloTable
from companion.text import N_
from vision.art.mats import ZoneArt
from vision.art.reference import Chapter, Row, Section

WORDS = SimiloTable.zones
TEAL, RUST, PLUM = (36, 104, 110), (164, 84, 50), (104, 66, 120)

MAT = {
    "grid": ZoneArt(
        WORDS["grid"], TEAL, cards=tuple((36.0 + 74.0 * (n % 4), 52.0 + 93.0 * (n // 4)) for n in range(12))
    ),
    "clues": ZoneArt(
        WORDS["clues"], RUST, cards=tuple((46.0 + 92.0 * n, 58.0) for n in range(5)),
        notes=((300.0, 3.6, N_("upright: similar · across: different")),),
    ),
    "removed": ZoneArt(N_("taken off"), PLUM),
    "secret": ZoneArt(N_("the secret, after the game"), PLUM, cards=((50.0, 62.0),)),
    "deck": ZoneArt(N_("deck"), PLUM, cards=((50.0, 62.0),)),
}  # fmt: skip
CLUE = Section(
    N_("A clue"),
    (
        Row((), N_("upright"), N_("The secret has something in common with this card.")),
        Row((), N_("across"), N_("The secret differs from this card in something.")),
        Row(
            (),
            N_("What it is, nobody says."),
            N_(
                "Looks, age, time, trade, family, luck: whatever comes to mind. The clue giver neither speaks nor "
                "makes a face, and draws back to five cards after each clue."
            ),
        ),
    ),
    is_wide=True,
)
ROUNDS = Section(
    N_("How many characters go"),
    (
        Row(("1",), N_("first round: one")),
        Row(("2",), N_("second round: two")),
        Row(("3",), N_("third round: three")),
        Row(("4",), N_("fourth round: four")),
        Row(("5",), N_("fifth round: one, and one is left")),
    ),
    is_wide=True,
)
END = Section(
    N_("The end"),
    (
        Row((), N_("Won"), N_("The last character is the secret one.")),
        Row((), N_("Lost"), N_("The secret one was taken off. The game ends at once.")),
    ),
    is_wide=True,
)
AIDS = (Chapter(N_("Similo: a game"), (CLUE, ROUNDS, END)),)
