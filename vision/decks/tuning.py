"""The numbers by which the cards of a deck's pictures are found and stood up, kept like those of `vision.tuning`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from vision.tuning.basis import Basis


class SpreadTuning(Struct, frozen=True):
    """How a deck lies in one photo (`vision/decks/spread.py`, `vision/decks/flat.py`)."""

    max_area_ratio: Annotated[
        float, Basis("times the area", "a card in a photo taken from a side, beside another", "tests: laid-out decks")
    ] = 1.7
    max_area_error: Annotated[
        float,
        Basis(
            "times the area", "off from what the sizes of all cards let expect at its place", "tests: laid-out decks"
        ),
    ] = 1.15
    same_card_overlap: Annotated[
        float, Basis("common area, of the smaller", "two outlines of one card share more", "tests: laid-out decks")
    ] = 0.5
    max_cards_across: Annotated[
        int, Basis("card widths", "the photo's shorter side has no more", "tests: laid-out decks")
    ] = 30
    min_undoubled_px: Annotated[
        int,
        Basis(
            "pixels",
            "a photo with a shorter longer side is doubled before outlines are looked for",
            "tests: laid-out decks",
        ),
    ] = 3200
    min_seed_share: Annotated[
        float,
        Basis(
            "of all cards",
            "with fewer outlines a grid of cards isn't told from one of drawings",
            "tests: laid-out decks",
        ),
    ] = 0.5
    min_edge_ratio: Annotated[
        float,
        Basis(
            "of the usual edge",
            "a card beside the others has stronger edges, a drawing's are weaker",
            "tests: laid-out decks",
        ),
    ] = 0.5
    min_spacing_widths: Annotated[
        float, Basis("card widths", "two places that are nearer are one card's", "tests: laid-out decks")
    ] = 0.6
    same_place_widths: Annotated[
        float, Basis("card widths", "two places that are nearer are looked at once", "tests: laid-out decks")
    ] = 0.03
    min_bare_share: Annotated[
        float, Basis("share of a place", "so much of the table's colour is the table", "tests: laid-out decks")
    ] = 0.85
    table_colour_levels: Annotated[
        float, Basis("grey levels", "the table's colour varies as much", "tests: laid-out decks")
    ] = 12.0
    table_colour_deviations: Annotated[
        float, Basis("usual deviations", "a grained table's colour varies as much", "tests: laid-out decks")
    ] = 4.0
    flat_card_width_px: Annotated[
        float,
        Basis("pixels", "a flattened card so wide shows its edge apart from the next card's", "tests: laid-out decks"),
    ] = 120.0
    margin_widths: Annotated[
        float, Basis("card widths", "a row or column that isn't found yet is within", "tests: laid-out decks")
    ] = 6.0
    max_size_ratio: Annotated[
        float,
        Basis(
            "times",
            "a card that looks more times smaller than the usual one isn't on the same table",
            "tests: laid-out decks",
        ),
    ] = 4.0
    max_flat_pixels: Annotated[
        int, Basis("pixels", "a deck of 78 cards takes fewer when flattened", "tests: laid-out decks")
    ] = 12000000
    max_stray_widths: Annotated[
        float, Basis("card widths", "hand-laid cards lie nearer to where they're expected", "tests: laid-out decks")
    ] = 0.07
    max_askew_degrees: Annotated[
        float, Basis("degrees", "hand-laid cards are turned less", "tests: laid-out decks")
    ] = 3.0
    max_corner_error_widths: Annotated[
        float, Basis("card widths", "the corners of a card's outline are nearer to a card's", "tests: laid-out decks")
    ] = 0.03


class WayUpTuning(Struct, frozen=True):
    """When a picture of a deck is turned about (`vision/decks/way_up.py`)."""

    min_agreement: Annotated[
        float, Basis("correlation", "decks whose cards have their parts at the same places agree more", "tests: decks")
    ] = 0.35
    min_agreement_ratio: Annotated[
        float, Basis("of the usual agreement", "a picture turned about agrees with the others as much", "tests: decks")
    ] = 0.85
    min_pictures: Annotated[int, Basis("pictures", "fewer don't tell how a deck is laid out", "tests: decks")] = 16


SPREAD, WAY_UP = SpreadTuning(), WayUpTuning()
