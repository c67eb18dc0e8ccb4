"""What all tests share: one core each, one cache for all, and a slow machine is no failure of a property."""

from __future__ import annotations

import os
from collections.abc import Iterator

import cv2
import pytest
from hypothesis import settings

settings.register_profile("hush", deadline=None)
settings.load_profile("hush")


@pytest.fixture(scope="session", autouse=True)
def _one_core() -> None:
    """As many tests run at a time as there are cores; more threads would only wait for each other."""
    cv2.setNumThreads(1)


@pytest.fixture(scope="session", autouse=True)
def _shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Decks are drawn and learnt once for all workers of a run, and apart from the cache of whoever runs the tests."""
    own = tmp_path_factory.getbasetemp()
    run = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("XDG_CACHE_HOME", str(run / "cache"))
        yield
