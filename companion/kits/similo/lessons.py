"""Similo's lessons: what a group is told that plays it for the first time."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.similo.characters import characters, is_two_decks
from companion.games.similo.records import REMOVALS, Options, State
from companion.games.similo.settling import at_once, numbers
from companion.kits.similo.host import is_counted
from companion.table.lessons import GOAL, Course, Lesson, SetupItem
from companion.text import N_, Text, Value


def sizes(state: State) -> Mapping[str, Value]:
    """How many cards take part, and who gives the clues."""
    chosen = state.options
    return {"grid": chosen.grid, "others": chosen.grid - 1, "hand": chosen.hand_size, "giver": chosen.giver + 1}


def removals(state: State) -> Mapping[str, Value]:
    """How many characters go in each round."""
    return {"removals": ", ".join(map(str, REMOVALS[state.options.grid]))}


def in_rounds(state: State) -> Mapping[str, Value]:
    """How the characters go, round by round."""
    if state.options.rounds == 5:
        return {"how": Text(N_("{removals} of them in five rounds"), {**removals(state)})}
    return {"how": Text(N_("in {rounds} rounds"), {"rounds": state.options.rounds})}


def announced(state: State) -> Mapping[str, Value]:
    """The least and the most characters that may go this round."""
    allowed = numbers(state)
    return {"least": allowed[0], "most": allowed[-1]} if allowed else {"least": 0, "most": 0}


def clues(state: State) -> tuple[str, ...]:
    """The clues that lie there."""
    return tuple(clue.card for clue in state.clues)


def lay_out(state: State) -> tuple[SetupItem, ...]:
    """The grid."""
    cards = state.options.grid if state.phase == "grid" else 0
    return (SetupItem("grid", Text(N_("characters of the grid")), count=cards, is_asked=True),) if cards else ()


def pile(options: Options, card: str) -> str:
    """Two decks stay apart (SIM-19)."""
    if not is_two_decks(options):
        return N_("All characters back to the deck")
    return N_("Back to the characters' deck") if card in characters(options) else N_("Back to the clues' deck")


BY_NUMBER = N_(
    "No camera: every name has to be entered. To enter none, hold ✖ for two seconds and begin Similo anew: “by number, "
    "without a camera”."
)


def without_camera(options: Options) -> str:
    """That nobody has to enter twelve names."""
    return "" if is_counted(options) else BY_NUMBER


COURSE = Course(
    without_camera=without_camera,
    lay_out=lay_out,
    pile=pile,
    set_up=("grid", "secret", "deal"),
    goal=Lesson(
        key=GOAL,
        text=N_(
            "One of the characters on the table is the secret: only the clue giver knows it, and may not speak. The"
            " others take away all characters but this one: {how}. If the secret is taken away, everybody has lost."
        ),
        values=in_rounds,
        tells=("SIM-15", "SIM-16"),
        asks=("grid", "secret", "clue", "announce"),
    ),
    lessons=(
        Lesson(
            key="set-up",
            text=N_(
                "Number yourselves clockwise; player {giver} gives the clues, looks at one card, the secret, shuffles "
                "it among {others} others, and lays all {grid} face up in rows of four. Then the clue giver takes "
                "{hand} cards as a hand."
            ),
            tells=("SIM-02", "SIM-03", "SIM-04", "SIM-05"),
            asks=("grid",),
            where=lambda state: state.options.secret_mode == "trusted_giver",
            values=sizes,
        ),
        Lesson(
            key="set-up-sealed",
            text=N_(
                "Lay {grid} cards face up in rows of four; the clue giver takes {hand} more as a hand. The box "
                "picks the secret and shows it to the clue giver alone, and after each round it says whether the "
                "secret is still there."
            ),
            tells=("SIM-17",),
            asks=("grid",),
            where=lambda state: state.options.secret_mode == "sealed",
            values=sizes,
        ),
        Lesson(
            key="ranked",
            text=N_(
                "Clue giver: lay three cards beside the grid, one after the other, from the one most like the "
                "secret to the one least like it."
            ),
            asks=("announce", "clue"),
            where=lambda state: state.options.clues_per_round > 1,
            explains=("wrong_way",),
        ),
        Lesson(
            key="clue",
            text=N_(
                "Clue giver: lay a hand card beside the grid, upright if it has anything in common with the secret,"
                " across if it's different. Not a word, no expression; then draw back up to {hand}."
            ),
            tells=("SIM-06", "SIM-11", "SIM-13", "SIM-14"),
            asks=("announce", "clue"),
            where=lambda state: state.options.clues_per_round == 1,
            explains=("wrong_way", "not_held"),
            values=sizes,
        ),
        Lesson(
            key="announce",
            text=N_(
                "Clue giver: say how many characters go this round, from {least} to {most}. Each later round must "
                "keep one."
            ),
            tells=("SIM-21",),
            asks=("announce",),
            can_wait=True,
            explains=("wrong_number",),
            values=announced,
        ),
        Lesson(
            key="vote",
            text=N_(
                "Each guesser names {count} characters to go; those named most often go. In a tie you talk and vote"
                " again."
            ),
            asks=("vote",),
            values=lambda state: {"count": at_once(state)},
        ),
        Lesson(
            key="remove",
            text=N_(
                "Guessers: talk, and lay aside whoever can't be the secret, exactly {count}. Until ✔ you may still "
                "change your minds."
            ),
            tells=("SIM-08", "SIM-09", "SIM-10"),
            asks=("remove", "remove_alone"),
            explains=("wrong_number", "not_in_grid"),
            values=lambda state: {"count": at_once(state) if state.phase == "remove" else state.count},
        ),
        Lesson(
            key="answer",
            text=N_(
                "Clue giver: pick “safe” if the secret still lies there, “lost” if it's gone, and hold ✔ for two"
                " seconds."
            ),
            asks=("answer",),
            explains=("not_true",),
        ),
        Lesson(
            key="which",
            text=N_("The secret was among them, and the game is lost. Clue giver: show which one it was."),
            tells=("SIM-18",),
            asks=("which",),
            explains=("not_removed",),
            cards=lambda state: state.taken,
        ),
        Lesson(
            key="rounds",
            text=N_(
                "The clues stay as they lie, for all to think about. Round by round {removals} characters go; if "
                "the secret alone is left then, everybody has won."
            ),
            tells=("SIM-07", "SIM-12"),
            asks=("clue",),
            where=lambda state: state.round > 0 and state.options.rounds == 5,
            values=removals,
            cards=clues,
        ),
    ),
    untold={
        "The box asks it, or it's an option that people choose before the game.": ("SIM-01", "SIM-19", "SIM-23"),
        "It can't happen but in a variant, and then nothing is to be done.": ("SIM-20",),
        "The game tells it when it's over.": ("SIM-22",),
    },
    unexplained={
        "The box has misread a card: no rule is behind it.": ("misread",),
        "It's about what is typed or pressed, not about a rule.": ("not_now", "unreadable"),
        "It's an option that people choose before the game.": ("no_referee",),
    },
)
