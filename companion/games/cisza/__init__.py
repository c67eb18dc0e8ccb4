"""Cisza: two to six shelters at the edge of a city where every noise wakes a zombie."""

from companion.games.cisza.rules import CISZA, Cisza

__all__ = ["CISZA", "Cisza"]
