"""Cisza's lessons: what a group is told that plays it for the first time."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.cisza import records as r
from companion.games.cisza.knowledge import actor
from companion.games.cisza.records import RESOURCE, Options, State
from companion.games.cisza.turns import mulligan_seat
from companion.table.lessons import GOAL, Course, Lesson, SetupItem
from companion.text import N_, Text, Value


def shelter(state: State) -> Mapping[str, Value]:
    """With how many survivors each begins."""
    return {"survivors": state.options.start_survivors}


def own_zombies(state: State) -> tuple[str, ...]:
    """The zombies in the shelter of the player whose turn it is, each kind once."""
    return tuple(dict.fromkeys(state.zombies[state.turn]))


def is_alert(state: State) -> bool:
    """Whether a zombie stands on the city."""
    return state.top in ("regular", "strong", "fast")


def is_first_hand(state: State) -> bool:
    """Whether the first of all is asked about the cards of the first hand."""
    return state.phase == "mulligan" and mulligan_seat(state) == state.turn


def lay_out(state: State) -> tuple[SetupItem, ...]:
    """The city, and everybody's survivors."""
    if state.phase not in ("start", "mulligan"):
        return ()
    shelters = (
        SetupItem(f"shelter-{seat + 1}", Text(N_("survivors of player {seat}"), {"seat": seat + 1}), count=people)
        for seat, people in enumerate(state.survivors)
    )
    return (SetupItem("city", Text(N_("the city deck")), count=1), *shelters)


def pile(options: Options, card: str) -> str:
    """Two decks: the city with the survivor sides up, and the resources."""
    if card in RESOURCE:
        return N_("All other cards back to the resource deck")
    return N_("Survivors and zombies back to the city deck, survivor side up")


COURSE = Course(
    lay_out=lay_out,
    pile=pile,
    set_up=("deal", "start", "mulligan"),
    goal=Lesson(
        key=GOAL,
        text=N_(
            "A city of zombies, and noise wakes them: you play against each other. When the city deck is used up, "
            "nobody draws any more; once no zombie is left either, the most survivors in a shelter win. Who is the "
            "only one left has won at once."
        ),
        tells=("CIS-47", "CIS-74"),
        asks=("start", "mulligan", "turn"),
    ),
    lessons=(
        Lesson(
            key="set-up",
            text=N_(
                "Shuffle the city deck and lay it survivor side up; nobody looks at undersides. Each lays "
                "down {survivors} survivors of it as a shelter and draws three cards from the resource deck, which "
                "lies face down."
            ),
            tells=("CIS-01", "CIS-03", "CIS-04", "CIS-05"),
            asks=("start",),
            values=shelter,
        ),
        Lesson(
            key="mulligan",
            text=N_(
                "If you don't like your three cards, discard them all, once, and draw three others. What each does "
                "stands on the printed card, and on the page under help."
            ),
            tells=("CIS-02",),
            asks=("mulligan",),
        ),
        Lesson(
            key="noise",
            text=N_(
                "A card with the noise sign does its effect first and then wakes the city: turn its top survivor over. "
                "A fast zombie runs to you at once; others stay on top, where nobody can rescue past them, until the "
                "next noise brings them to whoever makes it."
            ),
            tells=("CIS-15", "CIS-30", "CIS-31"),
            asks=("mulligan", "flip", "turn"),
            where=lambda state: not is_first_hand(state),
            explains=("zombie_on_top",),
            cards=lambda state: (state.top,) if is_alert(state) else (),
        ),
        Lesson(
            key="turn",
            text=N_(
                "Either play as many cards as you like, each of which must do something, or discard as many as you "
                "like; then draw until you hold three. Before you draw, every zombie in your shelter kills a survivor, "
                "and stays, unless a weapon or a barrier stops it; who has no survivor then is out."
            ),
            tells=("CIS-10", "CIS-11", "CIS-12", "CIS-13", "CIS-40", "CIS-48", "CIS-50"),
            asks=("turn",),
            explains=(
                "no_mixing", "no_target", "no_barriers", "nothing_to_swap", "too_few_survivors", "no_survivor",
                "no_zombie", "city_empty", "not_held", "wrong_place", "wrong_side",
            ),
            cards=own_zombies,
        ),
        Lesson(
            key="expert",
            text=N_("Expert mode: a card with the noise sign may be played for its noise alone. Not the drone."),
            tells=("CIS-60", "CIS-61", "CIS-62"),
            asks=("mulligan", "turn"),
            where=lambda state: state.options.expert and not is_first_hand(state),
            explains=("not_expert", "no_icon"),
            can_wait=True,
        ),
        Lesson(
            key="final",
            text=N_(
                "The final attack: nobody draws any more, and you play on until no zombie is left. Then the most "
                "survivors win; if only the one on the city is left, it ends after a round in which none moved."
            ),
            tells=("CIS-70", "CIS-71", "CIS-72", "CIS-73"),
            asks=("turn", "attack"),
            where=lambda state: state.final,
            can_wait=True,
        ),
        Lesson(
            key="horde",
            text=N_(
                "A horde: it's discarded, and one zombie for each player comes from the city. Give one to each "
                "shelter, yours too; if another horde is among them, the rest go to the others, and that horde "
                "follows."
            ),
            tells=("CIS-32", "CIS-33", "CIS-34", "CIS-35", "CIS-36"),
            asks=("horde", "assign"),
            explains=("has_one", "spared"),
            can_wait=True,
            cards=lambda state: state.drawn,
        ),
        Lesson(
            key="out",
            text=N_(
                "Who has no survivor after the attack is out: hand and barriers are discarded, and the zombies go "
                "to the neighbours on the left and right, as you like."
            ),
            tells=("CIS-45", "CIS-46"),
            asks=("pass_on", "turn"),
            where=lambda state: state.phase == "pass_on" or not state.survivors[state.turn],
            explains=("not_neighbour", "eliminated"),
            can_wait=True,
        ),
        Lesson(
            key="barriers",
            text=N_(
                "Barriers are used when zombies attack you, and then discarded: a barricade holds back one zombie, "
                "mines eliminate up to two, the alarm calls the attack off. What their noise brings attacks only next "
                "time."
            ),
            tells=("CIS-37", "CIS-41", "CIS-42", "CIS-43", "CIS-44"),
            asks=("attack",),
            explains=("wrong_window", "no_such_barrier", "nothing_to_stop"),
            shown_by=(r.BarrierUsed,),
            can_wait=True,
            cards=lambda state: tuple(dict.fromkeys(state.barriers[state.turn])),
        ),
        Lesson(
            key="weapons",
            text=N_(
                "Axe and revolver eliminate a regular or fast zombie in your shelter, the shotgun a strong one or "
                "two of the others. The sniper rifle eliminates any, even the one on the city."
            ),
            tells=("CIS-14",),
            asks=("kill", "kill_more"),
            explains=("wrong_zombie", "not_there", "needs_two"),
            shown_by=(r.Killed, r.KilledTop),
            can_wait=True,
        ),
        Lesson(
            key="tricks",
            text=N_(
                "A trick is for another player who is still in, and it must be able to do something there. A bribed"
                " player keeps at least one survivor, and an eviction exchanges zombies and barriers, never "
                "survivors."
            ),
            tells=("CIS-16", "CIS-17", "CIS-18", "CIS-23"),
            asks=("target",),
            where=lambda state: state.card in ("sabotage", "eviction", "bribery"),
            explains=("not_another",),
            can_wait=True,
            cards=lambda state: (state.card,),
        ),
        Lesson(
            key="send",
            text=N_(
                "You choose which of your zombies go where. The drone makes its noise where its zombie lands, the "
                "surprise takes the city's top card along, as a zombie, and the sacrifice costs a survivor and sends "
                "all."
            ),
            tells=("CIS-19", "CIS-20", "CIS-21", "CIS-22"),
            asks=("target", "send", "share"),
            where=lambda state: state.phase == "share" or state.card in ("drone", "surprise"),
            can_wait=True,
            cards=lambda state: tuple(dict.fromkeys(state.zombies[actor(state)])),
        ),
    ),
    untold={
        "It can't happen.": ("CIS-51",),
        "It's left to people.": ("CIS-75",),
    },
    unexplained={
        "The box has misread a card: no rule is behind it.": ("misread",),
        "It's about what is typed or pressed, not about a rule.": ("no_such_seat", "not_now", "unreadable"),
    },
)  # fmt: skip
