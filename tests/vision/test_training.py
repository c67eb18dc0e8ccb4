"""What the eye's networks are trained on, and that they're the same networks that the eye runs."""

from __future__ import annotations

import shutil
import sys

import cv2
import numpy as np
import pytest

from benchmarks.vision import train
from benchmarks.vision.training import decks, detail_examples, examples, network, style, views
from vision import comparison, detail, ink, upright
from vision import network as eyes_network
from vision.comparison import FaceComparison

HEIGHT = 168
SEED = 2
# How many cards a deck of each kind has, from and to.
SIZES = {
    "numbers": (3 * 6, 5 * 13), "corners": (39, 39), "shading": (45, 45), "colours": (4 * 4, 4 * 7), "pips": (52, 52),
    "suits": (32, 32), "titles": (30, 30), "emblem": (3 * 8, 5 * 13),
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


def made(name) -> network.Examples:
    return train.made(train.RECIPES[name], np.random.default_rng(SEED), two_decks(), 16)


@pytest.fixture(scope="module")
def few_by_name():
    return {name: made(name) for name in train.RECIPES}


@pytest.fixture(params=train.RECIPES)
def name(request) -> str:
    return request.param


@pytest.fixture
def few(few_by_name, name) -> network.Examples:
    return few_by_name[name]


@with_fonts
@pytest.mark.parametrize("kind", decks.KINDS)
def test_a_deck_has_cards_of_one_size_that_differ(kind):
    faces = decks.deck(kind, 5)
    least, most = SIZES[kind]
    assert least <= len(faces) <= most
    assert {(face.shape[1], face.shape[0] == faces[0].shape[0], face.dtype.name) for face in faces} == {
        (style.DRAWN_WIDTH * style.KEPT, True, "uint8")
    }
    assert len({face.tobytes() for face in faces}) == len(faces)


@with_fonts
def test_a_seed_is_a_style_and_repeats():
    once, again, other = (np.stack(decks.deck("suits", seed)) for seed in (4, 4, 5))
    assert np.array_equal(once, again)
    assert once.shape != other.shape or not np.array_equal(once, other)


@pytest.mark.parametrize("fill", style.FILLS)
def test_a_shape_is_filled_inside_its_outline_alone(fill):
    sheet, again = (style.PictureCanvas(style.DRAWN_WIDTH, 179, 25.4 * style.DRAWN / 2) for _ in range(2))
    style.draw(sheet, "disc", 64, 90, 40, (200, 30, 30), fill, style.ShapePen(pale=(240, 200, 200)))
    style.draw(again, "disc", 64, 90, 40, (200, 30, 30), "solid")
    face, whole = (np.abs(style.face_of(each).astype(int) - 255).max(axis=2) > 20 for each in (sheet, again))
    assert not face[~whole].any()
    inked = face[whole].mean()
    assert {"solid": inked == 1, "pale": inked == 1, "open": inked < 0.15}.get(fill, 0.2 < inked < 0.8)


@with_fonts
def test_a_deck_in_two_languages_differs_in_its_captions_alone():
    plain = decks.deck("pips", 5)
    first, second = decks.printings(5, plain)
    differs = [np.any(one != two, axis=2) for one, two in zip(first, second, strict=True)]
    assert sum(each.any() for each in differs) > 0.9 * len(differs)
    rows = np.flatnonzero(np.any(differs, axis=(0, 2)))
    assert np.ptp(rows) < 0.2 * len(plain[0])


@with_fonts
def test_one_small_number_tells_cards_with_corners_apart():
    first, second = (face.astype(int) for face in decks.deck("corners", 5)[:2])
    differs = np.abs(first - second).max(axis=2) > 30
    middle = differs[differs.shape[0] // 3 : -differs.shape[0] // 3]
    assert differs.any()
    assert not middle.any()


def test_a_view_is_as_large_as_the_detail_wants_and_its_mask_tells_what_is_covered():
    random = np.random.default_rng(3)
    face, over = plain_deck()[:2]
    camera, lamp = views.camera_of(random), views.lamp_of(random)
    bare = views.view(random, face, HEIGHT, camera, lamp)
    covered = views.view(random, face, HEIGHT, camera, lamp, views.Cover(over, 0.5))
    for seen in (bare, covered):
        assert seen.patch.shape == (HEIGHT, detail.DETAIL_WIDTH, 3)
        assert seen.patch.dtype == np.uint8
        assert seen.visible.shape == (HEIGHT, detail.DETAIL_WIDTH)
        assert seen.visible.dtype == bool
    assert bare.visible.all()
    assert 0.4 < covered.visible.mean() < 0.56


def test_a_clean_scan_is_the_face_and_a_photo_is_not():
    random = np.random.default_rng(3)
    face = plain_deck()[0]
    small = cv2.resize(face, (detail.DETAIL_WIDTH, HEIGHT), interpolation=cv2.INTER_AREA).astype(int)
    scan = views.reference(random, face, HEIGHT, None)
    photo = views.reference(random, face, HEIGHT, views.camera_of(random))
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
    faces = examples.faces_of(laid)
    place = next(examples.seen(random, laid, faces)).place
    rows = HEIGHT * comparison.COMPARISON_WIDTH // detail.DETAIL_WIDTH // comparison.COMPARISON_CELL
    assert place.shown.shape == (rows, examples.COLUMNS)
    made = examples.example(place, faces, 1, False, laid.truths[0], laid.repeated)
    for n, face in enumerate(faces):
        own = comparison.features_of(place, face, 1)
        assert np.allclose(made.maps[n, :, :rows], own.maps, rtol=2e-3, atol=1e-3)
        assert not made.maps[n, :, rows:].any()
        assert np.array_equal(made.summary[n], own.summary)
    assert np.allclose(made.visible[:rows], place.shown, atol=1e-3)
    assert not made.visible[rows:].any()


def test_an_example_in_detail_has_the_likeliest_candidates_and_its_truth_is_that_of_the_view():
    random = np.random.default_rng(2)
    laid = examples.table(random, two_decks()[:1], HEIGHT, detail_examples.SHARES)
    found = list(detail_examples.compared(np.random.default_rng(0), laid))
    assert 0 < len(found) <= len(laid.truths)
    rows = HEIGHT // detail.DETAIL_CELL
    for one in found:
        odds = one.summary[:, -4]
        assert list(odds) == sorted(odds, reverse=True)
        assert len(set(one.summary[:, -3])) == 1
        assert one.summary[0, -3] in np.float32(detail.DETAIL_BLURS_PX)
        assert one.maps[:, :, :rows].any()
        assert not one.maps[:, :, rows:].any()
        assert not one.visible[rows:].any()


def test_maps_in_detail_are_roots_as_bytes():
    random = np.random.default_rng(2)
    laid = examples.table(random, two_decks()[:1], HEIGHT, detail_examples.SHARES)
    faces = examples.faces_of(laid)
    seen = next(examples.seen(random, laid, faces))
    shown = upright.planes_of(seen.view.patch, seen.view.visible)
    place = detail.detailed_place(shown, seen.place.shown)
    face = detail.face_of(upright.planes_of(laid.references[0]), [upright.planes_of(laid.references[1])])
    features = comparison.features_of(seen.place, faces[0], 1)
    hue = ink.HueShift(0.1, 0.4, False)
    one = detail_examples.example(place, [face], [FaceComparison(features, 0.5, hue)], 0)
    blur_px = detail.best_blur_px(place, face, features.alignment)
    own = np.minimum(detail.maps_of(place, face, blur_px, features.alignment), detail.MAX_MAP_VALUE)
    assert np.allclose(network.roots_of(one.maps)[0, :, : len(own[0])], np.sqrt(own), atol=0.51 / detail.MAP_BYTE_SCALE)
    assert list(one.summary[0]) == [*features.summary, *np.array([0.5, blur_px, 0.1, 0.4 - 0.1], np.float32)]
    assert list(one.repeated) == [False, True, True]


def test_examples_repeat_and_show_enrolled_cards_and_strangers(few, name):
    again = made(name)
    assert np.array_equal(few.maps, again.maps)
    assert np.array_equal(few.truth, again.truth)
    none = few.maps.shape[1]
    assert (few.truth == none).any()
    assert (few.truth < none).any()


def test_a_tenth_or_less_of_the_styles_is_checked_and_none_of_these_is_fitted_on():
    assert [seed for seed in range(84) if train.is_checked(seed, 84)] == list(range(78, 84))
    assert [seed for seed in range(2) if train.is_checked(seed, 2)] == [1]


def test_kept_examples_are_not_made_again(tmp_path, monkeypatch):
    recipe = train.RECIPES["comparison"]
    monkeypatch.setattr(train, "pool", lambda *_: two_decks())
    first = train.collected(recipe, tmp_path, "fitted", 3, 12)
    assert len(list(tmp_path.iterdir())) == 2
    assert len(first.truth) == 12
    monkeypatch.setattr(train, "pool", None)
    assert np.array_equal(train.collected(recipe, tmp_path, "fitted", 3, 12).maps, first.maps)


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


def weighed(weights, few, example, candidate):
    """The log-odds that the eye's own network gives with these weights."""
    maps = network.roots_of(few.maps[example, candidate]) ** 2
    return eyes_network.logit(weights, maps, few.summary[example, candidate], few.visible[example].astype(np.float32))


def test_the_weights_have_the_names_that_the_eye_reads(few, name):
    weights = Recording(network.initial(np.random.default_rng(0), few, train.RECIPES[name].layers))
    assert np.isfinite(weighed(weights, few, 0, 0))
    assert weights.read == set(weights)


def test_the_kept_weights_are_of_this_network(few, name):
    recipe = train.RECIPES[name]
    weights = network.initial(np.random.default_rng(0), few, recipe.layers)
    with np.load(recipe.weights) as kept:
        assert {name: kept[name].shape for name in kept} == {name: value.shape for name, value in weights.items()}


def test_weights_that_go_on_know_nothing_of_new_numbers(few, name):
    layers = train.RECIPES[name].layers
    new = network.initial(np.random.default_rng(0), few, layers)
    old = {**new, **{key: new[key][:-1] for key in ("summary.mean", "summary.scale")}}
    old["pooled.weight"] = new["pooled.weight"][:, :-1]
    again = network.gone_on_with(old, new)
    assert {key: value.shape for key, value in again.items()} == {key: value.shape for key, value in new.items()}
    maps, visible = few.maps[0, 0].astype(np.float32), few.visible[0].astype(np.float32)
    summary = few.summary[0, 0]
    known = eyes_network.logit(old, maps, summary[:-1], visible)
    assert eyes_network.logit(again, maps, summary, visible) == pytest.approx(known, abs=1e-4)


def test_without_torch_the_script_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SystemExit, match="pip install torch"):
        network.torch_module()


def test_trained_weights_give_the_same_log_odds_in_numpy_as_in_torch(few, name):
    torch = pytest.importorskip("torch", reason="torch isn't installed; only training needs it (pip install torch)")
    layers = train.RECIPES[name].layers
    weights = network.fit(few, few, epochs=3, layers=layers)
    start = network.initial(np.random.default_rng(0), few, layers)
    assert not np.array_equal(weights["first.weight"], start["first.weight"])
    net = {name: torch.from_numpy(value) for name, value in weights.items()}
    told = network.scores(torch, net, few, np.arange(len(few.truth))).numpy()
    for example in range(len(few.truth)):
        for candidate in np.flatnonzero(~few.repeated[example]):
            own = weighed(weights, few, example, candidate)
            assert own == pytest.approx(told[example, candidate], abs=1e-3)
