"""The moves of Silentes, and the events that follow from them."""

from __future__ import annotations

from typing import ClassVar, Literal

from companion.games.cards import Card, Cards
from companion.games.game import Deal, Event, Move, Show
from companion.games.silentes.records import Reason, Suit

When = Literal["now", "next_round", "refill", "next_omen"]


class Ghost(Move, frozen=True, tag="ghost"):
    """Nature: the paper deck gave a card that the box had already drawn; it's discarded and another drawn."""

    card: Card


class Held(Move, frozen=True, tag="held"):
    """A player holds the card that the box drew: the box must draw again."""


class Fresh(Move, frozen=True, tag="fresh"):
    """Nobody holds the card that the box drew."""


class Coin(Move, frozen=True, tag="coin"):
    """Nature: how the coin fell."""

    side: Literal["heads", "tails"]


class First(Move, frozen=True, tag="first"):
    """The group chooses who acts first."""

    seat: int


class Place(Move, frozen=True, tag="place"):
    """Put the own token on a shelter before the first round."""

    cell: int


class Go(Move, frozen=True, tag="move"):
    """Move the own token to a shelter."""

    cell: int


class Hide(Move, frozen=True, tag="hide"):
    """Play a hunt card as silence on the shelter just entered."""

    card: Card


class Entrench(Move, frozen=True, tag="entrench"):
    """Stay, and use half the card of the previous round."""


class Search(Move, frozen=True, tag="search"):
    """Stay unhidden and draw a provision."""


class Distract(Move, frozen=True, tag="distract"):
    """Make noise in the zone of a suit; a discard follows."""

    suit: Suit


class Discard(Move, frozen=True, tag="discard"):
    """Discard a card from the own hand."""

    card: Card


class Pass(Move, frozen=True, tag="pass"):
    """Do nothing, because nothing can be done."""


class Use(Move, frozen=True, tag="use"):
    """Play a provision; what it needs is asked next."""

    card: Card


class No(Move, frozen=True, tag="no"):
    """Decline, or finish."""


class Nobody(Move, frozen=True, tag="nobody"):
    """Nobody plays a provision: both decline at once where both are asked at one table."""


class Accept(Move, frozen=True, tag="accept"):
    """Accept what is offered."""


class Lay(Move, frozen=True, tag="lay"):
    """Lay a barrier or a mirror on a shelter."""

    cell: int


class Take(Move, frozen=True, tag="take"):
    """Take a card back from the own pile."""

    card: Card


class Put(Move, frozen=True, tag="put"):
    """Put a card that was looked at next on the deck: the first one named lies on top."""

    card: Card


class Give(Move, frozen=True, tag="give"):
    """Give a provision to the partner; `?` where the box can't see which."""

    card: Card


class Share(Move, frozen=True, tag="share"):
    """The group gives the provision just drawn to a player."""

    seat: int


class Blame(Move, frozen=True, tag="blame"):
    """The group chooses who was the louder one."""

    seat: int


class Ruin(Move, frozen=True, tag="ruin"):
    """The group chooses which of the highest shelters falls."""

    cell: int


class Divert(Move, frozen=True, tag="divert"):
    """The owner of a mirror chooses where the hunt goes instead."""

    suit: Suit


MOVES: tuple[type[Move], ...] = (
    Deal, Show, Ghost, Held, Fresh, Coin, First, Place, Go, Hide, Entrench, Search, Distract, Discard, Pass, Use, No,
    Nobody, Accept, Lay, Take, Put, Give, Share, Blame, Ruin, Divert,
)  # fmt: skip


class ShelterShown(Event, frozen=True):
    """A shelter lies on the map."""

    cell: int
    card: Card


class Dealt(Event, frozen=True):
    """A hunt card has come into a hand."""

    secret: ClassVar = ("card",)
    seat: int
    card: Card


class Found(Event, frozen=True):
    """A provision has come into a hand."""

    secret: ClassVar = ("card",)
    seat: int
    card: Card


class GhostDiscarded(Event, frozen=True):
    """The paper copy of a card that the box had drawn is out of the paper deck."""

    card: Card


class Placed(Event, frozen=True):
    """A token stands on its first shelter."""

    seat: int
    cell: int


class RoundBegan(Event, frozen=True):
    """A round begins."""

    round: int
    seat: int


class Moved(Event, frozen=True):
    """A token went to another shelter."""

    seat: int
    cell: int


class Hidden(Event, frozen=True):
    """A silence card was played."""

    seat: int
    card: Card


class Entrenched(Event, frozen=True):
    """A player stays and shows the card of the previous round."""

    seat: int
    card: Card


class Searched(Event, frozen=True):
    """A player looks for provisions."""

    seat: int


class Distracted(Event, frozen=True):
    """A player made noise in a zone."""

    seat: int
    suit: Suit


class Discarded(Event, frozen=True):
    """A card went to its owner's pile."""

    seat: int
    card: Card


class Passed(Event, frozen=True):
    """A player could do nothing."""

    seat: int


class HuntDrawn(Event, frozen=True):
    """The box drew a card and asks whether somebody holds it."""

    card: Card


class HuntHeld(Event, frozen=True):
    """Somebody holds the card: the box draws again."""

    card: Card


class HuntShown(Event, frozen=True):
    """The hunters comb a zone."""

    card: Card
    suit: Suit
    perception: int


class HuntAnnulled(Event, frozen=True):
    """The hunt card has no effect, and why."""

    card: Card
    why: Literal["distraction", "scrap", "calm"]


class HuntDiverted(Event, frozen=True):
    """A mirror sends the hunt elsewhere."""

    seat: int
    suit: Suit


class NobodyHunted(Event, frozen=True):
    """No token stands in the hunted zone."""


class Escaped(Event, frozen=True):
    """A hunted player was quieter than the hunters hear."""

    seat: int
    level: int
    perception: int


class Heard(Event, frozen=True):
    """A hunted player was heard."""

    seat: int
    level: int
    perception: int


class CardLost(Event, frozen=True):
    """A silence card is lost."""

    seat: int
    card: Card


class NoiseRose(Event, frozen=True):
    """The meter went up."""

    amount: int
    noise: int


class NoiseFell(Event, frozen=True):
    """The meter went down."""

    amount: int
    noise: int


class Used(Event, frozen=True):
    """A provision was played."""

    seat: int
    card: Card


class LaidDown(Event, frozen=True):
    """A barrier or mirror lies on a shelter."""

    seat: int
    card: Card
    cell: int


class NothingRecovered(Event, frozen=True):
    """A card could have come back from a player's pile, but none lay there."""

    seat: int


class Recovered(Event, frozen=True):
    """A card came back from a pile to its owner's hand."""

    seat: int
    card: Card


class Declined(Event, frozen=True):
    """A player doesn't want what was offered."""

    seat: int


class HandsShown(Event, frozen=True):
    """Both hands are shown, and talk is free until the round ends."""


class LookedAhead(Event, frozen=True):
    """The players looked at the top of a deck themselves; the box doesn't know what they saw."""

    deck: Literal["hunt", "omens"]
    count: int


class Peeked(Event, frozen=True):
    """A player saw a card on top of the omens."""

    secret: ClassVar = ("card",)
    seat: int
    card: Card


class PeekedByAll(Event, frozen=True):
    """Both players saw a card on top of the hunt deck."""

    card: Card


class OmenShown(Event, frozen=True):
    """An omen was revealed; its card must be searched out where the box drew it and people have the pile."""

    card: Card
    is_drawn: bool = False


class OmenIgnored(Event, frozen=True):
    """An omen without effect: the High Priestess had asked for it."""

    card: Card


class OmenIdle(Event, frozen=True):
    """An omen that had nothing to act on."""

    card: Card


class EffectBegan(Event, frozen=True):
    """Something holds from now, or from the next round."""

    effect: str
    when: When


class Given(Event, frozen=True):
    """A provision went from hand to hand."""

    secret: ClassVar = ("card",)
    insiders: ClassVar = ("seat", "to")
    seat: int
    to: int
    card: Card


class GiftShown(Event, frozen=True):
    """A provision lies open, to be given to a player."""

    card: Card


class Shared(Event, frozen=True):
    """The group gave an open provision to a player."""

    to: int
    card: Card


class Sacrificed(Event, frozen=True):
    """A player takes noise upon themselves for the partner."""

    seat: int
    to: int


class CoinFell(Event, frozen=True):
    """A coin fell."""

    side: str


class Blamed(Event, frozen=True):
    """A player made the most noise so far."""

    seat: int


class Stumbled(Event, frozen=True):
    """The player with the larger hand stumbled."""

    seat: int


class MapDiscarded(Event, frozen=True):
    """The whole map is gone."""

    cards: Cards


class ShelterFell(Event, frozen=True):
    """A shelter was destroyed."""

    cell: int
    card: Card


class PickedUp(Event, frozen=True):
    """A silence card went back to its owner's hand."""

    seat: int
    card: Card


class Ended(Event, frozen=True):
    """The game is over."""

    reason: Reason
    noise: int
