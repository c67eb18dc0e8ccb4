"""Documentation that can't disagree with the code: generated pages and transcripts that are run."""

from __future__ import annotations

import json
import re
import tokenize
from pathlib import Path
from typing import Any

import pytest

from companion.engine import Engine
from companion.games import GAMES
from companion.table.hosts import HOSTS
from companion.table.sample_states import questions
from docs import configuration, game_lights, reference

DOCS = Path(__file__).parent.parent / "docs"
CONTRIBUTING = DOCS.parent / "CONTRIBUTING.md"
TRANSCRIPTS = re.findall(r"```transcript\n(.*?)```", (DOCS / "engine-protocol.md").read_text(), re.DOTALL)

# What comes before a string that is a statement by itself: a docstring.
STATEMENT_BEGINS = (tokenize.ENCODING, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
# Names of NumPy, Linux, systemd and the emulated Pi that Hush tells of and doesn't use.
OF_OTHERS = (
    "",
    "as_strided",
    "pi_rig",
    "setpriority",
    "PrivateDevices",
    "PrivateUsers",
    "MemoryDenyWriteExecute",
    "ProcSubset",
)


def test_the_reference_of_the_games_is_up_to_date() -> None:
    assert reference.FILE.read_text() == reference.reference(), "run python -m docs.reference"


def test_the_table_of_all_settings_is_up_to_date() -> None:
    assert configuration.FILE.read_text() == configuration.page(), "run python -m docs.configuration"


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda text: text.splitlines()[0][:60])
def test_a_transcript_of_the_engine_protocol(transcript: str) -> None:
    """Lines with > are sent; lines with < are what the answer must contain."""
    engine, answer = Engine(), {}
    for line in transcript.splitlines():
        if line.startswith("> "):
            answer = json.loads(json.dumps(engine.answer(line[2:])))
        elif line.startswith("< "):
            expected = json.loads(line[2:])
            assert shown(answer, expected) == expected, answer


def shown(answer: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    return {name: answer.get(name) for name in expected}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_transcript(game: str) -> None:
    assert any(game in transcript for transcript in TRANSCRIPTS)


def test_the_lights_of_the_games_are_up_to_date() -> None:
    assert game_lights.FILE.read_text() == game_lights.page(), "run python -m docs.game_lights"


@pytest.mark.parametrize("name", GAMES)
def test_every_question_of_a_game_has_its_lights(name: str) -> None:
    """Rare questions may not come up in random games; whatever is listed must be a question of the game."""
    found = questions(HOSTS[name])
    assert set(found) <= set(GAMES[name].questions)
    assert len(found) > len(GAMES[name].questions) // 2


def in_backticks(text: str) -> set[str]:
    """The names that a text means as names of the code."""
    return set(re.findall(r"(?<!`)`([A-Za-z_][\w.]*)(?:\(\))?`(?!`)", text))


def words_of(path: Path) -> tuple[set[str], str]:
    """Every word of a module's code, and what is said about it in docstrings and comments."""
    known, said, before = set(path.parts) | {path.stem}, [], tokenize.NEWLINE
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and before in STATEMENT_BEGINS):
                said.append(token.string)
            elif token.type in (tokenize.NAME, tokenize.STRING):
                known |= set(re.findall(r"\w+", token.string))
            if token.type not in (tokenize.COMMENT, tokenize.NL):
                before = token.type
    return known, "\n".join(said)


def test_every_name_that_a_docstring_or_a_page_for_developers_gives_exists() -> None:
    known, said = set(OF_OTHERS), {}
    for room in ("companion", "vision", "hardware", "sounds", "systemd", "benchmarks", "docs", "tests"):
        for path in (DOCS.parent / room).rglob("*.py"):
            words, said[path] = words_of(path.relative_to(DOCS.parent))
            known |= words
    for path in (
        *DOCS.parent.glob("systemd/**/*"),
        DOCS.parent / "pyproject.toml",
        *DOCS.parent.glob("**/static/*.js"),
    ):
        if path.is_file() and path.suffix != ".py":
            known |= set(re.findall(r"\w+", path.read_text(encoding="utf-8"))) | {path.stem}
    said |= {path: path.read_text(encoding="utf-8") for path in (CONTRIBUTING, *DOCS.glob("dev/*.md"))}
    assert len(said) > 400
    unknown = {
        f"{path.relative_to(DOCS.parent)}: {name}"
        for path, text in said.items()
        for name in in_backticks(text)
        if not all(part in known or part.lower() in known for part in name.split("."))
    }
    assert unknown == set()


def test_every_file_that_contributing_names_exists() -> None:
    text = CONTRIBUTING.read_text(encoding="utf-8")
    paths = set(re.findall(r"`((?:companion|vision|hardware|sounds|systemd|benchmarks|tests|docs)/[\w/.<>-]*)`", text))
    assert len(paths) > 50
    assert {path for path in paths if not list(DOCS.parent.glob(re.sub("<.*?>", "*", path)))} == set()


def test_every_function_that_contributing_names_in_a_file_is_there() -> None:
    """Where a row says `function` in `file`, that file has the name; `<game>` is any game that has it."""
    named = re.findall(
        r"((?:`[\w.]+`(?:, | and ))*`[\w.]+`) in `([\w/.<>-]+/[\w.-]+)`", CONTRIBUTING.read_text(encoding="utf-8")
    )
    assert len(named) > 80
    missing = set()
    for names, path in named:
        words = {
            word
            for file in DOCS.parent.glob(re.sub("<.*?>", "*", path))
            for word in re.findall(r"\w+", file.read_text(encoding="utf-8"))
        }
        missing |= {
            f"{name} in {path}" for name in re.findall(r"`([\w.]+)`", names) if name.rpartition(".")[2] not in words
        }
    assert missing == set()
