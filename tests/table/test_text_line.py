"""The text line: what it says in every situation, in four languages, and that it tells nobody's secret."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.catalogue import Catalogue
from companion.games.notation import read_state
from companion.kits import KITS
from companion.outputs.text_line import ADDRESS_SHOWN_SECONDS, FIXES, SAFE, STARTING, TextLine, words
from companion.session.events import SwitchedOff
from companion.session.knocking import PendingKnock
from companion.table.hosts import HOSTS
from companion.table.proposal import Explanation, Proposal
from companion.table.sight import Seen, Sight
from companion.text import LANGUAGES, Text
from hardware.button_signals import Countdown
from hardware.display import BLANK, Display, Message, pages
from hardware.flourishes import knock
from hardware.lettering import can_write
from hardware.lights import FAULTS, PATTERNS
from hardware.panel import Button
from tests.table.fingers import Bench

ADDRESS = "http://10.0.0.2:8080/"
GRID = "alice,big-bad-wolf,cinderella,dorothy,giant,hunter,jack,king-arthur,peter-pan,pinocchio,robin-hood,snow-white"


class Slate(Display):
    """A display that keeps all that was written."""

    def __init__(self) -> None:
        self.written: list[Message] = []
        self.woken = 0
        self.left: Message | None = None

    def write(self, message: Message) -> None:
        self.written.append(message)

    def wake(self) -> None:
        self.woken += 1

    def close(self, last: Message = BLANK) -> None:
        self.left = last

    @property
    def now(self) -> Message:
        return self.written[-1]


@pytest.fixture
def slate(bench: Bench) -> Slate:
    slate = Slate()
    TextLine(slate, str, lambda: ADDRESS, bench.clock).attach(bench.box.bus)
    return slate


def test_at_the_start_it_says_so_and_then_what_can_be_chosen_with_the_address(bench: Bench, slate: Slate) -> None:
    assert slate.now == Message((str(STARTING),))
    bench.box.wake()
    assert slate.now == Message(("✔: Silencio", "Choose a game.", "◀ ▶ choose, ✔ takes, ✖ goes back."), ADDRESS)


def test_the_address_goes_after_a_while_and_comes_when_asked_for(bench: Bench, slate: Slate) -> None:
    bench.box.start("silencio", {"players": 2, "driver": "table"})
    assert slate.now.link == ADDRESS
    bench.wait(ADDRESS_SHOWN_SECONDS + 1)
    assert slate.now.link == ""
    bench.hold(Button.CONFIRM)
    assert slate.now.link == ADDRESS
    bench.wait(ADDRESS_SHOWN_SECONDS + 1)
    assert slate.now.link == ""


def test_it_says_what_was_understood_what_is_asked_and_what_the_check_mark_would_do(bench: Bench, slate: Slate) -> None:
    bench.box.start("silencio", {"players": 2, "driver": "table"})
    bench.box.do("show r4")
    assert slate.now.paragraphs[:2] == (
        "Turn up the top card of the deck for the Oracle. Which is it?",
        "The Oracle shows red 4.",
    )
    bench.press(Button.RIGHT)
    assert slate.now.paragraphs[0].startswith("✔: ")
    bench.press(Button.BACK)
    bench.press(Button.BACK)
    assert "Taken back: “The Oracle shows red 4.” Lay everything as it was before." in slate.now.paragraphs


def test_why_something_was_refused_comes_first(bench: Bench, slate: Slate) -> None:
    game = HOSTS["silencio"].game
    bench.box.start_at("silencio", read_state(game, "silencio driver=table hands=?,?,?/?,?,?/?,?,? rows=r4/-/-/-"))
    bench.see(Sight((Seen("r4", zone="red"), Seen("r2", zone="red"))))
    assert bench.box.shown.complaint is not None
    assert slate.now.paragraphs == (str(bench.box.shown.complaint), *slate.now.paragraphs[1:])
    assert len(slate.now.paragraphs) > 1, "the question stands below it"


def test_what_the_camera_shows_is_told_in_words_not_in_notation(bench: Bench) -> None:
    bench.box.start("silencio", {"players": 2, "driver": "table"})
    says = (Text("Player 1 plays red 6."), Text("Player 1 turns up a card."))
    shown = replace(bench.box.shown, proposal=Proposal((Explanation((), 2, says),)))
    assert str(words(shown)[0]) == "✔: Player 1 plays red 6. Player 1 turns up a card."


def test_without_a_camera_it_says_how_a_turn_ends(bench: Bench) -> None:
    for line, said in (
        ("phase=end played=yes", "✔: end the turn."),
        ("", "✔: pass."),
        ("phase=start started=no", "✖ goes back."),
    ):
        state = f"silencio driver=table hands=?,?,?/?,?,?/?,?,? oracle=y5,g7,b9 {line}"
        bench.box.start_at("silencio", read_state(HOSTS["silencio"].game, state))
        assert said in str(words(bench.box.shown)[-1])


def test_a_countdown_and_a_hold_stand_alone(bench: Bench, slate: Slate) -> None:
    bench.box.start("similo", {"players": 2, "driver": "table"})
    bench.box.on_signal(Countdown(3))
    assert slate.now.paragraphs == ("The box shuts down in 3 s. Let go of ◀ or ▶ to stay.",)


def test_a_phone_that_knocks_is_told_with_the_lights_it_must_show(bench: Bench, slate: Slate) -> None:
    bench.box.wake()
    bench.box.on_knock(
        PendingKnock(knock(3, "blue", "sun"), Text("A phone knocks."), lambda: None, lambda: None, 0.0, 1000.0)
    )
    assert slate.now.paragraphs[:2] == ("A phone knocks.", "Its lights: 3 on the bar, and the blue light.")


@pytest.mark.parametrize("name", [name for name, one in PATTERNS.items() if one.topic == FAULTS])
def test_every_fault_is_told_with_what_to_do(bench: Bench, slate: Slate, name: str) -> None:
    bench.box.start("silencio", {"players": 2, "driver": "table"})
    bench.box.on_fault(name, True)
    told = str(slate.now)
    assert PATTERNS[name].meaning in told
    assert FIXES[name] in told


def test_a_part_that_fails_is_named(bench: Bench, slate: Slate) -> None:
    broken = Text("The strip fails: no device")
    bench.box.start("silencio", {"players": 2, "driver": "table"})
    bench.box.on_fault("no-part", True, broken)
    assert slate.now.paragraphs[0] == str(broken)
    assert bench.box.shown.broken == broken
    bench.box.on_fault("no-part", False)
    assert bench.box.shown.broken is None


def test_the_last_word_stays_until_the_plug_is_pulled(bench: Bench) -> None:
    for is_off in (False, True):
        slate = Slate()
        line = TextLine(slate, str)
        line.attach(bench.box.bus)
        if is_off:
            bench.box.bus.publish(SwitchedOff())
        line.close()
        assert slate.left == (Message((str(SAFE),)) if is_off else BLANK)


@pytest.mark.parametrize("name", HOSTS)
def test_a_whole_game_has_words_for_every_moment_and_they_fit(name: str, bench: Bench) -> None:
    """In four languages: something is always said, it can be written, and it's never more than a few pages."""
    slates = {language: Slate() for language in LANGUAGES}
    for language, slate in slates.items():
        TextLine(slate, Catalogue(language).say, lambda: ADDRESS, bench.clock).attach(bench.box.bus)
    host, rng = HOSTS[name], random.Random(name)
    bench.box.start(name, {**host.box_defaults, **host.at_table, **KITS[name].variants[0].options})
    for _ in range(150):
        if bench.history.is_over:
            break
        bench.box.do(rng.choice(host.game.legal(bench.history.state)))
        bench.press(Button.RIGHT)
        bench.press(Button.BACK)
        for slate in slates.values():
            assert slate.now.paragraphs
    for language, slate in slates.items():
        said = set(slate.written)
        assert all(can_write(letter) for one in said for letter in str(one) if letter != "\n"), language
        long = max(said, key=lambda one: len(str(one)))
        assert len(pages(Message(long.paragraphs), (128, 32))) <= 8, long
        assert len(pages(Message(long.paragraphs), (128, 64))) <= 4, long


def test_the_sealed_secret_is_never_in_the_words(tmp_path: Path) -> None:
    """Two boxes with different secrets write the same, peeked at or not, until the secret is removed (SIM-17)."""
    written = []
    for secret in ("alice", "snow-white"):
        bench, slate = Bench(tmp_path / secret), Slate()
        TextLine(slate, str, lambda: ADDRESS, bench.clock).attach(bench.box.bus)
        state = f"similo driver=table secret_mode=sealed characters_left={GRID} hand=?,?,?,?,? secret={secret}"
        bench.box.start_at("similo", read_state(HOSTS["similo"].game, state))
        bench.press(Button.CONFIRM)
        assert bench.box.shown.secret is not None
        bench.press(Button.CONFIRM)
        for move in ("clue aladdin similar", "remove giant", "clue genie different", "remove hunter,jack"):
            bench.box.do(move)
            bench.hold(Button.CONFIRM)
        written.append(slate.written)
        bench.close()
    assert written[0] == written[1]


def test_what_only_a_phone_may_answer_is_not_offered(bench: Bench, slate: Slate) -> None:
    bench.box.start("silentes", {"players": 2, "drawing": "phone"})
    assert bench.box.shown.is_private
    bench.press(Button.RIGHT, Button.CONFIRM)
    assert not any(text.startswith("✔") for message in slate.written for text in message.paragraphs)


def test_the_words_are_those_of_the_page(bench: Bench, slate: Slate) -> None:
    bench.box.start("silencio", {"players": 2, "driver": "table"})
    bench.box.do("show r4")
    assert slate.now.paragraphs == tuple(str(text) for text in words(bench.box.shown))
