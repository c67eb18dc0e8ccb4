"""Silencio at the table: seats and markers in light, no sound at all, rows read by the eye."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.cards import Card
from companion.games.game import Deal, Event, Move, Over, Show
from companion.games.silencio import SILENCIO
from companion.games.silencio import records as r
from companion.games.silencio.records import COLOURS, NEAR_MISS, RANK_OF, ROW_OF, State
from companion.games.silencio.sight import tops
from companion.kits.silencio.tabletop import SilencioTable
from companion.table.chooser import Pick
from companion.table.host import RULES, Buttons, Cue, Host
from companion.table.sight import Doubt, Name, Sight
from companion.text import N_, raw
from hardware import lights
from hardware.lights import PATTERNS, compose
from hardware.panel import Layer, PanelFrame

MARKERS = {"skip_dark": "skip-dark", "skip_light": "skip-light", "random": "random-card", "green": "green-next"}
ROWS: tuple[str, ...] = COLOURS
CARD_AT = {card: at for at, card in enumerate(RANK_OF)}

VERBS: dict[type[Move], str] = {
    Deal: N_("deal"),
    Show: N_("the Oracle shows"),
    r.Start: N_("the start card goes to"),
    r.NoStart: N_("nobody could agree"),
    r.PassOn: N_("pass a card to the left"),
    r.Play: N_("play"),
    r.Pass: N_("pass"),
    r.Draw: N_("draw blind"),
    r.Drawn: N_("drawn"),
    r.TakeShrine: N_("take a shrine"),
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
HOW: dict[str, str] = RULES | {
    "suited": N_("by colour, then rank"),
    "which": N_("one light a shrine"),
    "effect": N_("one light an effect"),
    "says": N_("one light a sentence"),
    "about": N_("one light a colour or number"),
}


class SilencioHost(Host[State]):
    """The host of Silencio. Everything is said in light: the box has no voice in this game (G-09)."""

    game = SILENCIO
    table = SilencioTable()
    verbs = VERBS
    cues = CUES
    refusals = REFUSALS
    rules = HOW

    def frame(self, state: State) -> PanelFrame:
        """The seats with whose turn it is, and the markers that bind the next card."""
        step = self.game.pending(state)
        seat = None if isinstance(step, Over) else step.seat
        marks = (PATTERNS[MARKERS[marker]].layer for marker in state.markers)
        return compose(lights.seats(state.options.players, seat), *marks)

    def asking(self, state: State, sight: Sight | None) -> Layer:
        """Light effects are offered, dark ones demanded; a turn needs no more than its seat."""
        if state.phase == "light":
            return Layer(sky=PATTERNS["offer"].layer.sky)
        if state.phase == "give":
            return Layer(sky=PATTERNS["demand"].layer.sky)
        return PATTERNS["lay"].layer if state.phase == "oracle" else Layer()

    def is_silent(self, state: State) -> bool:
        """Always, while the game runs."""
        return state.phase != "over"

    def by_itself(self, state: State) -> Move | None:
        """A player without cards passes (SIL-16), unless a card could be borrowed or the tavern used."""
        if state.phase == "turn" and not state.hands[state.turn] and not state.open[state.turn]:
            legal = [move for move in self.game.legal(state) if not isinstance(move, r.Spoken)]
            if legal == [r.Pass()]:
                return legal[0]
        return None

    def buttons(self, state: State) -> Buttons:
        """✔ uses an effect and ✖ leaves it; in the end window ✖ ends the turn."""
        if state.phase == "light":
            skip = r.Skip() if r.Skip() in self.game.legal(state) else None
            return Buttons(r.Use() if state.effect == "skip_dark" else None, skip)
        if state.phase == "end":
            return Buttons(None, r.Done())
        return Buttons()

    def order(self, move: Move) -> tuple[int, ...]:
        """Colours as their lights stand on the panel, ranks from low to high; the rules sort cards by their letters."""
        return (CARD_AT.get(getattr(move, "card", ""), -1),)

    def card_steps(self, card: Card) -> Sequence[Pick]:
        """Colour first, on its own light, then the rank."""
        if card not in RANK_OF:
            return super().card_steps(card)
        colour = COLOURS[ROW_OF[card]]
        return [Pick(colour, self.game.term(colour), (colour,)), Pick(card, raw(RANK_OF[card]), (colour,))]

    def shown(self, state: State, move: Move) -> Layer:
        """A card in a row: its suit, and the side it has by the rules."""
        if isinstance(move, r.Play | r.Drawn):
            is_light = RANK_OF[move.card] != tops(state)[ROW_OF[move.card]] + 1
            return asked(lights.card(COLOURS[ROW_OF[move.card]], is_light))
        card = getattr(move, "card", None)
        return asked(lights.card(COLOURS[ROW_OF[card]])) if card in RANK_OF else PATTERNS["question"].layer

    def ending(self, state: State, over: Over) -> PanelFrame:
        """The score band (SIL-41)."""
        if over.reason in ("no_start", "spoken"):
            return super().ending(state, over)
        (left,) = over.score
        band = 3 if left == 0 else 2 if left <= NEAR_MISS[state.options.players] else 1
        return compose(PATTERNS["won" if over.winners else "lost"].layer, lights.score(band, 3))

    def place(self, doubt: Doubt, name: Name) -> int:
        """The light of its rank."""
        return RANK_OF[name.card] - 1


def asked(layer: Layer) -> Layer:
    """A layer with the question's lights at both ends of the bar."""
    return Layer(bar=PATTERNS["question"].layer.bar, suits=layer.suits, sky=layer.sky)
