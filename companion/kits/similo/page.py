"""Similo: the grid, the clues upright and across, what must go; the secret only where it's known."""

from __future__ import annotations

from companion.games.cards import HIDDEN
from companion.games.similo.records import State
from companion.text import N_
from companion.web.pictures.model import DrawingTools, DrawnCard, OnPage, PictureZone, TablePicture, Tone

TONES: dict[str, Tone] = {"similar": "white", "different": "violet", "ranked": "grey"}


def picture(tools: DrawingTools, state: State) -> TablePicture:
    """The table."""
    giver = state.options.giver
    zones = [
        PictureZone("grid", tools.text(N_("characters")), tuple(characters(tools, state)), "grid", columns=4),
        PictureZone(
            "clues",
            tools.text(N_("clues")),
            tuple(
                tools.card(
                    clue.card, tone=TONES[clue.way], is_turned=clue.way == "different", sign=tools.term(clue.way)
                )
                for clue in state.clues
            ),
            "row",
        ),
        PictureZone(
            "hand",
            tools.text(N_("the clue giver's hand, player {seat}"), seat=giver + 1),
            tools.cards(state.hand),
            "fan",
            giver,
        ),
        PictureZone("pile", tools.text(N_("pile")), (), "pile", count=state.pile),
    ]
    notes = []
    if state.phase in ("remove", "clue", "answer") and state.count:
        notes.append(
            tools.text(N_("Round {round}: characters to remove: {count}."), round=state.round + 1, count=state.count)
        )
    if state.secret != HIDDEN:
        notes.append(tools.text(N_("The secret: {card}."), card=tools.game.card(state.secret)))
    return TablePicture(tuple(zones), (), tuple(notes))


def characters(tools: DrawingTools, state: State) -> list[DrawnCard]:
    """The grid; who is gone stays as a ghost, so that nothing jumps."""
    return [
        tools.card(
            card,
            is_gone=card not in state.characters_left,
            is_marked=card == state.secret,
        )
        for card in sorted((*state.characters_left, *state.removed, *state.taken))
    ]


def progress(state: State) -> tuple[int, int] | None:
    """How much of the grid lies there."""
    return (len(state.characters_left), state.options.grid) if state.phase == "grid" else None


ON_PAGE = OnPage(progress=progress)
