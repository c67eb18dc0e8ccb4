"""A host knows how one game is played at the table: what the panel shows, what may be picked, what the eye means.

It gets public views of states, except for the box's own moves and for what one player alone is shown.
All of it is pure. The running box asks its host; the host never does anything itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct, structs

from companion.games.cards import HIDDEN, Card
from companion.games.game import Event, Game, IllegalMove, Move, Over, Reveal
from companion.table.chooser import Chooser, Node, Pick, options_layer, tree
from companion.table.doubt import Doubt, FaceName
from companion.table.knowledge import is_private
from companion.table.tabletop import Tabletop
from companion.text import N_, Text, raw
from hardware import lights
from hardware.lights import PATTERNS, compose
from hardware.panel import BAR, SKY, Beat, Layer, PanelFrame
from hardware.signs import SIGN

S = TypeVar("S", bound=Struct)


class Cue(Struct, frozen=True):
    """How the box tells that something happened: a flourish, a sound, a sentence."""

    flourish: str = ""
    sound: str = ""
    is_spoken: bool = False


class Window(Struct, frozen=True):
    """A question that answers itself after a while; one that waits for learners doesn't in a game that teaches."""

    seconds: float
    move: Move
    waits_for_learners: bool = False


class QuestionSign(Struct, frozen=True):
    """A question in light: which sign it is, and what it shows; nothing where whose turn it is says it all."""

    sign: str
    beats: tuple[Beat, ...] = ()


PLAYER = N_("player {seat}")
VERB_PLACES = 7
"""Verbs stand on every second light, and never on the last: all of them together mean that a hand is in the way."""
LEAVING_LIGHT = 2 * VERB_PLACES - 1
"""The light, from 1, of the verbs that leave or end something: ◀ ✔ in every question."""


class Host(ABC, Generic[S]):
    """One game at the table."""

    game: ClassVar[Game[Any]]
    table: ClassVar[Tabletop[Any]] = Tabletop()
    verbs: ClassVar[dict[type[Move], str]]
    cues: ClassVar[dict[type[Event], Cue]] = {}
    refusals: ClassVar[dict[str, str]] = {}
    echoes: ClassVar[dict[type[Event], type[Event]]] = {}
    """Events that say the same as another kind: beside that one they aren't told."""

    places: ClassVar[dict[type[Move], int]] = {}
    """Each verb's light on the bar, from 1; one that leaves or ends something has `LEAVING_LIGHT`.

    The others take those that are left, in their order.
    """

    answer_lamps: ClassVar[dict[type[Move], str]] = {}
    """Sun or moon for verbs that are a plain yes or no, where a question has one of each and nothing else."""

    direct: ClassVar[tuple[type[Move], ...]] = ()
    """Verbs that needn't be picked: a suit or a player that is picked means them."""

    menu_moves: ClassVar[tuple[type[Move], ...]] = ()
    """Moves that the menu offers under what went wrong, beside mishaps; a question never lists them."""

    hold_moves: ClassVar[tuple[type[Move], ...]] = ()
    """Moves that take a hold, whatever comes of them."""

    signs: ClassVar[dict[str, str]] = {}
    """The sign of a question where it isn't the one its options have."""

    has_meter: ClassVar[bool] = False
    """Whether the bar is a meter, which nothing may hide for long."""

    words: ClassVar[dict[str, tuple[str, ...]]] = {}
    """What is picked by a place after a verb: a field of a move, and its words on every second light from the first."""

    numbers: ClassVar[dict[str, tuple[Card, ...]]] = {}
    """Cards without suit or rank, each list in the order of their numbers; the first card is light 1."""

    box_defaults: ClassVar[dict[str, Any]] = {}
    """What a box beside a table plays where nobody chose, and the rules alone would choose otherwise."""

    @property
    def at_table(self) -> dict[str, Any]:
        """The options that make a game a physical one, where `driver` does that; elsewhere a variant does."""
        return {"driver": "table"} if "driver" in self.game.options_type.__struct_fields__ else {}

    @abstractmethod
    def frame(self, state: S) -> PanelFrame:
        """What stands on the panel while nothing is picked: noise, seats, markers."""

    def question_sign(self, state: S) -> QuestionSign:
        """The pending question as a sign."""
        step = self.game.pending(state)
        if isinstance(step, Over):
            return QuestionSign("turn")
        nodes = self.options(state)
        sign = self.signs.get(step.ask) or ("turn-up" if isinstance(step, Reveal) else "")
        if not sign:
            sign = Chooser(nodes).sign if nodes else "turn"
        return QuestionSign(sign, self.beats(state, sign, nodes))

    def beats(self, state: S, sign: str, nodes: Sequence[Node]) -> tuple[Beat, ...]:
        """What a sign shows for a question with these options."""
        match sign:
            case "turn":
                return ()
            case "turn-up":
                return lights.running()
            case "anyone":
                return lights.inwards()
            case "lay":
                return lights.still(Layer.parse(SIGN["lay"].drawings[0]))
            case "yes-no":
                return lights.yes_or_no()
            case _:
                return lights.still(options_layer([node.pick for node in nodes], None))

    def is_silent(self, state: S) -> bool:
        """Whether the box must not make a sound now."""
        return False

    def forced_move(self, state: S) -> Move | None:
        """A move the box makes alone because nobody has a choice; None to ask."""
        if isinstance(self.game.pending(state), Over) or is_private(self.game, state):
            return None
        public = self.game.view(state, None)
        found = self.answerable(public)
        return found[0] if len(found) == 1 and not self.takes_hold(public, found) else None

    def draws(self, state: S) -> bool:
        """Whether the box itself plays nature here, with its own virtual deck or coin."""
        return False

    def window(self, state: S) -> Window | None:
        """A question that closes by itself."""
        return None

    def takes_hold(self, state: S, moves: Sequence[Move]) -> bool:
        """Whether moves take a hold: they end the game as far as everybody can tell, or report a mishap."""
        if any(isinstance(move, (*self.game.mishaps, *self.menu_moves, *self.hold_moves)) for move in moves):
            return True
        try:
            for move in moves:
                state, _ = self.game.apply(state, move)
        except IllegalMove:
            return False
        return isinstance(self.game.pending(state), Over)

    def place(self, doubt: Doubt, name: FaceName) -> int:
        """The light on the bar for a card that is being named: its number, or its place among what it can be."""
        if any(name.card in cards for cards in self.numbers.values()):
            return self.numbered(name.card, self.game.card(name.card)).place
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

    def _named(self, doubt: Doubt, name: FaceName) -> Node:
        lamps = tuple(dict.fromkeys(lamp for step in self.card_steps(name.card) for lamp in step.lamps))
        return Node(Pick(name.card, self.game.card(name.card), lamps, self.place(doubt, name), "card"), value=name)

    def shown(self, state: S, move: Move) -> Layer:
        """The suit, sun or moon of a move that was understood, before it's confirmed."""
        return Layer()

    def peek(self, state: S) -> Layer | None:
        """What one player alone must be shown now, while the others look away; None for nothing."""
        return None

    def answerable(self, state: S) -> list[Move]:
        """What can be answered to the pending question; mishaps and what is in the menu are left out."""
        by_menu = (*self.game.mishaps, *self.menu_moves)
        return [move for move in self.game.conceivable(state) if not isinstance(move, by_menu)]

    def reports(self, state: S) -> list[Move]:
        """What can have gone wrong now; the menu offers it."""
        by_menu = (*self.game.mishaps, *self.menu_moves)
        return [move for move in self.game.conceivable(state) if isinstance(move, by_menu)]

    def options(self, state: S, moves: Sequence[Move] | None = None) -> tuple[Node, ...]:
        """What can be answered, or some moves, as a tree for the chooser on the panel; a verb may be left out."""
        moves = self.answerable(state) if moves is None else moves
        kinds = set(map(type, moves))
        lamps = [self.answer_lamps[kind] for kind in kinds if kind in self.answer_lamps]
        if len(moves) == len(kinds) == len(set(lamps)) == len(SKY):
            return tree([((self._answer(move),), move) for move in moves])
        paths = {move: tuple(self.path(state, move)) for move in moves}
        meant = {type(move) for move, path in paths.items() if len(path) > 1 and path[1].kind in ("suit", "seat")}
        direct = meant.intersection(self.direct)
        dropped = direct if len(direct) == 1 else set()
        return tree((path[1:] if type(move) in dropped else path, move) for move, path in paths.items())

    def _answer(self, move: Move) -> Pick:
        return Pick(
            str(move.__struct_config__.tag), Text(self.verbs[type(move)]), (self.answer_lamps[type(move)],), 0, "sky"
        )

    def options_by_verb(self, state: S, moves: Sequence[Move]) -> tuple[Node, ...]:
        """Some moves as a tree of words, verb by verb."""
        return tree((tuple(self.path(state, move)), move) for move in moves)

    def place_of(self, kind: type[Move]) -> int:
        """A verb's place on the bar, from 0: the same all game long."""
        if kind in self.places:
            return self.places[kind] - 1
        return 2 * (list(self.verbs).index(kind) % VERB_PLACES)

    def verb(self, state: S, move: Move) -> Text:
        """What a move does, in a word or two."""
        return Text(self.verbs[type(move)])

    def path(self, state: S, move: Move) -> Iterable[Pick]:
        """The steps that lead to a move: its verb, then what it's about."""
        tag = str(move.__struct_config__.tag)
        yield Pick(tag, self.verb(state, move), (), self.place_of(type(move)), "verb")
        for name in move.__struct_fields__:
            yield from self.steps(state, name, getattr(move, name))

    def steps(self, state: S, name: str, value: Any) -> Iterable[Pick]:
        """The steps to pick one field of a move; a game refines this for cards with colour and rank."""
        if value in self.words.get(name, ()):
            yield Pick(value, self.game.term(value), (), 2 * self.words[name].index(value), "verb")
        elif name in ("seat", "to") and isinstance(value, int):
            if value >= 0:
                yield Pick(str(value), Text(PLAYER, {"seat": value + 1}), (), value, "seat")
        elif isinstance(value, tuple):
            for part in value:
                yield from self.steps(state, name, part)
        elif isinstance(value, str) and value != "none":
            yield from (
                self.card_steps(value) if name.startswith("card") else [self.numbered(value, self.game.term(value))]
            )
        elif isinstance(value, int):
            yield Pick(str(value), raw(value), (), value - 1)

    def card_steps(self, card: Card) -> Sequence[Pick]:
        """The steps to pick a card."""
        return [self.numbered(card, self.game.card(card) if card != HIDDEN else self.game.term(HIDDEN))]

    def numbered(self, card: Card, label: Text) -> Pick:
        """A card without suit or rank, by its number in its list; a hidden one comes after the last."""
        listed = [cards for cards in self.numbers.values() if card in cards]
        longest = max(map(len, self.numbers.values()), default=0)
        return Pick(card, label, (), listed[0].index(card) if listed else longest)

    def rank(self, card: Card) -> int | str:
        """By what a game's cards are sorted in a list of all, so that it goes as the lights do."""
        return next((cards.index(card) for cards in self.numbers.values() if card in cards), -1)

    def cue(self, event: Event) -> Cue:
        """How an event is told."""
        return self.cues.get(type(event), Cue())

    def refusal_pattern(self, code: str) -> Layer:
        """The pattern of a refusal; each kind has its own."""
        return PATTERNS[self.refusals.get(code, "unreadable" if code == "misread" else "refused-now")].layer

    def ending(self, state: S, over: Over) -> PanelFrame:
        """What stands on the panel when the game is over."""
        return compose(PATTERNS["won" if over.winners else "lost"].layer)
