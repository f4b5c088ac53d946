"""Find the corrections that a text needs: what another program changes in it, and the smallest choices of these changes
with which the text does the same as that program.

Called by `cpl readings --corrections`.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from types import ModuleType
from typing import Final

from cpl.compiler import Meaning
from cpl.diagnostics import Error
from cpl.kit.reading_experiment import Reference
from cpl.kit.text_changes import ChangedPiece, changes
from cpl.messages import REPAIRED
from cpl.source import Source, Span

MOST: Final = 8
"""With more corrections than this, not every choice of them can be tried."""


def corrections(one: Meaning, other: Meaning) -> list[ChangedPiece]:
    """All that the text of `other` changes in that of `one`, piece by piece where there are pieces.

    Raises Error if the two texts differ in more than can be tried, or in something that is no definition of
    theirs.
    """
    found: list[ChangedPiece] = []
    for change in changes(one, other):
        sources = {span.source for piece in change.pieces for span, _ in piece.edits}
        if not all(piece.edits for piece in change.pieces) or sources != {one.main.source}:
            raise Error(f"{change.name} is {change.kind} as a whole: there are no corrections to choose from")
        found += change.pieces
    if len(found) > MOST:
        raise Error(f"there are {len(found)} corrections: too many to try every choice of them")
    return found


def mended(meaning: Meaning) -> Source:
    """The text of a program, repaired if it needed a repair to compile."""
    repairs = [found.fixes[0] for found in meaning.diagnostics if found.cause is REPAIRED]
    return _edited(meaning.main.source, [(fix.span, fix.text) for fix in repairs])


def corrected(source: Source, chosen: Sequence[ChangedPiece]) -> Source:
    """The text with these corrections made."""
    return _edited(source, [edit for correction in chosen for edit in correction.edits])


def _edited(source: Source, edits: Sequence[tuple[Span, str]]) -> Source:
    text = source.text
    for span, instead in sorted(edits, key=lambda edit: edit[0].start, reverse=True):
        text = text[: span.start] + instead + text[span.end :]
    return Source(source.path, text)


def needed(
    every: Sequence[ChangedPiece], program: Callable[[Sequence[ChangedPiece]], ModuleType], reference: Reference
) -> Iterator[tuple[ChangedPiece, ...]]:
    """The smallest choices of corrections with which the program agrees with the other one on every position; none
    that contains another one. `program` compiles it with the corrections that were chosen, and raises Error if it
    cannot be run.
    """
    enough: list[tuple[ChangedPiece, ...]] = []
    for chosen in (chosen for count in range(len(every) + 1) for chosen in combinations(every, count)):
        if any({*fewer} <= {*chosen} for fewer in enough):
            continue
        try:
            module = program(chosen)
        except Error:
            continue
        if all(agreement == "same" for agreement, _ in reference.compared(module)):
            enough.append(chosen)
            yield chosen
