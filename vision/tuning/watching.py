"""What several pictures tell together: of a name, of a card that isn't read any more, and of the lens."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from vision.tuning.basis import Basis


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


EVIDENCE = EvidenceTuning()
PRESENCE = PresenceTuning()
FOCUS = FocusTuning()
