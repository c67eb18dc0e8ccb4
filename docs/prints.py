"""`python -m docs.prints`: pictures of what `companion print` prints, for docs/printing.md."""

from __future__ import annotations

import tempfile
from pathlib import Path

import cv2
import numpy as np
import pypdfium2

from companion.table.printing import prints
from vision.art.sheets import print_pdf
from vision.geometry import Picture
from vision.pictures import write_picture

IMAGES = Path(__file__).parent / "images"
# The pages of a picture, side by side, by their numbers; and how many pixels an inch has.
PICTURES = {
    "print-cards": (45, ("cisza", 4), ("cisza", 14), ("cisza", 15), ("silencio", 0), ("fables", 0)),
    "print-mat": (28, ("poster-silencio", 0)),
    "print-aids": (60, ("aid-silencio", 0), ("aid-silentes", 0)),
}


def page(what: str, number: int, dpi: int) -> Picture:
    """A printed page with a thin frame, for its paper's edge."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "sheet.pdf"
        print_pdf(what, "a4", target, prints(str))
        picture = pypdfium2.PdfDocument(target.read_bytes())[number].render(scale=dpi / 72).to_numpy()
    return np.asarray(cv2.copyMakeBorder(picture, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(160, 160, 160)), np.uint8)


def main() -> None:
    """Make the pictures."""
    for name, (dpi, *pages) in PICTURES.items():
        write_picture(IMAGES / f"{name}.png", np.hstack([page(what, number, dpi) for what, number in pages]))


if __name__ == "__main__":
    main()
