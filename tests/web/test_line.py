"""The text line on the page: the same words as on a display."""

from __future__ import annotations

from companion.outputs.text_line import words
from tests.web.rig import Rig
from tests.web.test_api import API


def test_the_page_has_the_text_line_of_the_box(rig: Rig) -> None:
    client = rig.paired()
    rig.begin("silencio", players=2, driver="table")
    rig.ask(lambda: rig.box.do("show r4"))
    said = client.get(f"{API}/state").json()["panel"]["line"]
    assert said == [str(text) for text in rig.ask(lambda: words(rig.box.shown))]
    assert said[0] == "Turn up the top card of the deck for the Oracle. Which is it?"
