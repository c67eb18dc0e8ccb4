"""Silentes' lessons: what a group is told that plays it for the first time."""

from __future__ import annotations

from typing import Any

from companion.games.game import Decide, Reveal
from companion.games.silentes import SILENTES
from companion.games.silentes import happenings as h
from companion.games.silentes.moments import ACTIONS, OMEN
from companion.games.silentes.records import CELLS, IS_OMEN, IS_PROVISION, OMENS, RANK_OF, Options, State
from companion.games.silentes.words import RULES
from companion.table.lessons import GOAL, Course, Lesson, Place
from companion.text import N_, Text

WINDOWS = ("partner", "reaction", "bonus", "cancel")
OMEN_TOLD = N_("A King has brought an omen: {card}. {does}")
RULING_OF = {
    number: ruling
    for ruling, numbers in {
        "STE-60": (0,), "STE-61": (1,), "STE-62": (2,), "STE-63": (3, 4), "STE-64": (5,), "STE-65": (6,),
        "STE-66": (7,), "STE-67": (8, 12),
        "STE-68": (9,), "STE-69": (10,), "STE-70": (11,), "STE-71": (13,), "STE-72": (14,),
        "STE-73": (15,), "STE-74": (16,), "STE-75": (17,), "STE-76": (18, 19), "STE-77": (20,), "STE-78": (21,),
    }.items()
    for number in numbers
}  # fmt: skip
"""The ruling of each omen, by the number of its card."""
EXPLAINED = {5: ("not_looked_at",), 15: ("devil",), 16: ("not_highest", "not_nearest")}
"""The refusals that each omen is behind."""


def omen(number: int) -> Lesson:
    """What an omen does, once it lies there."""
    card = OMENS[number]
    return Lesson(
        key=card,
        text=OMEN_TOLD,
        tells=(RULING_OF[number],),
        asks=(*OMEN[1:], *WINDOWS, "action"),
        where=lambda state: state.omens[-1:] == (card,) and bool(state.hunt or state.effects or state.coming),
        explains=EXPLAINED.get(number, ()),
        values=lambda state: {"card": SILENTES.card(card), "does": Text(RULES[card])},
        cards=lambda state: (card,),
    )


def turn(state: State, step: Decide | Reveal) -> Any:
    """A player's action, the partner's chance before it, or the hunt of a round with all that comes of it."""
    if state.phase == "partner":
        return state.round, "partner", state.turn
    return (state.round, "action", state.turn) if state.phase in ACTIONS else (state.round, "hunt")


def has_provision(state: State) -> bool:
    """Whether who is asked holds a provision; how many everybody holds is public."""
    return bool(state.provisions[state.turn if state.phase == "action" else state.asked])


def hunt_card(state: State) -> tuple[str, ...]:
    """The card that hunts."""
    return state.hunt or state.drawn


def lay_out(state: State) -> tuple[Place, ...]:
    """The eight shelters."""
    if state.phase != "map":
        return ()
    return tuple(Place(f"shelter-{at + 1}", Text(N_("shelter {cell}"), {"cell": at + 1}), count=1) for at in CELLS)


def pile(options: Options, card: str) -> str:
    """Omens, provisions and hunt cards apart, for the next game."""
    if card in IS_OMEN:
        return N_("Back to the omens")
    if card in IS_PROVISION:
        return N_("Back to the provisions")
    return N_("Back to the hunt deck") if card in RANK_OF else ""


COURSE = Course(
    lay_out=lay_out,
    pile=pile,
    set_up=("map", "deal", "place", "first"),
    turn=turn,
    goal=Lesson(
        key=GOAL,
        text=N_(
            "Blind hunters comb the ruins and listen: live until the hunt deck is used up. You have lost as soon as"
            " the noise reaches 15. You may say what you intend, but not which cards you hold."
        ),
        tells=("STE-01", "STE-03", "STE-05", "STE-08"),
        asks=("map", "place", "first", "action"),
    ),
    lessons=(
        Lesson(
            key="set-up",
            text=N_(
                "Sort out the 22 major cards, the omens, and all aces, twos and threes, the provisions; the other "
                "44 are the hunt deck. Turn up eight hunt cards in two rows of four: each is a shelter, and its "
                "suit is its zone."
            ),
            tells=("STE-04", "STE-09", "STE-10"),
            asks=("map",),
        ),
        Lesson(
            key="place",
            text=N_("Each draws five hunt cards. Then each puts a token on any shelter; both may share one."),
            asks=("place",),
        ),
        Lesson(
            key="first",
            text=N_("Choose who acts first in this round; after it you take turns."),
            tells=("STE-07",),
            asks=("first",),
        ),
        Lesson(
            key="hunt",
            text=N_(
                "The hunt searches the zone of its suit; who stands there needs more silence than its value. Else "
                "the difference is noise, and the card played for silence is lost; if both are equal, only the "
                "card."
            ),
            tells=("STE-40", "STE-41", "STE-42", "STE-43", "STE-44", "STE-45"),
            asks=("hunt", "held", "reaction", "bonus", "cancel"),
            cards=hunt_card,
        ),
        Lesson(
            key="held",
            text=N_(
                "The box drew this hunt for you. If one of you holds the very card, say so, and it draws another; "
                "if it turns up later when you draw, put it aside and draw again."
            ),
            asks=("held",),
            explains=("no_ghost", "face_needed", "stays_hidden"),
            cards=lambda state: state.drawn,
        ),
        *map(omen, range(len(OMENS))),
        Lesson(
            key="hide",
            text=N_(
                "Move your token to a shelter beside it, not diagonally, and play a card of that shelter's suit: "
                "its value is your silence. Page is 11, Knight 12, Queen 13, King 14."
            ),
            tells=("STE-11", "STE-20", "STE-21"),
            asks=("action", "hide"),
            explains=(
                "not_adjacent", "same_shelter", "hole", "no_such_shelter", "no_hide_card", "wrong_suit",
                "not_a_hunt_card", "not_held", "can_act", "wrong_place", "wrong_side",
            ),
        ),
        Lesson(
            key="stay",
            text=N_(
                "Instead of moving you may stay, with silence 0: search and draw a provision, or name a suit and "
                "discard a card, and a hunt of that suit is off."
            ),
            tells=("STE-23", "STE-24", "STE-25", "STE-26"),
            asks=("action", "throw"),
            explains=("no_provisions", "empty_hand", "no_such_suit"),
            shown_by=(h.Distracted,),
        ),
        Lesson(
            key="king",
            text=N_("A King brings an omen before he hunts with 14: turn one up from the omens and do what it says."),
            tells=("STE-02", "STE-12", "STE-79"),
            asks=("omen",),
            cards=hunt_card,
        ),
        Lesson(
            key="refill",
            text=N_(
                "At the end of a round take your silence cards back and draw hunt cards up to five; provisions in "
                "your hand count. If the hunt deck is empty then, you have won."
            ),
            tells=("STE-27", "STE-28", "STE-29"),
            asks=("refill", "action"),
            where=lambda state: state.phase == "refill" or state.round > 1,
        ),
        Lesson(
            key="unnoticed",
            text=N_(
                "Who is hunted and goes unnoticed keeps the card and draws a provision. If the hunt is off or "
                "nobody stands there, the cards come back and that's all."
            ),
            tells=("STE-46", "STE-48"),
            asks=("reward", "action"),
            where=lambda state: state.phase == "reward" or state.round > 1,
        ),
        Lesson(
            key="entrench",
            text=N_(
                "You may entrench: stay, and show the card you hid with last round; half its value, rounded down, "
                "is your silence. Not twice in a row."
            ),
            tells=("STE-22",),
            asks=("action",),
            where=lambda state: bool(state.last[state.turn]),
            explains=("nothing_to_entrench",),
            shown_by=(h.Entrenched,),
            cards=lambda state: state.last[state.turn],
        ),
        Lesson(
            key="provisions",
            text=N_(
                "You hold a provision: it's played once, at a moment that fits, also in your partner's turn. The "
                "page and the printed card say what each does; before an omen, before comparing and before noise "
                "the box asks."
            ),
            tells=(
                "STE-90", "STE-91", "STE-92", "STE-93", "STE-94", "STE-95", "STE-96", "STE-97", "STE-98", "STE-99",
            ),
            asks=("action", *WINDOWS),
            where=has_provision,
            explains=("wrong_moment", "no_use", "not_a_provision", "must_move", "not_around"),
            shown_by=(h.Used,),
        ),
        Lesson(
            key="pile",
            text=N_(
                "Lost cards and played provisions lie in your own pile; only from there can a card come back to "
                "you."
            ),
            tells=("STE-47",),
            asks=("recover", "star"),
            explains=("itself", "not_in_pile"),
            shown_by=(h.Recovered,),
        ),
    ),
    untold={"The rules know no third role: there is nothing to do.": ("STE-06",)},
    unexplained={
        "The box has misread a card: no rule is behind it.": ("misread",),
        "It's about what is typed or pressed, not about a rule.": (
            "no_such_seat", "no_such_side", "not_now", "unreadable",
        ),
    },
)  # fmt: skip
