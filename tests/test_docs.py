"""Documentation that can't disagree with the code: generated pages and transcripts that are run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from companion.engine import Engine
from companion.games import GAMES
from companion.table.hosts import HOSTS
from companion.table.questions import questions
from docs import configuration, game_lights, reference

DOCS = Path(__file__).parent.parent / "docs"
TRANSCRIPTS = re.findall(r"```transcript\n(.*?)```", (DOCS / "engine-protocol.md").read_text(), re.DOTALL)


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
