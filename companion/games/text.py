"""The sentences of the rules are those of the house (`companion.text`)."""

from companion.text import N_, Text, Value, raw

__all__ = ["N_", "Text", "Value", "raw"]
