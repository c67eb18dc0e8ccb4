"""The page's benchmark ends, whatever goes wrong in it."""

from __future__ import annotations

import multiprocessing
from typing import Any

import pytest

from benchmarks import page


def test_a_benchmark_that_fails_ends_its_box(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: Any) -> None:
        raise ValueError

    monkeypatch.setattr(page, "measure", fails)
    with pytest.raises(ValueError):  # noqa: PT011 - our own
        page.run(1, 1)
    assert multiprocessing.active_children() == []
