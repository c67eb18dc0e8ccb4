"""Flourishes: short overlays that end by themselves. They are data; `timing` plays them."""

from __future__ import annotations

from msgspec import Struct, structs

from companion.text import N_
from hardware.lights import STEP_SECONDS
from hardware.panel import BAR, SKY, SUITS, BarKind, Beat, Glow, Layer
from hardware.signs import SIGN


class Flourish(Struct, frozen=True):
    """A short overlay with a name and a meaning."""

    name: str
    meaning: str
    beats: tuple[Beat, ...]

    @property
    def seconds(self) -> float:
        """How long it takes."""
        return sum(beat.seconds for beat in self.beats)


def _flourish(name: str, meaning: str, seconds: float, *drawings: str) -> Flourish:
    return Flourish(name, meaning, tuple(Beat(seconds, Layer.parse(drawing)) for drawing in drawings))


# Each is told by how it moves along the bar; sun and moon only add to it.
ACCEPTED = _flourish(
    "accepted",
    N_("Accepted: a light opens from the middle of the bar to both ends."),
    0.15,
    ".......#....... ____ __",
    ".....##.##..... ____ __",
    "...##.....##... ____ __",
    ".##.........##. ____ __",
)
REFUSED = _flourish(
    "refused",
    N_("Refused: both ends of the bar flash twice."),
    0.2,
    "###.........### ____ __",
    "............... ____ __",
    "###.........### ____ __",
    "............... ____ __",
)
NOISE = _flourish(
    "noise",
    N_("Noise! The whole bar flares up once and fades."),
    0.25,
    "############### ____ __",
    "############### ____ __",
    "--------------- ____ __",
    "............... ____ __",
)
UNDONE = _flourish(
    "undone",
    N_("Taken back: a light runs along the bar from right to left."),
    0.15,
    "............### ____ __",
    "........###.... ____ __",
    "....###........ ____ __",
    "###............ ____ __",
)
WIN = _flourish(
    "win",
    N_("Won: the bar fills from left to right, suit after suit, and the sun stays."),
    0.35,
    "###............ #... #.",
    "######......... ##.. #.",
    "##########..... ###. #.",
    "############### #### #.",
    "############### #### #.",
    "############### #### #.",
)
LOSS = _flourish(
    "loss",
    N_("Lost: a full bar empties from right to left, and the moon stays."),
    0.35,
    "############### #### .#",
    "##########..... ###. .#",
    "######......... ##.. .#",
    "###............ #... .#",
    "--............. .... .#",
    "............... .... .#",
)

KNOCK = N_(
    "A phone knocks: if it shows the same lights, hold ✔. The sun: it wants in; the moon: a seat; both: something of "
    "the box itself, such as an update."
)


def knock(place: int, suit: str = "", sky: str = "") -> Flourish:
    """Somebody at the door, seen twice and then gone: so many lamps of the bar, a suit, and the sun, the moon or both.

    All four suits come before it, since it's the box that speaks.

    >>> [str(beat.layer) for beat in knock(3, "blue", "sun").beats[:2]]
    ['............... #### ..', '###............ .#.. #.']
    """
    sign = Layer(
        bar=tuple(Glow.ON if at < place else Glow.OFF for at in range(BAR)),
        suits=tuple(Glow.ON if name == suit else Glow.OFF for name in SUITS),
        sky=tuple(Glow.ON if name in sky.split() else Glow.OFF for name in SKY),
        bar_kind=BarKind.PLACES,
    )
    suits, lit = Beat(0.25, Layer.parse("............... #### ..")), Beat(0.6, sign)
    return Flourish("knock", KNOCK, (suits, lit, suits, lit, suits))


OWN_NETWORK = Flourish(
    "own-network",
    SIGN["own-network"].meaning,
    tuple(Beat(STEP_SECONDS, Layer.parse(drawing)) for drawing in SIGN["own-network"].drawings * 2),
)
"""The sign of the box's own Wi-Fi, seen twice and then gone."""

ADDRESS = N_(
    "Where the page is, figure by figure: n lights are the figure n, the first suit alone is 0, sun and moon are a dot."
)
STOPPED = Flourish("stopped", "", ())
"""Ends whatever flourish is on show."""


def spelled(address: str) -> Flourish:
    """An address of figures and dots, one after the other, with a pause between; for who has no display and no voice.

    >>> [str(beat.layer) for beat in spelled("10.4").beats[1::2]]
    ['#.............. .... ..', '............... #... ..', '............... .... ##', '####........... .... ..']
    """
    pause = Beat(0.4, Layer.parse("............... .... .."))
    beats = [Beat(1.6, Layer.parse("............... #### ##"))]
    for letter in address:
        lit = int(letter) if letter.isdigit() else 0
        suits, sky = ("#..." if letter == "0" else "...."), ("##" if letter == "." else "..")
        figure = Layer.parse(f"{'#' * lit:.<{BAR}} {suits} {sky}")
        beats += [Beat(1.2, structs.replace(figure, bar_kind=BarKind.PLACES)), pause]
    return Flourish("address", ADDRESS, tuple(beats))


FLOURISHES = {
    one.name: one
    for one in (ACCEPTED, REFUSED, NOISE, UNDONE, WIN, LOSS, knock(3, "blue", "sun"), OWN_NETWORK, spelled("10.0"))
}
