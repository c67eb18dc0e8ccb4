"""The rules of Similo: whose move it is, what is legal, and what each move does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

from msgspec.structs import replace

from companion.games.cards import HIDDEN, Card, Cards, Tristate, add, drop, mask
from companion.games.codec import WORD
from companion.games.game import BadOptions, Deal, Decide, Event, Game, Move, Over, Reveal, Show, Step
from companion.games.similo import records as r
from companion.games.similo import words
from companion.games.similo.characters import characters, clue_cards, is_two_decks
from companion.games.similo.records import REMOVALS, Options, State
from companion.games.similo.settling import at_once, numbers, settled
from companion.text import N_, Text

Result = tuple[State, tuple[Event, ...]]

ELSEWHERE = N_("{card} can't come here: it's elsewhere, or of the other deck.")
SAFE, LOST, SPOKEN = r.Safe(), r.Lost(), r.GiverSpoke()


class Similo(Game[State]):
    """Similo's rules. Rulings are cited by number; see docs/rulings.md."""

    name = "similo"
    options_type = Options
    state_type = State
    moves = r.MOVES
    mishaps = (r.GiverSpoke,)
    terms = words.TERMS
    sentences = words.SENTENCES
    questions = words.QUESTIONS

    def check_options(self, options: Options) -> None:
        """Refuse decks that are too small and variants that don't fit together."""
        for deck in (options.characters, options.clue_characters):
            bad = [card for card in deck if not WORD.fullmatch(card) or card == HIDDEN]
            if bad or len(set(deck)) != len(deck):
                raise BadOptions(
                    "bad_deck",
                    Text(N_("A deck needs different, simple card ids: {cards}"), {"cards": " ".join(bad or deck)}),
                )
        if options.giver >= options.players:
            raise BadOptions(
                "bad_option", Text(N_("There is no player {seat} to give clues."), {"seat": options.giver + 1})
            )
        clues = options.rounds * options.clues_per_round
        drawn = clues if options.clues_per_round == 1 else clues - options.clues_per_round  # SIM-21
        needed = options.hand_size + (drawn if options.refill else 0)
        if not options.refill and options.hand_size < clues:
            raise BadOptions(
                "bad_option",
                Text(N_("Without refill the hand must hold all {clues} clues of the game."), {"clues": clues}),
            )
        if options.clues_per_round > options.hand_size:
            raise BadOptions("bad_option", Text(N_("A hand of that size can't give three clues a round.")))
        two = is_two_decks(options)
        wants = {
            "deck": (len(characters(options)), options.grid + (0 if two else needed)),  # SIM-01
            "clue_deck": (len(clue_cards(options)), needed if two else 0),
        }
        for name, (has, least) in wants.items():
            if has < least:
                raise BadOptions(
                    "small_deck",
                    Text(
                        N_("{name} has {has} cards; this game needs {least}."),
                        {"name": name, "has": has, "least": least},
                    ),
                )

    def new(self, options: Options) -> State:
        """The table before the grid is laid."""
        return State(options=options, phase="grid", pile=len(characters(options)), unseen=characters(options))

    def pending(self, state: State) -> Step:
        """Whose move it is and what is asked."""
        giver = state.options.giver
        match state.phase:
            case "grid":
                return Reveal("grid")
            case "secret":
                return Reveal("secret", giver)
            case "deal" | "refill":
                return Reveal(state.phase, giver)
            case "clue" | "announce" | "answer":
                return Decide(state.phase, giver)
            case "remove":
                return self._guess(state)
            case "which":
                return Reveal("which")
            case "over":
                won = state.reason == "found"
                survived = state.round + won  # SIM-22
                return Over(state.reason, tuple(range(state.options.players)) if won else (), (survived,))

    def _guess(self, state: State) -> Step:
        players, mode = state.options.players, state.options.guess_mode
        guessers = [seat for seat in range(players) if seat != state.options.giver]
        if mode == "majority":
            return Decide("vote", guessers[len(state.votes)])
        if mode == "individual":  # SIM-09: the guessers take turns, a round each
            return Decide("remove_alone", guessers[state.round % len(guessers)])
        return Decide("remove", None)

    def wording(self, state: State, ask: str) -> tuple[str, Mapping[str, Any]]:
        """Guessers are told how many must go."""
        return self.questions[ask], {"count": at_once(state)} if state.phase == "remove" else {}

    def legal(self, state: State) -> Sequence[Move]:
        """Every legal move, in a fixed order."""
        moves = self._legal(state)
        if state.options.giver_violation == "lose" and state.phase in ("clue", "remove", "announce", "answer"):
            return [*moves, SPOKEN]
        return moves

    def _legal(self, state: State) -> Sequence[Move]:
        match state.phase:
            case "grid":
                return [Show(card) for card in state.unseen]
            case "secret":
                return [r.Secret(card) for card in state.characters_left]
            case "deal" | "refill":
                return [Deal(card) for card in state.unseen]
            case "announce":
                return [r.Announce(count) for count in numbers(state)]
            case "clue":
                cards = possible_hand(state)
                if state.options.clues_per_round > 1:
                    return [r.GiveClue(card, "ranked") for card in cards]
                return [r.GiveClue(card, way) for card in cards for way in ("similar", "different")]
            case "remove":
                kind: Any = r.Vote if state.options.guess_mode == "majority" else r.Remove
                return [kind(cards) for cards in combinations(state.characters_left, at_once(state))]
            case "answer":
                if state.secret == HIDDEN:
                    return [SAFE, LOST]
                return [LOST] if state.secret in state.taken else [SAFE]
            case "which":
                return [r.Secret(card) for card in state.taken]
            case _:
                return []

    def _show(self, state: State, move: Show) -> Result:
        if move.card not in state.unseen:
            raise self.misread(state, move.card, ELSEWHERE)
        grid = add(state.characters_left, move.card)
        state = replace(state, characters_left=grid, pile=state.pile - 1, unseen=drop(state.unseen, move.card))
        laid = r.Laid(move.card)
        if len(grid) < state.options.grid:
            return state, (laid,)
        if is_two_decks(state.options):
            clues = clue_cards(state.options)
            state = replace(state, pile=len(clues), unseen=clues)
        if state.options.driver == "table":
            hand = state.options.hand_size
            state = replace(state, hand=(HIDDEN,) * hand, pile=state.pile - hand)
        if state.options.driver == "sim" or state.options.secret_mode == "sealed":
            return replace(state, phase="secret"), (laid,)
        return self._begin_round(state), (laid,)

    def deck(self, state: State) -> Cards:
        """The characters, and the clue cards where they're of another deck."""
        return (*characters(state.options), *clue_cards(state.options))

    def known_zones(self, state: State, card: Card) -> tuple[Text, ...]:
        """Where a card lies for everybody to see; of two decks only the one that is asked for counts."""
        counts_grid = state.phase == "grid" or not is_two_decks(state.options)
        lying = {
            words.GRID: state.characters_left if counts_grid else (),
            words.REMOVED: (*state.removed, *state.taken) if counts_grid else (),
            words.CLUES: tuple(clue.card for clue in state.clues),
        }
        return tuple(Text(place) for place, cards in lying.items() if card in cards)

    def _secret(self, state: State, move: r.Secret) -> Result:
        if state.phase == "which":
            if move.card not in state.taken:
                raise self.refuse(state, "not_removed", N_("{card} wasn't among the removed."), card=move.card)
            return self._lose(replace(state, secret=move.card))
        if move.card not in state.characters_left:
            raise self.refuse(state, "not_in_grid", N_("{card} isn't in the grid."), card=move.card)
        state = replace(state, secret=move.card)
        known = r.SecretSet(state.options.giver, move.card)
        if state.options.driver == "sim":
            return replace(state, phase="deal"), (known,)
        return self._begin_round(state), (known,)

    def _deal(self, state: State, move: Deal) -> Result:
        if move.card not in state.unseen:
            raise self.misread(state, move.card, ELSEWHERE)
        state = replace(
            state, hand=add(state.hand, move.card), pile=state.pile - 1, unseen=drop(state.unseen, move.card)
        )
        dealt = r.Dealt(state.options.giver, move.card)
        if len(state.hand) < state.options.hand_size and state.pile:
            return state, (dealt,)
        if state.phase == "refill":
            return replace(state, phase="remove"), (dealt,)
        return self._begin_round(state), (dealt,)

    def _begin_round(self, state: State) -> State:
        """A clue comes next, or first the number the clue giver sets (SIM-21)."""
        if state.options.rounds < 5:
            return replace(state, phase="announce", count=0)
        return replace(state, phase="clue", count=REMOVALS[state.options.grid][state.round])

    def _announce(self, state: State, move: r.Announce) -> Result:
        allowed = numbers(state)
        if move.count not in allowed:
            raise self.refuse(
                state,
                "wrong_number",
                N_("{count} can't go this round: from {least} to {most}."),
                count=move.count,
                least=allowed[0],
                most=allowed[-1],
            )
        return replace(state, phase="clue", count=move.count), (r.Announced(move.count),)

    def _clue(self, state: State, move: r.GiveClue) -> Result:
        card = move.card
        if card not in clue_cards(state.options) or is_on_table(state, card):
            raise self.misread(state, card, ELSEWHERE)
        if card not in possible_hand(state):
            raise self.refuse(state, "not_held", N_("{card} isn't in the clue giver's hand."), card=card)
        if (move.way == "ranked") != (state.options.clues_per_round > 1):
            raise self.refuse(
                state, "wrong_way", N_("A clue can't be laid like that at this table: {way}."), way=move.way
            )
        if card in state.hand:
            state = replace(state, hand=drop(state.hand, card))
        else:
            state = replace(state, hand=drop(state.hand, HIDDEN), unseen=drop(state.unseen, card))
        state = replace(state, clues=(*state.clues, r.Clue(card, move.way)), played=state.played + 1)
        given = r.ClueGiven(card, move.way)
        if state.played < state.options.clues_per_round:
            return state, (given,)
        return self._after_clues(state), (given,)

    def _after_clues(self, state: State) -> State:
        """SIM-06: the hand is refilled before the guessers talk; an empty pile refills nothing (SIM-20)."""
        state = replace(state, played=0)
        missing = min(state.options.hand_size - len(state.hand), state.pile)
        if not state.options.refill or not missing:
            return replace(state, phase="remove")
        if state.options.driver == "table":
            hand = tuple(sorted((*state.hand, *(HIDDEN,) * missing)))
            return replace(state, phase="remove", hand=hand, pile=state.pile - missing)
        return replace(state, phase="refill")

    def _remove(self, state: State, move: r.Remove) -> Result:
        if state.options.guess_mode == "majority":
            raise self.refusal(state, move)
        self._check_set(state, move.cards)
        return self._take_off(state, move.cards)

    def _check_set(self, state: State, cards: Cards) -> None:
        count = at_once(state)
        for card in cards:
            if card not in state.characters_left:
                raise self.refuse(state, "not_in_grid", N_("{card} isn't in the grid."), card=card)
        if len(cards) != count or len(set(cards)) != count:
            raise self.refuse(
                state, "wrong_number", N_("{cards}: exactly {count} must go now, each once."), cards=cards, count=count
            )

    def _vote(self, state: State, move: r.Vote) -> Result:
        if state.options.guess_mode != "majority":
            raise self.refusal(state, move)
        self._check_set(state, move.cards)
        seat = self.pending(state).seat  # type: ignore[union-attr]
        voted = r.Voted(seat or 0, move.cards)
        state = replace(state, votes=(*state.votes, move.cards))
        if len(state.votes) < state.options.players - 1:
            return state, (voted,)
        tally = Counter(card for cards in state.votes for card in cards)
        ranked = sorted(tally.values(), reverse=True)
        count = at_once(state)
        state = replace(state, votes=())
        if len(ranked) > count and ranked[count - 1] == ranked[count]:  # SIM-09: a tie decides nothing
            return state, (voted, r.VoteTied())
        chosen = tuple(sorted(card for card, votes in tally.items() if votes >= ranked[count - 1]))
        state, events = self._take_off(state, chosen)
        return state, (voted, *events)

    def _take_off(self, state: State, cards: Cards) -> Result:
        """The set is committed (SIM-10); the answer comes from the giver, or from the box that knows (SIM-17)."""
        left = tuple(card for card in state.characters_left if card not in cards)
        state = replace(state, characters_left=left, taken=cards)
        taken = r.Taken(cards)
        if state.options.secret_mode == "trusted_giver":
            return replace(state, phase="answer"), (taken,)
        state, events = self._lose(state) if state.secret in cards else self._go_on(state)
        return state, (taken, *events)

    def _safe(self, state: State, move: r.Safe) -> Result:
        if state.secret != HIDDEN and state.secret in state.taken:
            raise self.refuse(state, "not_true", N_("It isn't safe: the secret was removed."))
        return self._go_on(state)

    def _go_on(self, state: State) -> Result:
        """The secret is still there: the rest of this round, the next round, or the end (SIM-16)."""
        left = state.characters_left
        removed = tuple(sorted((*state.removed, *state.taken)))
        safe = r.RoundSafe(len(left))
        rest = state.count - len(state.taken)
        state = replace(state, removed=removed, taken=(), count=rest)
        if rest and len(left) > 1:
            return replace(state, phase="remove"), (safe,)
        if len(left) == 1:
            state = replace(state, phase="over", reason="found", secret=left[0])
            return state, (safe, r.SecretShown(left[0]), r.Ended("found", state.round + 1))
        return self._begin_round(replace(state, round=state.round + 1)), (safe,)

    def _lost(self, state: State, move: r.Lost) -> Result:
        if state.secret == HIDDEN:
            return replace(state, phase="which"), ()  # SIM-18
        if state.secret not in state.taken:
            raise self.refuse(state, "not_true", N_("It isn't lost: the secret is still there."))
        return self._lose(state)

    def _lose(self, state: State) -> Result:
        state = replace(state, phase="over", reason="removed")
        return state, (r.SecretShown(state.secret), r.Ended("removed", state.round + 1))

    def _spoken(self, state: State, move: r.GiverSpoke) -> Result:
        if state.options.giver_violation == "ignore":
            raise self.refuse(state, "no_referee", N_("Nobody referees the clue giver's silence at this table."))
        return replace(state, phase="over", reason="giver_spoke"), (r.Spoke(), r.Ended("giver_spoke", state.round + 1))

    def view(self, state: State, seat: int | None) -> State:
        """The state as a seat may see it: hand and secret are the clue giver's (SIM-17)."""
        if seat == state.options.giver:
            return state
        hidden = [card for card in state.hand if card != HIDDEN]
        state = replace(state, hand=mask(state.hand), unseen=tuple(sorted((*state.unseen, *hidden))))
        return state if state.phase == "over" else replace(state, secret=HIDDEN)

    def verdict(self, state: State, move: Move) -> Tristate:
        """Legal, illegal, or a matter of trust: a clue from a hidden hand, the giver's answer (G-01)."""
        if move not in self.legal(state):
            return Tristate.NO
        if isinstance(move, r.GiveClue) and move.card not in state.hand:
            return Tristate.UNKNOWN
        if isinstance(move, r.Safe | r.Lost) and state.secret == HIDDEN:
            return Tristate.UNKNOWN
        return Tristate.YES

    def settle(self, state: State) -> State:
        """Complete and check a state written by hand."""
        return settled(self, state)

    handlers: ClassVar[dict[type[Move], tuple[tuple[str, ...], Any]]] = {
        Show: (("grid",), _show),
        r.Secret: (("secret", "which"), _secret),
        Deal: (("deal", "refill"), _deal),
        r.Announce: (("announce",), _announce),
        r.GiveClue: (("clue",), _clue),
        r.Remove: (("remove",), _remove),
        r.Vote: (("remove",), _vote),
        r.Safe: (("answer",), _safe),
        r.Lost: (("answer",), _lost),
        r.GiverSpoke: (("clue", "remove", "announce", "answer"), _spoken),
    }


def is_on_table(state: State, card: Card) -> bool:
    """Whether a clue card lies face up already: as a clue, or in the grid if there is but one deck."""
    if any(clue.card == card for clue in state.clues):
        return True
    grid = (*state.characters_left, *state.removed, *state.taken)
    return card in grid and not is_two_decks(state.options)


def possible_hand(state: State) -> Cards:
    """What the clue giver's cards can be."""
    known = tuple(card for card in state.hand if card != HIDDEN)
    return (*known, *state.unseen) if HIDDEN in state.hand else known


SIMILO = Similo()
