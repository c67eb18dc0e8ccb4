"""Silencio's glossary and sentences, in English; the message catalogue has the other languages."""

from __future__ import annotations

from companion.games.game import Event
from companion.games.silencio import records as r
from companion.text import N_

# A row's dark effect, by its light one.
DARK_OF: dict[str, str] = {
    "skip_dark": "skip_light",
    "take_back": "give",
    "open_card": "random",
    "swap": "green",
}

TERMS = {
    "red": N_("red"),
    "blue": N_("blue"),
    "yellow": N_("yellow"),
    "green": N_("green"),
    "large": N_("large"),
    "light": N_("light side up"),
    "dark": N_("dark side up"),
    "lit": N_("lit side up"),
    "unlit": N_("unlit side up"),
    "open": N_("open side up"),
    "closed": N_("closed side up"),
    "skip_dark": N_("the next card's dark effect is skipped"),
    "skip_light": N_("the next card's light effect is skipped"),
    "take_back": N_("take the last card of another row"),
    "give": N_("give an Oracle card to another player"),
    "open_card": N_("lay a hand card open"),
    "random": N_("the next player draws blind from their hand"),
    "swap": N_("a chosen player swaps"),
    "must_be_green": N_("the next card must be green"),
    "last_card": N_("it was the player's last card"),
    "highest_green": N_("it's the highest green card"),
    "skipped": N_("it was skipped"),
    "cannot_play": N_("number of cards I can't play"),
    "only_high": N_("I have only high cards in this colour"),
    "please_not": N_("please don't play this colour"),
    "shrine_then_pass": N_("a shrine was used in a turn that ended in a pass"),
    "tavern_then_pass": N_("the tavern was used in a turn that ended in a pass"),
    "spoke": N_("somebody spoke"),
    "all_played": N_("every card is played"),
    "all_passed": N_("everybody passed in a row"),
    "no_start": N_("the table couldn't agree on a starting player in silence"),
    "spoken": N_("somebody spoke"),
    "perfect": N_("Perfect: not a card is left."),
    "near": N_("So close: only a few cards are left."),
    "far": N_("Far from home: many cards are left."),
}

# Cards and shrines by colour: other languages bend the word, so each has a text of its own.
# Where a card lies, after “lies”.
ROWS = (N_("in the red row"), N_("in the blue row"), N_("in the yellow row"), N_("in the green row"))
OPEN, ORACLE, BOX = N_("open before player {seat}"), N_("in the Oracle"), N_("aside, out of the game")

CARDS = {
    "red": N_("red {rank}"),
    "blue": N_("blue {rank}"),
    "yellow": N_("yellow {rank}"),
    "green": N_("green {rank}"),
}
SHRINES = {
    "large": N_("the large shrine"),
    "red": N_("the red shrine"),
    "blue": N_("the blue shrine"),
    "yellow": N_("the yellow shrine"),
    "green": N_("the green shrine"),
}

# What the tavern allows to be said (SIL-53).
SAYINGS = {
    "cannot_play": N_("Of my cards, {about} can't be played."),
    "only_high": N_("In {about} I have only high cards."),
    "please_not": N_("Rather not {about}, please."),
}

QUESTIONS = {
    "deal": N_("Deal player {seat} a card."),
    "oracle": N_("Turn up the top card of the deck for the Oracle. Which is it?"),
    "start": N_("Who begins? Decide without a word."),
    "pass_on": N_("Player {seat}: give a card to your left."),
    "turn": N_("Player {seat}: play a card, or pass if you can't."),
    "draw": N_("Player {seat}: shuffle your hand, draw a card blind and look at it. Which is it?"),
    "skip_dark": N_("Player {seat}: shall the next dark effect be skipped?"),
    "take_back": N_("Player {seat}: take the last card of another row into your hand, or leave the effect."),
    "open_card": N_("Player {seat}: lay one of your cards open, so that anybody may play it, or leave the effect."),
    "swap": N_("Player {seat}: choose who swaps a card with a player or with the Oracle, or leave the effect."),
    "swap_back": N_("Player {seat}: give a card in return."),
    "replace": N_("Player {seat}: put a hand card in its place in the Oracle."),
    "give": N_("Player {seat}: give an Oracle card to another player."),
    "end": N_("Player {seat}: use a shrine before your turn ends?"),
}

# The same questions where something else can be chosen, or less.
ALL_PASS_ON = N_(
    "Player {seat} gives a card face down to the left; who gets one looks at it and gives one on, until player {seat} "
    "has got one. Then ▶ and ✔, once for all."
)
ORACLE_COUNTED = N_("Turn up the top card of the deck for the Oracle.")
MUST_PLAY = N_("Player {seat}: play a card.")
MUST_PASS = N_("Player {seat}: you can play nothing, so pass.")
WAITING = N_("{question} Still waiting: {markers}.")
DRAW = N_("Player {seat}: draw a card blind, or pass if none of yours can fit.")
GREEN = N_("Player {seat}: play a green card, or pass if you can't.")
SWAP = N_("Player {seat}: swap a card with a player or with the Oracle, or have the whole Oracle changed.")
SWAP_WITH_PLAYER = N_("Player {seat}: swap a card with a player.")
END_WITH_TAVERN = N_("Player {seat}: speak in the tavern before your turn ends?")
END_WITH_BOTH = N_("Player {seat}: use a shrine or speak in the tavern before your turn ends?")

NOTHING_TO_DO = N_("The effect can do nothing now.")
OUT = N_("Player {seat} has no cards left and passes.")
DREW_HIDDEN = N_("Player {seat} drew a card blind and can't play it: it goes back, unseen.")
PASSED_ON_HIDDEN = N_("Player {seat} gives player {to} a hidden card.")

SENTENCES: dict[type[Event], str] = {
    r.Dealt: N_("Player {seat} gets {card}."),
    r.OracleShown: N_("The Oracle shows {card}."),
    r.Started: N_("Player {seat} starts."),
    r.PassedOn: N_("Player {seat} gives {card} to player {to}."),
    r.Played: N_("Player {seat} plays {card}, {side}."),
    r.Created: N_("Effect: {effect}."),
    r.Lapsed: N_("No effect: {why}."),
    r.Declined: N_("Player {seat} doesn't use the effect."),
    r.MarkerSet: N_("From now: {marker}."),
    r.TookBack: N_("Player {seat} takes {card} back."),
    r.Opened: N_("Player {seat} lays {card} open."),
    r.Chosen: N_("Player {seat} chooses player {to} for a swap."),
    r.Swapped: N_("Player {seat} gives {card} to player {to}."),
    r.OracleTaken: N_("Player {seat} takes {card} from the Oracle."),
    r.OracleReplaced: N_("Player {seat} puts {card} back for the Oracle."),
    r.OracleRenewed: N_("Player {seat} takes the Oracle out of the game: {cards}."),
    r.Given: N_("Player {seat} gives {card} of the Oracle to player {to}."),
    r.Passed: N_("Player {seat} passes."),
    r.DrawFailed: N_("Player {seat} drew {card} blind and can't play it."),
    r.DrawFailedOpenly: N_("Player {seat} drew {card} blind, can't play it and shows it."),
    r.ShrineTaken: N_("Player {seat} uses {which}: turn it over, it stays where it lies."),
    r.TavernOpened: N_("The tavern opens."),
    r.TavernSaid: N_("Player {seat} says in the tavern: “{says}”"),
    r.Violation: N_("Against the rules, player {seat}: {what}."),
    r.Ended: N_("The game ends: {reason}. Cards left: {cards_left}."),
}


def marker_term(marker: str) -> str:
    """The glossary's word for what binds the next card; the green marker alone has another word than its colour."""
    return "must_be_green" if marker == "green" else marker
