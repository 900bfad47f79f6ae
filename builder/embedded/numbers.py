"""Numbers: which ones the training may show, how large they are, and how people write them."""

import hashlib
from dataclasses import dataclass, field
from random import Random

# fmt: off
WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)
ORDINALS = (
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth",
    "nineteenth", "twentieth",
)
# fmt: on
DIGIT_WEIGHTS = (22, 32, 24, 11, 5, 3, 1, 1, 1)


def is_held_out(number: int) -> bool:
    """Numbers of three digits and more, an eighth of them by hash, that training never shows."""
    magnitude = abs(number)
    return magnitude >= 100 and hashlib.md5(str(magnitude).encode()).digest()[0] % 8 == 0


@dataclass
class NumberSource:
    """Draws numbers: never held-out ones for training; held-out wherever the size allows it for the measure."""

    random: Random
    held_out: bool = False
    longest: int = 12
    digit_weights: tuple[int, ...] = field(default=DIGIT_WEIGHTS)

    def of_digits(self, digits: int) -> int:
        """A number with so many digits that this source may show."""
        low = 0 if digits == 1 else 10 ** (digits - 1)
        while True:
            number = self.random.randint(low, 10**digits - 1)
            if number < 100 or is_held_out(number) == self.held_out:
                return number

    def between(self, low: int, high: int) -> int:
        """A number from low to high; above 99 only one that this source may show."""
        while True:
            number = self.random.randint(low, high)
            if abs(number) < 100 or is_held_out(number) == self.held_out:
                return number

    def natural(self, most_digits: int = 9) -> int:
        """A number of everyday size, not negative."""
        weights = self.digit_weights[:most_digits]
        return self.of_digits(self.random.choices(range(1, len(weights) + 1), weights=weights)[0])

    def positive(self, most_digits: int = 9) -> int:
        """A number of everyday size, at least 1."""
        return max(1, self.natural(most_digits))

    def integer(self, most_digits: int = 9) -> int:
        """A number of everyday size, now and then negative."""
        number = self.natural(most_digits)
        return -number if number < 10_000 and self.random.random() < 0.12 else number

    def length(self) -> int:
        """How many entries a list has: mostly few."""
        if self.random.random() < 0.75:
            return self.random.randint(2, min(self.longest, 5))
        return self.random.randint(2, self.longest)

    def row(self, length: int, most_digits: int = 4, signs: float = 0.25) -> list[int]:
        """A list of so many numbers of one size, or of a narrow range so that some repeat."""
        digits = self.random.choices((1, 2, 3, 4), weights=(34, 40, 20, 6))[0]
        digits = min(digits, most_digits, 2 if length > 8 else 4)
        signed = self.random.random() < signs
        mixed = self.random.random() < 0.3
        numbers = []
        for _ in range(length):
            number = self.of_digits(self.random.randint(1, digits) if mixed else digits)
            numbers.append(-number if signed and self.random.random() < 0.4 else number)
        return numbers

    def repeating(self, length: int) -> list[int]:
        """A list in which values occur again."""
        pool = self.row(max(2, length // 2), 2, 0.1)
        return [self.random.choice(pool) for _ in range(length)]


def thousands(number: int) -> str:
    """The number with a comma between groups of three digits."""
    return f"{number:,}"


@dataclass(frozen=True)
class Written:
    """A value as the user writes it and as the call writes it."""

    text: str
    literal: str


def spell(random: Random, number: int) -> Written:
    """A number as somebody might type it: digits, a word up to twenty, thousands separators, "minus", hex."""
    literal = str(number)
    choice = random.random()
    if 0 <= number <= 20 and choice < 0.16:
        return Written(WORDS[number], literal)
    if number < 0:
        sign = random.choice(("minus ", "negative "))
        if choice < 0.12 and number >= -20:
            return Written(sign + WORDS[-number], literal)
        if choice < 0.24:
            return Written(sign + str(-number), literal)
        if choice < 0.32:
            return Written(f"({number})", literal)
    if abs(number) >= 1000 and choice < 0.3:
        return Written(f"{number:,}", literal)
    if number > 9 and choice > 0.985:
        return Written(hex(number), hex(number))
    return Written(literal, literal)


def spell_ordinal(random: Random, number: int) -> Written:
    """A place in an order: 4th, or fourth."""
    literal = str(number)
    if 0 < number <= 20 and random.random() < 0.35:
        return Written(ORDINALS[number], literal)
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return Written(literal + ending, literal)
