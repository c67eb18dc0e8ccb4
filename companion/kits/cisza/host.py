"""Cisza at the table: seats, the city's alertness and its clock in light; cards and zombies read by the eye."""

from __future__ import annotations

from typing import ClassVar

from companion.games.cards import Card
from companion.games.cisza import CISZA
from companion.games.cisza import records as r
from companion.games.cisza.records import CITY_SIZE, HORDE, RESOURCES, ZOMBIES, State
from companion.games.game import Deal, Event, Move, Over, Show
from companion.kits.cisza.tabletop import CiszaTable
from companion.table.host import RULES, Buttons, Cue, Host
from companion.table.sight import Sight
from companion.text import N_
from hardware import lights
from hardware.lights import PATTERNS, compose
from hardware.panel import BAR, Glow, Layer, PanelFrame, Reading

VERBS: dict[type[Move], str] = {
    Deal: N_("deal"),
    Show: N_("the city shows"),
    r.Shuffle: N_("the discards are shuffled"),
    r.Start: N_("begins"),
    r.Keep: N_("keep the hand"),
    r.Mulligan: N_("draw three others"),
    r.Discard: N_("discard"),
    r.Play: N_("play"),
    r.NoiseOnly: N_("only make noise with"),
    r.Done: N_("done"),
    r.Target: N_("against player"),
    r.Kill: N_("eliminate"),
    r.KillTop: N_("eliminate the one on the city"),
    r.Send: N_("send"),
    r.Assign: N_("give"),
    r.UseBarrier: N_("use the barrier"),
}
CUES: dict[type[Event], Cue] = {
    r.Played: Cue("accepted", sound="accepted"),
    r.Placed: Cue("accepted", sound="accepted"),
    r.Noise: Cue("noise", sound="noise", is_spoken=True),
    r.Entered: Cue(is_spoken=True),
    r.HordeCame: Cue("noise", sound="omen", is_spoken=True),
    r.Attacked: Cue(sound="hunt", is_spoken=True),
    r.AttackSkipped: Cue(is_spoken=True),
    r.Eliminated: Cue("loss", sound="loss", is_spoken=True),
    r.FinalAttack: Cue("noise", sound="omen", is_spoken=True),
    r.Ended: Cue("win", sound="win", is_spoken=True),
}
HOW: dict[str, str] = RULES | {"zombie": N_("one light a kind of zombie")}


class CiszaHost(Host[State]):
    """The host of Cisza."""

    game = CISZA
    table = CiszaTable()
    verbs = VERBS
    cues = CUES
    rules = HOW
    lists: ClassVar[dict[str, tuple[Card, ...]]] = {
        N_("Cards have this order."): RESOURCES,
        N_("Zombies have this order."): tuple(sorted(ZOMBIES[:HORDE])),
    }

    def frame(self, state: State) -> PanelFrame:
        """Seats on the left, then how much of the city is left; sun for a calm city, moon for an alert one."""
        step = self.game.pending(state)
        seat = None if isinstance(step, Over) or step.seat is None else step.seat
        players = state.options.players
        bar = list(lights.seats(players, seat).bar)
        for out in state.out:
            bar[out] = Glow.OFF
        room = BAR - players - 1
        left = -(-room * state.city // CITY_SIZE)
        for place in range(left):
            bar[BAR - 1 - place] = Glow.ON if not state.final else Glow.FAST
        alert = state.top != "none"
        sky = (Glow.OFF, Glow.SLOW) if alert else (Glow.DIM, Glow.OFF)
        return compose(Layer(bar=tuple(bar), sky=sky, reading=Reading.PLACES))

    def asking(self, state: State, sight: Sight | None) -> Layer:
        """A turned city card is demanded; everything else is asked of the seat that pulses."""
        return PATTERNS["lay"].layer if state.phase in ("flip", "horde") else Layer()

    def by_itself(self, state: State) -> Move | None:
        """A phase without a choice goes by itself: a target when there is only one."""
        if state.phase in ("target", "send", "kill"):
            legal = self.game.legal(state)
            return legal[0] if len(legal) == 1 else None
        return None

    def buttons(self, state: State) -> Buttons:
        """✖ ends cards and barriers; ✔ keeps the first hand and confirms a shuffle."""
        if state.phase == "mulligan":
            return Buttons(r.Keep(), r.Mulligan())
        if state.phase == "shuffle":
            return Buttons(r.Shuffle())
        done = r.Done()
        return Buttons(None, done if done in self.game.legal(state) else None)

    def order(self, move: Move) -> tuple[str, int]:
        """Seats as they stand on the bar; the rules count them from the player on."""
        return getattr(move, "card", getattr(move, "zombie", "")), getattr(move, "seat", -1)
