"""Where a reader without the rules was lost in the texts as they were, and what is said there now."""

from __future__ import annotations

import re

import pytest

from companion.games.cisza import records as cisza
from companion.games.notation import read_move, read_state
from companion.games.silencio import records as silencio
from companion.games.silentes import moves as silentes
from companion.kits import KITS
from companion.outputs.text_line import GO_ON
from companion.session.question_texts import ENDS
from companion.table.card_help import card_in_words
from companion.table.hosts import HOSTS
from companion.table.lessons import GOAL
from companion.table.scenes import scene
from companion.table.setup_progress import READY
from companion.table.sight import Seen, Sight
from companion.text import Text
from companion.web.choices import phrase
from companion.web.desk import _offered
from companion.web.game_log import log_entry
from hardware.panel import Button
from tests.table.taught import Taught, begin_silencio, said, sight_of, to_first_turn
from tests.table.test_explain import GRID, MAP

BENCH = Taught

HUNT = f"silentes drawing=virtual phase=hunt map={MAP} tokens=0,5 hands=?,?,?,?,?/?,?,?,?,?"


# “What now?” at the set-up, and in a game without a sound


def test_what_now_goes_from_the_set_up_back_to_the_goal_and_on_again(bench: Taught) -> None:
    begin_silencio(bench)
    goal = next(str(one.text) for one in bench.box.shown.lessons if one.key == GOAL)
    bench.press(Button.CONFIRM)
    assert goal not in said(bench)
    for _ in range(2):
        bench.hold(Button.CONFIRM)
        assert (goal in said(bench), str(GO_ON) in said(bench)) == (True, True)
        bench.hold(Button.CONFIRM)
        assert goal not in said(bench)
    bench.box.do("show b5")
    bench.hold(Button.CONFIRM)
    assert goal in said(bench)
    bench.press(Button.CONFIRM)
    assert goal not in said(bench)
    bench.hold(Button.CONFIRM)
    bench.box.do("show g7")
    assert str(GO_ON) not in said(bench)


def test_what_now_brings_the_goal_back_when_cards_of_the_set_up_lie_there(bench: Taught) -> None:
    begin_silencio(bench)
    goal = next(str(one.text) for one in bench.box.shown.lessons if one.key == GOAL)
    bench.see(sight_of("silencio", scene("silencio", bench.history.state).cards[:6]))
    assert goal not in said(bench)
    bench.hold(Button.CONFIRM)
    assert goal in said(bench)
    bench.hold(Button.CONFIRM)
    assert goal not in said(bench)


def test_the_first_what_now_of_a_silent_game_shows_something_that_was_not_there(bench: Taught) -> None:
    to_first_turn(bench)
    before = bench.told
    bench.hold(Button.CONFIRM)
    assert bench.told
    assert bench.told != before


# ✔ with a camera


def lay_a_light_card(bench: Taught) -> None:
    to_first_turn(bench)
    after, _ = bench.history.game.apply(bench.history.state, silencio.Play("y5"))
    bench.see(sight_of("silencio", scene("silencio", after).cards))
    assert bench.box.shown.proposal.without_turn_end is not None


def test_who_is_taught_is_told_that_a_press_ends_the_turn_and_how_it_does_not(bench: Taught) -> None:
    lay_a_light_card(bench)
    offered, does, ends = said(bench)[:3]
    assert (offered, ends) == ("✔: Player 1 plays yellow 5, light side up.", str(ENDS))
    assert does.startswith("Light side up: lay a hand card open")
    assert _offered(bench.box.shown, str).endswith(str(ENDS))
    bench.press(Button.LEFT)
    assert str(ENDS) not in said(bench)
    assert said(bench)[0] == "✔: not done yet"
    bench.press(Button.CONFIRM)
    assert str(bench.box.shown.question).startswith("Player 1: lay one of your cards open")


def test_who_knows_the_game_is_not(bench: Taught) -> None:
    begin_silencio(bench)
    bench.box._teaching.skip()
    lay_a_light_card(bench)
    bench.box._teaching.skip()
    assert str(ENDS) not in said(bench)


# The set-up under a camera


def test_a_table_that_is_set_up_says_so_first_and_tells_the_set_up_no_more(bench: Taught) -> None:
    bench.box.start("similo", {"players": 3, "driver": "table"})
    grid = [Seen(card, "grid", 0.0, "", 60.0 + 70 * at, 60.0) for at, card in enumerate(GRID.split(",")[:12])]
    bench.see(Sight(tuple(grid[:7])))
    assert any(line.startswith("7 of 12 lie right.") for line in said(bench))
    assert any(line.startswith("Number yourselves clockwise") for line in said(bench))
    bench.see(Sight(tuple(grid)))
    assert said(bench)[0] == str(READY)
    assert not any(line.startswith("Number yourselves clockwise") for line in said(bench))


def test_what_lies_right_is_counted_until_the_first_question_is_answered_and_what_is_missing_beyond(
    bench: Taught,
) -> None:
    bench.box.start("cisza", {"players": 2, "driver": "table"})
    laid = sight_of("cisza", scene("cisza", bench.history.state).cards)
    bench.see(laid)
    assert any("lie right" in line for line in said(bench))
    bench.box.do("start 0")
    bench.see(laid)
    assert not any("lie right" in line for line in said(bench))
    bench.see(Sight(laid.cards[1:]))
    assert any("lie right. Missing:" in line for line in said(bench))


# The log


@pytest.mark.parametrize(
    ("state", "move", "told"),
    [
        ("silencio driver=table players=2 hands=?/? rows=r4/-/-/- phase=end played=yes", "done", "end the turn"),
        (
            f"silentes drawing=virtual phase=partner turn=1 map={MAP} tokens=0,5 hands=?/? provisions=?/-", "no", "no",
        ),
    ],
)  # fmt: skip
def test_a_move_of_which_nothing_comes_is_in_the_log_by_its_name(
    bench: Taught, state: str, move: str, told: str
) -> None:
    name = state.split()[0]
    bench.box.start_at(name, read_state(HOSTS[name].game, state))
    bench.box.do(move)
    assert [str(text) for text in log_entry(bench.history, 1).told] == [f"Player 1: {told}."]


def test_a_secret_move_of_which_nothing_comes_has_no_name_in_the_log(bench: Taught) -> None:
    bench.box.start("silencio", {"players": 2, "driver": "sim"})
    game = HOSTS["silencio"].game
    bench.box.start_at(
        "silencio", read_state(game, "silencio driver=sim players=2 hands=r5/b4 rows=r4/-/-/- phase=end")
    )
    bench.box.do("done")
    assert log_entry(bench.history, 1).told == ()


# Words for what nobody sees, and for what the box does


def test_a_card_of_a_hand_is_called_so_on_the_page() -> None:
    host = HOSTS["cisza"]
    state = read_state(host.game, "cisza players=2 driver=table hands=?,?,?/?,?,?")
    assert str(phrase(host, state, cisza.Discard("?"))) == "discard: a card of your hand"


def test_somebody_who_is_out_discards_a_hand_and_not_several_hidden_cards() -> None:
    game = HOSTS["cisza"].game
    seen, hidden = (str(game.tell(cisza.Eliminated(0, cards))) for cards in (("axe",), ("?", "?")))
    assert seen.endswith("Discarded: axe.")
    assert "hidden" not in hidden
    assert hidden.endswith("discards the hand and all barriers.")


def test_an_omen_that_the_box_draws_is_searched_out_and_one_that_is_turned_up_is_not() -> None:
    game = HOSTS["silentes"].game
    drawn, turned_up = (str(game.tell(silentes.OmenShown("major-11", is_drawn))) for is_drawn in (True, False))
    assert "Search it out of the pile" in drawn
    assert "Search" not in turned_up
    for drawing, is_drawn in (("virtual", True), ("table", False)):
        state = read_state(game, HUNT.replace("virtual", drawing).replace("phase=hunt", "phase=omen hunt=cups-14"))
        _, events = game.apply(state, read_move(game, "show major-11"))
        assert [one.is_drawn for one in events if isinstance(one, silentes.OmenShown)] == [is_drawn]


def test_a_hunt_card_that_is_asked_about_says_what_it_is_worth_and_is_offered_without_that() -> None:
    host = HOSTS["silentes"]
    state = read_state(host.game, f"silentes drawing=virtual phase=place map={MAP} tokens=-1,-1 hands=?/?")
    card = state.map[0]
    does = str(card_in_words(host, host.game.view(state, None), card).does)
    assert re.fullmatch(r"To hide behind: silence (\d+)\. When it hunts: the zone of \w+, and it hears \1\.", does)
    assert KITS["silentes"].on_page.does(state.options, card) is None


def test_the_card_that_the_box_drew_is_named_once(bench: Taught) -> None:
    bench.box.start_at("silentes", read_state(HOSTS["silentes"].game, HUNT))
    bench.box.do("held")
    told = "\n".join(said(bench))
    assert "is in a hand: the box draws again." in told
    assert told.count("The box drew") == 1


@pytest.mark.parametrize(
    ("lost", "where"), [("personal_pile", "onto a pile of their own"), ("removed", "out of the game")]
)
def test_the_lesson_about_the_hunt_says_where_a_lost_card_goes(bench: Taught, lost: str, where: str) -> None:
    state = f"silentes drawing=virtual lost_cards={lost} phase=place map={MAP} tokens=0,-1 hands=?/?"
    bench.box.start_at("silentes", read_state(HOSTS["silentes"].game, state))
    lesson = next(one.text for one in bench.box.shown.lessons if one.key == "hunt")
    assert isinstance(lesson, Text)
    assert f"({where})" in str(lesson)
