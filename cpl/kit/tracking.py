"""How a long job tells how far it is: it sends the items that it works on through a `Track`.

The commands pass one that draws a bar; without one nothing is shown.
"""

from collections.abc import Iterable
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Track(Protocol):
    """Shows the progress of a job."""

    def __call__(self, items: Iterable[Item], what: str, total: int) -> Iterable[Item]:
        """The items, one by one: `what` is done with them in a word or two, and how many there are."""


def untracked(items: Iterable[Item], what: str, total: int) -> Iterable[Item]:
    """The items, and nothing else."""
    return items
