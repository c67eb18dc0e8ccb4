"""What the tests of the eye share: a small drawn deck, its recogniser, and scenes of it."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import pytest

from vision.art import DECKS, draw_card
from vision.learning import build_index
from vision.recognise import Recogniser
from vision.simulated import Look

DATA = Path(os.environ.get("HUSH_DATA", Path(__file__).resolve().parents[2].parent / "shared" / "data"))


@pytest.fixture(scope="session", autouse=True)
def _one_core():
    cv2.setNumThreads(1)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


def drawn(name, wanted=None, dpi=150):
    make, size = DECKS[name]
    return [(a.card, a.face, draw_card(a, size, dpi)) for a in make() if wanted is None or wanted(a)]


@pytest.fixture(scope="session")
def silencio():
    return drawn("silencio")


@pytest.fixture(scope="session")
def looks(silencio):
    return {(card, face): Look(picture, 63, 88) for card, face, picture in silencio}


@pytest.fixture(scope="session")
def recogniser(silencio):
    return Recogniser(build_index(silencio, 88 / 63))


@pytest.fixture
def data():
    if not DATA.is_dir():
        pytest.skip(f"no test pictures at {DATA} (set HUSH_DATA)")
    return DATA
