"""How messages and reports write lists, and numbers of things."""

from collections.abc import Sequence


def listed(words: Sequence[str], joining: str = "and") -> str:
    """Write one word or more as `a, b and c`, or with another word before the last one."""
    *before, last = words
    return f"{', '.join(before)} {joining} {last}" if before else last


def counted(number: int, noun: str, plural: str = "") -> str:
    """Write a number with its noun: `1 file`, `2 files`; `plural` is for nouns that do not just take an s."""
    return f"{number} {form(number, noun, plural)}"


def form(number: int, noun: str, plural: str = "") -> str:
    """Return the form of a noun that goes with a number, for numbers that are written in another way."""
    return noun if number == 1 else plural or f"{noun}s"
