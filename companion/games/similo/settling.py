"""States of Similo written by hand: what follows from the rest is filled in, what can't be is refused."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from companion.games.cards import HIDDEN, Card
from companion.games.game import BadState, Game
from companion.games.similo.characters import characters, clue_cards, is_two_decks
from companion.games.similo.records import REMOVALS, State
from companion.games.states import impossible, strays, too_early
from companion.text import N_, Text, raw

# What can have a value before the first round; anything else would be a trace of a game that hasn't begun.
BEFORE: dict[str, tuple[str, ...]] = {
    "grid": ("characters_left", "pile"),
    "secret": ("characters_left", "pile", "hand"),
    "deal": ("characters_left", "pile", "hand", "secret"),
}
# A round, from its first clue to the answer.
ROUND = ("clue", "refill", "remove", "answer", "which")
# The phases in which a field means something.
BELONGS: dict[str, tuple[str, ...]] = {
    "taken": ("answer", "which", "over"),
    "played": ("clue", "over"),
    "count": (*ROUND, "over"),
    "votes": ("remove", "over"),
    "reason": ("over",),
}


def settled(game: Game[State], state: State) -> State:
    """Complete and check a state written by hand."""
    options = state.options
    state = replace(
        state,
        **{name: tuple(sorted(getattr(state, name))) for name in ("characters_left", "removed", "taken", "hand")},
    )
    on_grid = Counter((*state.characters_left, *state.removed, *state.taken))
    laid = Counter((*(clue.card for clue in state.clues), *(card for card in state.hand if card != HIDDEN)))
    two = is_two_decks(options)
    pool = characters(options) if state.phase == "grid" or not two else clue_cards(options)
    seen = on_grid if state.phase == "grid" else laid if two else on_grid + laid
    unseen = tuple(card for card in pool if card not in seen)
    # Characters that went before anybody looked are gone for good, whichever they were.
    hidden = state.hand.count(HIDDEN) + (0 if two else state.removed.count(HIDDEN))
    pile = len(unseen) - hidden if state.pile < 0 else state.pile
    if state.count == 0 and options.rounds == 5 and state.phase in ("clue", "refill", "remove", "answer"):
        state = replace(state, count=REMOVALS[options.grid][min(max(state.round, 0), 4)])
    state = replace(state, unseen=unseen, pile=pile)
    check_cards(game, state, on_grid, laid)
    wrong = [*wrong_counts(state, on_grid, hidden), *wrong_moment(state)]
    if not wrong and state.phase in ROUND and state.phase != "which" and not rounds_fit(state):
        wrong.append("count")
    if not wrong and state.phase == "announce" and not numbers(state):
        wrong.append("characters_left")
    if not wrong and state.phase != "over" and not game.legal(state):
        wrong.append("phase")
    if wrong:
        raise impossible(N_("This can't be at a table: {fields}."), wrong)
    return state


def check_cards(game: Game[State], state: State, on_grid: Counter[Card], laid: Counter[Card]) -> None:
    """Every card is of its deck and in one place."""
    options = state.options
    decks = (characters(options), clue_cards(options))
    for seen, deck in zip((on_grid, laid), decks, strict=True):
        for card, count in seen.items():
            if card == HIDDEN and card not in (*state.characters_left, *state.taken):
                continue
            if card not in deck:
                raise BadState("no_such_card", Text(N_("There is no {card} in that deck."), {"card": raw(card)}))
            if count > 1 or (not is_two_decks(options) and card in on_grid and card in laid):
                raise BadState("card_twice", Text(N_("{card} can't be in two places."), {"card": game.card(card)}))


def wrong_counts(state: State, on_grid: Counter[Card], hidden: int) -> list[str]:
    """Fields with too many cards or too few."""
    options, wrong = state.options, []
    size = sum(on_grid.values())
    if state.pile + hidden != len(state.unseen) or state.pile < 0:
        wrong.append("pile")
    if size != options.grid if state.phase != "grid" else size >= options.grid:
        wrong.append("characters_left")
    if state.secret not in (HIDDEN, *on_grid) or (state.secret != HIDDEN and state.secret in state.removed):
        wrong.append("secret")
    if not 0 <= state.round < options.rounds:
        wrong.append("round")
    if len(state.hand) > options.hand_size or (not wrong and not has_clues(state)):
        wrong.append("hand")
    if not 0 <= state.played < options.clues_per_round:
        wrong.append("played")
    return wrong


def has_clues(state: State) -> bool:
    """Whether the clue giver's cards last: to the next draw, and with what is drawn to the last round (SIM-21)."""
    options, each = state.options, state.options.clues_per_round
    if state.phase not in ("announce", "clue", "refill", "remove", "answer"):
        return True
    rounds_after = options.rounds - state.round - 1
    is_giving = state.phase in ("announce", "clue")
    in_all = rounds_after * each + (each - state.played if is_giving else 0)
    before_next_draw = each - state.played if is_giving else each if rounds_after and state.phase != "refill" else 0
    drawable = state.pile if options.refill else 0
    return before_next_draw <= len(state.hand) and in_all <= len(state.hand) + drawable


def wrong_moment(state: State) -> list[str]:
    """Fields that don't go with the phase."""
    options, phase = state.options, state.phase
    wrong = strays(state, BELONGS)
    if phase in BEFORE:
        wrong += too_early(state, BEFORE[phase])
    if phase in ROUND and state.count < 1:
        wrong.append("count")
    if phase in ("answer", "which") and len(state.taken) != at_once(state):
        wrong.append("taken")
    if phase == "which" and state.secret != HIDDEN:
        wrong.append("secret")
    if phase == "secret" and len(state.hand) != (options.hand_size if options.driver == "table" else 0):
        wrong.append("hand")
    if phase in ("deal", "refill") and (options.driver == "table" or len(state.hand) >= options.hand_size):
        wrong.append("hand")
    if phase in ("deal", "refill") and not state.pile:
        wrong.append("pile")
    if (phase == "announce" and options.rounds == 5) or (phase == "refill" and not options.refill):
        wrong.append("phase")
    if (phase in ("answer", "which")) and options.secret_mode == "sealed":
        wrong.append("phase")
    if phase == "over" and state.reason == "none":
        wrong.append("reason")
    return [*wrong, *wrong_votes(state)]


def wrong_votes(state: State) -> list[str]:
    """Votes where nobody votes, or for what can't go."""
    options, grid = state.options, set(state.characters_left)
    fits = all(len(vote) == len(set(vote)) == at_once(state) and grid.issuperset(vote) for vote in state.votes)
    in_order = all(vote == tuple(sorted(vote)) for vote in state.votes)
    is_asked = not state.votes or options.guess_mode == "majority"
    return [] if fits and in_order and is_asked and len(state.votes) < options.players - 1 else ["votes"]


def at_once(state: State) -> int:
    """How many characters one removal takes: the round's whole set, or one at a time (SIM-08)."""
    return 1 if state.options.removal_check == "one_by_one" else state.count


def numbers(state: State) -> range:
    """What the giver may announce (SIM-21): each later round needs one more, the last takes all but the secret."""
    rounds_after = state.options.rounds - state.round - 1
    most = len(state.characters_left) - 1 - rounds_after
    return range(1 if rounds_after else most, most + 1)


def rounds_fit(state: State) -> bool:
    """Whether the rounds that are left end with one character."""
    options = state.options
    before = len(state.characters_left) + len(state.taken)
    if options.rounds == 5:
        return before - state.count - sum(REMOVALS[options.grid][state.round + 1 :]) == 1
    rounds_after = options.rounds - state.round - 1
    spare = before - state.count - rounds_after - 1
    return spare >= 0 if rounds_after else spare == 0
