"""What a panel shows of a situation: what comes first where several things could be shown. It changes nothing."""

from __future__ import annotations

from companion.games.game import Over, Reveal
from companion.session.faults import BLURRED
from companion.session.situation import Running, Situation
from companion.table.chooser import Chooser, options_layer
from companion.table.host import QuestionSign
from companion.table.setup_progress import SetupProgress, laid_out, put_away
from hardware import lights
from hardware.button_signals import END_HOLD_SECONDS, HOLD_STARTS_SECONDS
from hardware.lights import PATTERNS, compose
from hardware.panel import BAR, Beat, Layer, PanelFrame
from hardware.signs import SIGN


def frame_of(shown: Situation, lamps: int = BAR, is_public: bool = False) -> PanelFrame:
    """The whole panel, whose bar has so many lamps; an open one is without what is for one player's eyes alone."""
    # Without a bar there is a page, which draws a whole one.
    lamps = lamps or BAR
    if shown.countdown is not None:
        return compose(lights.countdown(shown.countdown))
    if shown.hold is not None:
        if not shown.hold.is_down:
            return compose(lights.hold_progress())
        return lights.looped(lights.filling(END_HOLD_SECONDS - HOLD_STARTS_SECONDS))
    running = shown.running
    if shown.is_menu or running is None:
        return compose(shown.chooser.layer(lamps) if shown.chooser else fixed_sign("starting"))
    if isinstance(running.pending, Over):
        ending, away = running.host.ending(running.public_state, running.pending), laying_of(shown)
        is_begun = away is not None and 0 < away.done < away.of
        return lights.alternating(ending, laying_beats(away)) if away is not None and is_begun else ending
    if shown.secret is not None and not is_public and shown.chooser is None:
        return compose(shown.secret)
    return with_standing(running, sign_of(shown, running, lamps), is_picking=shown.chooser is not None)


def with_standing(running: Running, ask: QuestionSign, *, is_picking: bool = False) -> PanelFrame:
    """A sign with what stands on the panel: in turns where that has a meter or tells whose question it is."""
    standing = running.host.frame(running.public_state)
    if not ask.beats:
        return standing
    if ask.sign == "progress" or ask.sign == "fault":
        return lights.looped(ask.beats)
    step = running.pending
    has_seat = not isinstance(step, Over) and step.seat is not None
    if running.host.has_meter or (has_seat and not is_picking):
        return lights.alternating(standing, ask.beats)
    return lights.looped(ask.beats, standing)


def sign_of(shown: Situation, running: Running, lamps: int = BAR) -> QuestionSign:
    """Which sign is due, and what it shows."""
    host, public, proposal = running.host, running.public_state, shown.proposal
    if shown.chooser is not None:
        return QuestionSign(shown.chooser.sign, lights.still(shown.chooser.layer(lamps)))
    if shown.refusal_pattern is not None:
        return QuestionSign("refused", lights.still(shown.refusal_pattern))
    if shown.fault == BLURRED and shown.sharpness is not None:
        return QuestionSign("fault", lights.still(lights.sharpness(shown.sharpness.now, shown.sharpness.best)))
    if shown.fault:
        return QuestionSign("fault", lights.still(PATTERNS[shown.fault].layer))
    if shown.sight is not None and shown.sight.is_unsettled:
        return QuestionSign("hand", lights.still(fixed_sign("hand")))
    if shown.doubt is not None:
        return QuestionSign("unnamed", lights.still(fixed_sign("unnamed")))
    if proposal.accepted_moves:
        return QuestionSign(
            "follow",
            lights.following(max(1, proposal.explanations[0].steps), host.shown(public, proposal.accepted_moves[0])),
        )
    if proposal.progress is not None:
        return QuestionSign("progress", lights.still(lights.progress(proposal.progress.done, proposal.progress.of)))
    if isinstance(running.pending, Reveal) and (laying := laying_of(shown)) and 0 < laying.done < laying.of:
        return QuestionSign("progress", laying_beats(laying))
    if proposal.asked:
        nodes = host.options(proposal.asked_state, proposal.asked)
        return QuestionSign(Chooser(nodes).sign, lights.still(options_layer([node.pick for node in nodes], None)))
    return host.question_sign(public)


def laying_of(shown: Situation) -> SetupProgress | None:
    """How far the set-up or the clean-up has come, where the group is taught."""
    running = shown.running
    if running is None or shown.is_menu or not shown.is_taught:
        return None
    if running.is_over:
        return put_away(running.host, running.public_state, shown.sight)
    found = laid_out(running.host, running.public_state, shown.sight)
    # Once a question was answered all that lies right is no news.
    is_news = found is not None and (found.done < found.of or not running.history.notation)
    return found if is_news else None


def laying_beats(laying: SetupProgress) -> tuple[Beat, ...]:
    """So many of so many cards."""
    return lights.still(lights.progress(laying.done, laying.of))


def frame_of_sign(sign: str) -> PanelFrame:
    """A sign of the box itself, on an otherwise dark panel."""
    return compose(fixed_sign(sign))


def fixed_sign(sign: str) -> Layer:
    """A sign that always looks the same."""
    return Layer.parse(SIGN[sign].drawings[0])
