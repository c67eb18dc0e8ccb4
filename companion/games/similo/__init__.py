"""Similo: one player gives clues by laying cards, the others find the secret character by removing the rest."""

from companion.games.similo.rules import SIMILO, Similo

__all__ = ["SIMILO", "Similo"]
