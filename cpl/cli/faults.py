"""A fault of a running CPL program: what went wrong, and the lines of CPL that led there, innermost first."""

import linecache
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from types import CodeType, TracebackType
from typing import Final, TypeVar

from cplrt import CplFault

from cpl import packaged
from cpl.cli.exits import Failed
from cpl.diagnostics import columns
from cpl.semantics.python_errors import in_words

Value = TypeVar("Value")

_INNERMOST: Final = 3  # frames that are shown of a long chain of calls
_OUTERMOST: Final = 2


@dataclass
class _Frame:
    """A place in the CPL that the program had reached; `count` times in a row, if it called itself there."""

    code: CodeType
    instruction: int
    line: int
    count: int = 1


def guard(job: Callable[[], Value], *also: type[Exception]) -> Value:
    """Run CPL. Raises Failed for a fault of the running program; any other exception is a bug of ours."""
    faults: tuple[type[Exception], ...] = (CplFault, RecursionError, MemoryError, SystemError, *also)
    try:
        return job()
    except faults as error:
        raise failed(error) from error


def failed(error: Exception) -> Failed:
    """What went wrong and where in the CPL, as far as it is known."""
    frames = _frames(error.__traceback__)
    lines = [in_words(error), *getattr(error, "__notes__", ())]
    inner, hidden, outer = frames[:_INNERMOST], frames[_INNERMOST:-_OUTERMOST], frames[-_OUTERMOST:]
    if len(hidden) < 2:
        inner, hidden, outer = frames, [], []
    for frame in inner:
        lines += _shown(frame, "at" if frame is frames[0] else "called at")
    if hidden:
        lines.append(f"… {sum(frame.count for frame in hidden):,} calls more")
    for frame in outer:
        lines += _shown(frame, "called at")
    return Failed("\n  ".join(lines))


def _frames(traceback: TracebackType | None) -> list[_Frame]:
    """The frames that are CPL, innermost first. There may be a million: those alike in a row are one."""
    frames: list[_Frame] = []
    while traceback is not None:
        code, inner = traceback.tb_frame.f_code, traceback.tb_next
        is_raised_again = inner is not None and inner.tb_frame is traceback.tb_frame  # the fault, put in words of CPL
        if not code.co_filename.endswith(".py") and code.co_filename != "<string>" and not is_raised_again:
            last = frames[-1] if frames else None
            if last and last.code is code and last.instruction == traceback.tb_lasti:
                last.count += 1
            else:
                frames.append(_Frame(code, traceback.tb_lasti, traceback.tb_lineno))
        traceback = inner
    return frames[::-1]


def _shown(frame: _Frame, verb: str) -> Iterator[str]:
    """The place of a frame, and its line of CPL with carets."""
    path = frame.code.co_filename
    text = linecache.getline(path, frame.line).rstrip()
    margin = len(text) - len(text.lstrip())
    positions = islice(frame.code.co_positions(), frame.instruction // 2, None)
    first, last, begin, end = next(positions, (None,) * 4)
    is_known = first == frame.line and begin is not None
    start = _characters(text, begin) if is_known else margin
    stop = _characters(text, end) if is_known and last == first else len(text)
    times = f" ({frame.count:,} times)" if frame.count > 1 else ""
    yield f"{verb} {packaged.short(path)}:{frame.line}:{start + 1}{times}"
    yield f"  {text.strip()}"
    yield f"  {' ' * columns(text[margin:start])}{'^' * max(1, columns(text[start:stop]))}"


def _characters(text: str, offset: int | None) -> int:
    """A place on a line in characters, from one in bytes of UTF-8; the end if there is none."""
    return len(text.encode("utf-8")[:offset].decode("utf-8", "replace"))
