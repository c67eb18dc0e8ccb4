"""What travels between the page and the box: frozen records, from which the API's description is made too."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from companion.web.lessons import PageTeaching
from companion.web.pictures.model import DrawnCard, NamedZone, TablePicture, Thing

Number = Annotated[int, Meta(ge=0, le=2**53)]
Short = Annotated[str, Meta(max_length=2000)]


class Trouble(Struct, frozen=True):
    """Why something wasn't done: a stable code and a sentence."""

    code: str
    reason: str


class Done(Struct, frozen=True):
    """It was done."""

    done: bool = True


class Choice(Struct, frozen=True, omit_defaults=True):
    """One option: more behind it, or the move it stands for, told in full, with what one may tap to mean it."""

    key: str
    label: str
    move: str = ""
    lamps: tuple[str, ...] = ()
    says: str = ""
    taps: tuple[str, ...] = ()
    branches: tuple[Choice, ...] = ()
    is_mishap: bool = False


class SetOfCards(Struct, frozen=True):
    """A move that names several cards at once: pick `count` of them."""

    verb: str
    label: str
    count: int
    cards: tuple[DrawnCard, ...]


class GroupedOptions(Struct, frozen=True):
    """Everything that can be done now, grouped as on the panel."""

    choices: tuple[Choice, ...] = ()
    sets: tuple[SetOfCards, ...] = ()


class LogLine(Struct, frozen=True):
    """One move in plain language."""

    number: int
    told: tuple[str, ...]
    can_correct: bool = True


class CardSide(Struct, frozen=True, omit_defaults=True):
    """One side of a card that may lie on the table: its name, its picture's address, what the rules call it where that
    is another name, what it does."""

    card: str
    face: str
    name: str
    art: str = ""
    means: str = ""
    tone: str = ""
    does: str = ""


class TableMap(Struct, frozen=True):
    """The table of a game before anything lies on it, in millimetres, and every card that may come to lie there.

    `is_drawn` is false while the pictures of its cards are still being made: ask again.
    """

    game: str
    game_id: int | None
    width: float
    height: float
    card_width: float
    card_height: float
    zones: tuple[NamedZone, ...]
    sides: tuple[CardSide, ...]
    is_drawn: bool = True


class TableAnswer(Struct, frozen=True):
    """One answer to what no camera sees of a table that is taken as it lies."""

    key: Annotated[str, Meta(max_length=40)]
    value: int
    label: str = ""
    is_likely: bool = False


class UnfinishedGame(Struct, frozen=True):
    """A game of the record that can go on."""

    number: int
    label: str


class SharedState(Struct, frozen=True):
    """What everybody may see. `moment` grows with every change; a ✔ names the one it saw.

    `complaint` is what no rule explains, `asked` what the box can't tell by itself, `notice` is good to know. `is_held`
    where ✔ must be held. `progress` counts the cards of a set-up. `changed` are the places in `things` of what the last
    act changed. `names` are those of the seats, where people have given them. `answers` are to what is `asked` of a
    table that is taken as it lies, which `can_believe` says is possible now. `otherwise` are the ways to take what ✔
    would take, where somebody isn't done yet or has done what no camera sees.
    """

    moment: int
    number: int
    question: str
    panel: msgspec.Raw
    game: str = ""
    title: str = ""
    game_id: int | None = None
    players: int = 0
    seat: int | None = None
    is_over: bool = False
    has_won: bool = False
    is_private: bool = False
    complaint: str = ""
    asked: str = ""
    notice: str = ""
    offered: str = ""
    is_held: bool = False
    progress: tuple[int, int] | None = None
    teaching: PageTeaching = PageTeaching()
    things: tuple[Thing, ...] = ()
    changed: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    answers: tuple[TableAnswer, ...] = ()
    can_believe: bool = False
    otherwise: tuple[Choice, ...] = ()
    picture: TablePicture | None = None
    options: GroupedOptions = GroupedOptions()
    log: tuple[LogLine, ...] = ()
    can_undo: bool = False
    can_redo: bool = False
    seats_taken: tuple[int, ...] = ()
    visitor: str = ""
    notices: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    unfinished: tuple[UnfinishedGame, ...] = ()
    is_simulated: bool = False
    has_picture: bool = False


class Private(Struct, frozen=True):
    """What one seat alone may see."""

    moment: int
    number: int
    seat: int
    question: str
    is_turn: bool
    picture: TablePicture
    options: GroupedOptions = GroupedOptions()


class PressButton(Struct, frozen=True, forbid_unknown_fields=True):
    """A button of the twin. ✔ and ✖ name the moment they saw."""

    button: Literal["left", "right", "confirm", "back"]
    moment: Number
    is_held: bool = False


class MakeMove(Struct, frozen=True, forbid_unknown_fields=True):
    """A move in notation, for the state with that number.

    For who `asks_first` a move that takes a hold, such as one that ends the game, isn't made: it comes again once held.
    """

    move: Short
    number: Number
    asks_first: bool = False


class MoveMade(Struct, frozen=True):
    """A move was made; or why it takes a hold first."""

    hold: str = ""


class AtNumber(Struct, frozen=True, forbid_unknown_fields=True):
    """Undo or redo, for the state with that number."""

    number: Number


class Believe(Struct, frozen=True, forbid_unknown_fields=True):
    """Take the table as it lies, for the state with that number; `answer` answers what was asked about it."""

    number: Number
    answer: TableAnswer | None = None


class Otherwise(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the ways in `otherwise`, by its number there, as of that moment."""

    which: Number
    moment: Number


class Correction(Struct, frozen=True, forbid_unknown_fields=True):
    """Another move in the place of an earlier one."""

    at: Number
    move: Short
    number: Number


class Corrected(Struct, frozen=True):
    """How many later moves no longer fitted and were taken back."""

    dropped: int


class Code(Struct, frozen=True, forbid_unknown_fields=True):
    """The code that the box shows or says, and what this phone is called."""

    code: Annotated[str, Meta(max_length=20)]
    name: Annotated[str, Meta(max_length=60)] = ""


class KnockRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A phone wants in."""

    name: Annotated[str, Meta(max_length=200)] = ""


class Waiting(Struct, frozen=True):
    """How it stands at the door, and the sign to compare."""

    status: str
    place: int = 0
    suit: str = ""
    shape: str = ""
    words: dict[str, str] = {}
    is_arriving: bool = False


class OptionRow(Struct, frozen=True):
    """One option of a game with its sentence."""

    name: str
    text: str
    default: Any
    allowed: tuple[Any, ...]
    labels: tuple[str, ...] = ()


class VariantRow(Struct, frozen=True):
    """A usual way to play: what it's called, what it changes in a sentence, and its options."""

    key: str
    label: str
    says: str
    options: dict[str, Any]


class Rules(Struct, frozen=True):
    """A game that can be played here."""

    name: str
    title: str
    options: tuple[OptionRow, ...]
    variants: tuple[VariantRow, ...] = ()


class SignRow(Struct, frozen=True):
    """A sign of the light language: its name, what it tells, and drawings of the lamps, one for each moment."""

    title: str
    meaning: str
    drawings: tuple[str, ...]


class Help(Struct, frozen=True):
    """The running game's rules as Markdown, and the lights of the panel."""

    rules: str
    signs: tuple[SignRow, ...]


class BeginGame(Struct, frozen=True, forbid_unknown_fields=True):
    """Begin a game instead of the one that runs (None: none does); `names` are those of the seats, in their order.

    `is_under_way` where it was begun without the box: the table that is seen next is taken as it lies. `is_known`
    where the group knows the game and is told no lessons.
    """

    game: Annotated[str, Meta(max_length=40)]
    options: dict[str, Any] = {}
    instead_of: int | None = None
    names: Annotated[tuple[Annotated[str, Meta(max_length=30)], ...], Meta(max_length=8)] = ()
    is_under_way: bool = False
    is_known: bool = False


class RecordedGame(Struct, frozen=True):
    """A game of the record."""

    id: int
    game: str
    title: str
    started: str
    ended: str | None
    reason: str
    has_won: bool | None = None
    moves: int = 0
    minutes: float | None = None
    players: int = 0


class GamePage(Struct, frozen=True):
    """Some games of the record, newest first; `before` is where the next page begins."""

    games: tuple[RecordedGame, ...]
    before: int | None = None


class Replayed(Struct, frozen=True):
    """A finished game, move by move."""

    game: RecordedGame
    log: tuple[LogLine, ...]


class Still(Struct, frozen=True):
    """The table after so many moves."""

    number: int
    question: str
    picture: TablePicture
    things: tuple[Thing, ...] = ()


class GameTally(Struct, frozen=True):
    """One game's numbers: `by_players` has those won and those played, `streak` the last ones won in a row."""

    game: str
    title: str
    played: int
    won: int
    minutes: float | None
    endings: dict[str, int]
    by_players: dict[int, tuple[int, int]] = {}
    streak: int = 0
    best_streak: int = 0


class Statistics(Struct, frozen=True):
    """Numbers of all finished games, and the games by day."""

    tallies: tuple[GameTally, ...]
    days: dict[str, int]


class SettingRow(Struct, frozen=True):
    """One effective value of the configuration."""

    key: str
    value: str
    origin: str


class DeviceRow(Struct, frozen=True):
    """A phone that was let in."""

    id: str
    name: str
    since: str
    is_this: bool


class SettingForm(Struct, frozen=True):
    """A key that can be set here, as the file has it: one of `allowed`, or a number within limits.

    `is_waiting` where the running box still has another value and must be started again.
    """

    key: str
    text: str
    group: str
    value: Any
    allowed: tuple[Any, ...] = ()
    lowest: float | None = None
    highest: float | None = None
    is_written: bool = False
    is_waiting: bool = False


class ChangeSetting(Struct, frozen=True, forbid_unknown_fields=True):
    """Write a key into the configuration file; null takes it out again."""

    key: Annotated[str, Meta(max_length=80)]
    value: bool | int | float | Annotated[str, Meta(max_length=80)] | None


class SettingsShown(Struct, frozen=True):
    """The configuration as it holds, what can be changed here, and the phones."""

    rows: tuple[SettingRow, ...]
    devices: tuple[DeviceRow, ...]
    forms: tuple[SettingForm, ...]


class Check(Struct, frozen=True):
    """One thing that is well or not, and what to do about it."""

    name: str
    is_well: bool
    says: str
    fix: str = ""


class BoxHealth(Struct, frozen=True):
    """What's wrong with my box."""

    is_well: bool
    checks: tuple[Check, ...]


class Restored(Struct, frozen=True):
    """What came out of a backup."""

    taken: int
    known: int


class ResumeGame(Struct, frozen=True, forbid_unknown_fields=True):
    """Go on with a game; `instead_of` is the one that runs now."""

    instead_of: int | None = None


class SeatPin(Struct, frozen=True, forbid_unknown_fields=True):
    """The PIN of a seat."""

    pin: Annotated[str, Meta(pattern=r"^[0-9]{4,8}$")]


class PageWords(Struct, frozen=True):
    """The page's own texts in one language, and the table of the running game where it's at hand."""

    language: str
    languages: dict[str, str]
    words: dict[str, str]
    table: TableMap | None = None
