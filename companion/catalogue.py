"""The message catalogue: every sentence a person reads, in each of the `LANGUAGES`.

English is the source; the other languages are .po files under companion/locale and in the games' kits.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from companion.locale.po import messages
from companion.text import LANGUAGES, Text


class Catalogue:
    """The texts of one language.

    >>> Catalogue("nl").say("The game is over: {reason}.", reason="…")
    'Het spel is afgelopen: ….'
    """

    def __init__(self, language: str):
        self.speak(language)

    def speak(self, language: str) -> None:
        """Take the texts of another language from now on."""
        if language not in LANGUAGES:
            raise ValueError(f"no language {language!r}; there are {', '.join(LANGUAGES)}")
        self.language = language
        self._messages: dict[str, str] = messages(language) if language != "en" else {}

    def translate(self, template: str) -> str:
        """The template in this language; the empty one stays empty."""
        return self._messages.get(template, template)

    def say(self, text: Text | str, **values: object) -> str:
        """A finished sentence."""
        if isinstance(text, str):
            translated = self.translate(text)
            return translated.format(**values) if values else translated
        return text.render(self.translate)


def choose_language(configured: str | None = None, environment: Mapping[str, str] = os.environ) -> str:
    """The language to speak: the configuration's, then the locale's, then English.

    >>> choose_language(None, {"LANG": "pl_PL.UTF-8"})
    'pl'
    >>> choose_language("es", {"LANG": "pl_PL.UTF-8"})
    'es'
    """
    if configured:
        return Catalogue(configured).language
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            language = environment[name][:2].lower()
            return language if language in LANGUAGES else "en"
    return "en"


# The language of this process: English until its entry point has read the configuration and calls `current.speak`.
current = Catalogue("en")


def _(template: str, **values: object) -> str:
    """Say a sentence in the language of this process."""
    return current.say(template, **values)
