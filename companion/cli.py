"""The command line: one program, `companion`, with a verb for each thing a person does with the box."""

from __future__ import annotations

import errno
import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from typing import NoReturn

import typer
from typer.models import CommandInfo, TyperInfo

from companion import streams
from companion.__main__ import INTERRUPTED
from companion.catalogue import _, choose_language, current
from companion.commands import COMMANDS
from companion.commands.given import Given, complain
from companion.console import tell
from companion.settings.file import load
from companion.text import N_, Text

# What writing says where there is no room.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
UNWRITTEN = N_("The output can't be written: {reason}")
# What `--help` shows together, in this order: by what a person wants to do.
GROUPS = (
    (N_("Play"), ("run", "demo", "lessons", "replay", "stats", "audit")),
    (N_("Get ready"), ("print", "wiring", "bringup", "camera", "decks", "enrol")),
    (N_("Keep it well"), ("doctor", "address", "pair", "config", "backup", "export", "dark", "installer")),
    (N_("Try one part"), ("panel", "say", "sounds", "see")),
    (N_("For the curious and for other programs"), ("simulate", "engine")),
)
BEGIN = N_(
    "New here? `companion demo` shows a whole game on any computer; `companion run` is the box itself. "
    "The manual: docs/{language}/README.md"
)


def make_app(given: Given) -> typer.Typer:
    """The program with all its verbs, in the language of the process. Each finds `given` in its context."""
    app = typer.Typer(
        name="companion",
        help=_(N_("Hush sits beside a silent card game: it keeps the rules and speaks in light.")),
        epilog=_(BEGIN, language=current.language),
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"obj": given},
    )
    for command in COMMANDS:
        command.register(app)
    group(app)
    if current.language != "en":
        translate_frames()
    return app


def translate_frames() -> None:
    """Typer's own words around ours: it has them as constants of the process, in English."""
    from typer import rich_utils

    rich_utils.ARGUMENTS_PANEL_TITLE = _(N_("Arguments"))
    rich_utils.OPTIONS_PANEL_TITLE = _(N_("Options"))
    rich_utils.ERRORS_PANEL_TITLE = _(N_("Error"))
    rich_utils.DEFAULT_STRING = _(N_("[default: {}]"))
    rich_utils.REQUIRED_LONG_STRING = _(N_("[required]"))


def group(app: typer.Typer) -> None:
    """Put the verbs in their groups; one that nobody has placed comes last."""
    titles = {verb: title for title, verbs in GROUPS for verb in verbs}
    order = list(titles)
    verbs: list[CommandInfo | TyperInfo] = [*app.registered_commands, *app.registered_groups]
    for verb in verbs:
        verb.rich_help_panel = _(titles.get(verb_name(verb), GROUPS[-1][0]))
    app.registered_commands.sort(
        key=lambda verb: order.index(verb_name(verb)) if verb_name(verb) in titles else len(order)
    )


def verb_name(verb: CommandInfo | TyperInfo) -> str:
    """What a person types for it."""
    return str(verb.name or getattr(verb.callback, "__name__", ""))


def run() -> NoReturn:
    """Run the command line and end the process: with a sentence where something went wrong, and an exit code.

    The configuration is read here, once, and its language is that of the process from then on. This is the one place
    for what any command may meet: Ctrl-C, a closed pipe, a full disk behind the output, a file that can't be used. A
    traceback is left for faults of the program itself.
    """
    config, complaints = load()
    current.speak(choose_language(config.language))
    app = make_app(Given(config, tuple(complaints)))

    def act() -> None:
        complain(complaints)
        app()

    leaves = signal.getsignal(signal.SIGINT)
    if callable(leaves):
        # From here on there are things to close: Ctrl-C is an exception.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.unraisablehook = interrupted_or(sys.unraisablehook)
    code, sentence = outcome(act)
    if callable(leaves):
        signal.signal(signal.SIGINT, leaves)
    problem = streams.flush()
    if problem is not None:
        code = code or 1
        is_pipe = isinstance(problem, BrokenPipeError)
        sentence = None if is_pipe else _(UNWRITTEN, reason=problem)
    if sentence is not None:
        tell(sentence, typer.colors.RED)
        streams.flush()
    sys.exit(code)


def outcome(act: Callable[[], object]) -> tuple[int, str | None]:
    """Do it; the code to end with, and a sentence where there is something to say."""
    try:
        act()
    except SystemExit as ended:
        if is_interrupted(ended):  # at a prompt typer calls it aborted
            return INTERRUPTED, None
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None), None
    except KeyboardInterrupt:
        return INTERRUPTED, None
    except BrokenPipeError:
        streams.discard_output(1)
        return 1, None
    except Exception as error:
        if is_interrupted(error):
            return INTERRUPTED, None
        sentence = sentence_of(error)
        if sentence is None:
            raise
        return 1, sentence
    return 0, None


def sentence_of(error: Exception) -> str | None:
    """What to tell a person whose file, disk or device is at fault; None where it's the program."""
    reason = getattr(error, "reason", None)
    if isinstance(reason, Text):
        return current.say(reason)
    if isinstance(error, MemoryError):
        return _(N_("There isn't memory enough for this."))
    if isinstance(error, OSError) and error.errno in FULL and error.filename is None:
        return _(UNWRITTEN, reason=error)
    if isinstance(error, FileNotFoundError) and error.filename is not None:
        return _(N_("There is no file or folder {path}."), path=error.filename)
    if isinstance(error, PermissionError) and error.filename is not None:
        return _(N_("{path} may not be read or written by you."), path=error.filename)
    return str(error) if isinstance(error, OSError | sqlite3.Error) else None


def is_interrupted(error: BaseException | None) -> bool:
    """Whether Ctrl-C is what was behind it: a library may turn that into an error of its own."""
    met: set[int] = set()
    # An error can be among its own causes: two that were each raised from the other.
    while error is not None and id(error) not in met:
        if isinstance(error, KeyboardInterrupt):
            return True
        met.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def interrupted_or(report: Callable[[sys.UnraisableHookArgs], object]) -> Callable[[sys.UnraisableHookArgs], object]:
    """Ctrl-C where Python can't raise it, in a callback of its import system for instance, ends the process, too."""

    def hook(unraisable: sys.UnraisableHookArgs) -> None:
        if isinstance(unraisable.exc_value, KeyboardInterrupt):
            os._exit(INTERRUPTED)
        report(unraisable)

    return hook
