"""A host knows how one game is played at the table: what the panel shows, what may be picked, what the eye means.

The states it gets are views for everybody, but for what the box does by itself and what one player alone is shown.
All of it is pure. The running box asks its host; the host never does anything itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct, structs

from companion.games.cards import HIDDEN, Card
from companion.games.game import Event, Game, Move, Over, Reveal
from companion.table.chooser import Node, Pick, tree
from companion.table.sight import Doubt, Name, Sight
from companion.table.tabletop import Tabletop
from companion.text import N_, Text, raw
from hardware.lights import PATTERNS, compose
from hardware.panel import BAR, DARK, Layer, PanelFrame

S = TypeVar("S", bound=Struct)

RULES = {
    "seat": N_("one light a seat"),
    "card": N_("one light a card"),
}
"""How a field of a move is picked, in words; a card that has colour or suit is `suited`."""


class Cue(Struct, frozen=True):
    """How the box tells that something happened: a flourish, a sound, a sentence."""

    flourish: str = ""
    sound: str = ""
    is_spoken: bool = False


class Window(Struct, frozen=True):
    """A question that answers itself after a while."""

    seconds: float
    move: Move


class Buttons(Struct, frozen=True):
    """What ✔ and ✖ do at once for this question, without the chooser."""

    confirm: Move | None = None
    back: Move | None = None


class Host(ABC, Generic[S]):
    """One game at the table."""

    game: ClassVar[Game[Any]]
    table: ClassVar[Tabletop[Any]] = Tabletop()
    verbs: ClassVar[dict[type[Move], str]]
    cues: ClassVar[dict[type[Event], Cue]] = {}
    refusals: ClassVar[dict[str, str]] = {}
    rules: ClassVar[dict[str, str]] = RULES

    lists: ClassVar[dict[str, tuple[Card, ...]]] = {}
    """Cards that the chooser always has in the same order, few enough to be told one by one."""

    usual: ClassVar[dict[str, Any]] = {}
    """What a box beside a table plays where nobody chose, and the rules alone would choose otherwise."""

    @property
    def at_table(self) -> dict[str, Any]:
        """The options that make a game a physical one, where `driver` does that; elsewhere a variant does."""
        return {"driver": "table"} if "driver" in self.game.options_type.__struct_fields__ else {}

    @abstractmethod
    def frame(self, state: S) -> PanelFrame:
        """What stands on the panel while nothing is picked: noise, seats, markers."""

    def asking(self, state: S, sight: Sight | None) -> Layer:
        """What the pending question adds to the frame."""
        return PATTERNS["lay" if isinstance(self.game.pending(state), Reveal) else "question"].layer

    def is_silent(self, state: S) -> bool:
        """Whether the box must not make a sound now."""
        return False

    def by_itself(self, state: S) -> Move | None:
        """A move the box makes alone because nobody has a choice; None to ask."""
        return None

    def draws(self, state: S) -> bool:
        """Whether the box itself plays nature here, with its own virtual deck or coin."""
        return False

    def window(self, state: S) -> Window | None:
        """A question that closes by itself."""
        return None

    def buttons(self, state: S) -> Buttons:
        """Short cuts for questions that are a plain yes or no."""
        return Buttons()

    def place(self, doubt: Doubt, name: Name) -> int:
        """The light on the bar for a card that is being named: its place in the list, where cards have no ranks."""
        return doubt.names.index(name)

    def names(self, doubt: Doubt) -> tuple[Node, ...]:
        """What a card can be as options for the chooser, the likely ones first, and more than a barful by suit."""
        others = doubt.order[len(doubt.likely) :]
        if len(others) <= BAR:
            return tuple(self._named(doubt, name) for name in doubt.order)
        paths = []
        for name in others:
            *above, last = self.card_steps(name.card)
            paths.append(((*above, structs.replace(last, place=self.place(doubt, name))), name))
        return (*(self._named(doubt, name) for name in doubt.likely), *tree(paths))

    def _named(self, doubt: Doubt, name: Name) -> Node:
        lamps = dict.fromkeys(lamp for step in self.card_steps(name.card) for lamp in step.lamps)
        return Node(Pick(name.card, self.game.card(name.card), tuple(lamps), self.place(doubt, name)), value=name)

    def shown(self, state: S, move: Move) -> Layer:
        """A proposed move on the panel, before it's confirmed."""
        return PATTERNS["question"].layer

    def peek(self, state: S) -> Layer | None:
        """What one player alone must be shown now, while the others look away; None for nothing."""
        return None

    def options(self, state: S) -> tuple[Node, ...]:
        """Every legal move as a tree for the chooser; reports of mishaps come last."""
        return self.choices(
            state, sorted(self.game.conceivable(state), key=lambda move: isinstance(move, self.game.mishaps))
        )

    def choices(self, state: S, moves: Sequence[Move]) -> tuple[Node, ...]:
        """Some moves as a tree for the chooser, kind by kind."""
        kinds = list(dict.fromkeys(map(type, moves)))
        ordered = sorted(moves, key=lambda move: (kinds.index(type(move)), self.order(move)))
        return tree((tuple(self.path(state, move)), move) for move in ordered)

    def order(self, move: Move) -> tuple[Any, ...]:
        """What moves of a kind are sorted by, where the rules list them in an order that isn't the table's."""
        return ()

    def path(self, state: S, move: Move) -> Iterable[Pick]:
        """The steps that lead to a move: its verb, then what it's about."""
        tag = str(move.__struct_config__.tag)
        yield Pick(tag, Text(self.verbs[type(move)]))
        for field in structs.fields(type(move)):
            yield from self.steps(state, field.name, getattr(move, field.name))

    def steps(self, state: S, name: str, value: Any) -> Iterable[Pick]:
        """The steps to pick one field of a move; a game refines this for cards with colour and rank."""
        if name in ("seat", "to") and isinstance(value, int):
            yield Pick(str(value), raw(value + 1))
        elif isinstance(value, tuple):
            for part in value:
                yield from self.steps(state, name, part)
        elif isinstance(value, str) and value != "none":
            yield from self.card_steps(value) if name.startswith("card") else [Pick(value, self.game.term(value))]
        elif isinstance(value, int):
            yield Pick(str(value), raw(value))

    def card_steps(self, card: Card) -> Sequence[Pick]:
        """The steps to pick a card."""
        return [Pick(card, self.game.card(card) if card != HIDDEN else self.game.term(HIDDEN))]

    def cue(self, event: Event) -> Cue:
        """How an event is told."""
        return self.cues.get(type(event), Cue())

    def refusal(self, code: str) -> Layer:
        """The pattern of a refusal; each kind has its own."""
        return PATTERNS[self.refusals.get(code, "unreadable" if code == "misread" else "refused-now")].layer

    def ending(self, state: S, over: Over) -> PanelFrame:
        """What stands on the panel when the game is over."""
        return compose(PATTERNS["won" if over.winners else "lost"].layer, on=DARK)
