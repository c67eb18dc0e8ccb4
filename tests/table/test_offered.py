"""What the box offers and lights while somebody learns: only what can be picked, and nothing that looks like it."""

from __future__ import annotations

import random

import pytest

from companion.bots.policy import sensible
from companion.bots.simulator import decide
from companion.catalogue import Catalogue
from companion.games.cards import HIDDEN
from companion.games.cisza import records as cisza
from companion.games.game import Over
from companion.games.notation import read_state
from companion.games.silentes import moves as silentes
from companion.kits import NAMES
from companion.kits.silentes.tabletop import DISCARDS
from companion.outputs.panel_frame import frame_of, sign_of
from companion.outputs.text_line import GO_ON, MORE, words
from companion.play import Play
from companion.session.question_texts import NOTHING_CHOSEN
from companion.session.situation import Running, Situation
from companion.table.card_help import card_in_words
from companion.table.chooser import Chooser
from companion.table.hosts import HOSTS
from companion.table.lessons import GOAL, course_of
from companion.table.scenes import scene
from companion.table.setup_progress import READY, put_away
from companion.table.sight import Seen
from companion.text import LANGUAGES
from companion.web.eyes.recognised import sides
from hardware.display import Message, pages
from hardware.panel import Button
from tests.table.reader import read
from tests.table.taught import Taught, begin_silencio, sight_of
from tests.table.test_explain import MAP

BENCH = Taught

TURN = "silencio players=3 hands=?,?/?,?/?,? turn=0"


def shown(state: str, chooser: Chooser | None = None) -> Situation:
    host = HOSTS["silencio"]
    table = read_state(host.game, f"{state} driver=table")
    running = Running(1, host, Play(host.game, table).history, host.game.view(table, None))
    return Situation(running=running, chooser=chooser)


def options(state: str) -> Chooser:
    host = HOSTS["silencio"]
    return Chooser(host.options(host.game.view(read_state(host.game, f"{state} driver=table"), None)))


@pytest.mark.parametrize("name", NAMES)
def test_a_table_that_needs_to_remember_nothing_is_offered_only_what_the_rules_take(name: str) -> None:
    """Without the memory aid a card that went openly into a hand is offered: to leave it out would tell (G-03)."""
    host = HOSTS[name]
    aid = {"memory_aid": True} if "memory_aid" in host.game.options_type.__struct_fields__ else {}
    for seed in range(4):
        rng = random.Random(seed)
        state = host.game.new(host.game.options(**{**host.at_table, **host.box_defaults, **aid}))
        for _ in range(120):
            if isinstance(host.game.pending(state), Over):
                break
            for move in host.answerable(host.game.view(state, None)):
                host.game.apply(state, move)
            state, _ = host.game.apply(state, decide(host.game, state, sensible, rng))


def test_a_marker_that_waits_for_the_next_card_is_not_lit_with_the_offer_of_a_shrine() -> None:
    end = f"{TURN} rows=r4/-/-/g2 phase=end markers=green lit=large,red"
    keyframes = [str(one) for _, one in frame_of(shown(end)).keyframes]
    assert [one for one in keyframes if one.endswith("--")] == ["......-.....-.. .... --"]
    assert any(one.endswith("...~ ..") for one in keyframes), "the marker stands between"
    picking = Chooser(options(end).nodes)
    assert str(frame_of(shown(end, picking))) == "......#.....-.. .... --"


def test_a_player_is_chosen_at_once_and_the_offer_is_left_at_its_usual_light() -> None:
    swap = f"{TURN} rows=r4/-/-/g4 phase=light effect=swap played=yes"
    chooser = options(swap)
    assert [str(node.pick.label) for node in chooser.nodes] == ["player 1", "player 2", "player 3", "leave the effect"]
    assert not any(node.branches for node in chooser.nodes)
    situation = shown(swap)
    running = situation.running
    assert running is not None
    assert sign_of(situation, running).sign == "whom"
    assert read(frame_of(situation)) == {"whom"}
    assert str(frame_of(shown(swap, chooser.step(1)))) == "o#o.........-.. .... .."
    assert str(frame_of(shown(swap, chooser.step(-1)))) == "ooo.........#.. .... .."


@pytest.mark.parametrize("name", NAMES)
def test_a_list_of_cards_on_the_page_goes_as_the_lights_of_the_panel_do(name: str) -> None:
    host = HOSTS[name]
    listed = [card for card, _ in sides(name, host.game.options(**{**host.at_table, **host.box_defaults}))]
    for cards in host.numbers.values():
        assert [card for card in listed if card in cards] == [card for card in cards if card in listed]
    if name == "similo":
        grid = host.game.new(host.game.options(**{**host.at_table, **host.box_defaults}))
        offered = [node.pick.key for node in host.options(host.game.view(grid, None))]
        assert [card for card in listed if card in offered] == offered


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_the_goal_comes_first_and_then_the_set_up_and_neither_takes_long_on_a_small_display(
    bench: Taught, name: str, language: str
) -> None:
    say = Catalogue(language).say
    bench.box.start(name, {**HOSTS[name].at_table, **HOSTS[name].box_defaults})
    told = bench.box.shown.lessons
    assert [one.key for one in told] == [GOAL, "set-up"]
    first = words(bench.box.shown)
    assert [told[0].text, GO_ON, MORE] == [*first]
    bench.press(Button.CONFIRM)
    second = words(bench.box.shown)
    assert told[1].text in second
    assert told[0].text not in second
    assert NOTHING_CHOSEN not in second
    for texts in (first, second):
        assert len(pages(Message(tuple(map(say, texts))), (128, 32))) <= 7
        assert len(pages(Message(tuple(map(say, texts))), (128, 64))) <= 4
    bench.press(Button.CONFIRM)
    assert NOTHING_CHOSEN in words(bench.box.shown)
    bench.box.do(bench.box.shown.running.host.answerable(bench.box.shown.running.public_state)[0])  # type: ignore[union-attr]
    assert told[0].text not in words(bench.box.shown)


def test_who_begins_to_lay_the_table_is_told_of_the_set_up_without_a_press(bench: Taught) -> None:
    begin_silencio(bench)
    assert GO_ON in words(bench.box.shown)
    laid = [card for card in scene("silencio", bench.history.state).cards if card.card == "shrine-red"]
    bench.see(sight_of("silencio", laid))
    assert GO_ON not in words(bench.box.shown)
    assert any("small shrines" in str(text) for text in words(bench.box.shown))
    bench.close()


def test_a_card_that_only_its_player_sees_is_called_a_card() -> None:
    told = [
        HOSTS["cisza"].game.tell(cisza.Discarded(0, HIDDEN)),
        HOSTS["cisza"].game.tell(cisza.Dealt(0, HIDDEN)),
        HOSTS["silentes"].game.tell(silentes.Dealt(0, HIDDEN)),
        HOSTS["silentes"].game.tell(silentes.Found(0, HIDDEN)),
    ]
    draws = "Player 1 draws a card."
    assert [str(one) for one in told] == ["Player 1 discards a card.", draws, draws, "Player 1 draws a provision."]


def test_the_cards_that_go_round_are_answered_in_a_few_words() -> None:
    (only,) = options("silencio players=2 hands=?,?/?,? turn=0 phase=pass_on").nodes
    assert str(only.pick.label) == "all have given one"


def test_silencio_says_where_the_effects_of_the_colours_stand_and_counts_cards_not_ranks() -> None:
    told = {one.key: str(one.text) for one in course_of("silencio").all}
    assert "the printed card says what each colour does" in told["sides"]
    assert "Shuffle the cards 2 to {most} of all colours" in told["set-up"]


def test_the_headline_of_a_set_up_goes_on_to_the_next_shelter_and_then_says_that_all_is_laid(bench: Taught) -> None:
    bench.box.start("silentes", {"drawing": "table"})
    state = read_state(HOSTS["silentes"].game, f"silentes drawing=table phase=place map={MAP}")
    laid = [card for card in scene("silentes", state).cards if not card.card.startswith(("marker", "token"))]
    bench.see(sight_of("silentes", laid[:2]))
    assert str(bench.box.shown.question) == "Set up the table, next: shelter 3."
    bench.see(sight_of("silentes", laid))
    assert bench.box.shown.question == READY
    bench.press(Button.CONFIRM)
    assert "put your token on a shelter" in str(bench.box.shown.question)
    bench.close()


def test_what_lies_under_a_heap_is_not_counted_as_put_away() -> None:
    host = HOSTS["silentes"]
    line = f"silentes drawing=table phase=over reason=survived map={MAP} tokens=0,5 piles=cups-01,cups-02,cups-03/-"
    public = host.game.view(read_state(host.game, line), None)
    lying = [card for card in scene("silentes", public).cards if not card.card.startswith(("marker", "token"))]
    away = put_away(host, public, sight_of("silentes", lying, Seen("cups-03", DISCARDS[0])))
    assert away is not None
    assert (away.done, away.of) == (0, 9)


def test_the_card_of_a_shelter_says_what_going_there_would_do() -> None:
    host = HOSTS["silentes"]
    state = read_state(host.game, f"silentes drawing=table phase=place map={MAP} hands=?,?,?,?,?/?,?,?,?,?")
    told = card_in_words(host, host.game.view(state, None), state.map[6])
    assert str(told.now) == "Now: Player 1 starts at shelter 7."


@pytest.mark.parametrize("name", NAMES)
def test_every_side_of_a_card_has_a_word(name: str) -> None:
    host = HOSTS[name]
    faces = {face for _, face in sides(name, host.game.options(**{**host.at_table, **host.box_defaults})) if face}
    assert faces <= host.game.terms.keys()
