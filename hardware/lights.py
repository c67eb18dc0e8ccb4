"""The light language: every pattern with its name, meaning and drawing. docs/lights.md is made from it.

It says how something looks, not when: the table maps a game's questions and events to these patterns. No
pattern is told by colour alone: each has its place, its rhythm or its number of blocks on the bar.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from companion.text import N_
from hardware.panel import BAR, DARK, SUITS, Glow, Layer, PanelFrame, Reading


class Pattern(Struct, frozen=True):
    """A fixed pattern. It's a layer: lamps drawn as `_` keep what lies below."""

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


class Gauge(Struct, frozen=True):
    """A pattern with numbers in it: a function, and examples of what it draws."""

    name: str
    meaning: str
    draw: Callable[..., Layer]
    examples: tuple[tuple[int | str | bool, ...], ...]
    topic: str


QUESTIONS = N_("Questions")
REFUSALS = N_("Refusals: count the fast blocks from the left")
MARKERS = N_("Markers: they pulse as long as they hold")
ENDINGS = N_("Endings")
BOX = N_("The box itself")
FAULTS = N_("Faults: count the slow blocks from the right")
TOPICS = (QUESTIONS, REFUSALS, MARKERS, ENDINGS, BOX, FAULTS)

_FIXED = (
    ("question", N_("Is this right? ✔ yes, ✖ no."), "o.............o ____ __", QUESTIONS),
    ("offer", N_("A light effect may be used: ✔ use it, ✖ leave it."), "o.............o ____ o_", QUESTIONS),
    ("demand", N_("A dark effect must be carried out; ✔ when done."), "o.............o ____ _o", QUESTIONS),
    ("lay", N_("Lay a card. The box is looking."), "......---...... ____ __", QUESTIONS),
    ("anyone", N_("Anyone? A short window to step in with ✔."), "~~~~~~~~~~~~~~~ ____ __", QUESTIONS),
    ("hand", N_("A hand is in the picture: the box waits."), "-.-.-.-.-.-.-.- ____ __", QUESTIONS),
    (
        "doubt",
        N_("There lies a card that the box can't name: ◀ ▶ and ✔ name it, ✖ leaves it."),
        "o.....ooo.....o ____ __",
        QUESTIONS,
    ),
    ("thinking", N_("The box is working; a moment, please."), "....~.~.~.~.... ____ __", QUESTIONS),
    ("refused-climb", N_("The card doesn't climb over the row."), "**............. ____ __", REFUSALS),
    ("refused-row", N_("The card doesn't belong in this row."), "**.**.......... **** __", REFUSALS),
    ("refused-side", N_("The card lies the wrong way round."), "**.**.**....... ____ **", REFUSALS),
    ("refused-green", N_("A green card is due."), "**.**.**.**.... ...* __", REFUSALS),
    ("refused-now", N_("The rules don't allow this now."), "**.**.**.**.**. ____ __", REFUSALS),
    ("unreadable", N_("The camera can't read a card; lay it straight."), "*************** ____ __", REFUSALS),
    ("skip-dark", N_("The next dark effect is skipped."), "_______________ ____ _~", MARKERS),
    ("skip-light", N_("The next light effect is skipped."), "_______________ ____ ~_", MARKERS),
    ("random-card", N_("The next player plays a card at random."), "_______~_______ ____ __", MARKERS),
    ("green-next", N_("The next card must be green."), "_______________ ___~ __", MARKERS),
    ("won", N_("The game is won."), "############### .... #.", ENDINGS),
    ("lost", N_("The game is lost."), "--------------- .... .#", ENDINGS),
    ("idle", N_("On, and no game runs."), ".......-....... .... ..", BOX),
    ("starting", N_("The box is starting."), "~............~. .... ~~", BOX),
    ("menu", N_("The menu: ◀ ▶ to choose, ✔ to take."), "o.o.o.o.o.o.o.o ____ __", BOX),
    ("saved", N_("The game is saved; it's safe to pull the plug."), "#.............# .... .-", BOX),
    ("no-camera", N_("No camera: play goes on by buttons."), ".............oo ____ __", FAULTS),
    ("no-sound", N_("No sound: the game goes on in light."), "..........oo.oo ____ __", FAULTS),
    (
        "no-record",
        N_("The game can't be saved: the disk is full or broken."),
        ".......oo.oo.oo ____ __",
        FAULTS,
    ),
    ("too-hot", N_("The box is too hot or has too little power."), "....oo.oo.oo.oo ____ __", FAULTS),
    ("no-eye", N_("The camera's pictures can't be read: play goes on by buttons."), "ooooo.......... ____ __", FAULTS),
    ("no-markers", N_("A corner marker isn't in sight: play goes on by buttons."), ".oo.oo.oo.oo.oo ____ __", FAULTS),
    (
        "blurred",
        N_("The picture is blurred: turn the lens until the bar is longest."),
        "###.o.......... oooo __",
        FAULTS,
    ),
)
PATTERNS = {name: Pattern(name, meaning, drawing, topic) for name, meaning, drawing, topic in _FIXED}


def _bar(glows: list[Glow], reading: Reading) -> Layer:
    return Layer(bar=tuple(glows + [Glow.OFF] * (BAR - len(glows))), reading=reading)


def noise(level: int, before: int | None = None) -> Layer:
    """The noise meter, 0 to 15. With `before`, what has just been added blinks.

    >>> print(noise(7, before=5))
    #####**........ ____ __
    """
    level = _within(level, 0, BAR)
    steady = level if before is None else min(level, _within(before, 0, BAR))
    return _bar([Glow.ON] * steady + [Glow.FAST] * (level - steady), Reading.METER)


_PAGE_GLOW = (Glow.ON, Glow.SLOW, Glow.FAST)


def chooser(choice: int, options: int, lamps: int = BAR) -> Layer:
    """The chooser: one lamp an option, the chosen one bright. `choice` counts from 0.

    More options than lamps are turned like pages: the chosen lamp is steady on the first page, blinks slowly
    on the second and fast on the third.

    >>> print(chooser(2, 4))
    --#-........... ____ __
    >>> print(chooser(11, 12, lamps=10))
    -o............. ____ __
    """
    if not 0 <= choice < options:
        raise ValueError(f"there is no option {choice} of {options}")
    if options > lamps * len(_PAGE_GLOW):
        raise ValueError(f"{options} options are too many for {lamps} lamps: ask in two steps")
    return naming(choice, *range(options), lamps=lamps)


def naming(place: int | None, *others: int, lamps: int = BAR) -> Layer:
    """A card being named: the lamp of its rank, or of its place in a list, among those of other cards. Counts from 0.

    Pages are turned as in the chooser. None shows only what there is.

    >>> print(naming(4, 0, 3, 7))
    -..-#..-....... ____ __
    """
    page, bright = divmod(place or 0, lamps)
    glows = [Glow.OFF] * lamps
    for other in others:
        if other // lamps == page:
            glows[other % lamps] = Glow.DIM
    if place is not None:
        glows[bright] = _PAGE_GLOW[page % len(_PAGE_GLOW)]
    return _bar(glows, Reading.PLACES)


def seats(players: int, seat: int | None = None) -> Layer:
    """The seats, one lamp a player; the one whose turn it is pulses. `seat` counts from 0."""
    glows = [Glow.DIM] * _within(players, 1, BAR)
    if seat is not None:
        glows[seat] = Glow.PULSE
    return _bar(glows, Reading.PLACES)


def count(done: int, total: int) -> Layer:
    """So many of so many: done ones bright, the rest blink until they are."""
    total = _within(total, 0, BAR)
    done = _within(done, 0, total)
    return _bar([Glow.ON] * done + [Glow.SLOW] * (total - done), Reading.PLACES)


def countdown(left: int, total: int = 5) -> Layer:
    """Seconds left, as a blinking bar that shrinks to the middle."""
    edge = BAR // 2 - _within(round(BAR * left / total), 0, BAR) // 2
    return _bar([Glow.OFF] * edge + [Glow.SLOW] * (BAR - 2 * edge), Reading.METER)


def lens(sharpness: int, best: int) -> Layer:
    """How sharp the picture is while the lens is turned, 0 to 100; the best so far blinks.

    >>> print(lens(34, 60))
    #####...o...... oooo __
    """
    lit, most = (_within(round(BAR * value / 100), 1, BAR) for value in (sharpness, best))
    glows = [Glow.ON] * lit + [Glow.OFF] * (BAR - lit)
    glows[most - 1] = Glow.SLOW
    return Layer(bar=tuple(glows), suits=(Glow.SLOW,) * len(SUITS), reading=Reading.METER)


def score(band: int, bands: int) -> Layer:
    """The score band reached, as a share of the bar; its last lamp blinks. `band` counts from 1."""
    lit = _within(round(BAR * band / bands), 1, BAR)
    return _bar([Glow.ON] * (lit - 1) + [Glow.SLOW], Reading.METER)


def card(suit: str, light: bool | None = None) -> Layer:
    """A recognised card: its suit's lamp, and sun or moon for its light or dark side."""
    suits = tuple(Glow.ON if name == suit else Glow.OFF for name in SUITS)
    if light is None:
        return Layer(suits=suits)
    return Layer(suits=suits, sky=(Glow.ON, Glow.OFF) if light else (Glow.OFF, Glow.ON))


def similar(is_similar: bool) -> Layer:
    """A clue: similar is the sun, different the moon."""
    return Layer(sky=(Glow.ON, Glow.OFF) if is_similar else (Glow.OFF, Glow.ON))


def hunt(suit: str, perception: int) -> Layer:
    """A hunt: its suit blinks, its perception stands on the bar."""
    suits = tuple(Glow.SLOW if name == suit else Glow.OFF for name in SUITS)
    meter = noise(perception)
    return Layer(bar=meter.bar, suits=suits, reading=Reading.METER)


def _within(value: int, low: int, high: int) -> int:
    return max(low, min(high, value))


GAUGES = (
    Gauge("noise", N_("How loud it is, 0 to 15; what was just added blinks."), noise, ((6,), (9, 6)), QUESTIONS),
    Gauge(
        "chooser",
        N_("One light an option, the chosen one bright; ◀ ▶ move it, ✔ takes it. On a second page it blinks."),
        chooser,
        ((2, 5), (16, 20)),
        QUESTIONS,
    ),
    Gauge(
        "naming",
        N_("A card being named: its suit, and the light of its rank; without a rank, of its place in the list."),
        naming,
        ((4, 0, 3, 7),),
        QUESTIONS,
    ),
    Gauge("seats", N_("One light a player; whose turn it is pulses."), seats, ((4,), (4, 2)), QUESTIONS),
    Gauge("count", N_("So many are done, so many remain and blink."), count, ((1, 4),), QUESTIONS),
    Gauge(
        "card",
        N_("The card the box has recognised: its suit, and sun for the light side or moon for the dark."),
        card,
        (("red", True), ("green", False)),
        QUESTIONS,
    ),
    Gauge("similar", N_("A clue: the sun says similar, the moon different."), similar, ((True,),), QUESTIONS),
    Gauge(
        "hunt",
        N_("A hunt: its suit blinks, the bar shows how well it hears."),
        hunt,
        (("blue", 7),),
        QUESTIONS,
    ),
    Gauge("score", N_("How far the group has come; the last light blinks."), score, ((2, 5),), ENDINGS),
    Gauge(
        "lens",
        N_("Turn the lens: how sharp the picture is now; the best so far blinks."),
        lens,
        ((34, 60),),
        FAULTS,
    ),
    Gauge("countdown", N_("The box shuts down unless ◀ or ▶ is let go."), countdown, ((3,),), BOX),
)


def compose(*layers: Layer, on: PanelFrame = DARK) -> PanelFrame:
    """Layers over a frame, the last on top.

    >>> print(compose(noise(3), PATTERNS["green-next"].layer))
    ###............ ...~ ..
    """
    for layer in layers:
        on = layer.over(on)
    return on
