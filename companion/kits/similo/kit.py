"""Similo's kit, joined."""

from __future__ import annotations

from companion.games.cards import Card
from companion.games.similo.records import Options
from companion.kits.kit import Kit, Variant
from companion.kits.similo import art, bot, drawing, lessons, mistakes, page, paper, scene
from companion.kits.similo.host import SimiloHost
from companion.table.tabletop import tokens
from companion.text import N_
from vision.art.kit import DeckArt


def decks_of(options: Options) -> tuple[str, ...]:
    """The characters' deck, and that of the clues where it's another."""
    clues = options.deck if options.clue_deck == "same" else options.clue_deck
    return tuple(dict.fromkeys((options.deck, clues)))


def own_cards(options: Options) -> tuple[Card, ...]:
    """The characters that people brought."""
    return (*options.characters, *options.clue_characters)


COUNTED = {
    "deck": "custom",
    "characters": tuple(f"{number:02}" for number in range(1, 13)),
    "clue_deck": "custom",
    "clue_characters": tuple(f"clue-{number:02}" for number in range(1, 11)),
}
"""Characters are the places of the grid and clues just follow one another: nothing has to be named."""

KIT = Kit(
    host=SimiloHost(),
    about=N_("One gives clues with cards alone, the others find the secret character."),
    decks=(
        DeckArt("fables", N_("Similo, fables"), art.fables, art.SIZE, art.fables_back),
        DeckArt("history", N_("Similo, history"), art.history, art.SIZE, art.history_back),
    ),
    decks_of=decks_of,
    own_cards=own_cards,
    variants=(
        Variant("standard", N_("standard"), {}),
        Variant("sealed", N_("the box keeps the secret"), {"secret_mode": "sealed"}),
        Variant("two-decks", N_("clues from the History deck"), {"clue_deck": "history"}),
        Variant("large", N_("sixteen characters"), {"grid": 16}),
        Variant("counted", N_("by number, without a camera"), COUNTED),
    ),
    tokens=tokens("secret", "ask"),
    mat=paper.MAT,
    aids=paper.AIDS,
    scene=scene.scene,
    mistakes=mistakes.mistakes,
    worth=bot.worth,
    draw=drawing.draw,
    picture=page.picture,
    course=lessons.COURSE,
    on_page=page.ON_PAGE,
)
