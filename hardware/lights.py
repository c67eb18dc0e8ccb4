"""How the light language is drawn: patterns, some with numbers in them, choosers, and signs that move.

What each sign means, and a drawing of it, is in `signs`. Here is how something looks, not when: the table maps a
game's questions and events to these signs. No sign is told by colour alone: each has its place, its rhythm or its
number of blocks on the bar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct, structs

from companion.text import N_
from hardware.button_signals import CHORD_SECONDS
from hardware.panel import BAR, DARK, SUITS, BarKind, Beat, Glow, Layer, PanelFrame

# Together 4.8 s: a whole number of slow and of pulsing periods, so that every repetition of a sign begins at one phase.
SIGN_SECONDS = 1.8
STANDING_SECONDS = 3.0
"""What stands on the panel, such as a meter, is shown for longer than the sign it takes turns with."""
STEP_SECONDS = 0.3
STAYS_FULL_SECONDS = 60.0
"""How long the bar of a hold stays full: longer than anybody holds on."""


class Pattern(Struct, frozen=True):
    """A fixed pattern. It's a layer: lamps drawn as `_` keep what lies below.

    A drawing has the bar, then the lamps of the four suits (red, blue, yellow, green), then sun and moon. `LETTERS` in
    `hardware.panel` says how its letters shine: `~` pulses.
    """

    name: str
    meaning: str
    drawing: str
    topic: str

    @property
    def layer(self) -> Layer:
        """To lie over a frame."""
        return Layer.parse(self.drawing)

    @property
    def frame(self) -> PanelFrame:
        """On an otherwise dark panel."""
        return self.layer.over(DARK)


class NumberPattern(Struct, frozen=True):
    """A pattern with numbers in it: a function, and examples of what it draws."""

    name: str
    meaning: str
    draw: Callable[..., Layer]
    examples: tuple[tuple[int | str | bool, ...], ...]
    topic: str


STANDING = N_("What stands between questions")
REFUSALS = N_("I don't follow: count the fast blocks from the left")
EFFECT_MARKERS = N_("Markers: they pulse as long as they hold")
ENDINGS = N_("Endings")
FAULTS = N_("Faults: count the slow blocks from the right")
TOPICS = (STANDING, REFUSALS, EFFECT_MARKERS, ENDINGS, FAULTS)

_FIXED = (
    ("refused-climb", N_("The card doesn't climb over the row."), "**............. .... ..", REFUSALS),
    ("refused-row", N_("The card doesn't belong in this row."), "**.**.......... .... ..", REFUSALS),
    ("refused-side", N_("The card lies the wrong way round."), "**.**.**....... .... **", REFUSALS),
    ("refused-green", N_("A green card is due."), "**.**.**.**.... ...* ..", REFUSALS),
    ("refused-now", N_("The rules don't allow this now."), "**.**.**.**.**. .... ..", REFUSALS),
    ("unreadable", N_("The camera can't read a card; lay it straight."), "*************** .... ..", REFUSALS),
    ("skip-dark", N_("The next card's dark effect is skipped."), "_______________ ____ _~", EFFECT_MARKERS),
    ("skip-light", N_("The next card's light effect is skipped."), "_______________ ____ ~_", EFFECT_MARKERS),
    ("random-card", N_("The next player plays a card at random."), "_______________ ~~~_ __", EFFECT_MARKERS),
    ("green-next", N_("The next card must be green."), "_______________ ___~ __", EFFECT_MARKERS),
    ("won", N_("The game is won."), "############### .... #.", ENDINGS),
    ("lost", N_("The game is lost."), "--------------- .... .#", ENDINGS),
    ("no-camera", N_("No camera: play goes on by buttons."), ".............oo #### ..", FAULTS),
    ("no-sound", N_("No sound: the game goes on in light."), "..........oo.oo #### ..", FAULTS),
    (
        "no-record",
        N_("The game can't be saved: the disk is full or broken."),
        ".......oo.oo.oo #### ..",
        FAULTS,
    ),
    ("too-hot", N_("The box is too hot or has too little power."), "....oo.oo.oo.oo #### ..", FAULTS),
    ("no-markers", N_("A corner marker isn't in sight: play goes on by buttons."), ".oo.oo.oo.oo.oo #### ..", FAULTS),
    ("no-eye", N_("The camera's pictures can't be read: play goes on by buttons."), "ooooo.......... #### ..", FAULTS),
    (
        "no-part",
        N_("A part of the panel fails: the page and the text line say which."),
        "ooooo.....ooooo #### ..",
        FAULTS,
    ),
    (
        "safe-mode",
        N_("Safe mode: the box started badly, and plays without camera and sound."),
        ".....ooooo..... #### ..",
        FAULTS,
    ),
    (
        "blurred",
        N_("The picture is blurred: turn the lens until the bar is longest."),
        "###.o.......... oooo ..",
        FAULTS,
    ),
)
PATTERNS = {name: Pattern(name, meaning, drawing, topic) for name, meaning, drawing, topic in _FIXED}


def _bar(glows: list[Glow], bar_kind: BarKind) -> Layer:
    return Layer(bar=tuple(glows + [Glow.OFF] * (BAR - len(glows))), bar_kind=bar_kind)


def noise(level: int, before: int | None = None) -> Layer:
    """The noise meter, 0 to 15. With `before`, what has just been added blinks.

    >>> print(noise(7, before=5))
    #####**........ ____ __
    """
    level = _clamp(level, 0, BAR)
    steady = level if before is None else min(level, _clamp(before, 0, BAR))
    return _bar([Glow.ON] * steady + [Glow.FAST] * (level - steady), BarKind.METER)


_PAGE_GLOW = (Glow.ON, Glow.SLOW, Glow.FAST)


def number_picked(place: int | None, *others: int, lamps: int = BAR) -> Layer:
    """A number being picked: its light among those that can be picked too. Counts from 0.

    More numbers than lamps are turned like pages: the picked lamp is steady on the first page, blinks slowly on the
    second and fast on the third. None shows only what there is.

    >>> print(number_picked(4, 0, 3, 7))
    -..-#..-....... ____ __
    >>> print(number_picked(11, 10, lamps=10))
    -o............. ____ __
    """
    page, bright = divmod(place or 0, lamps)
    glows = [Glow.OFF] * lamps
    for other in others:
        if other // lamps == page:
            glows[other % lamps] = Glow.DIM
    if place is not None:
        glows[bright] = _PAGE_GLOW[page % len(_PAGE_GLOW)]
    return _bar(glows, BarKind.PLACES)


def seats(players: int, seat: int | None = None) -> Layer:
    """The seats, one lamp a player; the one whose turn it is pulses. `seat` counts from 0."""
    glows = [Glow.DIM] * _clamp(players, 1, BAR)
    if seat is not None:
        glows[seat] = Glow.PULSE
    return _bar(glows, BarKind.PLACES)


def players_to_pick(seats: Iterable[int], chosen: int | None = None, leaving: Iterable[int] = ()) -> Layer:
    """Players to pick from, each at their own light; the picked one is steady. Counts from 0.

    What leaves the offer is dim at its own place.

    >>> print(players_to_pick([0, 2], 2))
    o.#............ ____ __
    >>> print(players_to_pick([0, 1, 2], 1, [12]))
    o#o.........-.. ____ __
    """
    glows = [Glow.OFF] * BAR
    for seat in seats:
        glows[seat] = Glow.SLOW
    for place in leaving:
        glows[place] = Glow.DIM
    if chosen is not None:
        glows[chosen] = Glow.ON
    return _bar(glows, BarKind.PLACES)


def count(done: int, total: int) -> Layer:
    """So many of so many: done ones bright, the rest dim."""
    total = _clamp(total, 0, BAR)
    done = _clamp(done, 0, total)
    return _bar([Glow.ON] * done + [Glow.DIM] * (total - done), BarKind.PLACES)


def progress(done: int, total: int) -> Layer:
    """Setting up: so many of so many, the rest blinks; the four suits say that it's the box.

    >>> print(progress(3, 8))
    ###ooooo....... ---- ..
    """
    done, total = (done, total) if total <= BAR else (round(done * BAR / total), BAR)
    bar = _bar([Glow.ON] * done + [Glow.SLOW] * (total - done), BarKind.PLACES)
    return Layer(bar.bar, (Glow.DIM,) * len(SUITS), (Glow.OFF, Glow.OFF), bar.bar_kind)


def countdown(left: int, total: int = CHORD_SECONDS) -> Layer:
    """Seconds left, as a blinking bar that shrinks to the middle."""
    edge = BAR // 2 - _clamp(round(BAR * left / total), 0, BAR) // 2
    bar = _bar([Glow.OFF] * edge + [Glow.SLOW] * (BAR - 2 * edge), BarKind.METER)
    return Layer(bar.bar, (Glow.FAST,) * len(SUITS), (Glow.OFF, Glow.OFF), bar.bar_kind)


def sharpness(now: int, best: int) -> Layer:
    """How sharp the picture is while the lens is turned, 0 to 100; the best so far blinks.

    >>> print(sharpness(34, 60))
    #####...o...... oooo ..
    """
    lit, most = (_clamp(round(BAR * value / 100), 1, BAR) for value in (now, best))
    glows = [Glow.ON] * lit + [Glow.OFF] * (BAR - lit)
    glows[most - 1] = Glow.SLOW
    return Layer(tuple(glows), (Glow.SLOW,) * len(SUITS), (Glow.OFF, Glow.OFF), BarKind.METER)


def score(band: int, bands: int) -> Layer:
    """The score band reached, as a share of the bar; its last lamp blinks. `band` counts from 1."""
    lit = _clamp(round(BAR * band / bands), 1, BAR)
    return _bar([Glow.ON] * (lit - 1) + [Glow.SLOW], BarKind.METER)


def card(suit: str, light: bool | None = None) -> Layer:
    """A recognised card: its suit's lamp, and sun or moon for its light or dark side."""
    suits = tuple(Glow.ON if name == suit else Glow.OFF for name in SUITS)
    if light is None:
        return Layer(suits=suits)
    return Layer(suits=suits, sky=(Glow.ON, Glow.OFF) if light else (Glow.OFF, Glow.ON))


def similar(is_similar: bool) -> Layer:
    """A clue: similar is the sun, different the moon."""
    return Layer(sky=(Glow.ON, Glow.OFF) if is_similar else (Glow.OFF, Glow.ON))


def drawn(suit: str, rank: int) -> Layer:
    """A card that was drawn: its suit's lamp, and the one light of its rank.

    >>> str(drawn("blue", 7))
    '......#........ .#.. ..'
    """
    bar = number_picked(rank - 1)
    return Layer(bar.bar, card(suit).suits, (Glow.OFF, Glow.OFF), bar.bar_kind)


def suits_lit(suits: Iterable[str], glow: Glow = Glow.SLOW) -> Layer:
    """Some suits with one glow, the others off."""
    lit = set(suits)
    return Layer(suits=tuple(glow if suit in lit else Glow.OFF for suit in SUITS))


def _clamp(value: int, low: int, high: int) -> int:
    return max(low, min(high, value))


# What is shown in turns


def still(layer: Layer, seconds: float = SIGN_SECONDS) -> tuple[Beat, ...]:
    """A sign that doesn't move."""
    return (Beat(seconds, layer),)


def running() -> tuple[Beat, ...]:
    """One light from left to right: a card is to be turned up."""
    return tuple(Beat(SIGN_SECONDS / BAR, number_picked(place)) for place in range(BAR))


def inwards() -> tuple[Beat, ...]:
    """Two lights from the ends inwards and back: anyone?"""
    return tuple(Beat(STEP_SECONDS, _ends(at)) for at in (0, 1, 2, 3, 4, 3))


def _ends(at: int) -> Layer:
    return _bar([Glow.ON if place in (at, BAR - 1 - at) else Glow.OFF for place in range(BAR)], BarKind.PLACES)


def yes_or_no() -> tuple[Beat, ...]:
    """Sun and moon take turns."""
    return tuple(Beat(STEP_SECONDS * 1.5, similar(is_sun)) for is_sun in (True, False, True, False))


def following(steps: int, about: Layer) -> tuple[Beat, ...]:
    """I follow: as many lights as steps, one after the other, then both ends; `about` has its suit, sun or moon."""
    around = Layer((None,) * BAR, tuple(g or Glow.OFF for g in about.suits), tuple(g or Glow.OFF for g in about.sky))
    lit = [_bar([Glow.ON] * step, BarKind.PLACES) for step in range(1, _clamp(steps, 1, BAR) + 1)]
    ends = _bar([Glow.SLOW, *[Glow.OFF] * (BAR - 2), Glow.SLOW], BarKind.PLACES)
    return (*(Beat(STEP_SECONDS, _joined(bar, around)) for bar in lit), Beat(SIGN_SECONDS, _joined(ends, around)))


def filling(seconds: float) -> tuple[Beat, ...]:
    """The bar fills while ✔ is held, and stays full."""
    beats = [Beat(seconds / BAR, hold_progress(lit)) for lit in range(1, BAR)]
    return (*beats, Beat(STAYS_FULL_SECONDS, hold_progress(BAR)))


def hold_progress(lit: int = 0) -> Layer:
    """A hold is asked for, and has come so far.

    >>> print(hold_progress(3))
    ###------------ **** ..
    """
    bar = _bar([Glow.ON] * lit + [Glow.DIM] * (BAR - lit), BarKind.METER)
    return Layer(bar.bar, (Glow.FAST,) * len(SUITS), (Glow.OFF, Glow.OFF), bar.bar_kind)


def _joined(bar: Layer, around: Layer) -> Layer:
    return Layer(bar.bar, around.suits, around.sky, bar.bar_kind)


def alternating(standing: PanelFrame, sign: Sequence[Beat]) -> PanelFrame:
    """A sign and what stands on the panel, one after the other, again and again; what stands is shown for longer."""
    stands = [
        Beat(STANDING_SECONDS if len(standing.keyframes) == 1 else seconds, shown.layer)
        for seconds, shown in standing.keyframes
    ]
    return structs.replace(standing, loop=(*sign, *stands))


def looped(sign: Sequence[Beat], on: PanelFrame = DARK) -> PanelFrame:
    """A sign alone: it moves if it has several beats."""
    if len(sign) == 1:
        return sign[0].layer.over(on)
    return structs.replace(on, loop=tuple(sign))


NUMBER_PATTERNS = (
    NumberPattern("noise", N_("How loud it is, 0 to 15; what was just added blinks."), noise, ((6,), (9, 6)), STANDING),
    NumberPattern("seats", N_("One light a player; whose turn it is pulses."), seats, ((4,), (4, 2)), STANDING),
    NumberPattern("count", N_("So many are done, so many remain and are dim."), count, ((1, 4),), STANDING),
    NumberPattern(
        "drawn", N_("The card that was drawn: its suit, and its rank's light."), drawn, (("blue", 7),), STANDING
    ),
    NumberPattern("score", N_("How far the group has come; the last light blinks."), score, ((2, 5),), ENDINGS),
    NumberPattern(
        "lens",
        N_("Turn the lens: how sharp the picture is now; the best so far blinks."),
        sharpness,
        ((34, 60),),
        FAULTS,
    ),
    NumberPattern("countdown", N_("The box shuts down unless ◀ or ▶ is let go."), countdown, ((3,),), ENDINGS),
)


def compose(*layers: Layer, on: PanelFrame = DARK) -> PanelFrame:
    """Layers over a frame, the last on top.

    >>> print(compose(noise(3), PATTERNS["green-next"].layer))
    ###............ ...~ ..
    """
    for layer in layers:
        on = layer.over(on)
    return on
