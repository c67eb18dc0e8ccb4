"""Silentes' kit, joined."""

from __future__ import annotations

from companion.kits.kit import Kit, Variant
from companion.kits.silentes import art, bot, drawing, lessons, mistakes, page, paper, scene
from companion.kits.silentes.host import SilentesHost
from companion.kits.silentes.tabletop import TOKENS
from companion.text import N_
from vision.art.kit import DeckArt

KIT = Kit(
    host=SilentesHost(),
    about=N_("Two hide from the hunt with a tarot deck, and every noise counts."),
    decks=(DeckArt("tarot", N_("Silentes, tarot"), art.cards, art.SIZE, art.back, reads_alike=True),),
    variants=(
        Variant("table", N_("real cards are turned"), {"drawing": "table"}),
        Variant("virtual", N_("the box draws the hunts"), {"drawing": "virtual"}),
        Variant("suits", N_("no camera: shelters by their suits"), {"drawing": "virtual", "shelters": "suits"}),
    ),
    rare=(
        "silentes phase=blame hunt=cups-14 noise=4 caused=2,2 provisions=cups-01/wands-03",
        "silentes phase=penance asked=0 hunt=cups-14 noise=7 caused=5,2 provisions=cups-01,wands-03/-",
    ),
    tokens=TOKENS,
    mat=paper.MAT,
    token_words=paper.TOKEN_WORDS,
    aids=paper.AIDS,
    scene=scene.scene,
    mistakes=mistakes.mistakes,
    worth=bot.worth,
    draw=drawing.draw,
    picture=page.picture,
    course=lessons.COURSE,
    on_page=page.ON_PAGE,
    drawn_card=page.drawn_card,
)
