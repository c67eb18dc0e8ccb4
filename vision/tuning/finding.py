"""How cards are found: outlines, keypoints, votes for poses, and what of a face agrees at a pose."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from vision.tuning.basis import Basis


class CardTuning(Struct, frozen=True):
    """How cards lie and look under a camera; several stages ask for these."""

    min_width_px: Annotated[
        float, Basis("pixels", "a narrower card has too few features for a name", "generated: small")
    ] = 45.0
    majority_share: Annotated[
        float,
        Basis(
            "share of a card",
            "a card of which more than this agrees, or is covered, is taken to do so wholly",
            "generated: rows",
        ),
    ] = 0.6
    same_card_overlap: Annotated[
        float, Basis("common area, of the smaller", "two outlines of one card, one badly seen, share more", "generated")
    ] = 0.8
    same_place_overlap: Annotated[
        float, Basis("common area, of the smaller", "a name and an outline of one card share more", "generated: fans")
    ] = 0.5
    min_spacing_widths: Annotated[
        float,
        Basis("card widths", "the middles of two cards are farther apart; sleeves are wider all around", "generated"),
    ] = 0.15
    max_aspect_ratio: Annotated[
        float,
        Basis("height over width, against the card's own", "a view at 60 degrees doubles it", "generated: slanted"),
    ] = 2.3
    frontal_aspect_ratio: Annotated[
        float,
        Basis("height over width, against the card's own", "a view at 30 degrees changes it by as much", "generated"),
    ] = 1.15
    max_width_ratio: Annotated[
        float,
        Basis("times as wide", "the nearest card beside the farthest, in a view from the side", "generated: slanted"),
    ] = 1.8
    min_cards_for_size: Annotated[
        int, Basis("cards", "cards are of one size, which so many tell", "generated: strangers")
    ] = 3


class ReferenceTuning(Struct, frozen=True):
    """How enrolled faces are kept (`vision/learning.py`)."""

    feature_width_px: Annotated[
        int, Basis("pixels", "its features cover cards seen 60 to 800 pixels wide", "generated: small")
    ] = 200
    max_features: Annotated[int, Basis("features of a face", "with more, cards aren't found more often", "speed")] = 320
    coarse_width_px: Annotated[
        int, Basis("pixels across", "a pose within 8 % of the width is drawn to the true one", "speed")
    ] = 48
    fine_width_px: Annotated[int, Basis("pixels across", "cards are 100 pixels wide and more", "generated: small")] = 96
    fine_blur_px: Annotated[
        float, Basis("pixels of the fine one", "a sharper reference disagrees along every line", "generated")
    ] = 0.8
    soft_blur_px: Annotated[
        float, Basis("pixels of the fine one", "a lens turned a little too far", "generated: soft")
    ] = 1.7


class OutlineTuning(Struct, frozen=True):
    """Which outlines are a card's (`vision/quads.py`)."""

    edge_search_widths: Annotated[
        float, Basis("card widths", "a rough outline's sides are that near the true ones", "photos: playmat")
    ] = 0.04
    round_corner_share: Annotated[float, Basis("of a side", "a card's round corners end there", "photos: playmat")] = (
        0.12
    )
    min_edge_share: Annotated[
        float, Basis("of the strongest edge", "a card's own edge is half as strong", "generated")
    ] = 0.5
    min_edge_contrast: Annotated[
        float, Basis("times the change outside", "shading changes a table alike all over", "generated: dim")
    ] = 1.5
    max_hull_ratio: Annotated[
        float, Basis("hull's area over the corners'", "round corners give 1.04 to 1.08", "photos: playmat")
    ] = 1.1
    min_area_share: Annotated[
        float, Basis("of the narrowest card's area", "a card seen at a slant has more", "generated")
    ] = 0.6
    max_taper: Annotated[
        float,
        Basis("the wider end over the narrower", "a view from the side tapers a card by less", "generated: slanted"),
    ] = 1.6
    min_side_share: Annotated[
        float, Basis("of the narrowest card's width", "a row's cards may be so much narrower at a slant", "families")
    ] = 0.9
    repeat_overlap: Annotated[
        float, Basis("share in common", "outlines with more in common are of one card at one place", "families")
    ] = 0.9
    min_other_size: Annotated[
        float, Basis("times the area", "what is smaller is drawn on a card, not another one", "families")
    ] = 0.8
    max_other_size: Annotated[
        float, Basis("times the area", "what is larger is several cards together", "families")
    ] = 1.25
    min_hull_fill: Annotated[
        float, Basis("of its hull's area", "a tangle of edges fills less of its hull", "generated")
    ] = 0.85
    corner_tolerances_px: Annotated[
        tuple[float, ...], Basis("pixels", "round corners cut off so much of a contour at half the size", "families")
    ] = (2.5, 5.0)
    max_corner_cosine: Annotated[
        float, Basis("cosine", "a view at 30 degrees bends a right angle by less", "families")
    ] = 0.3
    min_end_share: Annotated[
        float, Basis("of a side", "so much shows of the sides beside the whole one of a row's last card", "families")
    ] = 0.2
    min_row_cards: Annotated[float, Basis("cards", "two cards that overlap cover more", "families")] = 1.25
    max_row_cards: Annotated[float, Basis("cards", "a contour around more is the table's pattern", "families")] = 15.0
    min_table_deviations: Annotated[
        float, Basis("times the table's usual", "most of a table is nearer its own colour", "generated")
    ] = 3.0
    max_shading_share: Annotated[
        float, Basis("of the brightness", "lamps and lenses shade a plain table by less", "generated: dim")
    ] = 0.15
    min_likeness: Annotated[
        float, Basis("likeness", "unrelated faces reach 0.2 to 0.37, the true one 0.5 to 0.75", "generated: isolated")
    ] = 0.3
    sure_likeness: Annotated[float, Basis("likeness", "other faces stay below 0.37", "speed")] = 0.5
    min_likeness_lead: Annotated[
        float, Basis("likeness", "the next best of a true face is farther behind", "speed")
    ] = 0.1


class OcclusionTuning(Struct, frozen=True):
    """Where cards may lie under others (`vision/occlusion.py`, `vision/pipeline/covered.py`)."""

    size_change_trust: Annotated[
        float, Basis("of that in its size", "a card is so wide that a pixel changes its slant more", "families")
    ] = 0.3
    max_tilt_degrees: Annotated[
        float, Basis("degrees", "cards of a row or a fan are turned against the next by less", "generated: fans")
    ] = 15.0
    tilts: Annotated[int, Basis("tilts", "from -15 to 15 degrees they are 3 degrees apart", "generated: fans")] = 11
    step_range: Annotated[
        tuple[float, float], Basis("of the card across", "how far the far side lies beyond the card", "generated: rows")
    ] = (0.12, 0.92)
    max_offset_share: Annotated[
        float, Basis("of the card along", "cards of a fan are out of line by less", "generated: fans")
    ] = 0.35
    corner_share: Annotated[float, Basis("of a side", "a card's round corners end there", "families")] = 0.08
    min_shown_share: Annotated[float, Basis("of a side", "so much of the far side shows", "generated: fans")] = 0.7
    cover_margin: Annotated[
        float, Basis("times the card", "edge and shadow of the card on top lie within", "families")
    ] = 1.04
    min_across_ratio: Annotated[
        float, Basis("times the change along", "an edge changes across it, and little along it", "families")
    ] = 0.6
    neighbour_weight: Annotated[float, Basis("of an edge", "a tilted edge is off by a cell at some places")] = 0.9
    min_meeting_share: Annotated[
        float, Basis("of a side", "where less shows of a side that meets the far one, it says nothing")
    ] = 0.1
    min_grain: Annotated[float, Basis("grey values", "the sensor's noise changes as much", "generated: dim")] = 3.0
    plain_contrast: Annotated[
        float, Basis("times the usual change", "a card's plain edge changes more", "families")
    ] = 5.0
    max_sides: Annotated[int, Basis("sides", "the true one is among so many on each side of a card", "speed")] = 4
    min_edge: Annotated[float, Basis("edge, 0 to 1", "of true places one in twenty has less", "families")] = 0.45
    min_edge_ratio: Annotated[
        float, Basis("of the plainest", "a card's own side is as plain; what lies farther off is under it", "families")
    ] = 0.8
    same_step_share: Annotated[
        float, Basis("of the card across", "a frame lies within a card's side by less", "families")
    ] = 0.13
    min_straight_cosine: Annotated[float, Basis("cosine", "a fan bends by less from card to card", "families")] = 0.7
    min_agreement: Annotated[
        float, Basis("agreement", "of true places one in twenty has less, of false ones two in three", "families")
    ] = 0.7
    min_probability: Annotated[
        float, Basis("probability", "of names with less, one in twenty was wrong", "families")
    ] = 0.95
    max_places: Annotated[int, Basis("places", "a table of thirty cards has fewer", "speed")] = 40


class RowTuning(Struct, frozen=True):
    """Rows and fans as a whole (`vision/row_fit.py`, `vision/pipeline/whole_rows.py`)."""

    max_steps: Annotated[int, Basis("cards", "a row or a fan that is laid by hand has fewer under its top card")] = 9
    max_turn_degrees: Annotated[float, Basis("degrees", "a fan turns by less from card to card", "generated: fans")] = (
        22.0
    )
    max_size_ratio: Annotated[
        float, Basis("times as wide", "the outlines of two cards of one size, as seen from above, differ by less")
    ] = 1.2
    min_agreement: Annotated[
        float, Basis("edge and likeness, 0 to 2", "where no cards lie edges and some face agree as much by chance")
    ] = 0.6
    max_first_steps: Annotated[
        int, Basis("places", "the true second card of a row is among the likeliest so many", "speed")
    ] = 4
    plain_agreement: Annotated[
        float, Basis("edge and likeness, 0 to 2", "with both ends known, one true row in four has less", "speed")
    ] = 1.0
    max_shared: Annotated[
        float, Basis("common area, of a card", "rows lie beside each other; cards of a grid touch", "speed")
    ] = 0.2
    max_beyond_hull: Annotated[
        float, Basis("card widths", "cards reach so far beyond their contour's hull, as its corners are cut off")
    ] = 0.15
    min_agreement_ratio: Annotated[
        float, Basis("of the best row's", "a row of which the first cards agree so little isn't followed", "speed")
    ] = 0.75
    motion_cost: Annotated[
        float, Basis("edge, 0 to 1", "of equally plain places nearby, the nearest to the row's own step")
    ] = 0.004


class FeatureTuning(Struct, frozen=True):
    """Where a picture has keypoints (`vision/features.py`, `vision/pipeline/keypoints.py`)."""

    layers_per_octave: Annotated[
        int, Basis("in an octave", "half-octave steps stay within what a descriptor bears", "speed")
    ] = 2
    first_blur_px: Annotated[float, Basis("pixels", "finer detail is the sensor's noise", "speed")] = 1.2
    camera_blur_px: Annotated[float, Basis("pixels", "a sharp picture's own (Lowe)", "generated: small")] = 0.5
    min_contrast_share: Annotated[
        float,
        Basis("of the picture's contrast", "grain of table and sensor lies below, in any light", "generated: dim"),
    ] = 0.05
    max_curvature_ratio: Annotated[
        float, Basis("ratio of curvatures", "beyond, an extremum slides along an edge (Lowe)", "speed")
    ] = 10.0
    max_keypoints: Annotated[int, Basis("keypoints", "a table of thirty cards has no more that tell", "speed")] = 3000
    grid_parts: Annotated[
        int,
        Basis("each way", "each part of a picture has its fair share: a dim corner has cards too", "generated: dim"),
    ] = 12
    tile_px: Annotated[int, Basis("pixels", "a small card fills one", "generated: small")] = 96
    min_tile_keypoints: Annotated[int, Basis("keypoints in a tile", "a plain table leaves fewer", "speed")] = 3
    grain_quantile: Annotated[
        float, Basis("share", "of keypoints on known cards so many are as faint as the table's grain", "speed")
    ] = 0.02
    edge_margin_sizes: Annotated[
        float, Basis("keypoint sizes", "nearer to a whole card, a keypoint describes its edge", "speed")
    ] = 2.0
    min_halved_width_px: Annotated[
        float, Basis("pixels, a card's width", "narrower cards aren't read at half the resolution", "generated: small")
    ] = 100.0


class VoteTuning(Struct, frozen=True):
    """Which poses keypoints vote for (`vision/matching.py`, `vision/rows.py`, `vision/slant.py`)."""

    descriptor_dimensions: Annotated[
        int, Basis("dimensions", "principal components; they hold nearly all of the descriptors' variance", "speed")
    ] = 48
    probed_words: Annotated[int, Basis("words", "a true match is in one of the two nearest", "speed")] = 2
    max_neighbours: Annotated[
        int, Basis("matches", "near-twins and pips share a descriptor", "generated: marseille")
    ] = 4
    max_spot_repeats: Annotated[
        int, Basis("times", "a spot seen more often is the pattern of a table cloth", "photos: playmat")
    ] = 8
    min_cosine: Annotated[
        float,
        Basis(
            "cosine",
            "of another printing one true match in twenty is below, of false ones nine in ten",
            "generated: other printing",
        ),
    ] = 0.6
    max_cosine_gap: Annotated[float, Basis("cosine", "a match so far behind the best is false", "speed")] = 0.15
    angle_bins: Annotated[int, Basis("bins in a turn", "angles of a keypoint err by 11 degrees", "speed")] = 16
    position_bin_widths: Annotated[float, Basis("card widths", "middles by single votes err by as much", "speed")] = 0.3
    inlier_widths: Annotated[
        float, Basis("card widths", "a view at 45 degrees bends a card by as much", "generated: slanted")
    ] = 0.1
    min_votes: Annotated[float, Basis("votes", "two good votes, or three fair ones", "generated: small")] = 1.4
    max_bins: Annotated[int, Basis("bins", "the fullest bins hold every card", "speed")] = 1500
    min_single_weight: Annotated[
        float, Basis("a vote's weight", "nearly as alike as the same spot seen twice", "generated: rows")
    ] = 0.7
    max_row_tilt_sine: Annotated[
        float, Basis("sine of the angle", "cards of a hand-laid row differ by less than 20 degrees", "generated: rows")
    ] = 0.35
    max_row_scale_ratio: Annotated[
        float, Basis("times as large", "two cards of a row differ by less", "generated: rows")
    ] = 1.3
    max_row_offset_widths: Annotated[
        float, Basis("card widths", "cards of a hand-laid row are out of line by less", "generated: rows")
    ] = 0.06
    min_rectified_stretch: Annotated[
        float,
        Basis(
            "times as tall as wide",
            "a view at 40 degrees; below, keypoints match without rectifying",
            "generated: slanted",
        ),
    ] = 1.3
    default_stretch: Annotated[
        float,
        Basis("times as tall as wide", "a view at 50 degrees, assumed where no card was found", "generated: slanted"),
    ] = 1.55


class CellTuning(Struct, frozen=True):
    """How a place is compared with a face, cell by cell (`vision/cells.py`)."""

    grain_contrast: Annotated[
        float, Basis("contrast, of the local brightness", "paper and sensor have as much", "generated: dim")
    ] = 0.03
    texture_contrast: Annotated[
        float, Basis("contrast, of the local brightness", "a clearly drawn line has more", "generated")
    ] = 0.12
    white_level: Annotated[
        float, Basis("of full scale", "a sensor's brightest, less what JPEG and noise take", "generated: glare")
    ] = 0.97
    dark_offset: Annotated[
        float, Basis("of full scale", "added to the local brightness that pixels are divided by", "generated: dim")
    ] = 0.02
    plain_share: Annotated[
        float, Basis("share of a picture", "the plainest fifth shows the camera's noise", "generated: dim")
    ] = 0.2
    max_noise: Annotated[
        float,
        Basis(
            "of the brightness",
            "more isn't told from what is drawn; half as much again is smoothed first",
            "generated: dim",
        ),
    ] = 0.04
    min_piece_cells: Annotated[int, Basis("cells", "fewer cells agree by chance", "generated: fans")] = 4
    max_gap_cells: Annotated[
        int, Basis("cells", "gaps this wide between visible cells count as part of the piece", "generated: fans")
    ] = 4
    min_shift_correlation: Annotated[
        float, Basis("correlation", "by chance the best shift of a cell reaches as much", "generated: slanted")
    ] = 0.45


class PoseTuning(Struct, frozen=True):
    """How a pose is refined, and what of a face is visible there (`vision/fitting.py`, `vision/pipeline/poses.py`)."""

    min_visible_agreement: Annotated[
        float,
        Basis(
            "agreement",
            "unrelated pictures reach 0.3 in one of twenty places, another printing 0.5",
            "generated: other printing",
        ),
    ] = 0.42
    max_disagreement: Annotated[
        float, Basis("lack of agreement", "a print askew on its card lacks less, another in the same frame more")
    ] = 0.25
    max_disagreement_ratio: Annotated[
        float,
        Basis(
            "times the best quarter's lack of agreement",
            "where a card agrees wholly, what lacks more is another in the same frame",
            "generated: rows",
        ),
    ] = 10.0
    max_smudge_share: Annotated[
        float, Basis("share of the cells", "fewer cells that agree less are a smudge", "generated: hands")
    ] = 0.15
    good_agreement: Annotated[float, Basis("agreement", "a better pose is hardly to be had", "speed")] = 0.92
    good_covered_agreement: Annotated[
        float,
        Basis(
            "agreement", "a small piece of a near-twin agrees well at poses that are wrong elsewhere", "generated: rows"
        ),
    ] = 0.97
    max_refinements: Annotated[int, Basis("steps", "a pose hardly moves after five steps", "speed")] = 5
    min_agreement_gain: Annotated[
        float, Basis("agreement", "a better pose gains more, and a soft picture with soft faces", "generated: soft")
    ] = 0.03
    max_covered_share: Annotated[
        float, Basis("share of a card", "covered by more, it tells no perspective", "generated: rows")
    ] = 0.2
    min_drawn_texture: Annotated[
        float, Basis("texture", "a cell with more has something drawn in it", "generated: glare")
    ] = 0.3
    max_dark_share: Annotated[
        float, Basis("of the lightest", "white ink on dark paper is no reflection", "families")
    ] = 0.5
    same_pose_widths: Annotated[
        float, Basis("card widths", "poses nearer than this settle on the same one", "speed")
    ] = 0.02
    piece_growth_spread: Annotated[
        float, Basis("share of the size", "sides that show tell the size of a card under others that well", "families")
    ] = 0.03
    piece_turn_spread: Annotated[
        float, Basis("radians", "sides that show tell the turn of a card under others that well", "families")
    ] = 0.03
    min_ornament_turn_degrees: Annotated[
        float, Basis("degrees", "a card that is found by its round ornament is turned by more", "generated: marseille")
    ] = 15.0


class SearchTuning(Struct, frozen=True):
    """How long candidates are looked at (`vision/pipeline/search.py`, `vision/recognise.py`)."""

    max_long_side_px: Annotated[
        int, Basis("pixels", "a frame of 1280x960 as it is, a phone's photo shrunk", "speed")
    ] = 1440
    mask_zoom: Annotated[int, Basis("pixels", "a card's edge is known to as many, and no better", "speed")] = 4
    max_candidates: Annotated[
        int, Basis("candidates of one vote", "a table of thirty cards has fewer true ones", "speed")
    ] = 90
    min_close_votes: Annotated[
        int, Basis("votes", "the pose of so many votes is right within 2 % of the card's width", "speed")
    ] = 6
    max_misses: Annotated[int, Basis("candidates", "after so many misses in a row none is right", "speed")] = 8
    max_tries: Annotated[int, Basis("faces", "the true face is among the first so many at a place", "speed")] = 3
    max_row_cards: Annotated[int, Basis("cards", "of longer rows, the rest isn't searched", "generated: rows")] = 12
    min_strip_share: Annotated[
        float,
        Basis("share of a card", "where less of the next card shows, no face is told from another", "generated: rows"),
    ] = 0.2
    min_newly_covered_share: Annotated[
        float,
        Basis("share of a card", "a card is looked at again once more of it is known to be covered", "generated: rows"),
    ] = 0.1
    min_cover_probability: Annotated[
        float, Basis("probability", "doubtful cards this likely may hide each other", "generated: rows")
    ] = 0.15
    max_focus_cards: Annotated[
        int, Basis("cards", "the best so many tell whether the picture is in focus", "generated: soft")
    ] = 6


CARD = CardTuning()
REFERENCE = ReferenceTuning()
OUTLINE = OutlineTuning()
OCCLUSION = OcclusionTuning()
ROW = RowTuning()
FEATURE = FeatureTuning()
VOTE = VoteTuning()
CELL = CellTuning()
POSE = PoseTuning()
SEARCH = SearchTuning()
