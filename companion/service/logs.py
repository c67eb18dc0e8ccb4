"""The log of a box without a screen: records with fields, to the system's journal where that listens."""

from __future__ import annotations

import logging
import os
import socket
import struct
import sys
from collections.abc import Mapping
from pathlib import Path

SOCKET = Path("/run/systemd/journal/socket")
PRIORITIES = {logging.CRITICAL: 2, logging.ERROR: 3, logging.WARNING: 4, logging.INFO: 6, logging.DEBUG: 7}

log = logging.getLogger("hush")


def is_journalled(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether this process's stderr goes to the journal, as systemd says it and the file itself confirms."""
    device, _, inode = environment.get("JOURNAL_STREAM", "").partition(":")
    try:
        here = os.fstat(sys.stderr.fileno())
    except (OSError, ValueError):
        return False
    return (device, inode) == (str(here.st_dev), str(here.st_ino))


class JournalHandler(logging.Handler):
    """Sends a record as fields: MESSAGE, PRIORITY, LOGGER and whatever `extra={"fields": {...}}` names."""

    def __init__(self, path: Path = SOCKET):
        super().__init__()
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        self._path = str(path)

    def emit(self, record: logging.LogRecord) -> None:
        """One datagram; what the journal can't take goes to stderr with its level in front."""
        priority = PRIORITIES.get(record.levelno, 6)
        message = self.format(record)
        fields = {
            "MESSAGE": message,
            "PRIORITY": str(priority),
            "SYSLOG_IDENTIFIER": "hush",
            "LOGGER": record.name,
            **{name.upper(): str(value) for name, value in getattr(record, "fields", {}).items()},
        }
        try:
            self._line.sendto(b"".join(field(name, value) for name, value in fields.items()), self._path)
        except OSError:
            print("\n".join(f"<{priority}>{line}" for line in message.splitlines()), file=sys.stderr, flush=True)

    def close(self) -> None:
        """Close the socket."""
        self._line.close()
        super().close()


def field(name: str, value: str) -> bytes:
    """A field as the journal's own protocol wants it: a value of several lines comes with its length.

    >>> field("MESSAGE", "one line")
    b'MESSAGE=one line\\n'
    """
    data = value.encode("utf-8", "replace")
    if b"\n" not in data:
        return name.encode() + b"=" + data + b"\n"
    return name.encode() + b"\n" + struct.pack("<Q", len(data)) + data + b"\n"


def set_up(environment: Mapping[str, str] = os.environ) -> bool:
    """Send all records to the journal if this is a service; whether it is."""
    if not is_journalled(environment):
        return False
    root = logging.getLogger()
    if not any(isinstance(handler, JournalHandler) for handler in root.handlers):
        root.addHandler(JournalHandler())
        root.setLevel(logging.INFO)
    return True
