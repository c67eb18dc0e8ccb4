"""Each stage of the eye alone, on golden pictures: scenes rendered with a fixed seed, so that the truth is known."""

from __future__ import annotations

import itertools

import msgspec
import numpy as np
import pytest

from tests.vision.conftest import drawn
from tests.vision.golden import APART, ROW, golden, named
from vision import features, fitting, matching, quads, slant
from vision.fitting import fit_again, fit_face
from vision.geometry import homography_to_quad, map_points, overlap, rectangle
from vision.identity import half_turn
from vision.pipeline import candidates, decision, keypoints, poses, revision, search
from vision.pipeline.candidates import PoseCandidate
from vision.pipeline.decision import Outcome
from vision.pipeline.search_state import (
    NamedCard,
    claimed_points,
    claimed_share,
    covered_cells,
    initial_state,
    visible_quads_of,
    width_of,
    with_card,
    with_doubt,
)
from vision.recognise import Recogniser
from vision.simulated import LaidCard, Look
from vision.tuning import FEATURE, IDENTITY, NAMING


def off(found, true):
    """How far corners lie from the true ones, in pixels, whichever corner is the first."""
    return min(float(np.abs(np.roll(found, turn, axis=0) - true).max()) for turn in range(4))


def corners_of(golden, candidate):
    return map_points(candidate.unit_pose, rectangle(1.0, golden.query.index.faces[candidate.face].aspect))


# Find outlines.


def test_every_card_apart_has_an_outline_along_its_edges(apart):
    for truth in apart.shot.cards:
        assert min(off(outline, truth.corners) for outline in apart.query.outlines) < 6


def test_a_bare_table_has_no_outline(bare):
    assert bare.query.outlines == ()


def test_records_of_the_stages_are_frozen(apart):
    for record in (apart.query, initial_state(apart.query), PoseCandidate(0, np.eye(3)), decision.NO_MATCH):
        with pytest.raises(AttributeError):
            setattr(record, type(record).__struct_fields__[0], None)


# Detect features.


@pytest.mark.parametrize("halved", [False, True])
def test_every_card_has_keypoints(apart, halved):
    found = keypoints.detect(apart.query, halved)
    for card in APART:
        assert claimed_points(apart.state(card.card), found.points).sum() > 30
    described = found.described(np.ones(len(found.points), bool))
    assert np.abs(np.linalg.norm(described.descriptors, axis=1) - 1).max() < 1e-3
    # One place has one or two directions, and stays where it is.
    away = np.linalg.norm(described.points[:, None] - found.points[None], axis=2).min(axis=1)
    assert away.max() < 0.01


def test_what_is_unexplained_holds_every_card_and_then_none(apart):
    half = keypoints.detect(apart.query, halved=True)
    boxes = keypoints.unexplained(apart.query, initial_state(apart.query), half)
    middles = np.array([truth.corners.mean(axis=0) for truth in apart.shot.cards])
    assert keypoints.lies_in(boxes, middles).all()
    but_one = apart.state(*(card.card for card in APART[1:]))
    left = keypoints.unexplained(apart.query, but_one, half)
    assert keypoints.lies_in(left, middles).tolist() == [True] + [False] * 5
    everything = apart.state(*(card.card for card in APART))
    assert not keypoints.lies_in(keypoints.unexplained(apart.query, everything, half), middles).any()


def test_what_is_left_in_the_corners_of_four_tiles_is_seen(bare):
    corner = np.array([[FEATURE.tile_px * 4.0, FEATURE.tile_px * 4.0]])
    points = corner + np.array([[-9, -9], [9, -9], [-9, 9], [9, 9]])
    half = keypoints.detect(bare.query, halved=True)
    four = keypoints.Keypoints(half.spots, points, np.full(4, 3.0), np.full(4, 0.1))
    ((left, top, right, bottom),) = keypoints.unexplained(bare.query, initial_state(bare.query), four)
    assert left < corner[0, 0] - 9 < corner[0, 0] + 9 < right
    assert top < corner[0, 1] - 9 < corner[0, 1] + 9 < bottom
    two = keypoints.Keypoints(half.spots, points[:2], np.full(2, 3.0), np.full(2, 0.1))
    assert keypoints.unexplained(bare.query, initial_state(bare.query), two) == []


def test_finer_features_lie_in_their_boxes_and_on_no_named_card(apart):
    state = apart.state("b7")
    box = (100, 60, 900, 500)
    (found,) = keypoints.detect_finer(apart.query, state, [box])
    assert len(found) > 50
    assert keypoints.lies_in([box], found.points).all()
    assert claimed_points(state, found.points).mean() < 0.01


def test_a_view_from_above_is_left_as_it_is_and_a_slanting_one_stretched(apart, slanted):
    assert keypoints.detect_from_above(apart.query, apart.state("r2")) is None
    above = keypoints.detect_from_above(slanted.query, slanted.state("r2", "b7", "y13"))
    assert above is not None
    back = map_points(above.back, above.features.points)
    height, width = slanted.shot.picture.shape[:2]
    assert ((back > -6) & (back < [width + 6, height + 6])).all()
    assert squashed(slanted, np.linalg.inv(above.back)) < 0.8 * squashed(slanted, np.eye(3))


def squashed(golden, upright):
    """How much longer than wide a circle on the table looks where a card lies, once the picture is stretched."""
    index = golden.query.index
    values = np.linalg.eigvalsh(slant.ellipse(upright @ golden.template_pose("b7"), index.fine, index.aspect))
    return float(np.sqrt(values[1] / values[0]))


# Vote for poses.


def vote_table_of(golden, state):
    found = keypoints.detect(golden.query, halved=False)
    described = features.describe(found.spots)
    return candidates.vote(golden.query, state, described, keypoints.UNRECTIFIED)


def test_votes_propose_every_card_near_its_pose(apart):
    vote_table = vote_table_of(apart, initial_state(apart.query))
    best = list(itertools.islice(matching.hypotheses(vote_table), 12))
    for card in APART:
        truth = apart.truth(card.card)
        near = [
            off(corners_of(apart, candidates.of_hypothesis(vote_table, guess, keypoints.UNRECTIFIED)), truth.corners)
            for guess in best
            if guess.face == apart.face(card.card)
        ]
        assert min(near) < 8


def test_named_cards_have_no_votes_left(apart):
    state = apart.state("r2", "b7")
    vote_table = vote_table_of(apart, state)
    assert len(vote_table.target)
    assert not claimed_points(state, vote_table.target).any()


def test_the_face_in_an_outline_is_the_likeliest(apart):
    for card in APART:
        best, *_others = candidates.in_outline(apart.query, apart.truth(card.card).corners)
        assert best.face == apart.face(card.card)
        plain = candidates.sure_in_outline(apart.query, apart.truth(card.card).corners)
        assert plain is not None
        assert off(corners_of(apart, plain), apart.truth(card.card).corners) < 2


def test_a_place_is_taken_by_a_card_or_a_doubt_until_more_features_are_heard(apart):
    candidate = PoseCandidate(apart.face("r2"), apart.unit_pose("r2"))
    assert not candidates.is_taken(apart.query, initial_state(apart.query), candidate)
    assert candidates.is_taken(apart.query, apart.state("r2"), candidate)
    doubted = with_doubt(apart.query, initial_state(apart.query), apart.decided("r2").posterior)
    assert candidates.is_taken(apart.query, doubted, candidate)
    heard = msgspec.structs.replace(doubted, places_before_vote=len(doubted.unnamed_places))
    assert not candidates.is_taken(apart.query, heard, candidate)


def test_a_doubt_about_a_place_is_reached_once_unless_a_face_agrees_better_or_is_hidden_more(apart, monkeypatch):
    posterior, fit, asked = apart.decided("r2").posterior, apart.fit("r2"), []

    def doubted(_index, _place, face, _likelihood=None, _is_outlined=False):
        asked.append(face)
        return msgspec.structs.replace(posterior, can_be_named=False)

    monkeypatch.setattr(decision, "posterior_of", doubted)
    once = decision.with_fit_decided(apart.query, initial_state(apart.query), fit)
    decision.with_fit_decided(apart.query, once, fit)
    assert asked == [fit]
    better = msgspec.structs.replace(fit, mean_agreement=1.1)
    hidden = msgspec.structs.replace(fit, covered=np.arange(len(fit.covered)) % 2 == 0)
    elsewhere = msgspec.structs.replace(fit, template_pose=apart.template_pose("b7"))
    for each in (better, hidden, elsewhere):
        decision.with_fit_decided(apart.query, once, each)
        assert asked[-1] is each


def test_an_outline_of_a_named_card_isnt_free(apart):
    corners = apart.truth("r2").corners
    assert candidates.is_free(apart.query, initial_state(apart.query), corners)
    assert not candidates.is_free(apart.query, apart.state("r2"), corners)


def test_a_row_goes_on_where_single_votes_see_its_next_card(row):
    state = row.state("r9")
    found = candidates.in_rows(row.query, state, vote_table_of(row, state))
    near = [c for c in found if c.face == row.face("r8")]
    assert near
    assert min(off(corners_of(row, c), row.truth("r8").corners) for c in near) < 12


# Refine a pose.


@pytest.mark.parametrize("card", [card.card for card in APART])
def test_a_rough_pose_is_refined_to_a_few_pixels(apart, card):
    truth, random = apart.truth(card).corners, np.random.default_rng(3)
    wide = width_of(truth, apart.query.index.aspect)
    rough = truth + random.normal(0, 0.01 * wide, (4, 2)) + 0.03 * wide
    candidate = PoseCandidate(
        apart.face(card), homography_to_quad(rough, 1.0, apart.query.index.faces[apart.face(card)].aspect)
    )
    fit = poses.fit_of_candidate(apart.query, initial_state(apart.query), candidate)
    assert np.abs(fit.corners(apart.query.index) - truth).max() < 3
    assert fit.mean_agreement > 0.85
    assert fit.visible.mean() > 0.9


def test_another_face_agrees_nowhere(apart):
    fit = poses.fit_of_candidate(
        apart.query, initial_state(apart.query), PoseCandidate(apart.face("y5"), apart.unit_pose("r2"))
    )
    assert fit is None or fit.mean_agreement < 0.7


def test_an_outline_a_little_off_is_left_for_a_pose_that_agrees_better(apart):
    shifted = np.array([[1, 0, 3.0], [0, 1, -2.0], [0, 0, 1]]) @ apart.unit_pose("b7")
    candidate, state = PoseCandidate(apart.face("b7"), shifted, is_close=True), initial_state(apart.query)
    rough = poses.fit_in_outline(apart.query, state, candidate)
    better = poses.refined_near_outline(apart.query, state, candidate, rough)
    assert better.mean_agreement > rough.mean_agreement
    assert np.abs(better.corners(apart.query.index) - apart.truth("b7").corners).max() < 2


def test_cells_under_a_named_card_are_covered(row):
    half = covered_cells(row.query, row.state("r6"), row.template_pose("r5")).mean()
    assert half == pytest.approx(1 - row.truth("r5").visible, abs=0.1)
    fit = poses.fit_at(row.query, row.state("r6"), row.face("r5"), row.template_pose("r5"))
    assert not (fit.visible & fit.covered).any()


@pytest.mark.parametrize(
    ("way", "times"), [(0.0, 0), (IDENTITY.same_pose_px - 0.05, 0), (IDENTITY.same_pose_px + 0.05, 1)]
)
def test_a_pose_that_hardly_moves_is_settled_and_isnt_looked_at_again(apart, monkeypatch, way, times):
    """However finely the camera sees a card, its own template's pixels tell how far is far."""
    query, face, template_pose = apart.query, apart.face("r2"), apart.template_pose("r2")
    first = msgspec.structs.replace(apart.fit("r2"), mean_agreement=0.5)
    looked = []

    def look(index, levels, face, template_pose, covered):
        looked.append(template_pose)
        return msgspec.structs.replace(first, template_pose=template_pose, mean_agreement=1.0)

    shift = np.array([[1, 0, way], [0, 1, 0], [0, 0, 1.0]])
    monkeypatch.setattr(fitting, "refine_last", lambda *_how: template_pose @ shift)
    monkeypatch.setattr(fitting, "fit_face", look)
    better = fitting.refine(query.index, query.levels, first, first.covered)
    assert len(looked) == times
    assert better is first if not times else better.face == face and better.mean_agreement == 1.0


def test_what_was_seen_of_a_card_is_measured_anew_with_another_cover(row):
    index, levels, fit = row.query.index, row.query.levels, row.fit("r5")
    covered = covered_cells(row.query, row.state("r6"), fit.template_pose)
    again, anew = fit_again(index, levels, fit, covered), fit_face(index, levels, fit.face, fit.template_pose, covered)
    assert (again.visible == anew.visible).all()
    assert (again.covered == anew.covered).all()
    assert (again.mean_agreement, again.support) == (anew.mean_agreement, anew.support)
    assert again.mean_agreement > fit.mean_agreement


def test_a_candidate_that_comes_to_lie_under_a_named_card_isnt_looked_at(apart):
    candidate = PoseCandidate(apart.face("r2"), apart.unit_pose("r2"))
    assert poses.fit_of_candidate(apart.query, initial_state(apart.query), candidate) is not None
    assert poses.fit_of_candidate(apart.query, apart.state("r2"), candidate) is None


def test_a_card_at_a_good_pose_stays_there_once_its_cover_is_known(row):
    fit = row.fit("r5")
    settled = poses.with_new_cover(row.query, row.state("r6"), fit)
    assert np.abs(settled.corners(row.query.index) - row.truth("r5").corners).max() < 3
    assert settled.covered.sum() > fit.covered.sum()


def test_what_shows_of_a_card_is_told_row_by_row(row):
    fine, fit = row.query.index.fine, row.decided("r5").posterior.fit
    visible_quads = visible_quads_of(fit, fine)
    assert len(visible_quads) <= 2 * fine.rows
    cells = map_points(fit.template_pose, fine.centres())
    inside = np.any([quads.inside(quad, cells) for quad in visible_quads], axis=0)
    assert (inside == fit.visible).all()


# Score faces in colour, and decide.


@pytest.mark.parametrize("card", [card.card for card in APART])
def test_a_card_at_its_pose_gets_its_name(apart, card):
    decided = apart.decided(card)
    assert decided.outcome is Outcome.NAMED
    assert apart.query.index.faces[decided.posterior.fit.face].card == card


def test_a_place_gets_one_name(apart):
    decided = decision.decide(apart.query, apart.state("r2"), apart.fit("r2"))
    assert decided.outcome is Outcome.IGNORED


def test_a_bare_table_gets_none(bare, apart):
    fit = fit_face(bare.query.index, bare.query.levels, 0, apart.template_pose("r2"))
    assert decision.decide(bare.query, initial_state(bare.query), fit) == decision.NO_MATCH


def test_a_stranger_gets_none(recogniser, looks):
    other = {("?", ""): Look(drawn("fables")[0][2], 63, 88)}
    strange = golden(recogniser.index, looks | other, (LaidCard("?", 300, 220, 10),))
    best, *_others = candidates.in_outline(strange.query, strange.truth("?").corners)
    fit = poses.fit_in_outline(strange.query, initial_state(strange.query), best)
    assert decision.decide(strange.query, initial_state(strange.query), fit).outcome is not Outcome.NAMED


def test_a_card_that_was_known_is_known_where_it_lay(apart, bare):
    (card,) = apart.state("r2").cards
    assert (
        decision.decide_where_it_lay(apart.query, initial_state(apart.query), card.detection).outcome is Outcome.NAMED
    )
    assert (
        decision.decide_where_it_lay(bare.query, initial_state(bare.query), card.detection).outcome is Outcome.IGNORED
    )


# Look again, and repeat.


def test_a_card_in_doubt_is_looked_at_again_once_its_cover_is_known(row):
    doubted = with_doubt(row.query, initial_state(row.query), row.decided("r5").posterior)
    assert revision.reconsider(row.query, doubted).pending_posteriors == doubted.pending_posteriors
    covered = with_card(row.query, doubted, row.decided("r6").posterior)
    again = revision.reconsider(row.query, covered)
    assert all(posterior is not doubted.pending_posteriors[0] for posterior in again.pending_posteriors)
    assert named(again) == ["r5", "r6"]


def test_a_sure_card_is_decided_again_where_the_others_contradict_its_colours(apart):
    """A green 9 that was taken for a yellow one, beside three cards that are right."""
    state = apart.state("r2", "b7", "y13")
    face = apart.face("y9")
    fit = fit_face(apart.query.index, apart.query.levels, face, apart.template_pose("g9"))
    wrong = msgspec.structs.replace(apart.decided("g9").posterior, fit=fit)
    state = with_card(apart.query, state, wrong, at_least=1.0)
    assert named(state) == ["b7", "r2", "y13", "y9"]
    assert all(card.detection.confidence >= NAMING.sure_probability for card in state.cards)
    assert named(revision.by_known_camera(apart.query, state)) == ["b7", "g9", "r2", "y13"]


def test_a_card_found_by_its_ornament_gives_way_to_itself(apart):
    query = apart.query
    # The middle of a card, taken for the card the other way up.
    true = apart.fit("r2")
    turned = true.template_pose @ half_turn(query.index.fine)
    middle = np.linalg.norm(query.index.fine.centres() - query.index.fine.centres().mean(axis=0), axis=1) < 20
    wrong = msgspec.structs.replace(true, template_pose=turned, visible=middle, support=true.support / 4)
    right = apart.state("r2").cards[0]
    corners = wrong.corners(query.index)
    detection = msgspec.structs.replace(
        right.detection,
        corners=corners,
        turn=(right.detection.turn + 180) % 360,
        visible_share=float(middle.mean()),
        visible_quads=visible_quads_of(wrong, query.index.fine),
    )
    mistaken = msgspec.structs.replace(
        initial_state(query), cards=(NamedCard(detection, wrong, corners.mean(axis=0), right.width),)
    )
    mended = revision.without_ornament(query, mistaken, apart.face("r2"), apart.unit_pose("r2"))
    (card,) = mended.cards
    assert np.abs(card.detection.corners - apart.truth("r2").corners).max() < 2
    assert card.detection.visible_share > 0.9
    assert claimed_share(mended, apart.truth("r2").corners) > 0.97
    assert revision.without_ornament(query, mistaken, apart.face("b7"), apart.unit_pose("b7")) is mistaken


def test_plain_outlines_alone_name_cards_apart(apart):
    state = search.by_sure_outline(apart.query, initial_state(apart.query))
    assert named(state) == sorted(card.card for card in APART)


def test_keypoints_alone_name_cards_apart(apart):
    blind = msgspec.structs.replace(apart.query, outlines=())
    state = search.by_keypoints(blind, initial_state(blind))
    assert named(state) == sorted(card.card for card in APART)
    for card in state.cards:
        assert overlap(card.detection.corners, apart.truth(card.detection.card).corners) > 0.97


def test_a_row_is_followed_to_its_end(row):
    state = row.state("r9")
    followed = search.along_rows(row.query, state, vote_table_of(row, state))
    assert named(followed) == sorted(card.card for card in ROW)


def test_what_is_expected_is_found_where_it_lay(apart):
    before = [card.detection for card in apart.state("r2", "b7").cards]
    assert named(search.where_they_lay(apart.query, initial_state(apart.query), before)) == ["b7", "r2"]


def test_every_verdict_is_told_to_who_observes(recogniser, apart):
    posteriors = []
    reading = Recogniser(recogniser.index, posteriors.append).read(apart.shot.picture)
    told = {recogniser.index.faces[posterior.fit.face].card for posterior in posteriors}
    assert {card.card for card in reading.cards} <= told
