"""Silentes at the table: the bar is the noise meter, hunts sweep over it, the voice says what comes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from companion.games.cards import HIDDEN, Card
from companion.games.game import Deal, Decide, Event, Move, Reveal, Show
from companion.games.silentes import SILENTES
from companion.games.silentes import happenings as h
from companion.games.silentes.records import RANK_OF, SUIT_OF, State
from companion.kits.silentes.tabletop import SilentesTable
from companion.table.chooser import Pick
from companion.table.host import RULES, Buttons, Cue, Host, Window
from companion.table.sight import Doubt, Name, Sight
from companion.text import N_, raw
from hardware import lights
from hardware.lights import PATTERNS, compose
from hardware.panel import Glow, Layer, PanelFrame

# Each tarot suit has a lamp of the panel: fire, water, air, earth.
LAMPS = {"wands": "red", "cups": "blue", "swords": "yellow", "pentacles": "green"}
CARD_AT = {card: at for at, card in enumerate(RANK_OF)}
ASKED = {0: (Glow.SLOW, Glow.OFF), 1: (Glow.OFF, Glow.SLOW), None: (Glow.SLOW, Glow.SLOW)}
"""The first player is the sun, the second the moon."""
WINDOWS = ("partner", "reaction", "bonus", "cancel")
WINDOW_SECONDS = 8.0
HELD_SECONDS = 10.0
GHOST_SECONDS = 4.0

VERBS: dict[type[Move], str] = {
    Deal: N_("a card is drawn"),
    Show: N_("turned up"),
    h.Ghost: N_("drawn twice, discarded"),
    h.Held: N_("one of us holds it"),
    h.Fresh: N_("nobody holds it"),
    h.Coin: N_("the coin shows"),
    h.First: N_("acts first"),
    h.Place: N_("token on shelter"),
    h.Go: N_("move to shelter"),
    h.Hide: N_("hide with"),
    h.Entrench: N_("entrench"),
    h.Search: N_("search"),
    h.Distract: N_("distract in"),
    h.Discard: N_("discard"),
    h.Pass: N_("pass"),
    h.Use: N_("use"),
    h.No: N_("no"),
    h.Accept: N_("yes"),
    h.Lay: N_("lay on shelter"),
    h.Take: N_("take back"),
    h.Put: N_("next comes"),
    h.Give: N_("give"),
    h.Share: N_("for player"),
    h.Blame: N_("blame player"),
    h.Ruin: N_("shelter falls"),
    h.Divert: N_("divert to"),
}
CUES: dict[type[Event], Cue] = {
    h.HuntDrawn: Cue(sound="hunt", is_spoken=True),
    h.HuntShown: Cue(sound="hunt", is_spoken=True),
    h.HuntAnnulled: Cue(is_spoken=True),
    h.OmenShown: Cue("noise", sound="omen", is_spoken=True),
    h.Escaped: Cue("accepted", sound="accepted", is_spoken=True),
    h.Heard: Cue(is_spoken=True),
    h.NoiseRose: Cue("noise", sound="noise", is_spoken=True),
    h.NoiseFell: Cue("accepted", is_spoken=True),
    h.Hidden: Cue("accepted", sound="accepted"),
    h.Used: Cue("accepted", sound="accepted", is_spoken=True),
    h.Ended: Cue(is_spoken=True),
}
HOW: dict[str, str] = RULES | {
    "suited": N_("by suit, then rank"),
    "cell": N_("one light a shelter"),
    "suit": N_("one light a suit"),
}


class SilentesHost(Host[State]):
    """The host of Silentes."""

    game = SILENTES
    table = SilentesTable()
    # Real cards in the hands and on the table, and hunts that need no camera; phones must be asked for.
    usual: ClassVar[dict[str, Any]] = {"drawing": "virtual"}
    verbs = VERBS
    cues = CUES
    rules = HOW

    def frame(self, state: State) -> PanelFrame:
        """The noise meter; while a hunt is on, its suit blinks."""
        meter = lights.noise(state.noise)
        if state.hunt and state.phase not in ("action", "partner", "refill"):
            return compose(meter, Layer(suits=lights.hunt(LAMPS[SUIT_OF[state.hunt[0]]], 0).suits))
        return compose(meter)

    def asking(self, state: State, sight: Sight | None) -> Layer:
        """Windows pulse, the drawn hunt sweeps up the bar, real cards are asked for; sun or moon: a player is."""
        if state.phase in WINDOWS:
            return PATTERNS["anyone"].layer
        if state.phase == "held":
            card = state.drawn[0]
            return lights.hunt(LAMPS[SUIT_OF[card]], RANK_OF[card])
        step = self.game.pending(state)
        if isinstance(step, Reveal) and not self.draws(state):
            return PATTERNS["lay"].layer
        return Layer(sky=ASKED[step.seat]) if isinstance(step, Decide) else Layer()

    def draws(self, state: State) -> bool:
        """The box deals everything for phones, and hunts, omens and coins where it draws virtually."""
        if state.options.drawing == "phone":
            return True
        return state.options.drawing == "virtual" and state.phase in ("hunt", "omen", "coin")

    def by_itself(self, state: State) -> Move | None:
        """A hidden card that is drawn needs nobody's word, nor does a pass for lack of anything else."""
        legal = self.game.legal(state)
        return legal[0] if legal in ([Deal(HIDDEN)], [h.Pass()]) else None

    def window(self, state: State) -> Window | None:
        """A short “anyone?”; a drawn card nobody claims is fresh; a refill nobody corrects is no ghost."""
        if state.phase in WINDOWS:
            return Window(WINDOW_SECONDS, h.No())
        if state.phase == "held":
            return Window(HELD_SECONDS, h.Fresh())
        if Deal(HIDDEN) in self.game.legal(state):
            return Window(GHOST_SECONDS, Deal(HIDDEN))
        return None

    def buttons(self, state: State) -> Buttons:
        """✖ says no, or that one holds the card; ✔ accepts where that is all there is to say."""
        legal = self.game.legal(state)
        if state.phase == "held":
            return Buttons(h.Fresh(), h.Held())
        no = h.No() if h.No() in legal else None
        return Buttons(h.Accept() if h.Accept() in legal else None, no)

    def order(self, move: Move) -> tuple[int, ...]:
        """Suits as their lights stand on the panel, ranks from low to high; the rules list known cards first."""
        return (CARD_AT.get(getattr(move, "card", ""), -1),)

    def card_steps(self, card: Card) -> Sequence[Pick]:
        """Suit first, on its own light, then the rank; an omen by its number."""
        if card not in RANK_OF:
            return super().card_steps(card)
        suit = SUIT_OF[card]
        lamps = (LAMPS[suit],)
        return [Pick(suit, self.game.term(suit), lamps), Pick(card, raw(RANK_OF[card]), lamps)]

    def steps(self, state: State, name: str, value: Any) -> Iterable[Pick]:
        """A shelter by its number on the map, with its suit's light."""
        if name != "cell":
            return super().steps(state, name, value)
        suit = SUIT_OF.get(state.map[value])
        return [Pick(str(value), raw(value + 1), () if suit is None else (LAMPS[suit],))]

    def shown(self, state: State, move: Move) -> Layer:
        """A recognised card: its suit's light."""
        card = getattr(move, "card", "")
        if card in SUIT_OF:
            return Layer(bar=PATTERNS["question"].layer.bar, suits=lights.card(LAMPS[SUIT_OF[card]]).suits)
        return PATTERNS["question"].layer

    def place(self, doubt: Doubt, name: Name) -> int:
        """The light of its rank; an omen or a provision has its place in the list."""
        return RANK_OF[name.card] - 1 if name.card in RANK_OF else super().place(doubt, name)
