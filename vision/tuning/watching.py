"""What several pictures tell together: when to read, what happened, what a name is, what is gone, and of the lens."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from vision.tuning.basis import Basis


class ReadingTuning(Struct, frozen=True):
    """What is read again where a picture has changed (`vision/reading.py`)."""

    max_changed_share: Annotated[
        float,
        Basis("share of the picture", "where more has changed, a full read costs no more than its parts", "speed"),
    ] = 0.4
    min_strip_share: Annotated[
        float, Basis("share of a card", "in a fan, a changed place as large may be one more card", "laying")
    ] = 0.08
    cut_overlap: Annotated[
        float, Basis("share in common", "a card cut by the edge of a part has as much of the whole one", "laying")
    ] = 0.7
    margin_share: Annotated[
        float, Basis("of a card's longer side", "what is read around a doubtful place shows its edges", "clips")
    ] = 0.25
    min_touched_share: Annotated[
        float, Basis("share of a card", "along its edge alone less of it changes", "speed")
    ] = 0.02
    min_explained_share: Annotated[
        float, Basis("share of what changed", "most of it are cards that lie there now", "laying")
    ] = 0.5
    max_named_overlap: Annotated[
        float, Basis("share in common", "a thing without a name in the place of a card is that card", "laying")
    ] = 0.5
    same_card_sides: Annotated[
        float, Basis("of a card's shorter side", "two parts put one card nearer together", "laying")
    ] = 0.3


class TrackingTuning(Struct, frozen=True):
    """When a view of the table counts, and what is told of its cards (`vision/tracking.py`)."""

    max_still_change: Annotated[
        float,
        Basis("share of the picture", "noise between two frames stays far below, movement above", "tests: tracking"),
    ] = 0.003
    agreeing_frames: Annotated[
        int, Basis("frames", "so many still ones in a row agree before a view counts", "tests: tracking")
    ] = 3
    min_arm_share: Annotated[
        float,
        Basis(
            "share of the picture", "what changed at its edge, isn't cards and is larger is an arm", "tests: tracking"
        ),
    ] = 0.015
    arm_still_frames: Annotated[
        int, Basis("frames", "an arm that lies still for as many is a thing left on the table", "tests: tracking")
    ] = 150
    arm_left_frames: Annotated[
        int, Basis("still frames", "after an arm that was in the settled view has left", "tests: tracking")
    ] = 5
    max_left_arm_sharpness: Annotated[
        float,
        Basis(
            "of the outline's sharpness", "nine generated cases: 0.1 to 0.66 once the arm is gone", "tests: tracking"
        ),
    ] = 0.7
    min_move_widths: Annotated[float, Basis("card widths", "a nudge isn't a move", "laying")] = 0.12
    same_card_widths: Annotated[
        float,
        Basis(
            "card widths",
            "a card of the same name nearer is the one that lay there, however its old place looks",
            "laying",
        ),
    ] = 0.5
    other_face_widths: Annotated[
        float, Basis("card widths", "so much farther off counts a card that shows its other side", "laying")
    ] = 0.5
    covered_widths: Annotated[
        float,
        Basis("card widths", "a card that showed may lie so much farther off than an equal one under it", "laying"),
    ] = 0.3
    well_seen_share: Annotated[
        float, Basis("share of a card", "where as much shows, its pose can be trusted", "laying")
    ] = 0.6
    min_hidden_overlap: Annotated[
        float, Basis("share of a card", "from there on a card laid over another hides it", "laying")
    ] = 0.3
    min_turn_degrees: Annotated[float, Basis("degrees", "a card that leans a little isn't turned", "laying")] = 20.0


class EvidenceTuning(Struct, frozen=True):
    """What still frames tell together (`vision/evidence.py`)."""

    repeated_error_share: Annotated[
        float, Basis("share of the error", "between frames of one clip only the sensor's noise differs", "clips")
    ] = 0.95
    max_missing_probability: Annotated[
        float, Basis("probability", "half of the least probability that is reported", "clips")
    ] = 0.07
    min_probability: Annotated[float, Basis("probability", "a single frame never rules a name out", "clips")] = 0.005
    max_frames: Annotated[int, Basis("frames", "more frames are hardly more evidence", "clips")] = 8
    max_places_per_frame: Annotated[int, Basis("places a frame", "each costs a tenth of a full read", "speed")] = 3


class PresenceTuning(Struct, frozen=True):
    """Whether a card is still there that isn't read any more (`vision/presence.py`)."""

    min_uncovered_share: Annotated[
        float, Basis("share of the card", "a card that shows less can't be judged", "laying")
    ] = 0.08
    min_intact_share: Annotated[
        float, Basis("share of what is drawn", "an unseen cover leaves more of a card", "laying")
    ] = 0.12
    min_unchanged_share: Annotated[
        float, Basis("share of drawn pixels", "what shows unchanged, but for noise", "laying")
    ] = 0.85
    window_px: Annotated[int, Basis("pixels of the small picture", "a fifth of a card's width", "laying")] = 7
    min_changed_share: Annotated[float, Basis("share of the place", "noise and shadows stir less", "laying")] = 0.4
    min_correlation: Annotated[
        float, Basis("correlation", "another card or the table has less than half", "laying")
    ] = 0.8
    max_tint_change: Annotated[
        float, Basis("log of a colour's share", "a red card in place of a blue one has more", "laying")
    ] = 0.35


class FocusTuning(Struct, frozen=True):
    """How sharp a picture is (`vision/quality.py`)."""

    measuring_blur_px: Annotated[float, Basis("pixels", "less blur lets the noise through", "tests: lens")] = 1.0
    min_steepness: Annotated[
        float, Basis("grey levels a pixel", "noise and the grain of tables are less steep", "tests: lens")
    ] = 4.0
    min_edges: Annotated[int, Basis("edges", "one card in dim light has more, a bare table fewer", "tests: lens")] = 60
    steepest_share: Annotated[
        float, Basis("of all edges", "the steepest are the camera's, not a soft print's", "tests: lens")
    ] = 0.02
    harmless_blur_px: Annotated[float, Basis("pixels", "blur that costs the recogniser nothing", "generated")] = 0.8
    min_sharpness: Annotated[float, Basis("of 100", "a blur of 1.6 pixels: rows begin to lose names", "laying")] = 50.0
    recovered_sharpness: Annotated[float, Basis("of 100", "a blur of 1.35 pixels", "tests: lens")] = 59.0
    min_sharpness_without_markers: Annotated[
        float, Basis("of 100", "softly printed mats have 48 without any marker", "tests: lens")
    ] = 25.0


READING = ReadingTuning()
TRACKING = TrackingTuning()
EVIDENCE = EvidenceTuning()
PRESENCE = PresenceTuning()
FOCUS = FocusTuning()
