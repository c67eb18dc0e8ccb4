"""Cards that the eye can't name: the box asks for the name by the panel, and never takes one without ✔."""

from __future__ import annotations

import random

import numpy as np
import pytest
from msgspec.structs import replace

from companion.demo.person import RandomPerson
from companion.games.notation import read_move, read_state
from companion.kits.cisza.tabletop import KIND_OF
from companion.session.arming import Arming
from companion.session.corrections import Corrections
from companion.table.doubt import Doubt, FaceName
from companion.table.explain import TableSearch, explain
from companion.table.eye import deck_names, table_deck, to_sight
from companion.table.fingerprints import fingerprint_of, is_same_fingerprint
from companion.table.hosts import HOSTS
from companion.table.proposal import NOTHING
from companion.table.scenes import mid_move, scene
from companion.table.sight import Seen, Sight
from companion.table.simulated_table import Doubts, SimulatedTable, some_doubts
from hardware.panel import Button
from tests.table.fingers import PinBench
from tests.table.test_mistakes import perfect_sight
from vision.geometry import rectangle
from vision.view import UnknownCard

BENCH = PinBench

GRID = "alice,big-bad-wolf,cinderella,dorothy,giant,hunter,jack,king-arthur,peter-pan,pinocchio,robin-hood,snow-white"
MAP = "cups-05,swords-06,wands-07,pentacles-08,cups-09,swords-10,wands-11,pentacles-12"
TURN = "silencio driver=table hands=?,?,?/?,?,?/?,?,? rows=r4/b3/-/- oracle=y5,g7,b9"
ORACLE = "silencio driver=table hands=?,?/?,? players=2 phase=oracle oracle=y5 deck=23 to_reveal=1"
CLUE = f"similo driver=table characters_left={GRID} hand=?,?,?,?,?"
REMOVE = f"similo driver=table characters_left={GRID} hand=?,?,?,?,? phase=remove clues=aladdin:similar"
HUNT = f"silentes drawing=table phase=hunt round=2 map={MAP} tokens=0,5 hands=?,?,?,?,?/?,?,?,?,?"
HIDE = f"silentes drawing=table phase=hide round=2 map={MAP} tokens=0,5 hands=?,?,?,?,?/?,?,?,?,?"
CITY = "cisza players=2 driver=table survivors=2,2 hands=?,?,?/?,?,?"
FLIP = "cisza players=2 driver=table survivors=2,2 phase=flip card=megaphone at=0 mode=play discard=megaphone"


REPLACED = ("city",)
"""Zones with one card: a new one lies in its place."""
STRONG = " ".join(card for card, kind in KIND_OF.items() if kind == "strong")


def doubt(state: str, zone: str, maybe: str = "", lying: str = "", was: str = "") -> Doubt | None:
    """What the box asks about a card without a name in a zone; `lying` are read cards as zone:card."""
    host = HOSTS[state.split()[0]]
    table = perfect_sight(host.game.name, scene(host.game.name, read_state(host.game, state)))
    cards = tuple(Seen(card, zone=place) for place, card in (one.split(":") for one in lying.split()))
    there = tuple(card for card in table.cards if card.card != was and (card.zone != zone or zone not in REPLACED))
    stranger = Seen("", zone=zone, x=100, y=100, maybe=tuple(maybe.split()), was=was)
    inquiry = TableSearch(
        host, read_state(host.game, state), Sight((*there, *cards), strangers=(stranger,)), sight_before=table
    )
    while not inquiry.run():
        pass
    assert inquiry.result is not None
    return inquiry.result.doubt


@pytest.mark.parametrize(
    ("state", "zone", "maybe", "order"),
    [
        (TURN, "red", "", "r5 r6 r7 r8 r9 r10"),
        (TURN, "red", "r9 r6", "r9 r6 r5 r7 r8 r10"),
        (TURN, "red", "b9 r2 r6", "r6 r5 r7 r8 r9 r10"),
        (TURN, "blue", "b4", "b4 b5 b6 b7 b8 b10"),
        (
            HIDE,
            "played-1",
            "cups-12 swords-02",
            "cups-12 cups-04 cups-06 cups-07 cups-08 cups-10 cups-11 cups-13 cups-14",
        ),
        (FLIP, "city", "city-30 city-31 city-07", "strong regular"),
    ],
)
def test_the_likely_cards_come_first_then_all_others_that_are_legal(
    state: str, zone: str, maybe: str, order: str
) -> None:
    found = doubt(state, zone, maybe)
    assert found is not None
    assert [name.card for name in found.order] == order.split()


@pytest.mark.parametrize(
    ("state", "zone"),
    [
        (TURN, "oracle"),
        (TURN, "deck"),
        (TURN, ""),
        (CLUE, "grid"),
        (CLUE, "secret"),
        (HUNT, "shelter-1"),
        (HUNT, "hunt-deck"),
        (HIDE, "hunt"),
        (CITY, "city"),
        (CITY, "shelter-2"),
        (FLIP, "play"),
        (CLUE.replace("table", "sim").replace("?,?,?,?,?", "aladdin,genie"), "clues"),
        (TURN.replace("driver=table", "driver=sim").replace("?,?,?/?,?,?/?,?,?", "r6,r7/y2/y3"), "red"),
    ],
)
def test_nothing_is_asked_where_no_card_is_awaited_or_where_names_would_tell_a_hand(state: str, zone: str) -> None:
    assert doubt(state, zone) is None


@pytest.mark.parametrize(
    ("state", "zone", "was", "is_asked"),
    [
        (TURN, "red", "r4", False),
        (TURN, "red", "shrine-red", False),
        (TURN, "red", "r2", True),
        (ORACLE, "oracle", "y5", False),
        (ORACLE, "oracle", "", True),
        (REMOVE, "grid", "alice", False),
        (HIDE, "shelter-1", "cups-05", False),
        (FLIP, "city", "city-09", False),
    ],
)
def test_a_card_that_lay_there_before_is_no_new_one(state: str, zone: str, was: str, is_asked: bool) -> None:
    assert (doubt(state, zone, was=was) is not None) == is_asked


@pytest.mark.parametrize(
    ("state", "zone", "lying", "card", "is_offered"),
    [
        (TURN, "red", "", "r6", True),
        (TURN, "red", "deck:r6", "r6", False),
        (CLUE, "clues", "removed:genie", "genie", False),
        (CITY, "play", "shelter-1:barricade", "barricade", True),
        (CITY, "play", "shelter-1:mines shelter-2:mines", "mines", False),
    ],
)
def test_a_card_that_is_known_to_lie_elsewhere_is_not_offered(
    state: str, zone: str, lying: str, card: str, is_offered: bool
) -> None:
    found = doubt(state, zone, lying=lying)
    assert found is not None
    assert (FaceName(card) in found.names) == is_offered


@pytest.mark.parametrize(("count", "is_asked"), [(10, False), (11, True)])
def test_the_grid_is_asked_about_only_when_it_is_full(count: int, is_asked: bool) -> None:
    host = HOSTS["similo"]
    cards = tuple(Seen(card, zone="grid") for card in GRID.split(",")[:count])
    sight = Sight(cards, strangers=(Seen("", zone="grid", maybe=("snow-white",)),))
    found = explain(host, host.game.new(host.game.options(driver="table")), sight).doubt
    assert (found is not None) == is_asked
    assert found is None or found.order[0] == FaceName("snow-white")


def test_an_unread_shrine_asks_nothing_while_a_card_is_laid() -> None:
    host = HOSTS["silencio"]
    state = read_state(host.game, TURN)
    read = perfect_sight("silencio", scene("silencio", state))
    shrine = next(card for card in read.cards if card.card == "shrine-red")
    rest = tuple(card for card in read.cards if card is not shrine)
    for maybe in ((), ("b11", "shrine-red")):
        lain = Sight(rest, strangers=(replace(shrine, card="", face="", maybe=maybe),))
        laid = replace(lain, cards=(*rest, Seen("b4", zone="blue", x=300.0, y=200.0, angle=180.0)))
        for old in (lain, None) if maybe else (lain,):
            inquiry = TableSearch(host, state, laid, sight_before=old)
            while not inquiry.run():
                pass
            assert inquiry.result is not None
            assert inquiry.result.doubt is None
            assert inquiry.result.proposal.explanations[0].moves[0] == read_move(host.game, "play b4")


def test_a_character_that_cannot_be_read_is_not_taken_for_gone() -> None:
    host = HOSTS["similo"]
    state = read_state(host.game, REMOVE)
    cards = (Seen("aladdin", zone="clues"), *(Seen(card, zone="grid") for card in GRID.split(",")[1:]))
    assert explain(host, state, Sight(cards)).proposal.accepted_moves != ()
    for was in ("", "alice"):
        sight = Sight(cards, strangers=(Seen("", zone="grid", was=was),))
        assert explain(host, state, sight).proposal == NOTHING


# What the witness keeps


STRANGER = Seen("", zone="red", x=200, y=100, fingerprint=bytes(range(1, 101)))
OTHER_LOOK = bytes((7 * number) % 101 for number in range(100))


@pytest.mark.parametrize(
    ("then", "is_back"),
    [
        (STRANGER, False),
        (replace(STRANGER, x=203.0, maybe=("r6",)), False),
        (replace(STRANGER, x=260.0), True),
        (replace(STRANGER, fingerprint=OTHER_LOOK), True),
    ],
)
def test_what_was_waved_away_is_nothing_until_something_changes_there(then: Seen, is_back: bool) -> None:
    witness = Corrections(Arming(lambda: 0.0))
    witness.on_sight(Sight(strangers=(STRANGER,)))
    assert witness.dismiss_card(STRANGER).strangers == ()
    witness.on_sight(Sight(is_unsettled=True))
    assert bool(witness.on_sight(Sight(strangers=(then,))).strangers) == is_back
    assert [card.card for card in witness.cards_on_table] == [""]
    witness.on_sight(Sight())
    assert witness.on_sight(Sight(strangers=(STRANGER,))).strangers != ()


@pytest.mark.parametrize(
    ("then", "card"),
    [
        (STRANGER, "r6"),
        (replace(STRANGER, x=205.0), "r6"),
        (replace(STRANGER, card="r9", confidence=0.9), "r6"),
        (replace(STRANGER, x=260.0), ""),
        (replace(STRANGER, fingerprint=OTHER_LOOK), ""),
        (replace(STRANGER, card="r9", fingerprint=OTHER_LOOK), "r9"),
    ],
)
def test_a_name_holds_whatever_the_eye_says_until_the_card_is_moved_or_replaced(then: Seen, card: str) -> None:
    witness = Corrections(Arming(lambda: 0.0))
    witness.on_sight(Sight(strangers=(STRANGER,)))
    witness.amend(0, "r6")
    then_sight = Sight((then,)) if then.card else Sight(strangers=(then,))
    witness.on_sight(then_sight)
    assert [seen.card for seen in witness.cards] == [card]


@pytest.mark.parametrize(
    ("came", "card"), [(Seen("r9", zone="red", x=239, y=100), "r6"), (Seen("b9", x=500, y=90), "")]
)
def test_a_name_holds_when_the_next_card_hides_a_part_of_it(came: Seen, card: str) -> None:
    witness = Corrections(Arming(lambda: 0.0))
    witness.on_sight(Sight(strangers=(STRANGER,)))
    witness.amend(0, "r6")
    witness.on_sight(Sight((came,), strangers=(replace(STRANGER, fingerprint=OTHER_LOOK),)))
    assert [seen.card for seen in witness.cards] == [came.card, card]


def test_a_card_that_cannot_be_read_any_more_is_known_by_its_place_and_look() -> None:
    witness = Corrections(Arming(lambda: 0.0))
    witness.on_sight(Sight((replace(STRANGER, card="r4"),)))
    assert [one.was for one in witness.on_sight(Sight(strangers=(STRANGER,))).strangers] == ["r4"]
    assert [one.was for one in witness.on_sight(Sight(strangers=(STRANGER,))).strangers] == ["r4"]
    replaced = replace(STRANGER, fingerprint=OTHER_LOOK)
    assert [one.was for one in witness.on_sight(Sight(strangers=(replaced,))).strangers] == [""]
    witness.on_sight(Sight())
    assert [one.was for one in witness.on_sight(Sight(strangers=(STRANGER,))).strangers] == [""]


def test_a_look_tells_cards_apart_but_not_lamps_or_ways_round() -> None:
    rng = np.random.default_rng(1)
    one, other = (np.kron(rng.integers(40, 220, (9, 6)), np.ones((10, 10))).astype(np.uint8) for _ in range(2))
    corners = rectangle(60, 90)
    look = fingerprint_of(one, corners)
    assert is_same_fingerprint(look, fingerprint_of((one * 0.6).astype(np.uint8), corners))
    assert is_same_fingerprint(look, fingerprint_of(one, corners + np.array([1, -1])))
    assert is_same_fingerprint(look, fingerprint_of(one, corners[[2, 3, 0, 1]]))
    assert not is_same_fingerprint(look, fingerprint_of(other, corners))
    bare = fingerprint_of(np.full_like(one, 90), corners)
    assert is_same_fingerprint(bare, bare)
    assert not is_same_fingerprint(look, bare)


# The box, on pins


READ = Seen("r4", zone="red", x=160, y=90)
LAID = Seen("", zone="red", x=240, y=90, maybe=("r9", "r6"))
DOUBTFUL = Sight((READ,), strangers=(LAID,))


def begin(bench: PinBench, line: str) -> None:
    name = line.split()[0]
    bench.box.start_at(name, read_state(HOSTS[name].game, line))


def moves(bench: PinBench) -> tuple[str, ...]:
    return bench.history.notation


def took(bench: PinBench, move: str) -> bool:
    """Whether a move was made; what nobody can see of what follows it is picked."""
    while bench.box.shown.chooser is not None:
        bench.clock.now += 1
        bench.touch(Button.CONFIRM)
    return moves(bench)[:1] == (move,)


def see(bench: PinBench, sight: Sight) -> None:
    bench.box.on_sight(sight)
    bench.wait(1)


def test_the_panel_asks_and_the_buttons_name_the_card(bench: PinBench) -> None:
    begin(bench, TURN)
    see(bench, DOUBTFUL)
    assert bench.box.shown.doubt is not None
    assert bench.box.shown.remark is not None
    for press, place in ((Button.RIGHT, 8), (Button.RIGHT, 5), (Button.RIGHT, 4), (Button.LEFT, 5)):
        bench.touch(press)
        assert bench.box.shown.chooser is not None
        assert bench.box.shown.chooser.chosen.pick.place == place
        assert bench.lit()["red"]
    bench.touch(Button.CONFIRM)
    assert took(bench, "play r6")
    see(bench, DOUBTFUL)
    assert bench.box.shown.doubt is None
    assert [card.card for card in bench.box.recognised.named] == ["r4", "r6"]


def test_a_single_reading_is_asked_too_and_one_press_alone_takes_nothing(bench: PinBench) -> None:
    begin(bench, TURN)
    see(bench, Sight((READ,), strangers=(replace(LAID, maybe=("r6",)),)))
    assert bench.box.shown.proposal.accepted_moves == ()
    bench.touch(Button.CONFIRM)
    assert moves(bench) == ()
    bench.touch(Button.RIGHT)
    assert bench.box.shown.chooser is not None
    assert bench.box.shown.chooser.chosen.value == FaceName("r6")
    bench.clock.now += 1
    bench.touch(Button.CONFIRM)
    assert took(bench, "play r6")


@pytest.mark.parametrize("is_open", [False, True])
def test_waved_away_it_is_not_asked_again_until_the_table_changes_there(bench: PinBench, is_open: bool) -> None:
    begin(bench, TURN)
    see(bench, DOUBTFUL)
    if is_open:
        bench.touch(Button.RIGHT)
    bench.touch(Button.BACK)
    assert (bench.box.shown.doubt, bench.box.shown.chooser, moves(bench)) == (None, None, ())
    see(bench, replace(DOUBTFUL, strangers=(replace(LAID, x=241.0),)))
    assert bench.box.shown.doubt is None
    bench.touch(Button.RIGHT)
    assert bench.box.shown.chooser is not None
    assert len(bench.box.shown.chooser.nodes) > 2  # every legal answer, as always
    bench.touch(Button.BACK)
    see(bench, Sight((READ,)))
    see(bench, DOUBTFUL)
    assert bench.box.shown.doubt is not None


def test_a_card_taken_away_while_it_is_named_is_not_taken_for_the_next(bench: PinBench) -> None:
    begin(bench, TURN)
    see(bench, DOUBTFUL)
    bench.touch(Button.RIGHT)
    bench.box.on_sight(Sight((READ,), strangers=(replace(LAID, zone="blue", y=200.0),)))
    bench.wait(0)
    assert bench.box.shown.chooser is None
    bench.clock.now -= 0.2  # a press that was on its way
    bench.touch(Button.CONFIRM)
    assert (moves(bench), bench.box.shown.chooser) == ((), None)


def test_a_hand_in_the_picture_and_a_lost_camera_ask_nothing(bench: PinBench) -> None:
    begin(bench, TURN)
    see(bench, Sight(is_unsettled=True, strangers=(LAID,)))
    assert bench.box.shown.doubt is None
    see(bench, DOUBTFUL)
    bench.touch(Button.RIGHT)
    bench.box.on_fault("no-camera", True)
    assert (bench.box.shown.doubt, bench.box.shown.chooser) == (None, None)


def test_the_page_and_the_panel_name_a_card_the_same_way(bench: PinBench) -> None:
    begin(bench, TURN)
    see(bench, DOUBTFUL)
    bench.box.amend(1, "r6")
    assert bench.box.shown.doubt is None
    assert bench.box.shown.proposal.explanations[0].steps == 1
    assert moves(bench) == ()


@pytest.mark.parametrize("turn", [0.0, 180.0])
def test_which_side_of_a_named_card_is_up_is_left_to_the_rules(bench: PinBench, turn: float) -> None:
    begin(bench, TURN)
    see(bench, Sight((READ,), strangers=(replace(LAID, angle=turn, maybe=("r5",)),)))
    bench.touch(Button.RIGHT)
    bench.touch(Button.CONFIRM)
    assert took(bench, "play r5")


def test_a_name_that_leaves_a_choice_opens_the_chooser(bench: PinBench) -> None:
    begin(bench, CLUE)
    see(bench, Sight(strangers=(Seen("", zone="clues", angle=45.0, x=60, y=400, maybe=("genie",)),)))
    bench.touch(Button.RIGHT)
    bench.touch(Button.CONFIRM)
    assert moves(bench) == ()
    assert bench.box.shown.chooser is not None
    assert [node.pick.lamps for node in bench.box.shown.chooser.nodes] == [("sun",), ("moon",)]
    bench.clock.now += 1
    bench.touch(Button.CONFIRM)
    assert took(bench, "clue genie similar")


def test_a_whole_grid_with_two_doubtful_cards_is_taken_with_the_second_name(bench: PinBench) -> None:
    bench.box.start("similo", {"players": 2, "driver": "table"})
    names = GRID.split(",")
    cards = tuple(Seen(card, zone="grid", x=70.0 * at, y=80) for at, card in enumerate(names[:10]))
    strangers = tuple(Seen("", zone="grid", x=70.0 * at, y=300, maybe=(names[at],)) for at in (10, 11))
    see(bench, Sight(cards, strangers=strangers))
    for _ in range(2):
        assert moves(bench) == ()
        bench.touch(Button.RIGHT)
        bench.touch(Button.CONFIRM)
        bench.wait(1)
    assert len(moves(bench)) == 12


def test_the_box_says_nothing_of_a_doubtful_card_where_it_must_be_silent(bench: PinBench) -> None:
    begin(bench, TURN)
    see(bench, DOUBTFUL)
    bench.box.what_now()
    assert bench.sound.guard.is_silent


# Whole flows under the simulated camera, with an eye that doubts


def doubting(cards: str, maybe: str = "") -> Doubts:
    """An eye that can't name some cards, and takes all of them for the same ones."""
    return lambda card: tuple(maybe.split()) if card in cards.split() else None


@pytest.mark.parametrize(
    ("line", "move", "doubted", "maybe", "presses"),
    [
        (TURN, "play r6", "r6", "r9 r6", 2),
        (TURN, "play y4", "y4", "", 3),
        (CLUE, "clue genie different", "genie", "genie", 1),
        (HUNT, "show wands-13", "wands-13", "cups-13 wands-13", 2),
        (FLIP, "show strong", STRONG, "city-07 city-24", 2),
    ],
)
def test_a_doubtful_card_under_the_camera_is_named_by_the_buttons(
    bench: PinBench, line: str, move: str, doubted: str, maybe: str, presses: int
) -> None:
    begin(bench, line)
    name, state = bench.history.game.name, bench.history.state
    host = HOSTS[name]
    meant = read_move(host.game, move)
    after, _ = host.game.apply(state, meant)
    simulated = SimulatedTable(name, state.options, doubts=doubting(doubted, maybe))
    for table in (scene(name, state), mid_move(name, state, meant, after)):
        assert bench.box.shown.doubt is None
        for sight in simulated.watch(table):
            bench.box.on_sight(sight)
    bench.clock.now += 1
    assert bench.box.shown.doubt is not None
    for _ in range(presses):
        bench.touch(Button.RIGHT)
    bench.touch(Button.CONFIRM)
    assert took(bench, move)


def test_a_card_shape_of_another_size_is_no_card() -> None:
    """A checked cloth is full of rectangles."""
    state = read_state(HOSTS["cisza"].game, CITY)
    simulated = SimulatedTable("cisza", state.options)
    simulated.watch(scene("cisza", state))
    card = simulated.eye.view.cards[0]
    middle = card.corners.mean(axis=0)
    shapes = tuple(
        UnknownCard(middle + (card.corners - middle) * share, card.x, card.y, card.turn)
        for share in (0.6, 0.9, 1.0, 1.1, 1.6)
    )
    sight = to_sight(replace(simulated.eye.view, unknown=shapes), simulated.eye.layout, simulated.eye.calibration)
    assert len(sight.strangers) == 3


@pytest.mark.parametrize(("name", "seed"), [("silencio", 2), ("similo", 1)])
def test_a_whole_game_with_an_eye_that_doubts_goes_on_by_the_panel(bench: PinBench, name: str, seed: int) -> None:
    """The shortest games; `python -m benchmarks.soak --doubts 0.3` plays all of them."""
    table = {"drawing": "table"} if name == "silentes" else {"driver": "table"}
    bench.box.start(name, {"players": 2, **table})
    options = bench.history.state.options
    doubts = some_doubts(table_deck(deck_names(name, options)), share=0.3, seed=seed)

    def wait(seconds: float) -> None:
        bench.clock.now += seconds

    simulated = SimulatedTable(name, options, doubts=doubts)
    person = RandomPerson(bench.box, simulated, random.Random(seed), 2, wait, None, bench.touch, bench.hold_down)
    for _step in person.play_on():
        pass
    assert person.is_done
    assert person.report.wrong == 0
    assert person.report.named > 0
