"""What matters to a person: can I play tonight? It's told from what all the checks have found."""

from __future__ import annotations

from collections.abc import Iterable

from companion.doctor.finding import Finding, Standing
from companion.text import N_, Text, Value

NAME = "tonight"
YES = N_("Can I play tonight? Yes.")
WITHOUT = N_("Can I play tonight? Yes, without: {lacking}.")
NO = N_("Can I play tonight? No, because: {reason}")
SEE = Text(N_("What to do stands below."))
# Without these nothing runs.
NEEDED = ("python", "packages", "service")
# What a box can be without, by the checks that tell of it, and whether a warning already means so.
PARTS = {
    "camera": (N_("the camera (buttons or a phone tell what was played)"), False),
    "pins": (N_("lights and buttons (a phone does the same)"), False),
    "strip": (N_("lights and buttons (a phone does the same)"), False),
    "display": (N_("the text line"), False),
    "sound": (N_("sound"), True),
    "voice": (N_("the voice"), True),
    "disk": (N_("a record of the games"), False),
    "card": (N_("a record of the games"), False),
    "database": (N_("a record of the games"), False),
    "page": (N_("the page on phones"), False),
}


def tonight(findings: Iterable[Finding]) -> Finding:
    """The answer, as the first line of the report."""
    found = list(findings)
    faults = {one.name: one for one in found if one.standing is Standing.FAULT}
    for name in NEEDED:
        if name in faults:
            return Finding(NAME, Standing.FAULT, Text(NO, {"reason": faults[name].said}), SEE)
    if "page" in faults and ("pins" in faults or "strip" in faults):
        # Nobody could tell the box anything.
        both: dict[str, Value] = {"panel": (faults.get("pins") or faults["strip"]).said, "page": faults["page"].said}
        return Finding(NAME, Standing.FAULT, Text(NO, {"reason": Text("{panel} {page}", both)}), SEE)
    lacking = dict.fromkeys(
        words
        for one in found
        for words, by_warning in [PARTS.get(one.name, ("", False))]
        if words and (one.standing is Standing.FAULT or (by_warning and one.standing is Standing.WARNING))
    )
    if lacking:
        return Finding(NAME, Standing.WARNING, Text(WITHOUT, {"lacking": tuple(map(Text, lacking))}), SEE)
    return Finding(NAME, Standing.OK, Text(YES))
