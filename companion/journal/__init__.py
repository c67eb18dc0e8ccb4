"""The record of games on disk."""

from companion.journal.exports import BrokenExport, ExportedStep, Head, read_export
from companion.journal.file import APPLICATION, BrokenJournal
from companion.journal.journal import Entry, GameResult, Journal, replay

__all__ = [
    "APPLICATION",
    "BrokenExport",
    "BrokenJournal",
    "Entry",
    "ExportedStep",
    "GameResult",
    "Head",
    "Journal",
    "read_export",
    "replay",
]
