"""Cisza's kit, joined."""

from __future__ import annotations

from companion.kits.cisza import art, bot, drawing, lessons, mistakes, page, paper, scene
from companion.kits.cisza.host import CiszaHost
from companion.kits.kit import Kit, Variant
from companion.table.tabletop import tokens
from companion.text import N_, Text
from vision.art.kit import DeckArt


def thing(card: str) -> Text | None:
    """A city card is a survivor or a zombie to the rules; here it's the printed card with both."""
    if card == art.CITY:
        return Text(N_("city card"))
    if card.startswith(f"{art.CITY}-"):
        return Text(N_("city card {number}"), {"number": int(card.removeprefix(f"{art.CITY}-"))})
    return None


KIT = Kit(
    host=CiszaHost(),
    about=N_("Survive in a city of zombies: noise draws them, so let the others be loud."),
    decks=(DeckArt("cisza", N_("Cisza"), art.cards, art.SIZE, art.back),),
    thing=thing,
    variants=(
        Variant("standard", N_("standard"), {}),
        Variant("easy", N_("easy: three survivors"), {"start_survivors": 3}),
        Variant("hard", N_("hard: one survivor"), {"start_survivors": 1}),
        Variant("expert", N_("expert"), {"expert": True}),
    ),
    tokens=tokens("start", "turn", "ask"),
    mat=paper.MAT,
    aids=paper.AIDS,
    scene=scene.scene,
    mid_move=scene.mid_move,
    least_moved=scene.least_moved,
    mistakes=mistakes.mistakes,
    worth=bot.worth,
    draw=drawing.draw,
    picture=page.picture,
    course=lessons.COURSE,
    on_page=page.ON_PAGE,
    drawn_card=page.drawn_card,
)
