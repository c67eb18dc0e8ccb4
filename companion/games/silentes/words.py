"""Silentes' glossary and sentences, in English; the message catalogue has the other languages."""

from __future__ import annotations

from companion.games.game import Event, Move
from companion.games.silentes import moves as m
from companion.games.silentes.records import OMENS, PROVISIONS
from companion.text import N_

RANKS = (
    "", "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "page", "knight", "queen",
    "king",
)  # fmt: skip
RANK_LETTERS = {1: "A", 11: "P", 12: "N", 13: "Q", 14: "K"}
"""What stands on a drawn card in place of these numbers."""

MAJORS = (
    N_("The Fool"), N_("The Magician"), N_("The High Priestess"), N_("The Empress"), N_("The Emperor"),
    N_("The Hierophant"), N_("The Lovers"), N_("The Chariot"), N_("Strength"), N_("The Hermit"),
    N_("The Wheel of Fortune"), N_("Justice"), N_("The Hanged Man"), N_("Death"), N_("Temperance"), N_("The Devil"),
    N_("The Tower"), N_("The Star"), N_("The Moon"), N_("The Sun"), N_("Judgement"), N_("The World"),
)  # fmt: skip

# The provisions by what they are.
ITEMS = {
    "wands-01": N_("handy tools"),
    "wands-02": N_("makeshift barrier"),
    "wands-03": N_("thrown scrap"),
    "cups-01": N_("drinking water"),
    "cups-02": N_("first-aid kit"),
    "cups-03": N_("shared rations"),
    "swords-01": N_("sharp dagger"),
    "swords-02": N_("rope and hook"),
    "swords-03": N_("broken mirror"),
    "pentacles-01": N_("canned food"),
    "pentacles-02": N_("worn map"),
    "pentacles-03": N_("lucky charm"),
}

TERMS = {
    "ace": N_("Ace"),
    "two": N_("Two"),
    "three": N_("Three"),
    "four": N_("Four"),
    "five": N_("Five"),
    "six": N_("Six"),
    "seven": N_("Seven"),
    "eight": N_("Eight"),
    "nine": N_("Nine"),
    "ten": N_("Ten"),
    "page": N_("Page"),
    "knight": N_("Knight"),
    "queen": N_("Queen"),
    "king": N_("King"),
    "wands": N_("Wands"),
    "cups": N_("Cups"),
    "swords": N_("Swords"),
    "pentacles": N_("Pentacles"),
    "hole": N_("no shelter"),
    "hunt": N_("the hunt deck"),
    "omens": N_("the omens"),
    "distraction": N_("it followed a distraction"),
    "scrap": N_("thrown scrap led it astray"),
    "calm": N_("a moment of calm"),
    "heads": N_("heads"),
    "tails": N_("tails"),
    "strength": N_("every silence counts two more"),
    "hanged": N_("shelters of Swords and Cups change places"),
    "moon": N_("cards played for silence count two less"),
    "sun": N_("the hunt goes everywhere"),
    "devil": N_("no provisions may be played"),
    "secret": N_("the next omen counts for nothing"),
    "temperance": N_("the refill goes to six cards"),
    "talk": N_("talk is free"),
    "now": N_("this round"),
    "next_round": N_("next round"),
    "refill": N_("at the end of the round"),
    "next_omen": N_("until the next omen"),
    "survived": N_("you have won, the hunt deck is empty"),
    "world": N_("you have won, The World was the last omen that could come"),
    "noise": N_("you have lost, the noise has reached 15"),
    **dict(zip(OMENS, MAJORS, strict=True)),
}

# The suits' names by themselves: those of the rules are bent in some languages, for “Seven of Cups”.
SUIT_NAMES = {"wands": N_("wands"), "cups": N_("cups"), "swords": N_("swords"), "pentacles": N_("pentacles")}

# Where a card lies, after “lies”.
SHELTER, ON_SHELTER, BEFORE = N_("on the map"), N_("on a shelter"), N_("before player {seat}")
PILE, HUNTED, GONE, REVEALED = (
    N_("in player {seat}'s pile"),
    N_("there as the hunt"),
    N_("among the discards"),
    N_("among the omens"),
)

RULES = {
    "major-00": N_("The meter rises by one; whoever holds more cards has tripped."),
    "major-01": N_("Hand each other as many provisions as you both like."),
    "major-02": N_("The omen after this one is turned up but does nothing."),
    "major-03": N_("Turn up two provisions and decide together who gets them."),
    "major-04": N_("The meter falls by three."),
    "major-05": N_("Look together at the next three hunt cards and choose their order."),
    "major-06": N_("One of you may take two noise; the other then makes none this round."),
    "major-07": N_("Each of you may go to any shelter at once, with your silence card."),
    "major-08": N_("Next round everybody's silence is two higher."),
    "major-09": N_("Nobody is hunted this round."),
    "major-10": N_("Flip a coin: heads wipes the meter clean, tails doubles it."),
    "major-11": N_("The louder of you discards a provision; if both were silent so far, both draw one."),
    "major-12": N_("Next round shelters of Swords count as Cups, and those of Cups as Swords."),
    "major-13": N_("The map is discarded and laid out anew from the hunt deck."),
    "major-14": N_("At the end of this round draw until you hold six cards instead of five."),
    "major-15": N_("No provision may be played before another omen is turned up."),
    "major-16": N_("The highest shelter falls; whoever stood there makes two noise and flees."),
    "major-17": N_("Each of you may take one card back from your own pile."),
    "major-18": N_("Cards played for silence this round are worth two less."),
    "major-19": N_("This round's hunt combs every zone at once."),
    "major-20": N_("Ten hunt cards or fewer left: the meter is halved. More: it rises by three."),
    "major-21": N_("If no omen can come after it, you have won."),
    "wands-01": N_("Play it before you move: the card you hide behind may have any suit."),
    "wands-02": N_("Lay it on a shelter: this round everybody hidden there has three more silence."),
    "wands-03": N_("Play it when the hunt card is turned up: another one takes its place."),
    "cups-01": N_("The meter falls by two."),
    "cups-02": N_("Your partner may draw two hunt cards and then discards one card."),
    "cups-03": N_("Show each other your hands; until the round ends you may talk about everything."),
    "swords-01": N_("Play it before the comparison: your silence is four higher."),
    "swords-02": N_("Play it before you move: no shelter is too far."),
    "swords-03": N_("Lay it on a shelter: a hunt for its zone goes to a neighbouring zone of your choice, once."),
    "pentacles-01": N_("Take a card of your choice back from your own pile."),
    "pentacles-02": N_("Look alone at the next two omens and choose their order."),
    "pentacles-03": N_("Play it when you were heard: you make no noise, but your card is lost."),
}
assert set(RULES) == {*OMENS, *PROVISIONS}

QUESTIONS = {
    "map": N_("Turn up shelter {cell} for the map. Which card is it?"),
    "deal": N_("Deal player {seat} a hunt card."),
    "place": N_("Player {seat}: put your token on a shelter."),
    "first": N_("Who acts first?"),
    "partner": N_("Player {seat}: play one of your provisions before your partner acts?"),
    "action": N_("Player {seat}, your action: {ways}."),
    "hide": N_("Player {seat}: lay a card of {suit} open before you to hide."),
    "throw": N_("Player {seat}: discard a card for the distraction."),
    "search": N_("Player {seat}: draw a provision."),
    "hunt": N_("Turn up the hunt card."),
    "held": N_(
        "The box drew {card} for you. Does one of you hold this very card? Here you may say so. Turn up no card."
    ),
    "reaction": N_("Player {seat}: a provision against this hunt?"),
    "mirror": N_("Player {seat}: where does the mirror send the hunt?"),
    "bonus": N_("Player {seat}: silence is compared now. Do you play a provision of yours before that?"),
    "cancel": N_("Player {seat}: the noise is added now. Do you play a provision of yours before that?"),
    "reward": N_("Player {seat}: draw a provision for your escape."),
    "omen": N_("Turn up the top card of the omens. Which is it?"),
    "trade": N_("Player {seat}: give your partner a provision?"),
    "gift": N_("Turn up a provision."),
    "share": N_("Who gets this provision?"),
    "peek": N_("Look at the next hunt card, both of you."),
    "order": N_("Which card shall come next?"),
    "sacrifice": N_("Player {seat}: take two noise, so that your partner makes none this round?"),
    "ride": N_("Player {seat}: move to any shelter?"),
    "coin": N_("Flip a coin."),
    "blame": N_("You were equally loud: who takes the blame?"),
    "penance": N_("Player {seat}: discard a provision."),
    "justice": N_("Player {seat}: draw a provision."),
    "remap": N_("Turn up a shelter for the new map."),
    "tower": N_("Which of the highest shelters falls?"),
    "flee": N_("Player {seat}: move your token to one of the nearest shelters."),
    "star": N_("Player {seat}: take a card back from your pile?"),
    "barrier": N_("Player {seat}: which shelter gets the barrier? Who hides there has three more silence this round."),
    "lay_mirror": N_(
        "Player {seat}: which shelter gets the mirror? The next hunt for its zone goes to a zone beside it."
    ),
    "recover": N_("Player {seat}: take a card back from your pile."),
    "aid": N_("Player {seat}: first aid: draw two hunt cards, then discard a card. Take it?"),
    "aid_draw": N_("Player {seat}: draw a hunt card."),
    "aid_discard": N_("Player {seat}: first aid: now discard a card."),
    "peek_omens": N_("Player {seat}: look at the next omen, alone."),
    "order_omens": N_("Player {seat}: which omen shall come next?"),
    "refill": N_("Player {seat}: draw a hunt card."),
}

# What can be done in a turn; only what can be chosen is named.
WAYS: dict[type[Move], str] = {
    m.Go: N_("move and hide"),
    m.Entrench: N_("stay and entrench"),
    m.Search: N_("stay and search"),
    m.Distract: N_("stay and distract"),
    m.Use: N_("or first a provision"),
}
TO_PASS = N_("Player {seat}: you can neither move nor search nor distract, so pass.")
TO_PASS_OR_USE = N_("Player {seat}: you can neither move nor search nor distract: pass, or play a provision first.")
EITHER = N_("1 or 2")
"""Which player is asked, where both are."""
FINDS_NOBODY = N_("Player {seat}: as things are, this hunt comes to nobody. Do you play a provision of yours anyway?")
FINDS_ONE = N_(
    "Player {seat}: the hunt comes to player {found}, silence {level} against {perception}. Do you play a provision of "
    "yours against it?"
)
FINDS_BOTH = N_(
    "Player {seat}: the hunt comes to you both, silence {level} against {perception}. Do you play a provision of "
    "yours against it?"
)
MAYBE_GHOST = N_("Player {seat}: draw a hunt card, still to draw: {left}. Has this one hunted before?")
HIDE_ANYHOW = N_("Player {seat}: lay a card of any suit open before you to hide.")
TO_MOVE = N_("Player {seat}: move to a shelter.")
OMEN_DRAWN = N_("The box draws an omen: {card}. Search it out of the pile and lay it face up. {does}")
LOOK_TOGETHER = N_("Look together at the top {count} of the hunt deck, and lay them back in any order.")

# A card that only its player sees has no name.
HIDDEN_CARDS: dict[type[Event], str] = {
    m.Dealt: N_("Player {seat} draws a card."),
    m.Found: N_("Player {seat} draws a provision."),
}

SENTENCES: dict[type[Event], str] = {
    m.ShelterShown: N_("Shelter {cell} is {card}."),
    m.Dealt: N_("Player {seat} draws {card}."),
    m.Found: N_("Player {seat} draws a provision: {card}."),
    m.GhostDiscarded: N_("{card} was hunted before: it's discarded and another card drawn."),
    m.Placed: N_("Player {seat} starts at shelter {cell}."),
    m.RoundBegan: N_("Round {round}: player {seat} acts first."),
    m.Moved: N_("Player {seat} moves to shelter {cell}."),
    m.Hidden: N_("Player {seat} hides behind {card}."),
    m.Entrenched: N_("Player {seat} entrenches with half of {card}."),
    m.Searched: N_("Player {seat} searches for provisions."),
    m.Distracted: N_("Player {seat} distracts the hunters: no card of {suit} hunts this round."),
    m.Discarded: N_("Player {seat} discards {card}."),
    m.Passed: N_("Player {seat} can do nothing."),
    m.HuntDrawn: N_("The box drew {card}."),
    m.HuntHeld: N_("{card} is in a hand: the box draws again."),
    m.HuntShown: N_("The Silentes come: {card}. They comb the zone of {suit} and hear {perception}."),
    m.HuntAnnulled: N_("{card} hunts nobody: {why}."),
    m.HuntDiverted: N_("Player {seat}'s mirror sends the hunt to the zone of {suit}."),
    m.NobodyHunted: N_("Nobody is in the hunted zone."),
    m.Escaped: N_("Player {seat} goes unnoticed: {level} against {perception}."),
    m.Heard: N_("Player {seat} is heard: {level} against {perception}."),
    m.CardLost: N_("Player {seat} loses {card}."),
    m.NoiseRose: N_("Noise +{amount}: {noise} of 15."),
    m.NoiseFell: N_("Noise -{amount}: {noise} of 15."),
    m.Used: N_("Player {seat} plays {card}."),
    m.LaidDown: N_("Player {seat} lays {card} on shelter {cell}."),
    m.NothingRecovered: N_("Player {seat}'s pile was empty: nothing comes back."),
    m.Recovered: N_("Player {seat} takes {card} back from the pile."),
    m.Declined: N_("Player {seat} declines."),
    m.HandsShown: N_("Both hands are shown. Talk is free until the round ends."),
    m.LookedAhead: N_(
        "Whoever played the map takes the top {count} of the omens, looks at them alone and lays them back in any"
        " order. One that has come before is put aside."
    ),
    m.Peeked: N_("Player {seat} sees {card}."),
    m.PeekedByAll: N_("Both players see {card}."),
    m.OmenShown: N_("An omen comes and lies face up: {card}. {does}"),
    m.OmenIgnored: N_("{card} counts for nothing."),
    m.OmenIdle: N_("{card} changes nothing."),
    m.EffectBegan: N_("In force: {effect} ({when})."),
    m.Given: N_("Player {seat} gives {card} to player {to}."),
    m.GiftShown: N_("{card} lies open."),
    m.Shared: N_("Player {to} gets {card}."),
    m.Sacrificed: N_("Player {seat} takes the noise for player {to}."),
    m.CoinFell: N_("The coin fell: {side}."),
    m.Blamed: N_("Player {seat} was the louder one."),
    m.Stumbled: N_("Player {seat} trips."),
    m.MapDiscarded: N_("The map is gone: {cards}."),
    m.ShelterFell: N_("Shelter {cell} falls: {card}."),
    m.PickedUp: N_("Player {seat} takes {card} back to hand."),
    m.Ended: N_("The game ends: {reason}. Noise: {noise}."),
}
