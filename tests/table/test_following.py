"""The box follows: one group in the record for each explanation, taken back as one, never against a person's word."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from benchmarks.presses.__main__ import run
from companion.games.game import Move, Show
from companion.games.notation import read_move, read_state
from companion.outputs.panel import PanelOutput
from companion.session.session import Session
from companion.table.doubt import FaceName
from companion.table.hosts import HOSTS
from companion.table.scenes import scene
from companion.table.sight import Seen, Sight
from hardware.panel import Button
from tests.table.fingers import Bench
from tests.table.test_mistakes import perfect_sight

ROWS = "silencio players=2 driver=table hands=?,?,?/?,?,? rows=r4/b3/-/- oracle=y5,g7"
LIES = perfect_sight("silencio", scene("silencio", read_state(HOSTS["silencio"].game, ROWS)))
BLUE = replace(LIES, cards=(*LIES.cards, Seen("b7", "blue", x=300, y=200)))
BOTH = replace(BLUE, cards=(*BLUE.cards, Seen("y6", "yellow", x=300, y=310)))


@pytest.fixture
def bench(bench: Bench) -> Bench:
    bench.box.start_at("silencio", read_state(HOSTS["silencio"].game, ROWS))
    bench.see(LIES)
    return bench


def test_one_press_takes_the_turn_and_one_takes_it_back(bench: Bench) -> None:
    bench.see(BLUE)
    bench.press(Button.CONFIRM)
    assert bench.history.notation == ("play b7", "skip", "done")
    assert [step.is_joined for step in bench.history.steps] == [False, True, True]
    bench.power_cut()
    assert bench.history.notation == ("play b7", "skip", "done")
    bench.see(BLUE)
    bench.press(Button.BACK)
    assert bench.history.notation == ()


def test_what_was_taken_back_is_not_proposed_again_until_the_table_changes(bench: Bench) -> None:
    bench.see(BLUE)
    bench.press(Button.CONFIRM, Button.BACK)
    assert bench.history.notation == ()
    bench.see(BLUE)
    assert bench.box.shown.proposal.explanations == ()
    bench.see(LIES)
    bench.see(BLUE)
    assert len(bench.box.shown.proposal.accepted_moves) == 3


def test_an_idle_press_never_passes_or_ends_a_turn(bench: Bench) -> None:
    bench.press(Button.CONFIRM, Button.CONFIRM)
    assert bench.history.notation == ()


def test_who_is_not_done_yet_takes_only_what_shows(bench: Bench) -> None:
    bench.see(BLUE)
    is_open = bench.box.shown.proposal.without_turn_end
    bench.press(Button.RIGHT)
    bench.pick(is_open)
    assert bench.history.notation == ("play b7",)


def test_a_swap_that_nobody_sees_is_picked_with_the_turn_it_belongs_to(bench: Bench) -> None:
    bench.see(replace(LIES, cards=(*LIES.cards, Seen("g4", "green", x=300, y=420))))
    assert bench.box.shown.proposal.accepted_moves == moves_of("play g4, skip, done")
    bench.press(Button.LEFT, Button.CONFIRM, Button.RIGHT, Button.CONFIRM)
    assert bench.history.notation == ("play g4", "choose 1", "swap 0 ?", "return ?", "done")
    bench.press(Button.BACK)
    assert bench.history.notation == ()


def test_after_an_answer_a_swap_that_nobody_sees_can_still_be_told(bench: Bench) -> None:
    shrine = next(card for card in LIES.cards if card.card == "shrine-green")
    rest = tuple(card for card in LIES.cards if card is not shrine)
    bench.see(replace(LIES, cards=(*rest, replace(shrine, face="unlit"), Seen("r6", "red", x=300, y=90))))
    assert moves_of("use")[0] in bench.box.shown.proposal.asked
    bench.press(Button.RIGHT, Button.CONFIRM)
    assert bench.history.notation == ()
    bench.press(Button.LEFT, Button.CONFIRM, Button.CONFIRM)
    assert bench.history.notation[:5] == ("play r6", "use", "shrine green", "choose 0", "swap 1 ?")


def test_of_a_grid_in_which_one_character_is_read_twice_only_the_less_sure_card_is_asked_about(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.box.start("similo", {"players": 3, **HOSTS["similo"].at_table})
    deck = HOSTS["similo"].game.conceivable(bench.history.state)
    cards = [move.card for move in deck if isinstance(move, Show)][:12]
    grid = [Seen(card, "grid", x=100.0 * (at % 4), y=120.0 * (at // 4)) for at, card in enumerate(cards)]
    bench.see(Sight((*grid[:11], replace(grid[11], card=cards[0], confidence=0.7, maybe=(cards[0], cards[11])))))
    doubt = bench.box.shown.doubt
    assert doubt is not None
    assert (doubt.seen.x, doubt.seen.y) == (grid[11].x, grid[11].y)
    bench.press(Button.RIGHT)
    bench.pick(FaceName(cards[11]))
    assert sorted(bench.history.state.characters_left) == sorted(cards)
    bench.close()


def moves_of(line: str, game: str = "silencio") -> tuple[Move, ...]:
    return tuple(read_move(HOSTS[game].game, move) for move in line.split(", "))


WINDOW = (
    "silentes drawing=table phase=reaction round=2 noise=3 turn=1 tokens=0,5 hands=?,?,?,?,?/?,?,?,?,? hunt=cups-07 "
    "provisions=?/? map=cups-05,swords-06,wands-07,pentacles-08,cups-09,swords-10,wands-11,pentacles-12"
)


def test_a_window_waits_while_a_card_lies_that_nobody_has_said_yes_to(tmp_path: Path) -> None:
    state = read_state(HOSTS["silentes"].game, WINDOW)
    lies = perfect_sight("silentes", scene("silentes", state))
    for card, is_closed in (("", True), ("cups-01", False)):
        bench = Bench(tmp_path)
        bench.box.start_at("silentes", state)
        bench.see(lies)
        bench.see(replace(lies, cards=(*lies.cards, *([Seen(card, "discard-1", x=90, y=300)] if card else []))))
        bench.wait(60)
        assert bool(bench.history.notation) == is_closed
        bench.close()


def test_a_card_taken_from_the_discards_is_new_when_it_is_laid_on_them_again(tmp_path: Path) -> None:
    line = (
        "silentes drawing=table phase=reaction round=2 first=1 noise=4 caused=0,6 tokens=2,4 hands=?,?,?,?,?/?,?,?,?,? "
        "map=wands-04,wands-08,cups-14,wands-07,swords-12,pentacles-08,wands-10,wands-09 provisions=?/- "
        "piles=cups-03/- acts=search,search hunt=swords-04"
    )
    state = read_state(HOSTS["silentes"].game, line)
    lies = perfect_sight("silentes", scene("silentes", state))
    first, second = (Seen("cups-03", "discard-1", x=667, y=y, identity=901) for y in (437, 462))
    other, moved = (Seen("pentacles-01", "discard-1", x=667, y=y, identity=902) for y in (467, 437))
    bench = Bench(tmp_path)
    bench.box.start_at("silentes", state)
    bench.see(replace(lies, cards=(*lies.cards, first)))
    bench.see(replace(lies, cards=(*lies.cards, first, other)))
    bench.press(Button.CONFIRM)
    assert bench.history.notation == ("use pentacles-01", "take cups-03")
    bench.see(replace(lies, cards=(*lies.cards, moved)))
    bench.see(replace(lies, cards=(*lies.cards, moved, second)))
    assert bench.box.shown.proposal.accepted_moves[:1] == moves_of("use cups-03", "silentes")
    bench.close()


def test_players_who_forgot_to_press_are_followed_in_order(bench: Bench) -> None:
    bench.see(BLUE)
    bench.see(BOTH)
    bench.press(Button.CONFIRM)
    assert bench.history.notation == ("play b7", "skip", "done", "play y6", "skip", "done")


def test_after_a_dead_camera_what_happened_meanwhile_is_read(bench: Bench) -> None:
    bench.box.on_fault("no-camera", True)
    bench.box.on_fault("no-camera", False)
    bench.see(BLUE)
    bench.press(Button.CONFIRM)
    assert bench.history.notation[0] == "play b7"


def test_a_table_that_lags_behind_the_buttons_is_no_complaint(bench: Bench) -> None:
    bench.box.do("play r6")
    bench.see(replace(LIES, cards=tuple(replace(card, x=card.x + 1) for card in LIES.cards)))
    assert bench.box.shown.complaint is None
    assert bench.box.shown.proposal.explanations == ()


def test_a_still_table_is_followed_without_a_word_where_people_want_it(bench: Bench) -> None:
    session = Session(HOSTS, None, bench.clock, random.Random(1), confirm="doubt")
    PanelOutput(bench.panel).attach(session.bus)
    bench.box = session
    session.start_at("silencio", read_state(HOSTS["silencio"].game, ROWS))
    bench.see(LIES)
    bench.see(BLUE)
    bench.wait(3)
    assert bench.history.notation == ("play b7",)  # never the end of a turn
    bench.press(Button.BACK)
    bench.wait(3)
    assert bench.history.notation == ()
    bench.see(Sight(is_unsettled=True))
    bench.see(LIES)
    bench.see(BLUE)
    bench.wait(3)
    assert bench.history.notation in ((), ("play b7",))


@pytest.mark.parametrize(("game", "players"), [("silencio", 2), ("similo", 2), ("cisza", 2)])
def test_whole_games_with_mistakes_are_followed_and_end_where_the_script_does(game: str, players: int) -> None:
    tally = run(game, players, "camera+mistakes", 0, seed=4, eye="seen")
    assert tally.wrong == 0, tally.cases
    assert tally.followed >= 0.95 * tally.visible
    assert tally.reasons == tally.refused
