"""Where people were lost who knew only what the box tells, and what it tells there now."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.cisza.words import RULES
from companion.games.game import Over
from companion.games.notation import read_state
from companion.games.silencio import records as silencio
from companion.games.silentes import moves as silentes
from companion.games.silentes import records as silentes_records
from companion.games.silentes.words import RULES as SILENTES_RULES
from companion.kits import KITS
from companion.outputs.panel_frame import laying_of
from companion.session.lesson_memory import LessonMemory
from companion.session.news import News
from companion.session.question_texts import NOTHING_CHOSEN, NOTHING_LAID
from companion.table.chooser import Node
from companion.table.hosts import HOSTS
from companion.table.lessons import GOAL, MAX_LESSONS_A_GAME, Lesson, Moment, ToldLessons, as_told, has_room
from companion.table.menu import MenuAct, menu
from companion.table.sample_states import asked
from companion.table.scenes import scene
from companion.table.setup_progress import put_away
from companion.table.sight import Seen, Sight
from companion.text import Text
from hardware.panel import Button
from tests.table.taught import Taught, begin_silencio, said, sight_of, to_first_turn

BENCH = Taught


def question(name: str, state: str) -> str:
    game = HOSTS[name].game
    return str(game.question(read_state(game, state)))


def verbs(nodes: tuple[Node, ...]) -> set[str]:
    return {node.pick.key for node in nodes}


# Only what can be chosen is named


@pytest.mark.parametrize(
    ("state", "asks"),
    [
        ("phase=end played=yes rows=r4/-/-/-", "Player 1: use a shrine before your turn ends?"),
        (
            "phase=end played=yes rows=r4/-/-/- tavern=yes tavern_open=yes dark_count=3",
            "Player 1: use a shrine or speak in the tavern before your turn ends?",
        ),
        (
            "rows=r4/-/-/- markers=skip_light",
            "Player 1: play a card, or pass if you can't. Still waiting: the next card's light effect is skipped.",
        ),
        ("rows=-/-/-/g4 markers=green", "Player 1: play a green card, or pass if you can't."),
        ("rows=-/-/y2/- dark=y2 markers=random", "Player 1: draw a card blind, or pass if none of yours can fit."),
    ],
)
def test_silencio_names_a_tavern_that_is_open_a_colour_that_is_due_and_a_blind_draw(state: str, asks: str) -> None:
    assert question("silencio", f"silencio players=2 driver=table hands=?,?,?/?,?,? {state}") == asks


def test_silentes_names_entrenching_only_where_a_card_was_hidden_with_last_round() -> None:
    seen = Counter[bool]()
    for step, state in asked(HOSTS["silentes"]):
        if step.ask != "action":
            continue
        public = HOSTS["silentes"].game.view(state, None)
        can = silentes.Entrench() in HOSTS["silentes"].game.conceivable(public)
        assert ("entrench" in str(HOSTS["silentes"].game.question(public))) == can
        seen[can] += 1
    assert min(seen[True], seen[False]) > 0


def test_a_turn_of_cisza_that_began_with_cards_goes_on_with_cards(bench: Taught) -> None:
    bench.box.start("cisza", {"players": 2, "driver": "table"})
    for move in ("start 0", "keep", "keep", "play walkie"):
        bench.box.do(move)
    assert str(bench.box.shown.question) == "Player 1: play another card, or end your turn."


# How many, and how far


def test_cisza_names_the_only_zombie_that_can_go_and_where_a_surprise_goes(bench: Taught) -> None:
    state = "cisza players=3 hands=sacrifice/-/- zombies=fast/-/-"
    bench.box.start_at("cisza", read_state(HOSTS["cisza"].game, state))
    bench.box.do("play sacrifice")
    assert str(bench.box.shown.question) == "Player 1: to whom does this zombie go: fast zombie?"
    bench.box.start_at("cisza", read_state(HOSTS["cisza"].game, state.replace("sacrifice", "surprise")))
    for move in ("play surprise", "target 2", "send fast"):
        bench.box.do(move)
    says = "Turn the city's top card over: a zombie goes to player 3. What does it show?"
    assert str(bench.box.shown.question) == says


def test_guessers_are_told_in_every_round_how_many_must_go_and_which_of_them_they_pick(bench: Taught) -> None:
    bench.box.start("similo", {"players": 3, "driver": "table"})
    while str(bench.box.shown.running.pending.ask) == "grid":  # type: ignore[union-attr]
        bench.box.do(HOSTS["similo"].game.legal(bench.history.state)[0])
    for count in (1, 2, 3):
        clue = next(move for move in HOSTS["similo"].answerable(bench.history.state))
        bench.box.do(clue)
        assert str(bench.box.shown.question).startswith(f"Guessers: take away {count}. Who can't be the secret?")
        bench.press(Button.RIGHT)
        assert f"(1 of {count})" in said(bench)[0] or count == 1
        bench.press(Button.BACK)
        bench.box.do(HOSTS["similo"].game.legal(bench.history.state)[0])
        assert said(bench)[-1] == "◀ ▶ choose, then hold ✔ for two seconds. ✖ goes back."
        bench.box.do("safe")


def test_characters_that_go_together_are_picked_in_any_order(bench: Taught) -> None:
    bench.box.start("similo", {"players": 3, "driver": "table", "rounds": 3})
    while str(bench.box.shown.running.pending.ask) == "grid":  # type: ignore[union-attr]
        bench.box.do(HOSTS["similo"].game.legal(bench.history.state)[0])
    grid = bench.history.state.characters_left
    bench.box.do("announce 9")
    bench.box.do(next(move for move in HOSTS["similo"].answerable(bench.history.state)))
    for at in range(1, 10):
        bench.press(Button.LEFT)
        assert said(bench)[0].endswith(f"({at} of 9)")
        bench.press(Button.CONFIRM)
    assert bench.history.state.taken == grid[3:]


@pytest.mark.parametrize(
    ("game", "options", "of"),
    [("similo", {"players": 3}, 12), ("silentes", {"drawing": "virtual"}, 8)],
)
def test_a_set_up_entered_by_buttons_is_counted_for_everybody(
    bench: Taught, game: str, options: dict[str, Any], of: int
) -> None:
    bench.box.start(game, {**HOSTS[game].at_table, **options}, is_known=True)
    for done in range(2):
        assert f"{done} of {of} are entered." in said(bench)
        bench.box.do(HOSTS[game].game.legal(bench.history.state)[0])


@pytest.mark.parametrize("game", KITS)
def test_the_piles_of_a_clean_up_are_as_many_cards_as_still_lie_there(game: str) -> None:
    host, over = HOSTS[game], 0
    for _, state in asked(host):
        ending = host.game.view(state, None)
        laying = put_away(OverHost(host), ending, sight_of(game, [*scene(game, state).cards]))  # type: ignore[arg-type]
        if laying is not None:
            counts = [int(count) for count in re.findall(r": (\d+)\.", str(laying.text.values["piles"]))]
            assert sum(counts) == laying.of - laying.done
            over += 1
        if over > 20:
            break
    assert over > 20


class OverHost:
    """A host whose games are over at once."""

    def __init__(self, host: Any):
        self.table = host.table
        self.game = self
        self.name = host.game.name

    def pending(self, state: Any) -> Any:
        return Over("done", ())


# What the lights mean, and which option comes first


def test_sun_and_moon_are_for_clues_alone_and_safe_or_lost_are_things_to_pick() -> None:
    host = HOSTS["similo"]
    state = next(state for step, state in asked(host) if step.ask == "answer" and state.secret == "?")
    nodes = host.options(state)
    assert verbs(nodes) == {"safe", "lost"}
    assert {node.pick.kind for node in nodes} == {"verb"}


def test_that_nobody_holds_the_drawn_card_comes_first_and_the_box_says_that_it_drew_it() -> None:
    host = HOSTS["silentes"]
    state = next(state for step, state in asked(host) if step.ask == "held")
    assert host.options(state)[0].value == silentes.Fresh()
    assert str(host.game.question(state)).startswith(f"The box drew {host.game.card(state.drawn[0])} for you.")


ANYONE = (
    "silentes drawing=virtual phase=reaction round=2 hunt=cups-13 tokens=0,5 provisions=?/? hands=?,?,?,?,?/?,?,?,?,? "
    "map=cups-05,swords-06,wands-07,pentacles-08,cups-09,swords-10,wands-11,pentacles-12"
)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            "",
            "Player 1 or 2: the hunt comes to player 1, silence 0 against 13. Do you play a provision of yours "
            "against it?",
        ),
        (
            "tokens=0,4",
            "Player 1 or 2: the hunt comes to you both, silence 0, 0 against 13. Do you play a provision of yours "
            "against it?",
        ),
        (
            "tokens=2,5",
            "Player 1 or 2: as things are, this hunt comes to nobody. Do you play a provision of yours anyway?",
        ),
        (
            "cries=cups",
            "Player 1 or 2: as things are, this hunt comes to nobody. Do you play a provision of yours anyway?",
        ),
        ("mirror=0:1", "Player 1 or 2: a provision against this hunt?"),
    ],
)
def test_silentes_says_whom_a_hunt_finds(change: str, says: str) -> None:
    kept = [part for part in ANYONE.split() if part.split("=")[0] != change.split("=")[0]]
    assert question("silentes", " ".join((*kept, change))) == says


def test_a_window_asks_both_players_in_one_question_and_says_whose_provision_is_picked() -> None:
    host = HOSTS["silentes"]
    state = read_state(host.game, ANYONE)
    nodes = host.options(state)
    assert [str(node.pick.label) for node in nodes] == ["player 1 plays one", "player 2 plays one", "no"]
    assert nodes[2].value == host.window(state).move == silentes.Nobody()
    after, _ = host.game.apply(state, nodes[1].value)
    assert str(host.game.question(after)).startswith("Player 2: ")


def test_a_hunt_asks_about_provisions_three_times_at_most_where_nobody_plays_one() -> None:
    host = HOSTS["silentes"]
    state, asks = read_state(host.game, ANYONE), []
    while state.phase in ("reaction", "bonus", "cancel"):
        asks.append(state.phase)
        state, _ = host.game.apply(state, host.window(state).move)
    assert asks == ["reaction", "bonus", "cancel"]


def test_silentes_says_how_many_cards_are_missing_and_asks_whether_one_has_hunted() -> None:
    state = ANYONE.replace("reaction", "refill").replace("hunt=cups-13", "gone=cups-13 ghosts=cups-13")
    says = "Player 1: draw a hunt card, still to draw: 2. Has this one hunted before?"
    assert question("silentes", state.replace("hands=?,?,?,?,?", "hands=?,?")) == says


def test_those_who_are_taught_have_all_the_time_they_want_and_others_a_clock(bench: Taught) -> None:
    state = read_state(HOSTS["silentes"].game, ANYONE)
    bench.box.start_at("silentes", state)
    bench.wait(600)
    assert bench.told
    assert bench.history.notation == ()
    all_told = {one.key: Moment(1, -1) for one in KITS["silentes"].course.all}
    LessonMemory(bench.folder).save("silentes", ToldLessons(told=all_told))
    bench.power_cut()
    assert bench.told == []
    bench.wait(600)
    assert bench.history.notation == ()
    bench.box.skip_lessons()
    bench.box.start_at("silentes", state)
    bench.wait(60)
    assert "nobody" in bench.history.notation


def test_a_player_is_called_a_player(bench: Taught) -> None:
    begin_silencio(bench)
    for move in ("show b5", "show g7"):
        bench.box.do(move)
    bench.press(Button.RIGHT, Button.RIGHT)
    assert said(bench)[0] == "✔: player 2"


# The hand cards that go round


def test_the_cards_that_go_to_the_left_are_a_step_which_the_first_card_laid_or_some_time_ends(bench: Taught) -> None:
    begin_silencio(bench)
    for move in ("show b5", "show g7", "start 1"):
        bench.box.do(move)
    assert str(bench.box.shown.question).startswith("Player 2 gives a card face down to the left;")
    laid = [*scene("silencio", bench.history.state).cards]
    bench.see(sight_of("silencio", laid, Seen("r2", "red", 180, x=220, y=90)))
    moves = bench.box.shown.proposal.explanations[0].moves
    assert moves[:3] == (silencio.PassOn("?"), silencio.PassOn("?"), silencio.Play("r2"))
    bench.box.on_sight(sight_of("silencio", laid))
    bench.wait(60)
    assert str(bench.box.shown.question) == "Player 2: play a card, or pass if you can't."


# What to do


def test_a_card_under_the_light_says_what_it_does_to_those_who_are_taught(bench: Taught) -> None:
    bench.box.start("cisza", {"players": 2, "driver": "table"})
    for move in ("start 0", "keep", "keep"):
        bench.box.do(move)
    bench.press(Button.RIGHT, Button.CONFIRM)
    assert said(bench)[:2] == ["✔: play › alarm", RULES["alarm"]]
    bench.box.skip_lessons()
    assert RULES["alarm"] not in said(bench)


def test_a_court_card_has_its_number_and_its_name_and_a_lone_provision_says_what_it_does(bench: Taught) -> None:
    state = read_state(HOSTS["silentes"].game, ANYONE.replace("provisions=?/?", "provisions=?/-"))
    bench.box.start_at("silentes", replace(state, unseen_provisions=("wands-03", "cups-01", "cups-02")))
    bench.press(Button.RIGHT)
    assert said(bench)[:2] == ["✔: wands › 3 thrown scrap", SILENTES_RULES["wands-03"]]
    acting = replace(state, phase="action", hunt=(), provisions=(("?",), ()), unseen_provisions=("cups-01",))
    bench.box.start_at("silentes", acting)
    bench.press(Button.LEFT)
    assert said(bench)[:2] == ["✔: play a provision › cups › 1 drinking water", SILENTES_RULES["cups-01"]]
    king = HOSTS["silentes"].card_steps("cups-14")[-1]
    assert (str(king.label), king.place) == ("14 King", 13)


def test_yes_to_nothing_says_what_to_do(bench: Taught) -> None:
    to_first_turn(bench)
    bench.press(Button.CONFIRM)
    assert said(bench)[0] == str(NOTHING_CHOSEN)
    bench.press(Button.RIGHT)
    assert str(NOTHING_CHOSEN) not in said(bench)
    bench.press(Button.BACK)
    bench.see(sight_of("silencio", [*scene("silencio", bench.history.state).cards]))
    bench.press(Button.CONFIRM)
    assert said(bench)[0] == str(NOTHING_LAID)


def test_what_now_tells_the_lesson_of_the_turn_or_the_one_behind_the_question(bench: Taught) -> None:
    bench.box.start("silentes", {"drawing": "table"})
    told = [str(one.text) for one in bench.box.shown.lessons]
    bench.spoken.clear()
    bench.hold(Button.CONFIRM)
    assert bench.spoken[: len(told)] == told
    to_first_turn(bench)
    bench.box.do("play r5")
    bench.box.do("skip")
    bench.box.do("done")
    bench.box.do("pass")
    assert (bench.told, bench.shown_on) == ([], [])
    before = LessonMemory(bench.folder).of("silencio")
    bench.hold(Button.CONFIRM)
    assert bench.told == ["sides"]
    assert LessonMemory(bench.folder).of("silencio") == before


def test_what_now_asked_again_goes_on_to_all_that_helps_and_the_goal_and_begins_anew(bench: Taught) -> None:
    to_first_turn(bench)
    bench.box.do("play r5")
    bench.box.do("skip")
    bench.box.do("done")
    bench.box.do("pass")
    told = []
    for _ in range(4):
        bench.hold(Button.CONFIRM)
        told += bench.told
    assert told == ["sides", "play", GOAL, "sides"]


def test_who_knows_the_game_can_say_so_in_the_menu_and_nobody_else_presses_more_for_it(bench: Taught) -> None:
    for unfinished in ((), bench.box.unfinished):
        plain = menu(HOSTS, running=True, unfinished=unfinished)
        longer = menu(HOSTS, running=True, unfinished=unfinished, is_taught=True)
        for node in plain.nodes:
            wanted = node.value if not node.branches else first(node)
            assert len(longer.gestures_to(wanted)) == len(plain.gestures_to(wanted))
    begin_silencio(bench)
    assert bench.told
    bench.hold(Button.BACK)
    bench.pick(MenuAct("skip-lessons"))
    assert bench.told == []
    assert LessonMemory(bench.folder).of("silencio").is_known
    bench.hold(Button.BACK)
    chooser = bench.box.shown.chooser
    assert chooser is not None
    assert MenuAct("skip-lessons") not in [node.value for node in chooser.nodes]
    assert laying_of(bench.box.shown) is None
    bench.see(Sight())


def first(node: Node) -> Any:
    while node.branches:
        node = node.branches[0]
    return node.value


def test_a_card_that_is_only_named_to_the_box_has_no_effect_to_tell_of(bench: Taught) -> None:
    begin_silencio(bench)
    bench.press(Button.RIGHT, Button.CONFIRM)
    assert said(bench)[1] == str(bench.box.shown.question)


def test_a_shrine_under_the_light_says_its_light_effect_alone(bench: Taught) -> None:
    to_first_turn(bench)
    bench.press(Button.LEFT, Button.LEFT, Button.CONFIRM)
    assert said(bench)[1] == "A lit shrine gives its light effect once: the next card's dark effect is skipped."
    bench.press(Button.LEFT)
    assert said(bench)[1] == "The large shrine gives one of the four light effects, once."


def test_who_has_no_card_left_is_said_to_pass_for_that_and_who_can_only_pass_is_told_so() -> None:
    game = HOSTS["silencio"].game
    state = read_state(game, "silencio players=2 driver=table hands=-/? rows=r8/b8/y8/g8 lit=- passes=0")
    assert str(game.question(state)) == "Player 1: you can play nothing, so pass."
    _, events = game.apply(state, silencio.Pass())
    assert str(game.tell(events[0])) == "Player 1 has no cards left and passes."


# What nobody may miss


def test_an_attack_stays_before_the_next_player_while_they_pick(bench: Taught) -> None:
    state = "cisza players=3 hands=?,?,?/?,?,?/?,?,? zombies=fast/-/- survivors=3,3,3 driver=table"
    bench.box.start_at("cisza", read_state(HOSTS["cisza"].game, state))
    bench.box.do("done")
    attack = "Attack on player 1: zombies 1, stopped 0, survivors lost 1."
    assert attack in said(bench)[-2]
    bench.press(Button.RIGHT)
    assert said(bench)[-1] == attack


def test_draws_never_crowd_out_an_omen() -> None:
    news = News()
    news.add(Text("An omen."), is_weighty=True)
    for number in range(20):
        news.add(Text(f"Card {number}."), is_weighty=False)
    told = str(news.all)
    assert told.startswith("An omen. Card 13.")
    assert told.endswith("Card 19.")
    assert str(news.weighty) == "An omen."


def test_a_lesson_that_can_wait_leaves_room_for_those_that_can_not() -> None:
    needed, other = Lesson(key="needed", text="Needed."), Lesson(key="other", text="Other.", can_wait=True)
    assert has_room(other, (other, needed), MAX_LESSONS_A_GAME - 2)
    assert not has_room(other, (other, needed), MAX_LESSONS_A_GAME - 1)
    assert has_room(needed, (other, needed), MAX_LESSONS_A_GAME - 1)
    assert not has_room(needed, (other, needed), MAX_LESSONS_A_GAME)


# What comes first


def test_the_set_up_asks_for_the_first_thing_that_is_not_done(bench: Taught) -> None:
    begin_silencio(bench)
    asks = "Turn up the top card of the deck for the Oracle. Which is it?"
    assert str(bench.box.shown.question) == f"First set up the table as it's told here. Then: {asks}"
    laid = [card for card in scene("silencio", bench.history.state).cards if card.card != "shrine-blue"]
    bench.see(sight_of("silencio", laid))
    assert str(bench.box.shown.question) == "Set up the table, next: the blue shrine."
    bench.see(sight_of("silencio", [*scene("silencio", bench.history.state).cards]))
    bench.box.do("show b5")
    assert str(bench.box.shown.question) == asks
    bench.box.skip_lessons()
    begin_silencio(bench)
    bench.see(Sight())
    assert str(bench.box.shown.question) == asks


def test_a_clean_up_says_that_nothing_has_to_be_pressed(bench: Taught) -> None:
    begin_silencio(bench)
    for move in ("show b5", "show g7", "nobody"):
        bench.box.do(move)
    assert (
        "Clear the table. All cards and shrines go away together. Nothing has to be pressed; ✔ opens the menu."
        in said(bench)
    )


def test_silentes_says_how_half_a_card_is_rounded_and_who_draws_omens(bench: Taught) -> None:
    course = KITS["silentes"].course
    for rounding, drawing, comes in (("down", "virtual", "the box draws it"), ("up", "table", "is turned up")):
        state = HOSTS["silentes"].game.new(silentes_records.Options(entrench_rounding=rounding, drawing=drawing))
        told = {one.key: str(as_told(one, state).text) for one in course.lessons}
        assert f"rounded {rounding}" in told["entrench"]
        assert comes in told["king"]
