"""The lines of CPL that led to the failure of a running program, innermost first."""

import linecache
from collections.abc import Iterator
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
    # There may be a million frames. Equal ones in a row, of a function that calls itself, are one with their number.
    runs = [(place, len([*equal])) for place, equal in groupby(_places(error.__traceback__))]
    runs.reverse()
    lines: list[str] = []
    hidden = range(_INNERMOST, len(runs) - _OUTERMOST)
    for index, (place, count) in enumerate(runs):
        if len(hidden) < 2 or index not in hidden:
            lines += _shown(place, count, "called at" if index else "at")
        elif index == _INNERMOST:
            more_calls = sum(count for _, count in runs[_INNERMOST : hidden.stop])
            lines.append(f"… {more_calls:,} more calls")
    if lines or hasattr(error, "__notes__"):
        return lines

    from cpl.compiler.semantics import interpreter  # which a run of compiled code does without

    span = interpreter.reached(error.__traceback__)
    if span is None:
        return []
    return [f"at {span.place}", f"  {span.source.line(span.line).strip()}"]


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


def _shown(place: _Place, count: int, verb: str) -> Iterator[str]:
    """Yield a place, and its line of CPL with carets."""
    code, instruction, line = place
    text = linecache.getline(code.co_filename, line).rstrip()
    margin = len(text) - len(text.lstrip())
    start, stop = margin, len(text)
    positions = islice(code.co_positions(), instruction // 2, None)  # an instruction has two bytes
    first, last, begin, end = next(positions, (None, None, None, None))
    if first == line and begin is not None:
        start = _characters(text, begin)
        if last == first:
            stop = _characters(text, end)

    times = f" ({count:,} times)" if count > 1 else ""
    blanks = " " * columns(text[margin:start])
    carets = "^" * max(1, columns(text[start:stop]))
    yield f"{verb} {outside.short_path(code.co_filename)}:{line}:{start + 1}{times}"
    yield f"  {text.strip()}"
    yield f"  {blanks}{carets}"


def _characters(text: str, offset: int | None) -> int:
    """Convert a place on a line from bytes of UTF-8 to characters; None is the end."""
    return len(text.encode("utf-8")[:offset].decode("utf-8", "replace"))
