"""The record of games on disk."""

from companion.journal.exports import BrokenExport, Head, StoredStep, read_export
from companion.journal.file import APPLICATION, BrokenJournal
from companion.journal.journal import Entry, GameResult, Journal, replay

__all__ = [
    "APPLICATION",
    "BrokenExport",
    "BrokenJournal",
    "Entry",
    "GameResult",
    "Head",
    "Journal",
    "StoredStep",
    "read_export",
    "replay",
]
