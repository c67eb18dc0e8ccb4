"""How a card that was found gets its name: which faces are compared, in what, and how sure a name must be."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from vision.tuning.basis import Basis


class ColourTuning(Struct, frozen=True):
    """How colours are compared (`vision/colours.py`)."""

    samples_per_cell_side: Annotated[
        int, Basis("samples across a cell", "thin lines of ink are lost in the mean of a whole cell")
    ] = 3
    black_offset: Annotated[float, Basis("of white, in linear light", "noise in what is black has no colour then")] = (
        0.0006
    )
    paper_warmth_range: Annotated[
        tuple[float, float],
        Basis(
            "log of red over blue", "white paper from a blue sky to a candle; yellow ink is beyond", "generated: warm"
        ),
    ] = (-0.9, 2.2)
    max_paper_greenness: Annotated[float, Basis("log of green over the others", "lamps are hardly green; ink is")] = (
        0.35
    )
    min_paper_brightness: Annotated[float, Basis("of the brightest", "paper in a soft shade is brighter")] = 0.35
    min_paper_share: Annotated[float, Basis("share of the card", "less is pale ink, a reflection or a highlight")] = (
        0.25
    )
    noise_lab: Annotated[
        float,
        Basis("hundreds of CIELAB units", "what is left of a true card's colours after the likeliest change"),
    ] = 0.12
    outlier_noise_squares: Annotated[
        float, Basis("squared noise", "beyond, a sample tells of a reflection, not of the lamp")
    ] = 6.0
    correlated_samples: Annotated[float, Basis("samples", "so many neighbours err together: they count as one")] = 36.0
    pale_chroma_sum: Annotated[float, Basis("squared chroma over all samples", "less ink tells no hue")] = 0.3
    max_rounds: Annotated[int, Basis("rounds", "the estimate of lamp and camera hardly moves after two", "speed")] = 2
    transform_spread: Annotated[
        tuple[tuple[float, float, float], ...],
        Basis(
            "spread of the linear map of CIELAB; rows: L, a, b, constant",
            "phones and webcams beside each other, lamps after white balance",
            "photos: number cards",
        ),
    ] = ((0.15, 0.08, 0.12), (0.10, 0.30, 0.20), (0.10, 0.20, 0.30), (0.06, 0.02, 0.02))


class IdentityTuning(Struct, frozen=True):
    """Which faces are compared, and how (`vision/identity.py`)."""

    max_rounds: Annotated[
        int, Basis("rounds", "a face that beats the leader is scored once more as the leader", "speed")
    ] = 4
    shift_reach_px: Annotated[
        int, Basis("template pixels", "reference photos are cut within 2 % of one another", "photos: number cards")
    ] = 3
    same_pose_px: Annotated[
        float, Basis("template pixels", "poses nearer than this have the same colours and agreement", "speed")
    ] = 0.7
    deformation_reach_px: Annotated[int, Basis("coarse pixels", "prints lie askew on their card by up to 4 %")] = 2
    agreement_spread: Annotated[
        float, Basis("of an agreement of 1", "how far a true cell's agreement lies below it")
    ] = 0.1
    candidate_colour_weight: Annotated[
        float, Basis("of the drawing's weight", "colour and drawing then propose about equally many candidates")
    ] = 0.5
    max_candidate_gap: Annotated[float, Basis("likeness", "no true face was behind by more")] = 0.35
    max_exact_gap: Annotated[
        float, Basis("likeness", "rivals are behind by less where the leader agrees all over", "speed")
    ] = 0.12
    min_own_colour_similarity: Annotated[
        float, Basis("likeness", "a face with its own colours, as they are, has more", "speed")
    ] = 0.85
    max_candidates: Annotated[int, Basis("faces", "the true face is among the best so many", "speed")] = 6
    min_colour_gain_nats: Annotated[float, Basis("nats", "a face with such better colours may only lie askew")] = 3.0
    max_own_poses: Annotated[int, Basis("faces", "each costs as much as all others together", "speed")] = 2
    evidence_saturation_nats: Annotated[
        float, Basis("nats", "cells err together: beyond, more of the same evidence adds little")
    ] = 5.0
    blank_cell_weight: Annotated[
        float, Basis("of a drawn cell", "a drawing where a face is blank speaks against it")
    ] = 0.25
    max_relatives: Annotated[int, Basis("faces", "what is a face's own is told by the faces most like it")] = 4
    min_symmetry_agreement: Annotated[
        float, Basis("agreement", "a face that agrees so well with itself half-turned has no way up")
    ] = 0.75
    max_symmetry_cells: Annotated[
        float, Basis("cells", "one pip the other way round differs by more, light and grain by less", "turned wrong")
    ] = 1.5
    unrivalled_lead_nats: Annotated[float, Basis("nats", "the lead of a face without any rival")] = 40.0


class ComparisonTuning(Struct, frozen=True):
    """Which faces a place is compared with by the network, and what its word weighs (`vision/posterior.py`)."""

    paper_sample_step_px: Annotated[
        int, Basis("pixels", "every third pixel each way tells the paper's colour", "speed")
    ] = 3
    min_paper_samples: Annotated[int, Basis("samples", "less of a card may show no paper", "generated: rows")] = 30
    max_faces: Annotated[int, Basis("faces", "the true face, or a relative of it, is among so many", "speed")] = 6
    max_nearest_faces: Annotated[int, Basis("faces", "those most like a face are its near-twins")] = 8
    max_distance_ratio: Annotated[
        float, Basis("times the least unlike", "a face that is more unlike isn't the true one", "speed")
    ] = 1.8
    enrolled_prior_nats: Annotated[
        float, Basis("nats", "of cards on a table one in three may be a stranger; in training two in five were")
    ] = 0.3
    min_agreeing_log_odds_nats: Annotated[
        float,
        Basis("nats", "below, the network is against a name that the likelihood has", "photos: playmat"),
    ] = -5.0
    min_painting_distance: Annotated[
        float, Basis("of what is drawn", "symbol and number cards differ by less from their nearest, paintings by more")
    ] = 0.4
    min_painting_share: Annotated[
        float, Basis("share of the deck", "half of a symbol deck may be enrolled, and its near-twins not")
    ] = 0.55
    min_drawn_share: Annotated[
        float, Basis("share of the card", "of symbol cards half is bare paper, of paintings nothing")
    ] = 0.55
    min_painted_faces: Annotated[
        float, Basis("share of the deck", "a tarot deck may have a plain card or two", "families")
    ] = 0.9
    max_camera_cards: Annotated[
        int, Basis("cards", "more cards don't improve the estimate of lamp and camera", "speed")
    ] = 12
    max_chroma_error: Annotated[
        float, Basis("share of its ink", "one right name in twenty has more, once the others tell the camera", "speed")
    ] = 0.45


class InkTuning(Struct, frozen=True):
    """When a place shows another ink of the deck than a face has (`vision/ink.py`)."""

    max_paper_chroma: Annotated[float, Basis("hundreds of CIELAB units", "paper has less chroma, ink more")] = 0.05
    min_paper_cells: Annotated[int, Basis("cells", "the median of so many is the paper's own tint")] = 10
    min_single_hue_share: Annotated[
        float, Basis("share of the chroma", "faces in one ink have nearly all of it in one hue")
    ] = 0.9
    chroma_noise: Annotated[
        float, Basis("hundreds of CIELAB units", "what noise makes of all cells of a face together")
    ] = 0.08
    max_hue_shift_degrees: Annotated[
        float, Basis("degrees", "right names are turned by less, or towards no ink of the deck")
    ] = 25.0
    same_ink_degrees: Annotated[
        float, Basis("degrees", "faces in one ink, each photographed by itself, differ by less")
    ] = 15.0
    other_ink_ratio: Annotated[float, Basis("of the turn", "strangers in another ink of the deck have its hue")] = 0.5
    min_faces_of_ink: Annotated[int, Basis("faces", "a single face may have been photographed by another lamp")] = 3
    other_ink_penalty_nats: Annotated[float, Basis("nats", "more than the network ever has for a wrong ink")] = 12.0


class DetailTuning(Struct, frozen=True):
    """How cards that have near-twins are named (`vision/detail.py`)."""

    max_faces: Annotated[int, Basis("faces", "the true one is among the comparison's likeliest", "speed")] = 3
    max_gap_nats: Annotated[float, Basis("nats", "of 161 winners none was behind by more than 1.5 before", "speed")] = (
        4.0
    )
    shift_steps: Annotated[int, Basis("steps of Gauss-Newton", "the detail network was trained with so many")] = 3
    max_shift_px: Annotated[float, Basis("pixels", "in another printing parts of a card lie a little elsewhere")] = 2.0
    shift_cell_px: Annotated[int, Basis("pixels", "a part for which a shift is estimated; trained with it")] = 8
    shift_reach_cells: Annotated[float, Basis("cells", "a part shifts much as those around it; trained with it")] = 1.0
    shift_damping: Annotated[float, Basis("squared gradient of lightness", "blank parts stay where they are")] = 1e-4
    shift_outlier: Annotated[float, Basis("of white", "lightness that differs by more is no shift")] = 0.3
    likelihood_bonus_nats: Annotated[
        float, Basis("nats", "a webcam far from the references' camera costs the network as many", "photos")
    ] = 2.9
    max_probability_by_likelihood: Annotated[
        float, Basis("probability", "names by the likelihood's word are no surer, and tell nothing of lamp and camera")
    ] = 0.95


class NamingTuning(Struct, frozen=True):
    """From when on a name is given (`vision/posterior.py`, `vision/confidence.py`)."""

    min_probability: Annotated[float, Basis("probability", "strangers that share a design lie below")] = 0.65
    min_network_probability: Annotated[float, Basis("probability", "a card that the network is surer of is named")] = (
        0.85
    )
    min_kept_probability: Annotated[
        float, Basis("probability", "a named card by candle light keeps it once others tell the camera", "generated")
    ] = 0.75
    sure_probability: Annotated[
        float, Basis("probability", "such names tell of lamp and camera, and need no more frames", "clips")
    ] = 0.98
    min_lead_nats: Annotated[float, Basis("nats", "of names with a smaller lead a tenth was wrong")] = 3.2
    min_turn_lead_nats: Annotated[float, Basis("nats", "four to one against itself half-turned", "turned wrong")] = 1.5
    exact_agreement: Annotated[float, Basis("agreement", "a pose that agrees more is right to a pixel")] = 0.88
    whole_share: Annotated[float, Basis("share of the cells", "what a finger or a reflection leaves of a card")] = 0.8
    min_uncovered_share: Annotated[
        float, Basis("share of the card", "what shows less has no number; covers are taken for larger than they are")
    ] = 0.15
    piece_share: Annotated[
        float, Basis("share of the cells", "what shows less is a piece of a card", "generated: rows")
    ] = 0.5
    min_drawn_cells: Annotated[
        float, Basis("drawn cells", "a smaller sliver of a card says too little", "generated: rows")
    ] = 8.0
    min_drawn_share: Annotated[float, Basis("of what is drawn", "a card with one pip has few drawn cells")] = 0.6
    min_agreement: Annotated[float, Basis("agreement", "unrelated pictures agree by 0.3", "speed")] = 0.45
    min_piece_drawn_cells: Annotated[
        float, Basis("drawn cells", "a piece may be another card's", "generated: rows")
    ] = 12.0
    min_piece_rim_ratio: Annotated[
        float, Basis("cells at the edge for a piece's side length", "covers come from a side", "generated: strangers")
    ] = 1.0
    max_hue_shift_radians: Annotated[
        float, Basis("radians", "two cameras may turn a hue by so much, as olive to teal", "photos: number cards")
    ] = 0.5
    saturated_lead_nats: Annotated[float, Basis("nats", "a larger lead is no surer")] = 20.0
    min_cover_lead_nats: Annotated[
        float, Basis("nats", "a doubtful card's lead from which on it may hide others", "generated: rows")
    ] = 6.0
    min_asked_probability: Annotated[
        float, Basis("probability", "a less likely name isn't worth a question", "soak")
    ] = 0.15
    max_offered_names: Annotated[int, Basis("names", "a person chooses among few", "soak")] = 3


COLOUR = ColourTuning()
IDENTITY = IdentityTuning()
COMPARISON = ComparisonTuning()
INK = InkTuning()
DETAIL = DetailTuning()
NAMING = NamingTuning()
