"""The rules of Cisza: whose move it is, and what each move does or why it is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.games.cards import HIDDEN, Card, Tristate, put
from companion.games.cisza import records as r
from companion.games.cisza import settling, words
from companion.games.cisza.attack import begin_attack, pass_on, strike
from companion.games.cisza.city import assign, draw_horde, flip
from companion.games.cisza.knowledge import actor, counted, holds, insert, leave_hand, seen_by
from companion.games.cisza.legal import DEAL, LEGAL, SHOW
from companion.games.cisza.records import (
    ALL_RESOURCES,
    CITY,
    CITY_SIZE,
    HAND_SIZE,
    RESOURCE,
    STOCK_SIZE,
    ZOMBIES,
    Options,
    State,
)
from companion.games.cisza.refusals import ALL_LIE, ALL_SEEN, explain, known_zones
from companion.games.cisza.resources import (
    after_effect,
    aim,
    kill,
    kill_top,
    play,
    play_for_noise,
    send,
    share,
    use_barrier,
)
from companion.games.cisza.turns import Result, draw_up, drawer, mulligan_seat, next_mulligan, winners
from companion.games.game import Deal, Decide, Event, Game, Handler, IllegalMove, Move, Over, Reveal, Show, Step
from companion.text import Text, raw


class Cisza(Game[State]):
    """Cisza's rules. Rulings are cited by number; see docs/rulings.md."""

    name = "cisza"
    options_type = Options
    state_type = State
    moves = r.MOVES
    terms = words.TERMS
    sentences = words.SENTENCES
    questions = words.QUESTIONS
    lies = ALL_LIE

    def new(self, options: Options) -> State:
        """The table before the deal; where hands are hidden from the box, after it (CIS-01)."""
        players = options.players
        state = State(
            options=options,
            phase="deal",
            survivors=(options.start_survivors,) * players,
            zombies=((),) * players,
            barriers=((),) * players,
            hands=((),) * players,
            city=CITY_SIZE - players * options.start_survivors,
            stock=STOCK_SIZE,
            started=False,
            pool=CITY,
            unseen=ALL_RESOURCES,
        )
        if options.driver == "table":
            hands = ((HIDDEN,) * HAND_SIZE,) * players
            state = replace(state, phase="start", hands=hands, stock=STOCK_SIZE - HAND_SIZE * players)
        return state

    def pending(self, state: State) -> Step:
        """Whose move it is and what is asked."""
        phase = state.phase
        match phase:
            case "flip" | "horde" | "shuffle":
                return Reveal(phase)
            case "draw":
                return Reveal("draw", drawer(state))
            case "deal":
                return Reveal("deal", sum(map(len, state.hands)) % state.options.players)
            case "start":
                return Decide("start", None)
            case "mulligan":
                return Decide("mulligan", mulligan_seat(state))
            case "over":
                return Over(state.reason, winners(state), state.survivors)
            case _:
                return Decide(phase, actor(state))

    def wording(self, state: State, ask: str) -> tuple[str, Mapping[str, Any]]:
        """A turn goes on as it began (CIS-10), a horde comes card by card, a zombie that must go has its name."""
        if ask == "horde":
            there = len(state.drawn)
            return self.questions[ask], {"at": there + 1, "of": there + state.to_draw}
        if ask == "flip" and state.card == "surprise":
            return words.FLIP_FOR, {"to": state.at + 1}
        if ask in ("share", "assign", "pass_on"):
            zombies = {move.zombie for move in self.legal(state) if isinstance(move, r.Assign)}
            return (words.TO_WHOM, {"zombie": self.card(*zombies)}) if len(zombies) == 1 else (self.questions[ask], {})
        begun = {"play": words.PLAY_MORE, "discard": words.DISCARD_MORE} if ask == "turn" else {}
        return begun.get(state.mode, self.questions[ask]), {}

    def legal(self, state: State) -> Sequence[Move]:
        """Every legal move, in a fixed order."""
        return LEGAL[state.phase](state)

    def handler(self, state: State, move: Move) -> Handler[State] | None:
        """What carries out a legal move: its kind decides."""
        return HANDLERS[type(move)] if move in LEGAL[state.phase](state) else None

    def refusal(self, state: State, move: Move) -> IllegalMove:
        """Why a move isn't legal now."""
        why = explain(state, move)
        if why is None:
            return super().refusal(state, move)
        code, sentence, values = why
        if sentence == ALL_SEEN:
            return self.misread(state, values["card"], sentence)
        return self.refuse(state, code, sentence, **values)

    def deck(self, state: State) -> tuple[Card, ...]:
        """The kinds of both decks, the city's and the resources'."""
        return (*ZOMBIES, *RESOURCE)

    def known_zones(self, state: State, card: Card) -> tuple[Text, ...]:
        """Where the cards of a kind lie for everybody to see."""
        return known_zones(state, card)

    def view(self, state: State, seat: int | None) -> State:
        """The state as a seat may see it."""
        return seen_by(state, seat)

    def settle(self, state: State) -> State:
        """Complete and check a state written by hand."""
        return settling.settle(state)

    def verdict(self, state: State, move: Move) -> Tristate:
        """Legal, illegal, or a matter of trust (G-01): a card from a hand the box can't see."""
        if move not in self.legal(state):
            return Tristate.NO
        if isinstance(move, r.Play | r.Discard | r.NoiseOnly) and move.card != HIDDEN:
            return holds(state, state.turn, move.card)
        return Tristate.YES

    def chances(self, state: State) -> Sequence[tuple[Move, int]]:
        """What nature may do now, weighted by how many cards of the kind nobody has seen."""
        if state.phase in ("flip", "horde"):
            return [(move, count) for move, count in zip(SHOW, state.pool, strict=True) if count]
        if state.phase in ("deal", "draw"):
            return [(move, count) for move, count in zip(DEAL, state.unseen, strict=True) if count]
        return [(move, 1) for move in self.legal(state)]

    def question(self, state: State) -> Text:
        """The pending question; after a game, who has won."""
        asked, step = super().question(state), self.pending(state)
        if not isinstance(step, Over) or not step.winners:
            return asked
        wins = words.WINS if len(step.winners) == 1 else words.WIN_TOGETHER
        won = Text(wins, {"winners": tuple(raw(seat + 1) for seat in step.winners)})
        return Text("{over} {won}", {"over": asked, "won": won})

    def memory(self, state: State) -> dict[Card, int]:
        """How many zombies of each kind nobody has seen; only where the table wants the aid (G-03, G-04)."""
        return dict(zip(ZOMBIES, state.pool, strict=True)) if state.options.memory_aid else {}

    def rule(self, card: Card) -> Text:
        """What a card does, in one sentence."""
        return Text(words.RULES[card])

    def tell(self, event: Event) -> Text:
        """An event as a sentence; some have another one where there is nothing, or more than one, to tell of."""
        if isinstance(event, r.Flipped) and event.stays:
            return Text(words.STAYS, self.values(event))
        if isinstance(event, r.Ended) and len(event.winners) > 1:
            return Text(words.TIED, self.values(event))
        if isinstance(event, r.Dealt | r.Discarded) and event.card == HIDDEN:
            return Text(words.HIDDEN_CARDS[type(event)], self.values(event))
        if isinstance(event, r.Eliminated) and (not event.cards or HIDDEN in event.cards):
            return Text(words.OUT_HIDDEN if event.cards else words.OUT, self.values(event))
        return super().tell(event)

    def values(self, record: Struct) -> dict[str, Any]:
        """A record's fields as values for a sentence; winners count from one like all seats."""
        values = super().values(record)
        if isinstance(record, r.Ended):
            values["winners"] = tuple(raw(seat + 1) for seat in record.winners)
            values["survivors"] = tuple(map(raw, record.survivors))
        return values


def deal(state: State, move: Deal) -> Result:
    """A resource card comes into a hand: in the first deal one each in turn, later up to three."""
    first = state.phase == "deal"
    dealt = sum(map(len, state.hands)) if first else 0
    seat = dealt % state.options.players if first else drawer(state)
    state = replace(
        state,
        hands=put(state.hands, seat, insert(state.hands[seat], move.card)),
        stock=state.stock - 1,
        unseen=counted(state.unseen, RESOURCE[move.card], -1),
    )
    events: tuple[Event, ...] = ()
    if not first:
        state, events = draw_up(state)
    elif dealt + 1 == state.options.players * HAND_SIZE:
        state = replace(state, phase="start")
    return state, (r.Dealt(seat, move.card), *events)


def shuffle(state: State, move: r.Shuffle) -> Result:
    """The discards become the new deck and are unseen again (CIS-50)."""
    unseen = list(state.unseen)
    for card in state.discard:
        if card != HIDDEN:
            unseen[RESOURCE[card]] += 1
    count = len(state.discard)
    state, events = draw_up(replace(state, unseen=tuple(unseen), stock=count, discard=()))
    return state, (r.Reshuffled(count), *events)


def show(state: State, move: Show) -> Result:
    """A city card was turned over."""
    return flip(state, move.card) if state.phase == "flip" else draw_horde(state, move.card)


def start(state: State, move: r.Start) -> Result:
    """The first player is chosen; then everybody is asked about the first hand (CIS-02, CIS-03)."""
    return replace(state, phase="mulligan", turn=move.seat), (r.Started(move.seat),)


def keep(state: State, move: r.Keep) -> Result:
    """A first hand is kept."""
    seat = mulligan_seat(state)
    state, events = next_mulligan(state)
    return state, (r.Kept(seat), *events)


def mulligan(state: State, move: r.Mulligan) -> Result:
    """A first hand is discarded, all of it and only once (CIS-02)."""
    seat = mulligan_seat(state)
    gone = state.hands[seat]
    discard = tuple(sorted((*state.discard, *gone)))
    state, events = draw_up(replace(state, hands=put(state.hands, seat, ()), discard=discard))
    return state, (r.Redrew(seat, gone), *events)


def discard(state: State, move: r.Discard) -> Result:
    """Phase 1, first option."""
    seat, card = state.turn, move.card
    hands, unseen = leave_hand(state, seat, card)
    state = replace(state, hands=hands, unseen=unseen, discard=insert(state.discard, card), mode="discard")
    return state, (r.Discarded(seat, card),)


def done(state: State, move: r.Done) -> Result:
    """The end of phase 1, of the barriers, or of a shotgun's or mines' targets."""
    if state.phase == "turn":
        return begin_attack(state)
    if state.phase == "attack":
        return strike(state)
    return after_effect(state)


def hand_out(state: State, move: r.Assign) -> Result:
    """A zombie goes to a shelter."""
    if state.phase == "assign":
        return assign(state, move)
    return share(state, move) if state.phase == "share" else pass_on(state, move)


HANDLERS: dict[type[Move], Handler[State]] = {
    Deal: deal,
    Show: show,
    r.Shuffle: shuffle,
    r.Start: start,
    r.Keep: keep,
    r.Mulligan: mulligan,
    r.Discard: discard,
    r.Play: lambda state, move: play(state, move.card),
    r.NoiseOnly: lambda state, move: play_for_noise(state, move.card),
    r.Done: done,
    r.Target: lambda state, move: aim(state, move.seat),
    r.Kill: lambda state, move: kill(state, move.zombie),
    r.KillTop: lambda state, move: kill_top(state),
    r.Send: lambda state, move: send(state, move.zombie),
    r.Assign: hand_out,
    r.UseBarrier: lambda state, move: use_barrier(state, move.card, state.turn if move.seat < 0 else move.seat),
}

CISZA = Cisza()
