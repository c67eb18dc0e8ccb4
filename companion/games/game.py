"""The Game protocol: what every game offers, and nothing about any one of them.

A game is a set of pure functions on frozen records. Everything that happens is a move: a player decides, or
nature reveals (a deal, a card turned up, a coin). The rules never ask where a move came from.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct, structs

from companion.games.cards import HIDDEN, Card, Tristate
from companion.games.codec import write_move
from companion.text import N_, Text, raw

LIES = N_("{card} lies {places} already.")
SEAT_FIELDS = frozenset({"seat", "to", "owner", "target", "partner"})


class Decide(Struct, frozen=True, tag="decide"):
    """A player must choose. `seat` is None where anybody may answer."""

    ask: str
    seat: int | None


class Reveal(Struct, frozen=True, tag="reveal"):
    """Nature must move: a card or a coin. `seat` is who alone sees the result; None: it lies open."""

    ask: str
    seat: int | None = None


class Over(Struct, frozen=True, tag="over"):
    """The game has ended. `winners` are seats; a group that wins together is all of them."""

    reason: str
    winners: tuple[int, ...]
    score: tuple[int, ...] = ()


Step = Decide | Reveal | Over


class Move(Struct, frozen=True, tag=True, cache_hash=True):
    """Something done at the table. The tag is the verb of its notation, the fields are what follows it."""


class Deal(Move, frozen=True, tag="deal"):
    """Nature gives the seat that waits a card that only this seat sees; `?` where the box can't see it."""

    card: Card


class Show(Move, frozen=True, tag="show"):
    """Nature turns a card face up."""

    card: Card


class Event(Struct, frozen=True, tag=True):
    """Something that has happened, for lights, log and page."""

    secret: ClassVar[tuple[str, ...]] = ()
    insiders: ClassVar[tuple[str, ...]] = ("seat",)

    def heard_by(self, seat: int | None) -> Event:
        """The event as a seat may know it; None is the shared page. Secret fields become hidden cards."""
        if not self.secret or (seat is not None and any(getattr(self, name) == seat for name in self.insiders)):
            return self
        return structs.replace(self, **dict.fromkeys(self.secret, HIDDEN))


class IllegalMove(ValueError):
    """A move that the rules refuse. Nothing has changed.

    `code` is stable and meant for programs and light patterns; `reason` names what was tried and why not;
    `legal` is what could have been done instead.
    """

    def __init__(self, code: str, reason: Text, legal: Sequence[Move] = ()):
        super().__init__(code, reason)
        self.code = code
        self.reason = reason
        self.legal = tuple(legal)

    def __str__(self) -> str:
        return f"{self.code}: {self.reason}"


class BadOptions(ValueError):
    """Options that don't exist, don't fit their type, or don't fit together."""

    def __init__(self, code: str, reason: Text):
        super().__init__(code, reason)
        self.code = code
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.code}: {self.reason}"


class BadState(BadOptions):
    """A state written by hand that can't be: a card twice, a wrong count, an unknown name."""


class Option(Struct, frozen=True):
    """One entry of a game's option table."""

    name: str
    default: Any
    allowed: tuple[Any, ...]
    ruling: str
    text: Text


def ruled(ruling: str, text: str) -> Meta:
    """Document an option where it's defined: its ruling and one sentence."""
    return Meta(description=text, extra={"ruling": ruling})


@cache
def option_table(options: Any) -> tuple[Option, ...]:
    """The options of a game with default, allowed values, ruling and description, from their definition."""
    hints = get_type_hints(options, include_extras=True)
    table = []
    for field in structs.fields(options):
        hint, ruling, text = hints[field.name], "", ""
        allowed: tuple[Any, ...] = ()
        if get_origin(hint) is Annotated:
            hint, *marks = get_args(hint)
            for mark in marks:
                text = mark.description or text
                ruling = (mark.extra or {}).get("ruling", ruling)
        if get_origin(hint) is Literal:
            allowed = get_args(hint)
        elif hint is bool:
            allowed = (False, True)
        table.append(Option(field.name, field.default, allowed, ruling, Text(text)))
    return tuple(table)


def written(value: object) -> str:
    """A value of an option as the configuration and the command line have it: true, not Python's True."""
    return str(value).lower() if isinstance(value, bool) else str(value)


S = TypeVar("S", bound=Struct)

# What carries out a move that the rules accept.
Handler = Callable[[S, Any], tuple[S, tuple[Event, ...]]]


class Game(ABC, Generic[S]):
    """The rules of one game. All methods are pure; states are never changed.

    >>> from companion.games import GAMES
    >>> game = GAMES["similo"]
    >>> state = game.new(game.options())
    >>> game.pending(state)
    Reveal(ask='grid', seat=None)
    """

    name: ClassVar[str]
    options_type: ClassVar[Any]
    state_type: ClassVar[Any]
    moves: ClassVar[tuple[type[Move], ...]]
    # Moves that report a mishap; a policy never makes them on purpose.
    mishaps: ClassVar[tuple[type[Move], ...]] = ()
    # Options with which the hands exist nowhere but in the box.
    dealt_by_box: ClassVar[dict[str, str]] = {"driver": "sim"}
    terms: ClassVar[dict[str, str]] = {}
    sentences: ClassVar[dict[type[Event], str]] = {}
    questions: ClassVar[dict[str, str]] = {}
    # For each kind of move the phases that ask for it and the method that carries it out, or refuses it.
    handlers: ClassVar[Mapping[type[Move], tuple[tuple[str, ...], Any]]] = {}
    # What is said of a card that can't be where it was read, if all may know where it lies.
    lies: ClassVar[str] = LIES

    def options(self, **chosen: object) -> Any:
        """Checked options; what isn't chosen has its default. Raises `BadOptions`."""
        known = {option.name: option for option in option_table(self.options_type)}
        for name in chosen:
            if name not in known:
                raise BadOptions(
                    "unknown_option",
                    Text(
                        N_("{game} has no option {name}. It has: {known}."),
                        {"game": self.name, "name": name, "known": ", ".join(known)},
                    ),
                )
        for name, value in chosen.items():
            allowed = known[name].allowed
            if allowed and not any(value == one and type(value) is type(one) for one in allowed):
                raise BadOptions(
                    "bad_option",
                    Text(
                        N_("{name} can't be {value}. Allowed: {allowed}."),
                        {"name": name, "value": repr(value), "allowed": ", ".join(map(written, allowed))},
                    ),
                )
        try:
            options = msgspec.convert(chosen, self.options_type)
        except msgspec.ValidationError as error:
            raise BadOptions("bad_option", raw(error)) from None
        self.check_options(options)
        return options

    def check_options(self, options: Any) -> None:
        """Refuse options that don't fit together; the base has none."""

    @abstractmethod
    def new(self, options: Any) -> S:
        """The state before the first move."""

    @abstractmethod
    def pending(self, state: S) -> Step:
        """Whose move it is and what is asked."""

    @abstractmethod
    def legal(self, state: S) -> Sequence[Move]:
        """Every move that `apply` would accept now, in a fixed order. Empty when the game is over."""

    def conceivable(self, view: S) -> Sequence[Move]:
        """What may be legal as far as a reader of a view can tell: also what hangs on a card that is hidden there."""
        return self.legal(view)

    def apply(self, state: S, move: Move) -> tuple[S, tuple[Event, ...]]:
        """The state after a move, and what happened. Raises `IllegalMove` and changes nothing otherwise."""
        handle = self.handler(state, move)
        if handle is None:
            raise self.refusal(state, move)
        return handle(state, move)

    def handler(self, state: S, move: Move) -> Handler[S] | None:
        """What carries out a move; None where it isn't asked for."""
        phases, method = self.handlers.get(type(move), ((), None))
        if method is None or getattr(state, "phase") not in phases:  # noqa: B009 - every State has one
            return None
        return partial(method, self)

    def refusal(self, state: S, move: Move) -> IllegalMove:
        """Why nothing carries out a move: without a better reason, because no question asks for it now."""
        return self.refuse(
            state,
            "not_now",
            N_("“{move}” isn't asked for now. {question}"),
            move=raw(write_move(move)),
            question=self.question(state),
        )

    @abstractmethod
    def view(self, state: S, seat: int | None) -> S:
        """The state as a seat may see it: what it can't know is hidden. None is the shared page."""

    @abstractmethod
    def settle(self, state: S) -> S:
        """Complete a state written by hand: derive what follows from the rest, refuse what can't be."""

    def verdict(self, state: S, move: Move) -> Tristate:
        """Whether a move is legal; UNKNOWN where a hidden card decides and players are trusted."""
        return Tristate.YES if move in self.legal(state) else Tristate.NO

    def chances(self, state: S) -> Sequence[tuple[Move, int]]:
        """What nature may do now, with weights: uniform over the cards that can come."""
        return [(move, 1) for move in self.legal(state)]

    def card(self, card: Card) -> Text:
        """The name of a card."""
        return self.term(card)

    def term(self, word: str) -> Text:
        """A word of this game's glossary, for translation."""
        if word == HIDDEN:
            return Text(N_("a hidden card"))
        return Text(self.terms[word]) if word in self.terms else raw(word)

    def tell(self, event: Event) -> Text:
        """An event as a sentence."""
        return Text(self.sentences[type(event)], self.values(event))

    def question(self, state: S) -> Text:
        """The pending question as a sentence."""
        step = self.pending(state)
        if isinstance(step, Over):
            return Text(N_("The game is over: {reason}."), {"reason": self.term(step.reason)})
        seat: dict[str, Any] = {} if step.seat is None else {"seat": step.seat + 1}
        wording, values = self.wording(state, step.ask)
        return Text(wording, {**seat, **values})

    def wording(self, state: S, ask: str) -> tuple[str, Mapping[str, Any]]:
        """A question's sentence and what to put in; a game has others where not all that it names can be chosen."""
        return self.questions[ask], {}

    def values(self, record: Struct) -> dict[str, Any]:
        """A record's fields as values for a sentence: seats count from one, cards and words get names."""
        return {name: self._value(name, getattr(record, name)) for name in record.__struct_fields__}

    def _value(self, name: str, value: Any) -> Any:
        if isinstance(value, Text):
            return value
        if isinstance(value, tuple):
            return tuple(self._value(name, part) for part in value)
        if isinstance(value, str):
            return self.card(value) if name.startswith("card") else self.term(value)
        if isinstance(value, int) and not isinstance(value, bool) and name in SEAT_FIELDS:
            return raw(value + 1)
        return raw(value)

    def known_zones(self, state: S, card: Card) -> tuple[Text, ...]:
        """Where a card lies for everybody to see; nothing where it's hidden, or isn't there."""
        return ()

    @abstractmethod
    def deck(self, state: S) -> Container[Card]:
        """Every card with which this game is played."""

    def stranger(self, state: S, card: Card) -> IllegalMove:
        """The refusal of a card that isn't in the deck of this game."""
        return self.refuse(state, "misread", N_("{card} isn't in the deck of this game."), card=card)

    def misread(self, state: S, card: Card, otherwise: str) -> IllegalMove:
        """The refusal of a card that can't be where it was read (G-11).

        It isn't of this game, or it lies elsewhere; where all may know that place, it's told.
        """
        if card not in self.deck(state):
            return self.stranger(state, card)
        zones = self.known_zones(state, card)
        if zones:
            return self.refuse(state, "misread", self.lies, card=card, places=zones)
        return self.refuse(state, "misread", otherwise, card=card)

    def refuse(self, state: S, code: str, template: str, **values: Any) -> IllegalMove:
        """An error to raise, with the legal alternatives filled in."""
        named = {name: self._value(name, value) for name, value in values.items()}
        return IllegalMove(code, Text(template, named), self.legal(state))


def seats_after(seat: int, players: int) -> Iterable[int]:
    """The other seats, clockwise from the one after `seat`."""
    return [(seat + step) % players for step in range(1, players)]
