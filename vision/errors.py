"""What can go wrong with the eye, said so that a person can act on it; translated elsewhere."""

from __future__ import annotations

from companion.text import Text, Value


class VisionError(Exception):
    """A fault of a picture, a deck or a camera, with a sentence from the message catalogue.

    >>> str(VisionError("no picture at {path}", path="a.jpg"))
    'no picture at a.jpg'
    """

    def __init__(self, template: str, **values: object):
        self.template = template
        self.values = values
        super().__init__(template, values)

    @property
    def text(self) -> Text:
        """The sentence, for who translates it."""
        return Text(self.template, {name: _as_value(value) for name, value in self.values.items()})

    def __str__(self) -> str:
        return str(self.text)


def _as_value(value: object) -> Value:
    """A value of a sentence: sentences in it are translated too, the rest is the same in every language."""
    if isinstance(value, Text):
        return value
    if isinstance(value, tuple):
        texts = tuple(part for part in value if isinstance(part, Text))
        return texts if len(texts) == len(value) else str(value)
    return str(value)


class PictureError(VisionError):
    """A picture that can't be read."""


class DeckError(VisionError):
    """A deck that can't be used."""


class CameraError(VisionError):
    """A camera that doesn't deliver."""


class CameraHung(CameraError):
    """A camera that doesn't answer."""
