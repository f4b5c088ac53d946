"""Did you mean …? The words that a misspelt one may stand for, and the question."""

from collections.abc import Iterable, Sequence
from typing import Final

TOO_SHORT: Final = 2
"""Words of so many letters are one slip from too many others."""

_NEAR: Final = 0.74
_MOST_NAMED: Final = 3


def near(name: str, names: Iterable[str]) -> list[str]:
    """The names that may have been meant, the likeliest first: those one slip away, else the nearest one."""
    ordered = sorted(names)
    slips = [other for other in ordered if min(len(name), len(other)) > TOO_SHORT and one_slip(name, other)]
    likeliest = sorted(slips, key=lambda other: sorted(other) != sorted(name))[:_MOST_NAMED]
    if likeliest:
        return likeliest
    from difflib import get_close_matches

    return get_close_matches(name, ordered, n=1, cutoff=_NEAR)


def one_slip(word: str, wanted: str) -> bool:
    """Tell whether one character deleted, inserted, changed or swapped with the next makes one word the other."""
    if abs(len(word) - len(wanted)) > 1:
        return False
    same = 0  # the number of characters before the first difference
    while same < min(len(word), len(wanted)) and word[same] == wanted[same]:
        same += 1
    word, wanted = word[same:], wanted[same:]
    is_changed = word[1:] == wanted[1:]
    is_longer, is_shorter = word[1:] == wanted, word == wanted[1:]
    is_swapped = word[1::-1] + word[2:] == wanted
    return is_changed or is_longer or is_shorter or is_swapped


def meant(letters: str, words: Sequence[str]) -> str | None:
    """The question whether one of these words was meant; None if there are none."""
    if not words:
        return None
    if letters.lower() == words[0].lower():
        return f"write the word as {words[0]}"
    return f"did you mean {' or '.join(words)}?"
