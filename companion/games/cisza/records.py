"""The things of Cisza: cards, options, state, moves and events. What may be done with them is in `rules`."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Struct

from companion.games.cards import Card, Cards
from companion.games.game import Deal, Event, Move, Show, ruled
from companion.text import N_

Mode = Literal["none", "discard", "play"]
Counts = tuple[int, ...]

# City cards of a kind are alike; their undersides are counted in this order.
ZOMBIES: tuple[Card, ...] = ("regular", "strong", "fast", "horde")
CITY: Counts = (23, 12, 18, 2)
CITY_SIZE = sum(CITY)
HORDE = ZOMBIES.index("horde")
KIND: dict[Card, int] = {kind: at for at, kind in enumerate(ZOMBIES)}
WEAK = ("regular", "fast")

RESOURCE_COUNT: dict[Card, int] = {
    "alarm": 2,
    "axe": 3,
    "barricade": 4,
    "bribery": 2,
    "drone": 6,
    "eviction": 2,
    "flare": 3,
    "megaphone": 4,
    "mines": 2,
    "revolver": 4,
    "sabotage": 2,
    "sacrifice": 2,
    "shotgun": 6,
    "sniper": 2,
    "surprise": 7,
    "walkie": 4,
}
RESOURCES: tuple[Card, ...] = tuple(RESOURCE_COUNT)
ALL_RESOURCES: Counts = tuple(RESOURCE_COUNT.values())
STOCK_SIZE = sum(ALL_RESOURCES)
RESOURCE: dict[Card, int] = {card: at for at, card in enumerate(RESOURCES)}

WEAPONS = frozenset({"axe", "revolver", "shotgun", "sniper"})
RESCUES: dict[Card, int] = {"walkie": 1, "megaphone": 1, "flare": 2}
BARRIERS = frozenset({"barricade", "alarm", "mines"})
AIMED = frozenset({"sabotage", "eviction", "bribery", "drone", "surprise"})
# The 25 cards with the noise icon; the drone's noise is part of its effect (CIS-20, CIS-60).
NOISY = frozenset({"revolver", "shotgun", "flare", "megaphone", "alarm", "mines", "sabotage", "eviction"})

HAND_SIZE = 3


class Options(Struct, frozen=True, kw_only=True):
    """How a table plays Cisza."""

    players: Annotated[Literal[2, 3, 4, 5, 6], ruled("CIS-01", N_("How many play."))] = 3
    driver: Annotated[
        Literal["sim", "table"],
        ruled("G-01", N_("sim: every card is known; table: hands are hidden from the box.")),
    ] = "sim"
    start_survivors: Annotated[
        Literal[1, 2, 3], ruled("CIS-01", N_("Survivors in each shelter at the start: 1 is hard, 3 is easy."))
    ] = 2
    expert: Annotated[
        bool, ruled("CIS-60", N_("Expert mode: a card with the noise icon may be played for its noise alone."))
    ] = False
    allow_void_play: Annotated[
        bool, ruled("CIS-11", N_("A card may be played even if no part of its effect can happen."))
    ] = False
    drone_without_zombie: Annotated[
        bool, ruled("CIS-20", N_("A drone may fly without a zombie, only to make noise in another shelter."))
    ] = False
    shotgun_needs_two: Annotated[
        bool, ruled("CIS-14", N_("A shotgun against regular or fast zombies must hit two of them."))
    ] = False
    horde_counts_eliminated: Annotated[
        bool, ruled("CIS-32", N_("A horde brings a zombie for each player who began, not for each one alive."))
    ] = False
    mines_any_time: Annotated[
        bool, ruled("CIS-41", N_("Mines may go off whenever their owner likes, not only in the own attack phase."))
    ] = False
    final_idle_rounds: Annotated[
        Literal[1, 2, 3],
        ruled("CIS-72", N_("Rounds without a zombie on the move that end a final attack with one left in the city.")),
    ] = 1
    memory_aid: Annotated[bool, ruled("G-03", N_("Show how many zombies of each kind nobody has seen yet."))] = False


Phase = Literal[
    "deal", "start", "mulligan", "turn", "kill", "kill_more", "target", "send", "share", "flip", "horde", "assign",
    "attack", "pass_on", "draw", "shuffle", "over",
]  # fmt: skip
Reason = Literal["none", "last_shelter", "no_zombies", "standstill"]


class State(Struct, frozen=True):
    """A table of Cisza.

    `pool` counts the undersides nobody has seen (city deck, survivors in shelters, dead survivors), `unseen` the
    resource cards nobody has seen (deck, and hidden ones elsewhere). `card`, `at` and `by` are the card being
    resolved, the shelter it strikes and who resolves it if that isn't the player whose turn it is. `idle` counts the
    turns of a final attack that ended with no zombie but the one on the deck; -1 in the turn that began it.
    """

    options: Options
    phase: Phase = "turn"
    turn: int = 0
    mode: Mode = "none"
    survivors: Counts = ()
    zombies: tuple[Cards, ...] = ()
    barriers: tuple[Cards, ...] = ()
    hands: tuple[Cards, ...] = ()
    out: tuple[int, ...] = ()
    city: int = -1
    top: Card = "none"
    fallen: int = 0
    killed: Counts = (0, 0, 0, 0)
    stock: int = -1
    discard: Cards = ()
    box: Cards = ()
    card: Card = "none"
    at: int = -1
    by: int = -1
    drawn: Cards = ()
    to_draw: int = 0
    given: tuple[int, ...] = ()
    again: bool = False
    attacking: bool = False
    stopped: int = 0
    fresh: Cards = ()
    final: bool = False
    idle: int = 0
    started: bool = True
    asked: int = 0
    reason: Reason = "none"
    pool: Counts = ()
    unseen: Counts = ()

    derived: ClassVar[tuple[str, ...]] = ("pool", "unseen")


class Start(Move, frozen=True, tag="start"):
    """The table says who begins."""

    seat: int


class Keep(Move, frozen=True, tag="keep"):
    """Begin with the hand that was dealt."""


class Mulligan(Move, frozen=True, tag="mulligan"):
    """Discard the first hand and draw three others, once."""


class Discard(Move, frozen=True, tag="discard"):
    """Discard a hand card instead of playing any; `?` where the box doesn't see which."""

    card: Card


class Play(Move, frozen=True, tag="play"):
    """Play a hand card for its effect."""

    card: Card


class NoiseOnly(Move, frozen=True, tag="noise"):
    """Expert mode: play a hand card only for its noise."""

    card: Card


class Done(Move, frozen=True, tag="done"):
    """No more cards, targets or barriers."""


class Target(Move, frozen=True, tag="target"):
    """Choose the player a trick is played on."""

    seat: int


class Kill(Move, frozen=True, tag="kill"):
    """Eliminate a zombie in the own shelter."""

    zombie: Card


class KillTop(Move, frozen=True, tag="kill_top"):
    """Eliminate the zombie that stands on the city deck."""


class Send(Move, frozen=True, tag="send"):
    """Send a zombie of the own shelter to the chosen player."""

    zombie: Card


class Assign(Move, frozen=True, tag="assign"):
    """Give a zombie to a shelter: from a horde, by a sacrifice, or left behind by an eliminated player."""

    zombie: Card
    seat: int


class UseBarrier(Move, frozen=True, tag="barrier"):
    """Use up a barrier. `seat` is its owner where it isn't the player whose turn it is."""

    card: Card
    seat: int = -1


class Shuffle(Move, frozen=True, tag="shuffle"):
    """Nature: the resource discards are shuffled and become the new deck."""


MOVES: tuple[type[Move], ...] = (
    Deal, Show, Shuffle, Start, Keep, Mulligan, Discard, Play, NoiseOnly, Done, Target, Kill, KillTop, Send, Assign,
    UseBarrier,
)  # fmt: skip


class Dealt(Event, frozen=True):
    """A resource card has come into a hand."""

    secret: ClassVar = ("card",)
    seat: int
    card: Card


class Reshuffled(Event, frozen=True):
    """The resource discards are the new deck."""

    count: int


class Started(Event, frozen=True):
    """The first player is known."""

    seat: int


class Kept(Event, frozen=True):
    """A player begins with the hand that was dealt."""

    seat: int


class Redrew(Event, frozen=True):
    """A player discarded the first hand."""

    seat: int
    cards: Cards


class Discarded(Event, frozen=True):
    """A hand card was discarded."""

    seat: int
    card: Card


class Played(Event, frozen=True):
    """A resource card was played for its effect."""

    seat: int
    card: Card


class PlayedForNoise(Event, frozen=True):
    """A resource card was played for its noise alone."""

    seat: int
    card: Card


class NoEffect(Event, frozen=True):
    """A card had nothing to do."""

    card: Card


class Placed(Event, frozen=True):
    """A barrier stands before a shelter."""

    seat: int
    card: Card


class Killed(Event, frozen=True):
    """A zombie in a shelter was eliminated."""

    seat: int
    zombie: Card


class KilledTop(Event, frozen=True):
    """The zombie on the city deck was eliminated."""

    seat: int
    zombie: Card


class Rescued(Event, frozen=True):
    """Survivors came from the city."""

    seat: int
    count: int


class Sabotaged(Event, frozen=True):
    """A player's barriers were destroyed."""

    seat: int
    to: int
    cards: Cards


class Evicted(Event, frozen=True):
    """Two shelters swapped zombies and barriers."""

    seat: int
    to: int


class Bribed(Event, frozen=True):
    """A survivor changed shelters."""

    seat: int
    to: int


class Sacrificed(Event, frozen=True):
    """A survivor was given up."""

    seat: int


class Sent(Event, frozen=True):
    """A zombie went from one shelter to another."""

    seat: int
    to: int
    zombie: Card


class Noise(Event, frozen=True):
    """A shelter made noise."""

    seat: int


class Unheard(Event, frozen=True):
    """The city is empty and nobody hears the noise."""


class Flipped(Event, frozen=True):
    """The city's top card was turned over, and stays there or not."""

    zombie: Card
    stays: bool = False


class Entered(Event, frozen=True):
    """A zombie came from the city into a shelter."""

    seat: int
    zombie: Card


class HordeCame(Event, frozen=True):
    """A horde brings zombies from the city, to be dealt out by a player."""

    seat: int
    count: int


class HordeDrew(Event, frozen=True):
    """A zombie of the horde was turned over."""

    zombie: Card


class BarrierUsed(Event, frozen=True):
    """A barrier was used up."""

    seat: int
    card: Card


class Attacked(Event, frozen=True):
    """Zombies attacked."""

    seat: int
    attackers: int
    stopped: int
    lost: int


class AttackSkipped(Event, frozen=True):
    """An alarm keeps the zombies from attacking."""

    seat: int


class Eliminated(Event, frozen=True):
    """A player has no survivors left and is out of the game."""

    seat: int
    cards: Cards


class FinalAttack(Event, frozen=True):
    """There are no survivors left in the city; nobody draws any more."""


class Ended(Event, frozen=True):
    """The game is over, with so many survivors for each player."""

    reason: Reason
    winners: tuple[int, ...]
    survivors: tuple[int, ...]
