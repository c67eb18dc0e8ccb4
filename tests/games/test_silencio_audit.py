"""Silencio's audit: scripted games at a table that sees no hands, and random games that prove it tells the truth."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.games import GAMES
from companion.games.game import BadState, Deal, IllegalMove, Over
from companion.games.notation import read_move, read_state
from companion.games.silencio import records as r
from companion.games.silencio.audit import AuditFinding, audit
from companion.games.silencio.knowledge import playable
from companion.games.silencio.turns import next_turn

GAME = GAMES["silencio"]
# Two at the table: Oracle, start player, passing round. Then the turns are scripted.
START = ["show g7", "show g8", "start 0", "pass_on ?", "pass_on ?"]


def audited(moves: list[str], *hands: str, **options: object) -> tuple[AuditFinding, ...]:
    chosen = GAME.options(**{"players": 2, "driver": "table", "unlit": "all", **options})
    shown = [tuple(hand.split()) for hand in hands]
    return audit(chosen, [read_move(GAME, move) for move in [*START, *moves]], shown)


def told(findings: tuple[AuditFinding, ...]) -> list[str]:
    return [str(finding.text) for finding in findings]


def test_a_pass_with_a_playable_card_in_hand_is_found():  # SIL-16, G-06
    found = audited(["pass", "pass"], "r2 r3 r4 r5 r6 r7", "b2 b3 b4 b5 b6 b7")
    assert told(found) == [
        "Move 6: player 1 passed, but could have played red 2, red 3, red 4, red 5, red 6, red 7.",
        "Move 7: player 2 passed, but could have played blue 2, blue 3, blue 4, blue 5, blue 6, blue 7.",
    ]
    assert all(finding.certain and finding.kind == "illegal_pass" for finding in found)


def test_an_honest_pass_is_not_mentioned():  # SIL-16
    moves = ["play r8", "skip", "play b8", "skip", "play y8", "open g2", "pass", "play g2", "pass", "pass"]
    assert audited(moves, "r2 r3 b2", "r4 r5 b4 b5 y2") == ()


def test_a_card_played_later_was_there_when_its_player_passed():  # SIL-16
    found = audited(["pass", "play b8", "play r3", "use", "pass", "pass"], "r2 b2 b3 b4 b5", "b6 b7 r4 r5 r6")
    assert (found[0].seat, found[0].certain) == (0, True)
    assert "r3" in found[0].cards


def test_only_cards_that_could_be_played_at_that_moment_count():  # SIL-16
    moves = ["play r8", "skip", "play b8", "skip", "pass", "pass"]
    found = audited(moves, "r2 r3 b2 b3 y5", "r4 r5 b4 b5 b6")
    assert told(found) == ["Move 10: player 1 passed, but could have played yellow 5."]


SWAP = ["play g3", "choose 0", "swap 1 ?", "return ?"]


def test_a_card_that_may_have_come_in_a_swap_is_only_a_possibility():  # SIL-16
    moves = ["play r8", "skip", "play b8", "skip", "play y8", "skip", "pass", *SWAP, "pass", "pass"]
    first = audited(moves, "r2 r3 b2", "r4 r5 b4 b5 g4")[0]
    assert (first.seat, first.certain, first.cards) == (1, False, ("g4",))
    assert str(first.text) == "Move 12: player 2 passed and may have held green 4; cards changed hands since."


def test_after_the_swap_it_is_certain_again():  # SIL-16
    moves = ["play r8", "skip", "play b8", "skip", "play y8", "skip", "pass", *SWAP, "pass", "pass"]
    found = audited(moves, "r2 r3 b2", "r4 r5 b4 b5 g4")
    assert (found[1].seat, found[1].certain, found[1].cards) == (1, True, ("g4",))


def test_a_card_given_away_may_have_been_the_playable_one():  # SIL-16
    # Player 2 passes, then they swap; player 1 shows yellow 7, which may have been player 2's.
    moves = ["play r8", "skip", "play b8", "skip", "play y6", "skip", "pass", *SWAP, "pass", "pass"]
    found = audited(moves, "r2 r3 y7", "r4 r5 b4 b5 b6")
    assert [(f.seat, f.certain, f.cards) for f in found] == [(1, False, ("y7",)), (0, True, ("y7",))]


def test_a_card_that_was_in_the_deck_accuses_nobody():  # SIL-16
    # Yellow 7 could have been played, but comes from the deck after player 2's pass.
    moves = ["play r8", "skip", "play b8", "skip", "play y6", "skip", "pass"]
    moves += ["play g3", "choose 1", "renew", "show y7", "show y8", "pass", "pass"]
    assert audited(moves, "r2 r3 y2", "r4 r5 b4 b5 b6") == ()


def test_a_card_everybody_saw_arrive_is_not_charged_to_an_earlier_pass():  # SIL-16, G-03
    moves = ["play r8", "skip", "pass", "play b2", "give g7 1", "show y8", "play g7", "skip", "pass", "pass"]
    found = audited(moves, "r2 r3 r4 r5", "r6 r7 b3 b4 b5 b6")
    assert (found[0].move, found[0].cards) == (8, ("b3", "b4", "b5", "b6"))


def test_a_card_seen_going_to_somebody_else_cannot_have_been_there():  # SIL-16, G-03
    # Red 6 is known to be with player 1 or 2 when player 3 passes; later player 1 swaps with player 3.
    start = read_state(GAME, "silencio driver=table lit=- hands=?,?,?,r6/?,?/?,? known=r6 rows=r5/b10/y10/- oracle=r2")
    swaps = [f"play g{rank} / choose 0 / swap {seat} ? / return ?".split(" / ") for rank, seat in ((3, 1), (5, 2))]
    moves = [*swaps[0], "pass", "pass", *swaps[1], "pass", "pass", "pass"]
    found = audit(start.options, [read_move(GAME, m) for m in moves], [("b2", "r6"), ("b3", "b4"), ("b5", "b6")], start)
    assert [(f.move, f.seat, f.certain, f.cards) for f in found] == [(13, 0, True, ("r6",))]


def test_a_hand_without_hidden_cards_had_nothing_to_hide():  # SIL-16, G-03
    # Player 2 holds red 2 and everybody knows; so what player 2 shows after the swap was player 1's.
    start = read_state(GAME, "silencio driver=table lit=- hands=?,?/r2/?,? known=r2 rows=r5/-/y10/-")
    moves = ["pass", "pass", "play g3", "choose 0", "swap 1 ?", "return ?", "pass", "pass", "pass"]
    found = audit(start.options, [read_move(GAME, m) for m in moves], [("r2", "r3"), ("b4",), ("r4",)], start)
    assert [(f.move, f.seat, f.certain, f.cards) for f in found] == [(1, 0, True, ("b4",)), (8, 1, True, ("b4",))]


def test_a_card_known_to_be_in_some_hand_must_turn_up():  # G-11
    start = read_state(GAME, "silencio driver=table lit=- hands=?,?/r2/?,? known=r2 rows=r5/-/y10/-")
    moves = ["pass", "pass", "play g3", "choose 0", "swap 1 ?", "return ?"]
    with pytest.raises(BadState, match="audit_hands"):
        audit(start.options, [read_move(GAME, m) for m in moves], [("r3", "r7"), ("b4",), ("r4",)], start)


def test_at_least_one_of_several_can_be_certain_though_no_card_is():  # SIL-16
    # Player 2 passes with three cards, of the four that are later mixed by a swap; only two of them can't be played.
    moves = ["play r2", "play r3", "play r4", "play r5", "play r7", "play y3", "skip", "play y5", "skip", "pass"]
    found = audited([*moves, *SWAP, "pass", "pass"], "b4", "b5 r6 y4")
    assert str(found[0].text) == (
        "Move 15: player 2 passed, but held at least one of blue 4, blue 5 and could have played it."
    )
    assert found[0].certain


def test_a_pass_in_place_of_a_blind_draw_is_a_missed_dark_effect():  # SIL-26, G-06
    found = audited(["play y2", "pass", "pass"], "r2 r3 r4 r5 r6", "b2 b3 b4 b5 b6 b7")
    assert found[0].kind == found[1].kind == "missed_random"
    assert str(found[0].text) == (
        "Move 7: player 2 passed instead of drawing blind, with blue 2, blue 3, blue 4, blue 5, blue 6, blue 7 to play."
    )


def test_a_blind_draw_cannot_fail_if_every_card_can_be_played():  # SIL-26c, G-06
    moves = ["play r3", "skip", "play y2", "draw", "drawn ?", "play r4", "pass", "pass"]
    found = audited(moves, "r5 r6 r7 r8", "b2 b3 b4 b5 b6")
    assert found[0].kind == "false_draw"
    assert found[0].certain
    assert set(found[0].cards) == {"r4", "r5", "r6", "r7", "r8"}
    assert str(found[0].text).startswith("Move 10: player 1 drew blind and called it unplayable, but held only")


def test_a_blind_draw_may_fail_if_one_card_cannot_be_played():  # SIL-26c
    moves = ["play r3", "skip", "play y2", "draw", "drawn ?", "play r4", "pass", "pass"]
    found = audited(moves, "r2 r6 r7 r8", "b2 b3 b4 b5 b6")
    assert [finding for finding in found if finding.kind == "false_draw"] == []


def test_a_shrine_in_a_turn_that_ended_in_a_pass_is_reported():  # SIL-31, G-06
    moves = ["shrine red", "use", "pass", "pass"]
    found = audited(moves, "r2 r3 r4 r5 r6 r7", "b2 b3 b4 b5 b6 b7", unlit="none")
    assert "Move 8: player 1 used a shrine in a turn that ended in a pass." in told(found)


def test_the_tavern_in_a_turn_that_ended_in_a_pass_is_reported_where_that_is_not_allowed():  # SIL-52, G-06
    moves = ["play r2", "play r3", "play r4", "done", "tavern please_not red", "pass", "pass"]
    found = audited(moves, "r5 r6 r7 r8", "b2 b3 b4 b5 b6", tavern=True, tavern_on_pass=False)
    assert "Move 11: player 2 used the tavern in a turn that ended in a pass." in told(found)


def test_a_spoken_word_is_in_the_log():  # G-09
    found = audited(["spoken 1"], "r2 r3 r4 r5 r6 r7", "b2 b3 b4 b5 b6 b7", silence_referee="lose")
    assert told(found) == ["Move 6: player 2 spoke."]


def test_an_oracle_card_still_owed_is_a_missed_dark_effect():  # SIL-24, G-06
    found = audited(["play b2"], "r2 r3 r4 r5 r6", "b8 b3 b4 b5 b6 b7")
    assert told(found) == ["Move 6: player 1 still owed somebody an Oracle card."]


def test_a_game_set_up_by_hand_can_be_audited_from_there():  # G-06
    start = read_state(GAME, "silencio players=2 driver=table lit=- hands=?,?/?,r6 known=r6 rows=r5/-/-/-")
    moves = [read_move(GAME, move) for move in ("pass", "play r6", "pass", "pass")]
    found = audit(start.options, moves, [("g4", "r2"), ("b2",)], start)
    assert [(f.move, f.seat, f.cards) for f in found] == [(1, 0, ("g4",)), (3, 0, ("g4",)), (4, 1, ("b2",))]


@pytest.mark.parametrize("hands", [
    ("r2 r3 r4 r5 r6 r7", "b2 b3 b4 b5 b6"),  # a card is missing
    ("r2 r3 r4 r5 r6 r7", "b2 b3 b4 b5 b6 r7"),  # a card twice
    ("r2 r3 r4 r5 r6 r7", "b2 b3 b4 b5 b6 g7"),  # the Oracle has it
    ("r2 r3 r4 r5 r6 r7",),
])  # fmt: skip
def test_hands_that_cannot_be_are_refused(hands):  # G-11
    with pytest.raises(BadState, match="audit_hands"):
        audited(["pass", "pass"], *hands)


def test_moves_that_are_not_a_game_are_refused():
    with pytest.raises(IllegalMove):
        audited(["give g7 1"], "r2 r3 r4 r5 r6 r7", "b2 b3 b4 b5 b6 b7")


# Random games: played with all cards known, then told as a table sees them.


class Played:
    """A random game with the truth beside what a table without eyes for hands would log."""

    def __init__(self, seed: int, cheat: bool = False):
        rng = random.Random(seed)
        self.earliest = rng.randrange(10, 40)
        chosen = {"players": rng.choice([2, 3, 4]), "show_failed_random": rng.random() < 0.5}
        self.options = GAME.options(**chosen, driver="table")
        state: Any = GAME.new(GAME.options(**chosen))
        seen: Any = GAME.new(self.options)
        self.moves: list[Any] = []
        self.truth: list[Any] = []
        self.cheated = -1
        while not isinstance(GAME.pending(state), Over):
            legal = [move for move in GAME.legal(state) if not isinstance(move, GAME.mishaps)]
            if cheat and self.cheated < 0 and len(self.moves) > self.earliest and self.can_cheat(state, seen):
                self.cheated = len(self.moves)
                move, after = r.Pass(), next_turn(replace(state, passes=state.passes + 1))[0]
            else:
                move = rng.choice(legal)
                after = GAME.apply(state, move)[0]
            if not isinstance(move, Deal):
                masked = as_seen(state, move)
                self.truth.append(state)
                self.moves.append(masked)
                seen = GAME.apply(seen, masked)[0]
            state = after
        self.hands = state.hands
        self.findings = audit(self.options, self.moves, self.hands)

    def can_cheat(self, state: Any, seen: Any) -> bool:
        hidden = [card for card in state.hands[state.turn] if card not in seen.hands[state.turn]]
        return state.phase == "turn" and bool(playable(state, tuple(hidden))) and r.Pass() in GAME.legal(seen)


def as_seen(state: Any, move: Any) -> Any:
    """A move as the box sees it: cards that change hands, or fail a blind draw, have no face."""
    match move:
        case r.PassOn():
            return r.PassOn("?")
        case r.Swap(seat, card) if card not in state.open[state.chosen]:
            return r.Swap(seat, "?")
        case r.Return(card) if state.phase == "swap_back" and card not in state.open[state.partner]:
            return r.Return("?")
        case r.Drawn(card) if not playable(state, (card,)) and not state.options.show_failed_random:
            return r.Drawn("?")
    return move


LOGGED = {"shrine_then_pass", "tavern_then_pass"}


@pytest.mark.parametrize("seed", range(60))
def test_honest_play_is_never_accused(seed):  # SIL-16, G-06
    game = Played(seed)
    accused = [finding for finding in game.findings if finding.certain and finding.kind not in LOGGED]
    assert accused == []


def test_a_hidden_illegal_pass_is_found_and_nobody_else_is_accused():  # SIL-16, G-06
    games = [game for game in (Played(seed, cheat=True) for seed in range(80)) if game.cheated >= 0]
    certain = [check_cheat(game).certain for game in games]
    assert len(games) > 40
    assert certain.count(True) > 20


def check_cheat(game: Played) -> AuditFinding:
    """The finding for the illegal pass: there, true, and certain wherever no hidden card came in since."""
    move = game.cheated + 1
    found = [f for f in game.findings if f.move == move and f.kind in ("illegal_pass", "missed_random")]
    assert len(found) == 1
    assert [f for f in game.findings if f.move != move and f.certain and f.kind not in LOGGED] == []
    truth = game.truth[game.cheated]
    held = set(playable(truth, truth.hands[truth.turn]))
    assert held & set(found[0].cards)
    if found[0].certain:
        assert set(found[0].cards) <= held or "at least one" in str(found[0].text)
    later = list(zip(game.truth, game.moves, strict=True))[game.cheated :]
    received = any(
        isinstance(move, r.Swap | r.Return) and move.card == "?" and receiver(state, move) == truth.turn
        for state, move in later
    )
    if not received and stayed(game, held):
        assert found[0].certain
    return found[0]


def receiver(state: Any, move: Any) -> int:
    return move.seat if isinstance(move, r.Swap) else state.chosen


def stayed(game: Played, held: set[str]) -> bool:
    """Whether one of the cards was seen leaving that very hand, or lay in it at the end."""
    seat = game.truth[game.cheated].turn
    for state, move in list(zip(game.truth, game.moves, strict=True))[game.cheated :]:
        acting = state.chosen if state.phase == "replace" else state.turn
        if isinstance(move, r.Play | r.Drawn | r.Open | r.Return) and move.card in held and acting == seat:
            return True
    return bool(held & set(game.hands[seat]))


def test_a_game_with_known_hands_finds_nothing_but_what_the_log_says():  # G-01, G-06
    for seed in range(5):
        rng = random.Random(seed)
        options = GAME.options(players=3)
        state: Any = GAME.new(options)
        moves, logged = [], 0
        while not isinstance(GAME.pending(state), Over):
            move = rng.choice([move for move in GAME.legal(state) if not isinstance(move, GAME.mishaps)])
            state, events = GAME.apply(state, move)
            moves.append(move)
            logged += sum(isinstance(event, r.Violation) for event in events)
        assert len(audit(options, moves, state.hands)) == logged
