"""One box for each test, on a bench."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.table.fingers import Bench


@pytest.fixture
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    """A box on a bench. A module of tests that needs another kind of bench names it as `BENCH`."""
    bench = getattr(request.module, "BENCH", Bench)(tmp_path)
    yield bench
    bench.close()
