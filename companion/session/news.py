"""What has happened since the question before, in sentences that everybody may read."""

from __future__ import annotations

from msgspec import Struct

from companion.text import Text, in_a_row, with_counts

MAX_SENTENCES = 8
"""So many sentences are kept; a hunt, an omen or an attack is never crowded out by draws that come after it."""


class Said(Struct, frozen=True):
    """A sentence, and whether nobody may miss it: such a one is said aloud, too."""

    text: Text
    is_weighty: bool


class News:
    """Sentences since the question before; of too many, the lighter and older ones are dropped."""

    def __init__(self) -> None:
        self._said: list[Said] = []
        self._is_old = False

    def clear(self) -> None:
        """Let the next sentence begin anew; an answer of which nothing comes leaves what was said before."""
        self._is_old = True

    def add(self, text: Text, *, is_weighty: bool) -> None:
        """Something happened."""
        if self._is_old:
            self._said, self._is_old = [], False
        self._said.append(Said(text, is_weighty))

    def ends_with(self, text: Text | None) -> bool:
        """Whether this is what happened last."""
        return bool(self._said) and self._said[-1].text == text

    @property
    def all(self) -> Text | None:
        """What happened, as one text."""
        by_weight = sorted(enumerate(self._runs), key=lambda one: (one[1].is_weighty, one[0]))
        kept = sorted(by_weight[-MAX_SENTENCES:], key=lambda one: one[0])
        return in_a_row([said.text for _, said in kept]) if kept else None

    @property
    def weighty(self) -> Text | None:
        """What stays before people while they pick an answer."""
        kept = [said.text for said in self._runs if said.is_weighty][-MAX_SENTENCES:]
        return in_a_row(kept) if kept else None

    @property
    def _runs(self) -> list[Said]:
        """What was said several times in a row, once."""
        texts = with_counts(said.text for said in self._said)
        firsts = [said for at, said in enumerate(self._said) if not at or self._said[at - 1].text != said.text]
        return [Said(text, said.is_weighty) for text, said in zip(texts, firsts, strict=True)]
