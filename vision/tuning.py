"""The numbers by which the eye finds and names cards: each with its unit, what it rests on, and who notices.

`docs/dev/vision-tuning.md` is made from this module (`python -m benchmarks.vision.tuning`). The weights of
the networks stand in `vision/comparison.npz` and `vision/detail.npz` (`python -m benchmarks.vision.train`).
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct


class About(Struct, frozen=True):
    """What a tunable number is measured in, what it rests on, and the benchmark that gets worse when it moves."""

    unit: str
    rests_on: str
    noticed_by: str = "families"


class Card(Struct, frozen=True):
    """How cards lie and look under a camera; several stages ask for these."""

    narrowest: Annotated[
        float, About("pixels", "a narrower card has too few features for a name", "generated: small")
    ] = 45.0
    most: Annotated[
        float,
        About("share of a card", "what holds for so much of a card holds for all of it", "generated: rows"),
    ] = 0.6
    same: Annotated[
        float, About("common area, of the smaller", "two outlines of one card, one badly seen, share more", "generated")
    ] = 0.8
    touching: Annotated[
        float, About("common area, of the smaller", "a name and an outline of one card share more", "generated: fans")
    ] = 0.5
    beside: Annotated[
        float,
        About("card widths", "the middles of two cards are farther apart; sleeves are wider all around", "generated"),
    ] = 0.15
    steepest: Annotated[
        float,
        About("height over width, against the card's own", "a view at 60 degrees doubles it", "generated: slanted"),
    ] = 2.3
    straight: Annotated[
        float,
        About("height over width, against the card's own", "a view at 30 degrees changes it by as much", "generated"),
    ] = 1.15
    nearer: Annotated[
        float,
        About("times as wide", "the nearest card beside the farthest, in a view from the side", "generated: slanted"),
    ] = 1.8
    sized: Annotated[int, About("cards", "from so many on the size of all is known", "generated: strangers")] = 3


class Reference(Struct, frozen=True):
    """How enrolled faces are kept (`vision/learning.py`)."""

    width: Annotated[
        int, About("pixels", "its features cover cards seen 60 to 800 pixels wide", "generated: small")
    ] = 200
    features: Annotated[int, About("features of a face", "more are found again no more often", "speed")] = 320
    coarse: Annotated[
        int, About("pixels across", "a pose within 8 % of the width is drawn to the true one", "speed")
    ] = 48
    fine: Annotated[int, About("pixels across", "cards are 100 pixels wide and more", "generated: small")] = 96
    softness: Annotated[
        float, About("pixels of the fine one", "a sharper one disagrees along every line", "generated")
    ] = 0.8
    out_of_focus: Annotated[
        float, About("pixels of the fine one", "a lens turned a little too far", "generated: soft")
    ] = 1.7


class Outline(Struct, frozen=True):
    """Which outlines are a card's (`vision/quads.py`)."""

    reach: Annotated[
        float, About("card widths", "a rough outline's sides are that near the true ones", "photos: playmat")
    ] = 0.04
    rounded: Annotated[float, About("of a side", "a card's round corners end there", "photos: playmat")] = 0.12
    plainly: Annotated[float, About("of the strongest edge", "a card's own edge is half as strong", "generated")] = 0.5
    edged: Annotated[
        float, About("times the change outside", "shading changes a table alike all over", "generated: dim")
    ] = 1.5
    sticks_out: Annotated[
        float, About("hull's area over the corners'", "round corners give 1.04 to 1.08", "photos: playmat")
    ] = 1.1
    filled: Annotated[float, About("of its hull's area", "a tangle of edges fills less", "generated")] = 0.85
    unlike: Annotated[
        float, About("times the table's usual", "most of a table is nearer its own colour", "generated")
    ] = 3.0
    shaded: Annotated[
        float, About("of the brightness", "lamps and lenses shade a plain table by less", "generated: dim")
    ] = 0.15
    worth: Annotated[
        float, About("likeness", "unrelated faces reach 0.2 to 0.37, the true one 0.5 to 0.75", "generated: isolated")
    ] = 0.3
    plain: Annotated[float, About("likeness", "chance stays below 0.37", "speed")] = 0.5
    ahead: Annotated[float, About("likeness", "the next best of a true face is farther behind", "speed")] = 0.1


class Feature(Struct, frozen=True):
    """Where a picture has keypoints (`vision/features.py`, `vision/pipeline/keypoints.py`)."""

    layers: Annotated[int, About("in an octave", "half-octave steps stay within what a descriptor bears", "speed")] = 2
    first_blur: Annotated[float, About("pixels", "finer detail is the sensor's", "speed")] = 1.2
    camera_blur: Annotated[float, About("pixels", "a sharp picture's own (Lowe)", "generated: small")] = 0.5
    faintest: Annotated[
        float,
        About("of the picture's contrast", "grain of table and sensor lies below, in any light", "generated: dim"),
    ] = 0.05
    elongated: Annotated[
        float, About("ratio of curvatures", "beyond, an extremum slides along an edge (Lowe)", "speed")
    ] = 10.0
    most: Annotated[int, About("keypoints", "a table of thirty cards has no more that tell", "speed")] = 3000
    parts: Annotated[
        int,
        About("each way", "each part of a picture has its fair share: a dim corner has cards too", "generated: dim"),
    ] = 12
    tile: Annotated[int, About("pixels", "a small card fills one", "generated: small")] = 96
    busy: Annotated[int, About("keypoints in a tile", "a plain table leaves fewer", "speed")] = 3
    faint: Annotated[
        float, About("share", "of keypoints on known cards so many are as faint as the table's grain", "speed")
    ] = 0.02
    edge: Annotated[
        float, About("keypoint sizes", "nearer to a whole card, a keypoint describes its edge", "speed")
    ] = 2.0
    halved: Annotated[
        float, About("pixels, a card's width", "narrower cards aren't read at half the resolution", "generated: small")
    ] = 100.0


class Vote(Struct, frozen=True):
    """Which poses keypoints vote for (`vision/matching.py`, `vision/rows.py`, `vision/slant.py`)."""

    kept: Annotated[int, About("dimensions", "they hold nearly all of the descriptors' variance", "speed")] = 48
    probes: Annotated[int, About("words", "a true match is in one of the two nearest", "speed")] = 2
    neighbours: Annotated[int, About("matches", "near-twins and pips share a descriptor", "generated: marseille")] = 4
    copies: Annotated[
        int, About("times", "a spot seen more often is the pattern of a table cloth", "photos: playmat")
    ] = 8
    alike: Annotated[
        float,
        About(
            "cosine",
            "of another printing one true match in twenty is below, of false ones nine in ten",
            "generated: other printing",
        ),
    ] = 0.6
    behind: Annotated[float, About("cosine", "a match so far behind the best is false", "speed")] = 0.15
    angles: Annotated[int, About("bins in a turn", "angles of a keypoint err by 11 degrees", "speed")] = 16
    place: Annotated[float, About("card widths", "middles by single votes err by as much", "speed")] = 0.3
    near: Annotated[
        float, About("card widths", "a view at 45 degrees bends a card by as much", "generated: slanted")
    ] = 0.1
    least: Annotated[float, About("votes", "two good ones, or three fair ones", "generated: small")] = 1.4
    bins: Annotated[int, About("bins", "the fullest hold every card", "speed")] = 1500
    good: Annotated[
        float, About("a vote's weight", "nearly as alike as the same spot seen twice", "generated: rows")
    ] = 0.7
    tilted: Annotated[
        float, About("sine of the angle", "hands lay a row's cards by 20 degrees alike", "generated: rows")
    ] = 0.35
    grown: Annotated[float, About("times as large", "two cards of a row", "generated: rows")] = 1.3
    aside: Annotated[
        float, About("card widths", "hands lay a row's cards that much out of line", "generated: rows")
    ] = 0.06
    gentle: Annotated[
        float, About("times as tall as wide", "a view at 40 degrees; keypoints hold as they are", "generated: slanted")
    ] = 1.3
    slanted: Annotated[
        float, About("times as tall as wide", "a view at 50 degrees, where no card tells", "generated: slanted")
    ] = 1.55


class Cell(Struct, frozen=True):
    """How a place is compared with a face, cell by cell (`vision/cells.py`)."""

    grain: Annotated[
        float, About("contrast, of the local brightness", "paper and sensor have as much", "generated: dim")
    ] = 0.03
    texture: Annotated[
        float, About("contrast, of the local brightness", "a clearly drawn line has more", "generated")
    ] = 0.12
    white: Annotated[
        float, About("of full scale", "a sensor's brightest, less what JPEG and noise take", "generated: glare")
    ] = 0.97
    dark: Annotated[float, About("of full scale", "so that black isn't divided by nothing", "generated: dim")] = 0.02
    plain: Annotated[
        float, About("share of a picture", "the plainest fifth shows the camera's noise", "generated: dim")
    ] = 0.2
    noisiest: Annotated[
        float,
        About(
            "of the brightness",
            "more isn't told from what is drawn; half as much again is smoothed first",
            "generated: dim",
        ),
    ] = 0.04
    piece: Annotated[int, About("cells", "fewer agree by chance", "generated: fans")] = 4
    gap: Annotated[int, About("cells", "what lies between visible cells speaks against a piece", "generated: fans")] = 4
    steers: Annotated[
        float, About("correlation", "by chance the best shift of a cell reaches as much", "generated: slanted")
    ] = 0.45


class Pose(Struct, frozen=True):
    """How a pose is refined, and what of a face is visible there (`vision/fitting.py`, `vision/pipeline/poses.py`)."""

    visible: Annotated[
        float,
        About(
            "agreement",
            "unrelated pictures reach 0.3 in one of twenty places, another printing 0.5",
            "generated: other printing",
        ),
    ] = 0.42
    well: Annotated[
        float, About("lack of agreement", "a print askew on its card lacks less, another in the same frame more")
    ] = 0.25
    as_well: Annotated[
        float,
        About(
            "times the best quarter's lack of agreement",
            "where a card agrees wholly, what lacks more is another in the same frame",
            "generated: rows",
        ),
    ] = 10.0
    smudge: Annotated[float, About("share of the cells", "fewer that agree less are a smudge", "generated: hands")] = (
        0.15
    )
    good: Annotated[float, About("agreement", "a better pose is hardly to be had", "speed")] = 0.92
    good_hidden: Annotated[
        float, About("agreement", "a small piece agrees well at poses that are wrong elsewhere", "generated: rows")
    ] = 0.97
    looks: Annotated[int, About("steps", "a pose hardly moves after five", "speed")] = 5
    gain: Annotated[
        float, About("agreement", "a better pose gains more, and a soft picture with soft faces", "generated: soft")
    ] = 0.03
    hidden: Annotated[
        float, About("share of a card", "covered by more, it tells no perspective", "generated: rows")
    ] = 0.2
    drawn: Annotated[float, About("texture", "a cell has something drawn in it", "generated: glare")] = 0.3
    tried: Annotated[float, About("card widths", "poses nearer than this settle on the same one", "speed")] = 0.02
    turned: Annotated[
        float, About("degrees", "a round ornament shows its card turned by more", "generated: marseille")
    ] = 15.0


class SearchTuning(Struct, frozen=True):
    """How long candidates are looked at (`vision/pipeline/search.py`, `vision/recognise.py`)."""

    long_side: Annotated[int, About("pixels", "a frame of 1280x960 as it is, a phone's photo shrunk", "speed")] = 1440
    zoom: Annotated[int, About("pixels", "a card's edge is known to as many, and no better", "speed")] = 4
    candidates: Annotated[
        int, About("candidates of one vote", "a table of thirty cards has fewer true ones", "speed")
    ] = 90
    close: Annotated[int, About("votes", "so many give a pose within 2 % of the card's width", "speed")] = 6
    patience: Annotated[int, About("candidates", "after so many in vain none is right", "speed")] = 8
    tries: Annotated[int, About("faces", "the true one is among so many at a place", "speed")] = 3
    row: Annotated[int, About("cards", "longer rows are followed in part", "generated: rows")] = 12
    strip: Annotated[
        float, About("share of a card", "less of the next card of a row tells no face", "generated: rows")
    ] = 0.2
    news: Annotated[
        float, About("share of a card", "covered by more than was known, it's looked at again", "generated: rows")
    ] = 0.1
    covers: Annotated[
        float, About("probability", "doubtful cards this likely may hide each other", "generated: rows")
    ] = 0.15
    focused: Annotated[int, About("cards", "so many tell whether a picture is in focus", "generated: soft")] = 6


CARD, REFERENCE, OUTLINE, FEATURE, VOTE, CELL, POSE, SEARCH = (
    Card(),
    Reference(),
    Outline(),
    Feature(),
    Vote(),
    Cell(),
    Pose(),
    SearchTuning(),
)


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
    least_paper: Annotated[float, About("share of the card", "less is pale ink, a reflection or a highlight")] = 0.25
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
    moved: Annotated[
        float, About("template pixels", "nearer than that, colours and agreement are the same", "speed")
    ] = 0.7
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
    own_poses: Annotated[int, About("faces", "each costs as much as all others together", "speed")] = 2
    together: Annotated[float, About("nats", "from here on more of the same evidence is hardly more")] = 5.0
    blank: Annotated[float, About("of a drawn cell", "a drawing where a face is blank speaks against it")] = 0.25
    relatives: Annotated[int, About("faces", "those most like a face tell what is its own")] = 4
    the_same: Annotated[float, About("agreement", "a face that agrees so well with itself turned has no way up")] = 0.75
    one_pip: Annotated[
        float, About("cells", "one pip the other way round differs by more, light and grain by less", "turned wrong")
    ] = 1.5
    farthest: Annotated[float, About("nats", "a lead without any rival")] = 40.0


class ComparisonTuning(Struct, frozen=True):
    """Which faces a place is compared with by the network, and what its word weighs (`vision/posterior.py`)."""

    step: Annotated[int, About("pixels", "every third pixel each way tells the paper's colour", "speed")] = 3
    fewest: Annotated[int, About("samples", "less of a card may show no paper", "generated: rows")] = 30
    most: Annotated[int, About("faces", "the true face, or a relative of it, is among so many", "speed")] = 10
    relatives: Annotated[int, About("faces", "those most like a face are its near-twins")] = 8
    near: Annotated[float, About("times the least unlike", "what is more unlike isn't it", "speed")] = 1.8
    clear: Annotated[float, About("times the least unlike", "near-twins in other light are nearer", "speed")] = 1.4
    enrolled: Annotated[
        float, About("nats", "of cards on a table one in three may be a stranger; in training two in five were")
    ] = 0.3
    agreed: Annotated[
        float,
        About("nats", "below, the network is against a name that the likelihood has", "photos: playmat"),
    ] = -5.0
    unlike: Annotated[
        float, About("of what is drawn", "symbol and number cards differ by less from their nearest, paintings by more")
    ] = 0.4
    drawn: Annotated[float, About("share of the card", "of symbol cards half is bare paper, of paintings nothing")] = (
        0.6
    )
    whole: Annotated[float, About("share of what isn't covered", "a count of symbols is wrong by a sixth of it")] = 0.8
    tell: Annotated[int, About("cards", "more of them tell no more of lamp and camera", "speed")] = 12
    astray: Annotated[
        float, About("share of its ink", "one right name in twenty has more, once the others tell the camera", "speed")
    ] = 0.45


class Ink(Struct, frozen=True):
    """When a place shows another ink of the deck than a face has (`vision/ink.py`)."""

    plain: Annotated[float, About("hundreds of CIELAB units", "paper has less chroma, ink more")] = 0.05
    fewest: Annotated[int, About("cells", "so many tell the paper's own tint")] = 10
    one: Annotated[float, About("share of the chroma", "faces in one ink have nearly all of it in one hue")] = 0.9
    noise: Annotated[float, About("hundreds of CIELAB units", "what noise makes of all cells of a face together")] = (
        0.08
    )
    turned: Annotated[float, About("degrees", "right names are turned by less, or towards no ink of the deck")] = 25.0
    same: Annotated[float, About("degrees", "faces in one ink, each photographed by itself, differ by less")] = 15.0
    nearer: Annotated[float, About("of the turn", "strangers in another ink of the deck have its hue")] = 0.5
    shared: Annotated[int, About("faces", "a single one may have been photographed by another lamp")] = 3
    against: Annotated[float, About("nats", "more than the network ever has for a wrong ink")] = 12.0


class DetailTuning(Struct, frozen=True):
    """How cards that have near-twins are named (`vision/detail.py`)."""

    most: Annotated[int, About("faces", "the true one is among the comparison's likeliest", "speed")] = 3
    behind: Annotated[float, About("nats", "of 161 winners none was behind by more than 1.5 before", "speed")] = 4.0
    told: Annotated[
        float,
        About("nats", "in training few cards tell the camera, on a table more: all cards lose 1.7"),
    ] = 1.0
    likely: Annotated[
        float,
        About("nats", "a webcam far from the references' camera costs the network as many", "photos: number cards"),
    ] = 3.5
    against: Annotated[
        float,
        About(
            "nats", "of names that the likelihood has another card for, one in six was wrong, of others one in sixty"
        ),
    ] = 2.5
    unsure: Annotated[
        float, About("probability", "names by the likelihood's word are no surer, and tell no camera")
    ] = 0.95


class Naming(Struct, frozen=True):
    """From when on a name is given (`vision/confidence.py`)."""

    named: Annotated[float, About("probability", "strangers that share a design lie below")] = 0.65
    certain: Annotated[float, About("probability", "with a network's word a card is named from here on")] = 0.85
    sure: Annotated[
        float, About("probability", "such names tell what lamp and camera do, and need no more frames", "clips")
    ] = 0.98
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


class EvidenceTuning(Struct, frozen=True):
    """What still frames tell together (`vision/evidence.py`)."""

    repeats: Annotated[
        float, About("share of the error", "between frames of one clip only the sensor's noise differs", "clips")
    ] = 0.95
    untold: Annotated[float, About("probability", "half of the least that is told", "clips")] = 0.07
    least: Annotated[float, About("probability", "a single frame never rules a name out", "clips")] = 0.005
    frames: Annotated[int, About("frames", "more of them count as hardly more witnesses", "clips")] = 8
    places: Annotated[int, About("places a frame", "each costs a tenth of a full read", "speed")] = 3


class PresenceTuning(Struct, frozen=True):
    """Whether a card is still there that isn't read any more (`vision/presence.py`)."""

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


COLOUR, IDENTITY, COMPARISON, INK, NAMING = Colour(), Identity(), ComparisonTuning(), Ink(), Naming()
DETAIL, EVIDENCE, PRESENCE, FOCUS = DetailTuning(), EvidenceTuning(), PresenceTuning(), Focus()
