"""What can go wrong with the eye, said so that a person can act on it; translated elsewhere."""

from __future__ import annotations


class VisionError(Exception):
    """A fault of a picture, a deck or a camera, with a sentence from the message catalogue.

    >>> str(VisionError("no picture at {path}", path="a.jpg"))
    'no picture at a.jpg'
    """

    def __init__(self, template: str, **values: object):
        self.template = template
        self.values = values
        super().__init__(template, values)

    def __str__(self) -> str:
        return self.template.format(**self.values)


class PictureError(VisionError):
    """A picture that can't be read."""


class DeckError(VisionError):
    """A deck that can't be used."""


class CameraError(VisionError):
    """A camera that doesn't deliver."""


class CameraHung(CameraError):
    """A camera that doesn't answer."""
