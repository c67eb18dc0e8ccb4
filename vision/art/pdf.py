"""Pictures as the pages of a PDF, written one after the other: a whole deck would fill a small Pi's memory."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import cv2

from vision.geometry import Picture

QUALITY = 88
POINTS = 72


def write_pdf(target: Path, pages: Iterable[Picture], dpi: float, title: str) -> int:
    """Write the pages; returns how many there are. Raises `OSError`."""
    places: dict[int, int] = {}
    numbers: list[int] = []
    with target.open("wb") as file:

        def put(number: int, *parts: bytes) -> None:
            places[number] = file.tell()
            file.write(b"%d 0 obj\n" % number + b"".join(parts) + b"\nendobj\n")

        file.write(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
        # Objects 1 to 3 are written last: what they name is only known then.
        for page in pages:
            first = 4 + 3 * len(numbers)
            tall, wide = page.shape[:2]
            size = b"%.2f %.2f" % (wide * POINTS / dpi, tall * POINTS / dpi)
            picture = cv2.imencode(".jpg", page, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
            del page
            head = b"<</Type /XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceRGB/BitsPerComponent 8" % (
                wide,
                tall,
            )
            put(first, head, b"/Filter/DCTDecode/Length %d>>stream\n" % len(picture), picture, b"\nendstream")
            draw = b"q %s 0 0 cm /P Do Q" % size.replace(b" ", b" 0 0 ")
            put(first + 1, b"<</Length %d>>stream\n" % len(draw), draw, b"\nendstream")
            put(
                first + 2,
                b"<</Type /Page/Parent 2 0 R/MediaBox[0 0 %s]/Contents %d 0 R" % (size, first + 1),
                b"/Resources<</XObject<</P %d 0 R>>>>>>" % first,
            )
            numbers.append(first + 2)
        kids = b" ".join(b"%d 0 R" % number for number in numbers)
        put(1, b"<</Type /Catalog/Pages 2 0 R>>")
        put(2, b"<</Type /Pages/Count %d/Kids[%s]>>" % (len(numbers), kids))
        put(3, b"<</Title(%s)/Producer(Hush)>>" % title.encode("ascii", "replace"))
        start = file.tell()
        file.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1))
        file.write(b"".join(b"%010d 00000 n \n" % places[number] for number in sorted(places)))
        file.write(b"trailer<</Size %d/Root 1 0 R/Info 3 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(places) + 1, start))
    return len(numbers)
