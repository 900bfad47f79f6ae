"""Sentences of the application logic: English, with named places for values, translated only where they are shown.

Nothing here knows Qt. `translate("Context", "English with {places}")` is what Qt's `pyside6-lupdate` looks for, so a sentence
written this way is found by the translators' tools; `app.ui.language.shown` turns it into the user's language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Text:
    """A sentence. context: the screen or module it belongs to; source: English; values: what stands in its places.

    A value may be a `Text` itself. `str()` gives English.
    """

    context: str
    source: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def format(self, **values: Any) -> Text:
        """The sentence with values in its places."""
        return replace(self, values={**self.values, **values})

    def __str__(self) -> str:
        return self.source.format(**self.values)


def translate(context: str, source: str) -> Text:
    """A sentence to be translated. Both arguments must be literals, or the translators' tools cannot find them."""
    return Text(context, source)
