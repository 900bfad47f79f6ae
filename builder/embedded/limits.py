"""What the host refuses before the small model is asked, because the model would read it wrongly without a sign of it."""

import re
import unicodedata

from builder.embedded.grammar import written_numbers

MOST_NUMBERS = 24
MOST_LETTERS = 600
_SIXTY_FOUR = 2**63
_LARGE_WORDS = re.compile(
    r"\b(twenty[- ](?=one|two|three|four|five|six|seven|eight|nine)|thirty|forty|fifty|sixty|seventy|eighty|ninety"
    r"|hundreds?|thousands?|millions?|billions?|dozens?)\b",
    re.IGNORECASE,
)


def refusal(text: str) -> str | None:
    """Why the small model cannot take this text; None if it can."""
    if not text.strip():
        return "The question is empty."
    if any(unicodedata.category(letter) == "Cs" for letter in text):
        return "The question holds broken characters (lone surrogates)."
    numbers = written_numbers(text)[-1]
    if len(numbers) > MOST_NUMBERS:
        return f"The built-in model reads at most {MOST_NUMBERS} numbers; this is {len(numbers)}. Ask in parts."
    if len(text) > MOST_LETTERS:
        return f"The built-in model reads at most {MOST_LETTERS} characters; this is {len(text)}."
    if any(not -_SIXTY_FOUR <= int(literal, 0) < _SIXTY_FOUR for literals in written_numbers(text)[0] for literal in literals):
        return "A number is beyond 64 bits."
    if match := _LARGE_WORDS.search(text):
        return f'The built-in model reads words only up to twenty; please write "{match[0].strip()}" in digits.'
    return None
