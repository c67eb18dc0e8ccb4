"""What the box asks and offers beside the game's own question, in words."""

from __future__ import annotations

from itertools import takewhile

from companion.journal.journal import RefusedStep
from companion.table.chooser import Chooser
from companion.table.proposal import Proposal
from companion.text import N_, Text, in_a_row

CHOOSE_A_GAME = Text(N_("Choose a game."))
TURN_THE_LENS = N_("The picture is blurred: turn the lens. Sharpness {now} of 100; the best so far was {best}.")
DOUBT = Text(N_("There lies a card that the box can't name. ◀ ▶ show what it can be, ✔ names it, ✖ leaves it."))
SEVERAL = Text(N_("The table can mean more than one thing: ◀ ▶ show which, ✔ takes it, ✖ leaves it."))
FOLLOWED = Text(N_("The box follows: ✔ takes it, ✖ doesn't."))
NOTHING_CHOSEN = Text(N_("Nothing is chosen yet: ◀ ▶ light what can be done, ✔ takes it."))
NOTHING_LAID = Text(N_("The table is as it was: do it there and press ✔, or choose with ◀ ▶."))
KEPT = Text(N_("The game before isn't over: it's kept, and the menu goes on with it."))
TAKEN_BACK = Text(N_("Taken back."))
TAKEN_BACK_THIS = N_("Taken back: “{what}” Lay everything as it was before.")
OLDER_RULES = N_(
    "Game {number} can't go on: its step {at} was made under older rules, or is damaged. All of it stays in the record;"
    " begin a new game."
)
ENDS = Text(N_("✔ takes this and ends the turn; what you haven't used is left. Not done yet? Press ◀ or ▶."))
GONE_ON = Text(N_("The game has gone on since."))


def offer(chooser: Chooser | None, proposal: Proposal) -> Text | None:
    """What ✔ would do: take the option under the light, or what the eye proposes."""
    if chooser is not None:
        return chooser.label
    if proposal.accepted_moves:
        said = proposal.explanations[0].says
        return in_a_row(said) if said else FOLLOWED
    return None


def understood(proposal: Proposal) -> Text | None:
    """What every explanation has in common and that they differ, where there are several."""
    if not proposal.asked:
        return None
    abreast = zip(*(one.says for one in proposal.explanations), strict=False)
    shared = [says[0] for says in takewhile(lambda says: all(one == says[0] for one in says), abreast)]
    return in_a_row((*shared, SEVERAL))


def cannot_go_on(number: int, error: Exception) -> Text:
    """Why a game of the record can't be gone on with; a step that isn't legal is named by its number."""
    if isinstance(error, RefusedStep):
        return Text(OLDER_RULES, {"number": number, "at": error.at})
    return Text(
        N_("Game {number} can't be gone on with and stays in the record: {reason}"),
        {"number": number, "reason": str(error)},
    )
