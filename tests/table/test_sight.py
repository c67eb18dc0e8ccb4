"""A person beats the camera: what somebody says about a card on the table holds while it lies there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.games.notation import read_state
from companion.games.silencio.records import Play
from companion.kits import KITS
from companion.session.arming import Arming
from companion.session.corrections import Corrections
from companion.session.follow import is_unchanged
from companion.table.decks import drawn_deck
from companion.table.eye import to_sight, with_own
from companion.table.hosts import HOSTS
from companion.table.same_card import SAME_SPOT_MM
from companion.table.sight import Seen, Sight
from companion.table.tabletop import TURNED, UPRIGHT
from tests.table.fingers import PinBench
from vision.calibration import Calibration
from vision.decks import CardFace, Deck, open_deck, write_deck
from vision.geometry import rectangle
from vision.pictures import write_picture
from vision.view import Name, TableView, TrackedCard, UnknownCard

READ = Seen("r6", zone="red", x=200, y=100, confidence=0.8)


def test_a_corrected_card_is_the_other_one_for_the_rules() -> None:
    witness = Corrections(Arming(lambda: 0.0))
    witness.on_sight(Sight((READ, Seen("b3", zone="blue", x=10, y=10))))
    sight = witness.amend(0, "r5")
    assert [(card.card, card.confidence) for card in sight.cards] == [("r5", 1.0), ("b3", 1.0)]
    assert [card.card for card in witness.cards_on_table] == ["r6", "b3"]


@pytest.mark.parametrize(("moved", "name"), [(0.0, "r5"), (SAME_SPOT_MM - 1, "r5"), (SAME_SPOT_MM + 1, "r6")])
def test_a_correction_stays_with_its_card_and_its_place(moved: float, name: str) -> None:
    witness = Corrections(Arming(lambda: 0.0))
    witness.on_sight(Sight((READ,)))
    witness.amend(0, "r5")
    nudged = Seen("r6", zone="red", x=200 + moved, y=100)
    assert [card.card for card in witness.on_sight(Sight((nudged,))).cards] == [name]


def test_a_correction_is_forgotten_once_the_card_is_gone_but_not_under_a_hand() -> None:
    witness = Corrections(Arming(lambda: 0.0))
    witness.on_sight(Sight((READ,)))
    witness.amend(0, "r5")
    assert witness.on_sight(Sight(is_unsettled=True)).cards == ()
    assert [card.card for card in witness.on_sight(Sight((READ,))).cards] == ["r5"]
    witness.on_sight(Sight())
    assert [card.card for card in witness.on_sight(Sight((READ,))).cards] == ["r6"]


def test_a_card_without_a_name_is_none_for_the_rules_until_somebody_names_it() -> None:
    witness = Corrections(Arming(lambda: 0.0))
    stranger = Seen("", zone="red", x=50, y=60)
    assert witness.on_sight(Sight(strangers=(stranger,))).cards == ()
    sight = witness.amend(0, "r5")
    assert [(card.card, card.zone) for card in sight.cards] == [("r5", "red")]
    assert sight.strangers == ()
    taken_back = witness.amend(0, "")
    assert (taken_back.cards, taken_back.strangers) == ((), (stranger,))


def test_no_such_card_is_an_error_and_changes_nothing() -> None:
    witness = Corrections(Arming(lambda: 0.0))
    witness.on_sight(Sight((READ,)))
    with pytest.raises(LookupError):
        witness.amend(3, "r5")
    assert witness.amendments == ()


def test_the_proposal_is_worked_out_anew_and_a_new_game_starts_without_corrections(tmp_path: Path) -> None:
    bench = PinBench(tmp_path)
    try:
        box = bench.box
        game = HOSTS["silencio"].game
        box.start_at(
            "silencio", read_state(game, "silencio players=2 driver=table hands=?,?/?,? rows=r4/-/-/- deck=23")
        )
        bench.see(Sight((Seen("r4", zone="red", x=100, y=100), Seen("b9", zone="red", x=200, y=100))))
        assert box.shown.complaint is not None
        box.amend(1, "r6")
        bench.wait(1)
        assert [one.moves[0] for one in box.shown.proposal.explanations] == [Play("r6")] * 2
        assert box.shown.complaint is None
        box.start("silencio", {"players": 2, "driver": "table"})
        assert box.recognised.named == ()
    finally:
        bench.close()


def test_survivors_enrolled_one_by_one_are_all_known_as_the_one_side_that_they_share(tmp_path: Path) -> None:
    """As people's decks were kept when each city card had a survivor of its own."""
    own = tmp_path / "own"
    own.mkdir()
    faces = []
    for card, face in (("city-07", "survivor"), ("city-30", "survivor"), ("city-30", "zombie")):
        path = own / f"{card}-{face}.png"
        write_picture(path, np.full((88, 63, 3), 99, np.uint8))
        faces.append(CardFace(card, face, (path,)))
    write_deck(Deck("cisza", own, tuple(faces), 63.0, 88.0))
    drawn = open_deck(drawn_deck("cisza"))
    pictures = {
        (face.card, face.face): [path.name for path in face.pictures]
        for face in with_own(drawn, [open_deck(own)]).faces
    }
    assert pictures["city", "survivor"] == ["city-07-survivor.png", "city-30-survivor.png"]
    assert pictures["city-30", "zombie"] == ["city-30-zombie.png"]
    # What they didn't enrol is known as it's printed, in each language.
    assert pictures["axe", ""] == ["axe.png", "axe-1.png", "axe-2.png", "axe-3.png"]
    assert len(pictures) == len(drawn.faces)


def test_every_doubt_of_the_eye_goes_out_as_names_with_their_probabilities() -> None:
    """Unnamed cards with what they may be, named ones with what they may be instead; sure ones with nothing."""
    layout = KITS["silencio"].layout
    corners = rectangle(63, 88)
    calibration = Calibration(np.eye(3), rectangle(layout.width, layout.height) * 3 - 500)
    view = TableView(
        cards=(
            TrackedCard(1, "r5", "", corners, 31, 44, 0.0, 0.99, 1.0),
            TrackedCard(2, "r6", "", corners + 100, 131, 144, 0.0, 0.7, 1.0, others=(Name("r8", probability=0.2),)),
        ),
        unknown=(
            UnknownCard(corners + 200, 231, 244, 0.0, (Name("b2", probability=0.6), Name("b3", probability=0.3))),
            UnknownCard(corners + np.array([300, 0]), 331, 44, 0.0),
        ),
        settled=True,
        millimetres=True,
    )
    sight = to_sight(view, layout, calibration)
    told = [(seen.card, seen.maybe, seen.chances) for seen in (*sight.cards, *sight.strangers)]
    assert told == [
        ("r5", (), ()),
        ("r6", ("r6", "r8"), (0.7, 0.2)),
        ("", ("b2", "b3"), (0.6, 0.3)),
        ("", (), ()),
    ]


def test_which_way_up_a_card_lies_that_looks_the_same_both_ways_is_left_open() -> None:
    layout = KITS["silencio"].layout
    corners = rectangle(63, 88)
    calibration = Calibration(np.eye(3), rectangle(layout.width, layout.height) * 3 - 500)

    def seen(turn: float, either_way: bool) -> Sight:
        card = TrackedCard(1, "r5", "", corners, 31, 44, turn, 0.99, 1.0, either_way=either_way)
        return to_sight(TableView((card,), settled=True, millimetres=True), layout, calibration)

    table = KITS["silencio"].host.table
    assert table.ways(seen(180.0, True).cards[0]) == (UPRIGHT, TURNED)
    assert table.ways(seen(180.0, False).cards[0]) == (TURNED,)
    assert is_unchanged(seen(0.0, True), seen(180.0, True))
    assert not is_unchanged(seen(0.0, False), seen(180.0, False))
