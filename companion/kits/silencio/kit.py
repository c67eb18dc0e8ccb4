"""Silencio's kit, joined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.cards import Card
from companion.games.game import Move
from companion.games.silencio.audit import audit
from companion.kits.kit import Kit, Variant
from companion.kits.silencio import art, bot, drawing, lessons, mistakes, page, paper, scene
from companion.kits.silencio.host import SilencioHost
from companion.table.tabletop import tokens
from companion.text import N_, Text
from vision.art.kit import DeckArt

THINGS = {
    "shrine-large": N_("the large shrine"),
    "shrine-red": N_("the red shrine"),
    "shrine-blue": N_("the blue shrine"),
    "shrine-yellow": N_("the yellow shrine"),
    "shrine-green": N_("the green shrine"),
    "tavern": N_("tavern"),
    "start": N_("start card"),
}


def thing(card: str) -> Text | None:
    """The shrines, the tavern and the start card lie on the table but aren't played."""
    return Text(THINGS[card]) if card in THINGS else None


def audited(options: Any, moves: Sequence[Move], hands: Sequence[tuple[Card, ...]]) -> list[Text]:
    """What was against the rules, in words."""
    return [finding.text for finding in audit(options, moves, hands)]


KIT = Kit(
    host=SilencioHost(),
    about=N_("Together and without a word: lay every card before nobody can go on."),
    decks=(DeckArt("silencio", N_("Silencio"), art.cards, art.SIZE, art.back),),
    thing=thing,
    variants=(
        Variant("standard", N_("standard"), {}),
        Variant("counted", N_("no camera: the Oracle is only counted"), {"oracle_cards": "counted"}),
        Variant("tavern", N_("with the tavern"), {"tavern": True}),
        Variant("unlit-large", N_("large shrine unlit"), {"unlit": "large"}),
        Variant("unlit-small", N_("small shrines unlit"), {"unlit": "small"}),
        Variant("unlit-all", N_("all shrines unlit"), {"unlit": "all"}),
        Variant("swapped", N_("red and yellow effects swapped"), {"effect_by_colour": "red_C_yellow_A"}),
    ),
    tokens=tokens("start", "turn", "ask"),
    mat=paper.MAT,
    aids=paper.AIDS,
    scene=scene.scene,
    mistakes=mistakes.mistakes,
    worth=bot.worth,
    draw=drawing.draw,
    picture=page.picture,
    course=lessons.COURSE,
    on_page=page.ON_PAGE,
    drawn_card=page.drawn_card,
    audit=audited,
)
