"""Cisza's glossary, sentences and card texts, in English; the message catalogue has the other languages."""

from __future__ import annotations

from companion.games.cisza import records as r
from companion.games.game import Event
from companion.text import N_

TERMS = {
    "regular": N_("regular zombie"),
    "strong": N_("strong zombie"),
    "fast": N_("fast zombie"),
    "horde": N_("horde"),
    "survivor": N_("survivor"),
    "zombie": N_("zombie"),
    "axe": N_("axe"),
    "revolver": N_("revolver"),
    "shotgun": N_("shotgun"),
    "sniper": N_("sniper rifle"),
    "walkie": N_("walkie-talkie"),
    "flare": N_("flare"),
    "megaphone": N_("megaphone"),
    "barricade": N_("barricade"),
    "alarm": N_("alarm"),
    "mines": N_("mines"),
    "sabotage": N_("sabotage"),
    "eviction": N_("eviction"),
    "bribery": N_("bribery"),
    "sacrifice": N_("sacrifice"),
    "drone": N_("drone"),
    "surprise": N_("surprise"),
    "last_shelter": N_("only one shelter is left"),
    "no_zombies": N_("the final attack is over and no zombie is left"),
    "standstill": N_("the last zombie stays in the city"),
}

# What each card does, for the page and the reference card.
RULES = {
    "regular": N_("Any weapon eliminates it."),
    "strong": N_("Only shotgun, sniper rifle and mines eliminate it."),
    "fast": N_("As weak as a regular one, but once turned over it runs straight to where the noise came from."),
    "horde": N_("It's discarded and one zombie for each player comes from the city; whoever found it hands them out."),
    "axe": N_("Eliminates a regular or fast zombie in your shelter, without a sound."),
    "revolver": N_("Eliminates a regular or fast zombie in your shelter. Noise."),
    "shotgun": N_("Eliminates one strong or up to two regular or fast zombies in your shelter. Noise."),
    "sniper": N_("Eliminates any zombie in your shelter, or the one that stands on the city."),
    "walkie": N_("Calls the survivor on top of the city to you, without a sound."),
    "flare": N_("Calls the next two survivors of the city to you. Noise."),
    "megaphone": N_("Calls the survivor on top of the city to you. Noise."),
    "barricade": N_("Stands before your shelter until you use it to hold one zombie back from an attack."),
    "alarm": N_("Stands before your shelter until you use it to call a whole attack off. Noise when used."),
    "mines": N_("Stand before your shelter until you use them to eliminate up to two zombies. Noise when used."),
    "sabotage": N_("Another player loses all barriers. Noise at your place."),
    "eviction": N_("You and another player exchange zombies and barriers; survivors stay. Noise at your place."),
    "bribery": N_("A survivor of a player who has at least two comes to you."),
    "sacrifice": N_("Give up a survivor, and all your zombies go to other players as you like."),
    "drone": N_("One of your zombies goes to another player, and noise is made there."),
    "surprise": N_("One of your zombies and the top card of the city, as a zombie, go to another player."),
}

# Where cards of a kind lie.
SHELTER, ON_CITY, KILLED, DISCARDS, BOX = (
    N_("{count} in player {seat}'s shelter"),
    N_("1 on the city"),
    N_("{count} eliminated"),
    N_("{count} among the discards"),
    N_("{count} out of the game"),
)

QUESTIONS = {
    "deal": N_("Deal player {seat} a resource card."),
    "start": N_("Who begins?"),
    "mulligan": N_("Player {seat}: keep your cards, or discard all and draw three others?"),
    "turn": N_("Player {seat}: either play cards or discard cards, not both, as many as you like."),
    "kill": N_("Player {seat}: which zombie is eliminated?"),
    "kill_more": N_("Player {seat}: which zombie is eliminated as well?"),
    "target": N_("Player {seat}: which player is it for?"),
    "send": N_("Player {seat}: which of your zombies do you send?"),
    "share": N_("Player {seat}: which of your zombies goes to whom? First the zombie, then the player."),
    "flip": N_("Turn the city's top card over. What does it show?"),
    "horde": N_("A horde! Take a card of the city as a zombie for each player: {at} of {of}."),
    "assign": N_("Player {seat}: each shelter gets one zombie of the horde, yours too. Which goes to whom?"),
    "attack": N_("Player {seat}: the zombies attack, and each kills a survivor. Use a barrier?"),
    "pass_on": N_("Player {seat}: which zombie goes to which neighbour?"),
    "draw": N_("Player {seat} draws a resource card."),
    "shuffle": N_("The resource deck is empty: shuffle the discards."),
}

FLIP_FOR = N_("Turn the city's top card over: a zombie goes to player {to}. What does it show?")
TO_WHOM = N_("Player {seat}: to whom does this zombie go: {zombie}?")

# The question of a turn in which some cards have been played or discarded already.
PLAY_MORE = N_("Player {seat}: play another card, or end your turn.")
DISCARD_MORE = N_("Player {seat}: discard another card, or end your turn.")

STAYS = N_("The city shows: {zombie}. It stays there: nobody is rescued past it, and it goes where the next noise is.")
TIED = N_("The game ends: {reason}. Players {winners} win together. Survivors, player by player: {survivors}.")
WINS, WIN_TOGETHER = N_("Player {winners} wins."), N_("Players {winners} win together.")
OUT = N_("Player {seat} has no survivors left and is out.")
"""Said of somebody who had neither cards nor barriers."""
OUT_HIDDEN = N_("Player {seat} has no survivors left and is out, and discards the hand and all barriers.")

# A card that only its player sees has no name.
HIDDEN_CARDS: dict[type[Event], str] = {
    r.Dealt: N_("Player {seat} draws a card."),
    r.Discarded: N_("Player {seat} discards a card."),
}

SENTENCES: dict[type[Event], str] = {
    r.Dealt: N_("Player {seat} draws {card}."),
    r.Reshuffled: N_("The resource discards are shuffled: {count} cards."),
    r.Started: N_("Player {seat} begins."),
    r.Kept: N_("Player {seat} keeps the first hand."),
    r.Redrew: N_("Player {seat} discards the first hand: {cards}."),
    r.Discarded: N_("Player {seat} discards {card}."),
    r.Played: N_("Player {seat} plays {card}."),
    r.PlayedForNoise: N_("Player {seat} plays {card} for its noise."),
    r.NoEffect: N_("{card} has no effect."),
    r.Placed: N_("Player {seat} sets up {card}."),
    r.Killed: N_("Player {seat} eliminates a zombie: {zombie}."),
    r.KilledTop: N_("Player {seat} eliminates the zombie on the city: {zombie}."),
    r.Rescued: N_("Survivors that come to player {seat}: {count}."),
    r.Sabotaged: N_("Player {seat} destroys the barriers of player {to}: {cards}."),
    r.Evicted: N_("Player {seat} and player {to} exchange zombies and barriers."),
    r.Bribed: N_("A survivor goes from player {to} to player {seat}."),
    r.Sacrificed: N_("Player {seat} gives up a survivor."),
    r.Sent: N_("A zombie goes from player {seat} to player {to}: {zombie}."),
    r.Noise: N_("Noise at player {seat}."),
    r.Unheard: N_("The city is empty: nobody hears it."),
    r.Flipped: N_("The city shows: {zombie}."),
    r.Entered: N_("A zombie comes to player {seat}: {zombie}."),
    r.HordeCame: N_("A horde! Player {seat} hands out its zombies: {count}."),
    r.HordeDrew: N_("The horde brings: {zombie}."),
    r.BarrierUsed: N_("Player {seat} uses {card}."),
    r.Attacked: N_("Attack on player {seat}: zombies {attackers}, stopped {stopped}, survivors lost {lost}."),
    r.AttackSkipped: N_("The alarm calls the attack on player {seat} off."),
    r.Eliminated: N_("Player {seat} has no survivors left and is out. Discarded: {cards}."),
    r.FinalAttack: N_(
        "Nobody is left in the city to be rescued: the final attack begins. Nobody draws cards any more, and you play "
        "on until no zombie is left."
    ),
    r.Ended: N_("The game ends: {reason}. Player {winners} wins. Survivors, player by player: {survivors}."),
}
