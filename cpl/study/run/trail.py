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

_Frame = tuple[CodeType, int, int, int]
"""A place in the CPL that the program had reached: the code, the instruction, the line; and how often in a row, if it
called itself there.
"""


def trail(error: BaseException) -> list[str]:
    """Return the lines of CPL that led to an error; none if it does not come from CPL. Of an interpreted program, whose
    faults name their places, this is the line that it had reached when it was stopped.
    """
    # There may be a million frames: those alike in a row are one. The innermost comes first.
    frames = [(*place, len([*alike])) for place, alike in groupby(_places(error.__traceback__))][::-1]
    lines: list[str] = []
    hidden = range(_INNERMOST, len(frames) - _OUTERMOST)
    for index, frame in enumerate(frames):
        if len(hidden) < 2 or index not in hidden:
            lines += _shown(frame, "called at" if index else "at")
        elif index == _INNERMOST:
            lines.append(f"… {sum(frames[number][-1] for number in hidden):,} more calls")
    if lines or hasattr(error, "__notes__"):
        return lines
    from cpl.compiler.semantics import interpreter  # which a run of compiled code does without

    place = interpreter.reached(error.__traceback__)
    return [] if place is None else [f"at {place.place}", f"  {place.source.line(place.line).strip()}"]


def _places(traceback: TracebackType | None) -> Iterator[tuple[CodeType, int, int]]:
    """Yield the code, the instruction and the line of each frame that is CPL, outermost first."""
    while traceback is not None:
        code, deeper = traceback.tb_frame.f_code, traceback.tb_next
        is_raised_again = deeper is not None and deeper.tb_frame is traceback.tb_frame  # the fault, put in words of CPL
        is_cpl = AS_FAULT in traceback.tb_frame.f_globals and code.co_filename != "<string>"
        if is_cpl and not is_raised_again:
            yield code, traceback.tb_lasti, traceback.tb_lineno
        traceback = deeper


def _shown(frame: _Frame, verb: str) -> Iterator[str]:
    """Yield the place of a frame, and its line of CPL with carets."""
    code, instruction, line, count = frame
    text = linecache.getline(code.co_filename, line).rstrip()
    margin = len(text) - len(text.lstrip())
    first, last, begin, end = next(islice(code.co_positions(), instruction // 2, None), (None,) * 4)
    is_known = first == line and begin is not None
    start = _characters(text, begin) if is_known else margin
    stop = _characters(text, end) if is_known and last == first else len(text)
    times = f" ({count:,} times)" if count > 1 else ""
    yield f"{verb} {outside.short_path(code.co_filename)}:{line}:{start + 1}{times}"
    yield f"  {text.strip()}"
    yield f"  {' ' * columns(text[margin:start])}{'^' * max(1, columns(text[start:stop]))}"


def _characters(text: str, offset: int | None) -> int:
    """Convert a place on a line from bytes of UTF-8 to characters; None is the end."""
    return len(text.encode("utf-8")[:offset].decode("utf-8", "replace"))
