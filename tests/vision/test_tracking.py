"""Tables over time: what settles, what happens to cards, what a hand does."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from companion.kits import KITS
from vision.calibration import MARKER_SIDE, calibrate, find_markers
from vision.errors import VisionError
from vision.reading import Reader
from vision.sight import Reading, Sighting
from vision.simulated import Camera, LaidCard, Look, Scene, render
from vision.tracking import Change, Tracker, _agree


class Table:
    """A simulated table in front of a tracker."""

    def __init__(self, recogniser, looks):
        self.tracker, self.looks = Tracker(Reader(recogniser)), looks
        self.shots = {}

    def shows(self, scene, frames=6):
        if scene not in self.shots:
            self.shots[scene] = render(scene, self.looks).picture
        events = []
        for _ in range(frames):
            view, happened = self.tracker.look(self.shots[scene])
            events += happened
        return view, [(event.change, event.card) for event in events]


@pytest.fixture
def table(recogniser, looks):
    return Table(recogniser, looks)


FIRST = Scene((LaidCard("r5", 120, 150), LaidCard("b9", 300, 150)))


def test_cards_are_placed_moved_turned_and_removed(table):
    view, events = table.shows(FIRST)
    assert view.settled
    assert sorted(events, key=str) == sorted([(Change.PLACED, "r5"), (Change.PLACED, "b9")], key=str)
    identities = {card.card: card.identity for card in view.cards}

    view, events = table.shows(Scene((LaidCard("r5", 120, 150), LaidCard("b9", 420, 250))))
    assert events == [(Change.MOVED, "b9")]
    assert {card.card: card.identity for card in view.cards} == identities

    _view, events = table.shows(Scene((LaidCard("r5", 120, 150, 180), LaidCard("b9", 420, 250))))
    assert events == [(Change.TURNED, "r5")]

    _view, events = table.shows(Scene((LaidCard("b9", 420, 250),)))
    assert events == [(Change.REMOVED, "r5")]


def test_a_flipped_shrine(table):
    table.shows(Scene((LaidCard("shrine-red", 200, 200, 0, "lit"),)))
    _view, events = table.shows(Scene((LaidCard("shrine-red", 200, 200, 0, "unlit"),)))
    assert events == [(Change.FLIPPED, "shrine-red")]


def test_a_hand_pauses_judgement(table):
    table.shows(FIRST)
    view, events = table.shows(msgspec.structs.replace(FIRST, hands=((200.0, 200.0),)))
    assert not view.settled
    assert view.hand
    assert events == []
    view, events = table.shows(FIRST)
    assert view.settled
    assert events == []


def test_a_hand_that_rests_is_still_a_hand(table):
    table.shows(FIRST)
    view, events = table.shows(msgspec.structs.replace(FIRST, hands=((200.0, 200.0),)), 40)
    assert view.hand
    assert not view.settled
    assert events == []


@pytest.mark.parametrize("reach", [(200.0, 200.0), (420.0, 120.0)])
def test_a_hand_in_the_very_first_frames_is_forgotten_when_it_leaves(table, reach):
    table.shows(msgspec.structs.replace(FIRST, hands=(reach,)))
    view, _events = table.shows(FIRST, 9)
    assert view.settled
    assert not view.hand
    assert sorted(card.card for card in view.cards) == ["b9", "r5"]


def test_a_covered_card_stays(table):
    table.shows(FIRST)
    view, events = table.shows(Scene((*FIRST.cards, LaidCard("g12", 122, 152, 4))))
    assert events == [(Change.PLACED, "g12")]
    assert [card.card for card in view.cards if card.covered] == ["r5"]


def test_an_unchanged_table_gives_no_events(table):
    table.shows(FIRST)
    assert table.shows(FIRST, 20)[1] == []


def test_frames_of_changing_size_dont_matter(table, looks):
    table.shows(FIRST)
    small = render(FIRST, looks, Camera(width=960, height=720)).picture
    for _ in range(6):
        view, _events = table.tracker.look(small)
    assert sorted(card.card for card in view.cards) == ["b9", "r5"]


def with_markers(looks, missing=None):
    from vision.art.sheets import marker

    scene = Scene((LaidCard("r5", 300, 200),), 600, 450)
    camera = Camera(tilt=15, around=4, fill=0.75)
    pads = dict(looks)
    cards = list(scene.cards)
    middle = MARKER_SIDE / 2
    for number, (x, y) in enumerate(
        ((middle, middle), (600 - middle, middle), (600 - middle, 450 - middle), (middle, 450 - middle))
    ):
        if number != missing:
            pads[f"marker-{number}", ""] = Look(
                np.repeat(marker(number)[:, :, None], 3, axis=2), MARKER_SIDE, MARKER_SIDE
            )
            cards.append(LaidCard(f"marker-{number}", x, y))
    return render(Scene(tuple(cards), 600, 450), pads, camera, table="white").picture


def test_markers_give_millimetres_and_a_moved_camera_is_noticed(looks, recogniser):
    picture = with_markers(looks)
    calibration = calibrate(picture, 600, 450)
    card = next(c for c in recogniser.read(picture).cards if c.card == "r5")
    spot = calibration.table_points(card.corners).mean(axis=0)
    assert np.abs(spot - [300, 200]).max() < 3
    assert not calibration.is_marker(card.corners.mean(axis=0))
    assert all(calibration.is_marker(corner) for corner in calibration.markers)
    assert not calibration.has_moved(picture)
    assert calibration.has_moved(np.roll(picture, 12, axis=1))


def test_missing_markers_are_named(looks):
    picture = with_markers(looks, missing=2)
    assert set(find_markers(picture)) == {0, 1, 3}
    with pytest.raises(VisionError, match="2"):
        calibrate(picture, 600, 450)


def test_every_game_has_a_layout_whose_zones_fit():
    for kit in KITS.values():
        layout = kit.layout
        for zone in layout.zone:
            assert zone.x >= 0
            assert zone.x + zone.width <= layout.width
            assert zone.y + zone.height <= layout.height
            assert layout.zone_at(zone.x + 1, zone.y + 1) == zone.name


def test_copies_of_one_face_are_compared_without_confusion() -> None:
    """Several copies of a face may lie on the table; two readings of them agree, whatever their order."""
    first = Sighting("axe", "", np.array([[0, 0], [60, 0], [60, 90], [0, 90]], float), 0.0, 1.0, 1.0)
    second = Sighting("axe", "", first.corners + 200, 0.0, 1.0, 1.0)
    assert _agree(Reading((first, second)), Reading((second, first)))
    assert not _agree(Reading((first, second)), Reading((first, first)))


class Forgetful:
    """A reader that goes on reading as it should, but can't name one card any more."""

    def __init__(self, reader, card):
        self.reader, self.card, self.forgets = reader, card, False

    def read(self, frame, changes=None):
        reading = self.reader.read(frame, changes)
        if not self.forgets:
            return reading
        return Reading(tuple(card for card in reading.cards if card.card != self.card), reading.unknown)


def test_a_card_that_merely_stops_agreeing_isnt_removed(table):
    # Something changes beside it, and it isn't named in the next reading; but its place looks as before.
    reader = Forgetful(table.tracker.reader, "r5")
    table.tracker.reader = reader
    table.shows(FIRST)
    reader.forgets = True
    view, events = table.shows(Scene((*FIRST.cards, LaidCard("g7", 450, 330))))
    assert events == [(Change.PLACED, "g7")]
    assert sorted(card.card for card in view.cards) == ["b9", "g7", "r5"]
    # Once the table is seen in its place it's gone.
    _view, events = table.shows(Scene((*FIRST.cards[1:], LaidCard("g7", 450, 330))))
    assert events == [(Change.REMOVED, "r5")]
