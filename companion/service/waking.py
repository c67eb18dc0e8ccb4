"""Going on with the last game when the box wakes; a game that this version can't read stays in the record."""

from __future__ import annotations

from companion.games.text import N_, Text
from companion.table.box import Box


def wake(box: Box) -> Text | None:
    """Open the box; returns what to tell people if the last game can't be resumed and the menu came up instead.

    Such a game was written by another version, or by hand. Ending here would mean being started again, for ever.
    """
    try:
        box.open()
    except (LookupError, ValueError) as error:  # what the rules and the notation raise
        box.show_menu()
        return Text(N_("The last game can't be resumed and stays in the record: {reason}"), {"reason": str(error)})
    return None
