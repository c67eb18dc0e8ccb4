"""What of a picture is explained so far: values that never change."""

from __future__ import annotations

import msgspec
import numpy as np

from tests.vision.golden import named
from vision.pipeline.search_state import claimed_share, has_the_size, initial_state, with_card, with_try, without_card


def test_a_named_card_claims_what_it_shows_and_changes_no_earlier_value(apart):
    before = initial_state(apart.query)
    after = with_card(apart.query, before, apart.decided("r2").posterior)
    corners = apart.truth("r2").corners
    assert claimed_share(before, corners) == 0
    assert claimed_share(after, corners) > 0.97
    assert claimed_share(after, apart.truth("b7").corners) == 0
    assert named(before) == []
    assert named(after) == ["r2"]


def test_without_a_card_all_is_as_if_it_had_never_been_found(apart):
    both = apart.state("r2", "b7")
    left = without_card(both, both.cards[0])
    assert named(left) == ["b7"]
    assert (left.claimed == apart.state("b7").claimed).all()
    assert named(both) == ["b7", "r2"]


def test_a_card_known_before_claims_its_place(apart):
    detection = apart.state("r2").cards[0].detection
    assert claimed_share(initial_state(apart.query, [detection]), apart.truth("r2").corners) > 0.97


def test_an_outlined_card_shows_wholly_however_little_of_its_drawing_agrees(apart):
    posterior = apart.decided("r2").posterior
    fit = msgspec.structs.replace(posterior.fit, visible=np.zeros_like(posterior.fit.visible))
    faint = msgspec.structs.replace(posterior, fit=fit)
    state = with_card(apart.query, initial_state(apart.query), faint, is_uncovered_visible=True)
    assert state.cards[0].detection.visible_share == 1
    assert claimed_share(state, apart.truth("r2").corners) > 0.97
    assert not without_card(state, state.cards[0]).claimed.any()


def test_a_pose_is_tried_once(apart):
    once = with_try(apart.query, initial_state(apart.query), 3, apart.unit_pose("r2"))
    assert once is not None
    assert with_try(apart.query, once, 3, apart.unit_pose("r2") @ np.diag([1.001, 1.001, 1])) is None
    assert with_try(apart.query, once, 4, apart.unit_pose("r2")) is not None
    assert with_try(apart.query, once, 3, apart.unit_pose("b7")) is not None


def test_cards_are_of_one_size(apart):
    wide = apart.state("r2").cards[0].width
    three = apart.state("r2", "b7", "y13")
    assert has_the_size(apart.query, initial_state(apart.query), 10 * wide)
    assert not has_the_size(apart.query, three, 3 * wide)
    assert has_the_size(apart.query, three, 1.1 * wide)
    told = msgspec.structs.replace(apart.query, card_width=wide)
    assert not has_the_size(told, initial_state(told), 3 * wide)
