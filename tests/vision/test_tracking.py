"""Tables over time: what settles, what happens to cards, what a hand does."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import pytest

from companion.kits import KITS
from tests.vision.test_places import CARD, drawing
from tests.vision.test_places import table as table_of
from vision.calibration import DICTIONARY, MARKER_SIDE, calibrate, find_markers
from vision.changes import ChangeDetector
from vision.detections import Detection, Detections, UnknownDetection
from vision.errors import VisionError
from vision.reading import Reader
from vision.simulated import LaidCard, Look, PinholeCamera, Scene, render
from vision.tracking import CardChange, Tracker, _agree


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
    assert sorted(events, key=str) == sorted([(CardChange.PLACED, "r5"), (CardChange.PLACED, "b9")], key=str)
    identities = {card.card: card.identity for card in view.cards}

    view, events = table.shows(Scene((LaidCard("r5", 120, 150), LaidCard("b9", 420, 250))))
    assert events == [(CardChange.MOVED, "b9")]
    assert {card.card: card.identity for card in view.cards} == identities

    _view, events = table.shows(Scene((LaidCard("r5", 120, 150, 180), LaidCard("b9", 420, 250))))
    assert events == [(CardChange.TURNED, "r5")]

    _view, events = table.shows(Scene((LaidCard("b9", 420, 250),)))
    assert events == [(CardChange.REMOVED, "r5")]


def test_a_flipped_shrine(table):
    table.shows(Scene((LaidCard("shrine-red", 200, 200, 0, "lit"),)))
    _view, events = table.shows(Scene((LaidCard("shrine-red", 200, 200, 0, "unlit"),)))
    assert events == [(CardChange.FLIPPED, "shrine-red")]


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
    assert events == [(CardChange.PLACED, "g12")]
    assert [card.card for card in view.cards if card.covered] == ["r5"]


def test_an_unchanged_table_gives_no_events(table):
    table.shows(FIRST)
    assert table.shows(FIRST, 20)[1] == []


def test_frames_of_changing_size_dont_matter(table, looks):
    table.shows(FIRST)
    small = render(FIRST, looks, PinholeCamera(width=960, height=720)).picture
    for _ in range(6):
        view, _events = table.tracker.look(small)
    assert sorted(card.card for card in view.cards) == ["b9", "r5"]


def with_markers(looks, missing=None):
    scene = Scene((LaidCard("r5", 300, 200),), 600, 450)
    camera = PinholeCamera(tilt=15, around=4, fill=0.75)
    pads = dict(looks)
    cards = list(scene.cards)
    middle = MARKER_SIDE / 2
    for number, (x, y) in enumerate(
        ((middle, middle), (600 - middle, middle), (600 - middle, 450 - middle), (middle, 450 - middle))
    ):
        if number != missing:
            pads[f"marker-{number}", ""] = Look(
                np.repeat(cv2.aruco.generateImageMarker(DICTIONARY, number, 354)[:, :, None], 3, axis=2),
                MARKER_SIDE,
                MARKER_SIDE,
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
    first = Detection("axe", "", np.array([[0, 0], [60, 0], [60, 90], [0, 90]], float), 0.0, 1.0, 1.0)
    second = Detection("axe", "", first.corners + 200, 0.0, 1.0, 1.0)
    assert _agree(Detections((first, second)), Detections((second, first)))
    assert not _agree(Detections((first, second)), Detections((first, first)))


class Forgetful:
    """A reader that goes on reading as it should, but can't name one card any more."""

    def __init__(self, reader, card):
        self.reader, self.card, self.forgets = reader, card, False

    def again(self, frame, seen):
        return self.reader.again(frame, seen)

    def read(self, frame, changes=None):
        reading = self.reader.read(frame, changes)
        if not self.forgets:
            return reading
        return Detections(tuple(card for card in reading.cards if card.card != self.card), reading.unknown)


def test_a_card_that_merely_stops_agreeing_isnt_removed(table):
    # Something changes beside it, and it isn't named in the next reading; but its place looks as before.
    reader = Forgetful(table.tracker.reader, "r5")
    table.tracker.reader = reader
    table.shows(FIRST)
    reader.forgets = True
    view, events = table.shows(Scene((*FIRST.cards, LaidCard("g7", 450, 330))))
    assert events == [(CardChange.PLACED, "g7")]
    assert sorted(card.card for card in view.cards) == ["b9", "g7", "r5"]
    # Once the table is seen in its place it's gone.
    _view, events = table.shows(Scene((*FIRST.cards[1:], LaidCard("g7", 450, 330))))
    assert events == [(CardChange.REMOVED, "r5")]


class Scripted:
    """A reader that tells what the test has it tell, of the table and of each doubtful place in it."""

    def __init__(self):
        self.reading, self.later = Detections(), iter(())

    def read(self, frame, changes=None):
        return self.reading

    def again(self, frame, seen):
        return next(self.later, None)


class Told:
    """A tracker before pictures of drawn cards, whose reader tells what the test says."""

    def __init__(self):
        self.reader = Scripted()
        self.tracker = Tracker(self.reader)
        self.frame = 0

    def sees(self, cards, reading, later=(), frames=4):
        self.reader.reading, self.reader.later = reading, iter(later)
        events = []
        for _ in range(frames):
            self.frame += 1
            view, happened = self.tracker.look(table_of("felt", cards, self.frame))
            events += happened
        return view, [(event.change, event.card) for event in events]


def read_as(card, corners, confidence=0.99):
    return Detection(card, "", corners, 0.0, confidence, 1.0)


def wondered(corners, **names):
    return UnknownDetection(corners, tuple(names), tuple(names.values()))


HERE, BESIDE, AWAY = CARD, CARD + np.array([55, 0]), CARD - np.array([350, 250])
ONE, TWO, TURNED = drawing(1), drawing(2, (150, 90, 30)), drawing(3, (30, 120, 60))


def test_a_soft_row_in_which_the_next_card_has_no_name_loses_none():
    told = Told()
    _view, events = told.sees([(HERE, ONE)], Detections((read_as("r5", HERE),)))
    assert events == [(CardChange.PLACED, "r5")]
    # The next card hides 60 % of it; neither is read any more.
    view, events = told.sees([(HERE, ONE), (BESIDE, TWO)], Detections())
    assert events == []
    assert [card.card for card in view.cards] == ["r5"]
    # Once the next one is read, it hides it.
    view, events = told.sees([(HERE, ONE), (BESIDE, TWO)], Detections((read_as("b9", BESIDE),)))
    assert events == []
    view, events = told.sees([(HERE, ONE), (BESIDE, TWO), (AWAY, TWO)], Detections((read_as("b9", BESIDE),)))
    assert events == [(CardChange.PLACED, "b9")]
    assert [(card.card, card.covered) for card in view.cards] == [("r5", True), ("b9", False)]
    # Pulled out from under it, it's gone.
    _view, events = told.sees([(BESIDE, TWO)], Detections((read_as("b9", BESIDE),)))
    assert events == [(CardChange.REMOVED, "r5")]


def test_a_second_copy_elsewhere_is_placed_while_the_first_cant_be_read():
    told = Told()
    told.sees([(HERE, ONE)], Detections((read_as("axe", HERE),)))
    view, events = told.sees([(HERE, ONE), (AWAY, ONE)], Detections((read_as("axe", AWAY),)))
    assert events == [(CardChange.PLACED, "axe")]
    assert len(view.cards) == 2


@pytest.mark.parametrize(("visible_share", "moved"), [(0.4, []), (0.9, [(CardChange.MOVED, "r5")])])
def test_a_poor_pose_of_a_card_that_lies_where_it_lay_is_no_move(visible_share, moved):
    told = Told()
    told.sees([(HERE, ONE)], Detections((read_as("r5", HERE),)))
    nudged = HERE + np.array([30, 5])
    seen = msgspec.structs.replace(read_as("r5", nudged), visible_share=visible_share)
    view, events = told.sees([(HERE, ONE), (AWAY, TWO)], Detections((seen, read_as("b9", AWAY))))
    assert events == [*moved, (CardChange.PLACED, "b9")]
    assert np.allclose(view.cards[0].corners, nudged if moved else HERE)


def test_a_card_that_was_pushed_a_little_has_moved():
    told = Told()
    told.sees([(HERE, ONE)], Detections((read_as("r5", HERE),)))
    nudged = HERE + np.array([30, 5])
    assert told.sees([(nudged, ONE)], Detections((read_as("r5", nudged),)))[1] == [(CardChange.MOVED, "r5")]


def test_a_card_that_lies_elsewhere_now_has_moved_once_its_place_is_seen():
    told = Told()
    told.sees([(HERE, ONE)], Detections((read_as("axe", HERE),)))
    _view, events = told.sees([(AWAY, ONE)], Detections((read_as("axe", AWAY),)))
    assert events == [(CardChange.MOVED, "axe")]


def test_a_card_that_was_taken_from_under_one_that_was_moved_over_it_is_gone():
    told = Told()
    told.sees([(AWAY, TWO)], Detections((read_as("r5", AWAY),)))
    told.sees([(AWAY, TWO), (HERE, ONE)], Detections((read_as("r5", AWAY), read_as("b9", HERE))))
    told.sees([(HERE, ONE), (BESIDE, TWO)], Detections((read_as("r5", BESIDE), read_as("b9", HERE))))
    view, events = told.sees([(BESIDE, TWO)], Detections((read_as("r5", BESIDE),)))
    assert events == [(CardChange.REMOVED, "b9")]
    assert [card.card for card in view.cards] == ["r5"]


def test_a_card_that_was_taken_from_under_one_that_was_turned_over_is_gone():
    told = Told()
    lit, unlit = (msgspec.structs.replace(read_as("shrine-red", BESIDE), face=face) for face in ("lit", "unlit"))
    told.sees([(BESIDE, TWO)], Detections((lit,)))
    told.sees([(BESIDE, TWO), (HERE, ONE)], Detections((lit, read_as("r2", HERE))))
    told.sees([(HERE, ONE), (BESIDE, TURNED)], Detections((unlit, read_as("r2", HERE))))
    _view, events = told.sees([(BESIDE, TURNED)], Detections((unlit,)))
    assert events == [(CardChange.REMOVED, "r2")]


def test_a_card_that_was_pushed_toward_an_equal_one_under_it_is_that_which_showed():
    told, first = Told(), HERE + np.array([14, 0])
    told.sees([(HERE, ONE)], Detections((read_as("city", HERE),)))
    told.sees([(HERE, ONE), (first, ONE)], Detections((read_as("city", HERE), read_as("city", first))))
    told.sees([(HERE, ONE), (first, ONE), (AWAY, TWO)], Detections((read_as("city", first), read_as("b9", AWAY))))
    nearer = HERE + np.array([6, 0])
    view, _events = told.sees([(nearer, ONE), (AWAY, TWO)], Detections((read_as("city", nearer), read_as("b9", AWAY))))
    shown = [card for card in view.cards if not card.covered and card.card == "city"]
    assert [card.identity for card in shown] == [2]
    assert np.allclose(shown[0].corners, nearer)


class Misled(Reader):
    """A reader that doesn't see the last card while it looks for others where they lay."""

    def __init__(self, *cards):
        super().__init__(recogniser=None)
        self.cards = cards

    def _read_part(self, frame, box, card_width, kept, touched):
        return Detections(self.cards[:-1] if touched or not self._reading.cards else self.cards)


def test_what_changed_beside_an_equal_card_that_lay_there_is_read_again():
    lay, came = (msgspec.structs.replace(read_as("city", at), visible_quads=at[None]) for at in (HERE, BESIDE))
    reader, changes = Misled(lay, came), ChangeDetector()
    changes.on_frame(table_of("felt"))
    reader._before = changes.small
    for cards in ([(HERE, ONE)], [(HERE, ONE), (BESIDE, ONE)]):
        frame = table_of("felt", cards)
        changes.on_frame(frame)
        reading = reader.read(frame, changes)
        assert len(reading.cards) == len(cards)


def test_a_card_that_came_where_another_left_is_looked_for_again():
    lay, came = (
        msgspec.structs.replace(read_as(name, at), visible_quads=at[None])
        for name, at in (("r5", HERE), ("b9", BESIDE))
    )
    reader, changes = Misled(came), ChangeDetector()
    changes.on_frame(table_of("felt", [(HERE, ONE)]))
    reader._before, reader._reading = changes.small, Detections((lay,))
    changes.on_frame(table_of("felt", [(BESIDE, TWO)]))
    assert [card.card for card in reader.read(table_of("felt", [(BESIDE, TWO)]), changes).cards] == ["b9"]


def test_a_doubtful_card_becomes_sure_over_still_frames():
    told = Told()
    first, later = wondered(HERE, r5=0.9), [read_as("r5", HERE, 0.998)] * 9
    view, events = told.sees([(HERE, ONE)], Detections((), (first,)), later, frames=12)
    assert events == [(CardChange.PLACED, "r5")]
    assert view.unknown == ()
    assert view.cards[0].confidence >= 0.98


def test_a_card_that_stays_in_doubt_stays_asked_with_what_all_frames_tell():
    told = Told()
    first, later = wondered(HERE, r5=0.5, r6=0.4), [wondered(HERE, r6=0.6, r5=0.3)] * 20
    view, events = told.sees([(HERE, ONE)], Detections((), (first,)), later, frames=14)
    assert events == []
    (unknown,) = view.unknown
    assert [name.card for name in unknown.names] == ["r6", "r5"]
    assert 0.5 < unknown.names[0].probability < 0.65


def test_a_stranger_that_each_frame_takes_for_a_card_is_never_named():
    told = Told()
    strange = wondered(HERE, r5=0.8)
    view, events = told.sees([(HERE, ONE)], Detections((), (strange,)), [read_as("r5", HERE, 0.9)] * 40, frames=30)
    assert events == []
    assert view.cards == ()
    assert view.unknown[0].names[0].card == "r5"


def test_a_doubt_where_a_known_card_lies_is_that_card():
    told = Told()
    told.sees([(HERE, ONE)], Detections((read_as("r5", HERE),)))
    doubt = wondered(HERE + np.array([2, 1]), r6=0.4, r5=0.3)
    view, events = told.sees([(HERE, ONE), (AWAY, TWO)], Detections((read_as("b9", AWAY),), (doubt,)))
    assert events == [(CardChange.PLACED, "b9")]
    assert sorted(card.card for card in view.cards) == ["b9", "r5"]
    assert view.unknown == ()
