"""A fault of a running CPL program: what went wrong, and the lines of CPL that led there, innermost first."""

import linecache
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from types import CodeType, TracebackType
from typing import TypeVar

from cplrt import CplFault

from cpl import packaged
from cpl.cli.common import Failed
from cpl.diagnostics import columns
from cpl.semantics.python_errors import in_words

Value = TypeVar("Value")

_INNERMOST_SHOWN = 3
_OUTERMOST_SHOWN = 2


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
    hidden = range(_INNERMOST_SHOWN, len(frames) - _OUTERMOST_SHOWN)
    for index, frame in enumerate(frames):
        if len(hidden) < 2 or index not in hidden:
            lines += _shown(frame, innermost=index == 0)
        elif index == hidden[0]:
            lines.append(f"… {sum(frames[each].count for each in hidden):,} calls more")
    return Failed("\n  ".join(lines))


def _frames(traceback: TracebackType | None) -> list[_Frame]:
    """The frames that are CPL, innermost first. There may be a million: those alike in a row are one."""
    frames: list[_Frame] = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not code.co_filename.endswith(".py") and code.co_filename != "<string>":
            if traceback.tb_next is not None and traceback.tb_next.tb_frame is traceback.tb_frame:
                traceback = traceback.tb_next  # the same fault, before it was put in words of CPL
                continue
            last = frames[-1] if frames else None
            if last and last.code is code and last.instruction == traceback.tb_lasti:
                last.count += 1
            else:
                frames.append(_Frame(code, traceback.tb_lasti, traceback.tb_lineno))
        traceback = traceback.tb_next
    return frames[::-1]


def _shown(frame: _Frame, *, innermost: bool) -> Iterator[str]:
    path = frame.code.co_filename
    text = linecache.getline(path, frame.line).rstrip()
    positions = next(islice(frame.code.co_positions(), frame.instruction // 2, None), (None,) * 4)
    first, last, start, end = positions
    start, end = (_characters(text, offset) for offset in (start, end))
    if first != frame.line or start is None:
        start, end = len(text) - len(text.lstrip()), len(text)
    elif last != first or end is None:
        end = len(text)
    times = f" ({frame.count:,} times)" if frame.count > 1 else ""
    verb = "at" if innermost else "called at"
    yield f"{verb} {packaged.short(path)}:{frame.line}:{start + 1}{times}"
    margin = len(text) - len(text.lstrip())
    yield f"  {text.strip()}"
    yield f"  {' ' * columns(text[margin:start])}{'^' * max(1, columns(text[start:end]))}"


def _characters(text: str, offset: int | None) -> int | None:
    """A place on a line in characters, from one in bytes of UTF-8."""
    if offset is None:
        return None
    return len(text.encode("utf-8")[:offset].decode("utf-8", "replace"))
