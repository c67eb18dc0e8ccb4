"""The numbers by which the cards of a deck's pictures are found and stood up, kept like those of `vision.tuning`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from vision.tuning import About


class SpreadTuning(Struct, frozen=True):
    """How a deck lies in one photo (`vision/decks/spread.py`, `vision/decks/flat.py`)."""

    alike: Annotated[
        float, About("times the area", "a card in a photo taken from a side, beside another", "tests: laid-out decks")
    ] = 1.7
    sized: Annotated[
        float,
        About(
            "times the area", "off from what the sizes of all cards let expect at its place", "tests: laid-out decks"
        ),
    ] = 1.15
    same: Annotated[
        float, About("common area, of the smaller", "two outlines of one card share more", "tests: laid-out decks")
    ] = 0.5
    across: Annotated[int, About("card widths", "the photo's shorter side has no more", "tests: laid-out decks")] = 30
    doubled: Annotated[
        int,
        About(
            "pixels",
            "a photo with a shorter longer side is doubled before outlines are looked for",
            "tests: laid-out decks",
        ),
    ] = 3200
    seeds: Annotated[
        float,
        About(
            "of all cards",
            "with fewer outlines a grid of cards isn't told from one of drawings",
            "tests: laid-out decks",
        ),
    ] = 0.5
    edged: Annotated[
        float,
        About(
            "of the usual edge",
            "a card beside the others has stronger edges, a drawing's are weaker",
            "tests: laid-out decks",
        ),
    ] = 0.5
    apart: Annotated[
        float, About("card widths", "two places that are nearer are one card's", "tests: laid-out decks")
    ] = 0.6
    tried: Annotated[
        float, About("card widths", "two places that are nearer are looked at once", "tests: laid-out decks")
    ] = 0.03
    bare: Annotated[
        float, About("share of a place", "so much of the table's colour is the table", "tests: laid-out decks")
    ] = 0.85
    levels: Annotated[float, About("grey levels", "the table's colour varies as much", "tests: laid-out decks")] = 12.0
    deviations: Annotated[
        float, About("usual deviations", "a grained table's colour varies as much", "tests: laid-out decks")
    ] = 4.0
    wide: Annotated[
        float,
        About("pixels", "a flattened card so wide shows its edge apart from the next card's", "tests: laid-out decks"),
    ] = 120.0
    margin: Annotated[
        float, About("card widths", "a row or column that isn't found yet is within", "tests: laid-out decks")
    ] = 6.0
    steepest: Annotated[
        float,
        About(
            "times",
            "a card that looks more times smaller than the usual one isn't on the same table",
            "tests: laid-out decks",
        ),
    ] = 4.0
    pixels: Annotated[
        int, About("pixels", "a deck of 78 cards takes fewer when flattened", "tests: laid-out decks")
    ] = 12000000
    strays: Annotated[
        float, About("card widths", "hand-laid cards lie nearer to where they're expected", "tests: laid-out decks")
    ] = 0.07
    askew: Annotated[float, About("degrees", "hand-laid cards are turned less", "tests: laid-out decks")] = 3.0
    shaped: Annotated[
        float, About("card widths", "the corners of a card's outline are nearer to a card's", "tests: laid-out decks")
    ] = 0.03


class WayUpTuning(Struct, frozen=True):
    """When a picture of a deck is turned about (`vision/decks/way_up.py`)."""

    agree: Annotated[
        float, About("correlation", "decks whose cards have their parts at the same places agree more", "tests: decks")
    ] = 0.35
    nearly: Annotated[
        float, About("of the usual agreement", "a picture turned about agrees with the others as much", "tests: decks")
    ] = 0.85
    fewest: Annotated[int, About("pictures", "fewer don't tell how a deck is laid out", "tests: decks")] = 16


LAYOUT, WAY_UP = SpreadTuning(), WayUpTuning()
