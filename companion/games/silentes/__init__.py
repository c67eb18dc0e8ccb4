"""Silentes: two survivors hide from blind hunters until the hunt deck runs out. Tarot, cooperative."""

from companion.games.silentes.rules import SILENTES, Silentes

__all__ = ["SILENTES", "Silentes"]
