"""Silentes at the table: the bar is the noise meter, hunts sweep over it, the voice says what comes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from companion.games.cards import HIDDEN, Card
from companion.games.game import Deal, Decide, Event, IllegalMove, Move, Reveal, Show
from companion.games.silentes import SILENTES
from companion.games.silentes import happenings as h
from companion.games.silentes.records import HOLE, PROVISIONS, RANK_OF, SUIT_OF, State
from companion.table.chooser import Pick
from companion.table.host import RULES, Buttons, Cue, Host, Window
from companion.table.sight import NOTHING, TWO_CARDS, Doubt, Name, Proposal, Seen, Sight, refused
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
PILES = {"hunt": "hunt", "omen": "omen", "gift": "provisions"}
"""Where a card is turned up, by the question that waits for it."""

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

    def propose(self, state: State, sight: Sight) -> Proposal:
        """A card turned up in its place, or played as silence."""
        legal = self.game.legal(state)
        if state.phase in ("map", "remap"):
            cells = in_reading_order(sight.zone("shelters"))
            fresh = [seen.card for seen in cells if seen.card and seen.card not in state.map]
            if len(fresh) == needed(state) and all(Show(card) in legal for card in fresh):
                return Proposal(series=tuple(Show(card) for card in fresh))
            return NOTHING
        zone = PILES.get(state.phase)
        if zone is not None:
            known = turned(state)
            return self._one_of(state, [Show(one.card) for one in sight.zone(zone) if one.card not in known])
        if state.phase == "hide":
            known = lying(state)
            laid = [one.card for one in sight.zone(*HIDING) if one.card not in known]
            return self._one_of(state, [h.Hide(card) for card in laid])
        return NOTHING

    def readings(self, state: State, sight: Sight, stranger: Seen) -> Sequence[Name]:
        """A card turned up in its place, a shelter once all of them lie there, or one played as silence."""
        if state.phase in ("map", "remap") and stranger.zone == "shelters":
            fresh = [seen for seen in sight.zone("shelters") if seen.card not in state.map]
            unnamed = [seen for seen in sight.unnamed("shelters") if seen.was not in state.map]
            is_awaited = stranger in unnamed and len(fresh) + len(unnamed) >= needed(state)
        elif state.phase in PILES:
            is_awaited = stranger.zone == PILES[state.phase] and stranger.was not in turned(state)
        else:
            is_awaited = state.phase == "hide" and stranger.zone in HIDING and stranger.was not in lying(state)
        if not is_awaited:
            return ()
        return [Name(move.card) for move in self.game.legal(state) if isinstance(move, Show | h.Hide)]

    def place(self, doubt: Doubt, name: Name) -> int:
        """The light of its rank; an omen or a provision has its place in the list."""
        return RANK_OF[name.card] - 1 if name.card in RANK_OF else super().place(doubt, name)

    def _one_of(self, state: State, moves: Sequence[Move]) -> Proposal:
        """The move that one new card means, or why it can't be."""
        if len(moves) != 1:
            return TWO_CARDS if moves else NOTHING
        try:
            self.game.apply(state, moves[0])
        except IllegalMove as refusal:
            return refused(refusal.code, refusal.reason)
        return Proposal(tuple(moves))


HIDING = ("shelters", "played")


def needed(state: State) -> int:
    """How many shelters are still to be turned up."""
    return 8 - len([one for one in state.map if one != HOLE]) if state.phase == "map" else 8


def turned(state: State) -> set[Card]:
    """Cards that have been turned up already."""
    return {*state.gone, *state.omens, *PROVISIONS} - {*state.unseen_provisions}


def lying(state: State) -> set[Card]:
    """Shelters, and cards played as silence."""
    return {*state.map, *(card for played in state.played for card in played)}


def in_reading_order(cards: Sequence[Seen]) -> list[Seen]:
    """Shelters as a page is read: the upper four from the left, then the lower four."""
    upper = sorted(cards, key=lambda seen: seen.y)
    half = len(upper) // 2
    return sorted(upper[:half], key=lambda seen: seen.x) + sorted(upper[half:], key=lambda seen: seen.x)
