"""The doctor's first words: can I play tonight?"""

from __future__ import annotations

import pytest

from companion.doctor import CHECKS
from companion.doctor.finding import Finding, fault, ok, warning
from companion.doctor.tonight import NEEDED, PARTS, tonight
from tests.service.doctored import FAULT, OK, WARNING


def well(*others: Finding) -> list[Finding]:
    """A report in which everything else is well."""
    told = {one.name for one in others}
    names = ["python", "packages", "camera", "pins", "sound", "voice", "disk", "service", "page"]
    return [*others, *(ok(name, "Fine.") for name in names if name not in told)]


def test_yes() -> None:
    found = tonight(well(warning("clock", "The clock isn't set.", "Set it.")))
    assert (found.standing, str(found.said)) == (OK, "Can I play tonight? Yes.")


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ([fault("camera", "No picture.", "Look.")], "the camera (buttons or a phone tell what was played)"),
        ([warning("sound", "No card.", "Buy."), warning("voice", "Mute.", "Install.")], "sound, the voice"),
        ([fault("disk", "Full.", "Room."), fault("card", "Read-only.", "Buy.")], "a record of the games"),
        ([fault("pins", "No pins.", "Look.")], "lights and buttons (a phone does the same)"),
    ],
)
def test_yes_without(others: list[Finding], said: str) -> None:
    found = tonight(well(*others))
    assert (found.standing, str(found.said)) == (WARNING, f"Can I play tonight? Yes, without: {said}.")


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ([fault("packages", "numpy doesn't load.", "Install.")], "numpy doesn't load."),
        ([fault("service", "It has failed.", "Look."), fault("camera", "None.", "Look.")], "It has failed."),
        ([fault("pins", "No pins.", "Look."), fault("page", "No page.", "Look.")], "No pins. No page."),
    ],
)
def test_no_because(others: list[Finding], said: str) -> None:
    found = tonight(well(*others))
    assert (found.standing, str(found.said)) == (FAULT, f"Can I play tonight? No, because: {said}")


def test_it_speaks_of_checks_that_there_are() -> None:
    # The panel's check is told of as pins and buttons.
    assert {*NEEDED, *PARTS} - {check.__name__ for check in CHECKS} == {"pins"}
