"""Lists and matrices as people type them."""

from random import Random

from builder.embedded.numbers import WORDS

BRACKETS = (("[", "]"), ("[", "]"), ("[", "]"), ("(", ")"), ("{", "}"))
SEPARATORS = (", ", ", ", ", ", ",", " ", "; ")


def enclosed(random: Random, numbers: list[int]) -> str:
    """A list with brackets, so that its ends are plain beside other arguments."""
    left, right = random.choice(BRACKETS)
    # In round brackets only commas say "list"; "(3 4)" would be odd.
    separator = ", " if left == "(" else random.choice(SEPARATORS)
    return left + separator.join(map(str, numbers)) + right


def loose(random: Random, numbers: list[int]) -> str:
    """A list without brackets; commas without blanks only where they cannot be read as thousands separators."""
    entries = [str(number) for number in numbers]
    if all(0 <= number <= 20 for number in numbers) and random.random() < 0.12:
        entries = [WORDS[number] for number in numbers]
    style = random.random()
    if style < 0.34:
        last = random.choice((" and ", " and ", ", and ", " & ")) if random.random() < 0.8 else " or "
        return ", ".join(entries[:-1]) + last + entries[-1]
    if style < 0.64:
        return ", ".join(entries)
    if style < 0.86:
        return " ".join(entries)
    if style < 0.92 and all(len(entry) < 3 for entry in entries):
        return ",".join(entries)
    if style < 0.96:
        return "; ".join(entries)
    return "\n".join(entries)


def anyhow(random: Random, numbers: list[int]) -> str:
    """A list, with or without brackets."""
    return enclosed(random, numbers) if random.random() < 0.5 or len(numbers) < 2 else loose(random, numbers)


def alike(random: Random, lists: list[list[int]]) -> list[str]:
    """Several lists in one notation with brackets."""
    left, right = random.choice(BRACKETS)
    separator = ", " if left == "(" else random.choice(SEPARATORS)
    return [left + separator.join(map(str, numbers)) + right for numbers in lists]


def grid(random: Random, rows: list[list[int]]) -> str:
    """A matrix: nested lists mostly, sometimes rows between semicolons or on lines."""
    style = random.random()
    comma = random.choice((", ", ", ", ","))
    if style < 0.72:
        return "[" + comma.join("[" + comma.join(map(str, row)) + "]" for row in rows) + "]"
    if style < 0.82:
        return "((" + "), (".join(", ".join(map(str, row)) for row in rows) + "))"
    if style < 0.94:
        inner = random.choice((" ", ", "))
        return "[" + "; ".join(inner.join(map(str, row)) for row in rows) + "]"
    return "\n" + "\n".join(" ".join(map(str, row)) for row in rows) + "\n"
