"""Silencio at the table: seats and markers in light, no sound at all, rows read by the eye."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from companion.games.cards import HIDDEN, Card
from companion.games.game import Deal, Event, Move, Over, Show
from companion.games.silencio import SILENCIO
from companion.games.silencio import records as r
from companion.games.silencio.knowledge import tops
from companion.games.silencio.records import COLOURS, NEAR_MISS, RANK_OF, ROW_OF, State
from companion.kits.silencio.tabletop import SilencioTable
from companion.table.chooser import HIDDEN_LAMPS, Pick
from companion.table.doubt import Doubt, FaceName
from companion.table.host import LEAVING_LIGHT, Cue, Host, Window
from companion.text import N_, Text, raw
from hardware import lights
from hardware.lights import PATTERNS, compose
from hardware.panel import BAR, Layer, PanelFrame

SHRINE = "shrine-"
MARKER_PATTERNS = {"skip_dark": "skip-dark", "skip_light": "skip-light", "random": "random-card", "green": "green-next"}

VERBS: dict[type[Move], str] = {
    Deal: N_("deal"),
    Show: N_("the Oracle shows"),
    r.Start: N_("the start card goes to"),
    r.NoStart: N_("nobody could agree"),
    r.PassOn: N_("give a card to the left"),
    r.Play: N_("play"),
    r.Pass: N_("pass"),
    r.Draw: N_("draw blind"),
    r.Drawn: N_("drawn"),
    r.TakeShrine: N_("use a shrine"),
    r.Tavern: N_("speak in the tavern"),
    r.Use: N_("use the effect"),
    r.Skip: N_("leave the effect"),
    r.Take: N_("take back"),
    r.Open: N_("lay open"),
    r.Choose: N_("choose a player"),
    r.Swap: N_("swap with a player"),
    r.TakeOracle: N_("swap with the Oracle"),
    r.Renew: N_("change the Oracle"),
    r.Return: N_("give in return"),
    r.Give: N_("give"),
    r.Done: N_("end the turn"),
    r.Spoken: N_("somebody spoke"),
}
CUES: dict[type[Event], Cue] = {
    r.Played: Cue("accepted"),
    r.Passed: Cue("accepted"),
    r.ShrineTaken: Cue("accepted"),
    r.Given: Cue("accepted"),
    r.Violation: Cue("refused"),
}
REFUSALS: dict[str, str] = {
    "not_climbing": "refused-climb",
    "wrong_row": "refused-row",
    "wrong_side": "refused-side",
    "must_be_green": "refused-green",
}
PLACES: dict[type[Move], int] = {
    r.Swap: 1, r.Choose: 1,
    r.TakeOracle: 3, r.Draw: 3,
    r.Renew: 5,
    r.TakeShrine: 7,
    r.Tavern: 9,
    r.Done: LEAVING_LIGHT, r.Pass: LEAVING_LIGHT, r.Skip: LEAVING_LIGHT,
}  # fmt: skip

ROUND_SECONDS = 30.0
NOT_NAMED = {
    "draw": N_("it doesn't fit: back into the hand, shown to nobody"),
    "pass_on": N_("all have given one"),
    "swap": N_("a card of the hand"),
}
"""What is picked where a card stays hidden, by the phase."""


class SilencioHost(Host[State]):
    """The host of Silencio. Everything is said in light: the box has no voice in this game (G-09)."""

    game = SILENCIO
    table = SilencioTable()
    verbs = VERBS
    cues = CUES
    echoes: ClassVar = {r.MarkerSet: r.Created}
    refusals = REFUSALS
    places = PLACES
    answer_lamps: ClassVar = {r.Use: "sun", r.Skip: "moon"}
    direct = (r.Play, r.Open, r.Take, r.Choose, r.PassOn)
    menu_moves = (r.NoStart,)
    words: ClassVar = {
        "which": ("large",),
        "effect": ("skip_dark", "take_back", "open_card", "swap"),
        "says": ("cannot_play", "only_high", "please_not"),
    }
    signs: ClassVar = {"turn": "turn"}

    def frame(self, state: State) -> PanelFrame:
        """The seats with whose turn it is, and the markers that bind the next card."""
        step = self.game.pending(state)
        seat = None if isinstance(step, Over) else step.seat
        marks = (PATTERNS[MARKER_PATTERNS[marker]].layer for marker in state.markers)
        return compose(lights.seats(state.options.players, seat), *marks)

    def is_silent(self, state: State) -> bool:
        """Always, while the game runs."""
        return state.phase != "over"

    def forced_move(self, state: State) -> Move | None:
        """The hand cards that go round at the beginning are one step, which the first player answers for all."""
        return None if is_passing_round(state) else super().forced_move(state)

    def window(self, state: State) -> Window | None:
        """The first card laid says that they have gone round, or some time does."""
        return Window(ROUND_SECONDS, r.PassOn(HIDDEN)) if is_passing_round(state) else None

    def steps(self, state: State, name: str, value: Any) -> Iterable[Pick]:
        """A colour has its own light; what the tavern is told of may be a number."""
        if value in COLOURS:
            # A shrine's colour stands for its light effect alone, a card's for both of its effects.
            key = f"{SHRINE}{value}" if name == "which" else value
            return [Pick(key, self.game.term(value), (value,), 0, "suit")]
        if name == "card" and value == HIDDEN and state.phase in NOT_NAMED:
            return [Pick(value, Text(NOT_NAMED[state.phase]), HIDDEN_LAMPS, 0, "suit")]
        if name == "about":
            return [Pick(value, raw(value), (), max(0, int(value) - 1) if value != "0" else BAR - 1)]
        return super().steps(state, name, value)

    def card_steps(self, card: Card) -> Sequence[Pick]:
        """Colour first, on its own light, then the rank."""
        if card == HIDDEN:
            return [Pick(card, self.game.term(HIDDEN), HIDDEN_LAMPS, 0, "suit")]
        colour = COLOURS[ROW_OF[card]]
        return [
            Pick(colour, self.game.term(colour), (colour,), 0, "suit"),
            Pick(card, raw(RANK_OF[card]), (colour,), RANK_OF[card] - 1),
        ]

    def shown(self, state: State, move: Move) -> Layer:
        """A card in a row: its suit, and the side it has by the rules."""
        card = getattr(move, "card", None)
        if card not in RANK_OF:
            return Layer()
        if not isinstance(move, r.Play | r.Drawn):
            return lights.card(COLOURS[ROW_OF[card]])
        is_light = RANK_OF[card] != tops(state)[ROW_OF[card]] + 1
        return lights.card(COLOURS[ROW_OF[card]], is_light)

    def ending(self, state: State, over: Over) -> PanelFrame:
        """The score band (SIL-41)."""
        if over.reason in ("no_start", "spoken"):
            return super().ending(state, over)
        (left,) = over.score
        band = 3 if left == 0 else 2 if left <= NEAR_MISS[state.options.players] else 1
        return compose(PATTERNS["won" if over.winners else "lost"].layer, lights.score(band, 3))

    def place(self, doubt: Doubt, name: FaceName) -> int:
        """The light of its rank."""
        return RANK_OF[name.card] - 1


def is_passing_round(state: State) -> bool:
    """Whether hand cards that the box can't see are about to go to the left (SIL-06)."""
    return state.phase == "pass_on" and not state.passed_on and state.options.driver == "table"
