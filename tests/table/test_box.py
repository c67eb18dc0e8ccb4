"""The running box: late presses, silence, faults, a full disk, a secret that nothing tells."""

from __future__ import annotations

import io
import sqlite3
from pathlib import Path

import pytest
from rich.console import Console

from companion.games.game import IllegalMove
from companion.games.notation import read_move, read_state
from companion.games.similo.characters import DECKS
from companion.journal import Journal
from companion.kits.silentes.host import WINDOW_SECONDS
from companion.outputs.text_line import TextLine
from companion.play import HistoryStep
from companion.session.events import SwitchedOff, Told
from companion.session.knocking import PendingKnock
from companion.table.hosts import HOSTS
from companion.table.sight import Seen, Sight
from companion.text import Text
from hardware.button_signals import Countdown, CountdownStopped, Press, Shutdown
from hardware.flourishes import knock
from hardware.lights import PATTERNS
from hardware.panel import Button
from hardware.terminal import TerminalDisplay, TerminalPanel
from tests.table.fingers import Bench

TURN = "silencio driver=table hands=?,?,?/?,?,?/?,?,? rows=r4/-/-/-"
RED_SIX = Sight((Seen("r4", zone="red"), Seen("r6", zone="red")))
RED_EIGHT = Sight((Seen("r4", zone="red"), Seen("r8", zone="red")))


def at(bench: Bench, line: str) -> None:
    name = line.split()[0]
    bench.box.start_at(name, read_state(HOSTS[name].game, line))


def test_a_press_that_was_meant_for_another_card_confirms_nothing(bench: Bench) -> None:
    at(bench, TURN)
    bench.box.on_sight(RED_SIX)
    bench.clock.now += 1
    bench.box.on_sight(RED_EIGHT)
    bench.clock.now += 0.1
    bench.box.on_signal(Press(Button.CONFIRM))
    assert bench.history.notation == ()
    bench.wait(1)
    bench.press(Button.RIGHT)
    bench.wait(1)
    bench.press(Button.CONFIRM)
    assert bench.history.notation[:2] == ("play r8", "use")


def test_a_confirmation_with_an_old_number_is_refused(bench: Bench) -> None:
    at(bench, TURN)
    bench.box.do("play r6", number=0)
    with pytest.raises(IllegalMove) as refusal:
        bench.box.do("use", number=0)
    assert refusal.value.code == "stale_state"


def test_a_dismissed_proposal_does_not_come_back_by_itself(bench: Bench) -> None:
    at(bench, TURN)
    bench.box.on_sight(RED_SIX)
    assert bench.box.shown.proposal.explanations
    bench.press(Button.BACK)
    assert not bench.box.shown.proposal.explanations
    bench.box.on_sight(RED_SIX)
    assert not bench.box.shown.proposal.explanations
    bench.box.on_sight(RED_EIGHT)
    assert bench.box.shown.proposal.explanations


def test_a_whole_grid_that_was_misread_is_waved_away_and_nothing_is_taken_back(bench: Bench) -> None:
    bench.box.start("similo", {"players": 2, "driver": "table"})
    bench.box.do("show alice")
    grid = [card for card in bench.history.state.unseen if card != "alice"][:11]
    bench.box.on_sight(Sight(tuple(Seen(card, zone="grid") for card in ("alice", *grid))))
    assert len(bench.box.shown.proposal.accepted_moves) == 11
    bench.press(Button.BACK)
    assert not bench.box.shown.proposal.accepted_moves
    assert bench.history.notation == ("show alice",)


@pytest.mark.parametrize("fault", ["no-camera", "no-eye"])
def test_what_a_lost_camera_saw_last_is_not_proposed(bench: Bench, fault: str) -> None:
    at(bench, TURN)
    bench.box.on_sight(RED_SIX)
    bench.box.on_fault(fault, True)
    bench.press(Button.BACK)
    bench.box.do("play r8")
    assert not bench.box.shown.proposal.accepted_moves


HELD = (
    "silentes drawing=virtual phase=held resume=hunt round=2 drawn=cups-13 tokens=0,5 "
    "map=cups-05,swords-06,wands-07,pentacles-08,cups-09,swords-10,wands-11,pentacles-12 hands=?,?,?,?,?/?,?,?,?,?"
)
ANYONE = HELD.replace("phase=held resume=hunt", "phase=reaction").replace("drawn=", "provisions=?/? hunt=")


def test_whether_somebody_holds_the_drawn_card_is_asked_without_a_clock(bench: Bench) -> None:
    at(bench, HELD)
    bench.wait(600)
    assert bench.history.notation == ()


def test_a_window_closes_by_itself_but_not_on_somebody_who_is_choosing(bench: Bench) -> None:
    at(bench, ANYONE)
    bench.wait(WINDOW_SECONDS - 1)
    bench.press(Button.RIGHT)
    bench.wait(WINDOW_SECONDS - 1)
    assert bench.history.notation == ()
    assert bench.box.shown.chooser is not None
    bench.wait(1)
    assert bench.history.notation[0] == "nobody"


def test_a_window_stays_open_while_somebody_reaches_over_the_table(bench: Bench) -> None:
    at(bench, ANYONE)
    bench.see(Sight(is_unsettled=True))
    bench.wait(3 * WINDOW_SECONDS)
    assert bench.history.notation == ()
    bench.see(Sight())
    bench.wait(WINDOW_SECONDS)
    assert bench.history.notation[0] == "nobody"


def test_a_refusal_has_its_own_pattern_and_a_reason_and_goes_away(bench: Bench) -> None:
    at(bench, TURN)
    bench.see(Sight((Seen("r4", zone="red"), Seen("r2", zone="red"))))
    assert "red 2" in str(bench.box.shown.complaint)
    assert bench.box.shown.refusal_pattern == bench.box.hosts["silencio"].refusal_pattern("not_climbing")
    bench.wait(10)
    assert bench.box.shown.refusal_pattern is None


def test_silencio_makes_no_sound_whatever_happens(bench: Bench) -> None:
    at(bench, TURN)
    assert bench.sound.guard.is_silent
    bench.box.do("play r6")
    bench.box.what_now()
    assert not bench.sound.cue("win")
    at(bench, "cisza players=2 driver=table survivors=2,2 hands=?,?,?/?,?,?")
    assert not bench.sound.guard.is_silent


@pytest.mark.parametrize("fault", ["no-camera", "no-eye"])
def test_a_missing_camera_is_shown_and_the_game_goes_on_by_buttons(bench: Bench, fault: str) -> None:
    at(bench, TURN)
    bench.box.on_fault(fault, True)
    assert bench.frame.bar == PATTERNS[fault].frame.bar
    bench.wait(10)
    bench.make(read_move(HOSTS["silencio"].game, "play r6"))
    assert bench.history.notation == ("play r6",)
    bench.box.on_fault(fault, False)
    assert bench.box.shown.faults == set()


def test_a_full_disk_stops_no_game_and_loses_no_move(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    at(bench, TURN)

    def full(*arguments: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "append", full)
        bench.box.do("play r6")
        bench.box.do("use")
        assert "no-record" in bench.box.shown.faults
    bench.wait(6)
    assert "no-record" not in bench.box.shown.faults
    state = bench.history.state
    bench.power_cut()
    assert bench.history.state == state


def test_without_any_journal_the_box_plays_and_says_so(bench: Bench) -> None:
    bench.box = bench.joined(None)
    at(bench, TURN)
    bench.box.do("play r6")
    assert "no-record" in bench.box.shown.faults


def test_holding_both_arrows_counts_down_and_shuts_down(bench: Bench) -> None:
    done = []
    bench.box.bus.subscribe(SwitchedOff, done.append)
    at(bench, TURN)
    before = bench.frame
    bench.box.on_signal(Countdown(3))
    assert bench.frame != before
    bench.box.on_signal(CountdownStopped())
    assert bench.frame == before
    bench.box.on_signal(Shutdown())
    assert done == [SwitchedOff()]


@pytest.mark.parametrize(("place", "bar"), [(0, "#--------------"), (14, "--------------#"), (15, "o..............")])
def test_a_secret_among_sixteen_is_shown_on_a_bar_of_fifteen(place: int, bar: str) -> None:  # SIM-21
    host = HOSTS["similo"]
    grid = DECKS["fables"][:16]
    state = f"similo driver=table grid=16 secret_mode=sealed characters_left={','.join(grid)} hand=?,?,?,?,?"
    layer = host.peek(read_state(host.game, f"{state} secret={grid[place]}"))
    assert layer is not None
    assert str(layer).split()[0] == bar


def test_nothing_tells_the_sealed_secret_before_the_end(bench: Bench, tmp_path: Path) -> None:
    """Two boxes with different secrets show, log and ask the same until the secret is removed (SIM-17, G-05)."""
    grid = (
        "alice,big-bad-wolf,cinderella,dorothy,giant,hunter,jack,king-arthur,peter-pan,pinocchio,robin-hood,snow-white"
    )
    other = Bench(tmp_path / "other")
    shown = []
    for one, secret in ((bench, "alice"), (other, "snow-white")):
        told: list[Told] = []
        one.box.bus.subscribe(Told, told.append)
        at(one, f"similo driver=table secret_mode=sealed characters_left={grid} hand=?,?,?,?,? secret={secret}")
        one.box._controls.peeking.seen_at = 0
        for move in ("clue aladdin similar", "remove giant", "clue genie different", "remove hunter,jack"):
            one.box.do(move)
        shown.append((str(one.frame), told, str(one.box.shown.question)))
    assert shown[0] == shown[1]
    other.close()


def test_the_box_wakes_with_the_question_that_was_pending(bench: Bench) -> None:
    at(bench, TURN)
    bench.box.do("play r6")
    question, frame = bench.box.shown.question, bench.frame
    bench.power_cut()
    assert (bench.box.shown.question, bench.frame) == (question, frame)


def test_a_visitor_stands_beside_the_question_and_ends_by_itself(bench: Bench) -> None:
    """The sign comes and goes, the question stays, presses are the game's, a hold grants the wish."""
    bench.box.start("silencio", {"players": 3, "driver": "table"})
    asked = bench.frame
    shown: list[str] = []
    bench.panel.flourish = lambda flourish: shown.append(flourish.name)  # type: ignore[method-assign]
    heard: list[str] = []

    def visit() -> None:
        now = bench.clock()
        text = Text("A phone knocks.")
        bench.box.on_knock(
            PendingKnock(knock(3, "blue"), text, lambda: heard.append("in"), lambda: heard.append("by"), now, now + 12)
        )

    visit()
    assert bench.frame == asked
    for _ in range(10):
        bench.wait(1.0)
    assert shown == ["knock"] * 3
    bench.press(Button.RIGHT)
    assert bench.box.shown.chooser is not None
    assert heard == []
    bench.wait(2.0)
    assert (heard, bench.box.shown.knock) == (["by"], None)
    visit()
    bench.clock.now -= 1.0  # a hold that began before the knock is the game's
    bench.hold(Button.CONFIRM)
    assert heard == ["by"]
    bench.hold(Button.CONFIRM)
    assert (heard, bench.box.shown.knock) == (["by", "in"], None)


def test_the_terminal_says_who_knocks(bench: Bench) -> None:
    out = io.StringIO()
    panel = TerminalPanel(console=Console(file=out, force_terminal=True, width=100), keys=None)
    bench.box.on_knock(PendingKnock(knock(3), Text("A phone knocks."), lambda: None, lambda: None, 0.0, 1000.0))
    TextLine(TerminalDisplay(panel), str).attach(bench.box.bus)
    bench.box.tick()
    panel.close()
    assert "A phone knocks." in out.getvalue()


def test_a_game_of_older_rules_stays_in_the_record_and_the_box_says_why_it_can_t_go_on(bench: Bench) -> None:
    at(bench, ANYONE.replace("provisions=?/?", "provisions=pentacles-02/-"))
    number = bench.box.shown.running.game_id
    bench.box.do("use pentacles-02")
    # Once the box had to be told the omens that only who plays the worn map may see.
    bench.journal.append(number, len(bench.journal.steps(number)) + 1, [HistoryStep("move", "deal major-05")])
    kept = bench.journal.steps(number)
    bench.power_cut()
    assert bench.box.shown.running is None
    said = str(bench.box.shown.complaint)
    assert said.startswith(
        f"Game {number} can't go on: its step {len(kept)} was made under older rules, or is damaged."
    )
    assert bench.journal.steps(number) == kept
    bench.box.start("silentes", {"drawing": "virtual"})
    assert bench.box.shown.running is not None
    assert bench.journal.steps(number) == kept
