"""What the eye's network is trained on, and that it's the same network that the eye runs."""

from __future__ import annotations

import shutil
import sys

import cv2
import numpy as np
import pytest

from benchmarks.vision import train
from benchmarks.vision.training import decks, examples, network, style, views
from vision import comparison, upright

HEIGHT = 112
SEED = 2
# How many cards a deck of each kind has, from and to.
SIZES = {
    "numbers": (3 * 6, 5 * 13), "corners": (39, 39), "shading": (45, 45), "colours": (4 * 4, 4 * 7), "pips": (52, 52),
    "suits": (32, 32), "titles": (30, 30),
}  # fmt: skip

with_fonts = pytest.mark.skipif(shutil.which("fc-list") is None, reason="decks are drawn with the fonts of fontconfig")


def plain_deck(count: int = 9) -> decks.Deck:
    """White cards with one disc each, all in other places."""
    faces = []
    for number in range(count):
        face = np.full((179, 128, 3), 255, np.uint8)
        cv2.circle(face, (25 + 38 * (number % 3), 35 + 50 * (number // 3)), 14, (30, 40, 200 - 20 * number), -1)
        faces.append(face)
    return faces


def two_decks() -> list[examples.Known]:
    return [examples.known(plain_deck()), examples.known([255 - face for face in plain_deck(4)])]


@pytest.fixture(scope="module")
def few() -> network.Examples:
    return train.made(np.random.default_rng(SEED), two_decks(), 16)


@with_fonts
@pytest.mark.parametrize("kind", decks.KINDS)
def test_a_deck_has_cards_of_one_size_that_differ(kind):
    faces = decks.deck(kind, 5)
    least, most = SIZES[kind]
    assert least <= len(faces) <= most
    assert {(face.shape[1], face.shape[0] == faces[0].shape[0], face.dtype.name) for face in faces} == {
        (style.WIDTH, True, "uint8")
    }
    assert len({face.tobytes() for face in faces}) == len(faces)


@with_fonts
def test_a_seed_is_a_style_and_repeats():
    once, again, other = (np.stack(decks.deck("suits", seed)) for seed in (4, 4, 5))
    assert np.array_equal(once, again)
    assert once.shape != other.shape or not np.array_equal(once, other)


@with_fonts
def test_one_small_number_tells_cards_with_corners_apart():
    first, second = (face.astype(int) for face in decks.deck("corners", 5)[:2])
    differs = np.abs(first - second).max(axis=2) > 30
    middle = differs[differs.shape[0] // 3 : -differs.shape[0] // 3]
    assert differs.any()
    assert not middle.any()


def test_a_view_is_as_large_as_the_comparison_wants_and_its_mask_tells_what_is_covered():
    random = np.random.default_rng(3)
    face, over = plain_deck()[:2]
    camera, lamp = views.development(random), views.lamp_of(random)
    bare = views.view(random, face, HEIGHT, camera, lamp)
    covered = views.view(random, face, HEIGHT, camera, lamp, views.Cover(over, 0.5))
    for seen in (bare, covered):
        assert seen.patch.shape == (HEIGHT, comparison.WIDTH, 3)
        assert seen.patch.dtype == np.uint8
        assert seen.shows.shape == (HEIGHT, comparison.WIDTH)
        assert seen.shows.dtype == bool
    assert bare.shows.all()
    assert 0.4 < covered.shows.mean() < 0.56


def test_a_clean_scan_is_the_face_and_a_photo_is_not():
    random = np.random.default_rng(3)
    face = plain_deck()[0]
    small = cv2.resize(face, (comparison.WIDTH, HEIGHT), interpolation=cv2.INTER_AREA).astype(int)
    scan = views.reference(random, face, HEIGHT, None)
    photo = views.reference(random, face, HEIGHT, views.development(random))
    assert scan.shape == photo.shape == small.shape
    assert np.abs(scan - small).mean() < 3 < np.abs(photo - small).mean()


def test_a_deck_knows_its_near_twins_and_which_faces_have_no_way_up():
    faces = plain_deck()
    nearly = faces[4].copy()
    nearly[60:70, 40:50] = (0, 200, 0)
    deck = examples.known([*faces, nearly])
    assert int(np.argsort(deck.unlike[4])[1]) == len(faces)
    assert deck.turned[4] < deck.turned[0]


def test_candidates_differ_and_stand_there_twice_only_where_a_deck_is_too_small():
    random = np.random.default_rng(0)
    large, small = two_decks()
    assert not examples.table(random, [large], HEIGHT).repeated.any()
    laid = examples.table(random, [small], HEIGHT)
    assert laid.repeated.sum() == examples.CANDIDATES - 4
    assert not laid.repeated[[truth for truth in laid.truths if truth < examples.CANDIDATES]].any()


def test_an_example_is_the_evidence_of_the_comparison():
    random = np.random.default_rng(2)
    laid = examples.table(random, two_decks(), HEIGHT)
    looks = comparison.faces_of([upright.planes_of(picture) for picture in laid.references])
    faces = [looks.face(n) for n in range(examples.CANDIDATES)]
    grid = (examples.COLUMNS, HEIGHT // comparison.CELL)
    shows = cv2.resize(laid.seen[0].shows.astype(np.float32), grid, interpolation=cv2.INTER_AREA)
    place = comparison.input_of(upright.planes_of(laid.seen[0].patch, laid.seen[0].shows), shows)
    made = examples.example(place, faces, 1, False, laid.truths[0], laid.repeated)
    for n, face in enumerate(faces):
        own = comparison.features_of(place, face, 1)
        assert np.allclose(made.maps[n, :, : grid[1]], own.maps, rtol=2e-3, atol=1e-3)
        assert not made.maps[n, :, grid[1] :].any()
        assert np.array_equal(made.summary[n], own.summary)
    assert np.allclose(made.shows[: grid[1]], shows, atol=1e-3)
    assert not made.shows[grid[1] :].any()


def test_examples_repeat_and_show_enrolled_cards_and_strangers(few):
    again = train.made(np.random.default_rng(SEED), two_decks(), 16)
    assert np.array_equal(few.maps, again.maps)
    assert np.array_equal(few.truth, again.truth)
    assert (few.truth == examples.CANDIDATES).any()
    assert (few.truth < examples.CANDIDATES).any()


def test_a_tenth_or_less_of_the_styles_is_checked_and_none_of_these_is_fitted_on():
    assert [seed for seed in range(84) if train.is_checked(seed, 84)] == list(range(78, 84))
    assert [seed for seed in range(2) if train.is_checked(seed, 2)] == [1]


def test_kept_examples_are_not_made_again(tmp_path, monkeypatch):
    monkeypatch.setattr(train, "pool", lambda part, count: two_decks())
    monkeypatch.setattr(train, "PART", 8)
    first = train.collected(tmp_path, "fitted", 2, 12)
    assert len(list(tmp_path.iterdir())) == 2
    assert len(first.truth) == 12
    monkeypatch.setattr(train, "pool", None)
    assert np.array_equal(train.collected(tmp_path, "fitted", 2, 12).maps, first.maps)


def test_a_report_counts_names_and_wrong_ones():
    # An enrolled card named rightly, one named wrongly, one left open; a stranger named, and one left open.
    probable = np.array([[0.96, 0.03, 0.01], [0.1, 0.85, 0.05], [0.3, 0.3, 0.4], [0.6, 0.1, 0.3], [0.1, 0.1, 0.8]])
    truth = np.array([0, 0, 0, 2, 2])
    nothing = np.zeros(0)
    told = network.report("checked", network.Examples(nothing, nothing, nothing, truth, nothing), probable)
    assert "checked, 5 views" in told
    assert "top-1 66.7%" in told
    assert "from 0.5: 33.3% of 3 named; of 3 names 2 wrong, 1 of them strangers" in told
    assert "from 0.9: 33.3% of 3 named; of 1 names 0 wrong, 0 of them strangers" in told


class Recording(dict):
    """Weights that know which of them were asked for."""

    def __init__(self, weights):
        super().__init__(weights)
        self.read = set()

    def __getitem__(self, name):
        self.read.add(name)
        return super().__getitem__(name)


def weighed(monkeypatch, weights, few, example, candidate):
    """The log-odds that the eye's own network gives with these weights."""
    monkeypatch.setattr(comparison, "_layers", lambda: weights)
    evidence = comparison.ComparisonFeatures(
        few.maps[example, candidate].astype(np.float32), few.summary[example, candidate]
    )
    return comparison._run_network(evidence, few.shows[example].astype(np.float32))


def test_the_weights_have_the_names_that_the_comparison_reads(monkeypatch, few):
    weights = Recording(network.initial(np.random.default_rng(0), few))
    assert np.isfinite(weighed(monkeypatch, weights, few, 0, 0))
    assert weights.read == set(weights)


def test_the_kept_weights_are_of_this_comparison(few):
    weights = network.initial(np.random.default_rng(0), few)
    with np.load(comparison.WEIGHTS) as kept:
        assert {name: kept[name].shape for name in kept} == {name: value.shape for name, value in weights.items()}


def test_without_torch_the_script_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SystemExit, match="pip install torch"):
        network.torch_module()


def test_trained_weights_give_the_same_log_odds_in_numpy_as_in_torch(monkeypatch, few):
    torch = pytest.importorskip("torch", reason="torch isn't installed; only training needs it (pip install torch)")
    weights = network.fit(few, few, epochs=3)
    start = network.initial(np.random.default_rng(0), few)
    assert not np.array_equal(weights["first.weight"], start["first.weight"])
    net = {name: torch.from_numpy(value) for name, value in weights.items()}
    told = network.scores(torch, net, few, np.arange(len(few.truth))).numpy()
    for example in range(len(few.truth)):
        for candidate in np.flatnonzero(~few.repeated[example]):
            own = weighed(monkeypatch, weights, few, example, candidate)
            assert own == pytest.approx(told[example, candidate], abs=1e-3)
