"""Similo's glossary and sentences, in English; the message catalogue has the other languages."""

from __future__ import annotations

from companion.games.game import Event
from companion.games.similo import records as r
from companion.games.similo.characters import FABLES, HISTORY
from companion.text import N_

TERMS = {
    **FABLES,
    **HISTORY,
    "similar": N_("upright: similar"),
    "different": N_("across: different"),
    "ranked": N_("ranked"),
    "found": N_("everybody has won, the secret is found"),
    "removed": N_("everybody has lost, the secret was removed"),
    "giver_spoke": N_("the clue giver spoke"),
}

# Where a card lies, after “lies”.
GRID, REMOVED, CLUES = N_("in the grid"), N_("among the removed"), N_("among the clues")

QUESTIONS = {
    "grid": N_("Lay the next character in the grid. Who is it?"),
    "secret": N_("Clue giver (player {seat}): which character is the secret?"),
    "deal": N_("Deal the clue giver (player {seat}) a card."),
    "refill": N_("Clue giver (player {seat}): draw a card."),
    "announce": N_("Clue giver (player {seat}): how many characters go this round?"),
    "clue": N_("Clue giver (player {seat}): lay a clue, upright or across."),
    "remove": N_("Guessers: take away {count}. Who can't be the secret?"),
    "remove_alone": N_("Player {seat}: take away {count}. Who can't be the secret?"),
    "vote": N_("Player {seat}: vote for {count} to take away."),
    "answer": N_("Clue giver (player {seat}): safe or lost?"),
    "which": N_("Which of them was the secret?"),
}

SENTENCES: dict[type[Event], str] = {
    r.Laid: N_("{card} lies in the grid."),
    r.SecretSet: N_("Player {seat} knows the secret: {card}."),
    r.Dealt: N_("Player {seat} gets {card}."),
    r.Announced: N_("Characters to remove this round: {count}."),
    r.ClueGiven: N_("Clue: {card}, {way}."),
    r.Voted: N_("Player {seat} votes to remove {cards}."),
    r.VoteTied: N_("The votes are tied: discuss again."),
    r.Taken: N_("Removed: {cards}."),
    r.RoundSafe: N_("The secret is still there. Characters left: {left}."),
    r.SecretShown: N_("The secret was {card}."),
    r.Spoke: N_("The clue giver spoke."),
    r.Ended: N_("The game ends in round {round}: {reason}."),
}
