"""Lessons: every rule has one or a reason why not, and each is told once, in time, and from what everybody may know."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from benchmarks.lessons import run
from companion.catalogue import Catalogue
from companion.games.game import IllegalMove
from companion.games.silencio.words import QUESTIONS
from companion.kits import KITS
from companion.outputs.panel_frame import frame_of, laying_of
from companion.outputs.text_line import words
from companion.session.lesson_memory import FILE, LessonMemory
from companion.table.card_help import NOTHING_NOW, CardInWords
from companion.table.hosts import HOSTS
from companion.table.lessons import GOAL, UNTOLD, Moment, course_of
from companion.table.sample_states import asked
from companion.table.scenes import scene
from companion.table.sight import Seen, Sight, ZonedToken
from companion.text import LANGUAGES, Text
from hardware.display import Message, pages
from hardware.lettering import can_write
from hardware.lights import progress
from hardware.panel import Button
from tests.table.taught import Taught, begin_silencio, said, sight_of, to_first_turn

ROOT = Path(__file__).parents[2]
PREFIX = {"silencio": "SIL", "similo": "SIM", "silentes": "STE", "cisza": "CIS"}
NAMED = re.compile(r'(?:refuse|no)\(\s*(?:state,\s*)?"([a-z_]+)"|return\s*\(?\s*"([a-z_]+)",\s*(?:N_|ALL_|Text)')
END = re.compile(r"[.!?](?=\s|$)")


BENCH = Taught


# What there is to tell


def sources(game: str) -> str:
    files = [*(ROOT / "companion" / "games" / game).glob("*.py"), *(ROOT / "companion" / "kits" / game).glob("*top.py")]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


@pytest.mark.parametrize("game", KITS)
def test_every_ruling_has_a_lesson_or_a_reason_why_not(game: str) -> None:
    course = KITS[game].course
    cited = set(re.findall(rf"{PREFIX[game]}-\d\d", sources(game) + (ROOT / "docs" / "rulings.md").read_text("utf-8")))
    told = {ruling for lesson in course.all for ruling in lesson.tells}
    untold = {ruling for rulings in course.untold.values() for ruling in rulings}
    assert not told & untold
    assert cited <= told | untold
    numbers = sorted(int(ruling[-2:]) for ruling in told | untold)
    assert len(numbers) >= {"silencio": 44, "similo": 23, "silentes": 61, "cisza": 47}[game]


def test_the_rulings_about_the_box_itself_have_a_reason_why_nobody_is_told() -> None:
    cited = set(re.findall(r"G-\d\d", (ROOT / "docs" / "rulings.md").read_text("utf-8") + sources("silencio")))
    assert cited <= {ruling for rulings in UNTOLD.values() for ruling in rulings}


@pytest.mark.parametrize("game", KITS)
def test_every_refusal_has_a_lesson_or_a_reason_why_not(game: str) -> None:
    course = KITS[game].course
    codes = {one or other for one, other in NAMED.findall(sources(game))}
    explained = {code for lesson in course.lessons for code in lesson.explains}
    unexplained = {code for reasons in course.unexplained.values() for code in reasons}
    assert len(codes) >= 4
    assert not explained & unexplained
    assert codes <= explained | unexplained


@pytest.mark.parametrize("game", KITS)
def test_every_lesson_belongs_to_questions_that_the_game_asks_and_has_a_key_of_its_own(game: str) -> None:
    course, asked = KITS[game].course, {*KITS[game].game.questions}
    assert len({one.key for one in course.all}) == len(course.all)
    for lesson in course.all:
        assert lesson.asks, lesson.key
        assert {*lesson.asks} <= asked, lesson.key


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", KITS)
def test_a_lesson_is_two_sentences_and_the_goal_three_and_both_fit_the_text_line(game: str, language: str) -> None:
    say = Catalogue(language).translate
    for lesson in KITS[game].course.all:
        text = say(lesson.text)
        assert len(END.findall(text)) == 3 if lesson.key == GOAL else len(END.findall(text)) <= 2, text
        assert all(can_write(letter) for letter in text)
        assert len(pages(Message((text,)), (128, 32))) <= 4, text
        assert len(pages(Message((text,)), (128, 64))) <= 2, text


# Groups that err


def test_groups_that_err_are_told_each_rule_once_in_time_and_from_what_all_may_know() -> None:
    count = run(12, seed=3, in_a_row=3)
    assert count.wrong == []
    assert count.games == 12
    assert count.first_with_lesson >= 8
    assert count.differing >= 5
    assert len(count.told) >= 35


# When it's told


def test_before_the_first_move_the_goal_and_the_set_up_are_told_and_then_one_lesson_a_turn(bench: Taught) -> None:
    begin_silencio(bench)
    assert bench.told == [GOAL, "set-up"]
    for move in ("show b5", "show g7"):
        bench.box.do(move)
    assert bench.told == ["start"]
    bench.box.do("start 0")
    assert bench.told == ["sides"]
    bench.box.do("pass_on ?")
    assert bench.told == ["play"]
    bench.box.do("play y2")
    assert bench.told == ["play"]
    bench.box.do("done")
    assert bench.told == ["random"]
    bench.box.do("draw")
    bench.box.do("drawn r4")
    assert bench.told == []
    bench.box.do("use")
    bench.box.do("done")
    assert bench.told == ["skip"]


def test_a_group_remembers_after_a_power_cut_and_an_undo_and_a_new_game(bench: Taught) -> None:
    to_first_turn(bench)
    bench.power_cut()
    assert bench.told == ["play"]
    bench.box.do("play r2")
    bench.box.do("done")
    assert bench.told == ["skip"]
    bench.box.undo()
    bench.box.undo()
    bench.box.do("play r2")
    bench.box.do("done")
    assert bench.told == ["skip"]
    to_first_turn(bench)
    assert bench.told == []
    LessonMemory(bench.folder).forget("similo")
    assert GOAL in LessonMemory(bench.folder).of("silencio").told
    LessonMemory(bench.folder).forget("silencio")
    begin_silencio(bench)
    assert bench.told == [GOAL, "set-up"]


def test_what_a_group_does_right_by_itself_is_not_told(bench: Taught) -> None:
    to_first_turn(bench)
    for move in ("play g4", "choose 0", "renew", "show b3", "show b4", "done", "play r4", "skip", "done", "play g8"):
        assert "swap" not in bench.told
        bench.box.do(move)
    assert "swap" in LessonMemory(bench.folder).of("silencio").shown
    assert bench.box.shown.question == Text(QUESTIONS["swap"], {"seat": 1})
    assert "swap" not in bench.told


def test_a_lesson_is_shown_with_the_questions_of_its_turn_that_it_helps_to_answer(bench: Taught) -> None:
    to_first_turn(bench)
    for move in ("play y2", "done"):
        bench.box.do(move)
    assert bench.told == ["random"]
    bench.box.do("draw")
    assert bench.told == ["random"]
    bench.box.do("drawn g8")
    assert bench.box.shown.question == Text(QUESTIONS["swap"], {"seat": 2})
    assert bench.told == []
    for move in ("skip", "done", "play b2"):
        bench.box.do(move)
        assert bench.told == []
    assert "swap" not in LessonMemory(bench.folder).of("silencio").told


def test_a_lesson_is_shown_on_to_each_player_in_the_first_turn_that_needs_it_and_told_once(bench: Taught) -> None:
    bench.box.start("cisza", {"players": 3, "driver": "table"})
    bench.box.do("start 0")
    assert (bench.told, bench.shown_on) == (["mulligan"], [])
    bench.box.do("keep")
    assert (bench.told, bench.shown_on) == (["noise"], ["mulligan"])
    spoken = [*bench.spoken]
    bench.box.do("keep")
    assert (bench.told, bench.shown_on) == ([], ["mulligan"])
    bench.box.do("keep")
    assert (bench.told, bench.shown_on) == (["turn"], [])
    for seat in (1, 2):
        bench.box.do("play walkie")
        bench.box.do("done")
        assert (bench.told, bench.shown_on) == ([], ["turn"]), seat
    bench.box.do("done")
    assert (bench.told, bench.shown_on) == ([], [])
    assert sum("discard them all, once" in text for text in spoken) == 1


def test_a_lesson_that_gave_way_comes_with_the_next_question_that_needs_it(bench: Taught) -> None:
    to_first_turn(bench)
    for move in ("play g4", "skip", "shrine blue", "take g4", "play r4", "skip", "done", "play b4"):
        assert "take-back" not in bench.told
        bench.box.do(move)
    assert bench.told == ["take-back"]


def test_after_an_undo_the_turn_is_taught_what_it_needs_and_not_what_was_taken_back(bench: Taught) -> None:
    to_first_turn(bench)
    for move in ("play r2", "done"):
        bench.box.do(move)
    assert bench.told == ["skip"]
    bench.box.undo()
    assert bench.told == ["play"]
    bench.box.undo()
    for move in ("play y2", "done"):
        bench.box.do(move)
    assert bench.told == ["random"]
    bench.power_cut()
    assert bench.told == ["random"]


def test_after_a_refusal_the_rule_behind_it_is_told_and_once_more_if_it_was_before(bench: Taught) -> None:
    to_first_turn(bench)
    bench.box.do("play r4")
    bench.box.do("skip")
    bench.box.do("done")
    told = set(LessonMemory(bench.folder).of("silencio").told)
    assert "play" in told
    for is_again in (True, False):
        before = bench.box.shown.lessons
        with pytest.raises(IllegalMove):
            bench.box.do("play r3")
        if is_again:
            assert [(one.key, one.is_again) for one in bench.box.shown.lessons] == [("play", True)]
        else:
            assert bench.box.shown.lessons == before


def test_a_lesson_that_still_stands_is_not_told_once_more(bench: Taught) -> None:
    to_first_turn(bench)
    laid = [*scene("silencio", bench.history.state).cards]
    bench.see(sight_of("silencio", laid, Seen("r4", "blue", x=220, y=200)))
    assert bench.box.shown.proposal.code == "wrong_row"
    assert [(one.key, one.is_again) for one in bench.box.shown.lessons] == [("play", False)]
    assert LessonMemory(bench.folder).of("silencio").again == ()


def test_a_refusal_that_only_its_seat_may_know_of_teaches_nobody_else(bench: Taught) -> None:
    bench.box.start("silencio", {"players": 2, "driver": "sim"})
    for number, card in enumerate(("r2", "b2", "r3", "b3", "r4", "b4", "r5", "b5", "r6", "b6", "r7", "b7")):
        bench.box.do(f"deal {card}")
        assert number < 12
    for move in ("show g2", "show y2", "start 0", "pass_on r2", "pass_on b2"):
        bench.box.do(move)
    before = LessonMemory(bench.folder).of("silencio"), bench.box.shown.lessons
    with pytest.raises(IllegalMove, match="must_play"):
        bench.box.do("pass")
    assert (LessonMemory(bench.folder).of("silencio"), bench.box.shown.lessons) == before


def test_who_knows_the_game_is_told_nothing_until_they_ask(bench: Taught) -> None:
    bench.box.start("silencio", {"players": 2, "driver": "table"}, is_known=True)
    for move in ("show b5", "show g7", "start 0", "pass_on ?"):
        assert bench.told == []
        bench.box.do(move)
    with pytest.raises(IllegalMove):
        bench.box.do("play b5")
    assert bench.told == []
    bench.box.skip_lessons(is_known=False)
    assert bench.told == ["play"]


def test_silencio_is_never_taught_by_voice_and_silentes_is(bench: Taught) -> None:
    to_first_turn(bench)
    assert bench.told
    assert bench.spoken == []
    bench.box.start("silentes", {"drawing": "table"})
    assert [str(one.text) for one in bench.box.shown.lessons] == bench.spoken


def test_a_disk_that_can_not_be_read_or_written_costs_the_memory_and_not_the_game(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("{]")
    groups = LessonMemory(tmp_path)
    assert groups.of("silencio").told == {}
    (tmp_path / FILE).unlink()
    (tmp_path / FILE).mkdir()
    groups.save("silencio", groups.of("silencio").__class__(told={"play": Moment(1, 2)}))
    assert groups.of("silencio").told == {"play": Moment(1, 2)}


# Where it's seen


def test_the_text_line_has_the_rule_before_the_question_after_a_refusal_and_else_behind_it(bench: Taught) -> None:
    to_first_turn(bench)
    texts = said(bench)
    question = str(bench.box.shown.question)
    lesson = str(bench.box.shown.lessons[0].text)
    assert texts.index(question) < texts.index(lesson)
    laid = [*scene("silencio", bench.history.state).cards]
    wrong = sight_of("silencio", laid, Seen("r4", "blue", x=220, y=200))
    bench.see(wrong)
    assert bench.box.shown.proposal.code == "wrong_row"
    texts = said(bench)
    assert texts.index(lesson) < texts.index(question)


def test_the_set_up_is_counted_and_what_is_missing_is_named(bench: Taught) -> None:
    begin_silencio(bench)
    laid = [card for card in scene("silencio", bench.history.state).cards if card.card != "shrine-blue"]
    bench.see(sight_of("silencio", laid))
    laying = laying_of(bench.box.shown)
    assert laying is not None
    assert (laying.done, laying.of) == (4, 7)
    assert str(laying.text) == "4 of 7 lie right. Missing: the blue shrine, the Oracle's cards."
    assert str(laying.text) in [str(text) for text in words(bench.box.shown)]
    assert frame_of(bench.box.shown).bar == progress(4, 7).bar


@pytest.mark.parametrize(
    ("game", "options", "of"),
    [("similo", {"players": 3}, 12), ("silentes", {"drawing": "table"}, 8), ("cisza", {"players": 3}, 7)],
)
def test_every_game_counts_its_set_up(bench: Taught, game: str, options: dict[str, Any], of: int) -> None:
    bench.box.start(game, {**HOSTS[game].at_table, **options})
    bench.see(Sight())
    laying = laying_of(bench.box.shown)
    assert laying is not None
    assert (laying.done, laying.of) == (0, of)


def test_after_the_game_each_card_has_its_pile_and_the_table_empties(bench: Taught) -> None:
    bench.box.start("cisza", {"players": 2, "driver": "table"})
    running = bench.box.shown.running
    assert running is not None
    pile = running.course.pile
    options = running.public_state.options
    assert {str(pile(options, card)) for card in ("axe", "mines")} == {"All other cards back to the resource deck"}
    assert (
        pile(options, "city")
        == pile(options, "fast")
        == "Survivors and zombies back to the city deck, survivor side up"
    )
    begin_silencio(bench)
    bench.box.do("show b5")
    bench.box.do("show g7")
    bench.box.do("nobody")
    laid = [*scene("silencio", bench.history.state).cards]
    whole = sight_of("silencio", laid)
    bench.see(whole)
    first = laying_of(bench.box.shown)
    bench.see(Sight(whole.cards[2:]))
    then = laying_of(bench.box.shown)
    assert first is not None
    assert then is not None
    assert then.done == first.done + 2
    assert "All cards and shrines go away together: 5." in str(then.text)


def test_the_ask_token_on_an_open_card_tells_what_it_does_and_would_do_now(bench: Taught) -> None:
    to_first_turn(bench)
    laid = [*scene("silencio", bench.history.state).cards]
    oracle = next(card for card in laid if card.card == "b5")
    bench.see(sight_of("silencio", laid, tokens=(ZonedToken("ask", "oracle", oracle.x + 5, oracle.y),)))
    asked = bench.box.shown.asked_card
    assert isinstance(asked, CardInWords)
    assert (str(asked.name), asked.now) == ("blue 5", NOTHING_NOW)
    assert "take the last card of another row" in str(asked.does)
    assert bench.box.shown.complaint is None
    bench.box.do("play y4")
    bench.box.do("open r2")
    bench.box.do("done")
    laid = [*scene("silencio", bench.history.state).cards]
    mine = next(card for card in laid if card.card == "r2")
    bench.see(sight_of("silencio", laid, tokens=(ZonedToken("ask", "open", mine.x, mine.y),)))
    asked = bench.box.shown.asked_card
    assert isinstance(asked, CardInWords)
    assert str(asked.now) == "Now: Player 2 plays red 2, dark side up."


def test_a_card_that_does_not_lie_open_is_not_named(bench: Taught) -> None:
    to_first_turn(bench)
    laid = [*scene("silencio", bench.history.state).cards]
    shown = Seen("y7", "deck", x=737, y=90)
    bench.see(sight_of("silencio", laid, shown, tokens=(ZonedToken("ask", "deck", 737, 90),)))
    asked = bench.box.shown.asked_card
    assert isinstance(asked, Text)
    assert "yellow" not in "".join(str(text) for text in words(bench.box.shown))


@pytest.mark.parametrize(("cards", "is_told"), [(3, False), (2, True), (1, True)])
def test_the_last_card_is_told_of_while_one_can_still_choose_it(cards: int, is_told: bool) -> None:
    lesson = next(one for one in course_of("silencio").lessons if one.key == "last-card")
    state = next(state for step, state in asked(HOSTS["silencio"]) if step.ask == "turn")
    held = tuple(("?",) * cards for _ in state.hands)
    assert lesson.where(replace(state, hands=held, open=((),) * len(held))) is is_told


def test_cisza_says_with_its_goal_when_it_ends() -> None:
    assert "When the city deck is used up" in str(course_of("cisza").goal.text)


@pytest.mark.parametrize(("variant", "is_told"), [("counted", False), ("", True)])
def test_without_a_camera_similo_says_that_it_can_be_played_by_number(
    bench: Taught, variant: str, is_told: bool
) -> None:
    chosen = next((one.options for one in KITS["similo"].variants if one.key == variant), {})
    bench.box.start("similo", {**HOSTS["similo"].at_table, **chosen})
    bench.press(Button.CONFIRM)
    assert any("by number, without a camera" in str(text) for text in words(bench.box.shown)) is is_told
