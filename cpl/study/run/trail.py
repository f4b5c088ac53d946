"""The lines of CPL that led to the failure of a running program, innermost first."""

import linecache
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from types import CodeType, TracebackType
from typing import Final

from cpl import outside
from cpl.compiler.diagnostics import columns
from cpl.compiler.python.execute import AS_FAULT

_INNERMOST: Final = 3  # frames that are shown of a long chain of calls
_OUTERMOST: Final = 2

_Place = tuple[CodeType, int, int]
"""A place in the CPL that the program had reached: the code, the instruction, the line."""


@dataclass(frozen=True)
class Reached:
    """A place that led to a failure: the characters `start` to `stop` of a line, whose text is `text`.

    `words` say how it was reached, as in "called at" or "at", and `times` how often in a row. If `stop` is None, only
    the line is known.
    """

    words: str
    path: str
    line: int
    text: str
    start: int = 0
    stop: int | None = None
    times: int = 1

    @property
    def how_often(self) -> str:
        """` (3 times)`; nothing if it was reached once."""
        return f" ({self.times:,} times)" if self.times > 1 else ""


def trail(error: BaseException) -> list[str]:
    """Return the lines of CPL that led to an error; none if it does not come from CPL. Of an interpreted program, whose
    faults name their places, this is the line that it had reached when it was stopped.

    For example, if `F` is applied to a list by a command:

        at sum.cpl:1:8
          F(x) = x + 1
                 ^^^^^
        called at sum.cpl:2:7
          Write[F([1])]
                ^^^^^^
    """
    lines: list[str] = []
    for found in reached(error):
        lines += [found] if isinstance(found, str) else _drawn(found)
    return lines


def reached(error: BaseException) -> list[Reached | str]:
    """Return the places of `trail`; calls that are left out are one string, which says how many they are."""
    # There may be a million frames. Equal ones in a row, of a function that calls itself, are one with their number.
    runs = [(place, len([*equal])) for place, equal in groupby(_places(error.__traceback__))]
    runs.reverse()
    found: list[Reached | str] = []
    hidden = range(_INNERMOST, len(runs) - _OUTERMOST)
    for index, (place, count) in enumerate(runs):
        if len(hidden) < 2 or index not in hidden:
            found.append(_reached(place, count, "called at" if index else "at"))
        elif index == _INNERMOST:
            more_calls = sum(count for _, count in runs[_INNERMOST : hidden.stop])
            found.append(f"… {more_calls:,} more calls")
    if found or hasattr(error, "__notes__"):
        return found

    from cpl.compiler.semantics import interpreter  # which a run of compiled code does without

    span = interpreter.reached(error.__traceback__)
    if span is None:
        return []
    return [Reached("at", span.source.path, span.line, span.source.line(span.line), span.column - 1)]


def _places(traceback: TracebackType | None) -> Iterator[_Place]:
    """Yield the place of each frame that is CPL, outermost first."""
    while traceback is not None:
        code, deeper = traceback.tb_frame.f_code, traceback.tb_next
        # A function catches what Python raises, and raises it again as a fault of CPL: one frame, two entries.
        is_raised_again = deeper is not None and deeper.tb_frame is traceback.tb_frame
        is_cpl = AS_FAULT in traceback.tb_frame.f_globals and code.co_filename != "<string>"
        if is_cpl and not is_raised_again:
            yield code, traceback.tb_lasti, traceback.tb_lineno
        traceback = deeper


def _reached(place: _Place, times: int, words: str) -> Reached:
    code, instruction, line = place
    text = linecache.getline(code.co_filename, line).rstrip()
    start, stop = len(text) - len(text.lstrip()), len(text)
    positions = islice(code.co_positions(), instruction // 2, None)  # an instruction has two bytes
    first, last, begin, end = next(positions, (None, None, None, None))
    if first == line and begin is not None:
        start = _characters(text, begin)
        if last == first:
            stop = _characters(text, end)

    return Reached(words, code.co_filename, line, text, start, stop, times)


def _drawn(found: Reached) -> Iterator[str]:
    """Yield a place, and its line of CPL, with carets below what is meant."""
    text, start, stop = found.text, found.start, found.stop
    yield f"{found.words} {outside.short_path(found.path)}:{found.line}:{start + 1}{found.how_often}"
    yield f"  {text.strip()}"
    if stop is not None:
        margin = len(text) - len(text.lstrip())
        blanks = " " * columns(text[margin:start])
        carets = "^" * max(1, columns(text[start:stop]))
        yield f"  {blanks}{carets}"


def _characters(text: str, offset: int | None) -> int:
    """Convert a place on a line from bytes of UTF-8 to characters; None is the end."""
    return len(text.encode("utf-8")[:offset].decode("utf-8", "replace"))
