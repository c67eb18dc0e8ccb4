"""States of Silencio written by hand: what follows from the rest is filled in, what can't be is refused."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from companion.games.cards import HIDDEN, Card, Cards, drop
from companion.games.game import BadState, Game
from companion.games.silencio.records import DECK, HAND_SIZE, RANK_OF, ROW_OF, State
from companion.games.states import impossible, strays, too_early
from companion.text import N_, Text, raw

# What can have a value before the first turn; anything else would be a trace of a game that hasn't begun.
BEFORE: dict[str, tuple[str, ...]] = {
    "deal": ("hands", "deck", "lit", "started", "to_reveal"),
    "oracle": ("hands", "deck", "lit", "started", "to_reveal", "oracle"),
    "start": ("hands", "deck", "lit", "started", "oracle"),
    "pass_on": ("hands", "deck", "lit", "started", "oracle", "turn", "passed_on", "adrift"),
}
# The phases in which a field means something.
BELONGS: dict[str, tuple[str, ...]] = {
    "effect": ("light",),
    "chosen": ("swap", "swap_back", "replace", "oracle"),
    "partner": ("swap_back",),
    "to_reveal": ("deal", "oracle"),
    "passed_on": ("pass_on", "over"),
    "reason": ("over",),
}


def settled(game: Game[State], state: State) -> State:
    """Complete and check a state written by hand."""
    players = state.options.players
    empty: tuple[Cards, ...] = ((),) * players
    state = replace(
        state,
        hands=tuple(tuple(sorted(hand)) for hand in state.hands or empty),
        open=tuple(tuple(sorted(cards)) for cards in state.open or empty),
        started=state.started and state.phase not in ("deal", "start", "pass_on"),
        to_reveal=players if state.phase == "deal" and not state.to_reveal else state.to_reveal,
        **{name: tuple(sorted(getattr(state, name))) for name in ("oracle", "box", "dark", "known", "adrift")},
    )
    rest = "rest" in state.box
    box = drop(state.box, "rest") if rest else state.box
    zones = (*state.hands, *state.open, *state.rows, state.oracle, box)
    seen = Counter(card for zone in zones for card in zone if card != HIDDEN)
    unseen = tuple(card for card in DECK[players] if card not in seen)
    if rest:
        state = replace(state, box=tuple(sorted((*box, *unseen))))
        unseen = ()
    in_hands = sum(hand.count(HIDDEN) for hand in state.hands)
    hidden = in_hands + state.oracle.count(HIDDEN) + state.box.count(HIDDEN)
    deck = len(unseen) - hidden if state.deck < 0 else state.deck
    state = replace(state, unseen=unseen, deck=deck)
    check_cards(game, state, seen, hidden)
    wrong = [*wrong_places(state, in_hands), *wrong_moment(state)]
    if not wrong and state.phase != "over" and not game.legal(state):
        wrong.append("phase")
    if wrong:
        raise impossible(N_("This can't be at a table: {fields}."), wrong)
    return state


def check_cards(game: Game[State], state: State, seen: Counter[Card], hidden: int) -> None:
    """Every card is of this deck, in one place, and counted; only a hand can hold a hidden one."""
    players = state.options.players
    for card, count in seen.items():
        if card not in DECK[players]:
            raise BadState(
                "no_such_card",
                Text(N_("There is no {card} in a game for {players}."), {"card": raw(card), "players": players}),
            )
        if count > 1:
            raise BadState("card_twice", Text(N_("{card} can't be in two places."), {"card": game.card(card)}))
    if state.deck + hidden != len(state.unseen) or state.deck < 0:
        raise BadState(
            "wrong_count",
            Text(
                N_("{unseen} cards are nowhere to be seen, but the deck and the hidden cards make {hidden}."),
                {"unseen": len(state.unseen), "hidden": state.deck + hidden},
            ),
        )
    counted = () if state.options.oracle_cards == "counted" else (state.oracle, state.box)
    if any(HIDDEN in zone for zone in (*state.open, *state.rows, *counted)):
        raise BadState("impossible", Text(N_("Only a hand can hold a hidden card.")))


def wrong_places(state: State, hidden: int) -> list[str]:
    """Fields with cards that can't lie like that."""
    players, wrong = state.options.players, []
    for row, cards in enumerate(state.rows[:4]):
        ranks = [RANK_OF[card] for card in cards]
        if any(ROW_OF[card] != row for card in cards) or ranks != sorted(ranks):
            wrong.append("rows")
    if len(state.rows) != 4 or len(state.hands) != players or len(state.open) != players:
        wrong.append("hands, open, rows")
    if any(card not in sum(state.hands, ()) for card in state.known):
        wrong.append("known")
    if any(card not in state.unseen for card in state.adrift) or len(state.adrift) > hidden:
        wrong.append("adrift")
    if any(card not in sum(state.rows, ()) for card in state.dark):
        wrong.append("dark")
    return [*wrong, *(name for name in ("known", "adrift", "dark", "lit", "markers") if is_twice(getattr(state, name)))]


def is_twice(names: tuple[str, ...]) -> bool:
    """Whether something is named twice."""
    return len(set(names)) != len(names)


def wrong_moment(state: State) -> list[str]:
    """Fields that don't go with the phase."""
    players = state.options.players
    seats = {"turn": state.turn}
    if state.phase in ("swap", "swap_back", "replace"):
        seats["chosen"] = state.chosen
    if state.phase == "swap_back":
        seats["partner"] = state.partner
    wrong = [name for name, seat in seats.items() if not 0 <= seat < players]
    wrong += strays(state, BELONGS)
    if state.phase == "light" and state.effect == "none":
        wrong.append("effect")
    if state.phase == "swap_back" and state.partner == state.chosen:
        wrong.append("partner")
    if state.phase == "oracle" and not 0 < state.to_reveal <= state.deck:
        wrong.append("to_reveal")
    if not -1 <= state.chosen < players:
        wrong.append("chosen")
    if not state.started and state.phase not in (*BEFORE, "over"):
        wrong.append("started")
    if not state.started and state.phase in BEFORE:
        wrong += too_early(state, BEFORE[state.phase])
        wrong += wrong_deal(state)
    if not 0 <= state.passes < players + (state.phase == "over"):
        wrong.append("passes")
    if state.dark_count < 0:
        wrong.append("dark_count")
    if state.phase == "over" and state.reason == "none":
        wrong.append("reason")
    return wrong


def wrong_deal(state: State) -> list[str]:
    """Hands that no deal leaves so, or from which nothing can be passed on (SIL-03 to SIL-06)."""
    players = state.options.players
    sizes = [len(hand) for hand in state.hands]
    dealt = sum(sizes)
    if state.phase == "deal":
        in_turn = [(dealt - seat + players - 1) // players for seat in range(players)]
        wrong = ["hands"] if dealt >= players * HAND_SIZE[players] or sizes != in_turn else []
        if state.options.driver == "table":
            wrong.append("phase")  # a real table deals where the box can't see it
        return [*wrong, *(["to_reveal"] if state.to_reveal != players else [])]
    if not 0 <= state.passed_on < players:
        return ["passed_on"]
    return ["hands"] if state.phase != "pass_on" and not all(sizes) else []
