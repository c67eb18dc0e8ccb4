"""Silencio: two to four wanderers climb four rows together without a word."""

from companion.games.silencio.rules import SILENCIO, Silencio

__all__ = ["SILENCIO", "Silencio"]
