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
    """How colours are compared (`vision/colours.py`)."""

    samples: Annotated[
        int, About("samples across a cell", "thin lines of ink are lost in the mean of a whole cell")
    ] = 3
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
    noise: Annotated[
        float,
        About("hundreds of CIELAB units", "what is left of a true card's colours after the likeliest change"),
    ] = 0.12
    outlier: Annotated[float, About("squared noise", "beyond, a sample tells of a reflection, not of the lamp")] = 6.0
    alike: Annotated[float, About("samples", "so many neighbours err together: they count as one")] = 36.0
    pale: Annotated[float, About("squared chroma over all samples", "less ink tells no hue")] = 0.3
    rounds: Annotated[int, About("rounds", "the estimate of lamp and camera hardly moves after two", "speed")] = 2
    change: Annotated[
        tuple[tuple[float, float, float], ...],
        About(
            "spread of the linear map of CIELAB; rows: L, a, b, constant",
            "phones and webcams beside each other, lamps after white balance",
            "photos: number cards",
        ),
    ] = ((0.15, 0.08, 0.12), (0.10, 0.30, 0.20), (0.10, 0.20, 0.30), (0.06, 0.02, 0.02))


class Identity(Struct, frozen=True):
    """Which faces are compared, and how (`vision/identity.py`)."""

    rounds: Annotated[int, About("rounds", "who wins must stand a round as the leader too", "speed")] = 4
    reach: Annotated[
        int, About("template pixels", "reference photos are cut within 2 % of one another", "photos: number cards")
    ] = 3
    moved: Annotated[float, About("template pixels", "nearer than that, colours are the same", "speed")] = 0.7
    loose: Annotated[int, About("coarse pixels", "prints lie askew on their card by up to 4 %")] = 2
    spread: Annotated[float, About("of an agreement of 1", "how far a true cell's agreement lies below it")] = 0.1
    rough_colour: Annotated[float, About("of the drawing's weight", "colour and drawing propose alike many")] = 0.5
    rough_near: Annotated[float, About("likeness", "a true face behind by more was never seen")] = 0.35
    twin: Annotated[
        float, About("likeness", "near-twins are behind by less where the leader agrees all over", "speed")
    ] = 0.12
    own_tint: Annotated[float, About("likeness", "a face with its own colours, as they are, has more", "speed")] = 0.85
    most: Annotated[int, About("faces", "the true face is among so many", "speed")] = 6
    better: Annotated[float, About("nats", "a face with such better colours may only lie askew")] = 3.0
    at_home: Annotated[int, About("faces", "each costs as much as all others together", "speed")] = 2
    together: Annotated[float, About("nats", "from here on more of the same evidence is hardly more")] = 5.0
    blank: Annotated[float, About("of a drawn cell", "a drawing where a face is blank speaks against it")] = 0.25
    relatives: Annotated[int, About("faces", "those most like a face tell what is its own")] = 4
    the_same: Annotated[float, About("agreement", "a face that agrees so well with itself turned has no way up")] = 0.75
    one_pip: Annotated[
        float, About("cells", "one pip the other way round differs by more, light and grain by less", "turned wrong")
    ] = 1.5
    farthest: Annotated[float, About("nats", "a lead without any rival")] = 40.0


class Naming(Struct, frozen=True):
    """From when on a name is given (`vision/confidence.py`)."""

    named: Annotated[float, About("probability", "strangers that share a design lie below")] = 0.65
    led: Annotated[float, About("nats", "of names with a smaller lead, a tenth was wrong")] = 3.2
    turned: Annotated[float, About("nats", "four to one against itself upside down", "turned wrong")] = 1.5
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
    hue: Annotated[
        float, About("radians", "two cameras may turn a hue by so much, as olive to teal", "photos: number cards")
    ] = 0.5
    far: Annotated[float, About("nats", "a larger lead tells no more")] = 20.0
    clear: Annotated[
        float, About("nats", "a doubtful card's lead from which on it may hide others", "generated: rows")
    ] = 6.0
    asked: Annotated[float, About("probability", "a less likely name isn't worth a question", "soak")] = 0.15
    offered: Annotated[int, About("names", "a person chooses among few", "soak")] = 3


class Evidence(Struct, frozen=True):
    """What still frames tell together (`vision/evidence.py`)."""

    repeats: Annotated[
        float, About("share of the error", "between frames of one clip only the sensor's noise differs", "clips")
    ] = 0.95
    untold: Annotated[float, About("probability", "half of the least that is told", "clips")] = 0.07
    least: Annotated[float, About("probability", "a single frame never rules a name out", "clips")] = 0.005
    sure: Annotated[float, About("probability", "no more frames are needed from here on", "clips")] = 0.98
    frames: Annotated[int, About("frames", "more of them count as hardly more witnesses", "clips")] = 8
    places: Annotated[int, About("places a frame", "each costs a tenth of a full read", "speed")] = 3


class Place(Struct, frozen=True):
    """Whether a card is still there that isn't read any more (`vision/places.py`)."""

    least: Annotated[
        float, About("share of the card", "less than this of it left uncovered tells nothing", "laying")
    ] = 0.08
    intact: Annotated[float, About("share of what is drawn", "an unseen cover leaves more of a card", "laying")] = 0.12
    whole: Annotated[float, About("share of drawn pixels", "what shows unchanged, but for noise", "laying")] = 0.85
    window: Annotated[int, About("pixels of the small picture", "a fifth of a card's width", "laying")] = 7
    changed: Annotated[float, About("share of the place", "noise and shadows stir less", "laying")] = 0.4
    alike: Annotated[float, About("correlation", "another card or the table has less than half", "laying")] = 0.8
    tint: Annotated[float, About("log of a colour's share", "a red card in place of a blue one has more", "laying")] = (
        0.35
    )


class Focus(Struct, frozen=True):
    """How sharp a picture is (`vision/quality.py`)."""

    fine: Annotated[float, About("pixels", "less blur lets the noise through", "tests: lens")] = 1.0
    coarse: Annotated[float, About("pixels", "twice the fine one", "tests: lens")] = 2.0
    steep: Annotated[
        float, About("grey levels a pixel", "noise and the grain of tables are less steep", "tests: lens")
    ] = 4.0
    edges: Annotated[int, About("edges", "one card in dim light has more, a bare table fewer", "tests: lens")] = 60
    share: Annotated[
        float, About("of all edges", "the steepest are the camera's, not a soft print's", "tests: lens")
    ] = 0.02
    finest: Annotated[float, About("pixels", "blur that costs the recogniser nothing", "generated")] = 0.8
    blurred: Annotated[float, About("of 100", "a blur of 1.6 pixels: rows begin to lose names", "laying")] = 50.0
    sharp: Annotated[float, About("of 100", "a blur of 1.35 pixels", "tests: lens")] = 59.0
    hopeless: Annotated[float, About("of 100", "softly printed mats have 48 without any marker", "tests: lens")] = 25.0


COLOUR, IDENTITY, NAMING = Colour(), Identity(), Naming()
EVIDENCE, PLACE, FOCUS = Evidence(), Place(), Focus()
