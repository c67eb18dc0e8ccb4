"""A group that plays a written game: each does a whole turn with cards, looks at the lights, and presses ✔ once.

What the table should be is the script's business; what the box makes of it is compared after each turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.demo.box_user import DemoStep
from companion.demo.clumsy import Clumsy
from companion.demo.script import Act
from companion.demo.words import sentences
from companion.games.game import Decide, Game, Move, Over, Reveal
from companion.games.notation import read_move
from companion.table.proposal import Explanation
from companion.table.scenes import mid_move, scene
from companion.text import N_, Text, in_a_row
from hardware.panel import Button
from vision.simulated import Scene

HURRIES = 0.85
"""How often somebody whom the box follows goes on with a turn without ✔, where more of it can be seen."""
BATCH = 4
"""So many cards are laid out at once where several are turned up."""
MAX_TRIES = 8


class ScriptPlayer(Clumsy):
    """Plays the acts of a script through camera and buttons."""

    _acts: Sequence[Act] = ()
    _at = 0
    _made = 0

    def table(self) -> Scene:
        """The table of the true game, as far as it has come."""
        truth = self._acts[self._at - 1].after if self._at else self._acts[0].before
        return scene(self.game.name, truth)

    @property
    def is_done(self) -> bool:
        """Whether the box has come to the end of its game."""
        return isinstance(self.game.pending(self.played.state), Over)

    def play_on(self, acts: Sequence[Act]) -> Iterator[DemoStep]:
        """Play a script to its end; yields what is done."""
        self._acts, self._made = acts, 0
        self._catch_up()
        self.lay_table(self.table())
        while not self.is_done and self._at < len(acts):
            yield from self.err()
            yield from self._turn(self._turn_ends())
            self.expected = self.played.state
        if not self.is_done:
            yield from self._conclude()

    def _conclude(self) -> Iterator[DemoStep]:
        """Tell the box what the true game needn't ask: what was hidden from the box and lies open now."""
        before, end = self.played.state, self._acts[-1].after
        move = last_word(self.game, before, end)
        _, events = self.game.apply(before, move)
        yield DemoStep("hand", in_a_row(sentences(self.host, before, move, events)[:3]), self.frame)
        self.report.picked += 1
        self.pick(move)

    def _turn_ends(self) -> int:
        """Where in the script somebody else decides, or nature has had its turn."""
        end = self._turn_begins()
        first = self.game.pending(self._acts[end].before)
        while (end := end + 1) < len(self._acts):
            step = self.game.pending(self._acts[end].before)
            is_others = isinstance(step, Decide) and step.seat != getattr(first, "seat", None)
            if is_others or (isinstance(first, Reveal) and not isinstance(step, Reveal)):
                break
        return end

    def _turn_begins(self) -> int:
        """The next act at which somebody does something."""
        last = len(self._acts) - 1
        return next((at for at in range(self._at, last) if not self._lets_pass(self._acts[at])), last)

    def _lets_pass(self, act: Act) -> bool:
        """Whether nobody steps in where somebody could."""
        window = self.host.window(act.before)
        return window is not None and act.is_meant_by(window.move)

    def _turn(self, end: int) -> Iterator[DemoStep]:
        """Do the acts of a turn one after the other; the box is told whenever it can't see more by itself."""
        begun, laid = self._at, self._turn_begins()
        is_dealt_out = isinstance(self.game.pending(self._acts[laid].before), Reveal)
        while self._at < end and not self.is_done:
            laid = max(laid, self._at)
            unseen = laid < end and self._at == laid and not self._shows(self._acts[laid])
            if unseen:
                self._wave()
            if laid < end:
                batch = min(BATCH if is_dealt_out else 1, end - laid)
                yield from self._lay(laid, laid + batch)
                laid += batch
            more_shows = any(self._shows(act) for act in self._acts[laid:end])
            if more_shows and (is_dealt_out or (self._is_followed(laid) and self.rng.random() < HURRIES)):
                continue
            self._tell(laid, is_last=unseen or not more_shows)
        self.report.moves += self._at - begun
        self.lay_table(self.table())

    def _lay(self, first: int, end: int) -> Iterator[DemoStep]:
        """Do some acts with cards, where cards are touched, and tell of them."""
        acts = self._acts[first:end]
        if any(map(self._shows, acts)):
            self.lay_table(mid_move(self.game.name, acts[-1].before, acts[-1].move, acts[-1].after))
        told = [act for act in acts if not act.is_dealt and not self._lets_pass(act)]
        if len(told) > 1:
            yield DemoStep("hand", Text(N_("Laid out: {cards}."), {"cards": self._cards(told)}), self.frame)
        elif told:
            yield DemoStep("hand", self._words(told[0]), self.frame)

    def _words(self, act: Act) -> Text:
        return in_a_row(sentences(self.host, act.before, act.move, act.events)[:3])

    def _cards(self, acts: Sequence[Act]) -> tuple[Text, ...]:
        return tuple(self.game.card(card) for act in acts if (card := getattr(act.move, "card", "")))

    def _is_followed(self, laid: int) -> bool:
        """Whether the box understands all that was laid, and nothing else."""
        return any(self._agrees(one) >= laid for one in self.session.shown.proposal.explanations)

    def _shows(self, act: Act) -> bool:
        before = scene(self.game.name, act.before)
        return mid_move(self.game.name, act.before, act.move, act.after) != before

    # What the box makes of it

    def _tell(self, laid: int, *, is_last: bool) -> None:
        """Take what the box has understood if it's right, answer what it asks, or pick what it can't see."""
        before = self._at
        for _ in range(MAX_TRIES):
            if is_last:
                self.name_cards()
            elif self.session.shown.doubt is not None:
                self._wave()  # a name that is given would mean that the turn is over
                is_last = True
            self._catch_up()
            proposal = self.session.shown.proposal
            right = [one for one in proposal.explanations if self._agrees(one) >= laid]
            if self._at >= laid or self._at > before:
                return
            if right and proposal.accepted_moves:
                self._confirm()
            elif right and proposal.asked:
                self.report.asked += 1
                self._answer(proposal.asked)
            elif proposal.without_turn_end is not None and self._agrees(proposal.without_turn_end) > self._at:
                self.report.asked += 1
                self.press(Button.RIGHT)
                self.pick_in_chooser(proposal.without_turn_end)
            elif proposal.accepted_moves and self._agrees(proposal.explanations[0]) > self._at:
                self._confirm()  # not all of it, but so far it's right
            elif is_last:
                self._pick()
            else:
                return
            self._catch_up()

    def _confirm(self) -> None:
        """✔ takes what the box has understood, one move or several."""
        before = self._at
        self.press(Button.CONFIRM)
        self._catch_up()
        self.report.seen += self._at - before

    def _wave(self) -> None:
        """Leave a card in question alone."""
        while self.session.shown.doubt is not None:
            self.press(Button.BACK)

    def _answer(self, asked: Sequence[Move]) -> None:
        """Pick the answer that the script has."""
        coming = self._acts[self._at :]
        wanted = next(move for act in coming for move in asked if act.is_meant_by(move))
        self.press(Button.RIGHT)
        self.pick_in_chooser(wanted)

    def _pick(self) -> None:
        """Make the next act that the box asks for with the buttons, or let a window close."""
        running = self.session.shown.running
        assert running is not None
        act = self._next_asked()
        offered = self.host.answerable(running.public_state)
        move = next((one for one in (act.move, *offered) if one in offered and act.is_meant_by(one)), act.move)
        window = self.host.window(running.public_state)
        self.report.picked += 1
        if window is not None and window.move == move:
            self.wait(window.seconds)
        else:
            self.pick(move)

    def _next_asked(self) -> Act:
        """The next act of the script that the box can ask for."""
        pending = self.game.pending(self.played.state)
        coming = self._acts[self._at :]
        return next(act for act in coming if not (act.is_dealt and self.game.pending(act.before) != pending))

    def _agrees(self, found: Explanation) -> int:
        """How far the script goes along with an explanation; nowhere if it doesn't at all."""
        at = self._at
        for move in found.moves:
            at = self._after(move, at)
            if at < 0:
                return -1
        return at

    def _after(self, move: Move, at: int) -> int:
        """Where the script is after a move of the box; below 0 where it has something else there."""
        while at < len(self._acts):
            act = self._acts[at]
            at += 1
            if act.is_meant_by(move):
                return at
            if not act.is_dealt:
                break
        return -1

    def _catch_up(self) -> None:
        """Follow the script as far as the box has come. Raises `AssertionError` where the two part."""
        history = self.played
        for text in history.notation[self._made :]:
            move = read_move(self.game, text)
            at = self._after(move, self._at)
            if at < 0:
                self.compare(text, self._acts[self._at].move if self._at < len(self._acts) else "the end")
            self._at = at
        self._made = history.number
        # Cards that nobody but their owner sees are dealt without the box.
        while self._at < len(self._acts) and self._is_beyond(self._acts[self._at]):
            self._at += 1

    def _is_beyond(self, act: Act) -> bool:
        return act.is_dealt and self.game.pending(act.before) != self.game.pending(self.played.state)


def last_word(game: Game[Any], state: Any, end: Any) -> Move:
    """The move after which a state is as a game has ended; any that ends it where none is."""
    after = {move: game.apply(state, move)[0] for move in game.legal(state)}
    return next((move for move, one in after.items() if game.view(one, None) == end), next(iter(after)))
