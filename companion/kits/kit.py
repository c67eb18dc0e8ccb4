"""What a kit is: everything that a game brings beside its rules.

A kit must have a host, a sentence about the game, its decks and what lies where. The rest has a default: one variant,
a bot that likes all moves alike, a person who never errs, drawings made from the records.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct
from rich.console import RenderableType

from companion.draw import plain as plain_drawing
from companion.games.cards import Card
from companion.games.game import Game, Move
from companion.table.host import Host
from companion.table.lessons import Course
from companion.text import N_, Text
from companion.web.pictures import plain as plain_page
from companion.web.pictures.model import DrawingTools, DrawnCard, OnPage, Say, TablePicture
from vision.art.kit import DeckArt
from vision.art.mats import ZoneArt
from vision.art.pieces import TokenArt
from vision.art.reference import Chapter
from vision.simulated import LaidCard, Scene
from vision.zones import Layout, load_layout


class Variant(NamedTuple):
    """A way to play that the panel's menu offers."""

    key: str
    label: str
    options: dict[str, Any]


Audit = Callable[[Any, Sequence[Move], Sequence[tuple[Card, ...]]], Sequence[Text]]
"""Options, all moves and the cards left in each hand in; what was against the rules out."""


def as_after(before: Any, move: Move, after: Any) -> Any:
    """A card that is played stays where the move puts it."""
    return after


def as_laid(before: Scene, now: Scene) -> Scene:
    """No card can be taken for another."""
    return now


def no_mistakes(state: Any, rng: random.Random) -> dict[str, Scene]:
    """The demo's person never lays a card that the rules refuse."""
    return {}


def all_alike(view: Any, move: Move) -> float:
    """Every move is as good as any other: the bot plays at random."""
    return 0.0


def by_name(tools: DrawingTools, card: Card) -> DrawnCard:
    """A card with nothing on it but its name."""
    return tools.card(card)


def no_thing(card: str) -> Text | None:
    """Every printed card is one of the rules'."""
    return None


def no_cards(options: Any) -> tuple[Card, ...]:
    """All cards come with Hush."""
    return ()


class Kit(Struct, frozen=True, kw_only=True):
    """One game's kit."""

    host: Host[Any]
    """Lights, buttons and words of the game's questions, and what the sight of its table means."""

    about: str
    """One sentence for who has to choose a game."""

    decks: tuple[DeckArt, ...]
    """The print-and-play decks, drawn by the project itself."""

    scene: Callable[[Layout, Any], list[LaidCard]]
    """What lies where in a state, for the simulated table."""

    decks_of: Callable[[Any], tuple[str, ...]] | None = None
    """The names of the decks that lie on the table with these options; all of them where it's left out."""

    own_cards: Callable[[Any], tuple[Card, ...]] = no_cards
    """The cards of a deck that people bring themselves, with these options."""

    tokens: Mapping[int, str] = {}
    """What is printed on the game's tokens, by the number of the marker."""

    token_words: Mapping[str, TokenArt] = {}
    """What people read on the tokens, by their names."""

    mat: Mapping[str, ZoneArt] = {}
    """How the zones look on the printed mat; one that isn't here is grey and has its own name for words."""

    aids: tuple[Chapter, ...] = ()
    """Printed cards of words that help who plays, as messages: what cards do, how a turn goes."""

    thing: Callable[[str], Text | None] = no_thing
    """What a printed card is called that the rules don't know as a card."""

    variants: tuple[Variant, ...] = (Variant("standard", N_("standard"), {}),)
    """What people may choose on the panel; every other option is set on the page or in the configuration."""

    rare: tuple[str, ...] = ()
    """States with questions that random games hardly ever come to, in notation."""

    mid_move: Callable[[Any, Move, Any], Any] = as_after
    """The state whose table is seen while a move is made, where a card goes elsewhere at once."""

    least_moved: Callable[[Scene, Scene], Scene] = as_laid
    """The second table, laid with as few cards of the first one moved as its state allows."""

    mistakes: Callable[[Any, random.Random], Mapping[str, Scene]] = no_mistakes
    """Tables that the rules refuse, by the kind of mistake."""

    worth: Callable[[Any, Move], float] = all_alike
    """What a sensible player thinks of a move: a seat's view and the move in, worth out."""

    draw: Callable[[Game[Any], Any], RenderableType] = plain_drawing.draw
    """The table in a terminal."""

    picture: Callable[[DrawingTools, Any], TablePicture] = plain_page.picture
    """The table on the page."""

    drawn_card: Callable[[DrawingTools, Card], DrawnCard] = by_name
    """A card on the page."""

    course: Course = Course()
    """What a group is told that plays the game for the first time; nothing where it's left out."""

    on_page: OnPage = OnPage()
    """What one taps on the page's table, and what is told of a card there."""

    audit: Audit | None = None
    """What was against the rules, once all hands lie open."""

    @property
    def game(self) -> Game[Any]:
        """The rules."""
        return self.host.game

    @property
    def name(self) -> str:
        """The game's name, and the name of the kit's folder."""
        return self.game.name

    def drawn_card_of(self, card: Card, say: Say) -> DrawnCard:
        """A card as the page has it, in a language."""
        return self.drawn_card(DrawingTools(self.game, say), card)

    @property
    def layout(self) -> Layout:
        """The table's zones, from the kit's layout.toml."""
        return load_layout(Path(__file__).parent / self.name / "layout.toml")

    def decks_on_table(self, options: Any) -> tuple[str, ...]:
        """The names of the decks on a table with these options."""
        return tuple(deck.name for deck in self.decks) if self.decks_of is None else self.decks_of(options)

    @property
    def takes_own_cards(self) -> bool:
        """Whether people may bring a deck that Hush doesn't know the cards of."""
        return self.own_cards is not no_cards
