"""The examples in the docstrings of the panel and the voice are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import hardware
import sounds

MODULES = [
    f"{room.__name__}.{module.name}" for room in (hardware, sounds) for module in pkgutil.iter_modules(room.__path__)
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
