"""Silencio's lessons: what a group is told that plays it for the first time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.game import Decide, Reveal
from companion.games.silencio import records as r
from companion.games.silencio.records import HAND_SIZE, MAX_RANK, SHRINES, Options, State
from companion.games.silencio.words import SHRINES as SHRINE_NAMES
from companion.table.lessons import GOAL, Course, Lesson, SetupItem
from companion.text import N_, Text, Value


def sizes(state: State) -> Mapping[str, Value]:
    """How many cards take part."""
    players = state.options.players
    return {"most": MAX_RANK[players], "hand": HAND_SIZE[players], "oracle": players}


def last_laid(state: State) -> tuple[str, ...]:
    """The cards that lie on top of their rows."""
    return tuple(row[-1] for row in state.rows if row)


def open_cards(state: State) -> tuple[str, ...]:
    """The cards that lie open before players."""
    return tuple(card for cards in state.open for card in cards)


def has_skip(state: State) -> bool:
    """Whether an effect of the next card is to be skipped, or may be."""
    return state.phase == "light" or bool({"skip_dark", "skip_light"} & {*state.markers})


def is_nearly_last_card(state: State) -> bool:
    """Whether the player whose turn it is can still choose which card is the last one, or has one card left."""
    return len(state.hands[state.turn]) + len(state.open[state.turn]) in (1, 2)


def turn(state: State, step: Decide | Reveal) -> Any:
    """A player's turn, also while the Oracle is filled up in it; before the game the Oracle is one."""
    return state.turn if state.started else step.ask


def has_tavern(state: State) -> bool:
    """Whether the tavern is open, or can open in the turn that begins."""
    return state.tavern_open or (state.options.tavern and state.phase == "turn" and has_lain(state))


def has_lain(state: State) -> bool:
    """Whether a card lies in a row."""
    return any(state.rows)


def lay_out(state: State) -> tuple[SetupItem, ...]:
    """The shrines, each in its row, and the Oracle."""
    if state.started or state.phase != "oracle":
        return ()
    shrines = (
        SetupItem("shrine-large" if name == "large" else name, Text(SHRINE_NAMES[name]), (f"shrine-{name}",))
        for name in SHRINES
    )
    oracle = SetupItem("oracle", Text(N_("the Oracle's cards")), count=state.options.players, is_asked=True)
    return (*shrines, oracle)


def pile(options: Options, card: str) -> str:
    """All cards go away together."""
    return N_("All cards and shrines go away together")


COURSE = Course(
    lay_out=lay_out,
    pile=pile,
    set_up=("deal", "start", "pass_on"),
    turn=turn,
    goal=Lesson(
        key=GOAL,
        text=N_(
            "Together you want to play every card of every hand into the four rows. It's over when all have passed "
            "one after the other; the fewer cards are left then, in hands or open before players, the better. You are "
            "numbered clockwise: agree who is player 1."
        ),
        tells=("SIL-40", "SIL-41", "SIL-42"),
        asks=("oracle", "start"),
    ),
    lessons=(
        Lesson(
            key="set-up",
            text=N_(
                "First lay the small shrines lit side up on the left, each in its row, and the large one beside "
                "the red row. Shuffle the cards 2 to {most} of all colours, deal {hand} to each, and then turn up "
                "{oracle} below the rows: the Oracle, whose cards come into hands by effects."
            ),
            tells=("SIL-01", "SIL-03", "SIL-04", "SIL-08"),
            asks=("oracle",),
            where=lambda state: not state.started,
            values=sizes,
        ),
        Lesson(
            key="start",
            text=N_(
                "From now on nobody speaks, points or nods. Agree with looks alone who begins, and pick that player's "
                "light."
            ),
            tells=("SIL-05", "SIL-07"),
            asks=("start",),
        ),
        Lesson(
            key="sides",
            text=N_(
                "A card that leaves out a number in its row, such as a 5 on a 3, will lie light side up, and you may "
                "use its light effect. The very next number, a 4 on a 3, lies dark side up, and its dark effect must "
                "be carried out; the printed card says what each colour does."
            ),
            tells=("SIL-06", "SIL-16", "SIL-17", "SIL-18", "SIL-29"),
            asks=("pass_on", "turn"),
            where=lambda state: state.phase == "pass_on" or has_lain(state),
            explains=("wrong_side",),
            cards=last_laid,
        ),
        Lesson(
            key="play",
            text=N_(
                "Lay a card in the row of its colour, higher than the last one there, where the shrine is a 1; who can "
                "play must. Once in a turn, before or after a card but not if you pass, you may use the light effect "
                "of a lit shrine and turn it over; the large one has all four."
            ),
            tells=(
                "SIL-10", "SIL-15", "SIL-30", "SIL-31", "SIL-32", "SIL-33", "SIL-34", "SIL-35", "SIL-36",
            ),
            asks=("turn", "end"),
            explains=(
                "not_climbing", "wrong_row", "wrong_place", "must_play", "not_held", "second_shrine",
                "shrine_after_draw", "shrine_no_play", "shrine_effect", "unlit",
            ),
            cards=last_laid,
        ),
        Lesson(
            key="tavern",
            text=N_(
                "Every third dark effect opens the tavern: at the beginning or the end of your turn you may then "
                "close it and say one of its three sentences. The buttons show them."
            ),
            tells=("SIL-50", "SIL-51", "SIL-52", "SIL-53"),
            asks=("turn", "end"),
            where=has_tavern,
            explains=("tavern_closed", "tavern_no_play", "tavern_words"),
            shown_by=(r.TavernSaid,),
            cards=lambda state: ("tavern",),
        ),
        Lesson(
            key="last-card",
            text=N_(
                "Think of your last card: if it has to lie dark side up, its dark effect falls away. It's the last "
                "only if no card lies open before you either."
            ),
            tells=("SIL-13", "SIL-14"),
            asks=("turn",),
            where=is_nearly_last_card,
        ),
        Lesson(
            key="random",
            text=N_(
                "You don't choose now: shuffle your hand and draw a card blind. If it fits, it's played; if not, it"
                " goes back, shown to nobody, and you take an ordinary turn."
            ),
            tells=("SIL-26",),
            asks=("turn", "draw"),
            where=lambda state: "random" in state.markers,
            explains=("draw_first", "no_draw"),
            can_wait=True,
        ),
        Lesson(
            key="green",
            text=N_("The next card has to be green, whoever plays it. Who has none passes, and it goes on waiting."),
            tells=("SIL-28",),
            asks=("turn",),
            where=lambda state: "green" in state.markers,
            explains=("must_be_green",),
            can_wait=True,
        ),
        Lesson(
            key="skip",
            text=N_(
                "A skip is for the very next card that anybody plays, whether it finds something to skip or not. "
                "Passing doesn't use it up, and shrines aren't touched by it."
            ),
            tells=("SIL-20", "SIL-21", "SIL-22"),
            asks=("turn", "skip_dark"),
            where=has_skip,
            can_wait=True,
        ),
        Lesson(
            key="open-card",
            text=N_(
                "An open card may be played by anybody on their turn, also by who has no cards left. For its owner "
                "it still counts as a hand card, and must be played if nothing else fits."
            ),
            tells=("SIL-11", "SIL-12", "SIL-25"),
            asks=("turn", "open_card"),
            where=lambda state: state.phase == "light" or any(state.open),
            explains=("empty_hand",),
            can_wait=True,
            cards=open_cards,
        ),
        Lesson(
            key="take-back",
            text=N_(
                "You may take the last card of another row into your hand: never a blue one, never a shrine. The "
                "row then goes on from the card below."
            ),
            tells=("SIL-23",),
            asks=("take_back",),
            explains=("effect_card",),
            can_wait=True,
            cards=last_laid,
        ),
        Lesson(
            key="swap",
            text=N_(
                "The player you choose does one of three things: swap a card with another player, take a card of "
                "the Oracle and put one back, or take the whole Oracle out of the game and have a new one turned up."
            ),
            tells=("SIL-27",),
            asks=("swap",),
            explains=("effect_choice",),
            shown_by=(r.Swapped, r.OracleTaken, r.OracleRenewed),
            can_wait=True,
        ),
    ),
    untold={
        "The box asks it, or it's an option that people choose before the game.": ("SIL-02", "SIL-24", "SIL-54"),
        "It changes nothing in the game.": ("SIL-09",),
        "It's about how the rules are programmed, not about what people do.": ("SIL-43",),
    },
    unexplained={
        "The box has misread a card: no rule is behind it.": ("misread",),
        "It's about what is typed or pressed, not about a rule.": ("no_such_seat", "not_now", "unreadable"),
        "It's an option that people choose before the game.": ("no_referee",),
    },
)  # fmt: skip
