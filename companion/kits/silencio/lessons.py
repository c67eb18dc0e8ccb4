"""Silencio's lessons: what a group is told that plays it for the first time."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.silencio import records as r
from companion.games.silencio.records import HAND_SIZE, MAX_RANK, SHRINES, Options, State
from companion.games.silencio.words import SHRINES as SHRINE_NAMES
from companion.table.lessons import GOAL, Course, Lesson, Place
from companion.text import N_, Text, Value

LIGHT_EFFECTS = ("skip_dark", "take_back", "open_card", "swap")


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


def is_last_card(state: State) -> bool:
    """Whether the player whose turn it is has one card left."""
    return len(state.hands[state.turn]) + len(state.open[state.turn]) == 1


def has_lain(state: State) -> bool:
    """Whether a card lies in a row."""
    return any(state.rows)


def lay_out(state: State) -> tuple[Place, ...]:
    """The shrines, each in its row, and the Oracle."""
    if state.started or state.phase != "oracle":
        return ()
    shrines = (
        Place("shrine-large" if name == "large" else name, Text(SHRINE_NAMES[name]), (f"shrine-{name}",))
        for name in SHRINES
    )
    oracle = Place("oracle", Text(N_("the Oracle's cards")), count=state.options.players)
    return (*shrines, oracle)


def pile(options: Options, card: str) -> str:
    """All cards go away together."""
    return N_("Put away together")


COURSE = Course(
    lay_out=lay_out,
    pile=pile,
    set_up=("deal", "oracle", "start", "pass_on"),
    goal=Lesson(
        key=GOAL,
        text=N_(
            "Together you want to play every card of every hand into the four rows. The fewer cards are left at the"
            " end, the better. From now on nobody speaks, points or nods."
        ),
        tells=("SIL-41", "SIL-42"),
        asks=("oracle", "start"),
    ),
    lessons=(
        Lesson(
            key="set-up",
            text=N_(
                "Lay the small shrines lit side up on the left, each in its row, and the large one beside the red "
                "row. Shuffle the ranks 2 to {most}, deal {hand} cards to each, and turn up {oracle} below the "
                "rows: the Oracle."
            ),
            tells=("SIL-01", "SIL-03", "SIL-04", "SIL-08"),
            asks=("oracle",),
            where=lambda state: not state.started,
            values=sizes,
        ),
        Lesson(
            key="start",
            text=N_(
                "Agree without a word who begins, and pick that player's light. Then each of you gives one hand "
                "card to the left, the first player first; look at the card you got before you give one."
            ),
            tells=("SIL-05", "SIL-06", "SIL-07"),
            asks=("start",),
        ),
        Lesson(
            key="random",
            text=N_(
                "You don't choose now: shuffle your hand and draw a card blind. If it fits, it's played; if not, it"
                " goes back unseen and you take an ordinary turn."
            ),
            tells=("SIL-26",),
            asks=("turn", "draw"),
            where=lambda state: "random" in state.markers,
            explains=("draw_first", "no_draw"),
        ),
        Lesson(
            key="green",
            text=N_("The next card has to be green, whoever plays it. Who has none passes, and it goes on waiting."),
            tells=("SIL-28",),
            asks=("turn",),
            where=lambda state: "green" in state.markers,
            explains=("must_be_green",),
        ),
        Lesson(
            key="play",
            text=N_(
                "Lay a card in the row of its colour, higher than the last one there, which may be the shrine, a 1:"
                " upright if it leaves a gap, upside down if it follows directly. Who can play must; only who can't"
                " passes."
            ),
            tells=("SIL-10", "SIL-15", "SIL-16", "SIL-17"),
            asks=("turn",),
            explains=("not_climbing", "wrong_row", "wrong_place", "must_play", "not_held"),
            cards=last_laid,
        ),
        Lesson(
            key="sides",
            text=N_(
                "An upright card has its light side up: you may use its light effect, or leave it. A card that lies"
                " upside down has its dark side up: its dark effect must be carried out."
            ),
            tells=("SIL-18", "SIL-29"),
            asks=("turn", "give", *LIGHT_EFFECTS),
            where=has_lain,
            explains=("wrong_side",),
            cards=last_laid,
        ),
        Lesson(
            key="shrine",
            text=N_(
                "Once in a turn, before or after your card, you may use a lit shrine: its light effect at once, the"
                " large one any of the four; then turn it over. Not in a turn in which you pass."
            ),
            tells=("SIL-30", "SIL-31", "SIL-33", "SIL-34", "SIL-35", "SIL-36"),
            asks=("turn", "end"),
            where=lambda state: bool(state.lit) and has_lain(state),
            explains=("second_shrine", "shrine_after_draw", "shrine_no_play", "shrine_effect", "unlit"),
            shown_by=(r.ShrineTaken,),
            cards=lambda state: tuple(f"shrine-{which}" for which in state.lit),
        ),
        Lesson(
            key="give",
            text=N_(
                "Give one card of the Oracle to another player, even to one without cards, and turn up a new one. "
                "Once the deck is empty, none is turned up any more."
            ),
            tells=("SIL-24",),
            asks=("give",),
            cards=lambda state: state.oracle,
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
            shown_by=(r.TookBack,),
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
            cards=open_cards,
        ),
        Lesson(
            key="tavern",
            text=N_(
                "The third dark effect has opened the tavern: at the beginning or the end of your turn you may "
                "close it and say one of its three sentences. It opens again after three more."
            ),
            tells=("SIL-50", "SIL-51", "SIL-52", "SIL-53"),
            asks=("turn", "end"),
            where=lambda state: state.tavern_open,
            explains=("tavern_closed", "tavern_no_play", "tavern_words"),
            shown_by=(r.TavernSaid,),
            cards=lambda state: ("tavern",),
        ),
        Lesson(
            key="last-card",
            text=N_(
                "This is your last card: if it has to lie dark side up, its dark effect falls away. A card that "
                "lies open before you counts, too."
            ),
            tells=("SIL-13", "SIL-14"),
            asks=("turn",),
            where=is_last_card,
        ),
        Lesson(
            key="passing",
            text=N_(
                "Who has passed may play again next time. The game is over when all have passed one after the "
                "other; then count what is left in the hands, open cards too."
            ),
            tells=("SIL-32", "SIL-40"),
            asks=("turn",),
            where=lambda state: state.passes > 0,
        ),
    ),
    untold={
        "The box asks it, or it's an option that people choose before the game.": ("SIL-02", "SIL-54"),
        "It changes nothing in the game.": ("SIL-09",),
        "It's about how the rules are programmed, not about what people do.": ("SIL-43",),
    },
    unexplained={
        "The box has misread a card: no rule is behind it.": ("misread",),
        "It's about what is typed or pressed, not about a rule.": ("no_such_seat", "not_now", "unreadable"),
        "It's an option that people choose before the game.": ("no_referee",),
    },
)
