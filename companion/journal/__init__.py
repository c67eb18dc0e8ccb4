"""The record of games on disk."""

from companion.journal.exports import BrokenExport, ExportedStep, Head, read_export
from companion.journal.file import APPLICATION, BrokenJournal
from companion.journal.journal import Entry, Journal, Result, replay

__all__ = [
    "APPLICATION",
    "BrokenExport",
    "BrokenJournal",
    "Entry",
    "ExportedStep",
    "Head",
    "Journal",
    "Result",
    "read_export",
    "replay",
]
