"""Sentences before translation: a template from the message catalogue and the values to put in.

Rules, eye, panel and voice name what they mean in English and never translate; whoever shows a `Text` to a person does.
Every room uses this module, so it imports nothing of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

Language: TypeAlias = Literal["en", "nl", "es", "pl"]
LANGUAGES: tuple[str, ...] = get_args(Language)
OWN_NAMES = {"en": "English", "nl": "Nederlands", "es": "Español", "pl": "Polski"}

Value: TypeAlias = "str | int | Text | tuple[Text, ...]"


class Text(Struct, frozen=True):
    """A sentence to be said.

    >>> str(Text("{card} doesn't climb over {top}.", {"card": Text("red 2"), "top": Text("red 4")}))
    "red 2 doesn't climb over red 4."
    """

    template: str
    values: dict[str, Value] = {}

    def render(self, translate: Callable[[str], str]) -> str:
        """The sentence in the language of `translate`, values included."""
        return translate(self.template).format(
            **{name: _render(value, translate) for name, value in self.values.items()}
        )

    def __str__(self) -> str:
        return self.render(lambda template: template)


def _render(value: Value, translate: Callable[[str], str]) -> str:
    if isinstance(value, Text):
        return value.render(translate)
    if isinstance(value, tuple):
        return ", ".join(part.render(translate) for part in value) or "–"
    return str(value)


def N_(template: str) -> str:  # noqa: N802 - gettext's own name for "collect, translate later"
    """Mark a string for the message catalogue."""
    return template


def in_a_row(texts: Sequence[Text], between: str = " ") -> Text:
    """Several sentences, or parts of one, as one text.

    >>> str(in_a_row([Text("Blue 3 lies."), Text("It's your turn.")]))
    "Blue 3 lies. It's your turn."
    """
    if len(texts) == 1:
        return texts[0]
    names = [f"s{number}" for number in range(len(texts))]
    return Text(between.join(f"{{{name}}}" for name in names), dict(zip(names, texts, strict=True)))


def with_counts(sentences: Iterable[Text]) -> list[Text]:
    """Sentences in their order; what is said several times in a row is said once, with how often.

    >>> [str(text) for text in with_counts([Text("A card comes."), Text("A card comes."), Text("It's your turn.")])]
    ['A card comes. (2x)', "It's your turn."]
    """
    runs = [(text, len(list(same))) for text, same in groupby(sentences)]
    return [text if times == 1 else Text("{what} ({times}x)", {"what": text, "times": times}) for text, times in runs]


def raw(value: object) -> Text:
    """A text that is the same in every language."""
    return Text("{value}", {"value": str(value)})
