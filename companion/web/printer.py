"""`python -m companion.web.printer WHAT PAPER LANGUAGE TARGET ADDRESS`: a sheet, drawn in a process of its own.

Drawing takes seconds and tens of megabytes. In a process of its own it takes neither the game's time nor, once it's
done, its memory.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from urllib.parse import urlsplit

import cv2

from companion.catalogue import Catalogue
from companion.service.network import standing
from companion.table.printing import prints
from vision.art.sheets import print_pdf

NICER = 10


def main(what: str, paper: str, language: str, target: str, address: str) -> None:
    """Draw it."""
    # A service may not be allowed to change how nice it is.
    with contextlib.suppress(OSError):
        os.nice(NICER)
    # One core is enough: the others are the game's, the camera's and the page's.
    cv2.setNumThreads(1)
    # Read here, not given: anybody on the machine can see what a process is called with.
    wifi = standing().sheet(urlsplit(address).port or 80)
    print_pdf(what, paper, Path(target), prints(Catalogue(language).translate, address, wifi))


if __name__ == "__main__":
    main(*sys.argv[1:])
