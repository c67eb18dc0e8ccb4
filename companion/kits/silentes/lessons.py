"""Silentes' lessons: what a group is told that plays it for the first time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.game import Decide, Reveal
from companion.games.silentes import moves as m
from companion.games.silentes.phases import ACTIONS, OMEN
from companion.games.silentes.records import CELLS, IS_OMEN, IS_PROVISION, RANK_OF, Options, State
from companion.table.lessons import GOAL, Course, Lesson, SetupItem
from companion.text import N_, Text, Value

IN_A_HUNT = ("reaction", "bonus", "cancel")
WINDOWS = ("partner", *IN_A_HUNT)
KING = 14
STE_OMENS = tuple(f"STE-{number}" for number in range(60, 79))
"""The rulings of the omens."""


def turn(state: State, step: Decide | Reveal) -> Any:
    """A player's action, the partner's chance before it, or the hunt of a round with all that comes of it."""
    if state.phase == "partner":
        return state.round, "partner", state.turn
    return (state.round, "action", state.turn) if state.phase in ACTIONS else (state.round, "hunt")


def hunt_card(state: State) -> tuple[str, ...]:
    """The card that hunts."""
    return state.hunt or state.drawn


def entrenching(state: State) -> Mapping[str, Value]:
    """How half a value is rounded, and whether it may be done again at once (STE-22)."""
    is_down = state.options.entrench_rounding == "down"
    may_again = state.options.entrench_chain
    return {
        "rounded": Text(N_("rounded down") if is_down else N_("rounded up")),
        "chain": Text(N_("Also several rounds in a row.") if may_again else N_("Not twice in a row.")),
    }


def losing(state: State) -> Mapping[str, Value]:
    """Where a lost card goes (STE-47)."""
    is_kept = state.options.lost_cards == "personal_pile"
    return {"lost": Text(N_("onto a pile of their own") if is_kept else N_("out of the game"))}


def omen_comes(state: State) -> Mapping[str, Value]:
    """Who draws omens."""
    if state.options.drawing == "virtual":
        return {"comes": Text(N_("the box draws it, and you search its card out of the pile of omens"))}
    return {"comes": Text(N_("the top card of the omens is turned up"))}


def is_king(state: State) -> bool:
    """Whether a King hunts."""
    return any(RANK_OF.get(card) == KING for card in state.hunt)


def lay_out(state: State) -> tuple[SetupItem, ...]:
    """The eight shelters."""
    if state.phase != "map":
        return ()
    named = {at: Text(N_("shelter {cell}"), {"cell": at + 1}) for at in CELLS}
    return tuple(SetupItem(f"shelter-{at + 1}", name, count=1, is_asked=True) for at, name in named.items())


def pile(options: Options, card: str) -> str:
    """Omens, provisions and hunt cards apart, for the next game."""
    if card in IS_OMEN:
        return N_("Major arcana back to the omens")
    if card in IS_PROVISION:
        return N_("Aces, twos and threes back to the provisions")
    return N_("Shelters and hunt cards back to the hunt deck") if card in RANK_OF else ""


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
                "Shuffle three piles and lay them face down: the 22 major arcana are the omens, aces, twos and threes "
                "the provisions, the other 44 the hunt deck. Turn up eight hunt cards as shelters, 1 to 4 in the upper "
                "row and 5 to 8 below; the suit of each is its zone."
            ),
            tells=("STE-04", "STE-09", "STE-10"),
            asks=("map",),
        ),
        Lesson(
            key="place",
            text=N_(
                "Each draws five hunt cards and puts a token, any small thing, on a shelter; both may share one. Later "
                "you go from shelter to shelter: left, right, up or down, never diagonally."
            ),
            asks=("place",),
            where=lambda state: state.tokens[0] < 0,
        ),
        Lesson(
            key="hunt",
            text=N_(
                "When both have acted, a card hunts in the zone of its suit: who stands there with more silence than "
                "its value goes unnoticed and draws a provision. Who hasn't loses the card played for silence "
                "({lost}), and the difference is added to the noise; a King brings an omen first."
            ),
            values=losing,
            tells=(
                "STE-12", "STE-40", "STE-41", "STE-42", "STE-43", "STE-44", "STE-45", "STE-46", "STE-48",
            ),
            asks=("place", "first", "action", "hunt", "held", "reaction", "bonus", "cancel"),
            where=lambda state: state.tokens[0] >= 0,
            cards=hunt_card,
        ),
        Lesson(
            key="first",
            text=N_(
                "Choose who acts first in this round; after it you take turns. At the end of a round take your silence "
                "cards back and draw hunt cards until you hold five cards; provisions count."
            ),
            tells=("STE-07", "STE-27", "STE-28", "STE-29"),
            asks=("first", "refill"),
        ),
        Lesson(
            key="act",
            text=N_(
                "Move to a shelter beside yours and hide with a card of its suit, whose value is your silence: Page "
                "11, Knight 12, Queen 13, King 14. Or stay with silence 0, where a hunt costs its card's whole value "
                "in noise: search for a provision, or distract: discard a card and name a suit that can't hunt this "
                "round."
            ),
            tells=("STE-11", "STE-20", "STE-21", "STE-23", "STE-24", "STE-25", "STE-26"),
            asks=("action", "hide", "throw"),
            explains=(
                "not_adjacent", "same_shelter", "hole", "no_such_shelter", "no_hide_card", "wrong_suit",
                "not_a_hunt_card", "not_held", "can_act", "wrong_place", "wrong_side", "no_provisions", "empty_hand",
                "no_such_suit",
            ),
        ),
        Lesson(
            key="held",
            text=N_(
                "The box draws the hunt for you, so the card may be in a hand: if it is, say so, and it draws another. "
                "If nobody holds it but it turns up later when you draw, put it aside and draw again."
            ),
            asks=("held",),
            explains=("no_ghost", "face_needed", "stays_hidden"),
            cards=lambda state: state.drawn,
        ),
        Lesson(
            key="entrench",
            text=N_(
                "You may entrench: stay, and show the card you hid with last round; half its value, {rounded}, "
                "is your silence. {chain}"
            ),
            values=entrenching,
            tells=("STE-22",),
            asks=("action",),
            where=lambda state: bool(state.last[state.turn]),
            explains=("nothing_to_entrench",),
            shown_by=(m.Entrenched,),
            cards=lambda state: state.last[state.turn],
        ),
        Lesson(
            key="provisions",
            text=N_(
                "A provision is played once, at a moment that fits, also in your partner's turn, and goes to your own "
                "pile; the page and the printed card say what each does. Before an omen, before comparing and before "
                "noise the box asks."
            ),
            tells=(
                "STE-90", "STE-91", "STE-92", "STE-93", "STE-94", "STE-95", "STE-96", "STE-97", "STE-98", "STE-99",
            ),
            asks=("action", *WINDOWS),
            where=lambda state: any(state.provisions),
            explains=("wrong_moment", "no_use", "not_a_provision", "must_move", "not_around", "devil"),
            shown_by=(m.Used,),
            can_wait=True,
        ),
        Lesson(
            key="king",
            text=N_(
                "A King hunts with 14 and brings an omen before that: {comes}. It does at once what it says, lies face "
                "up from then on, and doesn't come again."
            ),
            values=omen_comes,
            tells=("STE-02", "STE-79"),
            asks=(*OMEN, *IN_A_HUNT),
            where=lambda state: state.phase in OMEN or is_king(state),
            explains=("not_looked_at", "not_highest", "not_nearest"),
            can_wait=True,
            cards=hunt_card,
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
            shown_by=(m.Recovered,),
            can_wait=True,
        ),
    ),
    untold={
        "The rules know no third role: there is nothing to do.": ("STE-06",),
        "Each omen says it when it's turned up.": STE_OMENS,
    },
    unexplained={
        "The box has misread a card: no rule is behind it.": ("misread",),
        "It's about what is typed or pressed, not about a rule.": (
            "no_such_seat", "no_such_side", "not_now", "unreadable",
        ),
    },
)  # fmt: skip
