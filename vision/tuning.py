"""The numbers by which the eye decides which card it sees: each with its unit, what it rests on, and who notices.

`docs/dev/vision-tuning.md` is made from this module (`python -m benchmarks.vision.tuning`). Weights that were fitted
stand in `vision/fitted.py`.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct


class About(Struct, frozen=True):
    """What a tunable number is measured in, what it rests on, and the benchmark that gets worse when it moves."""

    unit: str
    rests_on: str
    noticed_by: str = "families"


class Colour(Struct, frozen=True):
    """How the colours of a card are made those by white light (`vision/colours.py`)."""

    step: Annotated[int, About("pixels", "every third pixel each way tells the paper's colour", "speed")] = 3
    fewest: Annotated[int, About("samples", "less of a card may show no paper", "generated: rows")] = 30
    black: Annotated[float, About("of white, in linear light", "noise in what is black has no colour then")] = 0.0006
    warmth: Annotated[
        tuple[float, float],
        About(
            "log of red over blue", "white paper from a blue sky to a candle; yellow ink is beyond", "generated: warm"
        ),
    ] = (-0.9, 2.2)
    greenness: Annotated[float, About("log of green over the others", "lamps are hardly green; ink is")] = 0.35
    as_paper: Annotated[float, About("of the brightest", "paper in a soft shade is brighter")] = 0.35
    least_paper: Annotated[float, About("share of the card", "less may be a reflection or a highlight")] = 0.03


class Identity(Struct, frozen=True):
    """Which faces are compared (`vision/identity.py`)."""

    rounds: Annotated[int, About("rounds", "who wins is looked at where it lies itself", "speed")] = 3
    whole: Annotated[
        float, About("share of what isn't covered", "where less agrees, something unknown lies on it", "generated: rows")
    ] = 0.7
    most: Annotated[int, About("faces", "the true face, or a relative of it, is among so many", "speed")] = 6
    relatives: Annotated[int, About("faces", "those most like a face are its near-twins", "families")] = 5
    near: Annotated[float, About("times the least unlike", "what is more unlike at first sight isn't it", "speed")] = 2.5


class Naming(Struct, frozen=True):
    """From when on a name is given (`vision/confidence.py`)."""

    named: Annotated[float, About("probability", "of names given at this or above, one in a hundred is wrong")] = 0.9
    led: Annotated[float, About("nats", "a card that lay there before is still there")] = 3.2
    turned: Annotated[float, About("probability", "below, a card may as well lie the other way up", "turned wrong")] = 0.95
    exact: Annotated[float, About("agreement", "the pose is right to a pixel")] = 0.88
    whole: Annotated[float, About("share of the cells", "what a finger or a reflection leaves of a card")] = 0.8
    half: Annotated[float, About("share of the cells", "less is a piece of a card", "generated: rows")] = 0.5
    least: Annotated[float, About("drawn cells", "a smaller sliver of a card says too little", "generated: rows")] = 8.0
    least_share: Annotated[float, About("of what is drawn", "a card with one pip has few drawn cells")] = 0.6
    least_quality: Annotated[float, About("agreement", "unrelated pictures agree by 0.3", "speed")] = 0.45
    least_of_a_piece: Annotated[float, About("drawn cells", "a piece may be another card's", "generated: rows")] = 12.0
    rim: Annotated[
        float, About("cells at the edge for a piece's side length", "covers come from a side", "generated: strangers")
    ] = 1.0
    clear: Annotated[
        float, About("nats", "a doubtful card's lead from which on it may hide others", "generated: rows")
    ] = 6.0
    asked: Annotated[float, About("probability", "a less likely name isn't worth a question", "soak")] = 0.15
    offered: Annotated[int, About("names", "a person chooses among few", "soak")] = 3


COLOUR, IDENTITY, NAMING = Colour(), Identity(), Naming()
