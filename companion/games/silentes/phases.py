"""What can be in which phase of a round of Silentes; what can't is refused where a state is written by hand."""

from __future__ import annotations

from companion.games.cards import HIDDEN, Card
from companion.games.silentes.knowledge import hidden_hunt_cards
from companion.games.silentes.map import hunted, nearest, shelters
from companion.games.silentes.omens import highest
from companion.games.silentes.records import (
    CELLS,
    HAND_SIZE,
    HOLE,
    IS_HUNT,
    IS_PROVISION,
    OMENS,
    State,
)
from companion.games.silentes.rounds import hand_count, nature_deals
from companion.games.states import strays, too_early

# What can have a value before the first round; anything else would be a trace of a game that hasn't begun.
BEFORE: dict[str, tuple[str, ...]] = {
    "map": ("map", "deck", "stock"),
    "deal": ("map", "deck", "stock", "hands"),
    "place": ("map", "deck", "stock", "hands", "tokens"),
}
ACTIONS = ("partner", "action", "hide", "throw", "search")
OMEN = (
    "omen", "trade", "gift", "share", "peek", "order", "sacrifice", "ride", "coin", "blame", "penance", "justice",
    "remap", "tower", "flee", "star",
)  # fmt: skip
HUNTING = ("reaction", "mirror", "bonus", "cancel", "reward", *OMEN)
COMPARED = ("bonus", "cancel", "reward")
# Steps of a provision, and a card that the box drew: afterwards the phase in `resume` goes on.
STEPS = ("barrier", "lay_mirror", "recover", "aid", "aid_draw", "aid_discard", "peek_omens", "order_omens")
INTERRUPTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(STEPS, ("partner", "action", "reaction", "bonus", "cancel")),
    "held": ("hunt", "peek"),
}
# The phases, `resume` for a step within one, in which a field means something.
BELONGS: dict[str, tuple[str, ...]] = {
    "played": (*ACTIONS, "hunt", *HUNTING, "over"),
    "acts": (*ACTIONS, "hunt", *HUNTING, "over"),
    "cries": (*ACTIONS, "hunt", *HUNTING, "over"),
    "barrier": (*ACTIONS, "hunt", *HUNTING, "over"),
    "hunt": (*HUNTING, "over"),
    "zone": (*COMPARED, *OMEN, "over"),
    "bonus": (*COMPARED, *OMEN, "over"),
    "due": ("cancel", "over"),
    "rewards": ("search", "reward", "justice", "cancel", "over"),
    "coming": (*HUNTING, "over"),
    "spared": (*HUNTING, "over"),
    "tools": ("action", "hide"),
    "reason": ("over",),
}
# What was drawn and lies nowhere yet.
DRAWN: dict[str, frozenset[Card]] = {
    "held": IS_HUNT,
    "share": IS_PROVISION,
    "barrier": frozenset({"wands-02"}),
    "lay_mirror": frozenset({"swords-03"}),
}
# Which cards must be there for nature to give.
FROM_DECK = ("map", "deal", "hunt", "peek", "remap", "refill", "aid_draw")
FROM_STOCK = ("search", "reward", "justice", "gift")


def main_phase(state: State) -> str:
    """The phase that is under way, also while a provision is played in it."""
    return state.resume if state.phase in INTERRUPTS else state.phase


def wrong_fields(state: State) -> list[str]:
    """Fields that don't go with the phase."""
    phase = state.phase
    if phase in INTERRUPTS and state.resume not in INTERRUPTS[phase]:
        return ["resume"]
    wrong = [name for name, phases in BELONGS.items() if main_phase(state) not in phases and strays(state, {name: ()})]
    if phase in BEFORE:
        wrong += [*too_early(state, BEFORE[phase]), *wrong_start(state)]
    if main_phase(state) in HUNTING and not state.hunt:
        wrong.append("hunt")
    if not DRAWN.get(phase, frozenset()).issuperset(state.drawn) or (phase in DRAWN) != bool(state.drawn):
        wrong.append("drawn")
    if (phase in FROM_DECK and not state.deck) or (phase in FROM_STOCK and not state.stock):
        wrong.append("deck, stock")
    return [*wrong, *wrong_seats(state), *wrong_numbers(state), *wrong_tops(state), *wrong_drawing(state)]


def wrong_start(state: State) -> list[str]:
    """A map, hands or tokens that can't be like that before the first round."""
    sizes = [len(hand) for hand in state.hands]
    wrong = []
    if state.phase == "map" and (HOLE in state.map or len(state.map) >= len(CELLS)):
        wrong.append("map")
    if state.phase != "map" and not shelters(state):
        wrong.append("map")
    if state.phase == "deal" and (sum(sizes) >= 2 * HAND_SIZE or sizes[0] - sizes[1] not in (0, 1)):
        wrong.append("hands")
    if state.phase == "place" and state.tokens[1] >= 0:
        wrong.append("tokens")
    return wrong


def wrong_seats(state: State) -> list[str]:
    """Players who are asked for what they can't answer, or have acted before their turn."""
    phase, wrong = state.phase, []
    if phase == "partner" and state.asked == state.turn:
        wrong.append("asked")
    if main_phase(state) in ACTIONS:
        waiting = [1 - state.first] if state.turn == state.first else []
        acting = [] if phase in ("throw", "search") else [state.turn]
        if any(state.played[seat] or state.acts[seat] != "none" for seat in (*waiting, *acting)):
            wrong.append("acts, played")
    if phase == "trade" and not state.provisions[state.asked]:
        wrong.append("provisions")
    if phase == "flee" and not is_without_shelter(state, state.asked):
        wrong.append("tokens")
    if state.rewards and not {0, 1}.issuperset(state.rewards):
        wrong.append("rewards")
    if phase in ("search", "reward", "justice") and not state.rewards:
        wrong.append("rewards")
    if len(state.rewards) > (1 if phase == "search" else 2) or len(set(state.rewards)) != len(state.rewards):
        wrong.append("rewards")
    if phase == "mirror" and (state.mirror is None or state.mirror.seat != state.asked):
        wrong.append("asked, mirror")
    return wrong


def is_without_shelter(state: State, seat: int) -> bool:
    """Whether a token stands where no shelter is, with several to flee to."""
    cell = state.tokens[seat]
    return cell in CELLS and state.map[cell] == HOLE and len(nearest(state, cell)) > 1


def wrong_numbers(state: State) -> list[str]:
    """Counts below zero or beyond what they count."""
    phase, count = state.phase, state.count
    wrong = [name for name in ("caused", "bonus", "due") if min(getattr(state, name)) < 0]
    most = {
        "gift": min(2, state.stock),
        "share": min(1, state.stock),
        "order": min(3, len(state.top)) - 2,
        "remap": len(CELLS) - 1,
        "aid_draw": min(2, state.deck),
    }.get(phase, 0)
    least = 1 if phase in ("gift", "aid_draw") else 0
    if not least <= count <= most and phase != "over":
        wrong.append("count")
    if state.round < 1:
        wrong.append("round")
    if state.spared not in (-1, 0, 1):
        wrong.append("spared")
    if phase == "bonus" and not hunted(state):
        wrong.append("zone, tokens")
    if main_phase(state) == "cancel" and not any(state.due):
        wrong.append("due")
    if phase == "remap" and any((card == HOLE) != (cell >= count) for cell, card in enumerate(state.map)):
        wrong.append("map")
    if phase == "tower" and len(highest(state)) < 2:
        wrong.append("map")
    effects = (*state.effects, *state.coming)
    return [*wrong, *(["effects, coming"] if len(set(effects)) != len(effects) else [])]


def wrong_tops(state: State) -> list[str]:
    """Cards that lie known on a deck, more than are there or were looked at."""
    phase, wrong = state.phase, []
    hidden = state.top.count(HIDDEN)
    if len(state.top) > state.deck or hidden not in (0, len(state.top)):
        wrong.append("top")
    if main_phase(state) == "peek" and (hidden or len(state.top) >= min(3, state.deck + (phase == "held"))):
        wrong.append("top")
    if phase == "order" and (hidden or len(state.top) < 2):
        wrong.append("top")
    left = len(OMENS) - len(state.omens)
    if len(state.omen_top) > min(2, left):
        wrong.append("omen_top")
    if state.omen_by not in ((0, 1) if state.omen_top else (-1, 0, 1)):
        wrong.append("omen_by")
    if phase == "peek_omens" and (len(state.omen_top) >= min(2, left) or state.omen_by != state.asked):
        wrong.append("omen_top, omen_by")
    if phase == "order_omens" and (len(state.omen_top) < 2 or state.omen_by != state.asked):
        wrong.append("omen_top, omen_by")
    return wrong


def wrong_drawing(state: State) -> list[str]:
    """What a table that draws like this never asks, or can't have."""
    phase, drawing = state.phase, state.options.drawing
    wrong = []
    if (state.ghosts or state.held) and drawing != "virtual":
        wrong.append("ghosts, held")
    if len(state.held) > hidden_hunt_cards(state):
        wrong.append("held")
    if phase in ("deal", "search", "reward", "justice") and drawing != "phone":
        wrong.append("phase")
    if phase == "held" and drawing != "virtual":
        wrong.append("phase")
    # Real cards that players have looked at are hidden from the box; the order of hunts that it draws itself isn't.
    if drawing == "table":
        wrong += ["phase"] if phase in ("peek", "order") else []
        wrong += [] if {HIDDEN}.issuperset(state.top) else ["top"]
    if drawing != "phone":
        wrong += ["phase"] if phase in ("peek_omens", "order_omens") else []
        wrong += [] if {HIDDEN}.issuperset(state.omen_top) else ["omen_top"]
    # Who may not see the cards on top of the deck can't tell that one of them must be named.
    if phase in ("refill", "aid_draw") and not (nature_deals(state) or state.top):
        wrong.append("phase")
    if phase == "refill":
        size = HAND_SIZE + 1 if "temperance" in state.effects else HAND_SIZE
        if hand_count(state, state.asked) >= size:
            wrong.append("hands")
    return wrong
